"""Damaged results are found by their digests; failures are explained from the logs."""

import os

from himation.files.atomic import replacing, write_text
from himation.files.digests import SWITCH, damaged, set_aside
from himation.files.failures import failures


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


def test_failures_are_told_with_their_command(tmp_path):
    logs = tmp_path / "x/logs"
    logs.mkdir(parents=True)
    head = "10:00:00 command: python scripts/find_region.py --data d\n"
    (logs / "find_region.log").write_text(
        head + "10:00:01 find_region: the disk is full\n10:00:01 failed after 1.0 s\n"
    )
    (logs / "find_blanket.mmmb.log").write_text(head + "10:00:01 find_blanket: 3 of 10\n")
    (logs / "score.log").write_text(head + "10:00:01 score: fine\n10:00:01 done in 1.0 s; peak 1 MB, child 0 MB\n")
    killed, full = failures(tmp_path, since=0)
    assert str(full).startswith("find_region of data set 'x' failed: the disk is full\n")
    assert str(full).endswith("to repeat it: python scripts/find_region.py --data d")
    assert killed.step == "find_blanket.mmmb" and "killed" in killed.why
    assert failures(tmp_path, since=4e9) == []
