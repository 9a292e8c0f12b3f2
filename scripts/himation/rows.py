"""Rows of long tables: a step uses at most as many as its setting says, a random share of each class.

What more rows would give is small and known (docs/sizes.md): at 10,000 rows a test at 0.05 finds a link that explains
a five-hundredth of a variable's variance in 99 of 100 tables. Where a class is rare the share is as much larger as
gives it `LEAST_OF_A_CLASS` rows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from himation.prepare.assembling import rows_of
from himation.table import Table

TEST_ROWS = 10_000  # of tests that go over rows
LEAST_OF_A_CLASS = 500


def limited(table: Table, most: int, seed: int = 1) -> Table:
    """The table with at most so many training rows, in their order; 0 is no limit."""
    chosen = chosen_rows(table, most, seed)
    if chosen is None:
        return table
    environment = table.environment
    if environment is not None and environment.batches:
        environment = replace(environment, batch=environment.batch[chosen])
    target = np.asarray(table.target)[chosen]
    return replace(table, train=rows_of(table.train, chosen), target=target, environment=environment)


def chosen_rows(table: Table, most: int, seed: int = 1) -> np.ndarray | None:
    """A mask of them; None where all are used.

    >>> from himation.files.raw import RawTable
    >>> from himation.prepare.preparing import prepare
    >>> table = prepare(RawTable("t", ["x"], 9000, values=np.arange(9000.0)[None]), np.arange(9000) % 3 == 0)
    >>> rows = chosen_rows(table, 3000)
    >>> int(rows.sum()), int(rows[::3].sum()), limited(table, 600).train.n, limited(table, 0) is table
    (3000, 1000, 1500, True)
    """
    n, target = table.train.n, np.asarray(table.target)
    if not most or n <= most:
        return None
    groups = [np.arange(n)]
    if table.target_kind == "binary":
        groups = [np.flatnonzero(target > 0), np.flatnonzero(target <= 0)]
        rare = max(1, min(map(len, groups)))
        most = max(most, -(-min(LEAST_OF_A_CLASS, rare) * n // rare))
        if most >= n:
            return None
    rng, chosen = np.random.default_rng([seed, n]), np.zeros(n, dtype=bool)
    for group in groups:
        chosen[rng.permutation(group)[: max(1, round(most * len(group) / n))]] = True
    return chosen


def rows_used(used: int, table: Table) -> str:
    """What a log says of it."""
    return f"a random {used:,} of {table.train.n:,} rows"
