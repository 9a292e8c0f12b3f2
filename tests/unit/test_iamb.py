"""IAMB, inter-IAMB, KIAMB and GS: exact under the oracle, honest about unreliable tests, on data."""

import numpy as np
import pytest
from graph_tools import random_dag

from himation.blanket.iamb import Growth, draw, grow_shrink, iamb, inter_iamb, kiamb
from himation.blanket.runs import distinct
from himation.graphs import from_edges, markov_blanket
from himation.independence import FisherZ, GSquare, Oracle


def true_blanket(dag, t):
    return {int(v) for v in markov_blanket(dag, t)}


@pytest.mark.parametrize("seed", range(200))
def test_exact_under_the_oracle(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(int(rng.integers(8, 16)), rng, expected_degree=2.5)
    oracle = Oracle(dag, seed)
    for t in range(len(dag)):
        answers = [find(oracle, t).members for find in (iamb, inter_iamb, grow_shrink)]
        answers.append(iamb(oracle, t, phases="once").members)
        answers += [kiamb(oracle, t, k=k, rng=seed).members for k in (0.0, 0.5, 0.8, 1.0)]
        assert all(set(answer) == true_blanket(dag, t) for answer in answers)


def test_iamb_enters_by_the_strongest_and_leaves_what_the_rest_explains():
    """Pena's transmission: R knows most about T by itself, but T's two messages say all that R does."""
    rng = np.random.default_rng(0)
    n = 4000
    sent = rng.integers(0, 4, n)
    noisy = [np.where(rng.random(n) < 0.05, 1 - bit, bit) for bit in (sent // 2, sent % 2)]
    again = [np.where(rng.random(n) < 0.05, 1 - bit, bit) for bit in noisy]
    received = 2 * again[0] + again[1]
    test = GSquare.from_codes(np.array([sent, noisy[0], noisy[1], received]))
    assert Growth(test, 0, 0.01).dependent(())[0] == 3
    assert set(iamb(test, 0, 0.01).members) == {1, 2}


def blankets_by(rows, t, kind=FisherZ):
    test = kind(rows)
    found = [find(test, t).members for find in (iamb, inter_iamb, grow_shrink)]
    return [set(members) for members in (*found, kiamb(test, t, k=0.6, rng=3).members)]


def gaussian(rng, p=20, n=300):
    dag = random_dag(p, rng, expected_degree=3)
    rows = rng.normal(size=(p, n))
    for j in range(p):
        rows[j] += 0.7 * rows[dag[:, j]].sum(axis=0)
    return rows


@pytest.mark.parametrize("kind", [FisherZ, lambda rows: GSquare.from_codes((rows > 0) + (rows > 0.8))])
def test_answer_does_not_depend_on_the_order_of_columns(kind):
    rng = np.random.default_rng(9)
    rows = gaussian(rng)
    answer = blankets_by(rows, 3, kind)
    for _ in range(5):
        order = rng.permutation(len(rows))
        found = blankets_by(rows[order], int(np.flatnonzero(order == 3)[0]), kind)
        assert [{int(order[x]) for x in members} for members in found] == answer


def test_with_k_one_kiamb_is_iamb():
    test = FisherZ(gaussian(np.random.default_rng(1)))
    for t in range(test.n_variables):
        assert kiamb(test, t, k=1.0, rng=0) == iamb(test, t)


def test_unreliable_tests_are_skipped():
    """A parity of many parents: after the third one no test is reliable, and none of those in is thrown out by one."""
    rng = np.random.default_rng(2)
    causes = rng.integers(0, 2, size=(12, 60))
    effect = (causes.sum(axis=0) + rng.normal(size=60) > 6).astype(int)
    test = GSquare.from_codes(np.vstack([causes, effect]))
    for find in (iamb, inter_iamb, grow_shrink, kiamb):
        members = find(test, 12, 0.2).members
        assert 1 <= len(members) <= 4  # 5 examples for each of 2^k degrees of freedom: k is 3 at most
    few = GSquare.from_codes(np.vstack([causes, effect])[:, :4])
    assert all(find(few, 12, 0.9).members == () for find in (iamb, inter_iamb, grow_shrink, kiamb))


def test_empty_answers():
    rng = np.random.default_rng(3)
    nothing = FisherZ(rng.normal(size=(5, 100)))
    assert all(find(nothing, 0, 1e-6).members == () for find in (iamb, inter_iamb, grow_shrink, kiamb))
    alone = FisherZ(rng.normal(size=(1, 100)))
    assert all(find(alone, 0).members == () for find in (iamb, inter_iamb, grow_shrink, kiamb))


def test_of_duplicates_one_enters():
    rng = np.random.default_rng(4)
    x, noise = rng.normal(size=500), rng.normal(size=500)
    test = FisherZ(np.array([x, x, x + noise, rng.normal(size=500)]))
    assert all(find(test, 2).members in ((0,), (1,)) for find in (iamb, inter_iamb, grow_shrink, kiamb))


def test_repeated_runs_find_both_of_two_blankets():
    rng = np.random.default_rng(5)
    bit = rng.integers(0, 2, 300)
    target = np.where(rng.random(300) < 0.1, 1 - bit, bit)
    growth = Growth(GSquare.from_codes(np.array([bit, bit, target])), 2, 0.01)
    found = distinct(lambda rng: growth.random_blanket(0.0, rng), runs=40, seed=1)
    assert {blanket.members for blanket, _ in found} == {(0,), (1,)}
    assert sum(count for _, count in found) == 40 and found[0][1] >= found[1][1] > 5
    assert found == distinct(lambda rng: growth.random_blanket(0.0, rng), runs=40, seed=1)


def test_a_target_of_several_values_and_a_continuous_one():
    rng = np.random.default_rng(6)
    cause, other = rng.integers(0, 3, 900), rng.integers(0, 4, 900)
    target = (cause + (rng.random(900) < 0.2)) % 3
    assert iamb(GSquare.from_codes(np.array([cause, other, target])), 2, 0.001).members == (0,)
    wave = rng.normal(size=(2, 400))
    assert iamb(FisherZ(np.vstack([wave, wave[0] + rng.normal(size=400)])), 2, 0.001).members == (0,)


def test_the_best_of_a_random_share():
    rng = np.random.default_rng(7)
    half = [draw(10, 0.5, rng) for _ in range(4000)]
    assert np.mean(np.array(half) == 0) == pytest.approx(0.5, abs=0.03)  # rank 0 is in half of the subsets of five
    assert max(half) <= 5
    assert {draw(4, 0.0, rng) for _ in range(200)} == {0, 1, 2, 3}
    assert {draw(100, 0.29, np.random.default_rng(s)) <= 71 for s in range(50)} == {True}


def test_unknown_settings_are_refused():
    oracle = Oracle(from_edges(2, []))
    with pytest.raises(ValueError, match="phases"):
        iamb(oracle, 0, phases="twice")
    with pytest.raises(ValueError, match="K is 2"):
        kiamb(oracle, 0, k=2)
