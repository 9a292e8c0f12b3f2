"""The kernel generalised variance by low rank against full Gram matrices, and on graphs that no linear score finds."""

import doctest
from itertools import product

import numpy as np
import pytest

from himation.graphs import from_edges, is_acyclic
from himation.orientation.hill_climbing import graph_score
from himation.orientation.pdags import cpdag
from himation.orientation.scores import kernel_score
from himation.orientation.scores.kernel_score import KernelFactors


def kernel_score_of(*arguments, **named):
    return KernelFactors(*arguments, **named).score()


def full_gram(column, is_discrete, sigma):
    """The centred n x n Gram matrix."""
    n = len(column)
    if is_discrete:
        gram = (column[:, None] == column).astype(float)
    else:
        x = (column - column.mean()) / column.std()
        gram = np.exp(-((x[:, None] - x) ** 2) / (2 * sigma**2))
    centring = np.eye(n) - 1 / n
    return centring @ gram @ centring


def dense_local(grams, kappa, child, parents):
    """The definition with nothing saved: determinants of matrices of n rows per variable."""
    n = len(grams[0])
    ridge = n * kappa / 2
    shrunk = [np.linalg.solve(gram + ridge * np.eye(n), gram) for gram in grams]

    def log_det(variables):
        blocks = [[np.eye(n) if i == j else shrunk[i] @ shrunk[j] for j in variables] for i in variables]
        return np.linalg.slogdet(np.block(blocks))[1] if variables else 0.0

    ratio = log_det([*parents, child]) - log_det([*parents]) - log_det([child])
    d = [np.trace(r) for r in shrunk]
    return -n / 2 * ratio - d[child] * sum(d[p] for p in parents) / 2 * np.log(n)


def mixed_data(n, seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    b = rng.integers(0, 3, size=n)
    c = np.sin(2 * a) + 0.4 * b + 0.3 * rng.normal(size=n)
    d = (c + rng.normal(size=n) > 0).astype(int)
    e = rng.exponential(size=n) ** 2 + a**2  # a long tail
    f = np.round(3 * c) + rng.integers(0, 3, size=n)  # few distinct values, taken as continuous
    return [a, b, c, d, e, f], [False, True, False, True, False, False]


def test_doctests():
    assert doctest.testmod(kernel_score).failed == 0


@pytest.mark.parametrize(("kappa", "sigma"), [(0.01, 1.0), (0.001, 1.0), (0.05, 0.5)])
def test_low_rank_equals_full_gram(kappa, sigma):
    columns, discrete = mixed_data(200, seed=1)
    score = kernel_score_of(columns, discrete, kappa, sigma)
    grams = [full_gram(c, is_discrete, sigma) for c, is_discrete in zip(columns, discrete, strict=True)]
    for child, parents in [(2, (0, 1)), (3, (2,)), (0, (4,)), (1, (3,)), (5, (2, 3)), (4, (0, 1, 2)), (2, ())]:
        expected = dense_local(grams, kappa, child, parents)
        assert score.local(child, parents) == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_equivalent_graphs_score_the_same():
    score = kernel_score_of(*mixed_data(300, seed=2))
    forward = sum(score.local(v, tuple(range(v))) for v in range(6))
    backward = sum(score.local(v, tuple(range(v + 1, 6))) for v in range(6))
    assert forward == pytest.approx(backward, rel=1e-10)
    assert score.local(3, (2, 1)) == score.local(3, (1, 2))


def all_dags(n):
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    for states in product(range(3), repeat=len(pairs)):
        edges = [pair if s == 1 else pair[::-1] for pair, s in zip(pairs, states, strict=True) if s]
        dag = from_edges(n, edges)
        if is_acyclic(dag):
            yield dag


@pytest.mark.parametrize("seed", range(5))
def test_the_true_class_of_a_nonlinear_pair_and_collider_comes_first(seed):
    """x -> z <- y and z -> w, no relation monotone; of all 543 DAGs those of the true class score best."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-2, 2, size=(2, 500))
    z = x**2 + y**2 + 0.3 * rng.normal(size=500)
    w = np.cos(1.2 * z) + 0.2 * rng.normal(size=500)
    score = kernel_score_of([x, y, z, w], [False] * 4)
    truth = from_edges(4, [(0, 2), (1, 2), (2, 3)])
    best = max(all_dags(4), key=lambda dag: graph_score(score, dag))
    assert np.array_equal(cpdag(best), cpdag(truth))


def test_a_mixed_collider_comes_first():
    """A continuous and a discrete cause of a binary effect."""
    rng = np.random.default_rng(7)
    x, g = rng.normal(size=800), rng.integers(0, 3, size=800)
    effect = (np.abs(x) + 0.8 * (g == 1) + 0.3 * rng.normal(size=800) > 1.1).astype(int)
    score = kernel_score_of([x, g, effect], [False, True, True])
    best = max(all_dags(3), key=lambda dag: graph_score(score, dag))
    assert np.array_equal(best, from_edges(3, [(0, 2), (1, 2)]))


def test_order_of_columns_and_of_examples():
    columns, discrete = mixed_data(150, seed=3)
    score = kernel_score_of(columns, discrete)
    shuffled = np.random.default_rng(0).permutation(150)
    turned = kernel_score_of([c[shuffled] for c in columns[::-1]], discrete[::-1])
    for child, parents in [(2, (0, 1)), (3, (2,)), (4, (0, 2, 5))]:
        expected = score.local(child, parents)
        assert turned.local(5 - child, tuple(5 - p for p in parents)) == pytest.approx(expected, rel=1e-10)


def test_scale_and_names_of_values_do_not_matter():
    columns, discrete = mixed_data(150, seed=4)
    changed = [np.array(["x", "y", "z"])[c] if k == 1 else 1e6 + 1e-3 * c for k, c in enumerate(columns)]
    assert kernel_score_of(changed, discrete).local(2, (0, 1)) == pytest.approx(
        kernel_score_of(columns, discrete).local(2, (0, 1)), rel=1e-6
    )


def test_constant_and_duplicate_columns():
    rng = np.random.default_rng(5)
    x = rng.normal(size=100)
    score = kernel_score_of([x, x.copy(), np.ones(100), np.zeros(100)], [False, False, False, True])
    assert score.local(0, (2, 3)) == 0 and score.local(2, (0,)) == 0 and score.local(3, ()) == 0
    assert np.isfinite(score.local(0, (1,))) and score.local(0, (1,)) > 0


def test_bad_input():
    with pytest.raises(ValueError, match="column 1"):
        kernel_score_of([np.arange(3.0), np.array([0.0, np.nan, 1.0])], [False, False])
    with pytest.raises(ValueError, match="discrete"):
        kernel_score_of([np.arange(3.0)], [])
    with pytest.raises(ValueError, match="positive"):
        kernel_score_of([np.arange(3.0)], [False], kappa=0)
