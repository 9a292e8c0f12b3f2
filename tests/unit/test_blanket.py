"""MMPC and MMMB under the oracle, on Pena's counter-examples, and on data."""

import numpy as np
import pytest
from graph_tools import random_dag

from himation.blanket.mmmb import mmmb
from himation.blanket.mmpc import Neighbours, mmpc
from himation.graphs import from_edges, markov_blanket
from himation.independence import FisherZ, GSquare, Oracle

T, P, Q, R, S = range(5)
# Pena et al. 2007, table 2: in (a) MMPC without symmetry returns S, in (b) MMMB can let P in.
FIGURE_A = [(P, Q), (T, Q), (P, R), (R, S), (Q, S)]
FIGURE_B = [(P, Q), (P, R), (Q, T), (T, S), (R, S)]


def neighbours(dag, t):
    return {int(v) for v in np.flatnonzero(dag[t] | dag[:, t])}


@pytest.mark.parametrize("seed", range(60))
def test_with_symmetry_mmpc_is_exact_under_the_oracle(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(int(rng.integers(8, 13)), rng, expected_degree=2.5)
    found = Neighbours(Oracle(dag, seed), max_conditioning=10)
    for t in range(len(dag)):
        assert set(found.of(t)) == neighbours(dag, t)


@pytest.mark.parametrize("seed", range(40))
def test_mmmb_has_the_whole_blanket_under_the_oracle(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(10, rng, expected_degree=2.0)
    found = Neighbours(Oracle(dag, seed), max_conditioning=10)
    for t in range(len(dag)):
        for spouses in ("strict", "published"):
            assert set(mmmb(found, t, spouses).members) >= set(markov_blanket(dag, t))


def test_mmpc_fails_on_figure_a_without_symmetry_only():
    dag = from_edges(5, FIGURE_A)
    plain = mmpc(Oracle(dag), T, max_conditioning=4)
    assert set(plain.members) == {Q, S}
    assert set(Neighbours(Oracle(dag), max_conditioning=4).of(T)) == {Q}
    assert Neighbours(Oracle(dag), max_conditioning=4, symmetry="none").of(T) == plain.members


def test_mmmb_fails_on_figure_b_as_published():
    dag = from_edges(5, FIGURE_B)
    assert set(markov_blanket(dag, T)) == {Q, R, S}
    found = mmmb(Neighbours(Oracle(dag), max_conditioning=4), T, spouses="published")
    assert set(found.members) == {P, Q, R, S}


def test_or_symmetry_holds_more_than_and():
    rng = np.random.default_rng(0)
    data = FisherZ(np.cumsum(rng.normal(size=(8, 60)), axis=0))
    for t in range(8):
        both = [set(Neighbours(data, 0.05, 3, rule).of(t)) for rule in ("and", "none", "or")]
        assert both[0] <= both[1] <= both[2]


def test_separating_sets_separate():
    rng = np.random.default_rng(4)
    codes = (np.cumsum(rng.normal(size=(8, 400)), axis=0) > 0).astype(np.uint8)
    test = GSquare.from_codes(codes)
    run = mmpc(test, 0, 0.05, 3)
    out = [x for x in range(1, 8) if x not in run.members]
    assert out
    for x in out:
        assert test.test(0, x, run.separating_set(x)).p_value > 0.05
    for x in run.members:
        assert run.separating_set(x) is None
        assert run.association(x) <= np.log(0.05)


def test_answer_does_not_depend_on_the_order_of_columns():
    rng = np.random.default_rng(9)
    dag = random_dag(25, rng, expected_degree=3)
    rows = rng.normal(size=(25, 300))
    for j in range(25):
        rows[j] += 0.7 * rows[dag[:, j]].sum(axis=0)
    answer = set(mmmb(Neighbours(FisherZ(rows)), 3).members)
    for _ in range(5):
        order = rng.permutation(25)
        found = mmmb(Neighbours(FisherZ(rows[order])), int(np.flatnonzero(order == 3)[0]))
        assert {int(order[x]) for x in found.members} == answer


def test_unknown_rules_are_refused():
    with pytest.raises(ValueError, match="symmetry"):
        Neighbours(Oracle(from_edges(2, [])), symmetry="xor")
    with pytest.raises(ValueError, match="spouses"):
        mmmb(Neighbours(Oracle(from_edges(2, []))), 0, spouses="all")


def test_threads_change_nothing():
    rng = np.random.default_rng(2)
    dag = random_dag(30, rng, expected_degree=3)
    rows = rng.normal(size=(30, 200))
    for j in range(30):
        rows[j] += 0.7 * rows[dag[:, j]].sum(axis=0)
    for test in (FisherZ(rows), GSquare.from_codes((rows > 0).astype(np.uint8))):
        one, two = Neighbours(test), Neighbours(test, threads=2)
        assert [one.of(t) for t in range(30)] == [two.of(t) for t in range(30)]
        two.prefetch(range(30))
