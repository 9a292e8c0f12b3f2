"""The permutation test: against exact enumeration, its level where chi-square loses it, and what a seed must mean."""

import itertools

import numpy as np
import pytest
from scipy import stats

from himation.errors import UserError
from himation.independence import GSquare
from himation.independence.permutation import MOST_DF_SCREENED, PermutationG2, _number_strata

ALL = {"screen": None, "examples_per_df": 0}


def sparse_table(n, p_target, p_other, z_arities, others, rng):
    """Independent columns: ``others`` rare binary ones, the target, and conditioning variables."""
    z = [rng.integers(0, arity, n) for arity in z_arities]
    columns = [*(rng.random((others, n)) < p_other), rng.random(n) < p_target, *z]
    return np.array(columns, dtype=np.uint8), [2] * (others + 1) + list(z_arities)


def test_two_by_two_is_fishers_exact_distribution():
    rng = np.random.default_rng(0)
    codes = (rng.random((2, 40)) < 0.3).astype(np.uint8)
    codes[1, :25] = codes[0, :25]
    table = np.zeros((2, 2))
    np.add.at(table, (codes[0], codes[1]), 1)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    exact, own = 0.0, None
    weights = {}
    for both in range(int(min(rows[1], columns[1])) + 1):
        t = np.array([[rows[0] - columns[1] + both, columns[1] - both], [rows[1] - both, both]])
        if t.min() >= 0:
            g = stats.chi2_contingency(t, correction=False, lambda_="log-likelihood").statistic
            weights[both] = (g, stats.hypergeom.pmf(both, 40, rows[1], columns[1]))
            own = g if both == table[1, 1] else own
    exact = sum(weight for g, weight in weights.values() if g >= own - 1e-9)
    found = PermutationG2(codes, permutations=200_000, **ALL).test(0, 1)
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact / 200_000) + 1e-5)


def test_strata_agree_with_all_permutations():
    x = np.array([0, 0, 1, 2, 0, 1, 1, 2], dtype=np.uint8)
    y = np.array([0, 0, 1, 1, 0, 1, 1, 0], dtype=np.uint8)
    z = np.array([0, 0, 0, 0, 1, 1, 1, 1], dtype=np.uint8)
    own = GSquare.from_codes(np.array([x, y, z]), [3, 2, 2], examples_per_df=0).test(0, 1, (2,)).statistic
    reached, total = 0, 0
    for one, two in itertools.product(itertools.permutations(range(4)), itertools.permutations(range(4, 8))):
        codes = np.array([x, y[[*one, *two]], z])
        statistic = GSquare.from_codes(codes, [3, 2, 2], examples_per_df=0).test(0, 1, (2,)).statistic
        reached, total = reached + (statistic >= own - 1e-9), total + 1
    exact = reached / total
    found = PermutationG2(np.array([x, y, z]), [3, 2, 2], permutations=100_000, **ALL).test(0, 1, (2,))
    assert found.statistic == pytest.approx(own)
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 100_000))


def test_answers_follow_from_contents_and_seed_alone():
    codes, arities = sparse_table(300, 0.1, 0.2, (2, 3), 4, np.random.default_rng(1))
    test = PermutationG2(codes, arities, **ALL)
    z = (5, 6)
    found = test.many(4, np.arange(4), z)
    for i in (3, 0, 2, 1):  # one at a time, in another order, the other way round, with z turned
        assert test.test(4, i, z).log_p == test.test(i, 4, z).log_p == test.test(4, i, z[::-1]).log_p == found.log_p[i]
    order = np.random.default_rng(0).permutation(7)
    at = np.argsort(order)
    moved = PermutationG2(codes[order], np.array(arities)[order], **ALL)
    for i in range(4):
        assert moved.test(at[4], at[i], tuple(at[list(z)])).log_p == found.log_p[i]
    other = PermutationG2(codes, arities, seed=1, **ALL).many(4, np.arange(4), z)
    assert (other.log_p != found.log_p).any()
    assert np.abs(np.exp(other.log_p) - np.exp(found.log_p)).max() < 0.1


def test_strong_links_keep_their_order_below_the_floor():
    rng = np.random.default_rng(2)
    x = rng.integers(0, 2, 400)
    codes = np.array([x, *(x ^ (rng.random(400) < noise) for noise in (0.02, 0.1, 0.3, 0.42))], dtype=np.uint8)
    found = PermutationG2(codes, permutations=200, screen=None).many(0, np.arange(1, 5), ())
    assert (np.diff(found.log_p) > 0).all()
    assert found.log_p[1] < np.log(1 / 201) <= found.log_p[3]


def test_the_screen_only_saves_work():
    codes, arities = sparse_table(400, 0.1, 0.2, (2,), 60, np.random.default_rng(3))
    codes[0] = codes[60]
    plain = GSquare.from_codes(codes, arities).many(60, np.arange(60), (61,))
    full = PermutationG2(codes, arities, screen=None).many(60, np.arange(60), (61,))
    screened = PermutationG2(codes, arities).many(60, np.arange(60), (61,))
    left = (plain.log_p < np.log(1e-6)) | (plain.log_p > np.log(0.5))
    assert left[0] and 10 < left.sum() < 60
    np.testing.assert_array_equal(screened.log_p, np.where(left, plain.log_p, full.log_p))
    np.testing.assert_array_equal((screened.log_p < np.log(0.05))[left], (full.log_p < np.log(0.05))[left])


def test_the_screen_is_not_trusted_with_many_degrees_of_freedom():
    codes, arities = sparse_table(2000, 0.5, 0.5, (20, 20), 10, np.random.default_rng(4))
    plain = GSquare.from_codes(codes, arities).many(10, np.arange(10), (11, 12))
    found = PermutationG2(codes, arities, permutations=200).many(10, np.arange(10), (11, 12))
    assert plain.df.min() > MOST_DF_SCREENED and plain.reliable.all()
    assert (plain.log_p < np.log(1e-6)).sum() >= 8  # all are independent
    assert (found.log_p > np.log(0.01)).sum() >= 9


def rejections(setting, tables, permutations, alpha=0.05, others=20):
    """Shares rejected under independence by adjusted G-square and by permutation."""
    n, p_target, p_other, z_arities = setting
    rng = np.random.default_rng([n, len(z_arities), int(1000 * p_other)])
    found = np.zeros(2)
    for _ in range(tables):
        codes, arities = sparse_table(n, p_target, p_other, z_arities, others, rng)
        z = tuple(range(others + 1, others + 1 + len(z_arities)))
        for i, test in enumerate(
            (
                GSquare.from_codes(codes, arities, examples_per_df=0),
                PermutationG2(codes, arities, permutations, examples_per_df=0),
            )
        ):
            found[i] += (test.many(others, np.arange(others), z).log_p <= np.log(alpha)).mean()
    return found / tables


SPARSE = [
    (1000, 0.036, 0.05, (3, 3)),  # chi-square rejects too rarely
    (500, 0.036, 0.5, (2, 2, 2)),  # too often
    (500, 0.3, 0.3, (5, 5, 4)),  # nearly always
]


@pytest.mark.parametrize("setting", SPARSE)
def test_level_on_sparse_tables(setting):
    plain, permuted = rejections(setting, 25, 199)
    assert abs(plain - 0.05) > 0.02
    assert 0.025 < permuted < 0.075


@pytest.mark.slow
@pytest.mark.parametrize("setting", [*SPARSE, (500, 0.036, 0.1, (2, 2)), (1000, 0.5, 0.5, (10, 10))])
def test_level_on_many_sparse_tables(setting):
    _, permuted = rejections(setting, 200, 499)
    assert 0.03 < permuted < 0.07


def test_very_rare_values_never_reject_too_often():
    _, permuted = rejections((500, 0.036, 0.01, ()), 60, 499)
    assert permuted < 0.06


def test_strata_are_numbered_by_their_first_example():
    codes = np.array([[2, 0, 2, 1, 0], [1, 1, 0, 1, 1]], dtype=np.uint8)
    for z in ([0, 1], [1, 0]):
        np.testing.assert_array_equal(_number_strata(codes, np.array(z)), [0, 1, 2, 3, 1])
    np.testing.assert_array_equal(_number_strata(codes, np.array([], dtype=int)), np.zeros(5))


def test_bad_cases():
    codes = np.random.default_rng(5).integers(0, 2, (6, 30)).astype(np.uint8)
    codes[1] = 0
    codes[2] = codes[3]
    test = PermutationG2(codes)
    assert test.test(0, 1).log_p == 0.0  # a constant
    assert test.test(0, 2, (3,)).log_p == 0.0  # constant within every stratum
    assert not test.test(0, 5, (2, 3, 4)).reliable
    assert PermutationG2(codes, examples_per_df=0).test(0, 5, (2, 3, 4)).reliable
    with pytest.raises(UserError, match="permutations"):
        PermutationG2(codes, permutations=0)
    with pytest.raises(UserError, match="column 4"):
        PermutationG2(codes, [2, 2, 2, 2, 1, 2])
