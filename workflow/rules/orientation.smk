# Takes: the region's skeleton and the data.
# Gives: results/<id>/orientation.tsv, how often each edge is directed each way, and the PDAG of every setting.
# Does: search for the best class of graphs by BDeu or the kernel score, under several settings and on resamples of the
# examples (thesis, V.2.4, V.2.6).


rule orient_region:
    input:
        data="results/{id}/data",
        region="results/{id}/region.tsv",
        script=script("orient_region"),
    output:
        orientation="results/{id}/orientation.tsv",
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
    params:
        options=PLAN.orientation_options(),
        code=code("orient_region"),
    message:
        "orient_region {wildcards.id}: {params.options}"
    shell:
        "python {input.script} --data {input.data} --region {input.region} {params.options}"
        " --threads {threads} --output {output.orientation} --pdags {output.pdags} --log {log}"
