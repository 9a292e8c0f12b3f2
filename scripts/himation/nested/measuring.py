"""An AUC of held-out values, and an error that holds at forty rows as at forty thousand.

Values of different folds come from different models, so only pairs of the same fold are compared: on noise the
expectation is then one half exactly. Each row has a placement, the share of the other class's rows of its fold on the
right side of it; the AUC is the mean placement, and its variance that of DeLong, DeLong and Clarke-Pearson (1988), with
two additions. Rows are no independent witnesses: what row i teaches about row j, it teaches j about i as well, so every
pair speaks twice, and the variance is doubled (exact for a linear model on noise). And what two more rows of each
class, one on the right side of all others and one on the wrong side, would add is added (as Agresti and Caffo 2000 do
for shares), so that ten rows in perfect order do not claim an error of nothing, nor four that happen to lie close.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

TWICE = 2.0
INTERVAL = 2.0  # standard errors
CHANCE = 0.5
BOTH_SIDES = (0.0, 1.0)  # placements of a row on the wrong side, and on the right side


@dataclass(frozen=True)
class Estimate:
    """An AUC and its standard error."""

    auc: float
    error: float

    @property
    def above_chance(self) -> bool:
        return self.auc - INTERVAL * self.error > CHANCE


NOT_MEASURED = Estimate(CHANCE, CHANCE / INTERVAL)  # all that an AUC can be


def placements(positive: np.ndarray, values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Of each value: the share of the other class's values in its group that are on the right side; ties count half.

    >>> placements(np.array([True, False, False]), np.array([2.0, 1.0, 3.0]), np.zeros(3)).tolist()
    [0.5, 1.0, 0.0]
    """
    found = np.full(len(values), np.nan)
    for group in np.unique(groups):
        here = np.flatnonzero(groups == group)
        highs, lows = here[positive[here]], here[~positive[here]]
        if not len(highs) or not len(lows):
            continue
        high, low = np.sort(values[highs]), np.sort(values[lows])
        for members, others, sign in ((highs, low, 1), (lows, high, -1)):
            left, right = (np.searchsorted(others, values[members], side) for side in ("left", "right"))
            below = (left + right) / (2 * len(others))
            found[members] = below if sign > 0 else 1 - below
    return found


def by_row(rows: Sequence[int] | np.ndarray, placed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that have a placement, and the mean of each."""
    known = ~np.isnan(placed)
    unique, owner = np.unique(np.asarray(rows)[known], return_inverse=True)
    return unique, np.bincount(owner, placed[known], len(unique)) / np.maximum(np.bincount(owner), 1)


def estimate(positive: np.ndarray, placed: np.ndarray, cautious: bool = True) -> Estimate:
    """Of a mean placement for each row; ``cautious`` adds the two rows to the variance."""
    parts = [placed[positive], placed[~positive]]
    if min(map(len, parts)) == 0:
        return NOT_MEASURED
    variance = 0.0
    for part in parts:
        alone = float(part.var(ddof=1)) if len(part) > 1 else CHANCE**2
        longer = float(np.append(part, BOTH_SIDES).var(ddof=1)) if cautious else alone
        variance += (TWICE * alone + max(0.0, longer - alone)) / len(part)
    return Estimate(float(np.mean([part.mean() for part in parts])), float(np.sqrt(variance)))


def difference(positive: np.ndarray, placed: np.ndarray, other: np.ndarray) -> Estimate:
    """By how much one set of values is better than another on the same rows, with the error of that."""
    return estimate(positive, placed - other, cautious=False)


def p_value(auc: float, permuted: list[float]) -> float | None:
    """The chance of an AUC as high without any signal; None if no labels were permuted.

    >>> p_value(0.7, [0.5, 0.6, 0.8]), p_value(0.7, [])
    (0.5, None)
    """
    return (1 + sum(one >= auc for one in permuted)) / (1 + len(permuted)) if permuted else None
