"""Codes as planes of bits: for each value but 0 of each variable a row of words, one bit for each example."""

import numpy as np
from numba import njit

from himation.bits import words_for
from himation.independence.popcount import popcount


def planes_from(codes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The planes of all variables one after the other; those of variable v begin at ``first[v]``.

    >>> planes_from(np.array([[0, 1, 2, 1]], dtype=np.uint8), np.array([0, 2])).tolist()
    [[10], [4]]
    """
    planes = np.zeros((int(first[-1]), words_for(codes.shape[1])), dtype=np.uint64)
    _set_bits(codes, first, planes)
    return planes


@njit(cache=True, nogil=True)
def _set_bits(codes, first, planes):
    n = codes.shape[1]
    for v in range(codes.shape[0]):
        for plane in range(first[v], first[v + 1]):
            level = plane - first[v] + 1
            for w in range(planes.shape[1]):
                word = np.uint64(0)
                for e in range(64 * w, min(64 * w + 64, n)):
                    word |= np.uint64(codes[v, e] == level) << np.uint64(e - 64 * w)
                planes[plane, w] = word


@njit(cache=True, nogil=True)
def codes_from(planes, first, n):
    """The inverse: one row of codes for each variable."""
    codes = np.zeros((first.size - 1, n), dtype=np.uint8)
    for v in range(first.size - 1):
        for plane in range(first[v], first[v + 1]):
            level = np.uint8(plane - first[v] + 1)
            for w in range(planes.shape[1]):
                word = planes[plane, w]
                for e in range(64 * w, min(64 * w + 64, n)):
                    codes[v, e] += np.uint8((word >> np.uint64(e - 64 * w)) & np.uint64(1)) * level
    return codes


@njit(cache=True, nogil=True)
def plane_totals(planes):
    """The number of ones in each plane."""
    totals = np.empty(planes.shape[0], dtype=np.int64)
    for plane in range(planes.shape[0]):
        count = 0
        for w in range(planes.shape[1]):
            count += popcount(planes[plane, w])
        totals[plane] = count
    return totals
