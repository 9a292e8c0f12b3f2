"""Greedy equivalence search against a plain re-implementation, on exact covariances, and under permuted columns."""

import doctest
from itertools import chain, combinations

import networkx as nx
import numpy as np
import pytest
from graph_tools import consistent_extension, random_dag

from himation.graphs import is_acyclic, skeleton_of
from himation.orientation import ges
from himation.orientation.ges import greedy_equivalence_search
from himation.orientation.pdags import cpdag
from himation.orientation.scores.bdeu import BDeu


class ExactGaussian:
    """BIC of a linear model whose covariance is known exactly, as if from `n` examples."""

    def __init__(self, dag, rng, n=10_000_000):
        weights = dag * rng.uniform(0.5, 1.5, dag.shape) * rng.choice([-1, 1], dag.shape)
        mix = np.linalg.inv(np.eye(len(dag)) - weights.T)
        self.covariance, self.n = mix @ np.diag(rng.uniform(0.5, 2, len(dag))) @ mix.T, n

    def local(self, child, parents):
        left = self.covariance[child, child]
        if parents:
            shared = self.covariance[np.ix_(parents, [child])]
            left = left - (shared.T @ np.linalg.solve(self.covariance[np.ix_(parents, parents)], shared))[0, 0]
        return -self.n / 2 * np.log(left) - len(parents) / 2 * np.log(self.n)


@pytest.mark.parametrize("seed", range(30))
def test_finds_the_true_class_from_exact_covariances(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(10, rng, expected_degree=2.5)
    found = greedy_equivalence_search(ExactGaussian(dag, rng), np.ones_like(dag), polish=0)
    assert np.array_equal(found, cpdag(dag))


def subsets(pool):
    return chain.from_iterable(combinations(pool, k) for k in range(len(pool) + 1))


def plain_search(score, allowed):
    """Chickering's operators in his own words, every one tried anew at every step."""
    graph = np.zeros_like(allowed)
    for phase in (plain_insertions, plain_deletions):
        while True:
            options = list(phase(score, allowed, graph))
            if not options:
                break
            gain, after = max(options, key=lambda option: round(option[0], 6))
            if gain <= 1e-6:
                break
            graph = cpdag(consistent_extension(after))
    return graph


def parts(graph, x, y):
    adjacent = graph | graph.T
    beside = [v for v in np.flatnonzero(graph[y] & graph[:, y]) if v != x]
    shared = [v for v in beside if adjacent[v, x]]
    return adjacent, [v for v in beside if not adjacent[v, x]], shared, np.flatnonzero(graph[:, y] & ~graph[y])


def is_clique(adjacent, members):
    return all(adjacent[a, b] for a, b in combinations(members, 2))


def gain_of(score, y, fewer, x):
    fewer = sorted({int(v) for v in fewer} - {x})
    return score.local(y, tuple(sorted([*fewer, x]))) - score.local(y, tuple(fewer))


def plain_insertions(score, allowed, graph):
    for x, y in np.argwhere(allowed & ~graph & ~graph.T):
        adjacent, free, shared, parents = parts(graph, x, y)
        for chosen in subsets(free):
            barrier = [*shared, *chosen]
            walk = nx.from_numpy_array(graph, create_using=nx.DiGraph)
            walk.remove_nodes_from(barrier)
            if is_clique(adjacent, barrier) and not nx.has_path(walk, y, x):
                after = graph.copy()
                after[x, y] = True
                for t in chosen:
                    after[y, t] = False
                yield gain_of(score, int(y), [*barrier, *parents], int(x)), after


def plain_deletions(score, allowed, graph):
    for x, y in np.argwhere(graph):
        adjacent, _, shared, parents = parts(graph, x, y)
        for pointed in subsets(shared):
            kept = [v for v in shared if v not in pointed]
            if is_clique(adjacent, kept):
                after = graph.copy()
                after[x, y] = after[y, x] = False
                for h in pointed:
                    after[h, y] = False
                    after[h, x] = after[h, x] and not after[x, h]
                yield -gain_of(score, int(y), [*kept, *parents], int(x)), after


@pytest.mark.parametrize("seed", range(25))
def test_equals_a_plain_implementation(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(7, rng, expected_degree=3.0)
    codes = np.zeros((200, 7), dtype=np.uint8)
    for v in nx.topological_sort(nx.from_numpy_array(dag, create_using=nx.DiGraph)):
        codes[:, v] = (codes[:, dag[:, v]].sum(axis=1) + rng.integers(0, 3, 200)) % 3 > 0
    allowed = skeleton_of(dag) | skeleton_of(random_dag(7, rng, edges=4)) if seed % 2 else ~np.eye(7, dtype=bool)
    ours = ges._State(BDeu(codes, [2] * 7, 1.0), allowed, 12)
    ours.run(ours.insertions, ours.insert, None, 1)
    ours.run(ours.deletions, ours.delete, None, 1)
    assert np.array_equal(ours.matrix(), plain_search(BDeu(codes, [2] * 7, 1.0), allowed))


@pytest.mark.parametrize("seed", range(10))
def test_the_bit_graph_completes_like_the_matrix_functions(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(12, rng, expected_degree=3.0)
    graph = ges.Pdag(12)
    for i, j in np.argwhere(dag):
        graph.direct(int(i), int(j))
    graph.complete((1 << 12) - 1)
    found = np.array([[bool((graph.parents[v] | graph.around[v]) >> u & 1) for v in range(12)] for u in range(12)])
    assert np.array_equal(found, cpdag(dag))
    graph.extend((1 << 12) - 1)
    again = np.array([[bool(graph.parents[v] >> u & 1) for v in range(12)] for u in range(12)])
    assert is_acyclic(again) and np.array_equal(cpdag(again), cpdag(dag))


def test_polishing_never_lowers_the_score():
    from himation.orientation.hill_climbing import graph_score

    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (150, 8)).astype(np.uint8)
    codes[:, 4] = codes[:, 0] ^ codes[:, 1]
    score, allowed = BDeu(codes, [2] * 8, 10.0), ~np.eye(8, dtype=bool)
    plain, polished = (consistent_extension(greedy_equivalence_search(score, allowed, polish=p)) for p in (0, 50))
    assert graph_score(score, polished) >= graph_score(score, plain) - 1e-9


def test_an_empty_region_and_a_single_node():
    score = BDeu(np.zeros((5, 1), dtype=np.uint8), [2])
    assert not greedy_equivalence_search(score, np.zeros((1, 1), dtype=bool)).any()


def test_the_worked_example():
    assert doctest.testmod(ges).failed == 0
