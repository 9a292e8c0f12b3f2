"""Growing trees and asking them, compiled."""

import math

import numpy as np
from numba import njit

_LEAST_WEIGHT = 1e-3  # of the second derivatives on either side of a split


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def boosted(codes, bins, positive, mass, start, rounds, rate, leaves, least, penalty):
    """Trees one after the other, each on the derivatives of the logistic loss at the sum of those before it: the
    columns and codes that they divide at, left and right children (-1 at a leaf), values, and where each tree begins.

    ``codes`` are by column and row, ``bins`` says how many codes a column has. Of all leaves the one whose best split
    gains most is divided next.
    """
    n, width = len(positive), 2 * leaves - 1
    most = rounds * width
    feature, code, value = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most)
    left, right, roots = np.full(most, -1), np.full(most, -1), np.zeros(rounds, np.int64)
    total, first, second = np.full(n, start), np.empty(n), np.empty(n)
    rows, spare, ends = np.empty(n, np.int64), np.empty(n, np.int64), np.zeros((width, 2), np.int64)
    gain, column, cut = np.zeros(width), np.zeros(width, np.int64), np.zeros(width, np.int64)
    sums, used = np.zeros((bins.max(), 3)), 0
    for tree in range(rounds):
        for i in range(n):
            chance = 1.0 / (1.0 + math.exp(-total[i]))
            first[i], second[i] = mass[i] * (chance - positive[i]), mass[i] * chance * (1.0 - chance)
            rows[i] = i
        roots[tree], size, ends[0, 0], ends[0, 1] = used, 1, 0, n
        gain[0], column[0], cut[0] = _best(codes, bins, first, second, rows[:n], sums, least, penalty)
        for _ in range(leaves - 1):
            at = 0
            for k in range(size):
                if gain[k] > gain[at]:
                    at = k
            if gain[at] <= 0.0:
                break
            begin, end = ends[at]
            middle, later = begin, 0
            for k in range(begin, end):
                if codes[column[at], rows[k]] <= cut[at]:
                    rows[middle] = rows[k]
                    middle += 1
                else:
                    spare[later] = rows[k]
                    later += 1
            for k in range(later):
                rows[middle + k] = spare[k]
            feature[used + at], code[used + at] = column[at], cut[at]
            left[used + at], right[used + at] = used + size, used + size + 1
            gain[at] = 0.0
            ends[size, 0], ends[size, 1], ends[size + 1, 0], ends[size + 1, 1] = begin, middle, middle, end
            for k in range(size, size + 2):
                own = rows[ends[k, 0] : ends[k, 1]]
                gain[k], column[k], cut[k] = _best(codes, bins, first, second, own, sums, least, penalty)
            size += 2
        for k in range(size):
            if left[used + k] < 0:
                slope, weight = 0.0, 0.0
                for i in rows[ends[k, 0] : ends[k, 1]]:
                    slope += first[i]
                    weight += second[i]
                value[used + k] = -rate * slope / (weight + penalty)
                for i in rows[ends[k, 0] : ends[k, 1]]:
                    total[i] += value[used + k]
        used += size
    return feature[:used], code[:used], left[:used], right[:used], value[:used], roots


@njit(cache=True, nogil=True)
def _best(codes, bins, first, second, rows, sums, least, penalty):
    """The split of some rows that gains most, its column and the last code that goes left; 0 if none gains."""
    best, column, cut = 0.0, 0, 0
    if len(rows) < 2 * least:
        return best, column, cut
    slope, weight = 0.0, 0.0
    for i in rows:
        slope += first[i]
        weight += second[i]
    whole = slope * slope / (weight + penalty)
    for x in range(len(codes)):
        for k in range(bins[x]):
            sums[k, 0] = sums[k, 1] = sums[k, 2] = 0.0
        for i in rows:
            k = codes[x, i]
            sums[k, 0] += first[i]
            sums[k, 1] += second[i]
            sums[k, 2] += 1.0
        below, light, count = 0.0, 0.0, 0.0
        for k in range(bins[x] - 1):
            if sums[k, 2] == 0.0:
                continue
            below += sums[k, 0]
            light += sums[k, 1]
            count += sums[k, 2]
            if count < least or light < _LEAST_WEIGHT:
                continue
            if len(rows) - count < least or weight - light < _LEAST_WEIGHT:
                break
            above = slope - below
            gained = below * below / (light + penalty) + above * above / (weight - light + penalty) - whole
            if gained > best:
                best, column, cut = gained, x, k
    return best, column, cut
