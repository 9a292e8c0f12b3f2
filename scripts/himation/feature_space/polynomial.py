"""The weights inside a polynomial SVM: which products of variables does a trained model look at (thesis, chapter II).

A model with the kernel (x.x' + 1)^d is linear in all monomials of degree at most d, but never writes their weights
down: with alpha_k its signed multipliers and x_k its support vectors, w_q = c_q sum_k alpha_k x_k^q (II.40). There
are C(m + d, d) of them. What can be had without listing them is the squared norm of the weights of all monomials of
degree l that contain variable v (II.39),

    s[l][v] = C(d, l) sum_jk alpha_j alpha_k ( G_jk^l - (G_jk - x_jv x_kv)^l ),    G_jk = x_j.x_k.

which `weight_norms` computes for all variables at once. Three searches for the heaviest features use it:

* `brute_force` lists everything;
* `heur1` (algorithm 1) lists everything among the k variables of largest sum_l s[l][v];
* `heur2` (algorithm 2) grows, for each degree, a set of variables in order of s[l][v], always in the most promising
  degree, and lists the products of the new variable with the set. The weights found are taken off s.

Both say whether their answer is `proven` to be the true top r: no feature left out can be heavier than what is left
of s. (Lemma 2 as printed, II.45, compares a weight with s, which is a sum of squares; here squares are compared with
squares.)

Where all columns are binary and coded alike, the monomials of each degree repeat each other (x1 x2^2 = x1 for values
-1/+1). The searches then work with the different products only: the contributions are those of products of l different
variables, and no time or weight goes to redundant ones. Otherwise redundant features are merged when they are found.

The constant feature is left out. Equal weights (to 12 digits) are ordered by degree, then by column.

>>> SV = np.array([[1.0, 1.0, 0.5], [1.0, -1.0, 0.5], [-1.0, 1.0, 0.5], [-1.0, -1.0, 0.5]])
>>> top = brute_force(SV, np.array([1.0, -1.0, -1.0, 1.0]), degree=2, r=2)  # the SVM that learned XOR
>>> [(feature_name(monomial), round(weight, 3)) for monomial, weight in top.features]
[('x1*x2', 5.657), ('x1', 0.0)]
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import comb
from typing import NamedTuple

import numpy as np

from himation.errors import UserError
from himation.feature_space.monomials import (
    PLUS_MINUS,
    REAL,
    Monomial,
    all_products,
    binary_coding,
    dense_columns,
    feature_name,
    feature_values,
    merged_scale_table,
    merged_scales,
    product_blocks,
    reduce_rows,
    runs,
    squared_scales,
    to_monomial,
)
from himation.feature_space.weight_norms import contributions, square_free_contributions
from himation.gram import is_sparse

__all__ = [
    "Feature",
    "TopWeights",
    "binary_coding",
    "brute_force",
    "contributions",
    "count_products",
    "feature_name",
    "feature_values",
    "heur1",
    "heur2",
]

POOL_ROWS = 50_000  # features held before all but the heaviest are dropped
ROUNDING = 1e-10  # of the largest contribution: differences below it prove nothing
SKIPPED, STRUCK = "skipped", "struck"
REDUNDANT = (SKIPPED, STRUCK)
LEVEL_RULES = ("normalised", "maximum")


class Feature(NamedTuple):
    """A product of variables, ((variable, power), ...), and its weight in the model."""

    monomial: Monomial
    weight: float


@dataclass(frozen=True)
class TopWeights:
    """The heaviest features found, heaviest first; whether they are proven to be the true ones; the work done."""

    features: tuple[Feature, ...]
    proven: bool
    constructed: int


def brute_force(
    SV, alpha, degree: int, r: int | None = None, coding=None, merge: str = "largest", progress=None
) -> TopWeights:
    """All weights, or the r heaviest. A `coding` (see `binary_coding`) merges redundant powers of binary variables.

    With r given, memory is bounded and time is that of the matrix products: `count_products` times s multiplications.
    """
    m = SV.shape[1]
    pool = _Pool(m, degree, r, coding, merge)
    pool.add_all(dense_columns(SV, np.arange(m)), np.asarray(alpha, dtype=float), np.arange(m), progress)
    return TopWeights(pool.features(), True, pool.constructed)


def count_products(m: int, degree: int, repeat: bool = True) -> int:
    """The number of monomials of degree 1 to `degree` of m variables (II.41), or of products of different variables."""
    return sum(comb(m + level - 1 if repeat else m, level) for level in range(1, degree + 1))


def heur1(SV, alpha, degree: int, p: int = 20_000, r: int = 50, coding=None, merge: str = "largest") -> TopWeights:
    """Algorithm 1: everything among the top k variables, k the largest with C(k + degree, degree) <= p."""
    m = SV.shape[1]
    total = search_contributions(SV, alpha, degree, coding, merge).sum(axis=0)
    k = 1
    while k < m and comb(k + 1 + degree, degree) <= p:
        k += 1
    order = _descending(total)
    chosen, others = np.sort(order[:k]), order[k:]
    pool = _Pool(m, degree, r, coding, merge)
    pool.add_all(dense_columns(SV, chosen), np.asarray(alpha, dtype=float), chosen)
    features = pool.features()
    bound = total[others].max() if len(others) else 0.0  # II.44, squared
    return TopWeights(features, _proven(features, r, bound, total.max(), not len(others)), pool.constructed)


def heur2(
    SV,
    alpha,
    degree: int,
    p: int = 20_000,
    r: int = 50,
    coding=None,
    merge: str = "largest",
    level_by: str = "normalised",
    stop_when_proven: bool = False,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
    redundant: str = SKIPPED,
) -> TopWeights:
    """Algorithm 2. `level_by` chooses the next degree by the largest remaining contribution ("maximum"), or by that
    divided by the number of features it still stands for ("normalised"). With `stop_when_proven` the search ends
    before p features as soon as the answer is proven. It can be ended at any time: `stop()` is asked at every step.
    Redundant products of binary variables that are coded alike are left out of the search (`redundant` "skipped"), or,
    as in the thesis, constructed and then struck out of what was found ("struck")."""
    if redundant not in REDUNDANT:
        raise UserError(f"redundant {redundant!r}: write one of {', '.join(REDUNDANT)}")
    if level_by not in LEVEL_RULES:
        raise UserError(f"level_by {level_by!r}: write one of {', '.join(LEVEL_RULES)}")
    SV = SV.tocsc() if is_sparse(SV) else SV  # columns are fetched one by one
    alpha, m = np.asarray(alpha, dtype=float), SV.shape[1]
    guide = coding if redundant == SKIPPED else None
    s = search_contributions(SV, alpha, degree, guide, merge)
    scales = _square_free_scales(degree, guide, merge)
    pool = _Pool(m, degree, r, coding, merge)
    levels = [_Level(SV, alpha, degree, level, s[level - 1], scales) for level in range(1, degree + 1)]
    next_check = 2 * r
    while pool.constructed < p and (open_levels := [level for level in levels if not level.exhausted]):
        if stop and stop():
            break
        level = max(open_levels, key=lambda level: level.promise(level_by == "normalised"))
        pool.add(*level.expand())
        if progress:
            progress(min(pool.constructed, p), p)
        if stop_when_proven and pool.constructed >= next_check:
            next_check = 2 * pool.constructed
            if _proven(pool.features(), r, _bound(levels, merge), s.max(), False):
                break
    features, complete = pool.features(), all(level.exhausted for level in levels)
    return TopWeights(features, _proven(features, r, _bound(levels, merge), s.max(), complete), pool.constructed)


def search_contributions(SV, alpha, degree: int, coding=None, merge: str = "largest") -> np.ndarray:
    """The contributions that guide a search: of different products where all columns are coded alike, else II.39."""
    scales = _square_free_scales(degree, coding, merge)
    if scales is None:
        return contributions(SV, alpha, degree)
    return square_free_contributions(SV, alpha, degree, int(coding[0]), scales)


def _square_free_scales(degree: int, coding, merge: str) -> np.ndarray | None:
    """c^2 of a product of 1, 2, ..., degree binary variables, or None where columns are not all coded alike."""
    if coding is None or len(coding) == 0 or coding[0] == REAL or (coding != coding[0]).any():
        return None
    table = merged_scale_table(degree, int((coding == PLUS_MINUS).sum()), merge)
    return table[0, 0, 1:] if coding[0] == PLUS_MINUS else table[0, 1:, 0]


@dataclass
class _Level:
    """One degree of the search: the variables in order of contribution, those taken, and what is left of each."""

    SV: np.ndarray
    alpha: np.ndarray
    degree: int
    level: int
    initial: np.ndarray
    square_free: np.ndarray | None  # c^2 by degree where only products of different variables count
    taken: int = 0
    columns: np.ndarray = field(init=False)

    def __post_init__(self):
        self.order = _descending(self.initial)
        self.columns = np.empty((len(self.alpha), 16))
        self.left = np.empty(0)  # contribution still unexplained, for the variables taken
        self.unlisted = np.empty(0)  # how many features of theirs are not listed yet
        m, repeat = len(self.initial), self.square_free is None
        self.size = comb(m + self.level - 2 if repeat else m - 1, self.level - 1)  # features per variable, table II-2

    @property
    def exhausted(self) -> bool:
        return self.taken == len(self.order) or self.initial[self.order[self.taken]] <= 0.0

    def promise(self, normalised: bool) -> float:
        """The largest contribution left in this degree, as it is or per feature that it stands for."""
        if not normalised:
            return max(self.initial[self.order[self.taken]], self.left.max(initial=0.0))
        rest = self.left / np.maximum(self.unlisted, 1)
        return max(self.initial[self.order[self.taken]] / max(self.size, 1), rest.max(initial=0.0))

    def expand(self) -> tuple[np.ndarray, np.ndarray]:
        """List the products of the next variable with those taken; index rows and sums of alpha x^q."""
        k, new = self.taken, self.order[self.taken]
        if k == self.columns.shape[1]:
            self.columns = np.concatenate([self.columns, np.empty_like(self.columns)], axis=1)
        self.columns[:, k] = dense_columns(self.SV, [new])[:, 0]
        self.taken += 1
        repeat = self.square_free is None
        partners = self.columns[:, : k + 1 if repeat else k]
        index, sums = all_products(partners, self.alpha * self.columns[:, k], self.level - 1, repeat)
        local = np.column_stack([index, np.full(len(index), k)])
        self._subtract(local, sums)
        return np.sort(self.order[local], axis=1), sums

    def _subtract(self, local: np.ndarray, sums: np.ndarray) -> None:
        repeat = self.square_free is None
        squares = (squared_scales(local, self.degree) if repeat else self.square_free[self.level - 1]) * sums**2
        present = runs(local)[1]  # once for each variable of a row
        variables, rows = local[present], np.broadcast_to(np.arange(len(local))[:, None], local.shape)[present]
        self.left = np.append(self.left, self.initial[self.order[self.taken - 1]])
        self.unlisted = np.append(self.unlisted, self.size)
        self.left -= np.bincount(variables, weights=squares[rows], minlength=self.taken)
        self.unlisted -= np.bincount(variables, minlength=self.taken)
        self.left[(self.left < 0) | (self.unlisted <= 0)] = 0.0

    def remaining(self) -> np.ndarray:
        """What is left of every variable's contribution in this degree."""
        rest = self.initial.copy()
        rest[self.order[: self.taken]] = 0.0 if self.exhausted else self.left
        return rest


class _Pool:
    """Features listed so far, kept within bounds: index rows padded to the degree, and sums of alpha x^q."""

    def __init__(self, m: int, degree: int, r: int | None, coding, merge: str):
        self.m, self.degree, self.r, self.merge = m, degree, r, merge
        self.coding = np.full(m, REAL) if coding is None else np.asarray(coding)
        self.parts: list[tuple[np.ndarray, np.ndarray]] = []
        self.constructed, self.held = 0, 0
        self.cut = 0.0  # features lighter than this need not be kept

    def add(self, index: np.ndarray, sums: np.ndarray, listed: int | None = None) -> None:
        """Take up features; `listed` is how many were looked at where the light ones were left out already."""
        padding = np.full((len(index), self.degree - index.shape[1]), self.m)
        self.parts.append((np.column_stack([index, padding]), sums))
        self.constructed += len(index) if listed is None else listed
        self.held += len(index)
        if self.r is not None and self.held > max(POOL_ROWS, 4 * self.r):
            index, sums, weights = self._ranked()
            self.parts, self.held = [(index, sums)], len(index)
            self.cut = abs(weights[-1]) * (1 - 1e-9) if len(weights) == self.r else 0.0

    def add_all(self, columns: np.ndarray, alpha: np.ndarray, names: np.ndarray, progress=None) -> None:
        """Every monomial of the columns, whose numbers in the whole table are `names`."""
        self.add(names[:, None], columns.T @ alpha)
        square_free = _square_free_scales(self.degree, self.coding, self.merge)
        repeat = square_free is None
        total = count_products(len(names), self.degree, repeat)
        table = merged_scale_table(self.degree, int((self.coding == PLUS_MINUS).sum()), self.merge)
        for level in range(2, self.degree + 1):
            heaviest = np.sqrt(table.max() if repeat else square_free[level - 1])
            for prefix, first, block in product_blocks(columns, alpha, level, repeat):
                i, j = np.nonzero(np.abs(block) >= self.cut / heaviest)
                above = j >= i if repeat else j > i
                i, j = i[above], j[above]
                local = np.column_stack([*(np.full(len(i), v) for v in prefix), first + i, first + j])
                rows, width = block.shape
                self.add(names[local], block[i, j], rows * width - rows * (rows - 1) // 2 - (0 if repeat else rows))
                if progress:
                    progress(min(self.constructed, total), total)

    def _ranked(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Reduced, different and non-constant index rows with their sums and weights, heaviest first, at most r."""
        index = np.concatenate([part for part, _ in self.parts] or [np.empty((0, self.degree), dtype=np.int64)])
        sums = np.concatenate([part for _, part in self.parts] or [np.empty(0)])
        if (self.coding != REAL).any():
            index = reduce_rows(index, self.coding)
        weights = merged_scales(index, self.coding, self.degree, self.merge) * sums
        keep = _first_of_each(index, self.m) if (self.coding != REAL).any() else np.arange(len(index))
        keep = keep[(index[keep] != self.m).any(axis=1)]
        size = np.abs(weights[keep])
        if self.r is not None and len(keep) > self.r:
            cut = np.partition(size, -self.r)[-self.r]
            keep = keep[size >= cut * (1 - 1e-9)]
        size = np.round(np.abs(weights[keep]) / max(np.abs(weights).max(initial=0.0), 1e-300), 12)
        rank = (index[keep] != self.m).sum(axis=1)
        order = keep[np.lexsort((*index[keep].T[::-1], rank, -size))][: self.r]
        return index[order], sums[order], weights[order]

    def features(self) -> tuple[Feature, ...]:
        index, _, weights = self._ranked()
        return tuple(Feature(to_monomial(row, self.m), float(w)) for row, w in zip(index, weights, strict=True))


def _first_of_each(index: np.ndarray, m: int) -> np.ndarray:
    """Positions of the different rows (the first of each)."""
    if index.shape[1] * np.log2(m + 1) < 62:
        keys = index @ ((m + 1) ** np.arange(index.shape[1], dtype=np.int64))
        return np.sort(np.unique(keys, return_index=True)[1])
    return np.sort(np.unique(index, axis=0, return_index=True)[1])


def _descending(values: np.ndarray) -> np.ndarray:
    """Positions from large to small; values equal to 12 digits in order of column."""
    return np.argsort(-np.round(values / max(values.max(initial=0.0), 1e-300), 12), kind="stable")


def _bound(levels: list[_Level], merge: str) -> float:
    """The largest squared weight that a feature not yet listed can have."""
    rest = np.array([level.remaining() for level in levels])
    apart = merge == "largest" or levels[0].square_free is not None  # no feature has parts in several degrees
    return float(rest.max() if apart else rest.sum(axis=0).max())


def _proven(features, r: int | None, bound: float, largest: float, complete: bool) -> bool:
    """Lemmas 1 and 2: the lightest feature returned is no lighter than any that was left out could be."""
    if complete:
        return True
    return len(features) == r and features[-1].weight ** 2 >= bound + ROUNDING * largest
