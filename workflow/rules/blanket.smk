# Takes: results/training/<table>/data.
# Gives: results/training/<table>/blanket/<method>.tsv for each method, the natural blanket, and the set that predicts in nature.
# Does: find the Markov blanket by each method (thesis, II, III); repeat the search without some of the rows, in as many
#   jobs as `scatter` says; compare the sets by the rows held out (V.2.2).

TEST = flags(CONFIG["independence"], independence="test")
FOLDS = TEST + flags(CONFIG["estimate"], "folds", "divisions", "permutations")
FOLDS += flags(CONFIG["networks"], "chains", "sweeps", "nodes")


rule find_blanket:
    input:
        data="results/training/{table}/data",
        script=script("find_blanket"),
    output:
        blanket=report(
            "results/training/{table}/blanket/{method}.tsv",
            caption="../report/find_blanket.rst",
            category="Training table {table}",
            subcategory="1 Markov blankets",
            labels={"table": "blanket", "method": "{method}"},
        ),
        details="results/training/{table}/blanket/{method}.json",
    log:
        "results/training/{table}/logs/find_blanket.{method}.log",
    benchmark:
        "results/training/{table}/benchmarks/find_blanket.{method}.tsv"
    priority: 20
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("find_blanket"),
        runtime=minutes("find_blanket"),
    params:
        options=lambda wildcards: flags(finder(wildcards.method)) + TEST + SEED,
        code=code("find_blanket"),
    message:
        "find_blanket {wildcards.table}: {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} {params.options:q} --output {output.blanket:q}"
        " --details {output.details:q} --log {log:q}"


rule search_folds:
    input:
        data="results/training/{table}/data",
        script=script("search_folds"),
    output:
        folds=directory("results/training/{table}/folds/{chunk}-of-{chunks}"),
    log:
        "results/training/{table}/logs/search_folds.{chunk}-of-{chunks}.log",
    benchmark:
        "results/training/{table}/benchmarks/search_folds.{chunk}-of-{chunks}.tsv"
    priority: 50
    conda:
        "../../envs/himation.yaml"
    threads: 1 if CONFIG["scatter"] > 1 else THREADS
    resources:
        mem_mb=memory("search_folds"),
        runtime=minutes("search_folds"),
    params:
        finders=lambda wildcards: flags({"finders": json.dumps([finder(name, id=name) for name in METHODS])}),
        options=FOLDS + MODEL,
        code=code("search_folds"),
    message:
        "search_folds {wildcards.table}: {wildcards.chunk} of {wildcards.chunks}, {params.options}"
    shell:
        "python {input.script:q} --data {input.data:q} {params.finders:q} {params.options:q}"
        " --chunk {wildcards.chunk:q}/{wildcards.chunks:q}"
        " --threads {threads} --output {output.folds:q} --log {log:q}"


rule compare_blankets:
    input:
        data="results/training/{table}/data",
        blankets=expand("results/training/{{table}}/blanket/{method}.tsv", method=METHODS),
        details=expand("results/training/{{table}}/blanket/{method}.json", method=METHODS),
        networks=[] if "sample_networks" in WITHOUT else "results/training/{table}/networks.npz",
        folds=[] if "search_folds" in WITHOUT else parts("results/training/{table}/folds"),
        script=script("compare_blankets"),
    output:
        blanket="results/training/{table}/natural_blanket.tsv",
        natural="results/training/{table}/natural_set.tsv",
        widest="results/training/{table}/widest_set.tsv",
        association="results/training/{table}/association.json",
        features="results/training/{table}/features.tsv",
        candidates=report(
            "results/training/{table}/candidates.tsv",
            caption="../report/compare_blankets.rst",
            category="Training table {table}",
            subcategory="1 Markov blankets",
            labels={"table": "candidates compared", "method": "all"},
        ),
    log:
        "results/training/{table}/logs/compare_blankets.log",
    benchmark:
        "results/training/{table}/benchmarks/compare_blankets.tsv"
    priority: 40
    conda:
        "../../envs/himation.yaml"
    resources:
        mem_mb=memory("compare_blankets"),
        runtime=minutes("compare_blankets"),
    params:
        options=SEED + flags(CONFIG["selection"], "join"),
        found=option("networks", "folds"),
        code=code("compare_blankets"),
    message:
        "compare_blankets {wildcards.table}: the sets, by rows held out"
    shell:
        "python {input.script:q} --data {input.data:q} --blankets {input.blankets:q} --details {input.details:q}"
        " {params.found:q} {params.options:q} --output {output.blanket:q}"
        " --natural-set {output.natural:q} --widest-set {output.widest:q} --association {output.association:q} --features {output.features:q}"
        " --candidates {output.candidates:q} --log {log:q}"
