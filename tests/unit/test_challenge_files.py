"""The challenge's own files: found where they are, named where they are not."""

from pathlib import Path

import pytest

from himation.errors import UserError
from himation.studies.challenge.files import use_challenge_files


def entries(*names):
    return [
        {"id": name, "types": "auto", "simulate": {"network": name[:-1], "version": int(name[-1])}} for name in names
    ]


def put(folder, *names):
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("1\n")


def test_files_take_the_place_of_simulations(tmp_path):
    put(
        tmp_path,
        "reged0_train.data",
        "reged0_train.targets",
        "reged1_test.data",
        "reged1.manipulated",
        "reged0_test.data",
    )
    found = use_challenge_files([*entries("reged0", "reged1"), {"id": "mine", "train": "x"}], ".", [tmp_path])
    assert found[2] == {"id": "mine", "train": "x"}
    assert all("simulate" not in entry for entry in found)
    assert found[0]["train"] == found[1]["train"] == str(tmp_path / "reged0_train.data"), "versions share it"
    assert found[0]["manipulation"] == "none" and found[1]["manipulation"] == str(tmp_path / "reged1.manipulated")


def test_what_is_missing_is_simulated_and_named(tmp_path, caplog):
    put(tmp_path / "MARTI2", "marti2_train.data", "marti2_train.targets", "marti2_test.data")
    import logging

    logging.getLogger("himation").propagate = True
    with caplog.at_level("WARNING", logger="himation"):
        found = use_challenge_files(entries("marti2", "sido0"), str(tmp_path), [tmp_path])
    assert found[0]["grid"] == [32, 32] and found[0]["manipulation"] == "unknown"
    assert Path(found[0]["calibrants"]).read_text().startswith("34,44,")
    assert found[1] == entries("sido0")[0]
    for name in ("sido0_train.data", "sido0_train.targets", "sido0_test.data"):
        assert name in caplog.text
    assert str(tmp_path) in caplog.text


def test_a_folder_without_any_file_is_refused(tmp_path):
    with pytest.raises(UserError, match="the first one missing is reged0_train"):
        use_challenge_files(entries("reged0"), ".", [tmp_path])
    with pytest.raises(UserError, match="no such folder"):
        use_challenge_files(entries("reged0"), "nowhere", [tmp_path])
