# Takes: the region's skeleton and the data.
# Gives: results/training/<table>/orientation.tsv, how often each edge is directed each way, and the PDAG of every setting.
# Does: search for the best class of graphs by BDeu or the kernel score, under several settings and on resamples of the
# examples (thesis, V.2.4, V.2.6). With `scatter` above 1, graphs are found in so many jobs and put together.

ORIENTATION = SEED + flags(CONFIG["region"], "groups")
ORIENTATION += flags(CONFIG["orientation"], "score", "search", "prior", "patience", "bootstraps", "resample")
ORIENTATION += flags(CONFIG["orientation"], "equivalent_sample_size", "sigma", "kappa", "dimension")
ORIENTATION_PARTS = parts("results/training/{table}/orientation", ".tsv") if CONFIG["scatter"] > 1 else []


rule orient_chunk:
    input:
        data="results/training/{table}/data",
        region="results/training/{table}/region.tsv",
        groups=GROUPS,
        script=script("orient_region"),
    output:
        part="results/training/{table}/orientation/{chunk}-of-{chunks}.tsv",
    log:
        "results/training/{table}/logs/orient_chunk.{chunk}-of-{chunks}.log",
    benchmark:
        "results/training/{table}/benchmarks/orient_chunk.{chunk}-of-{chunks}.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("orient_chunk"),
        runtime=minutes("orient_chunk"),
    params:
        options=ORIENTATION,
        code=code("orient_region"),
    message:
        "orient_chunk {wildcards.table}: {wildcards.chunk} of {wildcards.chunks}, {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} --region {input.region:q} {params.options:q}"
        " --chunk {wildcards.chunk:q}/{wildcards.chunks:q} --part {output.part:q} --log {log:q}"


rule orient_region:
    input:
        data="results/training/{table}/data",
        region="results/training/{table}/region.tsv",
        parts=ORIENTATION_PARTS,
        groups=GROUPS,
        script=script("orient_region"),
    output:
        orientation=report(
            "results/training/{table}/orientation.tsv",
            caption="../report/orient_region.rst",
            category="Training table {table}",
            subcategory="2 Region around the target",
            labels={"table": "orientation"},
        ),
        pdags="results/training/{table}/pdags.tsv",
    log:
        "results/training/{table}/logs/orient_region.log",
    benchmark:
        "results/training/{table}/benchmarks/orient_region.tsv"
    priority: 30
    conda:
        "../../envs/himation.yaml"
    threads: THREADS
    resources:
        mem_mb=memory("orient_region"),
        runtime=minutes("orient_region"),
    params:
        options=ORIENTATION,
        parts=option("parts"),
        code=code("orient_region"),
    message:
        "orient_region {wildcards.table}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} --region {input.region:q} {params.options:q} {params.parts:q}"
        " --threads {threads} --output {output.orientation:q} --pdags {output.pdags:q} --log {log:q}"
