"""Weights of polynomial machines against scikit-learn's explicit expansion, and the searches against each other."""

import doctest
from itertools import combinations_with_replacement
from math import comb, factorial

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC

from himation.errors import UserError
from himation.feature_space import monomials, polynomial, weight_norms
from himation.feature_space.monomials import PLUS_MINUS, REAL, ZERO_ONE, scale
from himation.feature_space.polynomial import (
    binary_coding,
    brute_force,
    contributions,
    count_products,
    feature_name,
    feature_values,
    heur1,
    heur2,
)


def machine(kind="real", m=5, s=12, seed=0):
    """Arbitrary support vectors and multipliers that sum to zero."""
    rng = np.random.default_rng(seed)
    draw = {
        "real": lambda: rng.normal(size=(s, m)),
        "zero_one": lambda: rng.integers(0, 2, size=(s, m)).astype(float),
        "plus_minus": lambda: rng.choice([-1.0, 1.0], size=(s, m)),
    }
    if kind == "mixed":
        SV = np.column_stack([draw["real"]()[:, :2], draw["zero_one"]()[:, :2], draw["plus_minus"]()[:, :2]])
    else:
        SV = draw[kind]()
    alpha = rng.normal(size=s) * (1 + 4 * (rng.random(s) < 0.2))
    return SV, alpha - alpha.mean()


def explicit_weights(SV, alpha, degree):
    """Every weight from scikit-learn's list of monomials and the multinomial coefficient."""
    expansion = PolynomialFeatures(degree, include_bias=False).fit(SV)
    weights = {}
    for powers, column in zip(expansion.powers_, expansion.transform(SV).T, strict=True):
        coefficient = factorial(degree) / factorial(degree - powers.sum())
        for power in powers:
            coefficient /= factorial(power)
        monomial = tuple((v, int(power)) for v, power in enumerate(powers) if power)
        weights[monomial] = np.sqrt(coefficient) * alpha @ column
    return weights


def reduced(monomial, coding):
    kept = []
    for v, power in monomial:
        power = {REAL: power, ZERO_ONE: 1, PLUS_MINUS: power % 2}[int(coding[v])]
        if power:
            kept.append((v, power))
    return tuple(kept)


@pytest.mark.parametrize("module", [monomials, polynomial, weight_norms])
def test_examples_in_the_documentation(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_brute_force_equals_the_explicit_expansion(degree):
    SV, alpha = machine()
    top = brute_force(SV, alpha, degree)
    truth = explicit_weights(SV, alpha, degree)
    assert dict(top.features) == pytest.approx(truth, abs=1e-10) and top.constructed == len(truth)
    sizes = [abs(weight) for _, weight in top.features]
    assert sizes == sorted(sizes, reverse=True)
    assert brute_force(SV, alpha, degree, r=4).features == top.features[:4]


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["real", "zero_one", "plus_minus"])
def test_contributions_are_sums_of_squared_weights(kind, degree, monkeypatch):
    SV, alpha = machine(kind, m=6)
    truth = np.zeros((degree, 6))
    for monomial, weight in explicit_weights(SV, alpha, degree).items():
        for v, _ in monomial:
            truth[sum(power for _, power in monomial) - 1, v] += weight**2
    np.testing.assert_allclose(contributions(SV, alpha, degree), truth, rtol=1e-9, atol=1e-9 * truth.max())
    monkeypatch.setattr(weight_norms, "CHUNK_CELLS", 24)
    np.testing.assert_allclose(contributions(SV, alpha, degree), truth, rtol=1e-9, atol=1e-9 * truth.max())
    sparse = contributions(csr_matrix(SV), alpha, degree)
    np.testing.assert_allclose(sparse, truth, rtol=1e-9, atol=1e-9 * truth.max())


@pytest.mark.parametrize("merge", ["sum", "largest"])
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["zero_one", "plus_minus"])
def test_square_free_contributions_are_sums_of_merged_weights(kind, degree, merge):
    SV, alpha = machine(kind, m=6, s=25)
    coding = binary_coding(SV)
    truth = np.zeros((degree, 6))
    for monomial, weight in brute_force(SV, alpha, degree, coding=coding, merge=merge).features:
        for v, _ in monomial:
            truth[len(monomial) - 1, v] += weight**2
    for table in (SV, csr_matrix(SV)):
        found = polynomial.search_contributions(table, alpha, degree, coding, merge)
        np.testing.assert_allclose(found, truth, rtol=1e-9, atol=1e-9 * truth.max())


def test_contributions_equal_the_kernel_difference_of_the_thesis():
    SV, alpha = machine(m=4)
    norm = alpha @ (SV @ SV.T + 1) ** 3 @ alpha
    for v in range(4):
        without = SV.copy()
        without[:, v] = 0
        expected = norm - alpha @ (without @ without.T + 1) ** 3 @ alpha  # II.20 with II.19
        assert contributions(SV, alpha, 3)[:, v].sum() == pytest.approx(expected)


@pytest.mark.parametrize("level_by", ["normalised", "maximum"])
@pytest.mark.parametrize("degree", [2, 3])
def test_heur2_weights_are_exact_and_proven_means_true(level_by, degree):
    proven = []
    for seed in range(40):
        SV, alpha = machine(m=9, seed=seed)
        SV[:, 2:] *= np.random.default_rng(seed).uniform(0.02, 1.0, size=7)
        truth = explicit_weights(SV, alpha, degree)
        best = [q for q, _ in brute_force(SV, alpha, degree, r=5).features]
        for p in (8, 30, 90):
            for top in (heur2(SV, alpha, degree, p, 5, level_by=level_by), heur1(SV, alpha, degree, p, 5)):
                assert all(weight == pytest.approx(truth[q], abs=1e-9) for q, weight in top.features)
                proven.append(top.proven)
                assert not top.proven or [q for q, _ in top.features] == best
    assert 20 < sum(proven) < len(proven) - 20


def test_heur2_with_enough_features_is_brute_force():
    SV, alpha = machine(m=6)
    full = brute_force(SV, alpha, 3)
    top = heur2(SV, alpha, 3, p=10_000, r=1000)
    assert top.proven and top.constructed == full.constructed
    assert [q for q, _ in top.features] == [q for q, _ in full.features]


def test_search_can_stop_when_proven():
    SV, alpha = machine(m=30, s=40)
    SV[:, 3:] *= 0.01
    top = heur2(SV, alpha, 2, p=400, r=3, stop_when_proven=True)
    assert top.proven and top.constructed < 200
    assert [q for q, _ in top.features] == [q for q, _ in brute_force(SV, alpha, 2, r=3).features]


@pytest.mark.parametrize("merge", ["sum", "largest"])
@pytest.mark.parametrize("degree", [2, 3, 4])
@pytest.mark.parametrize("kind", ["zero_one", "plus_minus", "mixed"])
def test_redundant_powers_are_merged(kind, degree, merge):
    SV, alpha = machine(kind, m=5, s=25)
    coding = binary_coding(SV)
    truth = {}
    for monomial, weight in explicit_weights(SV, alpha, degree).items():
        truth.setdefault(reduced(monomial, coding), []).append(weight)
    truth.pop((), None)
    add = {"sum": lambda w: np.sqrt(np.sum(np.square(w))), "largest": lambda w: np.max(np.abs(w))}[merge]
    found = dict(brute_force(SV, alpha, degree, coding=coding, merge=merge).features)
    assert {q: abs(w) for q, w in found.items()} == pytest.approx({q: add(w) for q, w in truth.items()}, abs=1e-9)


@pytest.mark.parametrize("merge", ["sum", "largest"])
@pytest.mark.parametrize("kind", ["zero_one", "plus_minus", "mixed"])
def test_proof_holds_for_merged_features(kind, merge):
    proven = 0
    for seed in range(30):
        SV, alpha = machine(kind, m=7, s=60, seed=seed)
        parity = np.prod(np.where(SV[:, -2:] > 0, 1, -1), axis=1)
        alpha = parity * np.abs(alpha)
        coding = binary_coding(SV)
        full = brute_force(SV, alpha, 3, coding=coding, merge=merge)
        for p in (20, 80):
            top = heur2(SV, alpha, 3, p, 1, coding=coding, merge=merge)
            assert top.features[0].weight == pytest.approx(dict(full.features)[top.features[0].monomial])
            if top.proven:
                proven += 1
                assert abs(top.features[0].weight) == pytest.approx(abs(full.features[0].weight))
    assert proven > 3


def test_merged_sum_is_the_weight_in_the_decision_function():
    """With 0/1 columns the SVM is linear in the merged products; its coefficients are c times weight."""
    SV, alpha = machine("zero_one", m=4, s=30)
    top = brute_force(SV, alpha, 3, coding=binary_coding(SV), merge="sum")
    X = np.array(list(np.ndindex(2, 2, 2, 2)), dtype=float)
    decision = (X @ SV.T + 1) ** 3 @ alpha
    values = feature_values(X, [q for q, _ in top.features])
    scales = []
    for monomial, _ in top.features:
        members = [q for q in explicit_weights(SV, alpha, 3) if reduced(q, np.full(4, ZERO_ONE)) == monomial]
        scales.append(np.sqrt(sum(scale(q, 3) ** 2 for q in members)))
    coefficients = np.array(scales) * [w for _, w in top.features]
    np.testing.assert_allclose(values @ coefficients + alpha.sum(), decision, atol=1e-9)


def test_circle_is_explained_by_the_two_squares():
    """The example of figures II-1 and II-2: 70 points in the plane, the class is whether they lie in a circle."""
    rng = np.random.default_rng(70)
    X = rng.uniform(-1, 1, size=(70, 2))
    y = np.where((X**2).sum(axis=1) > 0.6, 1, -1)
    svc = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=1e3, tol=1e-6).fit(X, y)
    top = heur2(svc.support_vectors_, svc.dual_coef_[0], 2, r=5)
    assert {feature_name(q) for q, _ in top.features[:2]} == {"x1^2", "x2^2"}
    assert abs(top.features[2].weight) < 0.25 * abs(top.features[1].weight)


def test_weights_reproduce_the_decision_function():
    SV, alpha = machine(m=3)
    X = np.random.default_rng(1).normal(size=(20, 3))
    top = brute_force(SV, alpha, 3)
    values = feature_values(X, [q for q, _ in top.features], degree=3)
    np.testing.assert_allclose(
        values @ [w for _, w in top.features] + alpha.sum(), (X @ SV.T + 1) ** 3 @ alpha, atol=1e-9
    )


def test_four_parity_among_many_variables_is_the_top_feature():
    rng = np.random.default_rng(4)
    X = rng.choice([-1.0, 1.0], size=(600, 30))
    alpha = X[:, :4].prod(axis=1) * rng.uniform(0.5, 1.0, size=600)
    for top in (heur2(X, alpha, 4, r=3, coding=binary_coding(X)), brute_force(X, alpha, 4, 3, binary_coding(X))):
        assert feature_name(top.features[0].monomial) == "x1*x2*x3*x4"
    assert top.constructed == sum(comb(30, level) for level in (1, 2, 3, 4))


def test_answer_moves_with_the_columns():
    for kind in ("real", "zero_one"):
        SV, alpha = machine(kind, m=8, s=60, seed=5)
        coding = binary_coding(SV)
        top = heur2(SV, alpha, 3, 60, 6, coding=coding)
        order = np.random.default_rng(1).permutation(8)
        moved = heur2(SV[:, order], alpha, 3, 60, 6, coding=coding[order])
        back = [tuple(sorted((int(order[v]), power) for v, power in q)) for q, _ in moved.features]
        assert back == [q for q, _ in top.features]
        assert [w for _, w in moved.features] == pytest.approx([w for _, w in top.features])


def test_sparse_support_vectors_give_the_same_features():
    SV, alpha = machine("zero_one", m=10, s=30)
    coding = binary_coding(SV)
    assert (binary_coding(csr_matrix(SV)) == coding).all()
    dense, sparse = (heur2(table, alpha, 2, 40, 6, coding=coding) for table in (SV, csr_matrix(SV)))
    assert [q for q, _ in dense.features] == [q for q, _ in sparse.features]
    monomial_list = [q for q, _ in dense.features]
    np.testing.assert_array_equal(feature_values(SV, monomial_list), feature_values(csr_matrix(SV), monomial_list))


def test_number_of_monomials_is_complete():
    columns = np.random.default_rng(0).normal(size=(20, 300))
    for repeat in (True, False):
        rows, sums = monomials.all_products(columns, columns[:, 0], 2, repeat)
        truth = {tuple(row): value for row, value in zip(rows.tolist(), sums, strict=True)}
        found = {}
        for _, first, block in monomials.product_blocks(columns, columns[:, 0], 2, repeat):
            for i, j in np.ndindex(*block.shape):
                if j > i or (repeat and j == i):
                    assert (first + i, first + j) not in found
                    found[first + i, first + j] = block[i, j]
        assert found == pytest.approx(truth)
        assert count_products(300, 2, repeat) == len(found) + 300
    rows = [monomials.all_products(np.ones((1, 5)), np.ones(1), size)[0] for size in (1, 2, 3, 4)]
    for size, index in enumerate(rows, start=1):
        assert [tuple(row) for row in index] == list(combinations_with_replacement(range(5), size))


def test_pool_within_bounds_gives_the_same_top(monkeypatch):
    SV, alpha = machine("mixed", m=6, s=30)
    coding = binary_coding(SV)
    expected = brute_force(SV, alpha, 4, r=10, coding=coding)
    assert expected.features == brute_force(SV, alpha, 4, coding=coding).features[:10]
    monkeypatch.setattr(polynomial, "POOL_ROWS", 20)
    assert brute_force(SV, alpha, 4, r=10, coding=coding).features == expected.features


def test_coding_and_names():
    X = np.array([[0, -1, 0.5, 1], [1, 1, 0.0, 1]])
    assert binary_coding(X).tolist() == [ZERO_ONE, PLUS_MINUS, REAL, ZERO_ONE]
    assert binary_coding(X, [True, False, False, False]).tolist() == [ZERO_ONE, REAL, REAL, REAL]
    with pytest.raises(UserError, match="column 3"):
        binary_coding(X, [True, True, True, True])
    assert feature_name(((0, 2), (3, 1)), ["age", "b", "c", "sex"]) == "age^2*sex"
    with pytest.raises(UserError, match="largest, sum"):
        brute_force(X, np.array([1.0, -1.0]), 2, merge="mean")
