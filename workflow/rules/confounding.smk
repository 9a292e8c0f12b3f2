# Takes: the region with its separating sets.
# Gives: results/<id>/y_tests.tsv, the quadruples that show an edge to be causal, the colliders found on the way, and
# results/<id>/y_edges.tsv, what they say of each edge.
# Does: the Y-test of proposition V.1 on every quadruple of the region (thesis, V.2.5).


rule test_confounding:
    input:
        data="results/{id}/data",
        region="results/{id}/region.tsv",
        separations="results/{id}/separations.tsv",
        script=script("test_confounding"),
    output:
        y_tests=report(
            "results/{id}/y_tests.tsv",
            caption="../report/test_confounding.rst",
            category="Data set {id}",
            subcategory="2 Region around the target",
            labels={"table": "Y-tests"},
        ),
        colliders="results/{id}/colliders.tsv",
        edges="results/{id}/y_edges.tsv",
    log:
        "results/{id}/logs/test_confounding.log",
    benchmark:
        "results/{id}/benchmarks/test_confounding.tsv"
    wildcard_constraints:
        id=LEADERS,
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("test_confounding"),
        runtime=minutes("test_confounding"),
    params:
        options=fixed(PLAN.confounding_options()),
        code=code("test_confounding"),
    message:
        "test_confounding {wildcards.id}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} --region {input.region:q} --separations {input.separations:q}"
        " {params.options:q} --output {output.y_tests:q} --colliders {output.colliders:q}"
        " --edges {output.edges:q} --log {log:q}"
