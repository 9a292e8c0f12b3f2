"""Mixtures by EM, filtering by them and by the examples: against brute force, scikit-learn and the papers."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from himation.bits import pack_bits
from himation.errors import UserError
from himation.evaluate import auc
from himation.models.bernoulli_mixture import Mixture, MixtureClassifier, bic, class_mixtures, em, fit_mixture, start
from himation.rankings.koller_sahami import cross_entropy, koller_sahami
from himation.rankings.markov_filter import Correlates, binary_correlation, discrete_correlation, markov_filter
from himation.rankings.mixture_filter import _tables, cross_entropies, mixture_filter


def drawn(n, p, components, seed, low=0.1, high=0.9):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(low, high, (components, p))
    member = rng.integers(0, components, n)
    return (rng.random((n, p)) < centres[member]).astype(float), centres


@pytest.mark.parametrize("seed", range(5))
def test_plain_em_never_loses_likelihood(seed):
    X, _ = drawn(300, 12, 3, seed)
    history = np.array(em(X, start(X, 6, np.random.default_rng(seed)), 0.0, 0.0, 80).likelihoods)
    assert len(history) > 10 and np.diff(history).min() > -1e-6 and history[-1] > history[0] + 10


def test_a_round_of_em_by_hand():
    X = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    before = Mixture(np.array([0.4, 0.6]), np.array([[0.8, 0.3], [0.5, 0.6]]))
    z = np.empty((3, 2))
    for k, d in product(range(3), range(2)):
        z[k, d] = before.weights[d] * np.prod(np.where(X[k] == 1, before.probabilities[d], 1 - before.probabilities[d]))
    assert before.log_likelihood(X) == pytest.approx(np.log(z.sum(axis=1)))
    z /= z.sum(axis=1, keepdims=True)
    gamma = 0.3
    w = z * (1 + gamma * np.log(z))
    after = em(X, before, gamma, 1.0, 1)
    if (w.sum(axis=0) > 1).all():
        np.testing.assert_allclose(after.weights, w.sum(axis=0) / w.sum())
    kept = w[:, w.sum(axis=0) > 1] if (w.sum(axis=0) > 1).any() else w[:, [np.argmax(w.sum(axis=0))]]
    np.testing.assert_allclose(after.probabilities, (1 + kept.T @ X) / (2 + kept.sum(axis=0))[:, None])


@pytest.mark.parametrize("p, n", [(20, 600), (40, 1000), (150, 1000), (150, 400)])
def test_ten_components_shrink_to_the_three_of_the_data(p, n):
    X, centres = drawn(n, p, 3, p + n)
    found = [fit_mixture(X, 10, seed=seed) for seed in range(3)]
    assert all(len(mixture.weights) in (3, 4) for mixture in found)
    nearest = np.abs(found[0].probabilities[:, None] - centres[None]).mean(axis=2).min(axis=0)
    assert nearest.max() < 0.08 and found[0].weights.sum() == pytest.approx(1)


def test_the_regulariser_takes_components_away():
    X, _ = drawn(1000, 30, 3, 1)
    sizes = [len(fit_mixture(X, 10, gamma, seed=1, trimmed=False).weights) for gamma in (0.0, 0.5, 1.0, 2.0)]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] == 10 and sizes[-1] < 6


def test_sparse_tables_and_seeds():
    X, _ = drawn(200, 15, 2, 3)
    one, two, three = fit_mixture(X, 5, seed=4), fit_mixture(csr_matrix(X), 5, seed=4), fit_mixture(X, 5, seed=4)
    np.testing.assert_allclose(one.probabilities, two.probabilities, atol=1e-9)
    assert (one.probabilities == three.probabilities).all() and bic(X, one) == bic(X, three)


def test_what_a_mixture_refuses():
    with pytest.raises(UserError, match="all variables must be 0 or 1"):
        fit_mixture(np.array([[0.5, 1.0]]))
    with pytest.raises(UserError, match="examples and components"):
        fit_mixture(np.empty((0, 3)))
    with pytest.raises(UserError, match="neither may be negative"):
        fit_mixture(np.ones((3, 2)), gamma=-1)


# --- classification ---------------------------------------------------------------------------------------------------


def two_classes(n, seed):
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(99).uniform(0.05, 0.95, (4, 20))
    member = rng.integers(0, 4, n)
    return (rng.random((n, 20)) < centres[member]).astype(float), np.where(member < 2, 1, -1)


@pytest.mark.parametrize("head", ["odds", "networks"])
def test_the_classifier_learns_and_survives_its_arrays(head, tmp_path):
    X, y = two_classes(600, 1)
    model = MixtureClassifier(head=head, networks=3).fit(X, y, seed=2)
    X_test, y_test = two_classes(400, 2)
    values = model.decision_function(X_test)
    assert auc(y_test, values) > 0.9
    np.savez(tmp_path / "model.npz", **model.to_arrays())
    with np.load(tmp_path / "model.npz", allow_pickle=False) as arrays:
        again = MixtureClassifier.from_arrays(arrays)
        assert (again.decision_function(X_test) == values).all() and again.head == head
    assert (model.refit(X, y, 2).decision_function(X_test) == values).all()
    assert model.posteriors(X_test).sum(axis=1) == pytest.approx(1)
    with pytest.raises(UserError, match="20 variables, the table 3"):
        model.decision_function(X_test[:, :3])


def test_one_component_is_naive_bayes():
    from sklearn.naive_bayes import BernoulliNB

    X, y = two_classes(300, 3)
    ours = MixtureClassifier(components=1, gamma=0.0).fit(X, y).decision_function(X)
    theirs = BernoulliNB(alpha=1.0, fit_prior=False).fit(X, y).predict_log_proba(X)
    np.testing.assert_allclose(ours, theirs[:, 1] - theirs[:, 0], atol=1e-9)


# --- filtering --------------------------------------------------------------------------------------------------------


def test_correlations():
    rng = np.random.default_rng(0)
    rows = (rng.random((12, 150)) < rng.uniform(0.1, 0.9, (12, 1))).astype(np.uint8)
    rows[3] = rows[2]
    rows[5] = 0
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = np.nan_to_num(np.abs(np.corrcoef(rows)))
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(binary_correlation(pack_bits(rows), 150), expected, atol=1e-6)
    cramer = discrete_correlation(rows, [2] * 12)
    np.fill_diagonal(cramer, 0)
    np.testing.assert_allclose(cramer, expected, atol=1e-6)


def test_cramers_v_against_scipy():
    from scipy.stats.contingency import association, crosstab

    rng = np.random.default_rng(1)
    codes = rng.integers(0, 4, (3, 300)).astype(np.uint8)
    codes[1] = np.where(rng.random(300) < 0.5, codes[0], codes[1])
    expected = association(crosstab(codes[0], codes[1]).count, method="cramer")
    assert discrete_correlation(codes, [4, 4, 4])[0, 1] == pytest.approx(expected, abs=1e-6)


def conditional_information(rows, target):
    """I(first row; target | other rows), by joint frequencies in dictionaries."""
    joint, n = {}, len(target)
    for values in zip(*rows, target, strict=True):
        joint[values] = joint.get(values, 0) + 1

    def count(keep):
        found = {}
        for values, size in joint.items():
            key = tuple(values[i] for i in keep)
            found[key] = found.get(key, 0) + size
        return found

    others = list(range(1, len(rows)))
    given, with_f, with_c = count(others), count([0, *others]), count([*others, len(rows)])
    total = 0.0
    for values, size in joint.items():
        m = tuple(values[i] for i in others)
        total += size * np.log(size * given[m] / (with_f[(values[0], *m)] * with_c[(*m, values[-1])]))
    return total / n


def test_cross_entropies_of_the_examples():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, (5, 200)).astype(np.uint8)
    target = ((codes[0] + codes[1] + rng.integers(0, 2, 200)) % 3).astype(np.int64)
    for variable, given in ((0, (1,)), (2, (0, 1, 3)), (4, ())):
        expected = conditional_information([codes[i].tolist() for i in (variable, *given)], target.tolist())
        assert cross_entropy(codes, np.full(5, 3), target, 3, variable, given) == pytest.approx(expected, abs=1e-12)


def test_only_changed_deltas_are_computed_anew():
    rng = np.random.default_rng(3)
    base = rng.integers(0, 2, (10, 250))
    codes = np.vstack([base, base ^ (rng.random((10, 250)) < 0.2)]).astype(np.uint8)
    target = (codes[0] ^ (codes[1] & codes[2])).astype(np.int64)
    arities, k = np.full(20, 2), 3
    correlation = discrete_correlation(codes, arities)
    left, order = list(range(20)), []
    relevance = [cross_entropy(codes, arities, target, 2, i, ()) for i in range(20)]
    while left:
        tried = {}
        for i in left:
            others = sorted((j for j in left if j != i), key=lambda j: (-correlation[i, j], j))
            delta = cross_entropy(codes, arities, target, 2, i, others[:k])
            tried[i] = (round(delta, 12), relevance[i], i)
        order.append(min(tried, key=tried.__getitem__))
        left.remove(order[-1])
    found = koller_sahami(codes, arities, target, 2, k)
    assert list(found.order) == order[::-1] and found.computed < 20 * 21 / 2


def test_correlates_are_refilled():
    correlation = np.random.default_rng(4).random((30, 30))
    correlation = correlation + correlation.T
    left = np.ones(30, dtype=bool)
    correlates = Correlates(correlation, 2, left)
    for gone in range(28):
        left[gone] = False
        correlates.drop(gone)
        for i in np.flatnonzero(left):
            others = [j for j in np.flatnonzero(left) if j != i]
            expected = sorted(others, key=lambda j: -correlation[i, j])[:2]
            assert [j for j in correlates.sets[i] if j >= 0] == expected


def test_cross_entropies_of_mixtures():
    """Algorithm 2 step by step, with probabilities of whole vectors."""
    rng = np.random.default_rng(5)
    plus = Mixture(np.array([0.3, 0.7]), rng.uniform(0.1, 0.9, (2, 6)))
    minus = Mixture(np.array([0.5, 0.2, 0.3]), rng.uniform(0.1, 0.9, (3, 6)))

    def probability(mixture, columns, values):
        each = np.where(np.array(values) == 1, mixture.probabilities[:, columns], 1 - mixture.probabilities[:, columns])
        return float(mixture.weights @ each.prod(axis=1))

    def divergence(p, q):
        return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))

    members, variable = [1, 4, 5], 2
    expected, weighted = 0.0, 0.0
    for vector in np.vstack([plus.main_vectors, minus.main_vectors]):
        v = vector[members].tolist()
        given = [probability(mixture, members, v) for mixture in (plus, minus)]
        for f in (0, 1):
            joint = [probability(mixture, [*members, variable], [*v, f]) for mixture in (plus, minus)]
            term = divergence(joint[0] / sum(joint), given[0] / sum(given))
            expected += term
            weighted += term * sum(joint) / sum(given)
    sets, variables = np.array([[1, 4, 5, -1]]), np.array([variable])
    assert cross_entropies(*_tables(plus, minus), False, variables, sets)[0] == pytest.approx(expected)
    assert cross_entropies(*_tables(plus, minus), True, variables, sets)[0] == pytest.approx(weighted)


def test_both_filters_keep_the_causes_longest():
    rng = np.random.default_rng(6)
    X = (rng.random((2000, 15)) < 0.4).astype(np.uint8)
    chance = 1 / (1 + np.exp(-(3.0 * X[:, 2] + 2.5 * X[:, 7] - 2.5)))
    y = np.where(rng.random(2000) < chance, 1, -1)
    correlation = binary_correlation(pack_bits(X.T), 2000)
    relevance = np.abs([np.corrcoef(column, y)[0, 1] for column in X.T])
    by_examples = koller_sahami(np.ascontiguousarray(X.T), [2] * 15, y > 0, 2, 2, correlation)
    by_mixtures = mixture_filter(*class_mixtures(X.astype(float), y), correlation, relevance, 3, True)
    assert set(by_examples.order[:2]) == set(by_mixtures.order[:2]) == {2, 7}


def test_filters_at_the_edge():
    assert markov_filter(np.empty((0, 0)), np.empty(0), 2, lambda v, s: np.empty(0)).order == ()
    one = markov_filter(np.zeros((1, 1)), np.zeros(1), 5, lambda variables, sets: np.zeros(len(variables)))
    assert one.order == (0,)
    with pytest.raises(UserError, match="at least 1"):
        markov_filter(np.zeros((2, 2)), np.zeros(2), 0, lambda v, s: np.zeros(len(v)))
