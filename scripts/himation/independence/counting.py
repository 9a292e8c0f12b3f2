"""Compiled counting for the tests of discrete variables: by planes of bits, or by one pass over bytes.

`himation.independence.gsquare` says what is counted and when which way is taken.
"""

import numpy as np
from numba import njit

from himation.independence.chisquare import log_tail
from himation.independence.popcount import popcount
from himation.independence.subsets import first_subset, next_subset

MOST_MASKS = 150
G2, PEARSON = 0, 1


@njit(cache=True, nogil=True)
def _split(planes, first, masks, variable):
    """Divide each mask by the values of a variable; empty parts are left out. Also the mask each part came from."""
    count, words = masks.shape
    values = first[variable + 1] - first[variable] + 1
    parts = np.empty((count * values, words), dtype=np.uint64)
    origin = np.empty(count * values, dtype=np.int64)
    sizes = np.empty(count * values, dtype=np.int64)
    kept = 0
    for m in range(count):
        for value in range(values):
            size = 0
            for w in range(words):
                word = masks[m, w]
                if value > 0:
                    word &= planes[first[variable] + value - 1, w]
                else:
                    for plane in range(first[variable], first[variable + 1]):
                        word &= ~planes[plane, w]
                parts[kept, w] = word
                size += popcount(word)
            if size > 0:
                origin[kept] = m
                sizes[kept] = size
                kept += 1
    return parts[:kept], origin[:kept], sizes[:kept]


@njit(cache=True, nogil=True)
def stratum_masks(planes, first, n, x, conditioning):
    """Masks (stratum, value of x) of the strata in which x varies; where each stratum ends; the size of each mask."""
    words = planes.shape[1]
    strata = np.empty((1, words), dtype=np.uint64)
    strata[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
    if n % 64:
        strata[0, words - 1] >>= np.uint64(64 - n % 64)
    for j in range(conditioning.size):
        strata, _, _ = _split(planes, first, strata, conditioning[j])
    masks, origin, sizes = _split(planes, first, strata, x)
    ends = np.empty(strata.shape[0], dtype=np.int64)
    kept_masks = 0
    kept_strata = 0
    begin = 0
    while begin < origin.size:
        end = begin
        while end < origin.size and origin[end] == origin[begin]:
            end += 1
        if end - begin > 1:
            for m in range(begin, end):
                if kept_masks != m:
                    masks[kept_masks] = masks[m]
                    sizes[kept_masks] = sizes[m]
                kept_masks += 1
            ends[kept_strata] = kept_masks
            kept_strata += 1
        begin = end
    return masks[:kept_masks], ends[:kept_strata], sizes[:kept_masks]


@njit(cache=True, nogil=True)
def shared(masks, m, planes, plane):
    """How many examples a mask and a plane have in common."""
    count = 0
    for w in range(masks.shape[1]):
        count += popcount(masks[m, w] & planes[plane, w])
    return count


@njit(cache=True, nogil=True)
def _stratum(counts, rows, columns, sizes, begin, column_sizes, xlogx, statistic):
    """One stratum's part of the statistic (halved) and its degrees of freedom; all rows occur, and their sizes stand
    in ``sizes`` from ``begin`` on."""
    size = 0
    seen = 0
    for a in range(rows):
        size += sizes[begin + a]
    for b in range(columns):
        seen += column_sizes[b] > 0
    if seen < 2 or rows < 2:
        return 0.0, 0
    total = 0.0
    if statistic == PEARSON:
        for a in range(rows):
            for b in range(columns):
                if column_sizes[b] > 0:
                    expected = sizes[begin + a] * column_sizes[b] / size
                    total += (counts[a * columns + b] - expected) ** 2 / expected
        return 0.5 * total, (rows - 1) * (seen - 1)
    for a in range(rows):
        total -= xlogx[sizes[begin + a]]
        for b in range(columns):
            total += xlogx[counts[a * columns + b]]
    for b in range(columns):
        total -= xlogx[column_sizes[b]]
    return total + xlogx[size], (rows - 1) * (seen - 1)


@njit(cache=True, nogil=True)
def plane_many(planes, first, masks, ends, sizes, candidates, xlogx, statistic):
    found = np.zeros(candidates.size)
    df = np.zeros(candidates.size)
    widest = 1
    tallest = 1
    for i in range(candidates.size):
        widest = max(widest, first[candidates[i] + 1] - first[candidates[i]] + 1)
    begin = 0
    for s in range(ends.size):
        tallest = max(tallest, ends[s] - begin)
        begin = ends[s]
    counts = np.empty(tallest * widest, dtype=np.int64)
    column_sizes = np.empty(widest, dtype=np.int64)
    for i in range(candidates.size):
        plane0 = first[candidates[i]]
        columns = first[candidates[i] + 1] - plane0 + 1
        total = 0.0
        freedom = 0
        begin = 0
        for s in range(ends.size):
            end = ends[s]
            for b in range(columns):
                column_sizes[b] = 0
            for m in range(begin, end):
                row = (m - begin) * columns
                left = sizes[m]
                for b in range(1, columns):
                    count = shared(masks, m, planes, plane0 + b - 1)
                    counts[row + b] = count
                    column_sizes[b] += count
                    left -= count
                counts[row] = left
                column_sizes[0] += left
            part, more = _stratum(counts, end - begin, columns, sizes, begin, column_sizes, xlogx, statistic)
            total += part
            freedom += more
            begin = end
        found[i] = 2 * total
        df[i] = freedom
    return found, df


@njit(cache=True, nogil=True)
def _count_cells(counts, strata, rows, columns, row_sizes, column_sizes, present, xlogx, statistic):
    """Statistic (halved for G-square) and adjusted degrees of freedom of a table of counts by stratum, row, column."""
    total = 0.0
    df = 0
    for s in range(strata):
        kept = 0
        column_sizes[:columns] = 0
        for a in range(rows):
            row_sizes[kept] = 0
            for b in range(columns):
                count = counts[(s * rows + a) * columns + b]
                present[kept * columns + b] = count
                row_sizes[kept] += count
                column_sizes[b] += count
            kept += row_sizes[kept] > 0
        part, more = _stratum(present, kept, columns, row_sizes, 0, column_sizes, xlogx, statistic)
        total += part
        df += more
    return total, df


@njit(cache=True, nogil=True)
def byte_cells(codes, arities, conditioning, x):
    """For every example the cell (stratum, x) it falls into, strata numbered in the order of their first example."""
    n = codes.shape[1]
    stratum = np.zeros(n, dtype=np.int64)
    size = 1
    for j in range(conditioning.size):
        for e in range(n):
            stratum[e] = stratum[e] * arities[conditioning[j]] + codes[conditioning[j], e]
        size *= arities[conditioning[j]]
    number = np.full(size, -1, dtype=np.int64)
    seen = 0
    cells = np.empty(n, dtype=np.int64)
    for e in range(n):
        if number[stratum[e]] < 0:
            number[stratum[e]] = seen
            seen += 1
        cells[e] = number[stratum[e]] * arities[x] + codes[x, e]
    return cells, seen


@njit(cache=True, nogil=True)
def byte_many(codes, arities, cells, strata, x_arity, candidates, xlogx, statistic):
    n = codes.shape[1]
    found = np.zeros(candidates.size)
    df = np.zeros(candidates.size)
    widest = 1
    for i in range(candidates.size):
        widest = max(widest, arities[candidates[i]])
    counts = np.empty(strata * x_arity * widest, dtype=np.int64)
    present = np.empty(x_arity * widest, dtype=np.int64)
    row_sizes = np.empty(x_arity, dtype=np.int64)
    column_sizes = np.empty(widest, dtype=np.int64)
    for i in range(candidates.size):
        y = candidates[i]
        columns = arities[y]
        counts[: strata * x_arity * columns] = 0
        for e in range(n):
            counts[cells[e] * columns + codes[y, e]] += 1
        total, freedom = _count_cells(
            counts, strata, x_arity, columns, row_sizes, column_sizes, present, xlogx, statistic
        )
        df[i] = freedom
        found[i] = 2 * total
    return found, df


@njit(cache=True, nogil=True)
def _still_dependent(candidates, size):
    """Positions of the candidates that no set has separated yet."""
    kept = np.empty(candidates.size, dtype=np.int64)
    count = 0
    for c in range(candidates.size):
        if size[c] < 0:
            kept[count] = c
            count += 1
    return kept[:count]


@njit(cache=True, nogil=True)
def weakest(
    planes,
    first,
    codes,
    arities,
    n,
    x,
    candidates,
    pool,
    first_new,
    max_size,
    log_alpha,
    most_df,
    adjust,
    xlogx,
    statistic,
    never_bytes,
):
    log_p = np.full(candidates.size, -np.inf)
    sets = np.zeros((candidates.size, max_size), dtype=np.int64)
    size = np.full(candidates.size, -1, dtype=np.int64)
    chosen = np.zeros(max_size, dtype=np.int64)
    for k in range(1, min(max_size, pool.size) + 1):
        first_subset(chosen, k)
        while True:
            z = pool[chosen[:k]]
            strata = 1.0
            for i in range(k):
                strata *= arities[z[i]]
            if chosen[k - 1] >= first_new and strata * (arities[x] - 1) <= most_df:
                alive = _still_dependent(candidates, size)
                if alive.size == 0:
                    return log_p, sets, size
                if never_bytes or strata * arities[x] <= MOST_MASKS:
                    masks, ends, sizes = stratum_masks(planes, first, n, x, z)
                    found, df = plane_many(planes, first, masks, ends, sizes, candidates[alive], xlogx, statistic)
                else:
                    cells, seen = byte_cells(codes, arities, z, x)
                    found, df = byte_many(codes, arities, cells, seen, arities[x], candidates[alive], xlogx, statistic)
                for i in range(alive.size):
                    c = alive[i]
                    nominal = strata * (arities[x] - 1) * (arities[candidates[c]] - 1)
                    if nominal > most_df:
                        continue
                    tail = log_tail(max(found[i], 0.0), df[i] if adjust else nominal)
                    if tail > log_p[c]:
                        log_p[c] = tail
                        if tail > log_alpha:
                            size[c] = k
                            sets[c, :k] = z
            if not next_subset(chosen, k, pool.size):
                break
    return log_p, sets, size


@njit(cache=True, nogil=True)
def weakest_of_one(codes, arities, x, y, pool, first_new, max_size, log_alpha, most_df, adjust, xlogx, statistic):
    """The same search for one candidate: x and y as one code, and the strata of a subset's beginning remembered."""
    n = codes.shape[1]
    rows, columns = arities[x], arities[y]
    pair = np.empty(n, dtype=np.int64)
    for e in range(n):
        pair[e] = codes[x, e] * columns + codes[y, e]
    row_sizes = np.empty(rows, dtype=np.int64)
    column_sizes = np.empty(columns, dtype=np.int64)
    present = np.empty(rows * columns, dtype=np.int64)
    log_p = np.full(1, -np.inf)
    sets = np.zeros((1, max_size), dtype=np.int64)
    size = np.full(1, -1, dtype=np.int64)
    chosen = np.zeros(max_size, dtype=np.int64)
    known = np.full(max_size, -1, dtype=np.int64)
    begun = np.zeros((max_size, n), dtype=np.int64)
    for k in range(1, min(max_size, pool.size) + 1):
        first_subset(chosen, k)
        known[:] = -1
        while True:
            strata = 1.0
            for i in range(k):
                strata *= arities[pool[chosen[i]]]
            nominal = strata * (rows - 1) * (columns - 1)
            if chosen[k - 1] >= first_new and nominal <= most_df:
                for i in range(k - 1):
                    if known[i] != chosen[i]:
                        variable = pool[chosen[i]]
                        for e in range(n):
                            before = begun[i - 1, e] if i > 0 else 0
                            begun[i, e] = before * arities[variable] + codes[variable, e]
                        known[i] = chosen[i]
                        known[i + 1 :] = -1
                last = pool[chosen[k - 1]]
                cells = rows * columns
                counts = np.zeros(int(strata) * cells, dtype=np.int64)
                if k > 1:
                    for e in range(n):
                        counts[(begun[k - 2, e] * arities[last] + codes[last, e]) * cells + pair[e]] += 1
                else:
                    for e in range(n):
                        counts[codes[last, e] * cells + pair[e]] += 1
                total, df = _count_cells(
                    counts, int(strata), rows, columns, row_sizes, column_sizes, present, xlogx, statistic
                )
                tail = log_tail(max(2 * total, 0.0), float(df) if adjust else nominal)
                if tail > log_p[0]:
                    log_p[0] = tail
                    if tail > log_alpha:
                        size[0] = k
                        for i in range(k):
                            sets[0, i] = pool[chosen[i]]
                        return log_p, sets, size
            if not next_subset(chosen, k, pool.size):
                break
    return log_p, sets, size
