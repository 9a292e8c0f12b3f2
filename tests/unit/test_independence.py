"""Tests of independence against scipy, brute force and each other."""

import itertools

import numpy as np
import pytest
from graph_tools import d_separated, random_dag
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from himation.bits import pack_bits, unpack_bits
from himation.independence import FisherZ, GSquare, Oracle
from himation.independence.base import IndependenceTest
from himation.independence.chisquare import log_tails


def direct_g_square(codes, arities, x, y, z):
    """G-square, adjusted and nominal degrees of freedom, cell by cell."""
    total, df = 0.0, 0
    for stratum in itertools.product(*(range(arities[i]) for i in z)):
        rows = np.all([codes[i] == value for i, value in zip(z, stratum, strict=True)] or [codes[x] >= 0], axis=0)
        table = np.zeros((arities[x], arities[y]))
        np.add.at(table, (codes[x][rows], codes[y][rows]), 1)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if min(table.shape) > 1:
            statistic, _, freedom, _ = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
            total += statistic
            df += freedom
    return total, df


@pytest.mark.parametrize("df", [1, 2, 3, 8, 40, 500])
def test_log_tail_is_scipys(df):
    x = np.array([0.0, 1e-6, 0.3, 1.0, df * 0.5, df, df * 1.5, df * 4.0, 700.0])
    np.testing.assert_allclose(log_tails(x, np.full(len(x), float(df))), stats.chi2.logsf(x, df), rtol=1e-9, atol=1e-12)


def test_log_tail_where_scipy_underflows():
    x = np.array([1e4, 1e6])
    np.testing.assert_allclose(log_tails(x, np.array([2.0, 2.0])), -x / 2, rtol=1e-12)
    log_normal = np.log(2) + stats.norm.logsf(np.sqrt(x))
    np.testing.assert_allclose(log_tails(x, np.array([1.0, 1.0])), log_normal, rtol=1e-12)


@given(st.integers(1, 200), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_bits_come_back(n, seed):
    rows = np.random.default_rng(seed).integers(0, 2, (3, n)).astype(np.uint8)
    np.testing.assert_array_equal(unpack_bits(pack_bits(rows), n), rows)


@pytest.mark.parametrize("arities", [(2, 2, 2, 2, 2), (2, 3, 4, 2, 3)])
@pytest.mark.parametrize("z", [(), (2,), (2, 3), (2, 3, 4)])
def test_g_square_is_the_sum_over_strata(arities, z):
    rng = np.random.default_rng(3)
    codes = np.array([rng.integers(0, size, 400) for size in arities], dtype=np.uint8)
    codes[1] = (codes[0] + codes[2] + (rng.random(400) < 0.4)) % arities[1]
    test = GSquare.from_codes(codes, arities)
    result = test.test(0, 1, z)
    statistic, df = direct_g_square(codes, arities, 0, 1, z)
    assert result.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-9)
    assert result.df == df
    assert result.log_p == pytest.approx(stats.chi2.logsf(statistic, df), rel=1e-9)
    nominal = GSquare.from_codes(codes, arities, adjust=False).test(0, 1, z)
    assert nominal.df == (arities[0] - 1) * (arities[1] - 1) * np.prod([arities[i] for i in z])


class ByBytes(GSquare):
    """The same test by one pass over bytes, whatever the number of cells."""

    def _by_planes(self, x, masks):
        return False


@pytest.mark.parametrize("statistic", ["g2", "pearson"])
def test_planes_and_bytes_agree(statistic):
    rng = np.random.default_rng(5)
    codes = np.array([rng.integers(0, size, 130) for size in (2, 3, 2, 4, 3, 2)], dtype=np.uint8)
    planes, plain = (kind.from_codes(codes, statistic=statistic) for kind in (GSquare, ByBytes))
    for z in [(), (2,), (2, 3), (2, 3, 4)]:
        a, b = planes.many(0, np.array([1, 5]), z), plain.many(0, np.array([1, 5]), z)
        np.testing.assert_allclose(a.statistic, b.statistic, atol=1e-9)
        np.testing.assert_array_equal(a.df, b.df)


def test_pearson_is_scipys():
    rng = np.random.default_rng(6)
    codes = np.array([rng.integers(0, 3, 200), rng.integers(0, 4, 200), rng.integers(0, 2, 200)], dtype=np.uint8)
    test = GSquare.from_codes(codes, statistic="pearson")
    total = 0.0
    for value in (0, 1):
        table = np.zeros((3, 4))
        np.add.at(table, (codes[0][codes[2] == value], codes[1][codes[2] == value]), 1)
        total += stats.chi2_contingency(table, correction=False).statistic
    assert test.test(0, 1, (2,)).statistic == pytest.approx(total, rel=1e-12)


def test_codes_come_back_from_planes():
    codes = np.array([[0, 1, 2, 3, 1], [1, 0, 1, 1, 0], [2, 2, 0, 1, 0]], dtype=np.uint8)
    made = GSquare.from_codes(codes)
    np.testing.assert_array_equal(GSquare(5, made.arities, made._planes).codes, codes)


def test_five_examples_for_each_degree_of_freedom():
    codes = np.random.default_rng(0).integers(0, 2, (6, 79)).astype(np.uint8)
    test = GSquare.from_codes(codes)
    assert test.test(0, 1, (2, 3)).reliable
    assert not test.test(0, 1, (2, 3, 4, 5)).reliable
    assert GSquare.from_codes(codes, examples_per_df=4).test(0, 1, (2, 3, 4, 5)).reliable


def test_fisher_z_is_the_partial_correlation_of_residuals():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(6, 6)) @ rng.normal(size=(6, 80))
    test = FisherZ(rows)
    for z in [(), (2,), (3, 2), (5, 2, 4)]:
        design = np.column_stack([np.ones(80), *(rows[i] for i in z)])
        left = [row - design @ np.linalg.lstsq(design, row, rcond=None)[0] for row in rows[:2]]
        r = stats.pearsonr(*left).statistic
        statistic = np.arctanh(r) * np.sqrt(80 - len(z) - 3)
        result = test.test(0, 1, z)
        assert result.statistic == pytest.approx(statistic, rel=1e-8)
        assert result.log_p == pytest.approx(np.log(2) + stats.norm.logsf(abs(statistic)), rel=1e-8)


def test_strong_links_do_not_tie():
    rng = np.random.default_rng(0)
    x = rng.normal(size=3000)
    test = FisherZ(np.array([x, x + 0.01 * rng.normal(size=3000), x + 0.02 * rng.normal(size=3000)]))
    first, second = test.test(0, 1), test.test(0, 2)
    assert first.p_value == second.p_value == 0.0
    assert first.log_p < second.log_p < -1000


def test_what_is_determined_by_z_is_independent():
    rng = np.random.default_rng(2)
    z = rng.normal(size=(2, 100))
    test = FisherZ(np.array([rng.normal(size=100), z[0] + 2 * z[1], z[0], z[1], z[0]]))
    assert test.test(0, 1, (2, 3)).p_value == 1.0
    assert test.test(0, 1, (2, 4, 3)).p_value == 1.0  # the conditioning set itself is collinear
    constant = FisherZ(np.array([np.ones(50), rng.normal(size=50)]))
    assert constant.test(0, 1).p_value == 1.0


def test_too_few_examples_are_unreliable_not_wrong():
    test = FisherZ(np.random.default_rng(0).normal(size=(5, 5)))
    assert not test.test(0, 1, (2, 3)).reliable
    assert test.test(0, 1, (2,)).reliable


@pytest.mark.parametrize("kind", ["bits", "planes", "bytes", "fisher"])
def test_compiled_search_over_subsets_is_the_plain_one(kind):
    rng = np.random.default_rng(7)
    dag = random_dag(9, rng, expected_degree=3)
    noise = rng.normal(size=(9, 300))
    for j in range(9):
        noise[j] += 0.8 * noise[dag[:, j]].sum(axis=0)
    test = {
        "fisher": lambda: FisherZ(noise),
        "bits": lambda: GSquare.from_codes((noise > 0).astype(np.uint8)),
        "planes": lambda: GSquare.from_codes(np.digitize(noise, [-0.7, 0.7]), [3] * 9),
        "bytes": lambda: GSquare.from_codes(np.digitize(noise, [-1.4, -0.7, 0, 0.7, 1.4]), [6] * 9, examples_per_df=0),
    }[kind]()
    for first_new, alpha, who in [(0, 0.05, [1, 2, 7, 8]), (2, 0.05, [1, 2, 7, 8]), (3, 1e-12, [8]), (0, 1e-6, [2])]:
        arguments = (0, np.array(who), np.array([3, 4, 5, 6]), first_new, 3, float(np.log(alpha)))
        fast, slow = test.weakest(*arguments), IndependenceTest.weakest(test, *arguments)
        np.testing.assert_allclose(fast.log_p, slow.log_p, rtol=1e-8, atol=1e-10)
        np.testing.assert_array_equal(fast.size, slow.size)
        for i in range(len(who)):
            size = max(0, slow.size[i])
            np.testing.assert_array_equal(fast.sets[i, :size], slow.sets[i, :size])


def test_oracle_answers_by_separation():
    rng = np.random.default_rng(11)
    dag = random_dag(8, rng, expected_degree=2.5)
    oracle = Oracle(dag)
    for x, y in itertools.combinations(range(8), 2):
        for z in itertools.combinations([v for v in range(8) if v not in (x, y)], 2):
            assert (oracle.test(x, y, z).p_value == 1.0) == d_separated(dag, x, y, z)
