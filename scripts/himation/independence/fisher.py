"""Fisher's z test of a partial correlation, for continuous variables.

With r the correlation of X and Y given the k variables of Z, atanh(r) sqrt(n - k - 3) is standard normal under
independence if the data are jointly Gaussian. Correlations are computed when they are asked for: a search around one
target among 100,000 variables never needs the whole matrix. Rows of it are kept as far as ``ROOM`` goes, the latest
ones; a correlation is the same number whether it was kept or not, so that no answer depends on what else was asked.

A variable that is a linear function of Z has nothing left to be associated: such a pair counts as independent.
"""

from threading import Lock

import numpy as np
from numba import njit

from himation.independence.base import IndependenceTest, Many, Weakest
from himation.independence.chisquare import log_tail, log_tails
from himation.independence.rows import dot
from himation.independence.subsets import first_subset, next_subset

ROOM = 2**27  # bytes of correlations that are kept
_COLLINEAR = 1e-10
_MOST_CORRELATED = 1 - 1e-15


class FisherZ(IndependenceTest):
    """Fisher's z on one row of numbers for each variable; a binary variable enters as its two numbers.

    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(size=500); x = z + rng.normal(size=500); y = z + rng.normal(size=500)
    >>> test = FisherZ(np.array([x, y, z]))
    >>> test.test(0, 1).p_value < 1e-6, test.test(0, 1, (2,)).p_value > 0.01
    (True, True)
    """

    def __init__(self, rows: np.ndarray):
        unit = np.array(rows, dtype=np.float64, order="C")
        unit -= unit.mean(axis=1, keepdims=True)
        norm = np.sqrt(np.einsum("ij,ij->i", unit, unit))[:, None]
        unit /= np.where(norm > 0, norm, 1.0)
        self._unit = unit
        self.n_variables, self.n = unit.shape
        self._most_rows = max(1, ROOM // (8 * max(1, self.n_variables)))
        self._kept: dict[int, np.ndarray] = {}
        self._lock = Lock()

    def correlations(self, x: int) -> np.ndarray:
        """Correlation of ``x`` with every variable."""
        found = self._kept.get(x)
        if found is None:
            found = correlate(self._unit, np.array([x]), np.arange(self.n_variables))[0]
            with self._lock:
                while len(self._kept) >= self._most_rows:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[x] = found
        return found

    def among(self, xs, ys) -> np.ndarray:
        """Correlations of each of ``xs`` with each of ``ys``."""
        xs, ys = (np.asarray(who, dtype=np.int64) for who in (xs, ys))
        if self._most_rows >= self.n_variables:
            return np.array([self.correlations(x)[ys] for x in xs.tolist()]).reshape(len(xs), len(ys))
        return correlate(self._unit, xs, ys)

    def many(self, x, candidates, z):
        candidates = np.asarray(candidates, dtype=np.int64)
        dof = self.n - len(z) - 3
        if dof < 1:
            nothing = np.zeros(len(candidates))
            return Many(nothing, nothing + 1, nothing, np.zeros(len(candidates), dtype=bool))
        r = self._partial(x, candidates, list(z)) if z else self._with(x, candidates)
        statistic = np.arctanh(np.clip(r, -_MOST_CORRELATED, _MOST_CORRELATED)) * np.sqrt(dof)
        one = np.ones(len(candidates))
        return Many(statistic, one, log_tails(statistic * statistic, one), one.astype(bool))

    def _with(self, x, candidates):
        """Correlations with ``x``; all of them are kept where many are asked for, as they will be again."""
        many = 2 * len(candidates) > self.n_variables
        return self.correlations(x)[candidates] if many else self.among([x], candidates)[0]

    def _partial(self, x, candidates, z):
        among_z, with_x = self.among(z, z), self.among(z, [x])[:, 0]
        with_candidates = np.array([self._with(i, candidates) for i in z])
        solved = np.linalg.lstsq(among_z, np.column_stack([with_x, with_candidates]), rcond=_COLLINEAR)[0]
        left_x = 1 - with_x @ solved[:, 0]
        left = 1 - np.einsum("ij,ij->j", with_candidates, solved[:, 1:])
        shared = self._with(x, candidates) - with_x @ solved[:, 1:]
        determined = (left < _COLLINEAR) | (left_x < _COLLINEAR)
        return np.where(determined, 0.0, shared / np.sqrt(np.where(determined, 1.0, left * left_x)))

    def weakest(self, x, candidates, pool, first_new, max_size, log_alpha, known=None):
        candidates, pool = np.asarray(candidates, dtype=np.int64), np.asarray(pool, dtype=np.int64)
        own, across = self.among([x], np.concatenate([pool, candidates]))[0], self.among(pool, candidates).T
        to_pool, to_candidates = own[: len(pool)], own[len(pool) :]
        limits = self.n, first_new, max_size, log_alpha
        smallest, sets, size = _weakest(
            self.among(pool, pool), np.ascontiguousarray(across), to_pool, to_candidates, *limits
        )
        log_p = log_tails(smallest * smallest, np.ones(len(smallest)))
        log_p[np.isinf(smallest)] = -np.inf
        return Weakest(log_p, pool[sets], size)


@njit(cache=True, nogil=True)
def correlate(unit, xs, ys):
    """Inner products of some rows with others, each summed in the same order wherever the rows lie."""
    found = np.empty((xs.size, ys.size))
    for j in range(ys.size):
        for i in range(xs.size):
            found[i, j] = dot(unit[xs[i]], unit[ys[j]])
    return found


@njit(cache=True)
def _eliminate(within, to_x, chosen, k, work, pivots):
    """Take ``k`` chosen members out of x, one after the other: what remains of its variance. ``work[i, j]`` becomes the
    multiple of member i that was taken from member j, or, for j = k, from x."""
    for i in range(k):
        for j in range(k):
            work[i, j] = within[chosen[i], chosen[j]]
        work[i, k] = to_x[chosen[i]]
    left = 1.0
    for i in range(k):
        pivots[i] = work[i, i]
        if pivots[i] < _COLLINEAR:
            continue
        for a in range(i + 1, k):
            factor = work[i, a] / pivots[i]
            for b in range(a, k + 1):
                work[a, b] -= factor * work[i, b]
        left -= work[i, k] / pivots[i] * work[i, k]
        for a in range(i + 1, k + 1):
            work[i, a] /= pivots[i]
    return left


@njit(cache=True)
def _residual_correlation(to_y, r, chosen, k, work, pivots, left_x, rest):
    """Correlation of x and y given the members that `_eliminate` took out of x."""
    left_y = 1.0
    for i in range(k):
        rest[i] = to_y[chosen[i]]
    rest[k] = r
    for i in range(k):
        if pivots[i] < _COLLINEAR:
            continue
        for a in range(i + 1, k + 1):
            rest[a] -= work[i, a] * rest[i]
        left_y -= rest[i] / pivots[i] * rest[i]
    if left_x < _COLLINEAR or left_y < _COLLINEAR:
        return 0.0
    return rest[k] / np.sqrt(left_x * left_y)


@njit(cache=True, nogil=True)
def _weakest(within, across, own_pool, own_candidates, n, first_new, max_size, log_alpha):
    count, members = across.shape
    smallest = np.full(count, np.inf)
    sets = np.zeros((count, max_size), dtype=np.int64)
    size = np.full(count, -1, dtype=np.int64)
    work, pivots, rest = np.empty((max_size, max_size + 1)), np.empty(max_size), np.empty(max_size + 1)
    chosen = np.zeros(max_size, dtype=np.int64)
    alive, n_alive = np.arange(count), count
    limit = np.empty(count)  # a correlation as weak as the weakest so far
    critical = _critical_z(log_alpha)
    for k in range(1, min(max_size, members) + 1):
        if n - k - 3 < 1:
            break
        root = np.sqrt(n - k - 3.0)
        for c in range(count):
            limit[c] = np.tanh(smallest[c] / root)
        first_subset(chosen, k)
        while n_alive:
            if chosen[k - 1] >= first_new:
                left_x = _eliminate(within, own_pool, chosen, k, work, pivots)
                kept = 0
                for at in range(n_alive):
                    c = alive[at]
                    r = abs(_residual_correlation(across[c], own_candidates[c], chosen, k, work, pivots, left_x, rest))
                    if r < limit[c] or smallest[c] == np.inf:
                        smallest[c] = np.arctanh(min(r, _MOST_CORRELATED)) * root
                        limit[c] = r
                        if smallest[c] < critical:
                            size[c] = k
                            sets[c, :k] = chosen[:k]
                            continue
                    alive[kept] = c
                    kept += 1
                n_alive = kept
            if not next_subset(chosen, k, members):
                break
    return smallest, sets, size


@njit(cache=True)
def _critical_z(log_alpha):
    """The z whose two-sided tail has this log probability, by bisection on the exact tail."""
    low, high = 0.0, 1000.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if log_tail(middle * middle, 1.0) > log_alpha:
            low = middle
        else:
            high = middle
    return low
