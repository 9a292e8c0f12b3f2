# Takes: predictions, the selected variables, and whatever truth is known.
# Gives: results/<id>/scores.tsv; results/scoreboard.tsv for data sets named after a task of the challenge.
# Does: the challenge's Fscore, Dscore and Tscore, beside reference models that know the truth.


rule score:
    input:
        data="results/{id}/data",
        roles="results/{id}/roles.tsv",
        selection="results/{id}/selection.json",
        trained="results/{id}/submission/{id}_train.predict",
        tested=lambda wildcards: [f"results/{wildcards.id}/submission/{wildcards.id}_test.predict"][
            : wildcards.id in TESTED
        ],
        truth=file_of("truth"),
        manipulation=file_of("manipulated", otherwise=manipulated_from),
        real=file_of("real"),
        natural=training("natural_blanket.tsv"),
        script=script("score"),
    output:
        scores=report(
            "results/{id}/scores.tsv",
            caption="../report/score.rst",
            category="Data set {id}",
            subcategory="5 Scores",
            labels={"table": "scores"},
        ),
    log:
        "results/{id}/logs/score.log",
    benchmark:
        "results/{id}/benchmarks/score.tsv"
    conda:
        "../../envs/himation.yaml"
    threads: THREADS
    resources:
        mem_mb=memory("score"),
        runtime=minutes("score"),
    params:
        truth=option("truth"),
        real=option("real"),
        options=MODEL,
        manipulation=manipulation,
        code=code("score"),
    message:
        "score {wildcards.id}: {params.options} {params.truth} {params.manipulation}"
    shell:
        "python {input.script:q} --data {input.data:q} --roles {input.roles:q} --selection {input.selection:q}"
        " --train-predictions {input.trained:q} --test-predictions {input.tested:q} {params.truth:q} {params.manipulation:q}"
        " {params.real:q} --natural-blanket {input.natural:q}"
        " {params.options:q} --threads {threads} --output {output.scores:q} --log {log:q}"


rule write_scoreboard:
    input:
        scores=expand("results/{id}/scores.tsv", id=[name for name in CHALLENGE if name in SCORED]),
        script=script("write_scoreboard"),
    output:
        board="results/scoreboard.tsv",
    log:
        "results/logs/write_scoreboard.log",
    localrule: True
    conda:
        "../../envs/himation.yaml"
    params:
        results=lambda wildcards, output: os.path.dirname(output[0]),
        ids=CHALLENGE,
        code=code("write_scoreboard"),
    message:
        "write_scoreboard: {output.board}"
    shell:
        "python {input.script:q} --results {params.results:q} --ids {params.ids:q} --output {output.board:q} --log {log:q}"
