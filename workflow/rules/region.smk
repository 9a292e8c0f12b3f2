# Takes: results/<id>/data.
# Gives: results/<id>/region.tsv, the skeleton around the target, and the separating sets of its pairs.
# Does: MMPC breadth-first around the target, one edge further than the depth asked for (thesis, V.2.3, IV.3). With
# `scatter` above 1, so many jobs search around the variables that depend on the target, and the rest follows.


rule region_chunk:
    input:
        data="results/{id}/data",
        groups=group_file,
        script=script("find_region"),
    output:
        part="results/{id}/searches/{chunk}-of-{chunks}.npz",
    log:
        "results/{id}/logs/region_chunk.{chunk}-of-{chunks}.log",
    benchmark:
        "results/{id}/benchmarks/region_chunk.{chunk}-of-{chunks}.tsv"
    wildcard_constraints:
        id=LEADERS,
        chunk="[0-9]+",
        chunks="[0-9]+",
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("find_region"),
        runtime=minutes("find_region"),
    params:
        options=fixed(PLAN.region_options()),
        code=code("find_region"),
    message:
        "region_chunk {wildcards.id}: {wildcards.chunk} of {wildcards.chunks}, {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} --chunk {wildcards.chunk:q}/{wildcards.chunks:q}"
        " --part {output.part:q} --log {log:q}"


rule find_region:
    input:
        data="results/{id}/data",
        parts=region_parts,
        groups=group_file,
        script=script("find_region"),
    output:
        region=report(
            "results/{id}/region.tsv",
            caption="../report/find_region.rst",
            category="Data set {id}",
            subcategory="2 Region around the target",
            labels={"table": "skeleton"},
        ),
        separations="results/{id}/separations.tsv",
    log:
        "results/{id}/logs/find_region.log",
    benchmark:
        "results/{id}/benchmarks/find_region.tsv"
    wildcard_constraints:
        id=LEADERS,
    conda:
        "../../envs/himation.yaml"
    threads: 2
    resources:
        mem_mb=memory("find_region"),
        runtime=minutes("find_region"),
    params:
        options=fixed(PLAN.region_options()),
        parts=region_parts_option,
        code=code("find_region"),
    message:
        "find_region {wildcards.id}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} {params.parts:q} --threads {threads}"
        " --output {output.region:q} --separations {output.separations:q} --log {log:q}"
