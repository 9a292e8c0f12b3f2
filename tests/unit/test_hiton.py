"""HITON: Pena's counter-examples, a literal reading of table 4, the wrapper, and data."""

from itertools import combinations
from math import log

import numpy as np
import pytest
from graph_tools import random_dag

from himation.blanket.hiton import hiton_mb, hiton_pc, si_hiton_pc
from himation.blanket.mmpc import Neighbours
from himation.blanket.wrapper import wrapper
from himation.graphs import descendants, from_edges, markov_blanket
from himation.independence import FisherZ, GSquare, Oracle

T, P, Q, R, S = range(5)
FIGURE_A = [(P, Q), (T, Q), (P, R), (R, S), (Q, S)]
FIGURE_B = [(P, Q), (P, R), (Q, T), (T, S), (R, S)]
SEARCHES = (hiton_pc, si_hiton_pc)


@pytest.mark.parametrize("search", SEARCHES)
def test_figure_a_returns_s_without_symmetry(search):
    oracle = Oracle(from_edges(5, FIGURE_A))
    assert set(search(oracle, T, max_conditioning=4).members) == {Q, S}
    plain = Neighbours(oracle, max_conditioning=4, symmetry="none", search=search)
    assert S in hiton_mb(plain, T).members
    assert set(Neighbours(oracle, max_conditioning=4, search=search).of(T)) == {Q}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("symmetry", ["and", "none"])
def test_figure_b_misses_r(search, symmetry):
    dag = from_edges(5, FIGURE_B)
    neighbours = Neighbours(Oracle(dag), max_conditioning=4, symmetry=symmetry, search=search)
    assert set(markov_blanket(dag, T)) == {Q, R, S}
    assert set(neighbours.of(T)) == {Q, S}
    assert set(hiton_mb(neighbours, T).members) == {Q, S}
    assert set(hiton_mb(neighbours, T, spouses="strict").members) == {Q, R, S}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("seed", range(60))
def test_with_symmetry_hiton_pc_is_exact_under_the_oracle(search, seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(int(rng.integers(8, 13)), rng, expected_degree=2.2)
    found = Neighbours(Oracle(dag, seed), max_conditioning=12, search=search)
    for t in range(len(dag)):
        adjacent = {int(v) for v in np.flatnonzero(dag[t] | dag[:, t])}
        assert adjacent <= set(found.plain(t).members) <= adjacent | descendants(dag, t)
        assert set(found.of(t)) == adjacent


@pytest.mark.parametrize("seed", range(40))
def test_hiton_mb_under_the_oracle(seed):
    """The published rule never lets a stranger in; it may lose spouses. The strict rule loses none."""
    rng = np.random.default_rng(seed)
    dag = random_dag(10, rng, expected_degree=2.0)
    found = Neighbours(Oracle(dag, seed), max_conditioning=10, search=hiton_pc)
    for t in range(10):
        blanket = set(markov_blanket(dag, t))
        assert set(found.of(t)) <= set(hiton_mb(found, t).members) <= blanket
        assert set(hiton_mb(found, t, "strict").members) >= blanket


def literal_hiton_pc(test, target, alpha, most):
    """Table 4 without any memory; the newcomer first, then the members in the order of their entry."""

    def separated(x, pool):
        results = (test.test(target, x, z) for k in range(most + 1) for z in combinations(pool, k))
        return any(result.reliable and result.log_p > log(alpha) for result in results)

    marginal = {x: test.test(target, x) for x in range(test.n_variables) if x != target}
    members = []
    for newest in sorted((x for x in marginal if marginal[x].reliable), key=lambda x: marginal[x].log_p):
        members.append(newest)
        for x in [newest, *members[:-1]]:
            if separated(x, [y for y in members if y != x]):
                members.remove(x)
    return members


@pytest.mark.parametrize("seed", range(8))
def test_trying_all_at_once_is_the_paper_s_search(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(14, rng, expected_degree=6)
    rows = rng.normal(size=(14, 60))
    for j in range(14):
        rows[j] += rows[dag[:, j]].sum(axis=0)
    for test in (FisherZ(rows), GSquare.from_codes((rows > 0).astype(np.uint8))):
        for t in range(14):
            assert list(hiton_pc(test, t, 0.5, 3).members) == literal_hiton_pc(test, t, 0.5, 3)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("spouses", ["published", "strict"])
def test_answer_does_not_depend_on_the_order_of_columns(search, spouses):
    rng = np.random.default_rng(9)
    dag = random_dag(20, rng, expected_degree=3)
    rows = rng.normal(size=(20, 300))
    for j in range(20):
        rows[j] += 0.7 * rows[dag[:, j]].sum(axis=0)

    def answer(rows, t):
        return hiton_mb(Neighbours(FisherZ(rows), search=search), t, spouses).members

    first = set(answer(rows, 3))
    for _ in range(5):
        order = rng.permutation(20)
        assert {int(order[x]) for x in answer(rows[order], int(np.flatnonzero(order == 3)[0]))} == first


@pytest.mark.parametrize("search", SEARCHES)
def test_empty_answers_and_unreliable_tests(search):
    rng = np.random.default_rng(3)
    for rows in (rng.normal(size=(5, 100)), rng.normal(size=(1, 100))):
        assert hiton_mb(Neighbours(FisherZ(rows), 1e-6, search=search), 0).members == ()
    codes = np.repeat(rng.integers(0, 2, size=(1, 4)), 3, axis=0)
    assert search(GSquare.from_codes(codes), 0, 0.9).members == ()


def test_a_spouse_that_no_reliable_test_supports_stays_out():
    rng = np.random.default_rng(5)
    target, spouse = rng.integers(0, 3, 170), rng.integers(0, 3, 170)
    child = 3 * target + np.where(rng.random(170) < 0.1, 0, spouse)
    test = GSquare.from_codes(np.array([target, spouse, child]))
    assert test.test(0, 2).reliable and not test.test(0, 1, (2,)).reliable
    assert hiton_mb(Neighbours(test, search=hiton_pc), 0).members == (2,)


def test_the_wrapper_drops_what_is_not_missed():
    worth = {3: 0.2, 1: 0.1, 0: 0.001, 2: -0.01, 4: 0.0}
    asked = []

    def performance(members):
        asked.append(members)
        return 0.5 + sum(worth[x] for x in members)

    assert wrapper((3, 1, 0, 2, 4), performance) == ((3, 1, 0), pytest.approx(0.801))
    assert asked[:2] == [(3, 1, 0, 2, 4), (3, 1, 0, 2)]  # the weakest first
    assert wrapper((3, 1, 0, 2, 4), performance, tolerance=0.005)[0] == (3, 1)
    assert wrapper((), lambda members: 0.5) == ((), 0.5)


def test_small_losses_do_not_add_up():
    kept, _ = wrapper(tuple(range(10)), lambda members: 0.5 + 0.01 * len(members), tolerance=0.025)
    assert len(kept) == 8


def test_unknown_rules_are_refused():
    with pytest.raises(ValueError, match="spouses"):
        hiton_mb(Neighbours(Oracle(from_edges(2, [])), search=hiton_pc), 0, spouses="all")
