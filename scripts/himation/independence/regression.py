"""Compiled regressions that grow by a few columns: the engine of the mixed test.

A model is always fitted on an orthonormal basis: the intercept, the conditioning variables, then the columns of the
variable under test, each freed of what precedes it by Gram-Schmidt (`append_column`). A column without anything new is
left out, so collinear data need no special care and the rank is counted on the way.

Logistic and multinomial models are one model, for responses given as counts: ``counts[c]`` says how often each row
had level c + 1, ``totals`` how often the row occurred. Plain data have totals of one; tables of discrete variables
become a row for each cell, which is many times faster. Maximum likelihood is found by Newton's method. `extend` starts
from the fit of the smaller model, whose fitted probabilities give the first step without any exponential.

The gain that a step promises, against the gain promised before it, tells how far the curvature drifts from step to
step. While it hardly does, the old Hessian serves, which saves half of the work, and the search ends when the promised
gain, whose relative error is about that drift, is known well enough; it is then added. Where a predictor
separates the levels the likelihood tends to a bound that is never reached; each step then gains a fixed share of the
rest, and the search ends as above with the likelihood reached, or after a fixed number of steps.

>>> basis = np.array([[0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 1.0, 1.0]])
>>> append_column(basis, 1, np.ones(4), True), basis[1].round(3).tolist()
(True, [-0.5, -0.5, 0.5, 0.5])
>>> fit = extend(intercept_only(np.array([[0.0, 1.0, 1.0, 1.0]]), np.ones(4)), basis, 2, np.ones(4), True, True)
>>> round(fit.maximum, 4), round(float(2 * np.log(0.5)), 4)  # one half fits the first two, certainty the others
(-1.3863, -1.3863)
"""

from collections import namedtuple
from math import log, sqrt

import numpy as np
from numba import njit

from himation.independence.rows import BLOCK, dot, exp_negative, log_product, multiply, subtract_multiple

_COLLINEAR = 1e-10  # a column counts if this share of its variance is new, as for Fisher's z
_CONSTANT = 1e-9
_ROUGH = 1e-4  # below this share of new variance Gram-Schmidt is repeated
_ERROR = 1e-7  # of the log-likelihood
_SMALL_GAIN = 1e-9
_LEAST_DRIFT = 0.01  # the quadratic model is never trusted beyond this relative error
_MOST_STEPS = 100
_MOST_HALVINGS = 20
_SINGULAR = 1e-12
_TINY = 1e-300

Fit = namedtuple("Fit", "beta gradient hessian fitted counts log_likelihood maximum")
"""A fit as far as it went: the point ``beta``, what belongs to it, and the maximum of the likelihood it leads to."""


@njit(cache=True, error_model="numpy")
def _inner(a, b, totals, single):
    if single:
        return dot(a, b)
    return dot(a, b * totals)


@njit(cache=True, nogil=True, error_model="numpy")
def append_column(basis, rank, totals, single):
    """Make row ``rank`` of ``basis`` orthonormal to the rows before it, the first of which is constant.

    False, and the row is to be overwritten, if it holds nothing new. ``single`` says that all totals are one.
    """
    column = basis[rank]
    before = after = 0.0
    for turn in range(3):
        for j in range(1 if turn else 0, rank if turn else 1):
            share = _inner(column, basis[j], totals, single)
            subtract_multiple(column, share, basis[j])
        after = _inner(column, column, totals, single)
        if turn == 0:
            before = after
            if before < _CONSTANT:
                return False
        elif after < _COLLINEAR * before:
            return False
        elif after > _ROUGH * before:
            break
    column *= 1 / sqrt(after)
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def unexplained(response, columns, width):
    """Share of the variance of a unit ``response`` that ``width`` orthonormal ``columns`` leave."""
    left = response.copy()
    for j in range(width):
        share = dot(response, columns[j])
        subtract_multiple(left, share, columns[j])
    return dot(left, left)


@njit(cache=True, nogil=True, error_model="numpy")
def intercept_only(counts, totals):
    """The model without predictors, in closed form; every level must occur."""
    levels = counts.shape[0]
    n = totals.sum()
    share = np.empty(levels)
    for c in range(levels):
        share[c] = counts[c].sum() / n
    rest = 1 - share.sum()
    likelihood = n * rest * log(rest) if rest > 0 else 0.0
    beta = np.empty((levels, 1))
    hessian = np.empty((levels, levels))
    fitted = np.empty(counts.shape)
    for c in range(levels):
        likelihood += n * share[c] * log(share[c])
        beta[c, 0] = log(share[c] / rest) * sqrt(n)
        fitted[c] = share[c]
        for other in range(levels):
            hessian[c, other] = share[c] * ((c == other) - share[other])
    return Fit(beta, np.zeros(levels), hessian, fitted, counts, likelihood, likelihood)


@njit(cache=True, error_model="numpy")
def _probabilities(eta, top, norm, m):
    """Turn linear predictors (levels x rows) into probabilities; ``top + log(norm)`` is the log of their sum."""
    levels = eta.shape[0]
    if levels == 1:
        row = eta[0]
        for i in range(m):
            small = exp_negative(-abs(row[i]))
            top[i] = max(row[i], 0.0)
            norm[i] = 1 + small
            row[i] = (1.0 if row[i] >= 0 else small) / norm[i]
        return
    for i in range(m):
        top[i] = 0.0
    for c in range(levels):
        for i in range(m):
            top[i] = max(top[i], eta[c, i])
    for i in range(m):
        norm[i] = exp_negative(-top[i])
    for c in range(levels):
        row = eta[c]
        for i in range(m):
            row[i] = exp_negative(row[i] - top[i])
            norm[i] += row[i]
    for c in range(levels):
        row = eta[c]
        for i in range(m):
            row[i] /= norm[i]


@njit(cache=True, error_model="numpy")
def _weights(totals, fitted, other, same, out):
    for i in range(totals.size):
        out[i] = totals[i] * fitted[i] * (same - other[i])


@njit(cache=True, error_model="numpy")
def _residuals(counts, totals, fitted, out):
    for i in range(totals.size):
        out[i] = counts[i] - totals[i] * fitted[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _curvature(basis, first, width, totals, fitted, hessian):
    """Fill in the (negative) Hessian at the probabilities ``fitted``, for its columns ``first`` and later."""
    levels, n = fitted.shape
    weight, weighted = np.empty(BLOCK), np.empty(BLOCK)
    for c in range(levels):
        for other in range(c, levels):
            hessian[c * width + first : (c + 1) * width, other * width : (other + 1) * width] = 0
            for low in range(0, n, BLOCK):
                high = min(low + BLOCK, n)
                m = high - low
                same = 1.0 if c == other else 0.0
                _weights(totals[low:high], fitted[c, low:high], fitted[other, low:high], same, weight)
                for j in range(first, width):
                    multiply(weight[:m], basis[j, low:high], weighted)
                    for k in range(j + 1):
                        hessian[c * width + j, other * width + k] += dot(weighted[:m], basis[k, low:high])
            for j in range(first, width):
                for k in range(j + 1):  # each block of two levels is symmetric, and so is the whole
                    value = hessian[c * width + j, other * width + k]
                    hessian[c * width + k, other * width + j] = value
                    hessian[other * width + j, c * width + k] = value
                    hessian[other * width + k, c * width + j] = value


@njit(cache=True, nogil=True, error_model="numpy")
def _evaluate(basis, totals, counts, single, beta, fitted, gradient):
    """Log-likelihood at ``beta``; fills in fitted probabilities and gradient."""
    levels, n = counts.shape
    width = beta.shape[1]
    eta = np.empty((levels, BLOCK))
    top, norm, residual = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    gradient[:] = 0
    likelihood = 0.0
    for low in range(0, n, BLOCK):
        high = min(low + BLOCK, n)
        m = high - low
        for c in range(levels):
            row = eta[c, :m]
            row[:] = 0
            for j in range(width):
                subtract_multiple(row, -beta[c, j], basis[j, low:high])
            likelihood += dot(row, counts[c, low:high])
        _probabilities(eta, top, norm, m)
        likelihood -= dot(top[:m], totals[low:high])
        if single:
            norm[m:] = 1.0
            likelihood -= log_product(norm)
        else:
            for i in range(m):
                likelihood -= totals[low + i] * log(norm[i])
        for c in range(levels):
            fitted[c, low:high] = eta[c, :m]
            _residuals(counts[c, low:high], totals[low:high], eta[c], residual)
            for j in range(width):
                gradient[c * width + j] += dot(residual[:m], basis[j, low:high])
    return likelihood


@njit(cache=True, nogil=True, error_model="numpy")
def _factor(hessian):
    """Cholesky factor; a direction without curvature gets an empty column."""
    size = hessian.shape[0]
    lower = np.zeros((size, size))
    for j in range(size):
        pivot = hessian[j, j] - dot(lower[j, :j], lower[j, :j])
        if pivot > _SINGULAR * hessian[j, j] and pivot > _TINY:
            lower[j, j] = sqrt(pivot)
            for i in range(j + 1, size):
                lower[i, j] = (hessian[i, j] - dot(lower[i, :j], lower[j, :j])) / lower[j, j]
    return lower


@njit(cache=True, nogil=True, error_model="numpy")
def _solve(lower, gradient):
    """Newton's step; none in a direction without curvature."""
    size = gradient.size
    step = np.zeros(size)
    for j in range(size):
        if lower[j, j] > 0:
            step[j] = (gradient[j] - dot(lower[j, :j], step[:j])) / lower[j, j]
    for j in range(size - 1, -1, -1):
        if lower[j, j] > 0:
            total = step[j]
            for i in range(j + 1, size):
                total -= lower[i, j] * step[i]
            step[j] = total / lower[j, j]
    return step


@njit(cache=True, nogil=True, error_model="numpy")
def _border(fit, basis, width, totals):
    """Point, gradient and Hessian of ``fit`` in the model with ``width`` columns, the new ones at zero."""
    levels, n = fit.counts.shape
    old = fit.beta.shape[1]
    beta = np.zeros((levels, width))
    gradient = np.zeros(levels * width)
    hessian = np.zeros((levels * width, levels * width))
    residual = np.empty(n)
    for c in range(levels):
        for j in range(old):
            beta[c, j] = fit.beta[c, j]
            gradient[c * width + j] = fit.gradient[c * old + j]
            for other in range(levels):
                for k in range(old):
                    hessian[c * width + j, other * width + k] = fit.hessian[c * old + j, other * old + k]
        if width > old:
            _residuals(fit.counts[c], totals, fit.fitted[c], residual)
        for j in range(old, width):
            gradient[c * width + j] = dot(residual, basis[j])
    if width > old:
        _curvature(basis, old, width, totals, fit.fitted, hessian)
    return beta, gradient, hessian


@njit(cache=True, nogil=True, error_model="numpy")
def extend(fit, basis, width, totals, single, final, enough=np.inf):
    """Fit the model on the first ``width`` columns of ``basis``, from ``fit`` on fewer of them.

    ``single`` says that all totals are one, which saves logarithms; ``final`` that the fit is not to be extended again,
    which saves its Hessian. A likelihood of ``enough`` ends the search.
    """
    counts, fitted, likelihood = fit.counts, fit.fitted, fit.log_likelihood
    beta, gradient, hessian = _border(fit, basis, width, totals)
    lower = _factor(hessian)
    last, old = np.inf, False  # gain promised before the last step; does the Hessian belong to an earlier point
    for _ in range(_MOST_STEPS):
        step = _solve(lower, gradient)
        gain = max(0.5 * dot(step, gradient), 0.0)
        drift = max(sqrt(gain / last), _LEAST_DRIFT)
        if old and gain * drift**3 > _ERROR:
            _curvature(basis, 0, width, totals, fitted, hessian)
            lower, old = _factor(hessian), False
            continue
        reached = likelihood + gain
        if gain < _SMALL_GAIN or (gain * drift < _ERROR and last < np.inf):
            break
        if last == np.inf:
            fitted = np.empty(counts.shape)
        trial = beta + step.reshape(beta.shape)
        tried = _evaluate(basis, totals, counts, single, trial, fitted, gradient)
        halvings = 0
        while tried < likelihood and halvings < _MOST_HALVINGS:
            trial = 0.5 * (beta + trial)
            tried = _evaluate(basis, totals, counts, single, trial, fitted, gradient)
            halvings += 1
        reached = max(tried, likelihood)
        beta, likelihood, last, old = trial, tried, gain, True
        if halvings == _MOST_HALVINGS or likelihood >= enough:
            break
    if old and not final:
        _curvature(basis, 0, width, totals, fitted, hessian)
    return Fit(beta, gradient, hessian, fitted, counts, likelihood, reached)
