"""The challenge's rerun as users meet it: scaled down from data to scoreboard, and from a folder of its own files."""

import zipfile

import pytest
import yaml
from conftest import PROJECT, write_challenge

QUICK = {
    "methods": [{"id": "mmmb"}],
    "model": {"degrees": [1], "gammas": [], "costs": [0.01, 0.1]},
    "orientation": {"sigma": [1.0], "equivalent_sample_size": [10]},
}


def rows(path):
    header, *lines = (line.split("\t") for line in path.read_text().splitlines())
    return [dict(zip(header, line, strict=True)) for line in lines]


def test_one_task_with_probes_from_data_to_scoreboard(snakemake, run_script, tmp_path):
    sizes = {"network": "sido", "variables": 150, "train": 600, "test": 300}
    entries = [{"id": f"sido{version}", "simulate": {**sizes, "version": version}} for version in range(3)]
    (tmp_path / "c.yaml").write_text(yaml.safe_dump({"datasets": entries, **QUICK}))
    done = snakemake(tmp_path, "--configfile", "c.yaml", "--cores", 2)
    assert done.returncode == 0, done.stderr
    board = rows(tmp_path / "results/scoreboard.tsv")
    assert [line["version"] for line in board] == ["0", "1", "2", "mean"]
    assert all(0 <= float(line["Tscore"]) <= 1 and line["data"] == "simulated" for line in board)
    assert 'id="scoreboard"' in (tmp_path / "results/report.html").read_text()
    words = "--submission results/submission.zip --results results"
    done = run_script("check_submission", *words.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_own_files_are_run_and_missing_ones_named(snakemake, tmp_path):
    write_challenge(tmp_path, 300, 120, seed=5)
    folder = tmp_path / "files"
    folder.mkdir()
    for version in range(3):
        (folder / f"lucas{version}_test.data").write_text((tmp_path / "toy_test.data").read_text())
    for part in ("data", "targets"):
        (folder / f"lucas0_train.{part}").write_text((tmp_path / f"toy_train.{part}").read_text())
    entries = [{"id": f"lucas{v}", "simulate": {"network": "lucas", "version": v}} for v in range(3)]
    entries += [{"id": "reged0", "simulate": {"network": "reged", "version": 0, "variables": 60, "train": 100}}]
    config = {"datasets": entries, "challenge_data": "files", **QUICK}
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config))
    wanted = [f"results/lucas{version}/submission/lucas{version}_test.predict" for version in range(3)]
    done = snakemake(tmp_path, "--configfile", "c.yaml", "--cores", 2, *wanted)
    assert done.returncode == 0, done.stderr
    assert "reged0_train.data" in done.stderr and "reged0_test.data" in done.stderr
    assert "lucas0_train.data" not in done.stderr.split("simulated.")[0].split("lacks")[1]
    for path in wanted:
        assert len((tmp_path / path).read_text().splitlines()) == 120
    assert not (tmp_path / "results/lucas0/simulated").exists()


@pytest.mark.slow
def test_all_six_tasks_scaled_down(snakemake, run_script, tmp_path):
    preset = PROJECT / "workflow/presets/challenge-small.yaml"
    done = snakemake(tmp_path, "--configfile", preset, "--cores", 2)
    assert done.returncode == 0, done.stderr
    board = rows(tmp_path / "results/scoreboard.tsv")
    assert sorted({line["task"] for line in board}) == ["cina", "lucap", "lucas", "marti", "reged", "sido"]
    assert len(board) == 24
    natural = [float(line["Tscore"]) for line in board if line["version"] == "0"]
    assert min(natural) > 0.6 and sum(natural) / len(natural) > 0.8
    with zipfile.ZipFile(tmp_path / "results/submission.zip") as archive:
        assert len(archive.namelist()) == 54
    words = "--submission results/submission.zip --results results"
    done = run_script("check_submission", *words.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
