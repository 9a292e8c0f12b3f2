"""The upper tail of the chi-square distribution in logarithms, compiled.

scipy's ``chi2.logsf`` is as right, but importing scipy.stats costs about a second, every step of the workflow is a
process of its own, and a compiled loop needs a compiled function.
"""

from math import lgamma, log, log1p

import numpy as np
from numba import njit

_TINY = 1e-300
_PRECISION = 1e-16
_MOST_TERMS = 10_000


@njit(cache=True)
def log_tail(x, df):
    """Logarithm of the probability that a chi-square variable with ``df`` degrees of freedom exceeds ``x``.

    Below its mean by the series of the lower incomplete gamma function, above by the continued fraction of the upper
    one (modified Lentz), so that nothing underflows.
    """
    if df <= 0 or x <= 0:
        return 0.0
    a, y = 0.5 * df, 0.5 * x
    log_front = a * log(y) - y - lgamma(a)
    if y < a + 1:
        term = 1.0 / a
        total = term
        for k in range(1, _MOST_TERMS):
            term *= y / (a + k)
            total += term
            if term < total * _PRECISION:
                break
        lower = np.exp(log_front) * total
        return log1p(-lower) if lower < 1 else -np.inf
    b = y + 1 - a
    c = 1 / _TINY
    d = 1 / b
    h = d
    for k in range(1, _MOST_TERMS):
        an = -k * (k - a)
        b += 2
        d = an * d + b
        if abs(d) < _TINY:
            d = _TINY
        c = b + an / c
        if abs(c) < _TINY:
            c = _TINY
        d = 1 / d
        step = d * c
        h *= step
        if abs(step - 1) < _PRECISION * 10:
            break
    return log_front + log(h)


@njit(cache=True, nogil=True)
def log_tails(x, df):
    """`log_tail` of every element of two arrays."""
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = log_tail(x[i], df[i])
    return out
