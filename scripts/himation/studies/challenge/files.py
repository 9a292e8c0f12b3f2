"""Find the challenge's own files: a folder with NAME_train.data, NAME_train.targets and NAME_test.data for each NAME.

NAME is a task and a version, such as reged1. Files may stand in the folder itself or in a folder of the task's name
(REGED, reged, REGED1, reged1). The three versions of a task share their training table: the first one found serves
all. A list NAME.manipulated, where there is one, says what version 1 manipulates.
"""

import logging
import re
from pathlib import Path

from himation.errors import UserError
from himation.task_names import TASKS

log = logging.getLogger("himation")
_CALIBRANTS = Path(__file__).parent / "marti_calibrants.csv"
_GRID = [32, 32]
_NAME = re.compile(rf"({'|'.join(TASKS)})([012])")


def use_challenge_files(entries: list[dict], folder: str, folders) -> list[dict]:
    """The data sets, those named after a task read from the folder where it has their files."""
    root = _folder(folder, folders)
    found, missing = [], []
    for entry in entries:
        match = _NAME.fullmatch(entry["id"])
        if not match or "simulate" not in entry:
            found.append(entry)
            continue
        files, absent = _files(root, *match.groups())
        found.append(entry if absent else {**_kept(entry), **files})
        missing += absent
    if missing:
        log.warning(
            "challenge_data: %s lacks %s; the data sets that need them are simulated. The files belong in %s or in a "
            "folder of the task's name below it",
            root,
            ", ".join(dict.fromkeys(missing)),
            root,
        )
    if len(missing) and not any("train" in entry for entry in found):
        raise UserError(
            f"challenge_data: {root} has none of the challenge's files; the first one missing is {missing[0]}"
        )
    return found


def _folder(folder: str, folders) -> Path:
    for start in folders:
        if (start / folder).is_dir():
            return (start / folder).resolve()
    raise UserError(f"challenge_data: {folder!r}: no such folder; it should hold reged0_train.data and so on")


def _files(root: Path, task: str, version: str) -> tuple[dict, list[str]]:
    """The entry's keys, and the names of files that are not there."""
    name = f"{task}{version}"
    places = [root, *(root / sub for sub in (name, name.upper(), task, task.upper()))]
    places += [root / f"{task}{other}" for other in "012"] + [root / f"{task.upper()}{other}" for other in "012"]

    def find(*names):
        return next((place / file for file in names for place in places if (place / file).is_file()), None)

    others = [f"{task}{other}" for other in "012"]
    paths = {
        "train": find(*(f"{other}_train.data" for other in others)),
        "target": find(*(f"{other}_train.targets" for other in others)),
        "test": find(f"{name}_test.data"),
    }
    wanted = {"train": f"{name}_train.data", "target": f"{name}_train.targets", "test": f"{name}_test.data"}
    files = {key: str(path) for key, path in paths.items() if path}
    listed = find(f"{name}.manipulated")
    if version == "0":
        files["manipulation"] = "none"
    else:
        files["manipulation"] = str(listed) if version == "1" and listed else "unknown"
    if task == "marti":
        files |= {"calibrants": str(_CALIBRANTS), "grid": _GRID}
    return files, [wanted[key] for key, path in paths.items() if path is None]


def _kept(entry: dict) -> dict:
    return {key: value for key, value in entry.items() if key not in ("simulate", "manipulation")}
