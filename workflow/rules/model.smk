# Takes: the data and the selected variables.
# Gives: the fitted model with its facts, all predictions with probabilities, and the challenge's submission files:
#        feature list, predictions for train and for test.
# Does: fit a bagged ensemble, or one SVM chosen by cross-validated grid (thesis, V.2.7), and calibrate it.


rule build_model:
    input:
        data="results/{id}/data",
        selection="results/{id}/selection.json",
        constructed=constructed_features,
        script=script("build_model"),
    output:
        model="results/{id}/model.npz",
        grid=report(
            "results/{id}/grid.tsv",
            caption="../report/build_model.rst",
            category="Data set {id}",
            subcategory="4 Model",
            labels={"table": "settings tried"},
        ),
        facts="results/{id}/model.json",
        table="results/{id}/predictions.tsv",
        features="results/{id}/submission/{id}_feat.slist",
        predictions="results/{id}/submission/{id}_train.predict",
    log:
        "results/{id}/logs/build_model.log",
    benchmark:
        "results/{id}/benchmarks/build_model.tsv"
    conda:
        "../../envs/himation.yaml"
    threads: 2
    resources:
        mem_mb=memory("build_model"),
        runtime=minutes("build_model"),
    params:
        options=PLAN.building_options(),
        constructed=constructed_option,
        code=code("build_model"),
    message:
        "build_model {wildcards.id}: {params.options}"
    shell:
        "python {input.script} --data {input.data} --selection {input.selection} {params.options} {params.constructed}"
        " --threads {threads} --model {output.model} --facts {output.facts} --grid-table {output.grid}"
        " --features {output.features} --predictions {output.predictions} --table {output.table} --log {log}"


rule predict:
    input:
        data="results/{id}/data",
        model="results/{id}/model.npz",
        script=script("predict"),
    output:
        predictions="results/{id}/submission/{id}_test.predict",
    log:
        "results/{id}/logs/predict.log",
    benchmark:
        "results/{id}/benchmarks/predict.tsv"
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("predict"),
        runtime=minutes("predict"),
    params:
        code=code("predict"),
    message:
        "predict {wildcards.id}: the test table"
    shell:
        "python {input.script} --data {input.data} --model {input.model} --challenge {output.predictions} --log {log}"


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
