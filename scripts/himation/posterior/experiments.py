"""Natural rows and experiments together, as what the parents of each node are judged by.

In a row in which somebody set a variable it says nothing about what causes it, and all the same as any other about what
it causes. So its parents are judged by the other rows. That tells directions that no natural row can: what still goes
with a variable that was set is its effect.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from himation.posterior.orders import correlation_matrix
from himation.posterior.scoring import Evidence
from himation.table import Table

SQUASH = 3.0  # standard deviations of the natural rows: numbers stay below


def with_experiments(
    table: Table, members: Sequence[int], rows: slice, natural: np.ndarray, codes: np.ndarray | None
) -> Evidence:
    """``natural`` has the numbers of the natural rows, the target last; ``rows`` are those of each part that count."""
    columns = []
    for x in members:
        inside, outside = (table.numbers_for_target(int(x), part)[rows] for part in ("train", "experiments"))
        centre, scale = inside.mean(), inside.std() or 1.0
        columns.append(SQUASH * np.tanh((outside - centre) / scale / SQUASH))
    labels = np.where(np.asarray(table.environment.target)[rows] > 0, 1.0, -1.0)
    positive = float((natural[:, -1] > natural[:, -1].mean()).mean())
    centre, scale = 2 * positive - 1, 2 * np.sqrt(positive * (1 - positive))
    every = np.vstack([natural, np.column_stack([*columns, (labels - centre) / scale])])
    in_experiments = table.environment.was_set(table.columns[list(members)].tolist())[:, rows]
    was_set = np.zeros((len(members) + 1, len(every)), dtype=bool)
    was_set[:-1, len(natural) :] = in_experiments
    apart = {i: _without(every, was_set[i]) for i in np.flatnonzero(was_set.any(axis=1)).tolist()}
    if codes is not None:
        others = np.vstack([table.codes(members, "experiments")[0][:, rows], labels > 0]).astype(np.int64)
        codes = np.hstack([codes, others])
    return Evidence(correlation_matrix(every), len(every), codes, apart, was_set)


def _without(every: np.ndarray, was_set: np.ndarray) -> tuple[np.ndarray, int]:
    rows = every[~was_set]
    return correlation_matrix(rows), len(rows)
