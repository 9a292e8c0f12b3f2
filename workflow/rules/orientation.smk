# Takes: the region's skeleton and the data.
# Gives: results/<id>/orientation.tsv, how often each edge is directed each way, and the PDAG of every setting.
# Does: search for the best class of graphs by BDeu or the kernel score, under several settings and on resamples of the
# examples (thesis, V.2.4, V.2.6). With `scatter` above 1, graphs are found in so many jobs and put together.


rule orient_chunk:
    input:
        data="results/{id}/data",
        region="results/{id}/region.tsv",
        groups=group_file,
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
        options=fixed(PLAN.orientation_options()),
        code=code("orient_region"),
    message:
        "orient_chunk {wildcards.id}: {wildcards.chunk} of {wildcards.chunks}, {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} --region {input.region:q} {params.options:q}"
        " --chunk {wildcards.chunk:q}/{wildcards.chunks:q} --part {output.part:q} --log {log:q}"


rule orient_region:
    input:
        data="results/{id}/data",
        region="results/{id}/region.tsv",
        parts=orientation_parts,
        groups=group_file,
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
        options=fixed(PLAN.orientation_options()),
        parts=orientation_parts_option,
        code=code("orient_region"),
    message:
        "orient_region {wildcards.id}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} --region {input.region:q} {params.options:q} {params.parts:q}"
        " --threads {threads} --output {output.orientation:q} --pdags {output.pdags:q} --log {log:q}"
