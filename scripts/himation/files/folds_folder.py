"""Keep what folds found: a folder with folds.json and the networks of each fold. Variables are columns of the file."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.atomic import read_json, replacing
from himation.files.networks_file import read_networks, write_networks
from himation.files.nodes import Nodes
from himation.models.constructed import Constructed
from himation.nested.competing import Found, Searched
from himation.nested.folds import Fold, without
from himation.table import Table

_FACTS = "folds.json"


def write_folds(folder, searched: Sequence[Searched], permuted: Sequence[float] = ()) -> None:
    """Folds of one chunk, and the AUCs of tables with permuted labels."""
    with replacing(folder) as draft:
        draft.mkdir()
        folds = []
        for k, one in enumerate(searched):
            nodes = Nodes(one.table)
            write_networks(draft / f"networks-{k}.npz", nodes, one.found.networks)
            products = [
                [f.name, [[nodes.column(x), power] for x, power in f.monomial], f.weight, f.coding]
                for f in one.found.features
            ]
            folds.append(
                {
                    **asdict(one.fold),
                    "sets": {name: [nodes.column(x) for x in members] for name, members in one.found.sets.items()},
                    "feature_space": list(one.found.feature_space),
                    "features": products,
                    "values": {name: values.tolist() for name, values in one.values.items()},
                }
            )
        facts = {"folds": folds, "permuted": list(permuted)}
        (draft / _FACTS).write_text(json.dumps(facts, ensure_ascii=False) + "\n", encoding="utf-8")


def read_folds(folders: Sequence, table: Table) -> tuple[list[Searched], list[float]]:
    """The folds of all chunks in their order, and the AUCs with permuted labels."""
    found, permuted = [], []
    for folder in map(Path, folders):
        if not (folder / _FACTS).is_file():
            raise UserError(f"{folder}: no folds in it (scripts/search_folds.py makes them)")
        facts = read_json(folder / _FACTS)
        permuted += facts["permuted"]
        for k, entry in enumerate(facts["folds"]):
            if max(entry["held"], default=0) >= table.train.n:
                raise UserError(f"{folder}: folds of another table; run scripts/search_folds.py again")
            fold = Fold(entry["division"], entry["number"], tuple(entry["held"]), entry["half"])
            part = without(table, fold.held)
            nodes = Nodes(part)
            features = tuple(
                Constructed(name, tuple((nodes.at(column), power) for column, power in pairs), weight, coding)
                for name, pairs, weight, coding in entry["features"]
            )
            sets = {name: tuple(map(nodes.at, columns)) for name, columns in entry["sets"].items()}
            networks = read_networks(folder / f"networks-{k}.npz", nodes)
            values = {name: np.array(values) for name, values in entry["values"].items()}
            made = Found(sets, tuple(entry["feature_space"]), features, networks)
            found.append(Searched(fold, part, made, values))
    return sorted(found, key=lambda one: (one.fold.division, one.fold.number)), sorted(permuted)
