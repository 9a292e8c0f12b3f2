"""What trees say of rows, compiled."""

import numpy as np
from numba import njit


@njit(cache=True)
def summed(X, feature, threshold, left, right, value, roots, start):
    """Of each row: ``start``, and the values of the leaves that it falls into, one of each tree. At a leaf ``left`` is
    negative; elsewhere a row goes left up to the threshold."""
    found = np.full(len(X), start)
    for i in range(len(X)):
        for root in roots:
            at = root
            while left[at] >= 0:
                at = left[at] if X[i, feature[at]] <= threshold[at] else right[at]
            found[i] += value[at]
    return found
