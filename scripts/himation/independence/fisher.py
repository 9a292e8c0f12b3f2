"""Fisher's z test of a partial correlation, for continuous variables.

With r the correlation of X and Y given the k variables of Z, atanh(r) sqrt(n - k - 3) is standard normal under
independence if the data are jointly Gaussian. Rows of the correlation matrix are computed when first asked for: a
search around one target among 100,000 variables never needs the whole matrix.

A variable that is a linear function of Z has nothing left to be associated: such a pair counts as independent.
"""

import numpy as np
from numba import njit

from himation.independence.base import IndependenceTest, Many, Weakest
from himation.independence.chisquare import log_tail, log_tails
from himation.independence.subsets import first_subset, next_subset

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
        rows = np.asarray(rows, dtype=np.float64)
        centred = rows - rows.mean(axis=1, keepdims=True)
        norm = np.sqrt((centred * centred).sum(axis=1, keepdims=True))
        self._unit = centred / np.where(norm > 0, norm, 1.0)
        self.n_variables, self.n = rows.shape
        self._correlations: dict[int, np.ndarray] = {}

    def correlations(self, x: int) -> np.ndarray:
        """Correlation of ``x`` with every variable."""
        if x not in self._correlations:
            self._correlations[x] = self._unit @ self._unit[x]
        return self._correlations[x]

    def many(self, x, candidates, z):
        candidates = np.asarray(candidates, dtype=np.int64)
        dof = self.n - len(z) - 3
        if dof < 1:
            nothing = np.zeros(len(candidates))
            return Many(nothing, nothing + 1, nothing, np.zeros(len(candidates), dtype=bool))
        r = self._partial(x, candidates, list(z)) if z else self.correlations(x)[candidates]
        statistic = np.arctanh(np.clip(r, -_MOST_CORRELATED, _MOST_CORRELATED)) * np.sqrt(dof)
        one = np.ones(len(candidates))
        return Many(statistic, one, log_tails(statistic * statistic, one), one.astype(bool))

    def _partial(self, x, candidates, z):
        among_z = np.array([self.correlations(i)[z] for i in z])
        with_x = self.correlations(x)[z]
        with_candidates = np.array([self.correlations(i)[candidates] for i in z])
        solved = np.linalg.lstsq(among_z, np.column_stack([with_x, with_candidates]), rcond=_COLLINEAR)[0]
        left_x = 1 - with_x @ solved[:, 0]
        left = 1 - np.einsum("ij,ij->j", with_candidates, solved[:, 1:])
        shared = self.correlations(x)[candidates] - with_x @ solved[:, 1:]
        determined = (left < _COLLINEAR) | (left_x < _COLLINEAR)
        return np.where(determined, 0.0, shared / np.sqrt(np.where(determined, 1.0, left * left_x)))

    def weakest(self, x, candidates, pool, first_new, max_size, log_alpha, known=None):
        candidates, pool = np.asarray(candidates, dtype=np.int64), np.asarray(pool, dtype=np.int64)
        within = np.array([self.correlations(int(i))[pool] for i in pool])
        across = np.array([self.correlations(int(i))[candidates] for i in pool]).T
        own = self.correlations(x)
        smallest, sets, size = _weakest(
            within, np.ascontiguousarray(across), own[pool], own[candidates], self.n, first_new, max_size, log_alpha
        )
        log_p = log_tails(smallest * smallest, np.ones(len(smallest)))
        log_p[np.isinf(smallest)] = -np.inf
        return Weakest(log_p, pool[sets], size)


@njit(cache=True)
def _residual_correlation(within, to_x, to_y, r, chosen, k, work):
    """Correlation of x and y given ``k`` chosen members: eliminate them one after the other."""
    for i in range(k):
        for j in range(k):
            work[i, j] = within[chosen[i], chosen[j]]
        work[i, k] = work[k, i] = to_x[chosen[i]]
        work[i, k + 1] = work[k + 1, i] = to_y[chosen[i]]
    work[k, k] = work[k + 1, k + 1] = 1.0
    work[k, k + 1] = work[k + 1, k] = r
    for i in range(k):
        pivot = work[i, i]
        if pivot < _COLLINEAR:
            continue
        for a in range(i + 1, k + 2):
            factor = work[a, i] / pivot
            for b in range(a, k + 2):
                work[a, b] -= factor * work[i, b]
                work[b, a] = work[a, b]
    left = work[k, k] * work[k + 1, k + 1]
    if work[k, k] < _COLLINEAR or work[k + 1, k + 1] < _COLLINEAR:
        return 0.0
    return work[k, k + 1] / np.sqrt(left)


@njit(cache=True, nogil=True)
def _weakest(within, across, own_pool, own_candidates, n, first_new, max_size, log_alpha):
    count, members = across.shape
    smallest = np.full(count, np.inf)
    sets = np.zeros((count, max_size), dtype=np.int64)
    size = np.full(count, -1, dtype=np.int64)
    work = np.empty((max_size + 2, max_size + 2))
    chosen = np.zeros(max_size, dtype=np.int64)
    critical = _critical_z(log_alpha)
    for c in range(count):
        for k in range(1, min(max_size, members) + 1):
            if size[c] >= 0 or n - k - 3 < 1:
                break
            root = np.sqrt(n - k - 3.0)
            first_subset(chosen, k)
            while True:
                if chosen[k - 1] >= first_new:
                    r = _residual_correlation(within, own_pool, across[c], own_candidates[c], chosen, k, work)
                    z = np.arctanh(min(abs(r), _MOST_CORRELATED)) * root
                    if z < smallest[c]:
                        smallest[c] = z
                        if z < critical:
                            size[c] = k
                            sets[c, :k] = chosen[:k]
                            break
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
