"""The estimate with a quick linear model in place of the search, on hundreds of tables: its mean, and its interval."""

from statistics import NormalDist

import numpy as np
import pytest

from himation.nested.folds import plan_folds
from himation.nested.measuring import INTERVAL, placements
from himation.nested.natural import Held, Placed

NORMAL = NormalDist()
STRONGEST = 3


def drawn(n, p, share, area, seed):
    """A table in which the mean of three variables depends on the class, by so much that their sum has this AUC."""
    rng = np.random.default_rng([seed, n, p])
    y = rng.permutation(np.where(np.arange(n) < round(share * n), 1, -1))
    difference = np.zeros(p)
    difference[:STRONGEST] = NORMAL.inv_cdf(area) * (2 / STRONGEST) ** 0.5
    return rng.normal(size=(n, p)) + np.outer(y > 0, difference), y, difference


def direction(X, y):
    """The difference of the means, of the three variables where it is largest."""
    found = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    return np.where(np.abs(found) >= np.sort(np.abs(found))[-STRONGEST], found, 0.0)


def held_out(X, y, folds):
    kept = [np.setdiff1d(np.arange(len(y)), fold.held) for fold in folds]
    values = [X[list(f.held)] @ direction(X[k], y[k]) for f, k in zip(folds, kept, strict=True)]
    sizes = [len(fold.held) for fold in folds]
    rows = np.concatenate([fold.held for fold in folds])
    groups = np.repeat(np.arange(len(folds)), sizes)
    held = Held(rows, y[rows] > 0, groups, np.repeat([fold.division for fold in folds], sizes))
    return Placed(held, placements(held.positive, np.concatenate(values), groups), np.concatenate(values))


def estimated(n, p, share, area, tables):
    """By how much the estimate is above the AUC of the model on all rows, and whether its interval has that AUC."""
    excess, inside = [], []
    for seed in range(tables):
        X, y, difference = drawn(n, p, share, area, seed)
        folds = plan_folds(y, 1)
        halves = held_out(X, y, [fold for fold in folds if fold.half])
        found = held_out(X, y, [fold for fold in folds if not fold.half]).grown(halves)
        weights = direction(X, y)
        truth = NORMAL.cdf(weights @ difference / np.sqrt(2 * weights @ weights))
        excess.append(found.auc - truth)
        inside.append(abs(found.auc - truth) <= INTERVAL * found.error)
    return np.array(excess), np.array(inside)


@pytest.mark.parametrize(
    "size", [(40, 20, 0.5), (40, 20, 0.1), (60, 300, 0.25), (100, 500, 0.1), (200, 200, 0.5), (200, 200, 0.1)]
)
def test_on_noise_the_mean_is_one_half_and_the_interval_holds_it(size):
    excess, inside = estimated(*size, 0.5, 100)
    assert abs(excess.mean()) < 3 * excess.std() / len(excess) ** 0.5 and inside.mean() >= 0.9


@pytest.mark.parametrize(
    "size", [(60, 40, 0.5, 0.9), (60, 300, 0.5, 0.9), (60, 300, 0.5, 0.97), (60, 40, 0.25, 0.97), (100, 100, 0.1, 0.95)]
)
def test_with_few_rows_and_signal_the_mean_is_right_and_the_interval_holds(size):
    excess, inside = estimated(*size, 100)
    assert abs(excess.mean()) < 0.02 and inside.mean() >= 0.9
