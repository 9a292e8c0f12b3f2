"""Screening decides as the single tests do, whatever the arities; planes of bits can be turned back into codes."""

import doctest

import numpy as np
import pytest

from himation.blanket.mmpc import mmpc
from himation.independence import FisherZ, GSquare, planes


def drawn(n, p, seed, most=4):
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, most + 1, p)
    codes = np.array([rng.integers(0, arity, n) for arity in arities], dtype=np.uint8)
    linked = rng.random((p, n)) < 0.15
    codes = np.where(linked & (codes[0] < arities[:, None]), codes[0], codes).astype(np.uint8)
    return codes, arities


def by_single_tests(test, x, candidates, log_alpha):
    found = [test.test(x, int(y)) for y in candidates]
    dependent = [i for i, one in enumerate(found) if one.reliable and one.log_p <= log_alpha]
    independent = [one.reliable and one.log_p > log_alpha for one in found]
    return dependent, [found[i].log_p for i in dependent], [found[i].statistic for i in dependent], independent


@pytest.mark.parametrize("options", [{}, {"adjust": False}, {"statistic": "pearson"}, {"examples_per_df": 40}])
@pytest.mark.parametrize("n", [63, 64, 200])
def test_screening_of_discrete_variables(n, options):
    codes, arities = drawn(n, 60, seed=n)
    test = GSquare.from_codes(codes, arities, **options)
    for x in range(0, 60, 7):
        candidates = np.delete(np.arange(60), x)[::-1]
        for alpha in (0.05, 1e-4):
            got = test.screen(x, candidates, np.log(alpha))
            dependent, log_p, statistic, independent = by_single_tests(test, x, candidates, np.log(alpha))
            assert got.dependent.tolist() == dependent and got.independent.tolist() == independent
            np.testing.assert_array_equal(got.log_p, log_p)
            np.testing.assert_array_equal(got.statistic, statistic)


def test_screening_of_numbers():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(12, 80))
    rows[3] += rows[0]
    test = FisherZ(rows)
    got = test.screen(0, np.arange(1, 12), np.log(0.05))
    dependent, log_p, _, independent = by_single_tests(test, 0, np.arange(1, 12), np.log(0.05))
    assert got.dependent.tolist() == dependent and 2 in dependent and got.independent.tolist() == independent
    np.testing.assert_allclose(got.log_p, log_p)


def test_codes_come_back_from_planes():
    codes, arities = drawn(130, 40, seed=1, most=7)
    first = np.concatenate([[0], np.cumsum(arities - 1)])
    made = planes.planes_from(codes, first)
    np.testing.assert_array_equal(planes.codes_from(made, first, 130), codes)
    counts = [(codes[v] == level).sum() for v in range(40) for level in range(1, arities[v])]
    assert planes.plane_totals(made).tolist() == counts
    assert doctest.testmod(planes).failed == 0


def test_what_a_search_says_of_each_variable():
    codes, arities = drawn(400, 40, seed=2)
    test = GSquare.from_codes(codes, arities)
    run = mmpc(test, 0)
    for x in range(1, 40):
        z = run.separating_set(x)
        if x in run.members:
            assert z is None and run.association(x) <= np.log(0.05)
        elif z is not None:
            assert run.association(x) == test.test(0, x, z).log_p > np.log(0.05)
    assert any(run.separating_set(x) for x in range(1, 40)) and run.members


def test_unreliable_candidates_are_left_out_of_the_counting():
    codes, arities = drawn(60, 30, seed=3, most=6)
    test = GSquare.from_codes(codes, arities)
    many = test.many(0, np.arange(1, 30), ())
    for i, y in enumerate(range(1, 30)):
        alone = test.many(0, np.array([y]), ())
        assert alone.reliable[0] == many.reliable[i]
        if many.reliable[i]:
            assert (alone.statistic[0], alone.df[0], alone.log_p[0]) == (many.statistic[i], many.df[i], many.log_p[i])
