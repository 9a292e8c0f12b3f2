# Takes: predictions, the selected variables, and whatever truth is known.
# Gives: results/<id>/scores.tsv.
# Does: the challenge's Fscore, Dscore and Tscore, beside reference models that know the truth.


rule score:
    input:
        data="results/{id}/data",
        roles="results/{id}/roles.tsv",
        selection="results/{id}/selection.json",
        trained="results/{id}/submission/{id}_train.predict",
        tested=test_predictions,
        truth=truth_file,
        manipulation=true_manipulation_file,
        script=script("score"),
    output:
        scores="results/{id}/scores.tsv",
    log:
        "results/{id}/logs/score.log",
    benchmark:
        "results/{id}/benchmarks/score.tsv"
    conda:
        "../../envs/himation.yaml"
    threads: 2
    params:
        truth=truth_option,
        options=PLAN.model_options(),
        manipulation=true_manipulation,
        code=code("score"),
    message:
        "score {wildcards.id}"
    shell:
        "python {input.script} --data {input.data} --roles {input.roles} --selection {input.selection}"
        " --train-predictions {input.trained} --test-predictions {input.tested} {params.truth} {params.manipulation}"
        " {params.options} --threads {threads} --output {output.scores} --log {log}"
