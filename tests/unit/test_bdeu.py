"""BDeu against pgmpy and against the formula written out."""

import doctest
from itertools import product
from math import lgamma

import numpy as np
import pandas as pd
import pytest

from himation.orientation.scores import bdeu
from himation.orientation.scores.bdeu import BDeu


def random_codes(n, arities, seed):
    """Columns that depend on their predecessors, so that counts are uneven and some joint values never occur."""
    rng = np.random.default_rng(seed)
    columns = []
    for arity in arities:
        noise = np.minimum(rng.geometric(0.5, n) - 1, arity - 1)
        columns.append((noise + (columns[-1] if columns else 0)) % arity)
    return np.column_stack(columns).astype(np.uint8)


def by_definition(codes, arities, child, parents, equivalent_sample_size):
    """Every joint value of the parents in its turn, seen or not."""
    r, q = arities[child], int(np.prod([arities[p] for p in parents]))
    total = 0.0
    for values in product(*(range(arities[p]) for p in parents)):
        rows = (codes[:, list(parents)] == values).all(axis=1)
        total += lgamma(equivalent_sample_size / q) - lgamma(equivalent_sample_size / q + rows.sum())
        for k in range(r):
            prior = equivalent_sample_size / (q * r)
            total += lgamma(prior + (codes[rows, child] == k).sum()) - lgamma(prior)
    return total


def test_doctests():
    assert doctest.testmod(bdeu).failed == 0


@pytest.mark.parametrize("equivalent_sample_size", [1, 10, 37.5])
def test_equals_pgmpy(equivalent_sample_size):
    from pgmpy.structure_score import BDeu as Reference

    arities = [2, 3, 4, 2, 5, 3]
    codes = random_codes(400, arities, seed=1)
    names = list("abcdef")
    reference = Reference(
        pd.DataFrame(codes, columns=names),
        equivalent_sample_size=equivalent_sample_size,
        state_names={name: list(range(r)) for name, r in zip(names, arities, strict=True)},
    )
    score = BDeu(codes, arities, equivalent_sample_size)
    for child in range(6):
        others = [v for v in range(6) if v != child]
        for chosen in product([False, True], repeat=5):
            parents = tuple(v for v, taken in zip(others, chosen, strict=True) if taken)
            expected = reference.local_score(names[child], tuple(names[p] for p in parents))
            assert score.local(child, parents) == pytest.approx(expected, abs=1e-8)


def test_declared_values_that_never_occur_count():
    arities = [3, 4, 2]
    codes = random_codes(60, arities, seed=2) % 2  # 3 and 4 values declared, 2 seen
    score = BDeu(codes, arities, 10)
    for child, parents in [(0, ()), (0, (1,)), (2, (0, 1)), (1, (0, 2))]:
        expected = by_definition(codes, arities, child, parents, 10)
        assert score.local(child, parents) == pytest.approx(expected, abs=1e-10)
    assert score.local(0, ()) != pytest.approx(BDeu(codes, [2, 2, 2], 10).local(0, ()), abs=1e-3)


def test_equivalent_graphs_score_the_same():
    arities = [3, 4, 2, 3]
    score = BDeu(random_codes(200, arities, seed=3), arities)
    complete_forward = sum(score.local(v, tuple(range(v))) for v in range(4))
    complete_backward = sum(score.local(v, tuple(range(v + 1, 4))) for v in range(4))
    assert complete_forward == pytest.approx(complete_backward, rel=1e-12)


def test_large_tables_are_counted_over_what_occurs(monkeypatch):
    arities = [3, 4, 2, 5]
    codes = random_codes(300, arities, seed=4)
    dense = [BDeu(codes, arities).local(v, tuple(u for u in range(4) if u != v)) for v in range(4)]
    monkeypatch.setattr(bdeu, "MAX_DENSE_CELLS", 1)
    sparse = [BDeu(codes, arities).local(v, tuple(u for u in range(4) if u != v)) for v in range(4)]
    assert sparse == pytest.approx(dense, abs=1e-9)


def test_many_parents_do_not_overflow():
    codes = np.random.default_rng(5).integers(0, 200, size=(50, 12)).astype(np.uint8)
    value = BDeu(codes, [200] * 12).local(0, tuple(range(1, 12)))
    # every example has a joint value of its own: each is a fresh draw from a uniform predictive over 200 values
    assert value == pytest.approx(-50 * np.log(200), rel=1e-6)


def test_the_order_of_parents_and_the_cache_change_nothing():
    codes = random_codes(100, [2, 3, 4], seed=6)
    score = BDeu(codes, [2, 3, 4])
    first = score.local(0, (1, 2))
    assert score.local(0, (2, 1)) == first == score.local(0, (1, 2))


def test_no_examples_no_evidence():
    assert BDeu(np.zeros((0, 2), dtype=np.uint8), [2, 2]).local(0, (1,)) == 0


@pytest.mark.parametrize(
    ("codes", "arities", "size"), [([[0, 2]], [2, 2], 10), ([[0, 1]], [2], 10), ([[0, 1]], [2, 2], 0)]
)
def test_bad_input(codes, arities, size):
    with pytest.raises(ValueError, match="BDeu"):
        BDeu(np.array(codes), arities, size)
