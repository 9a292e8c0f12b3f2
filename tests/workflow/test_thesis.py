"""Preset thesis from data to report, on small versions of the challenge's tasks; and its groups on the real REGED."""

import os
from pathlib import Path

import pytest
import yaml
from conftest import PROJECT

PRESET = PROJECT / "workflow/presets/thesis.yaml"
DATA = Path(os.environ.get("HIMATION_DATA", PROJECT.parent / "shared/data"))
BESIDE = yaml.safe_load((PROJECT / "workflow/presets/beside.yaml").read_text(encoding="utf-8"))["datasets"]
TASKS = ("lucas", "reged", "marti", "cina")


def rows(path):
    header, *lines = (line.split("\t") for line in path.read_text().splitlines())
    return [dict(zip(header, line, strict=True)) for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_the_preset_runs_to_the_end(task, snakemake, tmp_path):
    entries = [entry for entry in BESIDE if entry["simulate"]["network"] == task]
    assert [entry["simulate"]["version"] for entry in entries] == [0, 1, 2]
    few = {"most_rows": 500}  # for the final grid, which has 540 models
    (tmp_path / "c.yaml").write_text(yaml.safe_dump({"datasets": entries, "model": few}))
    done = snakemake(tmp_path, "--configfile", PRESET, "c.yaml", "--cores", 2)
    assert done.returncode == 0, done.stderr
    results = tmp_path / "results"
    for entry in entries:
        folder = results / entry["id"]
        groups = rows(folder / "thesis.tsv")
        assert groups and {row["group"] for row in groups} <= {"parent", "child", "undecided"}
        assert all(float(row["child_p_score"]) > 0.5 for row in groups if row["group"] == "child")
        assert not (folder / "networks.npz").exists() and not (folder / "folds").exists()
        roles = {row["column"]: row["role"] for row in rows(folder / "roles.tsv")}
        assert all(roles[row["column"]] == "parent" for row in groups if row["group"] == "parent")
    scores = rows(results / f"{task}0/scores.tsv")
    natural = [float(row["value"]) for row in scores if (row["score"], row["of"]) == TSCORE]
    assert len(natural) == 1 and natural[0] > 0.6
    assert "thesis" in (results / "report.html").read_text()


TSCORE = ("Tscore", "selected variables")


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "reged").is_dir(), reason=f"needs REGED in {DATA}")
def test_the_thesiss_groups_on_the_real_reged(snakemake, tmp_path):
    entry = {
        "id": "reged0",
        "train": str(DATA / "reged/reged0_train.data"),
        "target": str(DATA / "reged/reged0_train.targets"),
        "truth": str(DATA / "reged/reged_truth_edges.csv"),
    }
    (tmp_path / "c.yaml").write_text(yaml.safe_dump({"datasets": [entry]}))
    wanted = "results/reged0/thesis.tsv"
    done = snakemake(tmp_path, "--configfile", PRESET, "c.yaml", "--cores", 2, wanted)
    assert done.returncode == 0, done.stderr
    found = {}
    for row in rows(tmp_path / wanted):
        found.setdefault(row["group"], set()).add(int(row["column"]))
    assert found["parent"] == {321, 930}
    assert len(found["child"] & {825, 593, 425, 453, 83, 344}) >= 4
    assert found["undecided"] & {409, 939, 251}
