"""The cheap bounds of the mixed test: never below the p-value, and searches that use them find exactly the same."""

import itertools

import numpy as np
import pytest
from test_mixed import random_table

from himation.blanket.hiton import hiton_pc
from himation.blanket.mmpc import mmpc
from himation.independence import bounds
from himation.independence.mixed import MixedLikelihoodRatio


class EveryTest(MixedLikelihoodRatio):
    """The same test without bounds."""

    def may_exceed(self, x, candidates, z, log_p):
        return np.ones(len(candidates), dtype=bool)


def rare_table(n, seed):
    """Strong and weak links among continuous variables and binary ones, some of them rare or excluding each other."""
    rng = np.random.default_rng(seed)
    numbers = np.cumsum(rng.normal(size=(4, n)), axis=0)
    shifts = (0.0, -2.0, -4.0, 1.0)
    binary = [(numbers[i] + s + rng.logistic(size=n) > 0).astype(int) for i, s in enumerate(shifts)]
    group = np.digitize(numbers[0] + rng.normal(size=n), [-1.5, 0.0, 2.0])
    columns = [*numbers, *binary, *(group == g for g in range(4)), group]
    return [np.asarray(c, dtype=float if i < 4 else int) for i, c in enumerate(columns)], [0] * 4 + [2] * 8 + [4]


TABLES = [random_table(400, 7), random_table(60, 8), rare_table(800, 1), rare_table(150, 2)]


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_no_bound_is_below_the_p_value(table):
    columns, arities = TABLES[table]
    test = MixedLikelihoodRatio(columns, arities, examples_per_parameter=0)
    p, counted = len(columns), np.zeros(2, dtype=int)
    for z in itertools.chain.from_iterable(itertools.combinations(range(p), k) for k in range(3)):
        others = np.array([v for v in range(p) if v not in z])
        for x in others.tolist():
            candidates = others[others != x]
            exact = test.many(x, candidates, z).log_p
            assert test.may_exceed(x, candidates, z, exact - 1e-9 - 1e-9 * np.abs(exact)).all()
            counted += (~test.may_exceed(x, candidates, z, exact / 4)).sum(), len(exact)
    assert counted[0] > 0.02 * counted[1]


def test_bounds_of_each_kind_decide():
    """A continuous pair, a rare binary one and one with more values: each has a bound far below 1."""
    rng = np.random.default_rng(3)
    number, frequent = rng.normal(size=5000), rng.integers(0, 2, 5000)
    rare = (rng.random(5000) < np.where(frequent, 0.06, 0.005)).astype(int)
    three = np.argmax(frequent * np.arange(3)[:, None] + rng.gumbel(size=(3, 5000)), axis=0)
    close = number + rng.normal(size=5000)
    test = MixedLikelihoodRatio([number, close, frequent, rare, three], [0, 0, 2, 2, 3])
    for x, y in ((0, 1), (2, 3), (3, 2), (2, 4), (4, 2)):
        assert not test.may_exceed(x, np.array([y]), (), np.array([-20.0]))[0], (x, y)


@pytest.mark.parametrize("search", [mmpc, hiton_pc])
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_searches_find_the_same_to_the_last_bit(search, table):
    columns, arities = TABLES[table]
    quick, slow = MixedLikelihoodRatio(columns, arities), EveryTest(columns, arities)
    for target in range(len(columns)):
        one, two = (search(test, target, 0.05, 2) for test in (quick, slow))
        assert one.members == two.members
        for x in set(range(len(columns))) - {target}:
            assert one.separating_set(x) == two.separating_set(x)
            assert one.association(x) == two.association(x)


def test_wide_tables_have_no_bounds(monkeypatch):
    monkeypatch.setattr("himation.independence.mixed.MOST_COLUMNS", 5)
    columns, arities = TABLES[0]
    test = MixedLikelihoodRatio(columns, arities)
    assert test.may_exceed(0, np.array([1, 2]), (), np.zeros(2)).all()
    assert "_products" not in vars(test)


def test_cross_products_are_those_of_centred_columns():
    columns, arities = TABLES[2]
    test = MixedLikelihoodRatio(columns, arities)
    design = [c for c, a in zip(columns, arities, strict=True) if a == 0]
    design = [(c - c.mean()) / c.std() for c in design]
    for c, a in zip(columns, arities, strict=True):
        design += [(c == level) - np.mean(c == level) for level in range(1, a)]
    np.testing.assert_allclose(test._products, np.array(design) @ np.array(design).T, atol=1e-8)
    assert test._first[-1] < bounds.MOST_COLUMNS
