"""Experiments among the training rows: a column says what somebody set in each row.

An empty cell is a natural row. Otherwise it names the variables that were set, separated by semicolons, by name or
1-based number; ``?`` alone or with a name behind it (``?lab2``) is a row of which nobody knows what was set.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from himation.errors import UserError
from himation.files.column_names import position_of
from himation.files.raw import RawTable
from himation.prepare.target_codes import classes_of
from himation.table import Environment, Table

LEAST_NATURAL = 10  # rows
UNKNOWN = "?"


def split_rows(raw: RawTable, position: int, target_name: str, target_position: int | None):
    """Which rows are natural; and of each other row what was set, as a number into a list of settings by column, -1
    where nobody knows."""
    index = {name: i for i, name in enumerate(raw.names)}
    words = [None if word is None else str(word).strip() for word in raw.words(position)]
    settings: dict[tuple[int, ...], int] = {}
    natural, groups, known = np.ones(raw.n, dtype=bool), [], {}
    for row, word in enumerate(words):
        if not word:
            continue
        natural[row] = False
        if word not in known:
            known[word] = _setting(word, raw.names, index, target_name, target_position, row + raw.first_line)
        setting = known[word]
        groups.append(-1 if setting is None else settings.setdefault(setting, len(settings)))
    return natural, np.array(groups, dtype=np.int64), tuple(settings)


def _setting(word: str, names, index, target_name: str, target_position: int | None, line: int):
    if word.startswith(UNKNOWN):
        return None
    found = []
    for part in filter(None, (one.strip() for one in word.split(";"))):
        if part != target_name:
            found.append(position_of(part, names, f"environment, line {line}", index))
        if part == target_name or found[-1] == target_position:
            raise UserError(
                f"environment: line {line} says that the target {target_name!r} was set; such a row says nothing about "
                "what decides it: leave it out of the table"
            )
    return tuple(sorted(position + 1 for position in found))


def with_experiments(table: Table, apart: Table, natural: np.ndarray, groups: np.ndarray, settings, signs) -> Table:
    """``table`` of the natural rows with the others, which are the test part of ``apart``, among what is left out;
    those of which it is known what was set are its experiments."""
    from himation.prepare.assembling import rows_of

    known = groups >= 0
    told = [
        f"{int(known.sum())} training rows are experiments: networks learn from them, and models where these say so"
    ]
    if not known.all():
        told.append(f"{int((~known).sum())} training rows of unknown manipulation left out of learning")
    return replace(
        table,
        left_out=apart.test,
        left_out_rows=tuple(np.flatnonzero(~natural).tolist()),
        experiments=rows_of(apart.test, known) if known.any() else None,
        environment=Environment(groups[known], settings, np.asarray(signs)[known]) if known.any() else None,
        warnings=[*table.warnings, *told],
    )


def check_natural(natural: np.ndarray, labels, target_name: str) -> None:
    """There must be natural rows to learn a model from."""
    own = np.asarray(labels)[natural]
    if int(natural.sum()) < LEAST_NATURAL or len(set(own.tolist())) < 2:
        few = f"{int(natural.sum())} rows are natural, with an empty cell"
        raise UserError(f"environment: {few}; at least {LEAST_NATURAL} with both classes of {target_name!r} are needed")


def signs_of(labels, natural: np.ndarray, target_name: str, positive) -> np.ndarray:
    """The target in the other rows, by the classes of the natural ones."""
    return classes_of(labels[natural], target_name, positive).signs(labels[~natural])
