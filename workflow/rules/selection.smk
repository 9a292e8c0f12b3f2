# Takes: the prepared table, oriented edges, Y-tests, the natural blanket, and what was manipulated.
# Gives: results/training/<table>/networks.npz, networks around the target from their posterior, and effects.tsv, what
#   setting a variable would do to the target; results/<id>/manipulated.tsv, what the test table says was manipulated;
#   results/<id>/roles.tsv, a role for every variable and whether the model uses it, with the reason;
#   results/<id>/thesis.tsv, the candidates of the thesis's rule by group.
# Does: put together what the thesis's rule goes by, sample networks, ask the test table, then select what survives the
#   manipulation (thesis, V.1.1, V.2.6).


SELECTION = flags(CONFIG["selection"], "rule", "least_share", "consistent", "child_p_score", "most_child_tests")
SELECTION += flags({"no_cut_by_graphs": not CONFIG["selection"]["cut_by_graphs"]})
CANDIDATES = [
    f"blanket/{name}.json"
    for name, entry in METHODS.items()
    if entry["method"] == CONFIG["selection"]["candidates"] == "fsmb"
]
PRIOR = flags(CONFIG["selection"], prior="manipulated_share")


rule combine_evidence:
    input:
        data="results/training/{table}/data",
        orientation="results/training/{table}/orientation.tsv",
        y_tests="results/training/{table}/y_tests.tsv",
        colliders="results/training/{table}/colliders.tsv",
        script=script("combine_evidence"),
    output:
        evidence="results/training/{table}/evidence.tsv",
    log:
        "results/training/{table}/logs/combine_evidence.log",
    benchmark:
        "results/training/{table}/benchmarks/combine_evidence.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("combine_evidence"),
        runtime=minutes("combine_evidence"),
    params:
        code=code("combine_evidence"),
    message:
        "combine_evidence {wildcards.table}: the orientation, Y-tests and colliders by variable"
    shell:
        "python {input.script:q} --data {input.data:q} --orientation {input.orientation:q} --y-tests {input.y_tests:q}"
        " --colliders {input.colliders:q} --output {output.evidence:q} --log {log:q}"


rule sample_networks:
    input:
        data="results/training/{table}/data",
        script=script("sample_networks"),
    output:
        networks="results/training/{table}/networks.npz",
    log:
        "results/training/{table}/logs/sample_networks.log",
    benchmark:
        "results/training/{table}/benchmarks/sample_networks.tsv"
    priority: 40
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("sample_networks"),
        runtime=minutes("sample_networks"),
    params:
        options=SEED + flags(CONFIG["networks"], "chains", "sweeps", "nodes"),
        code=code("sample_networks"),
    message:
        "sample_networks {wildcards.table}: networks around the target, from their posterior"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} --output {output.networks:q} --log {log:q}"


rule estimate_effects:
    input:
        data="results/training/{table}/data",
        networks="results/training/{table}/networks.npz",
        script=script("estimate_effects"),
    output:
        effects=report(
            "results/training/{table}/effects.tsv",
            caption="../report/estimate_effects.rst",
            category="Training table {table}",
            subcategory="3 Roles and selection",
            labels={"table": "effects on the target"},
        ),
    log:
        "results/training/{table}/logs/estimate_effects.log",
    benchmark:
        "results/training/{table}/benchmarks/estimate_effects.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("estimate_effects"),
        runtime=minutes("estimate_effects"),
    params:
        options=SEED,
        code=code("estimate_effects"),
    message:
        "estimate_effects {wildcards.table}: what setting each variable would do to the target"
    shell:
        "python {input.script:q} --data {input.data:q} --networks {input.networks:q} {params.options:q}"
        " --output {output.effects:q} --log {log:q}"


rule export_network:
    input:
        data="results/training/{table}/data",
        networks="results/training/{table}/networks.npz",
        script=script("export_network"),
    output:
        graphml="results/training/{table}/graph.graphml",
        dot="results/training/{table}/graph.dot",
    log:
        "results/training/{table}/logs/export_network.log",
    benchmark:
        "results/training/{table}/benchmarks/export_network.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("export_network"),
        runtime=minutes("export_network"),
    params:
        code=code("export_network"),
    message:
        "export_network {wildcards.table}: the sampled networks as one graph, for other programs"
    shell:
        "python {input.script:q} --data {input.data:q} --networks {input.networks:q} --graphml {output.graphml:q}"
        " --dot {output.dot:q} --log {log:q}"


rule infer_manipulation:
    input:
        data="results/{id}/data",
        networks=training("networks.npz"),
        script=script("infer_manipulation"),
    output:
        table=report(
            "results/{id}/manipulated.tsv",
            caption="../report/infer_manipulation.rst",
            category="Data set {id}",
            subcategory="3 Roles and selection",
            labels={"table": "what changed"},
        ),
        facts="results/{id}/manipulated.json",
        of_networks="results/{id}/manipulated.npz",
    log:
        "results/{id}/logs/infer_manipulation.log",
    benchmark:
        "results/{id}/benchmarks/infer_manipulation.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("infer_manipulation"),
        runtime=minutes("infer_manipulation"),
    params:
        options=lambda wildcards: SEED + PRIOR + flags({"why_not_used": not_asked(wildcards)}),
        code=code("infer_manipulation"),
    message:
        "infer_manipulation {wildcards.id}: what the test table says"
    shell:
        "python {input.script:q} --data {input.data:q} --networks {input.networks:q} {params.options:q} --output {output.table:q}"
        " --facts {output.facts:q} --of-networks {output.of_networks:q} --log {log:q}"


rule select_variables:
    input:
        data="results/{id}/data",
        evidence=training("evidence.tsv"),
        networks=[] if "sample_networks" in WITHOUT else training("networks.npz"),
        candidates=training(*CANDIDATES),
        blanket=training("natural_blanket.tsv"),
        natural=training("natural_set.tsv"),
        widest=training("widest_set.tsv"),
        manipulation=manipulated_from,
        manipulated_networks=lambda wildcards: (
            [] if not_asked(wildcards) else [f"results/{wildcards.id}/manipulated.npz"]
        ),
        script=script("select_variables"),
    output:
        roles=report(
            "results/{id}/roles.tsv",
            caption="../report/select_variables.rst",
            category="Data set {id}",
            subcategory="3 Roles and selection",
            labels={"table": "roles"},
        ),
        selection="results/{id}/selection.json",
        thesis="results/{id}/thesis.tsv",
    log:
        "results/{id}/logs/select_variables.log",
    benchmark:
        "results/{id}/benchmarks/select_variables.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("select_variables"),
        runtime=minutes("select_variables"),
    params:
        manipulation=manipulation,
        found=option("networks", "candidates", "manipulated_networks"),
        options=SELECTION + ENSEMBLE,
        code=code("select_variables"),
    message:
        "select_variables {wildcards.id}: {params.options} {params.manipulation}"
    shell:
        "python {input.script:q} --data {input.data:q} --evidence {input.evidence:q}"
        " --blanket {input.blanket:q} --natural-set {input.natural:q} --widest-set {input.widest:q}"
        " {params.options:q} {params.manipulation:q} {params.found:q} --output {output.roles:q}"
        " --selection {output.selection:q} --thesis {output.thesis:q} --log {log:q}"
