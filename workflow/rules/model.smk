# Takes: the data and the selected variables.
# Gives: the fitted model and the challenge's submission files: feature list, predictions for train and for test.
# Does: choose an SVM by cross-validated grid, fit it on all training examples (thesis, V.2.7).


rule build_model:
    input:
        data="results/{id}/data",
        selection="results/{id}/selection.json",
        constructed=constructed_features,
        script=script("build_model"),
    output:
        model="results/{id}/model.npz",
        grid="results/{id}/grid.tsv",
        features="results/{id}/submission/{id}_feat.slist",
        predictions="results/{id}/submission/{id}_train.predict",
    log:
        "results/{id}/logs/build_model.log",
    benchmark:
        "results/{id}/benchmarks/build_model.tsv"
    conda:
        "../../envs/himation.yaml"
    threads: 2
    params:
        options=PLAN.model_options(),
        constructed=constructed_option,
        code=code("build_model"),
    message:
        "build_model {wildcards.id}: {params.options}"
    shell:
        "python {input.script} --data {input.data} --selection {input.selection} {params.options} {params.constructed}"
        " --threads {threads} --model {output.model} --grid-table {output.grid} --features {output.features}"
        " --predictions {output.predictions} --log {log}"


rule predict_test:
    input:
        data="results/{id}/data",
        model="results/{id}/model.npz",
        script=script("predict_test"),
    output:
        predictions="results/{id}/submission/{id}_test.predict",
    log:
        "results/{id}/logs/predict_test.log",
    benchmark:
        "results/{id}/benchmarks/predict_test.tsv"
    conda:
        "../../envs/himation.yaml"
    params:
        code=code("predict_test"),
    message:
        "predict_test {wildcards.id}"
    shell:
        "python {input.script} --data {input.data} --model {input.model} --output {output.predictions} --log {log}"


rule package_submission:
    input:
        features=expand("results/{id}/submission/{id}_feat.slist", id=PLAN.ids),
        trained=expand("results/{id}/submission/{id}_train.predict", id=PLAN.ids),
        tested=expand("results/{id}/submission/{id}_test.predict", id=PLAN.tested),
        script=script("package_submission"),
    output:
        archive="results/submission.zip",
    log:
        "results/logs/package_submission.log",
    conda:
        "../../envs/himation.yaml"
    params:
        code=code("package_submission"),
    message:
        "package_submission: {output.archive}"
    shell:
        "python {input.script} --files {input.features} {input.trained} {input.tested} --output {output.archive}"
        " --log {log}"
