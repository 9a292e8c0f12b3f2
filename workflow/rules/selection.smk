# Takes: the prepared table, oriented edges, Y-tests, the natural blanket, and what was manipulated.
# Gives: results/<id>/networks.npz, networks around the target from their posterior; results/<id>/effects.tsv, what
#   setting a variable would do to the target; results/<id>/manipulated.tsv, what the test table says was manipulated; results/<id>/roles.tsv, a role for every variable and whether the model uses it,
#   with the reason.
# Does: put together what the thesis's rule goes by, sample networks, ask the test table, then select what survives the
#   manipulation (thesis, V.1.1, V.2.6).


rule combine_evidence:
    input:
        data="results/{id}/data",
        orientation="results/{id}/orientation.tsv",
        y_tests="results/{id}/y_tests.tsv",
        colliders="results/{id}/colliders.tsv",
        script=script("combine_evidence"),
    output:
        evidence="results/{id}/evidence.tsv",
    log:
        "results/{id}/logs/combine_evidence.log",
    benchmark:
        "results/{id}/benchmarks/combine_evidence.tsv"
    wildcard_constraints:
        id=LEADERS,
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("combine_evidence"),
        runtime=minutes("combine_evidence"),
    params:
        code=code("combine_evidence"),
    message:
        "combine_evidence {wildcards.id}: the orientation, Y-tests and colliders by variable"
    shell:
        "python {input.script:q} --data {input.data:q} --orientation {input.orientation:q} --y-tests {input.y_tests:q}"
        " --colliders {input.colliders:q} --output {output.evidence:q} --log {log:q}"


rule sample_networks:
    input:
        data="results/{id}/data",
        script=script("sample_networks"),
    output:
        networks="results/{id}/networks.npz",
    log:
        "results/{id}/logs/sample_networks.log",
    benchmark:
        "results/{id}/benchmarks/sample_networks.tsv"
    wildcard_constraints:
        id=LEADERS,
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("sample_networks"),
        runtime=minutes("sample_networks"),
    params:
        options=fixed(PLAN.network_options()),
        code=code("sample_networks"),
    message:
        "sample_networks {wildcards.id}: networks around the target, from their posterior"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} --output {output.networks:q} --log {log:q}"


rule estimate_effects:
    input:
        data="results/{id}/data",
        networks="results/{id}/networks.npz",
        script=script("estimate_effects"),
    output:
        effects=report(
            "results/{id}/effects.tsv",
            caption="../report/estimate_effects.rst",
            category="Data set {id}",
            subcategory="3 Roles and selection",
            labels={"table": "effects on the target"},
        ),
    log:
        "results/{id}/logs/estimate_effects.log",
    benchmark:
        "results/{id}/benchmarks/estimate_effects.tsv"
    wildcard_constraints:
        id=LEADERS,
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("estimate_effects"),
        runtime=minutes("estimate_effects"),
    params:
        options=fixed(PLAN.effect_options()),
        code=code("estimate_effects"),
    message:
        "estimate_effects {wildcards.id}: what setting each variable would do to the target"
    shell:
        "python {input.script:q} --data {input.data:q} --networks {input.networks:q} {params.options:q}"
        " --output {output.effects:q} --log {log:q}"


rule infer_manipulation:
    input:
        data="results/{id}/data",
        networks="results/{id}/networks.npz",
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
        options=inference_options,
        code=code("infer_manipulation"),
    message:
        "infer_manipulation {wildcards.id}: what the test table says"
    shell:
        "python {input.script:q} --data {input.data:q} --networks {input.networks:q} {params.options:q} --output {output.table:q}"
        " --facts {output.facts:q} --of-networks {output.of_networks:q} --log {log:q}"


rule select_variables:
    input:
        data="results/{id}/data",
        evidence="results/{id}/evidence.tsv",
        networks=networks_file,
        blanket="results/{id}/natural_blanket.tsv",
        natural="results/{id}/natural_set.tsv",
        manipulation=manipulation_file,
        asked=asked,
        candidates=candidate_files,
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
        asked=asked_option,
        candidates=candidates_option,
        options=fixed(PLAN.selection_options()),
        code=code("select_variables"),
    message:
        "select_variables {wildcards.id}: {params.options} {params.manipulation}"
    shell:
        "python {input.script:q} --data {input.data:q} --evidence {input.evidence:q} --networks {input.networks:q}"
        " --blanket {input.blanket:q} --natural-set {input.natural:q} {params.options:q} {params.manipulation:q} {params.asked:q}"
        " {params.candidates:q} --thesis {output.thesis:q} --output {output.roles:q} --selection {output.selection:q} --log {log:q}"
