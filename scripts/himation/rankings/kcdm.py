"""Markov blanket ranking by kernel measures: backward elimination, forward selection, and BAHSIC.

Strobl and Visweswaran, Markov blanket ranking using kernel-based conditional dependence measures. The target is
shielded from everything by its blanket, so a variable outside of it can go without a change of M1 or M2 (see
`kernel_measures`), and one inside can't. Algorithm 1 takes away, again and again, the variable whose loss leaves the
least unexplained; the last to go ranks first. Algorithm 2 adds variables instead: faster if stopped early, but spouses
are seen only after their child. BAHSIC (Song et al. 2007) takes away what leaves the largest HSIC: it sees what depends
on the target, not what depends on it given the rest.

No step inverts an n x n matrix.

* Linear kernel: with P = (Z'Z + ridge I)^-1 and B = P Z'V, M1 without variable j is M1 + |B_j|^2 / P_jj, M2 has a
  formula of the same kind, and the removal is a rank-one downdate of P and B: O(d^2) for a step over d variables.
  HSIC is a sum over variables. A variable of several columns (indicators of words) is a block in the same formulas.
* Gaussian kernel: squared distances from ``rank`` landmarks are kept for the set; without j they are less by those in j
  alone. A candidate costs O(n rank^2), in threads. Landmarks and sigma (the median distance) are chosen anew in each
  step, for the set as it is, so that the candidates of a step are compared with the same ones. (With a sigma for each
  candidate, as equation 6 may be read, Insurance loses 7 points of accuracy at 500 examples and Child gains none:
  medians of discrete data jump.) Forward selection has fixed landmarks and a sigma for each candidate.

``share`` of the remaining variables go (or come) in one step, 0 for one by one.

>>> rng = np.random.default_rng(0)
>>> parent, spouse, noise = rng.normal(size=(3, 300))
>>> y = parent + rng.normal(size=300)
>>> X = np.column_stack([noise, parent, y + spouse + rng.normal(size=300), spouse])
>>> rank_variables(X, target_factor(y, "linear"), "m1", "linear").order[-1]
0
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce

import numpy as np

from himation.errors import UserError
from himation.gram import canonical_columns
from himation.rankings.kernel_measures import (
    KERNELS,
    gamma_of,
    landmark_measure,
    landmarks,
    median_root,
    pairs,
    ridge_measure,
    ridge_of,
    squared_distances,
    target_factor,
)
from himation.rankings.linear_elimination import LinearBackward, LinearForward, LinearHsic, Sides

__all__ = ["Ranking", "rank_variables", "target_factor"]

RANK = 100
DIRECTIONS = ("backward", "forward")
_DIGITS = 10  # values equal to so many digits are equal


@dataclass(frozen=True)
class Ranking:
    """Variables, best first; ``values[k]`` is the measure (a share) with the k best of them, k from 0.

    Where several variables went in one step, the values in between are interpolated.
    """

    order: tuple[int, ...]
    values: tuple[float, ...]
    which: str
    kernel: str
    ridge: float

    @property
    def losses(self) -> np.ndarray:
        """How much worse the measure gets when the k-th best variable goes, given the better ones."""
        steps = np.diff(np.array(self.values))
        return steps if self.which == "hsic" else -steps


def rank_variables(
    X: np.ndarray,
    V: np.ndarray,
    which: str = "m1",
    kernel: str = "gaussian",
    epsilon: float | None = None,
    direction: str = "backward",
    share: float = 0.0,
    rank: int = RANK,
    groups: Sequence[Sequence[int]] | None = None,
    most: int | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Ranking:
    """Rank the columns of X, or groups of columns, for a target factor (`target_factor`).

    ``most`` ends forward selection after so many variables; the others follow in the order of the last step.
    """
    if kernel not in KERNELS or direction not in DIRECTIONS:
        raise UserError(f"kernel {kernel!r}, direction {direction!r}: write one of {KERNELS} and of {DIRECTIONS}")
    if not 0 <= share < 1:
        raise UserError(f"share is {share}; it must lie between 0 and 1")
    X = np.asarray(X, dtype=float)
    groups = [[j] for j in range(X.shape[1])] if groups is None else [list(group) for group in groups]
    ridge = ridge_of(which, epsilon, len(X))
    if not np.square(V).sum() > 0:
        raise UserError("the target is constant: no variable can tell anything about it")
    if not groups:
        return Ranking((), (0.0 if which == "hsic" else 1.0,), which, kernel, ridge)
    place = np.argsort(canonical_columns(X), kind="stable")  # sums and ties as for any order of the columns
    start = sorted(range(len(groups)), key=lambda g: sorted(place[groups[g]].tolist()))
    search: LinearHsic | LinearBackward | LinearForward | GaussianSearch
    if kernel == "linear":
        kind = LinearHsic if which == "hsic" else LinearBackward if direction == "backward" else LinearForward
        search = kind(X, V, which, ridge, [groups[g] for g in start], direction)
    else:
        search = GaussianSearch(X, V, which, ridge, [groups[g] for g in start], direction, rank, threads)
    run = _backward if direction == "backward" else _forward
    order, values = run(search, which, share, most, progress)
    return Ranking(tuple(start[g] for g in order), tuple(values), which, kernel, ridge)


def _steps(left: int, share: float) -> int:
    return max(1, int(share * left))


def _best_first(values: np.ndarray, which: str) -> np.ndarray:
    """Positions of the candidates, the best value first; equal ones in their order."""
    scale = max(float(np.abs(values).max()), 1e-300)
    rounded = np.round(values / scale, _DIGITS)
    return np.argsort(-rounded if which == "hsic" else rounded, kind="stable")


def _backward(search, which: str, share: float, most, progress) -> tuple[list[int], list[float]]:
    total = len(search.inside)
    gone: list[int] = []
    values = [search.value()]
    while search.inside:
        candidates = search.inside
        found = search.candidates() if len(candidates) > 1 else np.array([0.0])
        leave = [candidates[at] for at in _best_first(found, which)[: _steps(len(candidates), share)]]
        search.move(leave)
        gone += leave
        end = search.value() if len(leave) > 1 or not search.inside else float(found[candidates.index(leave[0])])
        values += np.linspace(values[-1], end, len(leave) + 1)[1:].tolist()
        if progress:
            progress(len(gone), total)
    return gone[::-1], values[::-1]


def _forward(search, which: str, share: float, most, progress) -> tuple[list[int], list[float]]:
    taken: list[int] = []
    total, values = len(search.outside), [search.value()]
    while search.outside:
        candidates = search.outside
        found = search.candidates()
        order = [candidates[at] for at in _best_first(found, which)]
        done = most is not None and len(taken) >= most
        come = order if done else order[: _steps(len(order), share)]
        search.move(come)
        taken += come
        end = search.value() if len(come) > 1 else float(found[candidates.index(come[0])])
        values += np.linspace(values[-1], end, len(come) + 1)[1:].tolist()
        if progress:
            progress(len(taken), total)
    return taken, values


class GaussianSearch(Sides):
    """Candidates of a step with a Gaussian kernel; ``inside`` and ``outside`` are positions of groups."""

    def __init__(self, X, V, which, ridge, groups, direction, rank, threads):
        self.X, self.V, self.which, self.ridge = X, V, which, ridge
        super().__init__(len(groups), direction)
        self.groups, self.rank, self.threads = groups, rank, threads
        self.first, self.second = pairs(len(X))
        self.pair_squares = np.zeros(len(self.first))
        for g in self.inside:
            self.pair_squares += self._pair_squares(g)
        self._fixed = None if self.backward else self._spread()

    def _pair_squares(self, g: int) -> np.ndarray:
        columns = self.X[:, self.groups[g]]
        return np.square(columns[self.first] - columns[self.second]).sum(axis=1)

    def _spread(self) -> np.ndarray:
        """Landmarks for forward selection: examples far apart in all variables."""
        gamma = gamma_of(median_root(reduce(np.add, map(self._pair_squares, self.outside))))
        return landmarks(self.X[:, self._columns(self.outside)], gamma, self.ridge, self.rank)

    def _columns(self, members) -> list[int]:
        return [column for g in members for column in self.groups[g]]

    def value(self) -> float:
        """The measure of the set as it is."""
        X = self.X[:, self._columns(self.inside)]
        return ridge_measure(X, self.V, self.which, "gaussian", self.ridge, self.rank)

    def candidates(self) -> np.ndarray:
        """The measure without each variable inside (backward), or with each of those outside (forward)."""
        from threadpoolctl import threadpool_limits

        inside = self.X[:, self._columns(self.inside)]
        if self._fixed is None:
            self.gamma = gamma_of(median_root(self.pair_squares))
            self.chosen = landmarks(inside, self.gamma, self.ridge, self.rank)
        else:
            self.chosen = self._fixed
        self.squares = squared_distances(inside, inside[self.chosen])
        tasks = self.inside if self.backward else self.outside
        with threadpool_limits(1, user_api="blas"):
            if self.threads < 2:
                return np.array([self._candidate(g) for g in tasks])
            with ThreadPoolExecutor(self.threads) as pool:
                return np.array(list(pool.map(self._candidate, tasks)))

    def _candidate(self, g: int) -> float:
        own = np.zeros_like(self.squares)
        for column in self.groups[g]:
            values = self.X[:, column]
            apart = values[:, None] - values[self.chosen]
            own += np.square(apart, out=apart)
        if self.backward:
            C, gamma = np.subtract(self.squares, own, out=own), self.gamma
        else:
            C = np.add(self.squares, own, out=own)
            gamma = gamma_of(median_root(self.pair_squares + self._pair_squares(g)))
        np.maximum(C, 0.0, out=C)
        C *= -gamma
        np.exp(C, out=C)
        return landmark_measure(C, C[self.chosen], self.V, self.which, self.ridge)

    def move(self, members: list[int]) -> None:
        """Take variables out (backward) or in (forward)."""
        sign = -1.0 if self.backward else 1.0
        for g in members:
            self.pair_squares += sign * self._pair_squares(g)
        np.maximum(self.pair_squares, 0.0, out=self.pair_squares)
        self.take(members)
