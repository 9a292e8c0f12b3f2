"""Compiled screening: which of very many discrete variables depend on one by themselves.

Among 100,000 variables nearly all are independent of any one, and a search needs of them no more than that. So their
p-values are not computed: a statistic below the critical value of its degrees of freedom is independent, and the exact
tail decides near that value and above. The number of ones in each plane is known beforehand, so one value of x need not
be counted at all. Only for G-square: the mere presence of Pearson's formula in the loop doubles its time.
"""

import numpy as np
from numba import njit

from himation.independence.chisquare import log_tail
from himation.independence.counting import shared

MOST_CRITICAL = 64  # degrees of freedom with a critical value; the exact tail decides for more
_MARGIN = 1e-6  # relative; far above the error of the tail, so that no decision depends on it


@njit(cache=True)
def critical_values(log_alpha):
    """For each number of degrees of freedom a statistic that is surely too small to be significant."""
    found = np.zeros(MOST_CRITICAL)
    for df in range(1, MOST_CRITICAL):
        low, high = 0.0, 1e5
        for _ in range(100):
            middle = 0.5 * (low + high)
            if log_tail(middle, float(df)) > log_alpha:
                low = middle
            else:
                high = middle
        found[df] = low * (1 - _MARGIN)
    return found


@njit(cache=True, nogil=True)
def _g2(counts, rows, columns, sizes, column_sizes, xlogx, n):
    """Half the statistic, and how many values of the candidate occur."""
    seen = 0
    for b in range(columns):
        seen += column_sizes[b] > 0
    if seen < 2 or rows < 2:
        return 0.0, seen
    half = 0.0
    for a in range(rows):
        half -= xlogx[sizes[a]]
        for b in range(columns):
            half += xlogx[counts[a * columns + b]]
    for b in range(columns):
        half -= xlogx[column_sizes[b]]
    return half + xlogx[n], seen


@njit(cache=True, nogil=True)
def screen(planes, first, totals, n, x, candidates, xlogx, most_df, adjust, log_alpha, critical):
    """Positions of the dependent candidates, their log p and statistic; and for each candidate whether it is
    independent by a reliable test."""
    values = first[x + 1] - first[x] + 1
    occurring = np.empty(values, dtype=np.int64)
    sizes = np.empty(values, dtype=np.int64)
    rows = 0
    for value in range(values):
        size = totals[first[x] + value - 1] if value > 0 else n - totals[first[x] : first[x + 1]].sum()
        if size > 0:
            occurring[rows] = value
            sizes[rows] = size
            rows += 1
    widest = 1
    for i in range(candidates.size):
        widest = max(widest, first[candidates[i] + 1] - first[candidates[i]] + 1)
    counts = np.empty(values * widest, dtype=np.int64)
    column_sizes = np.empty(widest, dtype=np.int64)
    independent = np.zeros(candidates.size, dtype=np.bool_)
    dependent = np.empty(candidates.size, dtype=np.int64)
    log_p = np.empty(candidates.size)
    strength = np.empty(candidates.size)
    kept = 0
    for i in range(candidates.size):
        plane0 = first[candidates[i]]
        columns = first[candidates[i] + 1] - plane0 + 1
        nominal = (values - 1) * (columns - 1)
        if nominal > most_df:
            continue
        column_sizes[0] = n
        counts[0] = sizes[0]
        for b in range(1, columns):
            column_sizes[b] = totals[plane0 + b - 1]
            column_sizes[0] -= column_sizes[b]
            counts[b] = column_sizes[b]
        for a in range(1, rows):
            left = sizes[a]
            for b in range(1, columns):
                count = shared(planes, first[x] + occurring[a] - 1, planes, plane0 + b - 1)
                counts[a * columns + b] = count
                counts[b] -= count
                left -= count
            counts[a * columns] = left
        for b in range(1, columns):
            counts[0] -= counts[b]
        half, seen = _g2(counts, rows, columns, sizes, column_sizes, xlogx, n)
        found = max(2 * half, 0.0)
        df = (rows - 1) * (seen - 1) if adjust else nominal
        if df < MOST_CRITICAL and found < critical[df]:
            independent[i] = True
            continue
        tail = log_tail(found, float(df))
        if tail > log_alpha:
            independent[i] = True
            continue
        dependent[kept] = i
        log_p[kept] = tail
        strength[kept] = found
        kept += 1
    return dependent[:kept].copy(), log_p[:kept].copy(), strength[:kept].copy(), independent
