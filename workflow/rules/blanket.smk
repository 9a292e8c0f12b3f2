# Takes: results/<id>/data.
# Gives: results/<id>/blanket/<method>.tsv for each method, and the natural blanket.
# Does: find the Markov blanket by each method, compare the sets by cross-validated SVMs (thesis, V.2.2, II, III).


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


rule compare_blankets:
    input:
        data="results/{id}/data",
        blankets=expand("results/{{id}}/blanket/{method}.tsv", method=PLAN.methods),
        details=expand("results/{{id}}/blanket/{method}.json", method=PLAN.methods),
        script=script("compare_blankets"),
    output:
        blanket="results/{id}/natural_blanket.tsv",
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
    threads: 2
    resources:
        mem_mb=memory("compare_blankets"),
        runtime=minutes("compare_blankets"),
    params:
        options=fixed(PLAN.model_options()),
        code=code("compare_blankets"),
    message:
        "compare_blankets {wildcards.id}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} --blankets {input.blankets:q} --details {input.details:q}"
        " {params.options:q} --threads {threads} --output {output.blanket:q} --association {output.association:q}"
        " --features {output.features:q} --candidates {output.candidates:q} --log {log:q}"
