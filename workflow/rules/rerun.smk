# Takes: the names of published experiments.
# Gives: results/reruns/<name>.tsv with published and rerun figures, .json with samples and versions; results/reruns.html.
# Does: draw the samples of the paper, run its methods, compare.

from himation.rerun_list import rerun_digest, samples_of


rule rerun_table:
    input:
        script=script("rerun_table"),
    output:
        table="results/reruns/{rerun}.tsv",
        facts="results/reruns/{rerun}.json",
    log:
        "results/reruns/logs/{rerun}.log",
    benchmark:
        "results/reruns/benchmarks/{rerun}.tsv"
    conda:
        "../../envs/himation.yaml"
    threads: 2
    resources:
        mem_mb=memory("rerun_table"),
        runtime=minutes("rerun_table"),
    params:
        options=lambda wildcards: SEED
        + flags({"table": wildcards.rerun, "samples": samples_of(RERUNS[wildcards.rerun], CONFIG)}),
        code=lambda wildcards: rerun_digest(PROJECT / "scripts", wildcards.rerun),
    message:
        "rerun_table {wildcards.rerun}: {params.options}"
    shell:
        "python {input.script:q} {params.options:q} --threads {threads}"
        " --output {output.table:q} --facts {output.facts:q} --log {log:q}"


rule plot_rerun:
    input:
        table="results/reruns/{rerun}.tsv",
        script=script("plot_rerun"),
    output:
        figure=report(
            "results/reruns/{rerun}.svg",
            caption="../report/plot_rerun.rst",
            category="Published experiments",
            labels={"experiment": "{rerun}"},
        ),
    log:
        "results/reruns/logs/{rerun}.plot.log",
    conda:
        "../../envs/himation.yaml"
    params:
        code=code("plot_rerun"),
    message:
        "plot_rerun {wildcards.rerun}: {output.figure}"
    shell:
        "python {input.script:q} --table {input.table:q} --output {output.figure:q} --log {log:q}"


rule write_reruns:
    input:
        tables=expand("results/reruns/{rerun}.tsv", rerun=RERUNS),
        script=script("write_reruns"),
    output:
        page=report(
            "results/reruns.html",
            caption="../report/write_reruns.rst",
            category="Published experiments",
            labels={"experiment": "all"},
        ),
    log:
        "results/reruns/logs/write_reruns.log",
    localrule: True
    conda:
        "../../envs/himation.yaml"
    params:
        code=code("write_reruns"),
    message:
        "write_reruns: {output.page}"
    shell:
        "python {input.script:q} --tables {input.tables:q} --output {output.page:q} --log {log:q}"
