"""The Y-test under the oracle: what it declares causal is causal, hidden variables or not."""

import numpy as np
import pytest

from himation.blanket.mmpc import Neighbours
from himation.graphs import DSeparation, from_edges, random_dag
from himation.independence.base import IndependenceTest, Many
from himation.region import find_region
from himation.ytest import arrowheads, find_colliders, y_tests

A, B, C, D, H = range(5)


class HalfHidden(IndependenceTest):
    """An oracle on the first ``observed`` nodes of a graph; the others are hidden."""

    def __init__(self, dag, observed):
        self.n_variables = observed
        self._graph = DSeparation(dag)

    def many(self, x, candidates, z):
        separated = np.array([self._graph.separated(x, int(y), z) for y in candidates], dtype=bool)
        strength = np.where(separated, 0.0, 1.0 + 1.0 / (1 + np.abs(candidates - x)))
        return Many(strength, np.ones(len(candidates)), -1000 * strength, np.ones(len(candidates), dtype=bool))


def y_tests_on(dag, observed, target):
    test = HalfHidden(dag, observed)
    region = find_region(Neighbours(test, max_conditioning=observed - 2), target, depth=3)
    colliders = find_colliders(region, test, alpha=0.05)
    return y_tests(region, colliders), colliders


def test_the_y_structure_passes():
    passed, colliders = y_tests_on(from_edges(4, [(A, C), (B, C), (C, D)]), 4, C)
    assert [(t.a, t.b, t.c, t.d, t.p_score) for t in passed] == [(A, B, C, D, 1.0)]
    assert arrowheads(colliders) == {(A, C): 1, (B, C): 1}


def test_a_confounded_edge_does_not():
    passed, _ = y_tests_on(from_edges(5, [(A, C), (B, C), (H, C), (H, D)]), 4, C)
    assert passed == []


def test_an_edge_confounded_besides_being_causal_does_not_either():
    passed, _ = y_tests_on(from_edges(5, [(A, C), (B, C), (C, D), (H, C), (H, D)]), 4, C)
    assert passed == []


def causal_through_hidden(dag, c, d, observed):
    """Whether a directed path leads from c to d whose inner nodes are all hidden."""
    reached, waiting = set(), [c]
    while waiting:
        for child in np.flatnonzero(dag[waiting.pop()]):
            if child == d:
                return True
            if child >= observed and child not in reached:
                reached.add(int(child))
                waiting.append(int(child))
    return False


@pytest.mark.parametrize("seed", range(80))
def test_what_passes_is_causal_on_graphs_with_hidden_variables(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(11, rng, expected_degree=2.6)
    order = rng.permutation(11)
    dag = dag[np.ix_(order, order)]
    passed, _ = y_tests_on(dag, 8, target=int(rng.integers(8)))
    for t in passed:
        assert causal_through_hidden(dag, t.c, t.d, observed=8)


def test_enough_quadruples_pass_for_the_test_above_to_mean_something():
    passed = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        dag = random_dag(11, rng, expected_degree=2.6)
        order = rng.permutation(11)
        passed += len(y_tests_on(dag[np.ix_(order, order)], 8, target=int(rng.integers(8)))[0])
    assert passed >= 40
