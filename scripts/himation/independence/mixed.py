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

A test is reliable with at least ``examples_per_parameter`` examples for each coefficient of the larger model, in both
directions, counted before anything is left out as collinear, and at most MOST_PARAMETERS of them.

What bad cases give: a variable that is constant, or determined by Z, is independent of everything (statistic and
degrees of freedom 0, p = 1). Values separated by a predictor give the likelihood at which the search ends, within
about 1e-6 of its bound. No answer is NaN.
"""

from hashlib import blake2b

import numpy as np
from numba import njit

from himation.errors import UserError
from himation.independence.base import IndependenceTest, Many
from himation.independence.beta import log_beta_tail
from himation.independence.chisquare import log_tail
from himation.independence.regression import Fit, append_column, extend, intercept_only, unexplained

EXAMPLES_PER_PARAMETER = 5
MOST_PARAMETERS = 400
_LEAST_UNEXPLAINED = 1e-15
_LEAST_SPREAD = 1e-14  # of a column whose largest value is 1; less is rounding
_CELLS_PER_EXAMPLE = 0.25  # a table is made of discrete variables if it has at most so many cells
_LOG_2 = float(np.log(2))


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

    def many(self, x, candidates, z):
        x, z = int(x), [int(i) for i in z]
        candidates = np.asarray(candidates, dtype=np.int64)
        conditioning = np.array([z[i] for i in self._order(z)], dtype=np.int64)
        reliable = self._parameters(x, candidates, z) <= self._most_parameters
        tabled = reliable & self._fit_a_table(x, candidates, z)
        out = np.zeros((len(candidates), 3))
        for chosen, kernel in ((tabled, _table_many), (reliable & ~tabled, _plain_many)):
            if chosen.any():
                data = (self._floats, self._codes, self._place, self._arity)
                out[chosen] = kernel(*data, x, candidates[chosen], conditioning)
        return Many(out[:, 0], out[:, 1], out[:, 2], reliable)

    def _parameters(self, x, candidates, z):
        """Coefficients of the larger model, in the direction that has more of them."""
        z_width = 1 + sum(int(self._widths[i]) for i in z)
        one = self._equations[x] * (z_width + self._widths[candidates])
        return np.maximum(one, self._equations[candidates] * (z_width + self._widths[x]))

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


@njit(cache=True, nogil=True)
def _combine(first, second):
    """The MMm rule on (statistic, df, log p) of the two directions."""
    low, high = (first, second) if first[2] <= second[2] else (second, first)
    doubled = low[2] + _LOG_2
    if doubled < high[2]:
        return low[0], low[1], doubled
    return high[0], high[1], high[2]


@njit(cache=True, nogil=True)
def _linear(response, columns, width, rank):
    """Direction of a continuous response, given as its unit residual on the ``rank`` columns of intercept and Z."""
    n = response.size
    left = max(unexplained(response, columns, width), _LEAST_UNEXPLAINED)
    log_p = log_beta_tail(left, 0.5 * (n - rank - width), 0.5 * width)
    return max(-n * np.log(left), 0.0), float(width), log_p


@njit(cache=True, nogil=True)
def _discrete(null, full):
    """Direction of a discrete response, from its two models."""
    statistic = max(2 * (full.maximum - null.maximum), 0.0)
    df = float((full.beta.shape[1] - null.beta.shape[1]) * null.counts.shape[0])
    return statistic, df, log_tail(statistic, df)


@njit(cache=True, nogil=True)
def _add_variable(basis, rank, v, floats, codes, place, arity, totals, single):
    """Append the columns of variable ``v``; the new rank."""
    if arity[v] == 0:
        basis[rank] = floats[place[v]]
        return rank + append_column(basis, rank, totals, single)
    code = codes[place[v]]
    for level in range(1, arity[v]):
        row = basis[rank]
        for e in range(code.size):
            row[e] = 1.0 if code[e] == level else 0.0
        rank += append_column(basis, rank, totals, single)
    return rank


@njit(cache=True, nogil=True)
def _indicators(codes, place, arity, n):
    """Rows of 0 and 1 for the values from 1; none for a continuous variable."""
    out = np.zeros((max(0, arity - 1), n))
    if arity:
        for e in range(n):
            if codes[place, e] > 0:
                out[codes[place, e] - 1, e] = 1.0
    return out


@njit(cache=True, nogil=True)
def _room(arity, variables):
    """Columns of several variables together, at most."""
    total = 0
    for i in range(variables.size):
        total += max(1, arity[variables[i]] - 1)
    return total


@njit(cache=True, nogil=True)
def _plain_many(floats, codes, place, arity, x, candidates, z):
    """Rows (statistic, df, log p) of ``x`` with candidates of any type."""
    n = max(floats.shape[1], codes.shape[1])
    totals = np.ones(n)
    single = np.bool_(True)
    basis = np.empty((1 + _room(arity, z) + max(1, arity[x], np.max(arity[candidates])), n))
    basis[0] = 1 / np.sqrt(n)
    rank = np.int64(1)
    for i in range(z.size):
        rank = _add_variable(basis, rank, z[i], floats, codes, place, arity, totals, single)
    own_width = _add_variable(basis, rank, x, floats, codes, place, arity, totals, single) - rank
    own = basis[rank : rank + own_width].copy()
    x_null = intercept_only(_indicators(codes, place[x], arity[x], n), totals)
    if arity[x]:
        x_null = extend(x_null, basis, rank, totals, single, False)
    out = np.zeros((candidates.size, 3))
    for i in range(candidates.size):
        y = candidates[i]
        width = _add_variable(basis, rank, y, floats, codes, place, arity, totals, single) - rank
        if width == 0 or own_width == 0:
            continue
        if arity[x]:
            first = _discrete(x_null, extend(x_null, basis, rank + width, totals, single, True))
        else:
            first = _linear(own[0], basis[rank:], width, rank)
        if arity[y]:
            y_null = intercept_only(_indicators(codes, place[y], arity[y], n), totals)
            y_null = extend(y_null, basis, rank, totals, single, False)
            basis[rank : rank + own_width] = own
            second = _discrete(y_null, extend(y_null, basis, rank + own_width, totals, single, True))
        else:
            second = _linear(basis[rank], own, own_width, rank)
        out[i] = _combine(first, second)
    return out


@njit(cache=True, nogil=True)
def _strata(codes, place, arity, z):
    """Number of the stratum of every example, in the order of first examples, and one example of each stratum."""
    size = 1
    n = codes.shape[1]
    stratum = np.zeros(n, dtype=np.int64)
    for i in range(z.size):
        code = codes[place[z[i]]]
        size *= arity[z[i]]
        for e in range(n):
            stratum[e] = stratum[e] * arity[z[i]] + code[e]
    number = np.full(size, -1, dtype=np.int64)
    example = np.empty(size, dtype=np.int64)
    seen = 0
    for e in range(n):
        if number[stratum[e]] < 0:
            number[stratum[e]] = seen
            example[seen] = e
            seen += 1
        stratum[e] = number[stratum[e]]
    return stratum, example[:seen]


@njit(cache=True, nogil=True)
def _strata_basis(codes, place, arity, z, example, totals):
    """Orthonormal columns of intercept and Z, with a row for each stratum, and their number."""
    basis = np.empty((2 + _room(arity, z), example.size))
    basis[0] = 1 / np.sqrt(totals.sum())
    rank = np.int64(1)
    for i in range(z.size):
        for level in range(1, arity[z[i]]):
            for s in range(example.size):
                basis[rank, s] = 1.0 if codes[place[z[i]], example[s]] == level else 0.0
            rank += append_column(basis, rank, totals, np.bool_(False))
    return basis, rank


@njit(cache=True, nogil=True)
def _margin(table):
    """Counts of the values from 1 of the response (value, stratum), from counts (stratum, response, predictor)."""
    strata, values, others = table.shape
    out = np.zeros((values - 1, strata))
    for s in range(strata):
        for a in range(1, values):
            for b in range(others):
                out[a - 1, s] += table[s, a, b]
    return out


@njit(cache=True, nogil=True)
def _unfold(table, null, strata_basis, rank):
    """The null model with a row for each cell of stratum and predictor, from counts (stratum, response, predictor).

    With it the basis, now with the predictor's columns, the number of its columns, and the totals of its rows.
    """
    strata, values, others = table.shape
    basis = np.empty((rank + others, strata * others))
    totals = np.zeros(strata * others)
    counts = np.empty((values - 1, strata * others))
    fitted = np.empty((values - 1, strata * others))
    for s in range(strata):
        for b in range(others):
            cell = s * others + b
            for j in range(rank):
                basis[j, cell] = strata_basis[j, s]
            totals[cell] = table[s, 0, b]
            for a in range(1, values):
                totals[cell] += table[s, a, b]
                counts[a - 1, cell] = table[s, a, b]
                fitted[a - 1, cell] = null.fitted[a - 1, s]
    added = rank
    for level in range(1, others):
        for cell in range(totals.size):
            basis[added, cell] = 1.0 if cell % others == level else 0.0
        added += append_column(basis, added, totals, np.bool_(False))
    start = Fit(null.beta, null.gradient, null.hessian, fitted, counts, null.log_likelihood, null.maximum)
    return start, basis, added, totals


@njit(cache=True, nogil=True)
def _table_many(floats, codes, place, arity, x, candidates, z):
    """The same as `_plain_many` where all variables are discrete and the cells are few, from tables of counts."""
    stratum, example = _strata(codes, place, arity, z)
    totals = np.zeros(example.size)
    for e in range(stratum.size):
        totals[stratum[e]] += 1
    basis, rank = _strata_basis(codes, place, arity, z, example, totals)
    single = np.bool_(False)
    x_code = codes[place[x]]
    out = np.zeros((candidates.size, 3))
    for i in range(candidates.size):
        code = codes[place[candidates[i]]]
        values = (arity[x], arity[candidates[i]])
        tables = (np.zeros((example.size, values[0], values[1])), np.zeros((example.size, values[1], values[0])))
        for e in range(code.size):
            tables[0][stratum[e], x_code[e], code[e]] += 1
        for s in range(example.size):
            tables[1][s] = tables[0][s].T
        found = np.zeros((2, 3))
        for way in range(2):
            null = extend(intercept_only(_margin(tables[way]), totals), basis, rank, totals, single, False)
            start, cells, width, cell_totals = _unfold(tables[way], null, basis, rank)
            found[way] = _discrete(start, extend(start, cells, width, cell_totals, single, True))
        if found[0, 1] > 0 and found[1, 1] > 0:
            out[i] = _combine(found[0], found[1])
    return out
