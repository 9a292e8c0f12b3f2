# Takes: the files a data set names, or the description of a simulation.
# Gives: results/<id>/data, typed and compact, which all later steps open without parsing text.
# Does: simulate (challenge.md), read, check, type, normalise and remove spatial noise (thesis, V.2.1).


rule simulate_data:
    input:
        script=script("simulate_data"),
    output:
        train="results/{id}/simulated/train.parquet",
        target="results/{id}/simulated/train.targets",
        test="results/{id}/simulated/test.parquet",
        test_target="results/{id}/simulated/test.targets",
        truth="results/{id}/simulated/truth.csv",
        manipulated="results/{id}/simulated/manipulated.txt",
        real="results/{id}/simulated/real.txt",
        calibrants="results/{id}/simulated/calibrants.txt",
    log:
        "results/{id}/logs/simulate_data.log",
    benchmark:
        "results/{id}/benchmarks/simulate_data.tsv"
    wildcard_constraints:
        id=any_of(PLAN.simulated),
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("simulate_data"),
        runtime=minutes("simulate_data"),
    params:
        options=simulation_options,
        code=code("simulate_data"),
    message:
        "simulate_data {wildcards.id}: {params.options}"
    shell:
        "python {input.script:q} {params.options:q} --train {output.train:q} --target {output.target:q} --test {output.test:q}"
        " --test-target {output.test_target:q} --truth {output.truth:q} --manipulated {output.manipulated:q} --real {output.real:q}"
        " --calibrants {output.calibrants:q} --log {log:q}"


rule prepare_data:
    input:
        unpack(source_files),
        script=script("prepare_data"),
    output:
        data=directory("results/{id}/data"),
    log:
        "results/{id}/logs/prepare_data.log",
    benchmark:
        "results/{id}/benchmarks/prepare_data.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("prepare_data"),
        runtime=minutes("prepare_data"),
    params:
        options=source_options,
        code=code("prepare_data"),
    message:
        "prepare_data {wildcards.id}: {params.options}"
    shell:
        "python {input.script:q} {params.options:q} --output {output.data:q} --log {log:q}"


if PLAN.followers:

    localrules:
        reuse_training,

    rule reuse_training:
        input:
            results=training_results,
            script=script("reuse_training"),
        output:
            results=SHARED,
        log:
            "results/{id}/logs/reuse_training.log",
        wildcard_constraints:
            id=FOLLOWERS,
        conda:
            "../../envs/himation.yaml"
        params:
            code=code("reuse_training"),
        message:
            "reuse_training {wildcards.id}: same training table as another data set"
        shell:
            "python {input.script:q} --files {input.results:q} --output {output.results:q} --log {log:q}"
