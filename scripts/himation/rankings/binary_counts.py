"""Compiled counting of pairs of binary variables, held as 64-bit words."""

import numpy as np
from numba import njit

from himation.independence.popcount import popcount


@njit(cache=True)
def phi(bits, ones, n):
    """Absolute correlation of all pairs of rows; 0 with a constant row and on the diagonal."""
    p, words = bits.shape
    found = np.zeros((p, p), dtype=np.float32)
    for i in range(p):
        for j in range(i):
            both = np.int64(0)
            for w in range(words):
                both += np.int64(popcount(bits[i, w] & bits[j, w]))
            spread = ones[i] * (n - ones[i]) * ones[j] * (n - ones[j])
            if spread > 0.0:
                value = abs(n * both - ones[i] * ones[j]) / np.sqrt(spread)
                found[i, j] = value
                found[j, i] = value
    return found
