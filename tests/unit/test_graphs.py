"""DAG notions against networkx and against brute force."""

import doctest
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from graph_tools import d_separated, random_dag, theorem_v1_violations
from hypothesis import given, settings
from hypothesis import strategies as st

from himation import graphs
from himation.graphs import DSeparation, from_edges

dags = st.builds(
    lambda n, degree, seed: random_dag(n, np.random.default_rng(seed), expected_degree=degree),
    st.integers(2, 9),
    st.floats(0.5, 4),
    st.integers(0, 2**32 - 1),
)


def to_networkx(dag):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(dag)))
    graph.add_edges_from((int(i), int(j)) for i, j in np.argwhere(dag))
    return graph


def test_doctests():
    assert doctest.testmod(graphs).failed == 0


@settings(max_examples=60, deadline=None)
@given(dags)
def test_order_ancestors_descendants(dag):
    order = graphs.topological_order(dag)
    position = np.argsort(order)
    assert all(position[i] < position[j] for i, j in np.argwhere(dag))
    reference = to_networkx(dag)
    for v in range(len(dag)):
        assert graphs.ancestors(dag, v) == nx.ancestors(reference, v)
        assert graphs.descendants(dag, v) == nx.descendants(reference, v)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(0, 2**32 - 1), st.floats(0, 0.6))
def test_acyclicity_of_any_digraph(n, seed, density):
    graph = np.random.default_rng(seed).random((n, n)) < density
    np.fill_diagonal(graph, False)
    assert graphs.is_acyclic(graph) == nx.is_directed_acyclic_graph(to_networkx(graph))


def test_d_separation_equals_networkx_everywhere():
    """All pairs and all conditioning sets of 40 random graphs of up to 7 nodes: some 6,500 questions."""
    rng = np.random.default_rng(1)
    asked = 0
    for _ in range(40):
        dag = random_dag(int(rng.integers(3, 8)), rng, expected_degree=float(rng.uniform(1, 4)))
        reference, oracle = to_networkx(dag), DSeparation(dag)
        for x, y in combinations(range(len(dag)), 2):
            rest = [v for v in range(len(dag)) if v not in (x, y)]
            for size in range(len(rest) + 1):
                for z in combinations(rest, size):
                    expected = nx.is_d_separator(reference, {x}, {y}, set(z))
                    assert oracle.separated(x, y, z) == oracle.separated(y, x, z) == expected
                    asked += 1
    assert asked > 5_000


def test_d_separation_on_larger_graphs():
    rng = np.random.default_rng(2)
    for _ in range(30):
        dag = random_dag(30, rng, edges=45)
        reference = to_networkx(dag)
        for _ in range(30):
            x, y, *z = rng.permutation(30)[: 2 + rng.integers(0, 8)].tolist()
            assert d_separated(dag, x, y, z) == nx.is_d_separator(reference, {x}, {y}, set(z))


@settings(max_examples=60, deadline=None)
@given(dags, st.data())
def test_connected_is_the_union_of_single_answers(dag, data):
    x = data.draw(st.integers(0, len(dag) - 1))
    z = data.draw(st.sets(st.integers(0, len(dag) - 1))) - {x}
    oracle = DSeparation(dag)
    others = [y for y in range(len(dag)) if y != x and y not in z]
    assert oracle.connected(x, z) == {y for y in others if not oracle.separated(x, y, z)}


def test_d_separation_refuses_overlap_and_cycles():
    with pytest.raises(ValueError, match="overlap"):
        d_separated(from_edges(3, [(0, 1)]), 0, 1, [1])
    with pytest.raises(ValueError, match="acyclic"):
        DSeparation(from_edges(2, [(0, 1), (1, 0)]))


@settings(max_examples=60, deadline=None)
@given(dags)
def test_markov_blanket_is_the_smallest_separating_set(dag):
    """The blanket separates t from all the rest, and no member can be left out of it."""
    oracle = DSeparation(dag)
    everything = set(range(len(dag)))
    for t in everything:
        blanket = graphs.markov_blanket(dag, t)
        assert not oracle.connected(t, blanket)
        for member in blanket:
            assert oracle.connected(t, blanket - {member})
        adjacent = graphs.parents(dag, t) | graphs.children(dag, t)
        assert graphs.spouses(dag, t) == blanket - adjacent


@settings(max_examples=60, deadline=None)
@given(dags, st.data())
def test_manipulated_blanket_follows_the_words_of_the_thesis(dag, data):
    n = len(dag)
    t = data.draw(st.integers(0, n - 1))
    manipulated = data.draw(st.sets(st.integers(0, n - 1))) - {t}
    kept = graphs.children(dag, t) - manipulated
    expected = graphs.parents(dag, t) | kept | {p for c in kept for p in graphs.parents(dag, c)} - {t}
    assert graphs.manipulated_blanket(dag, t, manipulated) == expected
    assert expected <= graphs.markov_blanket(dag, t)
    violations = theorem_v1_violations(dag, t, manipulated)
    assert violations == [
        (c, d)
        for c in sorted(manipulated)
        if dag[t, c]
        for d in range(n)
        if d in expected and nx.has_path(to_networkx(dag), c, d) and d != c
    ]


def test_theorem_v1_is_true_where_no_violation_is_named():
    """P(T | MB_M) before and after the manipulation, by summation over the joint table of binary variables."""
    rng = np.random.default_rng(3)
    t, seen = 0, {True: 0, False: 0}
    for _ in range(300):
        dag = random_dag(5, rng, expected_degree=2.5)
        children = sorted(graphs.children(dag, t))
        if not children:
            continue
        manipulated = set(rng.permutation(children)[:2].tolist())
        tables = [rng.uniform(0.1, 0.9, size=(2,) * int(dag[:, v].sum())) for v in range(5)]
        forced = [rng.uniform(0.1, 0.9, size=()) if v in manipulated else tables[v] for v in range(5)]
        blanket = sorted(graphs.manipulated_blanket(dag, t, manipulated))
        natural = posterior(dag, tables, t, blanket)
        after = posterior(graphs.manipulate(dag, manipulated), forced, t, blanket)
        holds = not theorem_v1_violations(dag, t, manipulated)
        assert np.allclose(natural, after) or not holds
        seen[holds] += not np.allclose(natural, after) or holds
    assert min(seen.values()) > 10  # the theorem held, and it failed with unequal posteriors, many times each


def posterior(dag, tables, t, blanket):
    joint = np.ones((2,) * 5)
    for state in np.ndindex(*joint.shape):
        for v in range(5):
            p = tables[v][tuple(state[u] for u in np.flatnonzero(dag[:, v]))]
            joint[state] *= p if state[v] else 1 - p
    summed = tuple(v for v in range(5) if v != t and v not in blanket)
    marginal = joint.sum(axis=summed)
    return marginal[1] / marginal.sum(axis=0)  # t = 0 is the first axis


@settings(max_examples=60, deadline=None)
@given(dags, st.integers(0, 4), st.data())
def test_distances_and_region(dag, depth, data):
    t = data.draw(st.integers(0, len(dag) - 1))
    lengths = nx.single_source_shortest_path_length(to_networkx(dag).to_undirected(), t)
    distance = graphs.distances(dag, t)
    assert distance.tolist() == [lengths.get(v, np.inf) for v in range(len(dag))]
    expected = to_networkx(dag).subgraph([v for v, d in lengths.items() if d <= depth]).edges
    assert {(int(i), int(j)) for i, j in np.argwhere(graphs.region(dag, t, depth))} == set(expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(0, 20), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_random_dag_keeps_its_promises(n, edges, max_parents, seed):
    free = random_dag(n, np.random.default_rng(seed), edges=edges)
    assert graphs.is_acyclic(free)
    assert free.sum() == min(edges, n * (n - 1) // 2)
    bound = random_dag(n, np.random.default_rng(seed), edges=edges, max_parents=max_parents)
    room = sum(min(max_parents, earlier) for earlier in range(n))
    assert bound.sum(axis=0).max() <= max_parents
    assert bound.sum() == min(edges, room)
    again = random_dag(n, np.random.default_rng(seed), edges=edges, max_parents=max_parents)
    assert np.array_equal(bound, again)


def test_random_dag_by_degree():
    rng = np.random.default_rng(4)
    mean = np.mean([2 * random_dag(40, rng, expected_degree=3).sum() / 40 for _ in range(50)])
    assert 2.8 < mean < 3.2
