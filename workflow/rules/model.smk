# Takes: the data, the selected variables, and what was found without some of the rows.
# Gives: the AUC to expect on fresh rows with how stable the selection is; the fitted model with its facts, all
#   predictions with probabilities, and the challenge's submission files: feature list, predictions for train and test.
# Does: fit a bagged ensemble, or one SVM chosen by cross-validated grid (thesis, V.2.7), and calibrate it.

ESTIMATE = flags(CONFIG["selection"], "rule", "least_share", prior="manipulated_share")
ESTIMATE += flags({"ask_test": CONFIG["selection"]["test_inputs"] != "never"})


rule estimate_auc:
    input:
        data="results/{id}/data",
        folds=training(*parts("folds")),
        association=training("association.json"),
        manipulation=manipulated_from,
        script=script("estimate_auc"),
    output:
        expected="results/{id}/expected.json",
        stability=report(
            "results/{id}/stability.tsv",
            caption="../report/estimate_auc.rst",
            category="Data set {id}",
            subcategory="4 Model",
            labels={"table": "how often variables were selected"},
        ),
        held="results/{id}/held_out.tsv",
    log:
        "results/{id}/logs/estimate_auc.log",
    benchmark:
        "results/{id}/benchmarks/estimate_auc.tsv"
    priority: 30
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("estimate_auc"),
        runtime=minutes("estimate_auc"),
    params:
        manipulation=manipulation,
        options=ESTIMATE + ENSEMBLE + MODEL,
        code=code("estimate_auc"),
    message:
        "estimate_auc {wildcards.id}: what fresh rows would give, {params.manipulation}"
    shell:
        "python {input.script:q} --data {input.data:q} --folds {input.folds:q} --association {input.association:q}"
        " {params.options:q} {params.manipulation:q} --output {output.expected:q} --stability {output.stability:q}"
        " --held-out {output.held:q} --log {log:q}"


rule build_model:
    input:
        data="results/{id}/data",
        selection="results/{id}/selection.json",
        expected=[] if "estimate_auc" in WITHOUT else "results/{id}/expected.json",
        held_out=[] if "estimate_auc" in WITHOUT else "results/{id}/held_out.tsv",
        constructed=training("features.tsv") if CONFIG["model"]["constructed_features"] else [],
        networks=[] if "sample_networks" in WITHOUT else training("networks.npz"),
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
    priority: 30
    conda:
        "../../envs/himation.yaml"
    threads: THREADS
    resources:
        mem_mb=memory("build_model"),
        runtime=minutes("build_model"),
    params:
        options=MODEL,
        found=option("expected", "held_out", "constructed", "networks"),
        code=code("build_model"),
    message:
        "build_model {wildcards.id}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} --selection {input.selection:q}"
        " {params.options:q} {params.found:q}"
        " --threads {threads} --model {output.model:q} --facts {output.facts:q} --grid-table {output.grid:q}"
        " --features {output.features:q} --predictions {output.predictions:q} --table {output.table:q} --log {log:q}"


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
        "python {input.script:q} --data {input.data:q} --model {input.model:q} --challenge {output.predictions:q} --log {log:q}"


rule package_submission:
    input:
        features=expand("results/{id}/submission/{id}_feat.slist", id=IDS),
        trained=expand("results/{id}/submission/{id}_train.predict", id=IDS),
        tested=expand("results/{id}/submission/{id}_test.predict", id=TESTED),
        script=script("package_submission"),
    output:
        archive="results/submission.zip",
    log:
        "results/logs/package_submission.log",
    localrule: True
    conda:
        "../../envs/himation.yaml"
    params:
        code=code("package_submission"),
    message:
        "package_submission: {output.archive}"
    shell:
        "python {input.script:q} --files {input.features:q} {input.trained:q} {input.tested:q} --output {output.archive:q}"
        " --log {log:q}"
