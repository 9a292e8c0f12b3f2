"""What the configuration says of its data sets, as the rules ask it: where files are, and which tables are shared.

A task of the challenge has one training table and three test tables. A training table is a data set of its own, without
a test table: all that depends on it alone (blankets, region, orientation, tests of confounding, networks) is made in
``results/training/<name>``, once. Its name comes from what it is made of.
"""

import json
import os
from hashlib import sha256
from pathlib import Path

from himation.task_names import CHIP, PROBE_TASKS, TASKS

SOURCE = ("train", "target", "test", "test_target", "types", "missing", "calibrants", "grid", "ignore", "positive")
SOURCE += ("knowledge", "environment")
_OF_TRAINING = tuple(key for key in SOURCE if key not in ("test", "test_target"))
_OF_TEST = ("version", "manipulate", "test")  # of a simulation
_FEW = 100  # test examples that are drawn beside a training table, and not used
_MADE = {
    "train": "train.parquet",
    "target": "train.targets",
    "test": "test.parquet",
    "test_target": "test.targets",
    "truth": "truth.csv",
}


def places(datasets: list[dict]) -> dict[str, dict]:
    """Every data set and training table by its place below results/; simulated ones with the files that are made."""
    entries = {entry["id"]: entry for entry in datasets}
    tables = training_places(datasets)
    entries |= {tables[entry["id"]]: _training(entry) for entry in datasets}
    return {place: _with_files(place, entry) for place, entry in entries.items()}


def training_places(datasets: list[dict]) -> dict[str, str]:
    """For each data set the place of its training table: ``training/`` and a name, which tells what it is made of.

    The name does not depend on the folder of a file, unless two tables differ in nothing else.

    >>> table = {"train": "a/My table.csv", "target": "y"}
    >>> sets = [{"id": "p", **table}, {"id": "q", **table, "test": "b.csv"}]
    >>> sets += [{"id": "r", **table, "train": "My table.csv"}]
    >>> list(training_places(sets).values())
    ['training/my-table-76b89bf3', 'training/my-table-76b89bf3', 'training/my-table-0f8507c1']
    """
    taken: dict[str, dict] = {}
    found = {}
    for entry in datasets:
        table = _training(entry)
        short = _without_folders(table)
        if "simulate" in table:
            short["simulate"] = _without_folders(table["simulate"])
        place = _named(table, short)
        if taken.setdefault(place, table) != table:
            place = _named(table, {"whole": table})
        found[entry["id"]] = place
    return found


def _without_folders(section: dict) -> dict:
    return {key: Path(value).name if isinstance(value, str) else value for key, value in section.items()}


def _named(table: dict, key: dict) -> str:
    source = table["simulate"]["network"] if "simulate" in table else table["train"]
    stem = Path(source).name.split(".")[0].lower()
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in stem).strip("-")
    digest = sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:8]
    return f"training/{plain[:40] or 'table'}-{digest}"


def _training(entry: dict) -> dict:
    """The data set that a training table is by itself."""
    made = {key: entry[key] for key in _OF_TRAINING if key in entry}
    if "simulate" in entry:
        kept = {key: value for key, value in entry["simulate"].items() if key not in _OF_TEST}
        made["simulate"] = {**kept, "test": _FEW}
    return made


def _with_files(place: str, entry: dict) -> dict:
    if "simulate" not in entry:
        return entry
    simulate, folder = entry["simulate"], f"results/{place}/simulated"
    keys = _MADE if "id" in entry else ("train", "target")
    made = {key: f"{folder}/{_MADE[key]}" for key in keys}
    made |= {"manipulated": f"{folder}/manipulated.txt"} if "id" in entry else {}
    if simulate["network"] in CHIP:
        side = round(simulate["variables"] ** 0.5)
        made |= {"calibrants": f"{folder}/calibrants.txt", "grid": [side, side]}
    if simulate["network"] in PROBE_TASKS and "id" in entry:
        made["real"] = f"{folder}/real.txt"
    return {**entry, **made}


def files_of_users(datasets: list[dict]) -> list[str]:
    """All files that data sets name."""
    named = [entry.get(key) for entry in datasets for key in (*SOURCE, "truth", "manipulation")]
    named += [path for entry in datasets for path in simulated_from(entry)]
    return [text for text in dict.fromkeys(map(str, named)) if os.path.isfile(text)]


def simulated_from(entry: dict) -> list[str]:
    """Files that a simulation is drawn from: a network, the table of UCI Adult."""
    simulate = entry.get("simulate", {})
    network = simulate.get("network")
    return [path for path in (network if network not in TASKS else None, simulate.get("adult")) if path]


def is_scored(entry: dict) -> bool:
    """Whether there is something to score against; a target column inside test counts as well."""
    if "truth" in entry or "test_target" in entry:
        return True
    if "test" not in entry or os.path.isfile(entry["target"]):
        return False
    from himation.files.tables import column_names

    return entry["target"] in column_names(entry["test"])


def manipulation_file(entry: dict) -> str | None:
    """Where the list of manipulated variables is read from, if from a file."""
    value = entry["manipulation"]
    if value == "known":
        return entry["manipulated"]
    return value if isinstance(value, str) and value not in ("none", "unknown") else None
