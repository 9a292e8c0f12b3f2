# Takes: results/training/<table>/data.
# Gives: results/training/<table>/region.tsv, the skeleton around the target, and the separating sets of its pairs.
# Does: MMPC breadth-first around the target, one edge further than the depth asked for (thesis, V.2.3, IV.3). With
# `scatter` above 1, so many jobs search around the variables that depend on the target, and the rest follows.

GROUPS = [] if CONFIG["region"]["groups"] in ("none", "found") else [local(CONFIG["region"]["groups"])]
REGION = flags(CONFIG["region"], "search", "depth", "most_variables", "at_target", "groups", "expand", "most_depth")
REGION += flags(CONFIG["region"], "outer_layer", "separating_sets")
TESTS = flags(
    CONFIG["independence"], "alpha", "max_conditioning", "symmetry", "candidates", "rows", independence="test"
)
REGION_PARTS = parts("results/training/{table}/searches", ".npz") if CONFIG["scatter"] > 1 else []


rule region_chunk:
    input:
        data="results/training/{table}/data",
        groups=GROUPS,
        script=script("find_region"),
    output:
        part="results/training/{table}/searches/{chunk}-of-{chunks}.npz",
    log:
        "results/training/{table}/logs/region_chunk.{chunk}-of-{chunks}.log",
    benchmark:
        "results/training/{table}/benchmarks/region_chunk.{chunk}-of-{chunks}.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("find_region"),
        runtime=minutes("find_region"),
    params:
        options=REGION + TESTS,
        code=code("find_region"),
    message:
        "region_chunk {wildcards.table}: {wildcards.chunk} of {wildcards.chunks}, {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} --chunk {wildcards.chunk:q}/{wildcards.chunks:q}"
        " --part {output.part:q} --log {log:q}"


rule find_region:
    input:
        data="results/training/{table}/data",
        parts=REGION_PARTS,
        groups=GROUPS,
        script=script("find_region"),
    output:
        region=report(
            "results/training/{table}/region.tsv",
            caption="../report/find_region.rst",
            category="Training table {table}",
            subcategory="2 Region around the target",
            labels={"table": "skeleton"},
        ),
        separations="results/training/{table}/separations.tsv",
    log:
        "results/training/{table}/logs/find_region.log",
    benchmark:
        "results/training/{table}/benchmarks/find_region.tsv"
    priority: 30
    conda:
        "../../envs/himation.yaml"
    threads: THREADS
    resources:
        mem_mb=memory("find_region"),
        runtime=minutes("find_region"),
    params:
        options=REGION + TESTS,
        parts=option("parts"),
        code=code("find_region"),
    message:
        "find_region {wildcards.table}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} {params.parts:q} --threads {threads}"
        " --output {output.region:q} --separations {output.separations:q} --log {log:q}"
