# Takes: the region's skeleton and the data.
# Gives: results/<id>/orientation.tsv, how often each edge is directed each way, and the PDAG of every setting.
# Does: search for the best class of graphs by BDeu or the kernel score, under several settings and on resamples of the
# examples (thesis, V.2.4, V.2.6). With `scatter` above 1, graphs are found in so many jobs and put together.


rule orient_chunk:
    input:
        data="results/{id}/data",
        region="results/{id}/region.tsv",
        script=script("orient_region"),
    output:
        part="results/{id}/orientation/{chunk}-of-{chunks}.tsv",
    log:
        "results/{id}/logs/orient_chunk.{chunk}-of-{chunks}.log",
    benchmark:
        "results/{id}/benchmarks/orient_chunk.{chunk}-of-{chunks}.tsv"
    wildcard_constraints:
        id=LEADERS,
        chunk="[0-9]+",
        chunks="[0-9]+",
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("orient_chunk"),
        runtime=minutes("orient_chunk"),
    params:
        options=PLAN.orientation_options(),
        code=code("orient_region"),
    message:
        "orient_chunk {wildcards.id}: {wildcards.chunk} of {wildcards.chunks}, {params.options}"
    shell:
        "python {input.script} --data {input.data} --region {input.region} {params.options}"
        " --chunk {wildcards.chunk}/{wildcards.chunks} --part {output.part} --log {log}"


rule orient_region:
    input:
        data="results/{id}/data",
        region="results/{id}/region.tsv",
        parts=orientation_parts,
        script=script("orient_region"),
    output:
        orientation=report(
            "results/{id}/orientation.tsv",
            caption="../report/orient_region.rst",
            category="Data set {id}",
            subcategory="2 Region around the target",
            labels={"table": "orientation"},
        ),
        pdags="results/{id}/pdags.tsv",
    log:
        "results/{id}/logs/orient_region.log",
    benchmark:
        "results/{id}/benchmarks/orient_region.tsv"
    wildcard_constraints:
        id=LEADERS,
    conda:
        "../../envs/himation.yaml"
    threads: 2
    resources:
        mem_mb=memory("orient_region"),
        runtime=minutes("orient_region"),
    params:
        options=PLAN.orientation_options(),
        parts=orientation_parts_option,
        code=code("orient_region"),
    message:
        "orient_region {wildcards.id}: {params.options}"
    shell:
        "python {input.script} --data {input.data} --region {input.region} {params.options} {params.parts}"
        " --threads {threads} --output {output.orientation} --pdags {output.pdags} --log {log}"
