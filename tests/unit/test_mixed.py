"""The mixed test: against statsmodels, its level and power on simulated networks, and bad cases."""

import itertools
import warnings

import numpy as np
import pytest
from graph_tools import random_dag
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from himation.errors import UserError
from himation.independence import FisherZ, GSquare, mixed
from himation.independence.beta import log_beta_tail
from himation.independence.mixed import MixedLikelihoodRatio
from himation.independence.rows import dot, exp_negative

TYPES = {"c": 0, "b": 2, "t": 3}
SETS = ["", "c", "b", "t", "cb", "ct", "bt", "cbt"]


def draw(kind, predictor, rng):
    """A variable of one kind whose distribution depends on two linear predictors."""
    n = len(predictor[0])
    if kind == "c":
        return predictor[0] + rng.normal(size=n)
    utility = np.zeros((TYPES[kind], n))
    utility[1:] = predictor[: TYPES[kind] - 1]
    return np.argmax(utility + rng.gumbel(size=utility.shape), axis=0)


def effects(column, kind, rng, size=0.7):
    """Two random main effects of a variable: slopes, or one number for each value."""
    if kind == "c":
        return np.outer(rng.normal(size=2) * size, column)
    return (rng.normal(size=(2, TYPES[kind])) * size)[:, column]


def conditionally_independent(kinds, n, rng):
    """Columns x and y of each kind, independent given the columns of the kinds asked for, which come last."""
    none = np.zeros((2, n))
    conditioning = [draw(kind, none, rng) for kind in kinds]
    columns = []
    for kind in "cbtcbt":
        parts = [effects(column, k, rng) for column, k in zip(conditioning, kinds, strict=True)]
        columns.append(draw(kind, sum(parts, none), rng))
    return MixedLikelihoodRatio(columns + conditioning, [TYPES[kind] for kind in "cbtcbt" + kinds])


def conditional_gaussian_network(p, n, rng, size=0.5):
    """Graph, kinds and columns: discrete variables first, as these networks want; main effects, three values."""
    kinds = "".join("btc"[3 * i // p] for i in range(p))
    dag = np.triu(random_dag(p, rng, expected_degree=2.5) | random_dag(p, rng, expected_degree=2.5).T, 1)
    columns = []
    for j in range(p):
        parts = [effects(columns[i], kinds[i], rng, size) for i in np.flatnonzero(dag[:, j])]
        columns.append(draw(kinds[j], sum(parts, np.zeros((2, n))), rng))
    return dag, kinds, columns


def random_table(n=300, seed=0, kinds="cbtcbtcbt"):
    rng = np.random.default_rng(seed)
    columns = []
    for j, kind in enumerate(kinds):
        parts = [effects(columns[i], kinds[i], rng, 0.4) for i in range(j)]
        columns.append(draw(kind, sum(parts, np.zeros((2, n))), rng))
    return columns, [TYPES[kind] for kind in kinds]


def reference(columns, arities, x, y, z):
    """Both directions by statsmodels: (statistic, df, log p) each."""
    api = pytest.importorskip("statsmodels.api")

    def design(variables):
        parts = [np.ones(len(columns[0]))]
        for v in variables:
            parts += [columns[v]] if arities[v] == 0 else [columns[v] == level for level in range(1, arities[v])]
        return np.column_stack(parts).astype(float)

    for response, predictor in ((x, y), (y, x)):
        fits = []
        for variables in (z, (*z, predictor)):
            if arities[response] == 0:
                fits.append(api.OLS(columns[response], design(variables)).fit())
            elif arities[response] == 2:
                fits.append(api.Logit(columns[response], design(variables)).fit(disp=0, method="newton", tol=1e-12))
            else:
                model = api.MNLogit(columns[response], design(variables))
                fits.append(model.fit(disp=0, method="newton", maxiter=100, tol=1e-12))
        statistic, df = 2 * (fits[1].llf - fits[0].llf), fits[1].df_model - fits[0].df_model
        log_p = stats.chi2.logsf(statistic, df)
        if arities[response] == 0:
            f, _, df = fits[1].compare_f_test(fits[0])
            log_p = stats.f.logsf(f, df, fits[1].df_resid)
        yield statistic, df, log_p


@pytest.mark.parametrize("z", [(), (3,), (4,), (5,), (3, 4), (6, 5), (3, 4, 5), (6, 8, 7)])
@pytest.mark.parametrize(("x", "y"), [(0, 3), (0, 1), (0, 2), (1, 4), (1, 2), (2, 5)])
def test_statistic_and_p_value_are_statsmodels(x, y, z):
    columns, arities = random_table()
    if y in z:
        z = tuple(v for v in z if v != y)
    result = MixedLikelihoodRatio(columns, arities).test(x, y, z)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        low, high = sorted(reference(columns, arities, x, y, z), key=lambda found: found[2])
    decides, log_p = (low, low[2] + np.log(2)) if low[2] + np.log(2) < high[2] else (high, high[2])
    assert result.statistic == pytest.approx(decides[0], rel=1e-7, abs=1e-6)
    assert result.df == decides[1]
    assert result.log_p == pytest.approx(log_p, rel=1e-6, abs=1e-7)


def test_tables_and_rows_give_the_same(monkeypatch):
    columns, arities = random_table(500, 3, "bttbtbt")
    test = MixedLikelihoodRatio(columns, arities)
    cases = [(x, (*z,)) for x in (0, 1) for k in range(4) for z in itertools.combinations((4, 5, 6), k)]
    tables = [test.many(x, np.array([2, 3]), z) for x, z in cases]
    monkeypatch.setattr(mixed, "_CELLS_PER_EXAMPLE", 0.0)
    for (x, z), table in zip(cases, tables, strict=True):
        rows = test.many(x, np.array([2, 3]), z)
        np.testing.assert_allclose(table.statistic, rows.statistic, rtol=1e-7, atol=1e-6)
        np.testing.assert_array_equal(table.df, rows.df)


def test_without_conditioning_two_discrete_variables_give_g_square():
    columns, arities = random_table(400, 1, "btt")
    mixed_test = MixedLikelihoodRatio(columns, arities)
    g_square = GSquare.from_codes(np.array(columns, dtype=np.uint8), arities)
    for x, y in ((0, 1), (0, 2), (1, 2)):
        assert mixed_test.test(x, y).statistic == pytest.approx(g_square.test(x, y).statistic, abs=1e-6)


def test_continuous_variables_are_nearly_fisher_z():
    columns, arities = random_table(1000, 4, "ccccc")
    test, fisher = MixedLikelihoodRatio(columns, arities), FisherZ(np.array(columns))
    for z in [(), (2,), (3, 2), (2, 3, 4)]:
        assert test.test(0, 1, z).log_p == pytest.approx(fisher.test(0, 1, z).log_p, rel=0.02)


def test_symmetric_and_independent_of_the_order_of_columns():
    columns, arities = random_table(200, 2)
    test = MixedLikelihoodRatio(columns, arities)
    order = np.random.default_rng(0).permutation(len(columns))
    moved = MixedLikelihoodRatio([columns[i] for i in order], [arities[i] for i in order])
    at = np.argsort(order)
    for x, y in itertools.combinations(range(6), 2):
        for z in [(), (6,), (7, 8), (6, 7, 8)]:
            found = test.test(x, y, z)
            assert found == test.test(y, x, z) == test.test(x, y, z[::-1])
            assert found == moved.test(at[x], at[y], tuple(at[i] for i in z))


def test_values_may_be_renumbered_and_numbers_rescaled():
    columns, arities = random_table(200, 5)
    other = [3e7 - 1e3 * c if a == 0 else (a - 1) - c for c, a in zip(columns, arities, strict=True)]
    one, two = MixedLikelihoodRatio(columns, arities), MixedLikelihoodRatio(other, np.array(arities) * 2)
    for x, y, z in [(0, 1, (3, 5)), (1, 2, (4, 5)), (2, 5, (6,)), (0, 3, (1, 2))]:
        assert one.test(x, y, z).statistic == pytest.approx(two.test(x, y, z).statistic, rel=1e-6, abs=1e-6)
        assert one.test(x, y, z).df == two.test(x, y, z).df


def level(kinds, replicates, n=400):
    """Share of rejections at 0.05 for each pair of kinds."""
    rejected = np.zeros((3, 3))
    for seed in range(replicates):
        test = conditionally_independent(kinds, n, np.random.default_rng([seed, *kinds.encode()]))
        z = tuple(range(6, 6 + len(kinds)))
        for x in range(3):
            rejected[x] += test.many(x, np.array([3, 4, 5]), z).log_p < np.log(0.05)
    return rejected / replicates


@pytest.mark.parametrize("kinds", SETS)
def test_level(kinds):
    rates = level(kinds, 300)
    assert rates.min() > 0.01 and rates.max() < 0.1, rates
    assert 0.03 < rates.mean() < 0.07


@pytest.mark.slow
@pytest.mark.parametrize("kinds", SETS)
def test_level_with_two_thousand_replicates(kinds):
    rates = level(kinds, 2000)
    assert rates.min() > 0.03 and rates.max() < 0.07, rates


def compare(networks, n, seed, size=0.5):
    """Rejections at 0.05 by the mixed test, Fisher z and G-square of thirds, for (independent, dependent) pairs."""
    rng = np.random.default_rng(seed)
    rejected, made = np.zeros((2, 3)), np.zeros((2, 3))
    for _ in range(networks):
        dag, kinds, columns = conditional_gaussian_network(9, n, rng, size)
        pairs = zip(columns, kinds, strict=True)
        thirds = [np.searchsorted(np.quantile(c, [1 / 3, 2 / 3]), c) if k == "c" else c for c, k in pairs]
        tests = (
            MixedLikelihoodRatio(columns, [TYPES[kind] for kind in kinds]),
            FisherZ(np.array(columns, dtype=float)),
            GSquare.from_codes(np.array(thirds, dtype=np.uint8), [TYPES[kind] or 3 for kind in kinds]),
        )
        for x, y in itertools.combinations(range(9), 2):
            parents = np.flatnonzero(dag[:, y])
            others = [v for v in range(9) if v not in (x, y)]
            z = rng.choice(others, rng.integers(0, 3), replace=False) if dag[x, y] else parents
            if len(z) > 3:
                continue
            for i, test in enumerate(tests):
                result = test.test(x, y, tuple(int(v) for v in z))
                made[int(dag[x, y]), i] += 1
                rejected[int(dag[x, y]), i] += result.reliable and result.log_p < np.log(0.05)
    return rejected / made, made


def test_more_power_than_numbers_or_thirds_on_conditional_gaussian_networks():
    (independent, dependent), _ = compare(60, 200, seed=1)
    assert 0.03 < independent[0] < 0.07
    assert dependent[0] > dependent[1] + 0.05
    assert dependent[0] > dependent[2] + 0.05


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 300, 1000])
def test_more_power_at_every_size(n):
    (independent, dependent), _ = compare(400, n, seed=n)
    assert 0.03 < independent[0] < 0.07
    assert dependent[0] > dependent[1] + 0.04
    assert dependent[0] > dependent[2] + 0.04


def test_separation_gives_the_null_deviance():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    y, three = (x > 0.3).astype(int), np.digitize(x, [-0.5, 0.5])
    test = MixedLikelihoodRatio([x, y, three, rng.normal(size=300)], [0, 2, 3, 0])
    share = np.bincount(y) / 300
    deviance = -600 * (share * np.log(share)).sum()
    assert test.test(1, 2, (3,)).log_p < -30
    for other in (0, 2):
        result = test.test(1, other)
        assert np.isfinite(result.log_p) and result.log_p < -30
    exact = MixedLikelihoodRatio([y, y], [2, 2]).test(0, 1)
    assert exact.statistic == pytest.approx(deviance, abs=1e-5)


def test_what_is_determined_by_z_is_independent():
    rng = np.random.default_rng(1)
    u, v, code = rng.normal(size=200), rng.normal(size=200), rng.integers(0, 3, 200)
    means = np.array([0.3, -1.0, 2.0])[code]
    columns = [u + 2 * v, u, v, code, means, rng.normal(size=200), rng.integers(0, 2, 200), (code == 1).astype(int)]
    test = MixedLikelihoodRatio(columns, [0, 0, 0, 3, 0, 0, 2, 2])
    for x, y, z in [(0, 5, (1, 2)), (0, 6, (1, 2)), (4, 5, (3,)), (4, 6, (3,)), (7, 5, (3,)), (7, 6, (3,))]:
        result = test.test(x, y, z)
        assert (result.statistic, result.df, result.log_p, result.reliable) == (0, 0, 0, True)
    repeated = test.test(5, 6, (0, 1, 2))
    assert repeated.statistic == pytest.approx(test.test(5, 6, (1, 2)).statistic, abs=1e-6)


def test_copies_constants_and_empty_values():
    rng = np.random.default_rng(2)
    x, code = rng.normal(size=100), rng.integers(0, 2, 100)
    columns = [x, x, code, code, np.full(100, 7.5), np.ones(100, dtype=int), rng.normal(size=100) * 1e-30]
    test = MixedLikelihoodRatio(columns, [0, 0, 2, 4, 0, 3, 0])
    assert test.test(0, 1).log_p < -500 and np.isfinite(test.test(0, 1).log_p)
    assert test.test(2, 3).log_p < -20 and test.test(2, 3).df == 1
    assert test.test(0, 1, (2,)).log_p < -500
    for constant in (4, 5):
        for y in (0, 2):
            assert test.test(constant, y).log_p == test.test(y, constant, (6,)).log_p == 0.0
        assert test.test(0, 2, (constant,)).statistic == test.test(0, 2).statistic
    assert np.isfinite(test.test(6, 0).log_p)


def test_rare_values_and_constants_within_a_stratum_stay_finite():
    rng = np.random.default_rng(3)
    z = rng.integers(0, 2, 120)
    rare = np.zeros(120, dtype=int)
    rare[:2] = 1
    columns = [np.where(z, rng.integers(0, 2, 120), 0), rare, rng.integers(0, 3, 120) * z, rng.normal(size=120) * z, z]
    test = MixedLikelihoodRatio(columns, [2, 2, 3, 0, 2])
    for x, y in itertools.permutations(range(4), 2):
        for z_set in [(), (4,), tuple({0, 1, 2, 3, 4} - {x, y})]:
            result = test.test(x, y, z_set)
            assert np.isfinite([result.statistic, result.df, result.log_p]).all() and result.log_p <= 0


def test_too_few_examples_are_unreliable_not_wrong():
    columns, arities = random_table(30, 6)
    test = MixedLikelihoodRatio(columns, arities)
    assert test.test(0, 1, (3,)).reliable
    wide = test.test(2, 5, (0, 3))
    assert not wide.reliable and wide.log_p == 0
    assert MixedLikelihoodRatio(columns, arities, examples_per_parameter=2).test(2, 5, (0, 3)).reliable
    tiny = MixedLikelihoodRatio([c[:4] for c in columns], arities, examples_per_parameter=0)
    assert not tiny.test(0, 1, (3, 6)).reliable
    many_values = np.arange(3000) % 500
    large = MixedLikelihoodRatio([many_values, many_values], [500, 500], examples_per_parameter=0)
    assert not large.test(0, 1).reliable


def test_bad_columns_are_named():
    good = np.arange(5.0)
    with pytest.raises(UserError, match="column 1"):
        MixedLikelihoodRatio([good, np.array([1.0, np.nan, 0, 0, 0])], [0, 0])
    with pytest.raises(UserError, match="column 1: codes"):
        MixedLikelihoodRatio([good, np.array([0, 1, 2, 0, 0])], [0, 2])
    with pytest.raises(UserError, match="column 0: codes"):
        MixedLikelihoodRatio([np.array([0.5, 1, 0, 0, 0])], [2])
    with pytest.raises(UserError, match="column 1 has shape"):
        MixedLikelihoodRatio([good, good[:4]], [0, 0])
    with pytest.raises(UserError, match="2 columns but 1"):
        MixedLikelihoodRatio([good, good], [0])


def test_exponential_and_inner_product():
    x = -np.concatenate([np.linspace(0, 1, 101), np.logspace(0, np.log10(690), 200)])
    np.testing.assert_allclose([exp_negative(v) for v in x], np.exp(x), rtol=1e-15 * 8)
    assert exp_negative(-1e9) < 1e-300
    rng = np.random.default_rng(0)
    for size in (0, 1, 15, 16, 17, 100, 1000):
        a, b = rng.normal(size=(2, size))
        assert dot(a, b) == pytest.approx(a @ b, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), [(2.5, 0.5), (20.0, 1.0), (250.0, 0.5), (8000.0, 1.5), (3.0, 40.0)])
def test_beta_tail_is_scipys(a, b):
    x = np.array([0.05, 0.3, 0.7, 0.95, 0.999, 1 - 1e-7])
    expected = stats.beta.logcdf(x, a, b)
    found = np.array([log_beta_tail(v, a, b) for v in x])
    some = np.isfinite(expected)  # scipy's density underflows, this must not
    np.testing.assert_allclose(found[some], expected[some], rtol=1e-9, atol=1e-13)
    assert np.isfinite(found).all() and log_beta_tail(1.0, a, b) == 0


def test_of_costly_pairs_the_cheaper_direction_decides(monkeypatch):
    """By itself it is the regression of the simpler variable, whichever of the two is asked for, and bounds agree."""
    rng = np.random.default_rng(4)
    n = 900
    word, coin, z = rng.integers(0, 12, n), rng.integers(0, 2, n), rng.integers(0, 3, n)
    number = rng.normal(size=n) + 0.1 * word
    columns, arities = [word, coin, number, z], [12, 2, 0, 3]
    both = MixedLikelihoodRatio(columns, arities)
    monkeypatch.setattr(mixed, "MOST_WORK", 0.0)
    monkeypatch.setattr(
        MixedLikelihoodRatio, "_fit_a_table", lambda self, x, candidates, z: np.zeros(len(candidates), bool)
    )
    one = MixedLikelihoodRatio(columns, arities)
    design = np.column_stack([z == 1, z == 2, *(word == k for k in range(1, 12))]).astype(float)
    expected = LogisticRegression(C=np.inf, tol=1e-10, max_iter=5000)
    full = -2 * n * log_loss(coin, expected.fit(design, coin).predict_proba(design))
    small = -2 * n * log_loss(coin, expected.fit(design[:, :2], coin).predict_proba(design[:, :2]))
    for x, y in ((0, 1), (1, 0)):
        found = one.test(x, y, (3,))
        assert found.statistic == pytest.approx(full - small, rel=1e-4) and found.df == 11
    assert one.test(0, 2, (3,)) == one.test(2, 0, (3,)) and one.test(0, 2, (3,)).df == 11
    for x, y in ((0, 1), (1, 0), (0, 2), (2, 0)):
        log_p = one.many(x, np.array([y]), (3,)).log_p
        assert one.may_exceed(x, np.array([y]), (3,), log_p - 1e-6).all()
        assert abs(log_p - both.many(x, np.array([y]), (3,)).log_p) < 0.2 * abs(log_p) + 1
