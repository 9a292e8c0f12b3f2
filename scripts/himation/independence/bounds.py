"""Upper bounds of the mixed test's p-value that cost little: a search leaves out the tests that can't matter.

MMPC keeps of each candidate the weakest association over many conditioning sets, the largest p-value. On thousands of
examples most tests are far stronger than the weakest one, and it is enough to know that they are. The mixed p-value is
at most twice that of either direction, so a bound of one direction will do:

- One of the two variables is continuous: its linear regression, exactly, from the cross-products of all columns. No
  pass over the examples is needed.
- Both are discrete: the logistic or multinomial regression of x. Its curvature is nowhere more than a fixed matrix
  (Böhning and Lindsay 1988: a quarter of the cross-products with two values), so the likelihood gains at least what
  a parabola of that curvature gains from the null model: for two values the statistic is at least 4 g^2, where g is
  the slope along the unit column of y freed of Z. The null model is fitted once for x and Z, whatever the candidates.
- Both have two values, and that bound is not enough, as where x is rare: along a column u the curvature h at the null
  model grows at most by exp(R t) in a step t, R being the largest |u| (self-concordance; Bach 2010). The gain is at
  least h / R^2 ((1 + a) log(1 + a) - a) with a = g R / h, which tends to the score statistic's g^2 / 2h.
- One has more than two values, and that is not enough: any point of the larger model has a likelihood below its
  maximum. `step_bound` looks at the point where one step with the mean curvature of the null model leads: close to the
  maximum unless the association is strong, and then there is no need to be.

Of two discrete variables the one with fewer values is the response. What all these leave open is fitted, until
the likelihood reached says enough (`climb_bounds` of the likelihoods).

A bound allows for rounding, and there is none (p = 1) where columns are nearly collinear; then the test is made.

>>> rng = np.random.default_rng(0)
>>> x = rng.normal(size=500); y = (x + rng.normal(size=500) > 0).astype(np.uint8)
>>> products = cross_products(x[None], y[None], np.array([0, 0]), np.array([0, 2]), np.array([0, 1, 2]))
>>> bound = linear_bounds(products, np.array([0, 1, 2]), np.array([0, 2]), 500, 0, np.array([1]), np.array([], int))
>>> bool(bound[0] < -50)
True
"""

import numpy as np
from numba import njit

from himation.independence.beta import log_beta_tail
from himation.independence.chisquare import log_tail
from himation.independence.regression import append_column
from himation.independence.rows import dot, multiply, subtract_multiple

MOST_COLUMNS = 3000  # whose cross-products are kept: 72 MB
_LEAST_PIVOT = 1e-6  # share of a column's variance that must be new; less is left to the test itself
_ROUNDING = 1e-8  # of a share of variance, far above the error of cross-products with such pivots
_SLACK = 1e-5  # of a statistic: the null model's own error
_LOG_2 = float(np.log(2))


def cross_products(floats, codes, place, arity, first) -> np.ndarray:
    """Cross-products of the centred columns of all variables, ``first[i]`` being the first column of variable i."""
    n = max(floats.shape[1], codes.shape[1])
    columns = np.empty((int(first[-1]), n))
    for i, values in enumerate(arity):
        for level in range(first[i + 1] - first[i]):
            row = floats[place[i]] if values == 0 else codes[place[i]] == level + 1
            columns[first[i] + level] = row - row.mean()
    return columns @ columns.T


@njit(cache=True, nogil=True)
def _columns_of(variables, first):
    total = 0
    for v in variables:
        total += first[v + 1] - first[v]
    out = np.empty(total, dtype=np.int64)
    at = 0
    for v in variables:
        for column in range(first[v], first[v + 1]):
            out[at] = column
            at += 1
    return out


@njit(cache=True, nogil=True)
def _forward(lower, size, products, columns, column, out):
    """Coordinates of ``column`` along the orthonormal directions of the first ``size`` of ``columns``."""
    for i in range(size):
        total = products[columns[i], column]
        for j in range(i):
            total -= lower[i, j] * out[j]
        out[i] = total / lower[i, i]


@njit(cache=True, nogil=True)
def _append(lower, size, products, columns):
    """Extend the Cholesky factor by the column at position ``size``; False if it holds hardly anything new."""
    column = columns[size]
    _forward(lower, size, products, columns, column, lower[size])
    left = products[column, column]
    for j in range(size):
        left -= lower[size, j] ** 2
    if left <= _LEAST_PIVOT * products[column, column]:
        return False
    lower[size, size] = np.sqrt(left)
    return True


@njit(cache=True, nogil=True)
def _extend(lower, rank, products, columns, start, width):
    """Extend the factor of the first ``rank`` columns by ``width`` of them from ``start`` on; False if one fails."""
    for level in range(width):
        columns[rank + level] = start + level
        if not _append(lower, rank + level, products, columns):
            return False
    return True


@njit(cache=True, nogil=True)
def _factor(products, first, z, candidates, widest):
    """Cholesky factor and columns of ``z``, with room for any candidate, and their number (-1: nearly dependent)."""
    given = _columns_of(z, first)
    rank = given.size
    for y in candidates:
        widest = max(widest, first[y + 1] - first[y])
    lower = np.zeros((rank + widest, rank + widest))
    columns = np.zeros(rank + widest, dtype=np.int64)
    columns[:rank] = given
    for i in range(rank):
        if not _append(lower, i, products, columns):
            return lower, columns, -1
    return lower, columns, rank


@njit(cache=True, nogil=True)
def _linear_bound(lower, rank, products, columns, response, n):
    """log p of the regression of a column on all ``columns`` against that on the first ``rank``, a little too large."""
    size = columns.size
    along = np.empty(size)
    _forward(lower, size, products, columns, response, along)
    null = products[response, response]
    for j in range(rank):
        null -= along[j] ** 2
    if null <= _LEAST_PIVOT * products[response, response]:
        return 0.0
    left = 1.0
    for j in range(rank, size):
        left -= along[j] ** 2 / null
    width = size - rank
    return log_beta_tail(min(max(left, 0.0) + _ROUNDING, 1.0), 0.5 * (n - 1 - size), 0.5 * width) + _LOG_2


@njit(cache=True, nogil=True)
def linear_bounds(products, first, arity, n, x, candidates, z):
    """Upper bound of log p of ``x`` with each candidate where one of the two is continuous, 0 elsewhere."""
    out = np.zeros(candidates.size)
    lower, columns, rank = _factor(products, first, z, candidates, first[x + 1] - first[x])
    if rank < 0:
        return out
    for i in range(candidates.size):
        y = candidates[i]
        if arity[x] and arity[y]:
            continue
        response, predictor = (x, y) if arity[x] == 0 else (y, x)
        width = first[predictor + 1] - first[predictor]
        if 0 < width < n - 1 - rank and _extend(lower, rank, products, columns, first[predictor], width):
            out[i] = _linear_bound(lower, rank, products, columns[: rank + width], first[response], n)
    return out


@njit(cache=True, nogil=True)
def _slopes(residuals, code, values):
    """Sum of the residuals of every level of x over the examples with each value of y from 1."""
    levels = residuals.shape[0]
    out = np.zeros((levels, values))
    for c in range(levels):
        row = residuals[c]
        sums = out[c]
        for e in range(code.size):
            sums[code[e]] += row[e]
    return out[:, 1:]


@njit(cache=True, nogil=True)
def _gain(slopes, lower, rank, width):
    """What the parabola of greatest curvature gains: the sum over levels of g' S^-1 g, and that of their sum."""
    levels = slopes.shape[0]
    total = 0.0
    for c in range(levels + 1):
        u = np.empty(width)
        for i in range(width):
            value = slopes[c, i] if c < levels else slopes[:, i].sum()
            for j in range(i):
                value -= lower[rank + i, rank + j] * u[j]
            u[i] = value / lower[rank + i, rank + i]
            total += u[i] ** 2
    return total


@njit(cache=True, nogil=True)
def logistic_bounds(products, first, codes, place, arity, residuals, candidates, z):
    """Upper bound of log p of a discrete variable with each candidate that is discrete too, 0 elsewhere.

    ``residuals`` are those of its null model: indicators of the levels from 1, less their fitted probabilities.
    """
    out = np.zeros(candidates.size)
    lower, columns, rank = _factor(products, first, z, candidates, 1)
    if rank < 0:
        return out
    for i in range(candidates.size):
        y = candidates[i]
        width = first[y + 1] - first[y]
        if arity[y] > 1 and _extend(lower, rank, products, columns, first[y], width):
            slopes = _slopes(residuals, codes[place[y]], arity[y])
            statistic = 2 * _gain(slopes, lower, rank, width) * (1 - _SLACK) - _SLACK
            out[i] = log_tail(statistic, float(width * residuals.shape[0])) + _LOG_2
    return out


@njit(cache=True, nogil=True)
def _design(floats, codes, place, arity, z, n):
    """Rows of intercept, conditioning variables, and one to spare."""
    size = 1
    for v in z:
        size += max(1, arity[v] - 1)
    out = np.ones((size + 1, n))
    at = 1
    for v in z:
        if arity[v] == 0:
            out[at] = floats[place[v]]
            at += 1
        for level in range(1, arity[v]):
            _indicate(codes[place[v]], level, out[at])
            at += 1
    return out


@njit(cache=True, nogil=True)
def _indicate(code, level, out):
    for e in range(code.size):
        out[e] = 1.0 if code[e] == level else 0.0


@njit(cache=True, nogil=True)
def _largest(row):
    low, high = 0.0, 0.0
    for value in row:
        low, high = min(low, value), max(high, value)
    return max(-low, high)


@njit(cache=True, nogil=True)
def binary_bounds(floats, codes, place, arity, residuals, candidates, z):
    """Upper bound of log p of a variable with two values with each candidate that has two as well, 0 elsewhere."""
    n = residuals.size
    out = np.zeros(candidates.size)
    design = _design(floats, codes, place, arity, z, n)
    size = design.shape[0] - 1
    weighted = np.empty((size, n))
    slack = np.empty(size)
    weight = np.abs(residuals) * (1 - np.abs(residuals))
    for j in range(size):
        multiply(weight, design[j], weighted[j])
        slack[j] = dot(residuals, design[j])  # the slope of the null model, almost zero
    curvature = np.zeros((size + 1, size + 1))
    for j in range(size):
        for k in range(size):
            curvature[j, k] = dot(weighted[j], design[k])
    lower, order = np.zeros((size + 1, size + 1)), np.arange(size + 1)
    for j in range(size):
        if not _append(lower, j, curvature, order):
            return out
    column = design[size]
    for i in range(candidates.size):
        if arity[candidates[i]] != 2:
            continue
        _indicate(codes[place[candidates[i]]], 1, column)
        for j in range(size):
            curvature[j, size] = curvature[size, j] = dot(weighted[j], column)
        curvature[size, size] = curvature[0, size]
        if not _append(lower, size, curvature, order):
            continue
        slope = dot(residuals, column)
        share = lower[size, :size].copy()
        for j in range(size - 1, -1, -1):
            for k in range(j + 1, size):
                share[j] -= lower[k, j] * share[k]
            share[j] /= lower[j, j]
            slope -= share[j] * slack[j]
            subtract_multiple(column, share[j], design[j])
        reach = _largest(column)
        curved = lower[size, size] ** 2
        a = abs(slope) * reach / curved
        gain = curved / reach**2 * ((1 + a) * np.log1p(a) - a)
        out[i] = log_tail(2 * gain * (1 - _SLACK) - _SLACK, 1.0) + _LOG_2
    return out


_LENGTHS = (1.0, 0.5, 0.25)  # of the step that are tried


@njit(cache=True, nogil=True)
def step_bound(floats, codes, place, arity, residuals, x, y, z):
    """Upper bound of log p of two discrete variables, from ``residuals`` of the null model of ``x`` given ``z``."""
    levels, n = residuals.shape
    given = _design(floats, codes, place, arity, z, n)
    basis = np.empty((given.shape[0] + arity[y], n))
    basis[0] = 1 / np.sqrt(n)
    totals, rank = np.ones(n), np.int64(1)
    for j in range(1, given.shape[0] - 1):
        basis[rank] = given[j]
        rank += append_column(basis, rank, totals, np.bool_(True))
    first = rank
    for level in range(1, arity[y]):
        _indicate(codes[place[y]], level, basis[rank])
        rank += append_column(basis, rank, totals, np.bool_(True))
    width = rank - first
    if width == 0:
        return 0.0
    own = codes[place[x]]
    chance = np.empty((levels, n))
    for c in range(levels):
        for e in range(n):
            chance[c, e] = (1.0 if own[e] == c + 1 else 0.0) - residuals[c, e]
    step = np.linalg.solve(_mean_curvature(chance), _products_with(residuals, basis[first:rank]))
    change = np.zeros((levels, n))
    for c in range(levels):
        for j in range(width):
            subtract_multiple(change[c], -step[c, j], basis[first + j])
    gain = 0.0
    for length in _LENGTHS:
        gain = max(gain, _gain_at(chance, change, own, length))
    return log_tail(max(2 * gain * (1 - _SLACK) - _SLACK, 0.0), float(width * levels)) + _LOG_2


@njit(cache=True, nogil=True)
def _mean_curvature(chance):
    """Of the log-likelihood in the linear predictors of the levels, over the examples; never singular."""
    levels, n = chance.shape
    out = np.zeros((levels, levels))
    for c in range(levels):
        for other in range(c + 1):
            product = dot(chance[c], chance[other]) / n
            out[c, other] = out[other, c] = -product
        out[c, c] += chance[c].sum() / n + _LEAST_PIVOT
    return out


@njit(cache=True, nogil=True)
def _products_with(rows, others):
    out = np.empty((rows.shape[0], others.shape[0]))
    for i in range(rows.shape[0]):
        for j in range(others.shape[0]):
            out[i, j] = dot(rows[i], others[j])
    return out


@njit(cache=True, nogil=True)
def _gain_at(chance, change, own, length):
    """What the log-likelihood gains where the linear predictors change by so much."""
    levels, n = chance.shape
    gain = 0.0
    for e in range(n):
        top = 0.0
        for c in range(levels):
            top = max(top, length * change[c, e])
        total = rest = 0.0
        for c in range(levels):
            total += chance[c, e] * np.exp(length * change[c, e] - top)
            rest += chance[c, e]
        total += max(1 - rest, 0.0) * np.exp(-top)
        gain += (length * change[own[e] - 1, e] if own[e] else 0.0) - top - np.log(max(total, 1e-300))
    return gain
