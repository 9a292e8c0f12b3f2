"""A symmetric likelihood-ratio test for mixed data (Tsagris, Borboudakis, Lagani and Tsamardinos 2018).

X and Y are independent given Z if Y adds nothing to the regression of X on Z, and if X adds nothing to that of Y on Z.
The response decides the model: linear if it is continuous, logistic with two values, multinomial with more. Discrete
predictors enter as indicators of their values. All models have main effects only: no products among the members of Z,
so what acts on X only through an interaction within Z, or in some strata of Z with opposite signs, is not seen (for
discrete X, Y and Z this is a log-linear model, unlike `GSquare`, which compares every stratum of Z).

The statistic of one direction is 2 (log L1 - log L0); for a linear model that is n log(RSS0 / RSS1). Its degrees of
freedom are the coefficients added, counted by rank: a column that is a linear function of the others counts nothing.
The p-value of a logistic or multinomial model is chi-square's tail. That of a linear model is the exact one of the F
test, the same statistic under its exact law, so that small samples keep their level.

The two directions become one by p = min(2 min(p1, p2), max(p1, p2)), the paper's MMm rule; statistic and degrees of
freedom are those of the direction that decides. For continuous X, Y and Z both directions agree, and the test is the
t test of a partial correlation, which differs from Fisher's z by O(1 / n).

On thousands of rows the direction whose response has many values can cost a thousand times as much as the other. Where
it would take more than `MOST_WORK` multiplications for each of Newton's steps, the cheaper direction alone decides: a
test of the same hypothesis at the same level.

A test is reliable with at least ``examples_per_parameter`` examples for each coefficient of the larger model, in both
directions, counted before anything is left out as collinear, and at most MOST_PARAMETERS of them.

What bad cases give: a variable that is constant, or determined by Z, is independent of everything (statistic and
degrees of freedom 0, p = 1). Values separated by a predictor give the likelihood at which the search ends, within
about 1e-6 of its bound. No answer is NaN.
"""

from collections import OrderedDict
from functools import cached_property
from hashlib import blake2b
from threading import Lock

import numpy as np

from himation.errors import UserError
from himation.independence.base import IndependenceTest, Many
from himation.independence.bounds import (
    MOST_COLUMNS,
    binary_bounds,
    cross_products,
    linear_bounds,
    logistic_bounds,
    step_bound,
)
from himation.independence.likelihood import (
    BOTH,
    OTHER,
    OWN,
    climb_bounds,
    null_residuals,
    rows_many,
    table_many,
    table_residuals,
)

EXAMPLES_PER_PARAMETER = 5
MOST_PARAMETERS = 400
MOST_WORK = 1e7
_LEAST_SPREAD = 1e-14  # of a column whose largest value is 1; less is rounding
_CELLS_PER_EXAMPLE = 0.25  # a table is made of discrete variables if it has at most so many cells
_CACHED_BYTES = 2**27  # residuals of null models that are kept


class MixedLikelihoodRatio(IndependenceTest):
    """The mixed test on one column for each variable.

    ``arities`` is 0 for a continuous variable, whose column holds numbers, and the number of values for a discrete
    one, whose column holds codes 0 to arity - 1. Values that do not occur are forgotten.

    >>> rng = np.random.default_rng(0)
    >>> z = rng.integers(0, 3, 500); x = np.array([0.0, 2.0, 0.0])[z] + rng.normal(size=500)
    >>> y = (np.array([0.2, 0.8, 0.2])[z] > rng.random(500)).astype(int)
    >>> test = MixedLikelihoodRatio([x, y, z], [0, 2, 3])
    >>> test.test(0, 1).p_value < 1e-6, test.test(0, 1, (2,)).p_value > 0.01
    (True, True)
    """

    def __init__(self, columns, arities, examples_per_parameter: float = EXAMPLES_PER_PARAMETER):
        arities = np.asarray(arities, dtype=np.int64)
        if len(columns) != len(arities):
            raise UserError(f"{len(columns)} columns but {len(arities)} arities: give one for each column")
        self.n_variables = len(columns)
        self.n = len(columns[0]) if self.n_variables else 0
        self.examples_per_parameter = examples_per_parameter
        discrete = arities > 0
        self._place = np.where(discrete, np.cumsum(discrete), np.cumsum(~discrete)) - 1
        self._arity = np.zeros(self.n_variables, dtype=np.int64)
        self._floats = np.empty((int((~discrete).sum()), self.n))
        code = np.int32 if arities.max(initial=0) > 256 else np.uint8
        self._codes = np.empty((int(discrete.sum()), self.n), dtype=code)
        for i, column in enumerate(columns):
            column = np.asarray(column)
            if column.shape != (self.n,):
                raise UserError(f"column {i} has shape {column.shape}, the first has ({self.n},): make them equal")
            if discrete[i]:
                self._codes[self._place[i]], self._arity[i] = _checked_codes(column, arities[i], i)
            else:
                self._floats[self._place[i]] = _standardised(column, i)
        self._widths = np.where(discrete, self._arity - 1, 1)
        self._equations = np.maximum(1, self._arity - 1)
        enough = self.n / examples_per_parameter if examples_per_parameter else np.inf
        self._most_parameters = min(enough, MOST_PARAMETERS, self.n - 1)
        self._digests: dict[int, bytes] = {}
        self._first = np.concatenate([[0], np.cumsum(self._widths)])
        self._residuals: OrderedDict[tuple, np.ndarray] = OrderedDict()
        self._lock = Lock()

    def many(self, x, candidates, z):
        x, z = int(x), [int(i) for i in z]
        candidates = np.asarray(candidates, dtype=np.int64)
        conditioning = np.array([z[i] for i in self._order(z)], dtype=np.int64)
        reliable = self._parameters(x, candidates, z) <= self._most_parameters
        tabled = reliable & self._fit_a_table(x, candidates, z)
        out = np.zeros((len(candidates), 3))
        data = (self._floats, self._codes, self._place, self._arity)
        if tabled.any():
            out[tabled] = table_many(*data, x, candidates[tabled], conditioning)
        by_rows = reliable & ~tabled
        if by_rows.any():
            ways = self._ways(x, candidates[by_rows], z)
            out[by_rows] = rows_many(*data, x, candidates[by_rows], conditioning, ways)
        return Many(out[:, 0], out[:, 1], out[:, 2], reliable)

    def may_exceed(self, x, candidates, z, log_p):
        """Cheap bounds first (`himation.independence.bounds`): what can't exceed ``log_p`` need not be tested, and what
        is not reliable will not be."""
        possible = self._parameters(x, candidates, list(z)) <= self._most_parameters
        if self._first[-1] > MOST_COLUMNS or not possible.any():
            return possible
        given, tried = np.array(sorted(z), dtype=np.int64), np.flatnonzero(possible)
        bound = linear_bounds(self._products, self._first, self._arity, self.n, x, candidates[tried], given)
        possible[tried] = bound > log_p[tried]
        discrete = np.flatnonzero(possible & (self._arity[candidates] > 1))
        if self._arity[x] > 1 and len(discrete):
            possible[discrete] = self._discrete_may_exceed(x, candidates[discrete], given, log_p[discrete])
        return possible

    def _discrete_may_exceed(self, x, candidates, z, log_p):
        """The same where ``x`` and all candidates are discrete: dearer bounds for what cheaper ones leave."""
        given = tuple(z.tolist())
        columns, tabled = (self._codes, self._place, self._arity), self._fit_a_table(x, candidates, z)
        ways = np.where(tabled, BOTH, self._ways(x, candidates, given))
        possible, mine = np.ones(len(candidates), dtype=bool), np.flatnonzero(ways != OTHER)
        if len(mine):
            residuals = self._null_residuals(x, given)
            bound = logistic_bounds(self._products, self._first, *columns, residuals, candidates[mine], z)
            binary = np.flatnonzero((bound > log_p[mine]) & (self._arity[candidates[mine]] == 2))
            if self._arity[x] == 2 and len(binary):
                bound[binary] = binary_bounds(self._floats, *columns, residuals[0], candidates[mine[binary]], z)
            possible[mine] = bound > log_p[mine]
        for i in np.flatnonzero(possible & np.logical_not(tabled)):
            response, other = sorted((x, int(candidates[i])), key=lambda v: (self._arity[v], v != x))
            if ways[i] != BOTH:
                response, other = (x, int(candidates[i])) if ways[i] == OWN else (int(candidates[i]), x)
            found = step_bound(self._floats, *columns, self._null_residuals(response, given), response, other, z)
            possible[i] = found > log_p[i]
            if possible[i]:
                possible[i] = climb_bounds(self._floats, *columns, response, np.array([other]), z, log_p[i : i + 1])[0]
        return possible

    @cached_property
    def _products(self):
        return cross_products(self._floats, self._codes, self._place, self._arity, self._first)

    def _null_residuals(self, x, z):
        """Of the model of ``x`` given ``z``, remembered: candidates come back to the same sets."""
        with self._lock:
            found = self._residuals.get((x, z))
            if found is not None:
                self._residuals.move_to_end((x, z))
                return found
        given = np.array(z, dtype=np.int64)
        if (self._arity[given] > 0).all() and self._arity[given].astype(float).prod() <= self.n * _CELLS_PER_EXAMPLE:
            found = table_residuals(self._codes, self._place, self._arity, x, given)
        else:
            found = null_residuals(self._floats, self._codes, self._place, self._arity, x, given)
        with self._lock:
            self._residuals[x, z] = found
            while len(self._residuals) * found.nbytes > _CACHED_BYTES:
                self._residuals.popitem(last=False)
        return found

    def _parameters(self, x, candidates, z):
        """Coefficients of the larger model, in the direction that has more of them."""
        z_width = 1 + sum(int(self._widths[i]) for i in z)
        one = self._equations[x] * (z_width + self._widths[candidates])
        return np.maximum(one, self._equations[candidates] * (z_width + self._widths[x]))

    def _ways(self, x, candidates, z) -> np.ndarray:
        """Which directions count for candidates that are tested on all rows."""
        z_width = 1 + sum(int(self._widths[i]) for i in z)
        sizes = self._equations[x] * (z_width + self._widths[candidates])
        others = self._equations[candidates] * (z_width + self._widths[x])
        out = np.full(len(candidates), BOTH)
        for i in np.flatnonzero(self.n * np.maximum(sizes, others).astype(float) ** 2 > 2 * MOST_WORK):
            y = int(candidates[i])
            simpler = {v: (int(self._equations[v]), bool(self._arity[v])) for v in (x, y)}
            first = x if simpler[x] < simpler[y] else y if simpler[y] < simpler[x] else (x, y)[self._order([x, y])[0]]
            out[i] = OWN if first == x else OTHER
        return out

    def _fit_a_table(self, x, candidates, z):
        """Which candidates can be tested on a table of counts: all variables discrete, and few cells."""
        cells = 1.0
        for i in (x, *z):
            cells *= int(self._arity[i])
        if cells == 0:
            return False
        cells = cells * self._arity[candidates]
        return (cells > 0) & (cells <= self.n * _CELLS_PER_EXAMPLE)

    def _order(self, variables) -> list[int]:
        """Order of the variables by content, so that rounding does not depend on the order of columns."""
        for i in variables:
            if i not in self._digests:
                values = self._codes if self._arity[i] else self._floats
                self._digests[i] = blake2b(values[self._place[i]].tobytes(), digest_size=16).digest()
        return sorted(range(len(variables)), key=lambda i: self._digests[variables[i]])


def _checked_codes(column, arity, i):
    """Codes of the values that occur, numbered without gaps, and how many they are."""
    whole = column.astype(np.int64)
    if not (np.all(whole == column) and whole.min(initial=0) >= 0 and whole.max(initial=0) < arity):
        raise UserError(f"column {i}: codes must be whole numbers from 0 to {arity - 1}; code its values so")
    occurs = np.bincount(whole, minlength=arity) > 0
    return (np.cumsum(occurs) - 1)[whole], max(1, int(occurs.sum()))


def _standardised(column, i):
    column = column.astype(np.float64)
    if not np.isfinite(column).all():
        raise UserError(f"column {i}: a value is missing or infinite; fill it in or leave the column out")
    scale = np.abs(column).max(initial=0.0)
    if scale == 0:
        return column
    column = column / scale
    column -= column.mean()
    spread = column.std()
    return column / spread if spread > _LEAST_SPREAD else np.zeros(len(column))
