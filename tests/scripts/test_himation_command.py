"""The command `himation`: what it understands, the configuration it writes, and a run from a table to a page."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import PROJECT

from himation.command.asking import as_options, configuration, dataset_entry
from himation.command.following import command, follow
from himation.command.main import arguments, main
from himation.command.project import project_folder


@pytest.fixture
def clinic(tmp_path, monkeypatch):
    """A spreadsheet's table with decimal commas, ids, and one cause and one effect of the state."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    n = 150
    age = rng.normal(50, 12, n)
    ill = age + rng.normal(0, 6, n) > 50
    frame = pd.DataFrame(
        {
            "ID": [f"P{i}" for i in rng.permutation(n)],
            "age": age.round(1),
            "fever": (37 + 1.2 * ill + rng.normal(0, 0.4, n)).round(1),
            "noise": rng.normal(0, 1, n).round(2),
            "state": np.where(ill, "ill", "well"),
        }
    )
    frame.loc[3, "noise"] = np.nan
    frame.to_csv("Clinic 2024.csv", sep=";", decimal=",", index=False)
    return tmp_path


def test_check_prints_what_it_understood(clinic, capsys):
    assert main(["check", "Clinic 2024.csv", "--target", "state", "--positive", "ill", "--ignore", "noise"]) == 0
    said = capsys.readouterr().out
    table = pd.read_csv("Clinic 2024.csv", sep=";", decimal=",")
    ill = int((table["state"] == "ill").sum())
    assert said.startswith("clinic-2024: 150 rows to learn from; no test table\n")
    assert f"ill is positive ({ill} rows), well negative ({150 - ill} rows)" in said
    assert "continuous   2 columns: age, fever" in said
    assert "left out     ID (names or numbers the rows)" in said and "left out     noise (as you said)" in said
    assert "finders mmmb, fsmb, rfe" in said and "GB of memory" in said
    assert not (clinic / "himation-clinic-2024").exists()


def test_check_config_prints_the_same(clinic, run_script, capsys):
    assert main(["check", "Clinic 2024.csv", "--target", "state"]) == 0
    said = capsys.readouterr().out
    entry = dataset_entry(arguments().parse_args(["check", "Clinic 2024.csv", "--target", "state"]))
    Path("c.yaml").write_text(yaml.safe_dump(configuration(entry, None)))
    done = run_script("check_config", "--configfile", "c.yaml", cwd=clinic)
    assert done.returncode == 0 and as_options(done.stdout) == said and "--positive 'ill'" in said
    assert run_script("check_config", "--configfile", "c.yaml", "--quiet", cwd=clinic).stdout == ""


WRONG = {
    "no such table": (["check", "nowhere.csv", "--target", "y"], "nowhere.csv: no such file"),
    "target": (["run", "Clinic 2024.csv", "--target", "stat"], "did you mean 'state'"),
    "positive": (["run", "Clinic 2024.csv", "--target", "state", "--positive", "il"], "did you mean 'ill'"),
    "numbers": (["check", "Clinic 2024.csv", "--target", "age"], "'> median'"),
    "list": (["run", "Clinic 2024.csv", "--target", "state", "--manipulation", "age, feber"], "did you mean 'fever'"),
    "no run": (["predict", "Clinic 2024.csv", "--folder", "."], "has no fitted model; `himation run` makes one"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_line(clinic, capsys, name):
    words, message = WRONG[name]
    before = sorted(clinic.iterdir())
    assert main(words) == 1
    said = capsys.readouterr()
    assert message in said.err and said.err.count("\n") == 1 and said.err.startswith("himation: ") and not said.out
    assert sorted(clinic.iterdir()) == before


def test_options_become_the_keys_of_a_data_set(clinic):
    Path("list.txt").write_text("age\n")
    words = "run c.csv --target y --positive >3 --test d.csv --ignore a,b --ignore c --types mixed --name x --seed 7"
    args = arguments().parse_args([*words.split(), "--manipulation", "age, dose"])
    assert configuration(dataset_entry(args), args.seed) == {
        "seed": 7,
        "datasets": [
            {
                "id": "x",
                "train": str(clinic / "c.csv"),
                "target": "y",
                "test": str(clinic / "d.csv"),
                "types": "mixed",
                "missing": "impute",
                "ignore": ["a", "b", "c"],
                "positive": ">3",
                "manipulation": ["age", "dose"],
            }
        ],
    }
    args = arguments().parse_args(["check", "c.csv", "--target", "y", "--manipulation", "list.txt"])
    assert dataset_entry(args)["manipulation"] == str(clinic / "list.txt")


def test_a_run_that_fails_says_why(tmp_path):
    (tmp_path / "c.yaml").write_text("datasets: [{id: a, train: nowhere.csv, target: y}]\n")
    told = []
    words = command(PROJECT, tmp_path, tmp_path / "c.yaml", "1")
    (trouble,) = follow(words, tmp_path / "log", told.append)
    assert trouble == "config: data set 'a': train: 'nowhere.csv': no such file" and not told
    assert trouble in (tmp_path / "log").read_text()


def test_from_a_table_to_a_page_and_predictions(clinic):
    himation = Path(sys.executable).with_name("himation")
    new = pd.read_csv("Clinic 2024.csv", sep=";", decimal=",").drop(columns="state").head(20)
    new.to_csv("new.csv", index=False)
    (clinic / "small").mkdir()
    words = [
        "run",
        "Clinic 2024.csv",
        "--target",
        "state",
        "--positive",
        "ill",
        "--output",
        "small",
        "--cores",
        "2",
        "--quick",
    ]
    done = subprocess.run([himation, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for label in ("Use these:", "Don't use those:", "Expect this:", "How sure:"):
        assert f"\n{label}" in done.stdout
    used = done.stdout.split("Use these:")[1].splitlines()[0]
    assert "age" in used and "fever" in used and "noise" not in used
    report = clinic / "small/results/report.html"
    assert done.stdout.rstrip().endswith(f"in a browser: {report}") and report.stat().st_size > 50_000
    [told] = re.findall(r"later tables: himation (predict) TABLE (--folder) (.*)", done.stdout)
    predicted = subprocess.run(
        [himation, told[0], "new.csv", *told[1:], "--output", "p.tsv"], capture_output=True, text=True
    )
    assert predicted.returncode == 0, predicted.stderr
    lines = pd.read_csv("p.tsv", sep="\t")
    assert lines["id"].tolist() == new["ID"].tolist() and set(lines["positive_class"]) == {"ill"}
    assert np.corrcoef(lines["probability"], new["fever"])[0, 1] > 0.5


def test_the_workflow_is_found_and_a_wheel_has_all_of_it():
    assert project_folder() == PROJECT
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"]
    packed = {path for patterns in settings.values() for pattern in patterns for path in PROJECT.glob(pattern)}
    wanted = {PROJECT / "Snakefile", PROJECT / "config.yaml", *(PROJECT / "scripts").glob("*.py")}
    wanted |= {path for path in (PROJECT / "workflow").rglob("*") if path.is_file()}
    for folder in ("profiles/default", "envs"):
        wanted |= {path for path in (PROJECT / folder).rglob("*") if path.is_file()}
    assert sorted(wanted - packed) == []
    for place, patterns in settings.items():
        for pattern in patterns:
            assert Path(place).relative_to("share/himation") == Path(pattern).parent
    assert all(path.is_file() or path.name == "__pycache__" for path in packed)  # of a folder no wheel can be built


def test_the_tutorial_shows_what_check_prints(tmp_path, monkeypatch, capsys):
    from sklearn.datasets import load_diabetes

    monkeypatch.chdir(tmp_path)
    load_diabetes(as_frame=True, scaled=False).frame.to_csv("diabetes.csv", index=False)
    assert main(["check", "diabetes.csv", "--target", "target", "--positive", "> median"]) == 0
    shown = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("  will run")]
    assert "\n".join(["```", *shown, "```"]) in (PROJECT / "docs/tutorial.md").read_text(encoding="utf-8")
    assert main(["check", "diabetes.csv", "--target", "target"]) == 1
    assert "has 214 values" in capsys.readouterr().err
