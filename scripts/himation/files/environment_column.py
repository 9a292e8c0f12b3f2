"""Experiments among the training rows: a column says what somebody set in each row.

An empty cell is a natural row, and ``@`` with a name behind it (``@lab2``) one of a batch. Otherwise it names the
variables that were set, separated by semicolons, by name or 1-based number; with ``~`` before it (``~dose``) one that
was acted on and not set. A batch may stand beside them (``dose;@lab2``). ``?`` alone or with a name behind it
(``?drug``) is a row of which nobody knows what was set, and rows with the same name are one group.
"""

from dataclasses import dataclass, replace

import numpy as np

from himation.errors import UserError
from himation.files.column_names import position_of
from himation.files.raw import RawTable
from himation.knowledge import TARGET
from himation.prepare.target_codes import classes_of
from himation.table import Environment, Table

LEAST_NATURAL = 10  # rows
UNKNOWN, BATCH, ACTED = "?", "@", "~"


@dataclass(frozen=True)
class Kinds:
    """Which rows are natural, and the batch of each of these, -1 without a name; of each other row what was set, as a
    number into a list of settings by column; behind those that say what was set stand the groups of unknown
    manipulation, and the last are those in which something was acted on, as ``acted`` says by column."""

    natural: np.ndarray
    batch: np.ndarray
    batches: tuple[str, ...]
    groups: np.ndarray
    settings: tuple[tuple[int, ...], ...]
    unknown: tuple[str, ...]
    acted: tuple[tuple[int, ...], ...]


def split_rows(raw: RawTable, position: int, target_name: str, target_position: int | None) -> Kinds:
    """What every row is."""
    index = {name: i for i, name in enumerate(raw.names)}
    words = ["" if word is None else str(word).strip() for word in raw.words(position)]
    batches = sorted({word for word in words if word.startswith(BATCH)})
    unknown = sorted({word for word in words if word.startswith(UNKNOWN)})
    known: dict[str, _Setting] = {}
    for row, word in enumerate(words):
        if word and word[0] not in (UNKNOWN, BATCH) and word not in known:
            known[word] = _setting(word, raw.names, index, target_name, target_position, row + raw.first_line)
    every = list(dict.fromkeys(known.values()))
    certain, acted = [one for one in every if not one.acted], [one for one in every if one.acted]
    place: dict[_Setting | str, int] = {one: k for k, one in enumerate([*certain, *unknown, *acted])}
    natural = np.array([not word or word.startswith(BATCH) for word in words])
    number = {word: k for k, word in enumerate(batches)}
    batch = np.array([number.get(words[row], -1) for row in np.flatnonzero(natural)], dtype=np.int64)
    others = [words[row] for row in np.flatnonzero(~natural)]
    groups = np.array([place[known.get(word, word)] for word in others], dtype=np.int64)
    settings = *(one.was_set for one in certain), *(() for _ in unknown), *(one.was_set for one in acted)
    return Kinds(natural, batch, tuple(batches), groups, settings, tuple(unknown), tuple(one.acted for one in acted))


@dataclass(frozen=True)
class _Setting:
    """What a cell says: columns that were set, those acted on, and the batch."""

    was_set: tuple[int, ...]
    acted: tuple[int, ...]
    batch: str


def _setting(word: str, names, index, target_name: str, target_position: int | None, line: int) -> _Setting:
    was_set, acted, batch = [], [], ""
    for part in filter(None, (one.strip() for one in word.split(";"))):
        if part.startswith(BATCH):
            batch = part
            continue
        soft = part.startswith(ACTED) and part not in index
        name = part.removeprefix(ACTED).strip() if soft else part
        position = (
            target_position if name == target_name else position_of(name, names, f"environment, line {line}", index)
        )
        if name == target_name or position == target_position:
            raise UserError(
                f"environment: line {line} says that the target {target_name!r} was set; such a row says nothing about "
                "what decides it: leave it out of the table"
            )
        (acted if soft else was_set).append(position + 1)
    return _Setting(tuple(sorted(was_set)), tuple(sorted(acted)), batch)


def with_experiments(table: Table, apart: Table | None, kinds: Kinds, signs) -> Table:
    """``table`` of the natural rows with the others, which are the test part of ``apart``, among what is left out, as
    its experiments."""
    batches, batch = kinds.batches, kinds.batch
    if batches and (batch < 0).any():
        batches, batch = ("", *batches), batch + 1
    certain, every = len(kinds.settings) - len(kinds.unknown) - len(kinds.acted), (TARGET, *table.columns.tolist())
    behind = kinds.settings[certain + len(kinds.unknown) :]
    settings = kinds.settings[:certain] + (every,) * len(kinds.unknown) + behind
    of_set = Environment(
        *(kinds.groups, settings, np.asarray(signs), kinds.unknown, batches, batch if batches else batch[:0]),
        acted=kinds.acted,
    )
    if apart is None:
        return replace(table, environment=of_set) if batches else table
    known, last = (kinds.groups < certain).sum(), (kinds.groups >= certain + len(kinds.unknown)).sum()
    unknown = len(kinds.groups) - known - last
    told = [f"{known} training rows are experiments: networks learn from them, and models as far as these say"]
    told += [f"{unknown} training rows are of unknown manipulation: networks alone learn from them"] if unknown else []
    told += [f"in {last} training rows somebody acted on something: networks alone learn from them"] if last else []
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
