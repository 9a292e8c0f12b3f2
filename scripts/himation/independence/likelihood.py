"""Compiled likelihood ratios of one variable with many, given a set: what `himation.independence.mixed` is made of.

Any table goes through `rows_many`, with a row for each example; where all variables are discrete and the cells few,
`table_many` finds the same from counts, many times faster. `null_residuals` is what the model without the candidate
leaves of a discrete variable, for `himation.independence.bounds`; `climb_bounds` is its last resort.
"""

import numpy as np
from numba import njit

from himation.independence.beta import log_beta_tail
from himation.independence.chisquare import log_tail
from himation.independence.regression import Fit, append_column, extend, intercept_only, unexplained

_LEAST_UNEXPLAINED = 1e-15
_SLACK = 1e-6  # of a statistic: the error of a likelihood
_LOG_2 = float(np.log(2))
BOTH, OWN, OTHER = 0, 1, 2


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
def rows_many(floats, codes, place, arity, x, candidates, z, ways):
    """Rows (statistic, df, log p) of ``x`` with candidates of any type; ``ways`` says for each which directions count:
    both (BOTH), or that with the response ``x`` (OWN) or the candidate (OTHER)."""
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
    if arity[x] and np.any(ways != OTHER):
        x_null = extend(x_null, basis, rank, totals, single, False)
    out = np.zeros((candidates.size, 3))
    for i in range(candidates.size):
        y = candidates[i]
        width = _add_variable(basis, rank, y, floats, codes, place, arity, totals, single) - rank
        if width == 0 or own_width == 0:
            continue
        first = second = (0.0, 0.0, 0.0)
        if ways[i] == OTHER:
            pass
        elif arity[x]:
            first = _discrete(x_null, extend(x_null, basis, rank + width, totals, single, True))
        else:
            first = _linear(own[0], basis[rank:], width, rank)
        if ways[i] == OWN:
            out[i] = first
            continue
        if arity[y]:
            y_null = intercept_only(_indicators(codes, place[y], arity[y], n), totals)
            y_null = extend(y_null, basis, rank, totals, single, False)
            basis[rank : rank + own_width] = own
            second = _discrete(y_null, extend(y_null, basis, rank + own_width, totals, single, True))
        else:
            second = _linear(basis[rank], own, own_width, rank)
        out[i] = second if ways[i] == OTHER else _combine(first, second)
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
def table_many(floats, codes, place, arity, x, candidates, z):
    """The same as `rows_many` where all variables are discrete and the cells are few, from tables of counts."""
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


@njit(cache=True, nogil=True)
def null_residuals(floats, codes, place, arity, x, z):
    """Indicators of the levels of a discrete ``x`` from 1, less the probabilities fitted given ``z``."""
    n = codes.shape[1]
    totals = np.ones(n)
    single = np.bool_(True)
    basis = np.empty((1 + _room(arity, z), n))
    basis[0] = 1 / np.sqrt(n)
    rank = np.int64(1)
    for i in range(z.size):
        rank = _add_variable(basis, rank, z[i], floats, codes, place, arity, totals, single)
    observed = _indicators(codes, place[x], arity[x], n)
    return observed - extend(intercept_only(observed, totals), basis, rank, totals, single, True).fitted


@njit(cache=True, nogil=True)
def table_residuals(codes, place, arity, x, z):
    """The same where ``z`` is discrete and has few strata."""
    stratum, example = _strata(codes, place, arity, z)
    totals = np.zeros(example.size)
    counts = np.zeros((arity[x] - 1, example.size))
    code = codes[place[x]]
    for e in range(stratum.size):
        totals[stratum[e]] += 1
        if code[e] > 0:
            counts[code[e] - 1, stratum[e]] += 1
    basis, rank = _strata_basis(codes, place, arity, z, example, totals)
    null = extend(intercept_only(counts, totals), basis, rank, totals, np.bool_(False), True)
    out = _indicators(codes, place[x], arity[x], stratum.size)
    for c in range(out.shape[0]):
        for e in range(stratum.size):
            out[c, e] -= null.fitted[c, stratum[e]]
    return out


@njit(cache=True, nogil=True)
def _critical(log_p, df):
    """A statistic whose log p-value is at most ``log_p``, hardly larger than need be."""
    low, high = 0.0, 1.0
    while log_tail(high, df) > log_p:
        low, high = high, 2 * high
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if log_tail(middle, df) > log_p else (low, middle)
    return high


@njit(cache=True, nogil=True)
def climb_bounds(floats, codes, place, arity, x, candidates, z, log_p):
    """Whether the p-value of a discrete ``x`` with each candidate can exceed the given one.

    The larger model of x is fitted until its likelihood, which only grows, says that it can't.
    """
    n = codes.shape[1]
    totals = np.ones(n)
    single = np.bool_(True)
    basis = np.empty((1 + _room(arity, z) + max(1, np.max(arity[candidates])), n))
    basis[0] = 1 / np.sqrt(n)
    rank = np.int64(1)
    for i in range(z.size):
        rank = _add_variable(basis, rank, z[i], floats, codes, place, arity, totals, single)
    null = extend(intercept_only(_indicators(codes, place[x], arity[x], n), totals), basis, rank, totals, single, False)
    out = np.ones(candidates.size, dtype=np.bool_)
    for i in range(candidates.size):
        width = _add_variable(basis, rank, candidates[i], floats, codes, place, arity, totals, single) - rank
        if width == 0 or log_p[i] == -np.inf:
            continue
        needed = _critical(log_p[i] - _LOG_2, float(width * null.counts.shape[0]))
        enough = null.maximum + 0.5 * needed * (1 + _SLACK) + _SLACK
        out[i] = extend(null, basis, rank + width, totals, single, True, enough).log_likelihood < enough
    return out
