# Takes: the region with its separating sets.
# Gives: results/training/<table>/y_tests.tsv, the quadruples that show an edge to be causal, the colliders found on the way, and
# results/training/<table>/y_edges.tsv, what they say of each edge.
# Does: the Y-test of proposition V.1 on every quadruple of the region (thesis, V.2.5).


rule test_confounding:
    input:
        data="results/training/{table}/data",
        region="results/training/{table}/region.tsv",
        separations="results/training/{table}/separations.tsv",
        script=script("test_confounding"),
    output:
        y_tests=report(
            "results/training/{table}/y_tests.tsv",
            caption="../report/test_confounding.rst",
            category="Training table {table}",
            subcategory="2 Region around the target",
            labels={"table": "Y-tests"},
        ),
        colliders="results/training/{table}/colliders.tsv",
        edges="results/training/{table}/y_edges.tsv",
    log:
        "results/training/{table}/logs/test_confounding.log",
    benchmark:
        "results/training/{table}/benchmarks/test_confounding.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("test_confounding"),
        runtime=minutes("test_confounding"),
    params:
        options=flags(CONFIG["independence"], "alpha", "rows", independence="test"),
        code=code("test_confounding"),
    message:
        "test_confounding {wildcards.table}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} --region {input.region:q} --separations {input.separations:q}"
        " {params.options:q} --output {output.y_tests:q} --colliders {output.colliders:q}"
        " --edges {output.edges:q} --log {log:q}"
