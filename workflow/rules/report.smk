# Takes: everything.
# Gives: results/report.html, one self-contained page; results/run.json, the configuration and versions behind it.
# Does: record what was run, and show what was found and why.


rule record_run:
    input:
        script=script("record_run"),
    output:
        run="results/run.json",
    log:
        "results/logs/record_run.log",
    localrule: True
    conda:
        "../../envs/himation.yaml"
    params:
        configuration=lambda wildcards: json.dumps(CONFIG, sort_keys=True),
        versions=versions(),
        code=code("record_run"),
    message:
        "record_run: the resolved configuration and the versions of all packages"
    shell:
        "python {input.script:q} --configuration {params.configuration:q} --output {output.run:q} --log {log:q}"


rule write_report:
    input:
        run="results/run.json",
        results=lambda wildcards: [path for path in final_files(wildcards) if path.split("/")[1] in IDS],
        scoreboard=["results/scoreboard.tsv"] if CHALLENGE else [],
        script=script("write_report"),
    output:
        report=report(
            "results/report.html",
            caption="../report/write_report.rst",
            category="Summary",
            labels={"page": "all data sets"},
        ),
    log:
        "results/logs/write_report.log",
    benchmark:
        "results/benchmarks/write_report.tsv"
    localrule: True
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("write_report"),
        runtime=minutes("write_report"),
    params:
        results=lambda wildcards, output: os.path.dirname(output[0]),
        ids=IDS,
        board=option("scoreboard"),
        code=code("write_report"),
    message:
        "write_report: {output.report}"
    shell:
        "python {input.script:q} --results {params.results:q} --run {input.run:q} --ids {params.ids:q} {params.board:q}"
        " --output {output.report:q} --log {log:q}"
