# Takes: the files a data set names, or the description of a simulation.
# Gives: results/<id>/data, typed and compact, which all later steps open without parsing text.
# Does: simulate (challenge.md), read, check, type, normalise and remove spatial noise (thesis, V.2.1).


rule check_tables:
    input:
        files=[local(path) for path in files_of_users(CONFIG["datasets"])],
        script=script("check_tables"),
    output:
        checked="results/checked.tsv",
    log:
        "results/logs/check_tables.log",
    localrule: True
    conda:
        "../../envs/himation.yaml"
    params:
        datasets=lambda wildcards: flags({"datasets": json.dumps(CONFIG["datasets"], sort_keys=True)}),
        seed=SEED,
        code=code("check_tables"),
    message:
        "check_tables: every table, list and truth, before any long work"
    shell:
        "python {input.script:q} {params.datasets:q} {params.seed:q} --output {output.checked:q} --log {log:q}"


rule simulate_data:
    input:
        files=lambda wildcards: [local(path) for path in simulated_from(entry_of(wildcards))],
        checked=ancient("results/checked.tsv"),
        script=script("simulate_data"),
    output:
        train="results/{place}/simulated/train.parquet",
        target="results/{place}/simulated/train.targets",
        test="results/{place}/simulated/test.parquet",
        test_target="results/{place}/simulated/test.targets",
        truth="results/{place}/simulated/truth.csv",
        manipulated="results/{place}/simulated/manipulated.txt",
        real="results/{place}/simulated/real.txt",
        calibrants="results/{place}/simulated/calibrants.txt",
    log:
        "results/{place}/logs/simulate_data.log",
    benchmark:
        "results/{place}/benchmarks/simulate_data.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("simulate_data"),
        runtime=minutes("simulate_data"),
    params:
        options=simulation_options,
        code=code("simulate_data"),
    message:
        "simulate_data {wildcards.place}: {params.options}"
    shell:
        "python {input.script:q} {params.options:q} --train {output.train:q} --target {output.target:q} --test {output.test:q}"
        " --test-target {output.test_target:q} --truth {output.truth:q} --manipulated {output.manipulated:q} --real {output.real:q}"
        " --calibrants {output.calibrants:q} --log {log:q}"


rule prepare_data:
    input:
        unpack(source_files),
        checked=ancient("results/checked.tsv"),
        script=script("prepare_data"),
    output:
        data=directory("results/{place}/data"),
    log:
        "results/{place}/logs/prepare_data.log",
    benchmark:
        "results/{place}/benchmarks/prepare_data.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("prepare_data"),
        runtime=minutes("prepare_data"),
    params:
        options=source_options,
        code=code("prepare_data"),
    message:
        "prepare_data {wildcards.place}: {params.options}"
    shell:
        "python {input.script:q} {params.options:q} --output {output.data:q} --log {log:q}"


rule link_training:
    input:
        files=training(*shared_files(METHODS, WITHOUT)),
        script=script("link_training"),
    output:
        links=[f"results/{{id}}/{name}" for name in shared_files(METHODS, WITHOUT)],
    log:
        "results/{id}/logs/link_training.log",
    localrule: True
    conda:
        "../../envs/himation.yaml"
    params:
        code=code("link_training"),
    message:
        "link_training {wildcards.id}: what its training table alone decides"
    shell:
        "python {input.script:q} --files {input.files:q} --output {output.links:q} --log {log:q}"
