"""Rows that are held out in turn, and the table without them.

Five folds: with more, searches see nearly the same rows, find the same accidents, and err together. Small tables are
divided several times. Of long ones only so many folds are run as hold out `MOST_HELD` rows: the error is small by then.
Of very long ones a fold holds out `MOST_OF_A_FOLD` rows, evenly spread over those that it would.

A model on four fifths of few rows is poorer than one on all. So small tables are also divided into halves: what a model
gains from half of the rows to four fifths says what it gains from there to all of them (`HALVES`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.prepare.assembling import rows_of
from himation.table import BINARY, CONTINUOUS, DISCRETE, Part, Table

FOLDS = 5
FEW, VERY_FEW = 300, 100  # rows up to which there are two divisions, and three
HALVES = {VERY_FEW: 2, FEW: 1}  # rows up to which there are so many divisions into halves
MOST_HELD, MOST_OF_A_FOLD = 2_000, 10_000
LEAST_OF_A_CLASS = 2  # that stay in training


@dataclass(frozen=True)
class Fold:
    """One job: the number of the division and of the fold, the rows that it holds out, and whether these are half."""

    division: int
    number: int
    held: tuple[int, ...]
    half: bool = False


def plan_folds(labels: Sequence[int] | np.ndarray, seed: int, folds: int = 0, divisions: int = 0) -> list[Fold]:
    """All folds to run; 0 leaves a number to the number of rows. Every class is dealt out evenly.

    None where a class is too rare to be left out and to be learned from.

    >>> [len(fold.held) for fold in plan_folds([1, -1] * 200, 1)], plan_folds([1, -1, -1, -1], 1)
    ([80, 80, 80, 80, 80], [])
    """
    from himation.models.svm import stratified_folds

    y = np.where(np.asarray(labels) > 0, 1, -1)
    n, rare = len(y), int(min((y > 0).sum(), (y < 0).sum()))
    folds = min(folds or FOLDS, rare)
    divisions = divisions or (3 if n <= VERY_FEW else 2 if n <= FEW else 1)
    if rare - -(-rare // max(folds, 1)) < LEAST_OF_A_CLASS:
        return []
    found: list[Fold] = []
    for division in range(divisions):
        fold_of = stratified_folds(y, folds, [seed, division])
        for number in range(folds):
            if division == 0 and number and sum(len(fold.held) for fold in found) >= MOST_HELD:
                return found
            held = np.flatnonzero(fold_of == number)
            held = held[:: -(-len(held) // MOST_OF_A_FOLD)]
            found.append(Fold(division, number, tuple(held.tolist())))
    halves = next((count for rows, count in HALVES.items() if n <= rows), 0) if rare >= 2 * LEAST_OF_A_CLASS else 0
    for division in range(divisions, divisions + halves):
        half_of = stratified_folds(y, 2, [seed, division])
        found += [Fold(division, k, tuple(np.flatnonzero(half_of == k).tolist()), half=True) for k in (0, 1)]
    return found


def without(table: Table, held: Sequence[int]) -> Table:
    """The table without some of its rows, which become its test table; variables that are constant then go."""
    out = np.zeros(table.train.n, dtype=bool)
    out[list(held)] = True
    train, test = rows_of(table.train, ~out), rows_of(table.train, out)
    keep = [i for i in range(table.n_variables) if _varies(train, table.kinds[i], table.row[i])]
    row = np.zeros(len(keep), dtype=np.int64)
    blocks = {}
    for kind in (BINARY, DISCRETE, CONTINUOUS):
        of_kind = [k for k, i in enumerate(keep) if table.kinds[i] == kind]
        row[of_kind] = np.arange(len(of_kind))
        blocks[kind] = table.row[[keep[k] for k in of_kind]] if of_kind else np.empty(0, dtype=np.int64)
    train, test = (
        Part(part.n, part.bits[blocks[BINARY]], part.codes[blocks[DISCRETE]], part.values[blocks[CONTINUOUS]])
        for part in (train, test)
    )
    experiments = table.experiments
    if experiments is not None:
        own = (
            experiments.bits[blocks[BINARY]],
            experiments.codes[blocks[DISCRETE]],
            experiments.values[blocks[CONTINUOUS]],
        )
        experiments = Part(experiments.n, *own)
    environment = table.environment
    if environment is not None and environment.batches:
        environment = replace(environment, batch=environment.batch[~out])
    return replace(
        table,
        experiments=experiments,
        environment=environment,
        names=[table.names[i] for i in keep],
        columns=table.columns[keep],
        kinds=table.kinds[keep],
        row=row,
        levels=[table.levels[i] for i in keep],
        centre=table.centre[keep],
        scale=table.scale[keep],
        fills=[table.fills[i] for i in keep] if table.fills else [],
        target=np.asarray(table.target)[~out],
        train=train,
        test=test,
        test_target=np.asarray(table.target)[out],
        left_out=None,
        left_out_rows=(),
    )


def _varies(part: Part, kind: str, row: int) -> bool:
    if kind == BINARY:
        ones = int(np.bitwise_count(part.bits[row]).sum())
        return 0 < ones < part.n
    block = part.codes[row] if kind == DISCRETE else part.values[row]
    return bool((block != block[0]).any())


def at_test(part: Table, table: Table, most: int = MOST_HELD) -> Table:
    """``part`` of a table with the test rows of the table, evenly spread ones of many, in place of its own."""
    where = {int(column): i for i, column in enumerate(table.columns)}
    everything = table.part("test")
    rows = np.zeros(everything.n, dtype=bool)
    rows[np.unique(np.linspace(0, everything.n - 1, min(most, everything.n)).astype(int))] = True
    test = rows_of(everything, rows)
    blocks = {}
    for kind in (BINARY, DISCRETE, CONTINUOUS):
        own = [x for x in np.argsort(part.row, kind="stable") if part.kinds[x] == kind]
        blocks[kind] = np.array([table.row[where[int(part.columns[x])]] for x in own], dtype=np.int64)
    test = Part(test.n, test.bits[blocks[BINARY]], test.codes[blocks[DISCRETE]], test.values[blocks[CONTINUOUS]])
    return replace(part, test=test, test_target=None)
