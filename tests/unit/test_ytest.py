"""The Y-test and Mani's Y-structure under the oracle, on graphs with hidden variables, against brute force."""

import doctest
from functools import cache
from itertools import chain, combinations

import networkx as nx
import numpy as np
import pytest
from graph_tools import random_dag

from himation.blanket.mmpc import Neighbours
from himation.confounding import ytest
from himation.confounding.y_structure import y_structures
from himation.confounding.ytest import arrowheads, find_colliders, y_tests
from himation.graphs import DSeparation, from_edges
from himation.independence import GSquare, Oracle
from himation.orientation.region import find_region

A, B, C, D, E, H = range(6)
ALPHA = 0.05
GRAPHS = 400


class Observed(Oracle):
    """An oracle on the first ``observed`` nodes of a graph; the others are hidden. Keeps the questions it was asked."""

    def __init__(self, dag, observed):
        super().__init__(dag)
        self.n_variables = observed
        self.asked = []

    def separated(self, x, y, z=()):
        return self._separation.separated(x, y, z)

    def many(self, x, candidates, z):
        self.asked += [(frozenset((x, int(y))), frozenset(z)) for y in candidates]
        return super().many(x, candidates, z)


class Findings:
    """What both tests find around one node."""

    def __init__(self, dag, observed, target):
        self.graph = nx.from_numpy_array(dag, create_using=nx.DiGraph)
        self.dag, self.observed, self.oracle = dag, observed, Observed(dag, observed)
        self.region = find_region(Neighbours(self.oracle, max_conditioning=observed - 2), target, depth=3)
        self.oracle.asked.clear()
        self.colliders = find_colliders(self.region, self.oracle, ALPHA)
        self.passed = y_tests(self.region, self.colliders)
        self.structures = y_structures(self.region, self.colliders, self.oracle, ALPHA)


@cache
def on_random_graphs():
    found = []
    for seed in range(GRAPHS):
        rng = np.random.default_rng(seed)
        n, hidden = int(rng.integers(7, 13)), int(rng.integers(1, 5))
        dag = random_dag(n, rng, expected_degree=float(rng.uniform(1.8, 4)))
        found.append(Findings(dag, n - hidden, target=0))
    return found


def declared(found, what):
    return {(test.c, test.d) for test in getattr(found, what)}


def is_inducing(graph, path, observed):
    """Whether no set of observed variables blocks a path: its observed inner nodes are colliders, and all its colliders
    cause one of its ends."""
    causes = nx.ancestors(graph, path[0]) | nx.ancestors(graph, path[-1])
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        is_collider = graph.has_edge(before, node) and graph.has_edge(after, node)
        if node not in causes if is_collider else node < observed:
            return False
    return True


def inducing_paths(found, c, d):
    paths = nx.all_simple_paths(found.graph.to_undirected(), c, d)
    return [path for path in paths if is_inducing(found.graph, path, found.observed)]


def is_causal_through_hidden(found, c, d):
    kept = [node for node in found.graph if node >= found.observed or node in (c, d)]
    return nx.has_path(found.graph.subgraph(kept), c, d)


def common_hidden_causes(found, c, d):
    """Hidden variables that cause both, each by a path of hidden variables that avoids the other."""
    hidden = range(found.observed, len(found.dag))
    reach = {end: found.graph.subgraph([*hidden, end]) for end in (c, d)}
    return [h for h in hidden if all(nx.has_path(graph, h, end) for end, graph in reach.items())]


def test_the_y_structure_passes():
    found = Findings(from_edges(4, [(A, C), (B, C), (C, D)]), 4, C)
    assert [(t.a, t.b, t.c, t.d, t.p_score) for t in found.passed] == [(A, B, C, D, 1.0)]
    assert found.structures == found.passed
    assert arrowheads(found.colliders) == {(A, C): 1, (B, C): 1}


def test_with_a_measured_common_cause_only_the_y_test_passes():
    found = Findings(from_edges(5, [(E, A), (E, B), (A, C), (B, C), (C, D)]), 5, C)
    assert declared(found, "passed") == {(C, D)}
    assert found.structures == []


@pytest.mark.parametrize("causal", [[], [(C, D)]])
def test_a_confounded_edge_does_not_pass(causal):
    found = Findings(from_edges(5, [(A, C), (B, C), (E, C), (E, D), *causal]), 4, C)
    assert found.passed == found.structures == []
    assert common_hidden_causes(found, C, D) == [E]


@pytest.mark.parametrize(("what", "at_least"), [("passed", 100), ("structures", 30)])
def test_what_passes_is_causal_and_never_confounded(what, at_least):
    n_edges = 0
    for found in on_random_graphs():
        for c, d in declared(found, what):
            n_edges += 1
            assert nx.has_path(found.graph, c, d)
            assert not common_hidden_causes(found, c, d)
            paths = inducing_paths(found, c, d)
            assert paths and all(found.graph.has_edge(c, path[1]) for path in paths)
    assert n_edges >= at_least


def test_no_confounded_edge_is_declared_causal():
    confounded = 0
    for found in on_random_graphs():
        causal = declared(found, "passed") | declared(found, "structures")
        for a, b in found.region.edges:
            if common_hidden_causes(found, a, b):
                confounded += 1
                assert causal.isdisjoint({(a, b), (b, a)})
    assert confounded >= 300


def test_the_causal_path_is_hidden_unless_an_effect_of_c_shares_a_hidden_cause_with_d():
    exceptions = edges = 0
    for found in on_random_graphs():
        for c, d in declared(found, "passed"):
            edges += 1
            if not is_causal_through_hidden(found, c, d):
                exceptions += 1
                last = [path[-2] for path in inducing_paths(found, c, d)]
                assert last and all(node >= found.observed for node in last)
    assert exceptions <= 0.02 * edges


def test_the_exception_to_the_proposition():
    """C -> E -> D with a hidden cause of E and D: the same independencies as with C -> D in its place."""
    ys = [(A, C), (B, C), (C, E), (E, D)]
    hidden = Findings(from_edges(6, [*ys, (H, E), (H, D)]), 5, C)
    direct = Findings(from_edges(5, [*ys, (C, D)]), 5, C)
    for x, y in combinations(range(5), 2):
        others = [z for z in range(5) if z not in (x, y)]
        for given in chain.from_iterable(combinations(others, k) for k in range(4)):
            assert hidden.oracle.separated(x, y, given) == direct.oracle.separated(x, y, given)
    assert (C, D) in declared(hidden, "passed") & declared(direct, "passed")
    assert is_causal_through_hidden(direct, C, D) and not is_causal_through_hidden(hidden, C, D)


def passes_by_definition(found, separating, a, b, c, d):
    """Conditions 1 to 6 with any sets, and the symmetric check for B."""
    adjacent = not (separating(a, c) or separating(b, c) or separating(d, c))
    collider = any(c not in z and not found.oracle.separated(a, b, z | {c}) for z in separating(a, b))
    return adjacent and collider and all(any(c in z for z in separating(x, d)) for x in (a, b))


def separating_sets(found):
    """A function that lists all sets that separate two variables."""

    @cache
    def separating(x, y):
        others = [z for z in range(found.observed) if z not in (x, y)]
        subsets = chain.from_iterable(combinations(others, k) for k in range(len(others) + 1))
        return [set(z) for z in subsets if found.oracle.separated(x, y, z)]

    return separating


def test_every_quadruple_that_satisfies_the_proposition_passes():
    quadruples = 0
    for found in on_random_graphs()[:60]:
        around, separating = ytest.neighbourhoods(found.region), separating_sets(found)
        expected = {
            (a, b, c, d)
            for c in around
            for a, b in combinations(sorted(around[c]), 2)
            for d in around[c] - {a, b}
            if passes_by_definition(found, separating, a, b, c, d)
        }
        assert {(t.a, t.b, t.c, t.d) for t in found.passed} == expected
        quadruples += len(expected)
    assert quadruples >= 10


def test_y_structures_are_the_quadruples_with_the_independencies_of_a_y():
    y = DSeparation(from_edges(4, [(A, C), (B, C), (C, D)]))
    questions = [
        (x, z, given)
        for x, z in combinations(range(4), 2)
        for given in chain.from_iterable(combinations(sorted({A, B, C, D} - {x, z}), k) for k in range(3))
    ]
    assert len(questions) == 24
    structures = 0
    for found in on_random_graphs():
        truth, around = DSeparation(found.dag), ytest.neighbourhoods(found.region)
        expected = {
            (a, b, c, d)
            for c in around
            for a, b in combinations(sorted(around[c]), 2)
            for d in around[c] - {a, b}
            if all(
                truth.separated((a, b, c, d)[x], (a, b, c, d)[z], [(a, b, c, d)[v] for v in given])
                == y.separated(x, z, given)
                for x, z, given in questions
            )
        }
        assert {(t.a, t.b, t.c, t.d) for t in found.structures} == expected
        structures += len(expected)
    assert structures >= 50


def test_each_test_is_made_once():
    asked = 0
    for found in on_random_graphs():
        assert len(found.oracle.asked) == len(set(found.oracle.asked))
        asked += len(found.oracle.asked)
    assert asked > GRAPHS


def test_the_p_score_is_the_smallest_p_value_relied_upon():
    rng = np.random.default_rng(2)
    a, b = rng.random((2, 3000)) < 0.5
    c = rng.random(3000) < np.where(a, 0.5, 0.1) + np.where(b, 0.4, 0.0)
    d = rng.random(3000) < np.where(c, 0.8, 0.2)
    test = GSquare.from_codes(np.array([a, b, c, d], dtype=np.uint8), np.full(4, 2))
    region = find_region(Neighbours(test), C)
    colliders = find_colliders(region, test, ALPHA)
    p_values = [test.test(A, B).p_value, test.test(A, D, (C,)).p_value, test.test(B, D, (C,)).p_value]
    assert [(t.c, t.d, t.p_score) for t in y_tests(region, colliders)] == [(C, D, pytest.approx(min(p_values)))]
    assert y_structures(region, colliders, test, ALPHA) == y_tests(region, colliders)
    assert y_tests(region, colliders)[0].p_dependent == colliders[0].p_dependent
    assert colliders[0].p_dependent == pytest.approx(test.test(A, B, (C,)).p_value)


def test_the_example_holds():
    assert doctest.testmod(ytest).failed == 0
