"""What competes in nature, by rows held out, and what to expect of the set that predicts.

The competitors' values are there for every row held out. The set of a fold is chosen on the other folds, by the rule
that chooses the set of the model (`Compared.choose`), so that the choice is measured with the rest.

Models of folds see fewer rows than the model. If the AUC grows as a - b / rows, a third of what it gains from half of
the rows to four fifths is gained once more from there to all of them; that is added, row by row, where the AUC is above
chance: without a signal there is nothing to gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from himation.nested.competing import ALL, BLANKET, Searched, competitors
from himation.nested.measuring import NOT_MEASURED, Estimate, by_row, difference, estimate, placements

NOISE = 1.0  # errors of the difference by which a set must be better than the blanket
GROWTH = (1 / 0.8 - 1) / (1 / 0.5 - 1 / 0.8)  # of the gain from half to four fifths of the rows, what is left to gain


@dataclass(frozen=True)
class Expected:
    """What to expect of the model: under the manipulation, and without one; the share of the folds that selected each
    column; the held-out value of each row that has one; and which set each fold used, in nature."""

    here: Estimate
    natural: Estimate
    stability: dict[int, float]
    values: dict[int, float]
    used: tuple[str, ...] = ()
    shift: float = 0.0
    worlds: float = 0.0


@dataclass(frozen=True)
class Held:
    """All rows held out, one after the other."""

    rows: np.ndarray
    positive: np.ndarray
    groups: np.ndarray
    divisions: np.ndarray

    @classmethod
    def of(cls, searched: Sequence[Searched]) -> Held:
        rows = [np.array(one.fold.held) for one in searched]
        groups = [np.full(len(part), k) for k, part in enumerate(rows)]
        divisions = [np.full(len(part), one.fold.division) for part, one in zip(rows, searched, strict=True)]
        positive = [np.asarray(one.table.test_target) > 0 for one in searched]
        return cls(*(np.concatenate(part) for part in (rows, positive, groups, divisions)))

    def estimate(self, placed: np.ndarray) -> Estimate:
        """Of all divisions; what they differ by is part of the error."""
        rows, mean = by_row(self.rows, placed)
        whole = estimate(self._positive(rows), mean)
        parts = [self._of_division(placed, division) for division in np.unique(self.divisions)]
        between = float(np.var(parts, ddof=1)) / len(parts) if len(parts) > 1 else 0.0
        return Estimate(whole.auc, float(np.sqrt(whole.error**2 + between)))

    def mean(self, rows: np.ndarray, numbers: np.ndarray) -> Estimate:
        """Of one number for each row, both classes counting alike."""
        return estimate(self._positive(rows), numbers, cautious=False)

    def _of_division(self, placed: np.ndarray, division: int) -> float:
        use = self.divisions == division
        rows, mean = by_row(self.rows[use], placed[use])
        return estimate(self._positive(rows), mean).auc

    def difference(self, placed: np.ndarray, other: np.ndarray, without: int | None = None) -> Estimate:
        use = slice(None) if without is None else self.groups != without
        rows, mean = by_row(self.rows[use], placed[use])
        _, beside = by_row(self.rows[use], other[use])
        return difference(self._positive(rows), mean, beside)

    def _positive(self, rows: np.ndarray) -> np.ndarray:
        known = dict(zip(self.rows.tolist(), self.positive.tolist(), strict=True))
        return np.array([known[row] for row in rows.tolist()], dtype=bool)


@dataclass(frozen=True)
class Compared:
    """The competitors in nature: how they place the rows held out."""

    held: Held | None
    placed: dict[str, np.ndarray]

    def choose(self, anything: bool = True, names: Sequence[str] | None = None, without: int | None = None) -> str:
        """Of some sets, the one with the highest AUC of those that are better than the blanket by more than the noise;
        the blanket if none is, or if nothing goes with the target. ``without`` a fold, where other folds are left."""
        without = without if self.held is not None and len(np.unique(self.held.groups)) > 1 else None
        names = [name for name in self.placed if names is None or name in names]
        gains = {name: self.gain(name, BLANKET, without) for name in names if name != BLANKET}
        ahead = {name: gain.auc for name, gain in gains.items() if gain.auc > NOISE * gain.error}
        return max(ahead, key=lambda name: (ahead[name], name != ALL)) if ahead and anything else BLANKET

    def widest(self, anything: bool = True, names: Sequence[str] | None = None, without: int | None = None) -> str:
        """All variables, unless the chosen set is better by more than the noise: many are safer than a few where
        mechanisms drift."""
        best = self.choose(anything, names, without)
        if ALL not in self.placed or not anything:
            return best
        gain = self.gain(best, ALL, without)
        return best if gain.auc > NOISE * gain.error else ALL

    def gain(self, name: str, other: str, without: int | None = None) -> Estimate:
        """Of one set over another; nothing where one of them was not measured."""
        if self.held is None or name not in self.placed or other not in self.placed:
            return Estimate(0.0, 0.0)
        return self.held.difference(self.placed[name], self.placed[other], without)

    def expected(self, name: str) -> Estimate:
        return self.held.estimate(self.placed[name]) if self.held is not None and name in self.placed else NOT_MEASURED


def compared(searched: Sequence[Searched]) -> Compared:
    """The competitors in nature."""
    if not searched:
        return Compared(None, {})
    held = Held.of(searched)
    names = [name for name in searched[0].values if all(name in one.values for one in searched)]
    placed = {}
    for name in names:
        values = np.concatenate([one.values[name] for one in searched])
        placed[name] = placements(held.positive, values, held.groups)
    return Compared(held, placed)


@dataclass(frozen=True)
class Placed:
    """Rows held out, one value for each time: how it is placed, and the value itself."""

    held: Held
    placed: np.ndarray
    values: np.ndarray

    def grown(self, halves: Placed | None) -> Estimate:
        """What models on all rows would reach, where ``halves`` are the same rows by models on half of them."""
        found = self.held.estimate(self.placed)
        if halves is None or not found.above_chance:
            return found
        rows, mean = by_row(self.held.rows, self.placed)
        others, poorer = by_row(halves.held.rows, halves.placed)
        both = np.intersect1d(rows, others)
        gain = self.held.mean(both, mean[np.isin(rows, both)] - poorer[np.isin(others, both)])
        error = gain.error * GROWTH
        return Estimate(min(1.0, found.auc + GROWTH * gain.auc), float(np.hypot(found.error, error)))


def split(searched: Sequence[Searched]) -> tuple[list[Searched], list[Searched]]:
    """Folds, and halves."""
    return [one for one in searched if not one.fold.half], [one for one in searched if one.fold.half]


def expect_natural(searched: Sequence[Searched], anything: bool) -> Expected:
    """In nature."""
    folds, halves = split(searched)
    if not folds:
        return Expected(NOT_MEASURED, NOT_MEASURED, {}, {})
    known = compared(folds)
    used = tuple(known.choose(anything, without=k) for k in range(len(folds)))
    whole = _natural(folds, used)
    beside = _natural(halves, [known.choose(anything)] * len(halves)) if halves else None
    here = whole.grown(beside)
    chosen = [columns_of(one, competitors(one.table, one.found)[name]) for one, name in zip(folds, used, strict=True)]
    return Expected(here, here, shares(chosen), value_by_row(whole.held, whole.values), used)


def _natural(searched: Sequence[Searched], used: Sequence[str]) -> Placed:
    held = Held.of(searched)
    values = np.concatenate([_values_by(one, name) for one, name in zip(searched, used, strict=True)])
    return Placed(held, placements(held.positive, values, held.groups), values)


def _values_by(one: Searched, name: str) -> np.ndarray:
    return one.values.get(name, one.values[BLANKET])


def columns_of(one: Searched, members: Sequence[int]) -> list[int]:
    return [int(one.table.columns[x]) for x in members]


def shares(chosen: Sequence[Sequence[int]]) -> dict[int, float]:
    """The share of the folds that have each column, most first."""
    counts: dict[int, int] = {}
    for columns in chosen:
        for column in columns:
            counts[column] = counts.get(column, 0) + 1
    return {column: counts[column] / len(chosen) for column in sorted(counts, key=lambda c: (-counts[c], c))}


def value_by_row(held: Held, values: np.ndarray) -> dict[int, float]:
    rows, mean = by_row(held.rows, values)
    return dict(zip(rows.tolist(), mean.tolist(), strict=True))
