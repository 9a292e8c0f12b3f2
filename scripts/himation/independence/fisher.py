"""Fisher's z test of a partial correlation, for continuous variables.

With r the correlation of X and Y given the k variables of Z, atanh(r) sqrt(n - k - 3) is standard normal under
independence if the data are jointly Gaussian. Rows of the correlation matrix are computed when first asked for: a
search around one target among 100,000 variables never needs the whole matrix.

A variable that is a linear function of Z has nothing left to be associated: such a pair counts as independent.
"""

import numpy as np

from himation.independence.base import IndependenceTest, Many
from himation.independence.chisquare import log_tails

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
