"""Experiments among the training rows: a column says what somebody set in each row.

An empty cell is a natural row, and ``@`` with a name behind it (``@lab2``) one of a batch. Otherwise it names the
variables that were set, separated by semicolons, by name or 1-based number; ``?`` alone or with a name behind it
(``?drug``) is a row of which nobody knows what was set, and rows with the same name are one group.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from himation.errors import UserError
from himation.files.column_names import position_of
from himation.files.raw import RawTable
from himation.knowledge import TARGET
from himation.prepare.target_codes import classes_of
from himation.table import Environment, Table

LEAST_NATURAL = 10  # rows
UNKNOWN, BATCH = "?", "@"


@dataclass(frozen=True)
class Kinds:
    """Which rows are natural, and the batch of each of these, -1 without a name; of each other row what was set, as a
    number into a list of settings by column, the last of which are the groups of unknown manipulation."""

    natural: np.ndarray
    batch: np.ndarray
    batches: tuple[str, ...]
    groups: np.ndarray
    settings: tuple[tuple[int, ...], ...]
    unknown: tuple[str, ...]


def split_rows(raw: RawTable, position: int, target_name: str, target_position: int | None) -> Kinds:
    """What every row is."""
    index = {name: i for i, name in enumerate(raw.names)}
    words = ["" if word is None else str(word).strip() for word in raw.words(position)]
    batches = sorted({word for word in words if word.startswith(BATCH)})
    unknown = sorted({word for word in words if word.startswith(UNKNOWN)})
    settings: dict[tuple[int, ...], int] = {}
    known: dict[str, int] = {}
    for row, word in enumerate(words):
        if word and word[0] not in (UNKNOWN, BATCH) and word not in known:
            found = _setting(word, raw.names, index, target_name, target_position, row + raw.first_line)
            known[word] = settings.setdefault(found, len(settings))
    known |= {word: len(settings) + k for k, word in enumerate(unknown)}
    natural = np.array([not word or word.startswith(BATCH) for word in words])
    number = {word: k for k, word in enumerate(batches)}
    batch = np.array([number.get(words[row], -1) for row in np.flatnonzero(natural)], dtype=np.int64)
    groups = np.array([known[words[row]] for row in np.flatnonzero(~natural)], dtype=np.int64)
    return Kinds(natural, batch, tuple(batches), groups, tuple(settings), tuple(unknown))


def _setting(word: str, names, index, target_name: str, target_position: int | None, line: int) -> tuple[int, ...]:
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


def with_experiments(table: Table, apart: Table | None, kinds: Kinds, signs) -> Table:
    """``table`` of the natural rows with the others, which are the test part of ``apart``, among what is left out, as
    its experiments."""
    batches, batch = kinds.batches, kinds.batch
    if batches and (batch < 0).any():
        batches, batch = ("", *batches), batch + 1
    settings = kinds.settings + ((TARGET, *table.columns.tolist()),) * len(kinds.unknown)
    of_set = Environment(
        kinds.groups, settings, np.asarray(signs), kinds.unknown, batches, batch if batches else batch[:0]
    )
    if apart is None:
        return replace(table, environment=of_set) if batches else table
    unknown, known = int((kinds.groups >= of_set.certain).sum()), int((kinds.groups < of_set.certain).sum())
    told = [f"{known} training rows are experiments: networks learn from them, and models as far as these say"]
    told += [f"{unknown} training rows are of unknown manipulation: networks alone learn from them"] if unknown else []
    return replace(
        table,
        left_out=apart.test,
        left_out_rows=tuple(np.flatnonzero(~kinds.natural).tolist()),
        experiments=apart.test,
        environment=of_set,
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
