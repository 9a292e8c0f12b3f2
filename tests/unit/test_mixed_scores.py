"""BIC of discrete data against pgmpy, of conditional Gaussians against direct sums; equivalent graphs score alike."""

import doctest

import numpy as np
import pandas as pd
import pytest

from himation.orientation.scores import conditional_gaussian, discrete_bic
from himation.orientation.scores.conditional_gaussian import ConditionalGaussianBIC
from himation.orientation.scores.discrete_bic import DiscreteBIC


def test_discrete_bic_equals_pgmpy():
    estimators = pytest.importorskip("pgmpy.structure_score")
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (300, 4)).astype(np.uint8)
    codes[:, 3] = (codes[:, 0] + codes[:, 1]) % 3
    frame = pd.DataFrame({f"v{j}": pd.Categorical(codes[:, j], categories=range(3)) for j in range(4)})
    theirs = estimators.BIC(frame)
    ours = DiscreteBIC(codes, [3] * 4)
    for child, parents in [(3, ()), (3, (0,)), (3, (0, 1)), (2, (0, 1, 3))]:
        expected = theirs.local_score(f"v{child}", tuple(f"v{p}" for p in parents))
        assert ours.local(child, parents) == pytest.approx(expected, abs=1e-8)


def test_discrete_bic_of_a_table_too_large_to_hold(monkeypatch):
    from himation.orientation.scores import bdeu

    codes = np.random.default_rng(1).integers(0, 3, (80, 3)).astype(np.uint8)
    whole = DiscreteBIC(codes, [3] * 3).local(0, (1, 2))
    monkeypatch.setattr(bdeu, "MAX_DENSE_CELLS", 1)
    assert DiscreteBIC(codes, [3] * 3).local(0, (1, 2)) == pytest.approx(whole, abs=1e-9)


def mixed(rng, n=400):
    group = rng.integers(0, 3, n)
    x = rng.normal(size=n) * (1 + group)
    y = x * (group == 1) + rng.normal(size=n)
    return [x, y, group], [False, False, True]


def test_conditional_gaussian_equals_a_sum_of_densities():
    from scipy.stats import multivariate_normal

    columns, discrete = mixed(np.random.default_rng(2))
    x, y, group = columns
    standard = np.array([(v - v.mean()) / v.std() for v in (x, y)])
    total = 0.0
    for value in range(3):
        rows = standard[:, group == value]
        density = multivariate_normal(rows.mean(axis=1), np.cov(rows, bias=True) + 1e-6 * np.eye(2))
        total += density.logpdf(rows.T).sum() + rows.shape[1] * np.log(rows.shape[1] / len(x))
    parameters = 2 + 3 * 2 * 5 / 2
    score = ConditionalGaussianBIC(columns, discrete)
    whole = score.local(2) + score.local(0, (2,)) + score.local(1, (0, 2))
    assert whole == pytest.approx(total - parameters / 2 * np.log(len(x)), abs=0.01)


def test_equivalent_graphs_score_alike_and_any_parents_go():
    columns, discrete = mixed(np.random.default_rng(3))
    score = ConditionalGaussianBIC(columns, discrete)
    one = score.local(0) + score.local(2, (0,)) + score.local(1, (0, 2))
    other = score.local(2) + score.local(1, (2,)) + score.local(0, (1, 2))
    assert one == pytest.approx(other, abs=1e-8)
    assert score.local(1, (0, 2)) > score.local(1, (0,)) > score.local(1) - 50


def test_a_copy_and_a_constant_stay_finite():
    x = np.random.default_rng(4).normal(size=50)
    score = ConditionalGaussianBIC([x, x, np.ones(50)], [False] * 3)
    assert np.isfinite([score.local(0, (1,)), score.local(2, (0,)), score.local(0, (2,))]).all()


@pytest.mark.parametrize("module", [conditional_gaussian, discrete_bic])
def test_worked_examples(module):
    assert doctest.testmod(module).failed == 0
