"""Completed PDAGs against enumeration of the class, Meek's rules and pgmpy; separating sets against the oracle."""

import doctest
from itertools import combinations, product

import numpy as np
import pytest
from graph_tools import consistent_extension, random_dag, v_structures
from hypothesis import given, settings
from hypothesis import strategies as st

from himation.graphs import DSeparation, from_edges, is_acyclic, skeleton_of
from himation.orientation import pdags
from himation.orientation.pdags import cpdag, meek, pattern_from_separations, shd

small_dags = st.builds(
    lambda n, degree, seed: random_dag(n, np.random.default_rng(seed), expected_degree=degree),
    st.integers(2, 6),
    st.floats(0.5, 4),
    st.integers(0, 2**32 - 1),
)


def colliders_by_definition(dag):
    n = len(dag)
    return {
        (a, c, b)
        for a, b in combinations(range(n), 2)
        for c in range(n)
        if dag[a, c] and dag[b, c] and not dag[a, b] and not dag[b, a]
    }


def orientations(pdag):
    """All DAGs with the skeleton and the directed edges of `pdag`."""
    free = [(int(i), int(j)) for i, j in np.argwhere(pdag & pdag.T) if i < j]
    for choice in product([False, True], repeat=len(free)):
        dag = pdag & ~pdag.T
        for (i, j), forward in zip(free, choice, strict=True):
            dag[(i, j) if forward else (j, i)] = True
        if is_acyclic(dag):
            yield dag


def union_of_class(pdag, colliders):
    members = [dag for dag in orientations(pdag) if colliders_by_definition(dag) == colliders]
    return np.any(members, axis=0) if members else None


def by_v_structures_and_rules(dag):
    pdag = skeleton_of(dag)
    for a, c, b in v_structures(dag):
        pdag[c, a] = pdag[c, b] = False
    return meek(pdag)


def test_doctests():
    assert doctest.testmod(pdags).failed == 0


@settings(max_examples=80, deadline=None)
@given(small_dags)
def test_completed_pdag_is_the_union_of_its_class(dag):
    if dag.sum() <= 11:
        assert np.array_equal(cpdag(dag), union_of_class(skeleton_of(dag), colliders_by_definition(dag)))
    assert set(v_structures(dag)) == colliders_by_definition(dag)


def test_completed_pdags_of_500_random_dags():
    """Labelled edges, rules 1 to 3 from the v-structures, and pgmpy agree; an extension leads back to the class."""
    rng = np.random.default_rng(5)
    for _ in range(500):
        n = int(rng.integers(2, 21))
        dag = random_dag(n, rng, expected_degree=float(rng.uniform(0.5, 5)), max_parents=6)
        completed = cpdag(dag)
        assert np.array_equal(completed, by_v_structures_and_rules(dag))
        assert np.array_equal(cpdag(consistent_extension(completed)), completed)
        assert np.array_equal(completed, by_pgmpy(dag))


def by_pgmpy(dag):
    from pgmpy.base import DAG

    reference = DAG()
    reference.add_nodes_from(range(len(dag)))
    reference.add_edges_from((int(i), int(j)) for i, j in np.argwhere(dag))
    answer = reference.to_pdag()
    pdag = from_edges(len(dag), answer.directed_edges)
    for i, j in answer.undirected_edges:
        pdag[i, j] = pdag[j, i] = True
    return pdag


@settings(max_examples=80, deadline=None)
@given(small_dags, st.integers(0, 2**32 - 1))
def test_rules_with_background_knowledge_are_sound_and_complete(dag, seed):
    """Some edges of the completed PDAG are told; the rules find exactly what all remaining members agree on."""
    completed = cpdag(dag)
    told = dag & (np.random.default_rng(seed).random(dag.shape) < 0.4)
    known = completed & ~told.T
    if dag.sum() <= 11:
        expected = union_of_class(known, colliders_by_definition(dag))
        assert np.array_equal(meek(known), expected)


def test_rule_4_is_needed():
    """a - b, a - c, a - d, c -> d -> b: only rule 4 orients a -> b."""
    a, b, c, d = range(4)
    pdag = from_edges(4, [(a, b), (b, a), (a, c), (c, a), (a, d), (d, a), (c, d), (d, b)])
    assert meek(pdag)[a, b] and not meek(pdag)[b, a]


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_extension_of_any_pdag(n, seed):
    """On arbitrary mixed graphs: an extension is found if and only if one exists, and it is one."""
    rng = np.random.default_rng(seed)
    pdag = rng.random((n, n)) < 0.45
    np.fill_diagonal(pdag, False)
    colliders = {(a, c, b) for a, c, b in v_structures(pdag)}
    valid = [dag for dag in orientations(pdag) if colliders_by_definition(dag) == colliders]
    found = consistent_extension(pdag)
    assert (found is not None) == bool(valid)
    if found is not None:
        assert any(np.array_equal(found, dag) for dag in valid)


def test_pattern_from_the_oracles_separating_sets():
    rng = np.random.default_rng(6)
    for _ in range(100):
        n = int(rng.integers(3, 9))
        dag = random_dag(n, rng, expected_degree=2)
        oracle = DSeparation(dag)
        sepsets = {}
        for x, y in combinations(range(n), 2):
            rest = [v for v in range(n) if v not in (x, y)]
            sets = [z for size in range(n - 1) for z in combinations(rest, size) if oracle.separated(x, y, z)]
            if sets:
                sepsets[x, y] = sets[int(rng.integers(len(sets)))]
        assert np.array_equal(pattern_from_separations(skeleton_of(dag), sepsets), cpdag(dag))


def test_contested_edges_stay_undirected_whatever_the_numbering():
    """0 - 1 - 2 - 3, where the sets call both 1 and 2 a collider: edge 1 - 2 is claimed both ways."""
    chain = skeleton_of(from_edges(4, [(0, 1), (1, 2), (2, 3)]))
    sepsets = {(0, 2): (), (3, 1): {0}}
    found = pattern_from_separations(chain, sepsets)
    assert found[1, 2] and found[2, 1]
    assert found[0, 1] and not found[1, 0] and found[3, 2] and not found[2, 3]
    # unrecorded pairs say nothing
    assert np.array_equal(pattern_from_separations(chain, {}), chain)


@settings(max_examples=100, deadline=None)
@given(st.integers(3, 8), st.integers(0, 2**32 - 1))
def test_numbering_does_not_matter(n, seed):
    rng = np.random.default_rng(seed)
    skeleton = skeleton_of(random_dag(n, rng, expected_degree=2.5))
    sepsets = {
        (x, y): set(np.flatnonzero(rng.random(n) < 0.4).tolist()) - {x, y}
        for x, y in combinations(range(n), 2)
        if not skeleton[x, y] and rng.random() < 0.8
    }
    label = rng.permutation(n)
    moved = np.zeros_like(skeleton)
    moved[np.ix_(label, label)] = skeleton
    moved_sets = {(int(label[x]), int(label[y])): {int(label[v]) for v in z} for (x, y), z in sepsets.items()}
    assert np.array_equal(
        pattern_from_separations(skeleton, sepsets), pattern_from_separations(moved, moved_sets)[np.ix_(label, label)]
    )


def test_shd_counts_pairs():
    truth = from_edges(5, [(0, 1), (1, 2), (2, 3), (3, 2), (0, 4)])
    found = from_edges(5, [(1, 0), (1, 2), (2, 3), (3, 4)])
    # reversed 0 -> 1; direction added to 2 - 3; 0 -> 4 missing; 3 -> 4 extra
    assert shd(truth, found) == shd(found, truth) == 4
    assert shd(truth, truth) == 0


def test_a_cycle_has_no_class():
    with pytest.raises(ValueError, match="acyclic"):
        cpdag(from_edges(2, [(0, 1), (1, 0)]))
