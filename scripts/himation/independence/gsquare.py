"""The G-square test for discrete variables.

G^2 = 2 sum over the cells of observed * log(observed / expected), where under independence of X and Y given Z a cell
is expected to hold n(x, z) n(y, z) / n(z). Against chi-square with (|X| - 1)(|Y| - 1) |Z| degrees of freedom; with
``adjust`` each stratum of Z counts only the rows and columns that occur in it (Spirtes, Glymour and Scheines). A test
is reliable with at least five examples for each degree of freedom, counted without adjustment.

Two kernels: tables of 0/1 variables are kept as bits and counted by population count, others as bytes in one pass.
Strata in which the fixed variable is constant add exactly nothing and are left out.
"""

import numpy as np
from numba import njit

from himation.bits import pack_bits
from himation.independence.base import IndependenceTest, Many, Weakest
from himation.independence.chisquare import log_tail, log_tails
from himation.independence.popcount import popcount
from himation.independence.subsets import first_subset, next_subset

EXAMPLES_PER_DF = 5
_MOST_STRATA = 2**20


class GSquare(IndependenceTest):
    """G-square on integer codes.

    ``bits`` holds one row of words for each variable when all of them are binary; otherwise ``codes`` holds one row of
    bytes for each variable with the values 0 to arity - 1.

    >>> rng = np.random.default_rng(0)
    >>> z = rng.integers(0, 2, 1000); x = z ^ (rng.random(1000) < 0.1); y = z ^ (rng.random(1000) < 0.1)
    >>> test = GSquare.from_codes(np.array([x, y, z], dtype=np.uint8))
    >>> test.test(0, 1).p_value < 1e-9, test.test(0, 1, (2,)).p_value > 0.01
    (True, True)
    """

    def __init__(self, n, arities, bits=None, codes=None, adjust=True, examples_per_df=EXAMPLES_PER_DF):
        self.n = int(n)
        self.arities = np.asarray(arities, dtype=np.int64)
        self.bits = bits
        self.codes = codes
        self.adjust = adjust
        self.examples_per_df = examples_per_df
        self.n_variables = len(self.arities)
        counts = np.arange(self.n + 1, dtype=np.float64)
        counts[1:] *= np.log(counts[1:])
        self._xlogx = counts

    @classmethod
    def from_codes(cls, codes: np.ndarray, arities=None, **options) -> "GSquare":
        """From one row of small integers for each variable."""
        codes = np.ascontiguousarray(codes, dtype=np.uint8)
        arities = codes.max(axis=1).astype(np.int64) + 1 if arities is None else np.asarray(arities)
        if codes.size and arities.max() <= 2:
            return cls(codes.shape[1], arities, bits=pack_bits(codes), **options)
        return cls(codes.shape[1], arities, codes=codes, **options)

    def many(self, x, candidates, z):
        candidates = np.asarray(candidates, dtype=np.int64)
        strata = float(np.prod(self.arities[list(z)].astype(float))) if z else 1.0
        nominal = (self.arities[x] - 1.0) * (self.arities[candidates] - 1.0) * strata
        reliable = nominal * self.examples_per_df <= self.n
        if not reliable.any() or strata > _MOST_STRATA:
            nothing = np.zeros(len(candidates))
            return Many(nothing, nominal, nothing, np.zeros(len(candidates), dtype=bool))
        conditioning = np.array(z, dtype=np.int64)
        if self.bits is not None:
            masks, totals = _binary_strata(self.bits, self.n, x, conditioning)
            statistic, df = _binary_many(self.bits, masks, totals, candidates, self._xlogx)
        else:
            cells, strata_seen = _byte_strata(self.codes, self.arities, conditioning, x)
            statistic, df = _byte_many(
                self.codes, self.arities, cells, strata_seen, self.arities[x], candidates, self._xlogx
            )
        if not self.adjust:
            df = nominal
        statistic = np.maximum(statistic, 0)
        return Many(statistic, df, log_tails(statistic, df), reliable)

    def weakest(self, x, candidates, pool, first_new, max_size, log_alpha):
        candidates, pool = np.asarray(candidates, dtype=np.int64), np.asarray(pool, dtype=np.int64)
        limits = (self.n / self.examples_per_df, self.adjust, self._xlogx)
        if self.bits is not None:
            found = _binary_weakest(self.bits, self.n, x, candidates, pool, first_new, max_size, log_alpha, *limits)
        else:
            data = (self.codes, self.arities)
            found = _byte_weakest(*data, x, candidates, pool, first_new, max_size, log_alpha, *limits)
        return Weakest(*found)


@njit(cache=True, nogil=True)
def _note(c, statistic, df, k, z, log_alpha, log_p, sets, size):
    """Remember a test of candidate ``c``: its weakest association, and the set if it is independent."""
    found = log_tail(max(statistic, 0.0), df)
    if found > log_p[c]:
        log_p[c] = found
        if found > log_alpha:
            size[c] = k
            sets[c, :k] = z


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
def _binary_weakest(bits, n, x, candidates, pool, first_new, max_size, log_alpha, most_df, adjust, xlogx):
    log_p = np.full(candidates.size, -np.inf)
    sets = np.zeros((candidates.size, max_size), dtype=np.int64)
    size = np.full(candidates.size, -1, dtype=np.int64)
    chosen = np.zeros(max_size, dtype=np.int64)
    for k in range(1, min(max_size, pool.size) + 1):
        nominal = 1 << k
        if nominal > most_df:
            break
        first_subset(chosen, k)
        while True:
            if chosen[k - 1] >= first_new:
                alive = _still_dependent(candidates, size)
                if alive.size == 0:
                    return log_p, sets, size
                z = pool[chosen[:k]]
                masks, totals = _binary_strata(bits, n, x, z)
                statistic, df = _binary_many(bits, masks, totals, candidates[alive], xlogx)
                for i in range(alive.size):
                    freedom = df[i] if adjust else float(nominal)
                    _note(alive[i], statistic[i], freedom, k, z, log_alpha, log_p, sets, size)
            if not next_subset(chosen, k, pool.size):
                break
    return log_p, sets, size


@njit(cache=True, nogil=True)
def _byte_weakest(codes, arities, x, candidates, pool, first_new, max_size, log_alpha, most_df, adjust, xlogx):
    log_p = np.full(candidates.size, -np.inf)
    sets = np.zeros((candidates.size, max_size), dtype=np.int64)
    size = np.full(candidates.size, -1, dtype=np.int64)
    chosen = np.zeros(max_size, dtype=np.int64)
    for k in range(1, min(max_size, pool.size) + 1):
        first_subset(chosen, k)
        while True:
            z = pool[chosen[:k]]
            strata = float(arities[x] - 1)
            for i in range(k):
                strata *= arities[z[i]]
            if chosen[k - 1] >= first_new and strata <= most_df:
                alive = _still_dependent(candidates, size)
                if alive.size == 0:
                    return log_p, sets, size
                cells, seen = _byte_strata(codes, arities, z, x)
                statistic, df = _byte_many(codes, arities, cells, seen, arities[x], candidates[alive], xlogx)
                for i in range(alive.size):
                    nominal = strata * (arities[candidates[alive[i]]] - 1)
                    if nominal <= most_df:
                        freedom = df[i] if adjust else nominal
                        _note(alive[i], statistic[i], freedom, k, z, log_alpha, log_p, sets, size)
            if not next_subset(chosen, k, pool.size):
                break
    return log_p, sets, size


@njit(cache=True, nogil=True)
def _binary_strata(bits, n, x, conditioning):
    """Masks (stratum, stratum with x = 1) of the strata in which x varies, and their sizes."""
    words = bits.shape[1]
    k = conditioning.size
    masks = np.empty((1 << k, 2, words), dtype=np.uint64)
    totals = np.empty((1 << k, 2), dtype=np.int64)
    ones = np.uint64(0xFFFFFFFFFFFFFFFF)
    last = ones if n % 64 == 0 else ones >> np.uint64(64 - n % 64)
    kept = 0
    for s in range(1 << k):
        size = 0
        with_x = 0
        for w in range(words):
            mask = last if w == words - 1 else ones
            for j in range(k):
                word = bits[conditioning[j], w]
                mask &= word if (s >> j) & 1 else ~word
            masks[kept, 0, w] = mask
            masks[kept, 1, w] = mask & bits[x, w]
            size += popcount(mask)
            with_x += popcount(masks[kept, 1, w])
        if 0 < with_x < size:
            totals[kept, 0] = size
            totals[kept, 1] = with_x
            kept += 1
    return masks[:kept], totals[:kept]


@njit(cache=True, nogil=True)
def _binary_many(bits, masks, totals, candidates, xlogx):
    strata, _, words = masks.shape
    statistic = np.zeros(candidates.size)
    df = np.zeros(candidates.size)
    for i in range(candidates.size):
        y = candidates[i]
        total = 0.0
        freedom = 0
        for s in range(strata):
            ones = 0
            both = 0
            for w in range(words):
                word = bits[y, w]
                ones += popcount(word & masks[s, 0, w])
                both += popcount(word & masks[s, 1, w])
            size = totals[s, 0]
            with_x = totals[s, 1]
            if ones == 0 or ones == size:
                continue
            freedom += 1
            cells = xlogx[both] + xlogx[ones - both] + xlogx[with_x - both] + xlogx[size - with_x - ones + both]
            margins = xlogx[ones] + xlogx[size - ones] + xlogx[with_x] + xlogx[size - with_x]
            total += cells - margins + xlogx[size]
        statistic[i] = 2 * total
        df[i] = freedom
    return statistic, df


@njit(cache=True, nogil=True)
def _byte_strata(codes, arities, conditioning, x):
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
def _byte_many(codes, arities, cells, strata, x_arity, candidates, xlogx):
    n = codes.shape[1]
    statistic = np.zeros(candidates.size)
    df = np.zeros(candidates.size)
    widest = 0
    for i in range(candidates.size):
        widest = max(widest, arities[candidates[i]])
    counts = np.empty(strata * x_arity * widest, dtype=np.int64)
    columns = np.empty(widest, dtype=np.int64)
    for i in range(candidates.size):
        y = candidates[i]
        y_arity = arities[y]
        counts[: strata * x_arity * y_arity] = 0
        for e in range(n):
            counts[cells[e] * y_arity + codes[y, e]] += 1
        total = 0.0
        for s in range(strata):
            columns[:y_arity] = 0
            rows_seen = 0
            size = 0
            part = 0.0
            for a in range(x_arity):
                row = 0
                for b in range(y_arity):
                    count = counts[(s * x_arity + a) * y_arity + b]
                    row += count
                    columns[b] += count
                    part += xlogx[count]
                rows_seen += row > 0
                size += row
                part -= xlogx[row]
            columns_seen = 0
            for b in range(y_arity):
                columns_seen += columns[b] > 0
                part -= xlogx[columns[b]]
            if rows_seen > 1 and columns_seen > 1:
                total += part + xlogx[size]
                df[i] += (rows_seen - 1) * (columns_seen - 1)
        statistic[i] = 2 * total
    return statistic, df
