"""The workflow as users meet it: style, the steps' names, a run on their own files, and the same bytes every time."""

import subprocess
import sys
from zipfile import ZipFile

import pytest
import yaml
from conftest import PROJECT, digests, write_challenge

STEPS = [
    "check_tables",
    "prepare_data",
    "find_blanket",
    "search_folds",
    "compare_blankets",
    "find_region",
    "orient_region",
    "test_confounding",
    "combine_evidence",
    "sample_networks",
    "estimate_effects",
    "export_network",
    "infer_manipulation",
    "select_variables",
    "estimate_auc",
    "build_model",
    "score",
    "write_report",
    "package_submission",
]
QUICK = {"model": {"degrees": [1, 2], "gammas": [0.1], "costs": [0.1, 1]}}


def mine(folder, **more):
    """A configuration with one data set in the challenge's format and nothing else in it."""
    entry = {"id": "toy0", "train": "toy_train.data", "target": "toy_train.targets", "test": "toy_test.data", **more}
    (folder / "mine.yaml").write_text(yaml.safe_dump({"datasets": [entry]}))
    return folder / "mine.yaml"


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "ruff", "check", "scripts", "tests"],
        ["-m", "ruff", "format", "--check", "scripts", "tests"],
        ["-m", "snakefmt.snakefmt", "--check", "Snakefile", "workflow/Snakefile", "workflow/rules"],
        ["-m", "snakemake", "--lint"],
    ],
    ids=["ruff", "format", "snakefmt", "lint"],
)
def test_style(command):
    done = subprocess.run([sys.executable, *command], cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_snakefile_is_a_contents_page():
    assert len((PROJECT / "workflow/Snakefile").read_text().splitlines()) <= 60


def test_the_steps_have_the_names_of_the_strategy(snakemake, tmp_path):
    done = snakemake(tmp_path, "--dry-run", "--cores", 1)
    assert done.returncode == 0, done.stderr
    listed = done.stdout + done.stderr
    assert [step for step in STEPS if f"\n{step} " not in listed] == []


@pytest.mark.parametrize("preset", sorted((PROJECT / "workflow/presets").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_preset_has_a_plan(snakemake, tmp_path, preset):
    done = snakemake(tmp_path, "--dry-run", "--cores", 1, "--configfile", preset)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def run(snakemake, tmp_path_factory):
    """A data set in challenge format, run from another folder with nothing in the configuration but its entry."""
    folder = tmp_path_factory.mktemp("elsewhere")
    write_challenge(folder, 300, 120, seed=5)
    config = mine(folder)
    done = snakemake(folder, "--configfile", config, "--cores", 2)
    assert done.returncode == 0, done.stderr
    return folder, config


def test_the_contract_of_files(run):
    folder, _ = run
    results = folder / "results"
    for method in ("mmmb", "fsmb", "rfe"):
        assert (results / f"toy0/blanket/{method}.tsv").read_text().startswith("variable\tcolumn\tscore\trank\n")
    header = "variable\tcolumn\trole\tp_parent\tp_child\tp_spouse\tp_ancestor\tselected\treason"
    roles = (results / "toy0/roles.tsv").read_text().splitlines()
    assert roles[0] == header and len(roles) == 12
    assert {line.split("\t")[2] for line in roles[1:]} <= {
        "parent",
        "child",
        "spouse",
        "confounded",
        "undirected",
        "none",
    }
    assert (results / "toy0/region.tsv").is_file() and (results / "report.html").is_file()
    for part, n in (("train", 300), ("test", 120)):
        lines = (results / f"toy0/submission/toy0_{part}.predict").read_text().splitlines()
        assert len([float(word) for line in lines for word in line.split()[-1:]]) == n
    selected = {line.split("\t")[1] for line in roles[1:] if line.split("\t")[7] == "1"}
    assert set((results / "toy0/submission/toy0_feat.slist").read_text().split()) == selected
    assert not (results / "toy0/scores.tsv").exists()


def test_a_second_run_has_nothing_to_do(run, snakemake):
    folder, config = run
    done = snakemake(folder, "--configfile", config, "--cores", 2)
    assert done.returncode == 0 and "Nothing to be done" in done.stdout + done.stderr


def test_snakemakes_own_report(run, snakemake):
    folder, config = run
    done = snakemake(folder, "--configfile", config, "--cores", 1, "--report", "report.zip")
    assert done.returncode == 0, done.stderr
    with ZipFile(folder / "report.zip") as archive:
        inside = {name.rsplit("/", 1)[1]: name for name in archive.namelist() if "/data/raw/" in name}
        page = archive.read(next(name for name in archive.namelist() if name.count("/") == 1)).decode()
    wanted = {"report.html", "mmmb.tsv", "candidates.tsv", "region.tsv", "orientation.tsv", "y_tests.tsv", "roles.tsv"}
    assert wanted <= set(inside)
    assert "Data set toy0" in page and "Data sets: toy0. Seed: 1." in page
    assert "--rule</span> posterior" in page  # a caption with its parameters


def test_a_changed_parameter_runs_only_what_depends_on_it(run, snakemake):
    folder, config = run
    (folder / "deeper.yaml").write_text(yaml.safe_dump({**yaml.safe_load(config.read_text()), "region": {"depth": 2}}))
    done = snakemake(folder, "--configfile", "deeper.yaml", "--cores", 1, "--dry-run")
    listed = done.stdout + done.stderr
    assert "find_region toy-train-" in listed and "find_blanket toy-train-" not in listed


def test_same_bytes_on_one_core_and_with_another_hash_seed(run, snakemake, tmp_path):
    folder, _ = run
    write_challenge(tmp_path, 300, 120, seed=5)
    environment = {"PYTHONHASHSEED": "12345", "OMP_NUM_THREADS": "2"}
    done = snakemake(tmp_path, "--configfile", mine(tmp_path), "--cores", 1, environment=environment)
    assert done.returncode == 0, done.stderr
    assert digests(tmp_path) == digests(folder)
    assert len(digests(folder)) > 20


def test_unknown_manipulation_selects_the_parents_of_lucas(snakemake, tmp_path):
    entries = [
        {"id": f"lucas{version}", "simulate": {"network": "lucas", "version": version, "train": 2000, "test": 500}}
        for version in (0, 1, 2)
    ]
    config = {"datasets": entries, "methods": [{"id": "mmmb"}], "seed": 7, **QUICK}
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(tmp_path, "--configfile", "c.yaml", "--cores", 2)
    assert done.returncode == 0, done.stderr
    chosen = {}
    for version in (0, 1, 2):
        lines = (tmp_path / f"results/lucas{version}/roles.tsv").read_text().splitlines()[1:]
        chosen[version] = {line.split("\t")[0] for line in lines if line.split("\t")[7] == "1"}
        assert (tmp_path / f"results/lucas{version}/scores.tsv").is_file()
    assert chosen[0] == {"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}
    assert chosen[1] == {"Smoking", "Genetics", "Coughing", "Allergy"}
    assert chosen[2] == {"Smoking", "Genetics"}
