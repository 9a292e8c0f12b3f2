"""Which variables were manipulated, from unlabelled test inputs (an option; the challenge forbade it).

A manipulated variable has lost its dependence on its causes, and kept that on its effects. In the test table the target
is hidden, but variables that hang together in training through the target, or otherwise, must still do so in the test
table if neither was cut off. So, for a variable X, take the other variables that are clearly correlated with it in
training and are not below it in the averaged graphs. If the test table keeps at least one of these correlations, X
still has its causes. If it keeps none, X was manipulated. Where X has no such companion, a change of its own
distribution decides, and otherwise nothing is known.

A correlation counts as clear if its p-value in training is below one in a million and the test table is large enough to
see what is left of it, and as kept if it has the same sign and at least a part ``KEPT`` of its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from himation.orientation.averaging import EdgeShares

CLEAR_Z = 4.9  # standard errors from zero: one in a million
KEPT = 0.4
MOVED_Z = 5.0  # standard errors by which mean or spread moved
UNSURE = 0.5
SEEN_Z = 2.0  # standard errors in the test table that what is left of a correlation must have
POSSIBLE, LIKELY = 0.2, 0.5


def chances(train: np.ndarray, test: np.ndarray, below: np.ndarray, unknown: float = UNSURE) -> np.ndarray:
    """P(manipulated) of every column, 0, 1 or ``unknown``.

    Rows are examples, columns the same variables in both tables; ``below[i, j]`` says that j may be an effect of i.
    """
    inside, outside = _correlations(train), _correlations(test)
    n, m = len(train), len(test)
    clear = (np.abs(np.arctanh(inside)) * sqrt(max(n - 3, 1)) > CLEAR_Z) & (np.abs(inside) * KEPT * sqrt(m) > SEEN_Z)
    np.fill_diagonal(clear, False)
    clear &= ~below
    kept = clear & (inside * outside > 0) & (np.abs(outside) > KEPT * np.abs(inside))
    found = np.full(train.shape[1], unknown)
    found[clear.any(axis=1)] = 1.0
    found[kept.any(axis=1)] = 0.0
    found[~clear.any(axis=1) & _moved(train, test)] = 1.0
    return found


def may_be_below(variables: Sequence[int], edges: Sequence[EdgeShares]) -> np.ndarray:
    """Which variable may be an effect, near or far, of which, by the shares of the graphs.

    An edge counts if a fifth of the graphs direct it so; a longer path if each of its edges is more often directed so
    than not.
    """
    place = {x: i for i, x in enumerate(variables)}
    near = np.zeros((len(place), len(place)), dtype=bool)
    likely = near.copy()
    for edge in edges:
        for a, b, share in ((edge.a, edge.b, edge.forward), (edge.b, edge.a, edge.backward)):
            if a in place and b in place:
                near[place[a], place[b]] = share + edge.undirected / 2 >= POSSIBLE
                likely[place[a], place[b]] = share + edge.undirected / 2 > LIKELY
    reach = likely
    while True:
        further = reach | (reach.astype(np.int32) @ reach.astype(np.int32) > 0)
        if (further == reach).all():
            return reach | near
        reach = further


def _correlations(table: np.ndarray) -> np.ndarray:
    spread = table.std(axis=0)
    scaled = (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.clip(scaled.T @ scaled / len(table), -0.999999, 0.999999)


def _moved(train: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Columns whose mean or spread differs by many standard errors."""
    error = np.sqrt(train.var(axis=0) / len(train) + test.var(axis=0) / len(test))
    shift = np.abs(train.mean(axis=0) - test.mean(axis=0)) / np.where(error > 0, error, 1.0)
    ratio = np.abs(np.log((test.var(axis=0) + 1e-12) / (train.var(axis=0) + 1e-12)))
    return (shift > MOVED_Z) | (ratio / sqrt(2 / len(train) + 2 / len(test)) > 2 * MOVED_Z)
