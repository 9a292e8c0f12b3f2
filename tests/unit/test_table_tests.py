"""Which test a table calls for, what each refuses, and that bad data give defined answers."""

import numpy as np
import pytest

from himation.blanket.mmmb import mmmb
from himation.errors import UserError
from himation.files.tables import RawTable
from himation.independence import FisherZ, GSquare
from himation.independence.mixed import MixedLikelihoodRatio
from himation.independence.permutation import PermutationG2
from himation.prepare.preparing import prepare
from himation.table_tests import neighbours_for
from himation.table_tests import test_for as independence_test
from himation.test_names import TESTS


def table(*kinds, n=200, target=None):
    rng = np.random.default_rng(len(kinds))
    columns = {
        "c": lambda: rng.normal(size=n),
        "b": lambda: rng.integers(0, 2, n).astype(float),
        "d": lambda: rng.integers(0, 4, n).astype(float),
    }
    values = np.array([columns[kind]() for kind in kinds])
    target = np.where(values[0] + rng.normal(size=n) > values[0].mean(), 1, -1) if target is None else target
    raw = RawTable("t.csv", [f"v{i}" for i in range(len(kinds))], n, values=values)
    return prepare(raw, target, any_target=True)


@pytest.mark.parametrize(
    "kinds, expected",
    [
        ("bbb", GSquare),
        ("bdb", GSquare),
        ("ccc", FisherZ),
        ("cbd", MixedLikelihoodRatio),
        ("ccb", MixedLikelihoodRatio),
    ],
)
def test_auto_goes_by_the_columns(kinds, expected):
    assert type(independence_test(table(*kinds))) is expected


def test_auto_goes_by_the_target_too():
    rng = np.random.default_rng(0)
    assert type(independence_test(table(*"bbd", target=rng.normal(size=200)))) is MixedLikelihoodRatio
    assert type(independence_test(table(*"ccc", target=rng.normal(size=200)))) is FisherZ
    assert type(independence_test(table(*"ccc", target=rng.integers(0, 3, 200).astype(float)))) is MixedLikelihoodRatio


def test_every_name_is_a_test():
    made = {name: independence_test(table(*"bdb"), name) for name in TESTS}
    assert type(made["permutation"]) is PermutationG2 and type(made["mixed"]) is MixedLikelihoodRatio
    assert made["pearson"].test(0, 1).statistic != made["g2"].test(0, 1).statistic


@pytest.mark.parametrize("name", ["g2", "pearson", "permutation"])
def test_discrete_tests_refuse_numbers(name):
    with pytest.raises(UserError, match="needs discrete variables"):
        independence_test(table(*"cbb"), name)


def test_an_unknown_test_gets_a_suggestion():
    with pytest.raises(UserError, match="did you mean 'fisherz'"):
        independence_test(table(*"ccc"), "fisher")


def collinear(n=120):
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, n))
    return np.array([a, b, a + b, 2 * a - 1, a + 1e-13 * b, np.where(a > 0, 1.0, 0.0), np.where(a > 0, 2.0, 5.0)]), a


@pytest.mark.parametrize("test", ["fisherz", "mixed"])
def test_perfectly_collinear_columns_do_not_crash(test):
    values, a = collinear()
    raw = RawTable("t.csv", list("abcdefg"), values.shape[1], values=values)
    made = prepare(raw, np.where(a + 0.1 * np.random.default_rng(2).normal(size=len(a)) > 0, 1, -1))
    found = mmmb(neighbours_for(made, test, {}), made.n_variables)
    assert np.isfinite(found.strength).all()


@pytest.mark.parametrize("test", ["g2", "pearson", "mixed", "permutation"])
def test_a_column_constant_within_a_stratum_is_defined(test):
    n = 80
    z = np.repeat([0, 1], n // 2)
    x = np.where(z == 0, 0, np.arange(n) % 2)
    values = np.array([x, np.arange(n) % 3 == 0, z], dtype=float)
    made = prepare(RawTable("t.csv", list("xyz"), n, values=values), np.where(np.arange(n) % 5 < 2, 1, -1))
    tested = independence_test(made, test)
    for i in range(4):
        for j in range(4):
            for k in range(4):
                if len({i, j, k}) == 3:
                    result = tested.test(i, j, (k,))
                    assert np.isfinite(result.log_p) and result.log_p <= 0


def test_a_conditioning_table_larger_than_memory_is_never_made():
    codes = np.random.default_rng(0).integers(0, 200, (8, 500)).astype(np.uint8)
    test = GSquare.from_codes(codes, np.full(8, 200))
    assert not test.test(0, 1, (2, 3, 4, 5, 6, 7)).reliable
    wide = test.weakest(0, np.array([1]), np.array([2, 3, 4, 5, 6, 7]), 0, 6, float(np.log(0.05)))
    assert wide.log_p[0] == -np.inf and wide.size[0] == -1


def test_fewer_examples_than_conditioning_variables():
    rng = np.random.default_rng(0)
    for made in (
        FisherZ(rng.normal(size=(8, 6))),
        MixedLikelihoodRatio(list(rng.normal(size=(8, 6))), np.zeros(8, int)),
    ):
        assert not made.test(0, 1, (2, 3, 4, 5, 6)).reliable
