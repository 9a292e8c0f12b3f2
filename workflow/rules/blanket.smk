# Takes: results/<id>/data.
# Gives: results/<id>/blanket/<method>.tsv for each method, the natural blanket, and the set that predicts in nature.
# Does: find the Markov blanket by each method (thesis, II, III); repeat the search without some of the rows, in as many
#   jobs as `scatter` says; compare the sets by the rows held out (V.2.2).


rule find_blanket:
    input:
        data="results/{id}/data",
        script=script("find_blanket"),
    output:
        blanket=report(
            "results/{id}/blanket/{method}.tsv",
            caption="../report/find_blanket.rst",
            category="Data set {id}",
            subcategory="1 Markov blankets",
            labels={"table": "blanket", "method": "{method}"},
        ),
        details="results/{id}/blanket/{method}.json",
    log:
        "results/{id}/logs/find_blanket.{method}.log",
    benchmark:
        "results/{id}/benchmarks/find_blanket.{method}.tsv"
    wildcard_constraints:
        id=LEADERS,
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("find_blanket"),
        runtime=minutes("find_blanket"),
    params:
        options=method_options,
        code=code("find_blanket"),
    message:
        "find_blanket {wildcards.id}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} --output {output.blanket:q}"
        " --details {output.details:q} --log {log:q}"


rule search_folds:
    input:
        data="results/{id}/data",
        script=script("search_folds"),
    output:
        folds=directory("results/{id}/folds/{chunk}-of-{chunks}"),
    log:
        "results/{id}/logs/search_folds.{chunk}-of-{chunks}.log",
    benchmark:
        "results/{id}/benchmarks/search_folds.{chunk}-of-{chunks}.tsv"
    wildcard_constraints:
        id=LEADERS,
        chunk="[0-9]+",
        chunks="[0-9]+",
    conda:
        "../../envs/himation.yaml"
    threads: 1 if PLAN.config["scatter"] > 1 else 2
    resources:
        mem_mb=memory("search_folds"),
        runtime=minutes("search_folds"),
    params:
        options=fixed(PLAN.fold_options()),
        code=code("search_folds"),
    message:
        "search_folds {wildcards.id}: {wildcards.chunk} of {wildcards.chunks}, {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} --chunk {wildcards.chunk:q}/{wildcards.chunks:q}"
        " --threads {threads} --output {output.folds:q} --log {log:q}"


rule compare_blankets:
    input:
        data="results/{id}/data",
        blankets=expand("results/{{id}}/blanket/{method}.tsv", method=PLAN.methods),
        details=expand("results/{{id}}/blanket/{method}.json", method=PLAN.methods),
        networks=networks_file,
        folds=fold_folders,
        script=script("compare_blankets"),
    output:
        blanket="results/{id}/natural_blanket.tsv",
        natural="results/{id}/natural_set.tsv",
        association="results/{id}/association.json",
        features="results/{id}/features.tsv",
        candidates=report(
            "results/{id}/candidates.tsv",
            caption="../report/compare_blankets.rst",
            category="Data set {id}",
            subcategory="1 Markov blankets",
            labels={"table": "candidates compared", "method": "all"},
        ),
    log:
        "results/{id}/logs/compare_blankets.log",
    benchmark:
        "results/{id}/benchmarks/compare_blankets.tsv"
    wildcard_constraints:
        id=LEADERS,
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("compare_blankets"),
        runtime=minutes("compare_blankets"),
    params:
        options=fixed(PLAN.comparison_options()),
        code=code("compare_blankets"),
    message:
        "compare_blankets {wildcards.id}: the sets, by rows held out"
    shell:
        "python {input.script:q} --data {input.data:q} --blankets {input.blankets:q} --details {input.details:q}"
        " --networks {input.networks:q} --folds {input.folds:q} {params.options:q} --output {output.blanket:q}"
        " --natural-set {output.natural:q} --association {output.association:q} --features {output.features:q}"
        " --candidates {output.candidates:q} --log {log:q}"
