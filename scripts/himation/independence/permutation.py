"""G-square judged by permutation, for sparse tables.

With few examples in a cell the G-square statistic does not follow chi-square: with about one expected it is too large,
with much less than one too small. Under independence of X and Y given Z all ways to pair their values within a stratum
of Z are equally likely, so the statistic is compared with what shuffling one of them within the strata gives:
p = (1 + number of shuffles with a statistic at least as large) / (1 + number of shuffles), a valid p-value for any
table.

Within a stratum only the cells change, not the margins, so that G-square grows with the sum of n log n over the cells,
and only the places of the values other than the most frequent need to be drawn: on rare values a shuffle costs a few
steps, whatever the number of examples.

Three conventions:

* The random stream of a test follows from the seed and from the contents of X, Y and Z, not from the order of calls,
  columns or threads: the same question always has the same answer.
* p cannot fall below 1 / (1 + permutations). Where no shuffle reaches the statistic, log p is the smaller of that floor
  and of chi-square's log p, so that strong links keep an order among themselves and stay below all others.
* ``screen = (low, high)``: what chi-square puts below ``low`` or above ``high`` is not shuffled but left to
  chi-square, if the degrees of freedom are few. With many of them small errors add up: at 400, on five examples each,
  chi-square puts 97 % of independent pairs below a millionth. None shuffles everything.

A test is reliable by the rule of `GSquare`, five examples for each degree of freedom. Its level would hold without
that; the rule stays because a test without power must not count as evidence of independence. ``examples_per_df = 0``
lifts it.
"""

from hashlib import blake2b

import numpy as np
from numba import njit

from himation.errors import UserError
from himation.independence.base import IndependenceTest, Many
from himation.independence.gsquare import EXAMPLES_PER_DF, GSquare

PERMUTATIONS = 1000
SCREEN = (1e-6, 0.5)
MOST_DF_SCREENED = 16
_MOST_CELLS = 2**24  # of a table; a larger one is not made, and its test not reliable
_TIE = 1e-7  # two statistics closer than this are equal but for rounding


class PermutationG2(IndependenceTest):
    """G-square with p-values by permutation, on one row of codes 0 to arity - 1 for each variable.

    >>> rng = np.random.default_rng(0)
    >>> z = rng.integers(0, 2, 200); x = z ^ (rng.random(200) < 0.2); y = z ^ (rng.random(200) < 0.2)
    >>> test = PermutationG2(np.array([x, y, z], dtype=np.uint8))
    >>> test.test(0, 1).p_value < 0.001, test.test(0, 1, (2,)).p_value > 0.01
    (True, True)
    """

    def __init__(
        self,
        codes: np.ndarray,
        arities=None,
        permutations: int = PERMUTATIONS,
        seed: int = 0,
        screen: tuple[float, float] | None = SCREEN,
        adjust: bool = True,
        examples_per_df: float = EXAMPLES_PER_DF,
    ):
        if permutations < 1:
            raise UserError(f"permutations is {permutations}: it must be at least 1")
        self._codes = np.ascontiguousarray(codes, dtype=np.uint8)
        if arities is not None:
            for i in np.flatnonzero(self._codes.max(axis=1, initial=0) >= np.asarray(arities)):
                raise UserError(f"column {i}: codes must be 0 to {arities[i] - 1}, found {self._codes[i].max()}")
        self._asymptotic = GSquare.from_codes(self._codes, arities, adjust=adjust, examples_per_df=examples_per_df)
        self.n_variables, self.n = self._codes.shape
        self.permutations, self.seed, self.screen = permutations, seed, screen
        self._xlogx = np.arange(self.n + 1, dtype=np.float64)
        self._xlogx[1:] *= np.log(self._xlogx[1:])
        self._digests: dict[int, bytes] = {}

    def many(self, x, candidates, z):
        candidates = np.asarray(candidates, dtype=np.int64)
        found = self._asymptotic.many(x, candidates, z)
        open_ones = found.reliable & (found.df > 0)
        if self.screen is not None:
            low, high = np.log(self.screen)
            clear = (found.log_p < low) | (found.log_p > high)
            open_ones &= ~(clear & (found.df <= MOST_DF_SCREENED))
        log_p, reliable = found.log_p.copy(), found.reliable
        if open_ones.any():
            strata = _number_strata(self._codes, np.array(z, dtype=np.int64))
            arities, count = self._asymptotic.arities, int(strata.max()) + 1
            reliable = reliable & (count * arities[x] * arities[candidates] <= _MOST_CELLS)
            chosen = np.flatnonzero(open_ones & reliable)
            data = (self._codes, arities, strata, count)
            streams = self._streams(x, candidates[chosen], z)
            limits = (self.permutations, self._xlogx)
            reached = _count_reached(*data, int(x), candidates[chosen], *streams, *limits)
            shuffled = np.log((1 + reached) / (1 + self.permutations))
            log_p[chosen] = np.where(reached > 0, shuffled, np.minimum(shuffled, found.log_p[chosen]))
        return Many(found.statistic, found.df, log_p, reliable)

    def _digest(self, i: int) -> bytes:
        if i not in self._digests:
            self._digests[i] = blake2b(self._codes[i].tobytes(), digest_size=16).digest()
        return self._digests[i]

    def _streams(self, x, candidates, z):
        """A state of the generator for each test, and which of its variables comes first, from their contents."""
        given = b"".join(sorted(self._digest(int(i)) for i in z))
        start = int(self.seed).to_bytes(16, "little", signed=True)
        own = self._digest(int(x))
        seeds, first = np.empty(len(candidates), dtype=np.uint64), np.empty(len(candidates), dtype=bool)
        for i, y in enumerate(candidates):
            other = self._digest(int(y))
            text = b"".join((start, min(own, other), max(own, other), given))
            seeds[i] = int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
            first[i] = own <= other
        return seeds, first


def _number_strata(codes, z):
    """Stratum of every example, numbered in an order that does not depend on that of ``z``: of first examples."""
    strata = np.zeros(codes.shape[1], dtype=np.int64)
    for i in z:
        _, strata = np.unique(strata * (int(codes[i].max()) + 1) + codes[i], return_inverse=True)
    _, first, strata = np.unique(strata, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[strata]


@njit(cache=True, nogil=True)
def _random(state):
    """splitmix64: the next state and 64 random bits."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    bits = state
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, bits ^ (bits >> np.uint64(31))


@njit(cache=True, nogil=True)
def _below(state, limit):
    """The next state and a random number from 0 to limit - 1; limit is far below 2^32, so its bias is below 2^-32."""
    state, bits = _random(state)
    return state, np.int64(((bits >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@njit(cache=True, nogil=True)
def _tables(strata, count, a, a_arity, b, b_arity):
    """Counts (stratum, value of a, value of b)."""
    table = np.zeros((count, a_arity, b_arity), dtype=np.int64)
    for e in range(strata.size):
        table[strata[e], a[e], b[e]] += 1
    return table


@njit(cache=True, nogil=True)
def _places_to_draw(table):
    """How many places a shuffle of the second variable draws: all but its most frequent value, in strata that vary."""
    total = 0
    for s in range(table.shape[0]):
        columns = table[s].sum(axis=0)
        rows = table[s].sum(axis=1)
        if columns.max() < columns.sum() and rows.max() < rows.sum():
            total += columns.sum() - columns.max()
    return total


@njit(cache=True, nogil=True)
def _shuffled_sum(values, rows, columns, common, counts, xlogx, state):
    """Place the rare values of one variable at random among ``values`` of the other; sum of n log n over the cells.

    ``rows`` and ``columns`` are the margins, ``common`` the most frequent column. ``values`` stays shuffled.
    """
    counts[: rows.size, : columns.size] = 0
    place = 0
    for b in range(columns.size):
        if b != common:
            for _ in range(columns[b]):
                state, jump = _below(state, values.size - place)
                other = place + jump
                values[place], values[other] = values[other], values[place]
                counts[values[place], b] += 1
                place += 1
    total = 0.0
    for a in range(rows.size):
        rest = rows[a]
        for b in range(columns.size):
            if b != common:
                rest -= counts[a, b]
                total += xlogx[counts[a, b]]
        total += xlogx[rest]
    return state, total


@njit(cache=True, nogil=True)
def _permute(table, permutations, xlogx, state):
    """How many shuffles of the second variable of ``table`` reach its own sum of n log n over the cells."""
    sums = np.zeros(permutations)
    own = 0.0
    counts = np.empty(table.shape[1:], dtype=np.int64)
    for s in range(table.shape[0]):
        rows, columns = table[s].sum(axis=1), table[s].sum(axis=0)
        if rows.max() == rows.sum() or columns.max() == columns.sum():
            continue
        values = np.empty(rows.sum(), dtype=np.int64)
        filled = 0
        for a in range(rows.size):
            values[filled : filled + rows[a]] = a
            filled += rows[a]
            for b in range(columns.size):
                own += xlogx[table[s, a, b]]
        common = np.argmax(columns)
        for i in range(permutations):
            state, total = _shuffled_sum(values, rows, columns, common, counts, xlogx, state)
            sums[i] += total
    return np.sum(sums >= own - _TIE)


@njit(cache=True, nogil=True)
def _count_reached(codes, arities, strata, count, x, candidates, seeds, first, permutations, xlogx):
    """For each candidate the number of shuffles whose statistic reaches its own."""
    reached = np.zeros(candidates.size, dtype=np.int64)
    for i in range(candidates.size):
        a, b = (x, candidates[i]) if first[i] else (candidates[i], x)
        table = _tables(strata, count, codes[a], arities[a], codes[b], arities[b])
        turned = _tables(strata, count, codes[b], arities[b], codes[a], arities[a])
        if _places_to_draw(turned) < _places_to_draw(table):
            table = turned
        reached[i] = _permute(table, permutations, xlogx, seeds[i])
    return reached
