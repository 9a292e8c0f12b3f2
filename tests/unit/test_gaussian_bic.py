"""Gaussian BIC against least squares and against pgmpy; the degenerate Gaussian against determinants of covariances."""

import doctest

import numpy as np
import pandas as pd
import pytest
from graph_tools import random_dag

from himation.graphs import skeleton_of, topological_order
from himation.orientation.hill_climbing import hill_climb
from himation.orientation.pdags import cpdag, shd
from himation.orientation.scores import gaussian_bic
from himation.orientation.scores.gaussian_bic import GaussianBIC


def linear_data(n, seed, variables=5, edges=6):
    rng = np.random.default_rng(seed)
    dag = random_dag(variables, rng, edges=edges)
    data = np.zeros((n, variables))
    for v in topological_order(dag):
        data[:, v] = data[:, dag[:, v]] @ rng.uniform(0.6, 1.4, size=dag[:, v].sum()) + rng.normal(size=n)
    return dag, data


def by_least_squares(data, child, parents):
    """BIC of the regression less that of the mean alone."""
    n = len(data)
    design = np.column_stack([np.ones(n), data[:, list(parents)]])
    rest = data[:, child] - design @ np.linalg.lstsq(design, data[:, child])[0]
    return -n / 2 * np.log(rest.var() / data[:, child].var()) - len(parents) / 2 * np.log(n)


def test_doctests():
    assert doctest.testmod(gaussian_bic).failed == 0


def test_equals_least_squares_and_pgmpy():
    from pgmpy.structure_score import BICGauss

    _, data = linear_data(300, seed=1)
    names = list("abcde")
    reference = BICGauss(pd.DataFrame(data, columns=names))
    score = GaussianBIC(list(data.T * 100 + 5))
    for child, parents in [(0, (1,)), (1, (0, 2)), (2, (0, 1, 3, 4)), (4, (3,)), (3, ())]:
        expected = by_least_squares(data, child, parents)
        assert score.local(child, parents) == pytest.approx(expected, abs=1e-5)
        theirs = reference.local_score(names[child], tuple(names[p] for p in parents))
        alone = reference.local_score(names[child], ())
        assert score.local(child, parents) == pytest.approx(theirs - alone, abs=1e-5)


def test_degenerate_gaussian_by_determinants():
    rng = np.random.default_rng(2)
    x = rng.normal(size=250)
    group = np.digitize(x + rng.normal(size=250), [-0.7, 0.7])
    other = rng.integers(0, 4, size=250)
    columns = {0: [x], 1: [group == k for k in (1, 2)], 2: [other == k for k in (1, 2, 3)]}  # any r - 1 indicators
    score = GaussianBIC([x, group, other], [False, True, True])

    def log_det(variables):
        stacked = np.array([c for v in variables for c in columns[v]], dtype=float)
        return np.linalg.slogdet(np.atleast_2d(np.cov(stacked, bias=True)))[1]

    for child, parents in [(0, (1,)), (1, (0, 2)), (2, (1,)), (0, (1, 2))]:
        ratio = log_det([child, *parents]) - log_det(parents) - log_det([child])
        coefficients = len(columns[child]) * sum(len(columns[p]) for p in parents)
        expected = -250 / 2 * ratio - coefficients / 2 * np.log(250)
        assert score.local(child, parents) == pytest.approx(expected, abs=1e-5)


def test_finds_linear_structure_within_its_skeleton():
    distances = []
    for seed in range(10):
        dag, data = linear_data(2000, seed, variables=12, edges=16)
        found = hill_climb(GaussianBIC(list(data.T)), skeleton_of(dag), patience=100)
        distances.append(shd(cpdag(found.dag), cpdag(dag)))
    assert np.median(distances) == 0


def test_constant_and_duplicate_columns():
    x = np.random.default_rng(3).normal(size=100)
    score = GaussianBIC([x, x.copy(), np.full(100, 0.1), np.zeros(100, dtype=int)], [False, False, False, True])
    assert score.local(0, (2, 3)) == 0 and score.local(2, (0,)) == 0 and score.local(3, (0,)) == 0
    assert np.isfinite(score.local(0, (1,))) and score.local(0, (1,)) > 100
    assert np.isfinite(score.local(0, (1, 2)))


def test_bad_input():
    with pytest.raises(ValueError, match="column 0"):
        GaussianBIC([np.array([0.0, np.inf])])
    with pytest.raises(ValueError, match="discrete"):
        GaussianBIC([np.arange(3.0)], [])
