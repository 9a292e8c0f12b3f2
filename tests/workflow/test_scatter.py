"""Scatter and gather: the same bytes from any number of jobs, and a plan of a thousand jobs."""

import re

import yaml
from conftest import PROJECT

METHODS = ["mmmb", "mmpc", "hiton-mb", "hiton-pc", "pcmb", "iamb", "inter-iamb", "gs", "fsmb", "rfe"]


def test_the_same_bytes_from_any_number_of_chunks(run_script, challenge_files):
    source = ["--train", "toy_train.data", "--target", "toy_train.targets"]
    run_script("find_region", *source, "--output", "r.tsv", "--separations", "s.tsv", cwd=challenge_files)
    words = [*source, "--region", "r.tsv", "--bootstraps", 3, "--equivalent-sample-size", 1, 10]
    written = []
    for n in (1, 3):
        more = []
        for i in range(1, n + 1) if n > 1 else ():
            part = ["--chunk", f"{i}/{n}", "--part", f"{i}.tsv"]
            assert run_script("orient_region", *words, *part, cwd=challenge_files).returncode == 0
            more = ["--parts", *(more[1:]), f"{i}.tsv"]
        done = run_script("orient_region", *words, *more, "--output", "o.tsv", "--pdags", "p.tsv", cwd=challenge_files)
        assert done.returncode == 0, done.stderr
        written.append([(challenge_files / name).read_bytes() for name in ("o.tsv", "p.tsv")])
    assert written[0] == written[1]
    done = run_script("orient_region", *words, "--chunk", "4/3", "--part", "x.tsv", cwd=challenge_files)
    assert done.returncode == 2 and "'4/3' is not of the form I/N" in done.stderr


def test_a_plan_of_a_thousand_jobs(snakemake, tmp_path):
    sizes = {"network": "lucas", "train": 500, "test": 500}
    entries = [{"id": f"d{i}", "simulate": {**sizes, "version": i % 3, "seed": i}} for i in range(18)]
    config = {"datasets": entries, "methods": [{"id": name} for name in METHODS], "scatter": 50}
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(tmp_path, "--dry-run", "--configfile", "c.yaml", "--profile", PROJECT / "profiles/slurm")
    assert done.returncode == 0, done.stderr
    counts = dict(re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, flags=re.MULTILINE))
    assert (counts["orient_chunk"], counts["find_blanket"], counts["orient_region"]) == ("900", "180", "18")
