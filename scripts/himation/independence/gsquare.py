"""The G-square and Pearson chi-square tests for discrete variables.

G^2 = 2 sum over the cells of observed * log(observed / expected), where under independence of X and Y given Z a cell
is expected to hold n(x, z) n(y, z) / n(z); Pearson's statistic is the sum of (observed - expected)^2 / expected. Both
are held against chi-square with (|X| - 1)(|Y| - 1) |Z| degrees of freedom; with ``adjust`` each stratum of Z counts
only the rows and columns that occur in it (Spirtes, Glymour and Scheines). A test is reliable with at least five
examples for each degree of freedom, counted without adjustment.

Counting is all the cost. A variable with r values is kept as r - 1 planes of bits, and a cell is the population count
of a mask (stratum and value of x) and a plane. Where a test has more cells than about `MOST_MASKS`, one pass over the
examples as bytes is faster. Strata in which x is constant add exactly nothing and are left out, which is decisive on
sparse tables.
"""

from functools import cached_property

import numpy as np

from himation.independence.base import IndependenceTest, Many, Screened, Weakest
from himation.independence.chisquare import log_tails
from himation.independence.counting import (
    G2,
    MOST_MASKS,
    PEARSON,
    byte_cells,
    byte_many,
    plane_many,
    stratum_masks,
    weakest,
    weakest_of_one,
)
from himation.independence.planes import codes_from, plane_totals, planes_from
from himation.independence.screening import critical_values, screen
from himation.test_names import EXAMPLES_PER_DF

_MOST_STRATA = 2**20
_MOST_BYTES = 2**28
STATISTICS = {"g2": G2, "pearson": PEARSON}


class GSquare(IndependenceTest):
    """The test on integer codes, 0 to arity - 1 for each variable.

    ``planes`` holds the bits of all variables one after the other: for each value but 0 a row of words. ``codes``, one
    row of bytes for each variable, is needed for tables with many values and made when it is first missed.

    >>> rng = np.random.default_rng(0)
    >>> z = rng.integers(0, 2, 1000); x = z ^ (rng.random(1000) < 0.1); y = z ^ (rng.random(1000) < 0.1)
    >>> test = GSquare.from_codes(np.array([x, y, z], dtype=np.uint8))
    >>> test.test(0, 1).p_value < 1e-9, test.test(0, 1, (2,)).p_value > 0.01
    (True, True)
    """

    def __init__(self, n, arities, planes, statistic="g2", adjust=True, examples_per_df=EXAMPLES_PER_DF, codes=None):
        self.n = int(n)
        self.arities = np.asarray(arities, dtype=np.int64)
        self.n_variables = len(self.arities)
        self.adjust = adjust
        self.examples_per_df = examples_per_df
        self._planes = np.ascontiguousarray(planes)
        self._first = np.concatenate([[0], np.cumsum(self.arities - 1)])
        self._codes = codes
        self._statistic = STATISTICS[statistic]
        self._critical: dict[float, np.ndarray] = {}
        counts = np.arange(self.n + 1, dtype=np.float64)
        counts[1:] *= np.log(counts[1:])
        self._xlogx = counts

    @classmethod
    def from_codes(cls, codes: np.ndarray, arities=None, **options) -> "GSquare":
        """From one row of small integers for each variable."""
        codes = np.ascontiguousarray(codes, dtype=np.uint8)
        if arities is None:
            arities = codes.max(axis=1).astype(np.int64) + 1
        arities = np.asarray(arities, dtype=np.int64)
        planes = planes_from(codes, np.concatenate([[0], np.cumsum(arities - 1)]))
        return cls(codes.shape[1], arities, planes, codes=codes, **options)

    @property
    def codes(self) -> np.ndarray:
        if self._codes is None:
            self._codes = codes_from(self._planes, self._first, self.n)
        return self._codes

    def _by_planes(self, x, masks) -> bool:
        return masks <= MOST_MASKS or self._all_binary

    @cached_property
    def _all_binary(self) -> bool:
        return bool((self.arities == 2).all())

    def _one_pass_is_faster(self, x, y, pool, max_size) -> bool:
        """For one candidate the masks serve a single test: compare words of masks and planes with examples."""
        if self._codes is None and self.n_variables * self.n > _MOST_BYTES:
            return False
        strata = np.sort(self.arities[pool])[::-1][:max_size].astype(float).prod()
        return strata * self.arities[x] * (self.arities[y] + 1) * self._planes.shape[1] > self.n

    def many(self, x, candidates, z):
        candidates = np.asarray(candidates, dtype=np.int64)
        strata = float(np.prod(self.arities[list(z)].astype(float))) if z else 1.0
        nominal = (self.arities[x] - 1.0) * (self.arities[candidates] - 1.0) * strata
        reliable = (nominal * self.examples_per_df <= self.n) & (strata <= _MOST_STRATA)
        if not reliable.all():
            return self._reliable_of_many(x, candidates, z, nominal, reliable)
        conditioning = np.array(z, dtype=np.int64)
        if self._by_planes(x, strata * self.arities[x]):
            masks, ends, totals = stratum_masks(self._planes, self._first, self.n, x, conditioning)
            data = (self._planes, self._first, masks, ends, totals)
            statistic, df = plane_many(*data, candidates, self._xlogx, self._statistic)
        else:
            cells, seen = byte_cells(self.codes, self.arities, conditioning, x)
            data = (self.codes, self.arities, cells, seen, self.arities[x])
            statistic, df = byte_many(*data, candidates, self._xlogx, self._statistic)
        if not self.adjust:
            df = nominal
        statistic = np.maximum(statistic, 0)
        return Many(statistic, df, log_tails(statistic, df), reliable)

    def _reliable_of_many(self, x, candidates, z, nominal, reliable) -> Many:
        """Count only what will be used."""
        statistic, df, log_p = np.zeros(len(candidates)), nominal.copy(), np.zeros(len(candidates))
        if reliable.any():
            some = self.many(x, candidates[reliable], z)
            statistic[reliable], df[reliable], log_p[reliable] = some.statistic, some.df, some.log_p
        return Many(statistic, df, log_p, reliable)

    @cached_property
    def _totals(self) -> np.ndarray:
        return plane_totals(self._planes)

    def screen(self, x, candidates, log_alpha):
        if self._statistic != G2 or not self._by_planes(x, self.arities[x]):
            return super().screen(x, candidates, log_alpha)
        if log_alpha not in self._critical:
            self._critical[log_alpha] = critical_values(log_alpha)
        most_df = self.n / self.examples_per_df if self.examples_per_df else np.inf
        found = screen(
            self._planes,
            self._first,
            self._totals,
            self.n,
            x,
            np.asarray(candidates, dtype=np.int64),
            self._xlogx,
            most_df,
            self.adjust,
            log_alpha,
            self._critical[log_alpha],
        )
        return Screened(*found)

    def weakest(self, x, candidates, pool, first_new, max_size, log_alpha, known=None):
        candidates, pool = np.asarray(candidates, dtype=np.int64), np.asarray(pool, dtype=np.int64)
        most_df = self.n / self.examples_per_df if self.examples_per_df else np.inf
        if len(candidates) == 1 and self._one_pass_is_faster(x, int(candidates[0]), pool, max_size):
            found = weakest_of_one(
                self.codes,
                self.arities,
                x,
                candidates[0],
                pool,
                first_new,
                max_size,
                log_alpha,
                most_df,
                self.adjust,
                self._xlogx,
                self._statistic,
            )
            return Weakest(*found)
        widest = np.sort(self.arities[pool])[::-1][:max_size].astype(float)
        never_bytes = self._by_planes(x, self.arities[x] * widest.prod())
        found = weakest(
            self._planes,
            self._first,
            np.empty((0, 0), dtype=np.uint8) if never_bytes else self.codes,
            self.arities,
            self.n,
            x,
            candidates,
            pool,
            first_new,
            max_size,
            log_alpha,
            most_df,
            self.adjust,
            self._xlogx,
            self._statistic,
            never_bytes,
        )
        return Weakest(*found)
