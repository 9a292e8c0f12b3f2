"""Graphs drawn by a chain over orders: scores, sums and shares against enumeration and other code of ours."""

import doctest
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from himation.orientation.scores.bdeu import BDeu
from himation.posterior import orders, scoring
from himation.posterior.orders import candidate_parents, correlation_matrix, sample_graphs
from himation.posterior.scoring import Evidence, Sampling

LONG = Sampling(sweeps=6000, burn_in=1000, thin=2)


@pytest.fixture(scope="module")
def columns():
    """A -> C <- B, C -> D, and E by itself."""
    rng = np.random.default_rng(2)
    a, b, e = rng.normal(size=(3, 150))
    c = 0.6 * a + 0.6 * b + rng.normal(size=150)
    d = 0.7 * c + rng.normal(size=150)
    return np.column_stack([a, b, c, d, e])


def test_doctests():
    assert doctest.testmod(orders).failed == 0


def _tables(columns, sampling):
    correlations = np.round(np.corrcoef(columns.T), 9)
    evidence = Evidence(correlations, len(columns))
    candidates = candidate_parents(evidence, 2, sampling)
    return candidates, scoring.linear(evidence, candidates, 2, sampling)


def _drawn(columns, target, sampling):
    return sample_graphs(Evidence(correlation_matrix(columns), len(columns)), target, sampling).graphs


def test_linear_scores_are_those_of_least_squares(columns):
    sampling = Sampling(temper=1.0)
    candidates, tables = _tables(columns, sampling)
    n, nodes = columns.shape
    for i, own in enumerate(candidates):
        for s in range(tables.starts[i], tables.starts[i + 1]):
            parents = [j for bit, j in enumerate(own) if tables.masks[s] >> bit & 1]
            X = np.column_stack([np.ones(n), columns[:, parents]])
            left = columns[:, i] - X @ np.linalg.lstsq(X, columns[:, i], rcond=None)[0]
            share = np.mean(left**2) / np.var(columns[:, i])
            sets = len(list(combinations(range(nodes - 1), len(parents))))
            wanted = -n / 2 * np.log(share) - len(parents) / 2 * np.log(n) - np.log(sets)
            assert tables.scores[s] == pytest.approx(wanted, abs=1e-5)


def test_counted_scores_are_bdeu():
    rng = np.random.default_rng(3)
    codes = np.vstack([rng.integers(0, 2, (2, 200)), rng.integers(0, 3, (1, 200))])
    codes = np.vstack([codes, (codes.sum(axis=0) + rng.integers(0, 2, 200)) % 2])
    candidates = [np.array([j for j in range(4) if j != i]) for i in range(4)]
    sampling = Sampling(temper=1.0)
    tables = scoring.counted(Evidence(np.eye(4), 200, codes), candidates, 3, sampling)
    prior, score = (
        scoring.log_prior(4, sampling),
        BDeu(codes.T.astype(np.uint8), codes.max(axis=1) + 1, sampling.sample_size),
    )
    for i, own in enumerate(candidates):
        for s in range(tables.starts[i], tables.starts[i + 1]):
            parents = [int(j) for bit, j in enumerate(own) if tables.masks[s] >> bit & 1]
            assert tables.scores[s] == pytest.approx(score.local(i, parents) + prior[len(parents)], abs=1e-6)


def test_sums_hold_all_subsets(columns):
    candidates, tables = _tables(columns, Sampling())
    for i, own in enumerate(candidates):
        here = slice(tables.starts[i], tables.starts[i + 1])
        for mask in range(1 << len(own)):
            within = tables.scores[here][(tables.masks[here] & ~mask) == 0]
            assert tables.sums[tables.sum_starts[i] + mask] == pytest.approx(np.logaddexp.reduce(within))


def test_shares_are_those_of_all_orders_and_graphs(columns):
    """Five variables have 120 orders: the posterior of every edge by enumeration."""
    candidates, tables = _tables(columns, LONG)
    nodes = len(candidates)
    total, edges = 0.0, np.zeros((nodes, nodes))
    highest = None
    for order in permutations(range(nodes)):
        masks = [
            sum(1 << bit for bit, j in enumerate(own) if order.index(j) < order.index(i))
            for i, own in enumerate(candidates)
        ]
        score = sum(tables.sums[tables.sum_starts[i] + mask] for i, mask in enumerate(masks))
        highest = score if highest is None else highest
        weight = np.exp(score - highest)
        total += weight
        for i, own in enumerate(candidates):
            here = slice(tables.starts[i], tables.starts[i + 1])
            allowed = (tables.masks[here] & ~masks[i]) == 0
            chance = np.where(allowed, np.exp(tables.scores[here] - tables.sums[tables.sum_starts[i] + masks[i]]), 0.0)
            for bit, j in enumerate(own):
                edges[j, i] += weight * chance[(tables.masks[here] >> bit & 1) == 1].sum()
    found = _drawn(columns, 2, LONG).mean(axis=0)
    assert np.abs(found - edges / total).max() < 0.04


def test_graphs_have_no_cycles_and_repeat(columns):
    from himation.graphs import is_acyclic

    short = Sampling(sweeps=60, burn_in=20)
    graphs = _drawn(columns, 2, short)
    assert all(is_acyclic(graph) for graph in graphs)
    assert np.array_equal(graphs, _drawn(columns, 2, short))
    assert not np.array_equal(graphs, _drawn(columns, 2, replace(short, seed=2)))


def test_effects_tried_out_don_t_crowd_out_a_weak_cause():
    """Thirty effects, each better than the cause by itself: graphs with them below the target leave it its place."""
    rng = np.random.default_rng(4)
    cause = rng.normal(size=1000)
    target = 0.3 * cause + rng.normal(size=1000)
    effects = target[:, None] + 0.7 * rng.normal(size=(1000, 30))
    correlations = correlation_matrix(np.column_stack([effects, cause, rng.normal(size=(1000, 5)), target]))
    graph = np.zeros((1, 37, 37), dtype=bool)
    graph[0, 36, :30] = True
    assert orders.would_add(correlations, 36, graph)[0] == 30
    graph[0, 30, 36] = True  # in use: it adds nothing more
    assert 30 not in orders.would_add(correlations, 36, graph)[:5]


def test_a_weak_cause_beside_strong_effects_is_among_the_candidates_of_the_target():
    rng = np.random.default_rng(5)
    cause = rng.normal(size=400)
    target = np.where(0.5 * cause + rng.normal(size=400) > 0, 1.0, -1.0)
    effects = target[:, None] + 0.8 * rng.normal(size=(400, 15))
    columns = np.column_stack([effects, cause, rng.normal(size=(400, 20)), target])
    found = candidate_parents(Evidence(np.corrcoef(columns.T), 400), 36, Sampling())
    assert 15 in found[36]
    assert all(36 in found[i] for i in range(15))


def test_constant_duplicate_and_few_columns_do_no_harm():
    rng = np.random.default_rng(6)
    x = rng.normal(size=50)
    columns = np.column_stack([x, x, np.zeros(50), np.sign(x + rng.normal(size=50))])
    graphs = _drawn(columns, 3, Sampling(sweeps=30, burn_in=10))
    assert not graphs[:, 2].any() or graphs[:, 2].mean() < 0.5
    assert _drawn(columns[:, [3]], 0, Sampling(sweeps=10, burn_in=2)).shape[1:] == (1, 1)
