"""Scatter and gather: the same bytes from any number of jobs, and a plan of thousands of jobs."""

import re

import yaml
from conftest import PROJECT

METHODS = ["mmmb", "mmpc", "hiton-mb", "hiton-pc", "pcmb", "iamb", "inter-iamb", "gs", "fsmb", "rfe"]


def gathered(run_script, folder, words, n, output):
    """Bytes of what a script writes if its work is done in ``n`` chunks, or at once."""
    parts = [f"{i}-of-{n}" for i in range(1, n + 1)] if n > 1 else []
    for i, part in enumerate(parts, start=1):
        done = run_script(*words, "--chunk", f"{i}/{n}", "--part", part, cwd=folder)
        assert done.returncode == 0, done.stderr
    more = ["--parts", *parts] if parts else []
    done = run_script(*words, *more, *[word for pair in output.items() for word in pair], cwd=folder)
    assert done.returncode == 0, done.stderr
    return [(folder / name).read_bytes() for name in output.values()]


def test_a_region_from_any_number_of_chunks(run_script, challenge_files):
    words = ["find_region", "--train", "toy_train.data", "--target", "toy_train.targets"]
    output = {"--output": "r.tsv", "--separations": "s.tsv"}
    one, two, five = (gathered(run_script, challenge_files, words, n, output) for n in (1, 2, 5))
    assert one == two == five and len(one[0]) > 100


def test_parts_of_another_table_are_refused(run_script, challenge_files):
    words = ["find_region", "--train", "toy_train.data", "--target", "toy_train.targets"]
    lines = (challenge_files / "toy_train.data").read_text().splitlines()
    (challenge_files / "less.data").write_text("".join(line[2:] + "\n" for line in lines))
    assert run_script(*words, "--chunk", "1/2", "--part", "1.npz", cwd=challenge_files).returncode == 0
    words[2] = "less.data"
    more = ["--parts", "1.npz", "--output", "r.tsv", "--separations", "s.tsv"]
    done = run_script(*words, *more, cwd=challenge_files)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "find_region: 1.npz: made for another table; make it again"
    assert not (challenge_files / "r.tsv").exists()
    done = run_script(*words, "--output", "r.tsv", cwd=challenge_files)
    assert done.returncode == 1 and "give --output FILE and --separations FILE, or --part FILE" in done.stderr


def test_an_orientation_from_any_number_of_chunks(run_script, challenge_files):
    source = ["--train", "toy_train.data", "--target", "toy_train.targets"]
    run_script("find_region", *source, "--output", "r.tsv", "--separations", "s.tsv", cwd=challenge_files)
    words = [*source, "--region", "r.tsv", "--bootstraps", 3, "--equivalent-sample-size", 1, 10]

    def oriented(n):
        output = {"--output": "o.tsv", "--pdags": "p.tsv"}
        return gathered(run_script, challenge_files, ["orient_region", *words], n, output)

    assert oriented(3) == oriented(1)
    done = run_script("orient_region", *words, "--chunk", "4/3", "--part", "x.tsv", cwd=challenge_files)
    assert done.returncode == 2 and "'4/3' is not of the form I/N" in done.stderr


def test_a_plan_of_thousands_of_jobs(snakemake, tmp_path):
    sizes = {"network": "lucas", "train": 500, "test": 500}
    entries = [{"id": f"d{i}", "simulate": {**sizes, "version": i % 3, "seed": i}} for i in range(18)]
    config = {"datasets": entries, "methods": [{"id": name} for name in METHODS], "scatter": 50}
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(tmp_path, "--dry-run", "--configfile", "c.yaml", "--profile", PROJECT / "profiles/slurm")
    assert done.returncode == 0, done.stderr
    counts = dict(re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, flags=re.MULTILINE))
    assert (counts["region_chunk"], counts["find_region"]) == ("900", "18")
    assert counts["link_training"] == "18" and counts["check_tables"] == "1"
    assert (counts["orient_chunk"], counts["find_blanket"], counts["orient_region"]) == ("900", "180", "18")
