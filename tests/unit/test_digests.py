"""Damaged results are found by their digests; failures are explained from what Snakemake knows and the logs."""

import os
from types import SimpleNamespace

from himation.files.atomic import replacing, write_text
from himation.files.digests import SWITCH, damaged, set_aside
from himation.files.endings import failures
from himation.files.outcomes import DONE, FAILED, STARTED, note


def test_only_the_damaged_are_found(tmp_path, monkeypatch):
    monkeypatch.setenv(SWITCH, "1")
    for name in ("a.tsv", "b.tsv"):
        write_text(tmp_path / "x" / name, "some\ttext\n")
    with replacing(tmp_path / "x/data") as draft:
        draft.mkdir()
        (draft / "one.npy").write_bytes(b"1" * 2_000_000)
    (tmp_path / "x/data/.of_another").touch()
    assert damaged(tmp_path) == []
    os.utime(tmp_path / "x/data/one.npy", ns=(1, 1))  # touched, but the same
    assert damaged(tmp_path) == []
    (tmp_path / "x/b.tsv").write_text("some\ttexT\n")
    (tmp_path / "x/data/one.npy").write_bytes(b"1" * 1_999_999)
    assert damaged(tmp_path) == [tmp_path / "x/b.tsv", tmp_path / "x/data"]
    assert set_aside(tmp_path / "x/data") == tmp_path / "x/data.damaged" and not (tmp_path / "x/data").exists()
    (tmp_path / "x/b.tsv").unlink()
    assert damaged(tmp_path) == []


def test_by_hand_no_digests_are_left(tmp_path, monkeypatch):
    monkeypatch.delenv(SWITCH, raising=False)
    write_text(tmp_path / "a.tsv", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]


def test_what_a_killed_process_left_is_removed(tmp_path):
    left = tmp_path / ".a.tsv.abcd1234"
    left.mkdir()
    (left / "a.tsv").write_text("half")
    write_text(tmp_path / "a.tsv", "whole")
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]


def job(folder, step, state=None, rule=None, **facts):
    """What Snakemake knows of a job; beside its log stands ``state``, if there is one."""
    log = folder / f"x/logs/{step}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    if state is not None:
        note(str(log), state, command="python scripts/find_region.py --data d", **facts)
    named = SimpleNamespace(name=rule or step)
    return SimpleNamespace(log=[str(log)], rule=named, wildcards=SimpleNamespace(id="x"), shellcmd=f"python {step}.py")


def test_failures_are_told_with_their_command(tmp_path, monkeypatch):
    monkeypatch.setenv(SWITCH, "1")
    cut_off = job(tmp_path, "build_model", STARTED)
    (tmp_path / "x/logs/.build_model.json").write_text('{"state": "star')
    jobs = [
        job(tmp_path, "find_region", FAILED, why="the disk is full"),
        job(tmp_path, "find_blanket.mmmb", STARTED, "find_blanket"),
        job(tmp_path, "score", DONE),
        job(tmp_path, "predict"),
        cut_off,
    ]
    told = {failure.step: failure for failure in failures(jobs, since=0)}
    assert list(told) == ["build_model", "find_blanket.mmmb", "find_region", "predict", "score"]
    assert str(told["find_region"]).startswith(
        "find_region of data set 'x' (the skeleton around the target) failed: the disk is full\n"
    )
    assert str(told["find_region"]).endswith("to repeat it: python scripts/find_region.py --data d")
    assert "ran out of memory" in told["find_blanket.mmmb"].why
    assert "stopped when it was done" in told["score"].why
    for step in ("predict", "build_model"):
        assert "not started" in told[step].why and told[step].command == f"python {step}.py"


def test_a_note_of_an_earlier_run_explains_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv(SWITCH, "1")
    (failure,) = failures([job(tmp_path, "score", DONE)], since=4e9)
    assert "not started" in failure.why


def test_of_a_group_of_jobs_only_those_that_did_not_end_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv(SWITCH, "1")
    group = SimpleNamespace(jobs=[job(tmp_path, "score", DONE), job(tmp_path, "predict", STARTED)])
    assert [failure.step for failure in failures([group], since=0)] == ["predict"]
    group = SimpleNamespace(jobs=[job(tmp_path, "score", DONE)])
    assert [failure.step for failure in failures([group], since=0)] == ["score"]


def test_by_hand_no_note_is_left(tmp_path, monkeypatch):
    monkeypatch.delenv(SWITCH, raising=False)
    job(tmp_path, "score", DONE)
    assert list((tmp_path / "x/logs").iterdir()) == []
