# Takes: oriented edges, Y-tests, the natural blanket, and what was manipulated.
# Gives: results/<id>/roles.tsv, a role for every variable and whether the model uses it, with the reason.
# Does: combine the evidence into roles, then select what survives the manipulation (thesis, V.1.1, V.2.6).


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
    params:
        code=code("combine_evidence"),
    message:
        "combine_evidence {wildcards.id}"
    shell:
        "python {input.script} --data {input.data} --orientation {input.orientation} --y-tests {input.y_tests}"
        " --colliders {input.colliders} --output {output.evidence} --log {log}"


rule select_variables:
    input:
        data="results/{id}/data",
        evidence="results/{id}/evidence.tsv",
        orientation="results/{id}/orientation.tsv",
        blanket="results/{id}/natural_blanket.tsv",
        manipulation=manipulation_file,
        script=script("select_variables"),
    output:
        roles="results/{id}/roles.tsv",
        selection="results/{id}/selection.json",
    log:
        "results/{id}/logs/select_variables.log",
    benchmark:
        "results/{id}/benchmarks/select_variables.tsv"
    conda:
        "../../envs/himation.yaml"
    params:
        manipulation=manipulation,
        options=PLAN.selection_options(),
        code=code("select_variables"),
    message:
        "select_variables {wildcards.id}: {params.options} {params.manipulation}"
    shell:
        "python {input.script} --data {input.data} --evidence {input.evidence} --orientation {input.orientation}"
        " --blanket {input.blanket} {params.options} {params.manipulation} --output {output.roles}"
        " --selection {output.selection} --log {log}"
