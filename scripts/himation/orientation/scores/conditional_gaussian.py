"""BIC for mixed data as a conditional Gaussian (Lauritzen and Wermuth 1989; Andrews, Ramsey and Cooper 2018).

In each stratum, a joint value of the discrete variables, the continuous ones are jointly Gaussian with a mean and a
covariance of their own. A set of variables, c of them continuous and s strata, has then the maximised log likelihood

    sum over strata of n_s log(n_s / n) - n_s / 2 (log det S_s + c + c log 2 pi)

and s - 1 + s c (c + 3) / 2 parameters. A local score is the difference of two sets, {child, parents} less {parents}, in
log likelihood less half a log n for each parameter; so any child may have any parents, and equivalent graphs have equal
scores. Unlike the degenerate Gaussian it sees that a variance or a slope differs between strata, at the price of many
more parameters. A stratum with fewer than two examples for each of its c + 1 dimensions borrows the covariance of the
whole table around the strata's means.

>>> rng = np.random.default_rng(0)
>>> group = rng.integers(0, 2, 400)
>>> x = rng.normal(size=400) * (1 + 3 * group)  # the groups differ in variance alone
>>> score = ConditionalGaussianBIC([x, group], [False, True])
>>> bool(score.local(0, (1,)) - score.local(0) > 50)
True
"""

from collections.abc import Sequence

import numpy as np

from himation.orientation.scores.kernel_score import check_finite

RIDGE = 1e-6  # added to variances of standardised columns, so that a copy of a column has a finite gain
EXAMPLES_PER_DIMENSION = 2


class ConditionalGaussianBIC:
    """Local scores of mixed columns; `discrete` says for which of them only equality matters."""

    def __init__(self, columns: Sequence[np.ndarray], discrete: Sequence[bool]):
        if len(columns) != len(discrete):
            raise ValueError("ConditionalGaussianBIC needs one entry of `discrete` for each column")
        self._discrete = [bool(is_discrete) for is_discrete in discrete]
        self._n = len(columns[0]) if len(columns) else 0
        self._columns, self._arities = [], []
        for v, (column, is_discrete) in enumerate(zip(columns, self._discrete, strict=True)):
            if is_discrete:
                values, codes = np.unique(column, return_inverse=True)
                self._columns.append(codes.astype(np.int64))
                self._arities.append(len(values))
            else:
                column = np.asarray(column, dtype=float)
                check_finite(column, v)
                spread = column.std()
                self._columns.append((column - column.mean()) / (spread if spread > 0 else 1.0))
                self._arities.append(0)
        self._sets: dict[frozenset[int], float] = {}

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self._columns)

    def local(self, child: int, parents: Sequence[int] = ()) -> float:
        """The term of `child` with these `parents`; their order does not matter."""
        given = frozenset(parents)
        return self._of_set(given | {child}) - self._of_set(given)

    def _of_set(self, members: frozenset[int]) -> float:
        """Log likelihood of a set of variables, less half a log n for each parameter."""
        if members not in self._sets:
            self._sets[members] = self._compute(sorted(members)) if members else 0.0
        return self._sets[members]

    def _compute(self, members: list[int]) -> float:
        strata, values = np.zeros(self._n, dtype=np.int64), 1.0
        for v in members:
            if self._discrete[v]:
                _, strata = np.unique(strata * self._arities[v] + self._columns[v], return_inverse=True)
                values *= self._arities[v]
        continuous = [self._columns[v] for v in members if not self._discrete[v]]
        c = len(continuous)
        sizes = np.bincount(strata)
        total = float(sizes @ np.log(sizes / self._n))
        if c:
            total += _gaussian_part(np.array(continuous), strata, sizes)
        parameters = values - 1 + values * c * (c + 3) / 2
        return total - 0.5 * np.log(self._n) * parameters


def _gaussian_part(rows: np.ndarray, strata: np.ndarray, sizes: np.ndarray) -> float:
    c, n = rows.shape
    means = np.array([np.bincount(strata, row) for row in rows]) / sizes
    left = rows - means[:, strata]
    shared = _log_det(left @ left.T / n)
    total = 0.0
    for stratum in np.flatnonzero(sizes):
        size = sizes[stratum]
        log_det = shared
        if size >= EXAMPLES_PER_DIMENSION * (c + 1):
            own = left[:, strata == stratum] if len(sizes) > 1 else left
            log_det = _log_det(own @ own.T / size)
        total -= 0.5 * size * log_det
    return total - 0.5 * n * c * (1 + np.log(2 * np.pi))


def _log_det(covariance: np.ndarray) -> float:
    return float(np.linalg.slogdet(covariance + RIDGE * np.eye(len(covariance)))[1])
