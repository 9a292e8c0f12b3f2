"""The distribution of the share of variance that useless predictors leave, in logarithms: the F test, compiled.

If m predictors have nothing to do with a Gaussian response, RSS1 / RSS0 is Beta((n - rank) / 2, m / 2), where rank
counts the columns of the larger model, and the F test rejects where it is small.

>>> round(float(np.exp(log_beta_tail(0.9, 20.0, 0.5))), 6)  # F(1, 40) above 40 (1 - 0.9) / 0.9
0.041327
"""

from math import lgamma, log, log1p

import numpy as np
from numba import njit

_TINY = 1e-300
_PRECISION = 1e-15
_MOST_TERMS = 10_000


@njit(cache=True, nogil=True, error_model="numpy")
def log_beta_tail(x, a, b):
    """Logarithm of the probability that a Beta(a, b) variable is at most ``x``, by the continued fraction."""
    if x <= 0:
        return -np.inf
    if x >= 1:
        return 0.0
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    if x < (a + 1) / (a + b + 2):
        return front + log(_beta_fraction(x, a, b) / a)
    upper = np.exp(front) * _beta_fraction(1 - x, b, a) / b
    return log1p(-upper) if upper < 1 else -np.inf


@njit(cache=True, error_model="numpy")
def _beta_fraction(x, a, b):
    c = 1.0
    d = 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / _away_from_zero(1 + even * d)
        c = _away_from_zero(1 + even / c)
        h *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _away_from_zero(1 + odd * d)
        c = _away_from_zero(1 + odd / c)
        h *= d * c
        if abs(d * c - 1) < _PRECISION:
            break
    return h


@njit(cache=True)
def _away_from_zero(value):
    return value if abs(value) > _TINY else _TINY
