"""Markov blanket filtering: take away, again and again, the variable that a few others make most redundant.

Koller and Sahami, Toward optimal feature selection, 1996. A variable F may go without harm if a set M of the others is
a Markov blanket of it. For each variable left, M is the K variables left that correlate with it most, and delta(F | M)
says how far the class's distribution given M and F is from that given M alone; the variable with the least delta goes.
`koller_sahami` computes delta from the examples, `bernoulli_mixture` from mixtures (Saeed 2008).

Delta of a variable changes only when one of its K correlates goes, so that on average K of them are computed anew in a
step, and not all that are left. Equal deltas: the variable that correlates least with the target goes first, then the
first one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError

_SPARE = 3  # correlates kept in reserve, in multiples of K
_DIGITS = 12  # deltas equal to so many digits after the point are equal


@dataclass(frozen=True)
class Filtered:
    """Variables, best first (the last to go), the delta at which each went, and how many deltas were computed."""

    order: tuple[int, ...]
    deltas: tuple[float, ...]
    computed: int


def markov_filter(
    correlation: np.ndarray,
    relevance: np.ndarray,
    k: int,
    delta: Callable[[np.ndarray, np.ndarray], np.ndarray],
    progress: Callable[[int, int], None] | None = None,
) -> Filtered:
    """Eliminate all variables.

    ``correlation`` is symmetric and not negative, ``relevance`` the correlation with the target. ``delta(variables,
    sets)`` gives a value for each variable and row of correlates; -1 stands for none.
    """
    p = len(correlation)
    if k < 1:
        raise UserError(f"conditioning sets of {k} variables: at least 1 is needed")
    k = min(k, max(p - 1, 1))
    left = np.ones(p, dtype=bool)
    correlates = Correlates(correlation, k, left)
    scores = np.round(delta(np.arange(p), correlates.sets), _DIGITS) if p else np.empty(0)
    gone, deltas, computed = [], [], p
    for step in range(p):
        least = scores.min()
        tied = np.flatnonzero(scores == least)
        worst = int(tied[np.argmin(relevance[tied])])
        gone.append(worst)
        deltas.append(float(least))
        left[worst], scores[worst] = False, np.inf
        changed = correlates.drop(worst)
        if len(changed):
            scores[changed] = np.round(delta(changed, correlates.sets[changed]), _DIGITS)
            computed += len(changed)
        if progress:
            progress(step + 1, p)
    return Filtered(tuple(gone[::-1]), tuple(deltas[::-1]), computed)


class Correlates:
    """The K variables left that correlate most with each variable; ``sets`` has a row for each, -1 where too few."""

    def __init__(self, correlation: np.ndarray, k: int, left: np.ndarray):
        self.correlation, self.k, self.left = correlation, k, left
        self.reserve = [np.empty(0, dtype=np.int64)] * len(correlation)
        self.sets = np.full((len(correlation), k), -1, dtype=np.int64)
        for i in range(len(correlation)):
            self._refill(i)
            self.sets[i] = self._first(i)

    def _refill(self, i: int) -> None:
        candidates = np.flatnonzero(self.left)
        candidates = candidates[candidates != i]
        size = (_SPARE + 1) * self.k
        values = self.correlation[i, candidates]
        if len(candidates) > size:
            bound = np.partition(values, len(values) - size)[len(values) - size]
            above = values > bound
            level = np.flatnonzero(values == bound)[: size - int(above.sum())]
            above[level] = True
            candidates, values = candidates[above], values[above]
        self.reserve[i] = candidates[np.argsort(-values, kind="stable")]

    def _first(self, i: int) -> np.ndarray:
        own = self.reserve[i]
        own = own[self.left[own]]
        if len(own) < self.k:
            self._refill(i)
            own = self.reserve[i]
        row = np.full(self.k, -1, dtype=np.int64)
        row[: min(self.k, len(own))] = own[: self.k]
        return row

    def drop(self, i: int) -> np.ndarray:
        """Forget a variable; gives those whose set had it, with their new sets in place."""
        changed = np.flatnonzero((self.sets == i).any(axis=1) & self.left)
        for j in changed.tolist():
            self.sets[j] = self._first(j)
        return changed


def binary_correlation(bits: np.ndarray, n: int) -> np.ndarray:
    """Absolute correlations of rows of bits (see `himation.bits`), by population counts, in single precision."""
    from himation.bits import count_bits
    from himation.rankings.binary_counts import phi

    return phi(np.ascontiguousarray(bits), count_bits(bits).astype(np.float64), n)


def discrete_correlation(codes: np.ndarray, arities: np.ndarray | Sequence[int]) -> np.ndarray:
    """Cramer's V of rows of codes: the absolute correlation where both have two values."""
    blocks: list[np.ndarray] = []
    starts, n = [], codes.shape[1]
    for row, arity in zip(codes, arities, strict=True):
        starts.append(sum(len(block) for block in blocks))
        counts = np.bincount(row, minlength=int(arity)).astype(float)
        present = np.flatnonzero(counts)
        scaled = (row[None, :] == present[:, None]) / np.sqrt(counts[present])[:, None]
        blocks.append(scaled - np.sqrt(counts[present])[:, None] / n)
    rows = np.vstack(blocks)
    squares = np.square(rows @ rows.T)
    joint = np.add.reduceat(np.add.reduceat(squares, starts, axis=0), starts, axis=1)
    least = np.minimum.outer(*[np.array([len(block) - 1 for block in blocks])] * 2)
    return np.sqrt(np.where(least > 0, joint / np.maximum(least, 1), 0.0)).astype(np.float32)
