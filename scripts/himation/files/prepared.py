"""Keep a prepared table in a folder of uncompressed arrays, which later steps open by memory map without parsing."""

import json
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.atomic import read_json, replacing
from himation.knowledge import Knowledge
from himation.table import Dropped, Environment, Part, Table

NOISE = "noise.json"  # one example before and after its noise was removed, where there are calibrants
_FORMAT = 4
_BLOCKS = ("bits", "codes", "values")
_PARTS = ("train", "test", "left_out", "experiments")
_ENVIRONMENT, _BATCH = "environment.npy", "batch.npy"  # a row of groups and one of labels; numbers of batches


def facts_of(table: Table) -> dict:
    """All of a table but its arrays of examples, as JSON has it."""
    return {
        "format": _FORMAT,
        "names": table.names,
        "columns": table.columns.tolist(),
        "kinds": table.kinds.tolist(),
        "row": table.row.tolist(),
        "levels": table.levels,
        "centre": table.centre.tolist(),
        "scale": table.scale.tolist(),
        "target_name": table.target_name,
        "labels": {str(sign): label for sign, label in table.labels.items()},
        "left_out_rows": list(table.left_out_rows),
        "dropped": [[d.name, d.column, d.why, *([d.twin] if d.twin else [])] for d in table.dropped],
        "warnings": table.warnings,
        "n_file_columns": table.n_file_columns,
        "fills": table.fills,
        "environment": [list(group) for group in table.environment.settings] if table.environment else [],
        "acted": [list(group) for group in table.environment.acted] if table.environment else [],
        "unknown": list(table.environment.unknown) if table.environment else [],
        "batches": list(table.environment.batches) if table.environment else [],
        "knowledge": table.knowledge.as_lists() if table.knowledge else {},
        "examples": {name: getattr(table, name).n for name in _PARTS if getattr(table, name) is not None},
    }


def save(table: Table, folder) -> None:
    """Write ``table`` as a folder, whole or not at all."""
    facts = facts_of(table)
    with replacing(folder) as draft:
        draft.mkdir()
        (draft / "facts.json").write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")
        if table.noise is not None:
            (draft / NOISE).write_text(json.dumps(table.noise), encoding="utf-8")
        np.save(draft / "target.npy", table.target)
        if table.test_target is not None:
            np.save(draft / "test_target.npy", table.test_target)
        if table.environment is not None:
            np.save(draft / _ENVIRONMENT, np.array([table.environment.groups, table.environment.target]))
            if table.environment.batches:
                np.save(draft / _BATCH, table.environment.batch)
        for name in facts["examples"]:
            for block in _BLOCKS:
                np.save(draft / f"{name}.{block}.npy", getattr(getattr(table, name), block))


def load(folder) -> Table:
    """Open a folder written by `save`."""
    folder = Path(folder)
    if not (folder / "facts.json").is_file():
        raise UserError(f"{folder}: not a prepared data set (scripts/prepare_data.py makes one)")
    facts = read_json(folder / "facts.json")
    if facts.get("format") != _FORMAT:
        raise UserError(f"{folder}: prepared by another version; run scripts/prepare_data.py again")

    def part(name):
        if name not in facts["examples"]:
            return None
        blocks = [np.load(folder / f"{name}.{block}.npy", mmap_mode="r", allow_pickle=False) for block in _BLOCKS]
        return Part(facts["examples"][name], *blocks)

    environment = None
    if (folder / _ENVIRONMENT).is_file():
        groups, signs = np.load(folder / _ENVIRONMENT, allow_pickle=False)
        settings, names = tuple(map(tuple, facts["environment"])), (tuple(facts[key]) for key in ("unknown", "batches"))
        batch = np.load(folder / _BATCH, allow_pickle=False) if facts["batches"] else np.empty(0, dtype=np.int64)
        acted = tuple(map(tuple, facts["acted"]))
        environment = Environment(groups.astype(np.int64), settings, signs, *names, batch, acted=acted)
    has_test_target = (folder / "test_target.npy").is_file()
    return Table(
        names=facts["names"],
        columns=np.array(facts["columns"], dtype=np.int64),
        kinds=np.array(facts["kinds"], dtype=object),
        row=np.array(facts["row"], dtype=np.int64),
        levels=facts["levels"],
        centre=np.array(facts["centre"]),
        scale=np.array(facts["scale"]),
        target=np.load(folder / "target.npy", allow_pickle=False),
        target_name=facts["target_name"],
        labels={int(sign): label for sign, label in facts["labels"].items()},
        train=part("train"),
        test=part("test"),
        test_target=np.load(folder / "test_target.npy", allow_pickle=False) if has_test_target else None,
        left_out=part("left_out"),
        left_out_rows=tuple(facts["left_out_rows"]),
        dropped=[Dropped(*row) for row in facts["dropped"]],
        warnings=facts["warnings"],
        n_file_columns=facts["n_file_columns"],
        fills=facts["fills"],
        experiments=part("experiments"),
        environment=environment,
        knowledge=Knowledge.from_lists(facts["knowledge"]) if facts.get("knowledge") else None,
    )
