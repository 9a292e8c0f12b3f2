"""The SVM grid against scikit-learn's own SVMs, its own AUC, and an evaluation without any of the savings."""

import doctest

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from himation import gram
from himation import svm as one_svm
from himation.errors import UserError
from himation.models import svm
from himation.models.svm import Grid, Kernel, Model, auc, fit, folds_for, search, stratified_folds

SMALL = Grid(degrees=(1, 2, 3), gaussian_gamma=(0.01, 0.3), costs=(1e-3, 0.1, 1.0, 10.0))


def continuous(n=90, m=4, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    return X, np.where(X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * rng.normal(size=n) > 0.6, 1, -1)


def binary(n=240, seed=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(n, 4)).astype(float)
    return X, np.where(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) > 1.0, 1, -1)


def plain_grid(X, y, grid, n_folds, seed, class_weight):
    """Every SVM by itself on every row: no shared kernels, no merging, no early end."""
    folds, table = stratified_folds(y, n_folds, seed), []
    for kernel in grid.kernels():
        for cost in grid.costs:
            aucs = []
            for fold in range(n_folds):
                train, test = folds != fold, folds == fold
                machine = SVC(  # scikit-learn's own kernels
                    C=cost,
                    kernel=kernel.kind,
                    degree=kernel.degree,
                    gamma=kernel.gamma,
                    coef0=1.0,
                    tol=1e-8,
                    class_weight=class_weight,
                ).fit(X[train], y[train])
                score = machine.decision_function(X[test])  # a margin's ties are ties only after rounding
                aucs.append(roc_auc_score(y[test], np.round(score / (1e-4 * min(1.0, np.ptp(score))))))
            table.append(np.mean(aucs))
    return np.array(table)


@pytest.mark.parametrize("module", [svm, one_svm, gram])
def test_examples_in_the_documentation(module):
    assert doctest.testmod(module).failed == 0


def test_auc_equals_scikit_learns_with_ties_and_weights():
    rng = np.random.default_rng(0)
    for levels in (2, 5, 1000):
        y = rng.choice([-1, 1], size=200)
        score = rng.integers(0, levels, size=200) / levels
        weight = rng.integers(1, 5, size=200)
        assert auc(y, score) == pytest.approx(roc_auc_score(y, score), abs=1e-12)
        assert auc(y, score, weight) == pytest.approx(roc_auc_score(y, score, sample_weight=weight), abs=1e-12)
        assert auc(y, score, weight) == pytest.approx(auc(np.repeat(y, weight), np.repeat(score, weight)), abs=1e-12)


def test_auc_of_one_class_is_an_error():
    with pytest.raises(UserError, match="both classes"):
        auc([1, 1], [0.0, 1.0])


def test_number_of_folds_follows_the_stated_rule():
    assert [folds_for(n) for n in (20, 1000, 2000, 3000, 5000, 100_000)] == [10, 10, 9, 8, 5, 5]
    values = [folds_for(n) for n in range(10, 8000, 10)]
    assert values[0] == 10 and values[-1] == 5 and values == sorted(values, reverse=True)


def test_folds_are_stratified_and_seeded():
    y = np.r_[np.ones(23, int), -np.ones(74, int)]
    folds = stratified_folds(y, 10, seed=3)
    for label, low in ((1, 2), (-1, 7)):
        sizes = np.bincount(folds[y == label], minlength=10)
        assert sizes.min() == low and sizes.max() == low + 1
    assert np.ptp(np.bincount(folds)) <= 1
    assert (folds == stratified_folds(y, 10, seed=3)).all() and (folds != stratified_folds(y, 10, seed=4)).any()


@pytest.mark.parametrize("class_weight", ["balanced", None])
@pytest.mark.parametrize("data", [continuous, binary])
def test_search_equals_the_plain_grid(data, class_weight):
    X, y = data()
    result = search(X, y, SMALL, seed=7, n_folds=5, class_weight=class_weight)
    plain = plain_grid(X, y, SMALL, 5, 7, class_weight)
    found = np.array([setting.auc for setting in result.settings])
    assert result.unconverged == 0
    assert np.abs(found - plain).max() < 0.01  # solutions agree to the solver's tolerance, so a pair may swap
    assert np.median(np.abs(found - plain)) < 1e-12
    assert plain.max() - plain[result.settings.index(result.best)] < 0.005


def test_merged_rows_give_the_same_model():
    X, y = binary()
    kernel = Kernel("poly", degree=2)
    model = fit(X, y, kernel, 0.5, class_weight=None)
    plain = SVC(C=0.5, kernel="poly", degree=2, gamma=1.0, coef0=1.0, tol=1e-8).fit(X, y)
    assert len(model.dual) <= 32 < len(plain.dual_coef_[0])
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X), atol=1e-3)


@pytest.mark.parametrize("kernel", [Kernel("poly", degree=3), Kernel("rbf", gamma=0.2)])
def test_fit_equals_scikit_learn_with_and_without_a_kernel_matrix(kernel, monkeypatch):
    X, y = continuous()
    shape = {"kernel": kernel.kind, "degree": kernel.degree, "gamma": kernel.gamma, "coef0": 1.0}
    plain = SVC(C=0.1, tol=1e-8, class_weight="balanced", **shape).fit(X, y).decision_function(X)
    np.testing.assert_allclose(fit(X, y, kernel, 0.1).decision_function(X), plain, atol=1e-3)
    monkeypatch.setattr(one_svm, "PRECOMPUTED_ROWS", 10)
    monkeypatch.setattr(one_svm, "CHUNK_CELLS", 500)
    np.testing.assert_allclose(fit(X, y, kernel, 0.1).decision_function(X), plain, atol=1e-3)


def test_sparse_tables_give_the_same_model():
    from scipy.sparse import csr_matrix

    X, y = binary()
    kernel = Kernel("poly", degree=2)
    dense, sparse = fit(X, y, kernel, 1.0), fit(csr_matrix(X.astype(np.uint8)), y, kernel, 1.0)
    np.testing.assert_allclose(dense.decision_function(X), sparse.decision_function(X), rtol=1e-12)
    assert search(X, y, SMALL).settings == search(csr_matrix(X.astype(np.uint8)), y, SMALL).settings


def test_result_does_not_depend_on_threads_or_column_order():
    X, y = continuous(m=6)
    result = search(X, y, SMALL, seed=1)
    assert search(X, y, SMALL, seed=1, threads=3) == result
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(X.shape[1])
        assert search(X[:, order], y, SMALL, seed=1) == result


def test_ties_go_to_the_simpler_setting():
    X = np.r_[np.full((20, 1), -1.0), np.full((20, 1), 1.0)] + np.linspace(0, 0.5, 40)[:, None]
    y = np.sign(X[:, 0]).astype(int)
    result = search(X, y, Grid(costs=(10.0, 0.1), degrees=(2, 1)))
    assert result.best.auc == 1.0
    assert (result.best.kernel, result.best.cost) == (Kernel("poly", degree=1), 0.1)


def test_large_data_are_searched_on_a_stated_sample_with_enough_of_the_rarer_class():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=3000) > 1.7, 1, -1)
    grid = Grid(degrees=(1,), gaussian_gamma=(), costs=(0.1,))
    for class_weight in ("balanced", None):
        result = search(X, y, grid, max_rows=400, class_weight=class_weight)
        assert result.rows_searched == 400 and result.n_rows == 3000
        assert result.best.auc > 0.97
    sample = svm.stratified_sample(y, 400, 0)
    assert (y[sample] == 1).sum() == 100 and len(set(sample)) == 400
    assert search(np.round(X), y, grid, max_rows=400).rows_searched == 3000  # few different rows: all are used


def test_halving_ends_with_settings_of_the_exhaustive_search(monkeypatch):
    monkeypatch.setattr(svm, "SMALLEST_ROUND", 100)
    rng = np.random.default_rng(5)
    X = rng.normal(size=(320, 3))
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=320) > 0.3, 1, -1)
    halving = search(X, y, SMALL, n_folds=4, max_rows=300)
    full = search(X, y, SMALL, n_folds=4, max_rows=300, method=svm.EXHAUSTIVE)
    last = [(mine, theirs) for mine, theirs in zip(halving.settings, full.settings, strict=True) if mine.rows == 300]
    assert len(last) == 7 and all(mine == theirs for mine, theirs in last)  # a third of twenty
    assert {setting.rows for setting in halving.settings} == {150, 300}
    assert halving.best in [theirs for _, theirs in last]
    assert search(X[:90], y[:90], SMALL).settings == search(X[:90], y[:90], SMALL, method="exhaustive").settings
    with pytest.raises(UserError, match="search 'random'"):
        search(X, y, SMALL, method="random")


@pytest.mark.parametrize("degree, rows", [(1, 3), (1, 40), (2, 3), (2, 40)])
def test_a_polynomial_in_few_variables_is_predicted_by_its_coefficients(degree, rows):
    rng = np.random.default_rng(degree)
    S, X, dual = rng.normal(size=(rows, 5)), rng.normal(size=(30, 5)), rng.normal(size=rows)
    model = Model(Kernel("poly", degree=degree, gamma=0.3, coef0=1.5), 1.0, S, dual, 0.25, True)
    assert model.decision_function(X) == pytest.approx((0.3 * X @ S.T + 1.5) ** degree @ dual + 0.25, abs=1e-12)


def test_iteration_cap_is_recorded():
    X, y = continuous(n=200)
    result = search(X, y, Grid(degrees=(1,), gaussian_gamma=(), costs=(10.0,)), max_iterations=5)
    assert result.unconverged == result.n_folds
    assert not fit(X, y, Kernel("poly"), 10.0, max_iterations=5).converged


def test_model_survives_a_file_without_pickle(tmp_path):
    X, y = continuous()
    for kernel in (Kernel("poly", degree=2), Kernel("rbf", gamma=0.1)):
        model = fit(X, y, kernel, 1.0)
        np.savez(tmp_path / "model.npz", **model.to_arrays())
        with np.load(tmp_path / "model.npz", allow_pickle=False) as arrays:
            again = Model.from_arrays(arrays)
        assert (again.kernel, again.cost, again.converged) == (kernel, 1.0, True)
        np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


def test_errors_name_the_place():
    X, y = continuous(n=30)
    with pytest.raises(UserError, match=r"class \+1 has 1 examples"):
        search(X, np.r_[1, -np.ones(29, int)])
    with pytest.raises(UserError, match=r"must be -1 or \+1, found \[0\]"):
        search(X, (y > 0).astype(int))
    with pytest.raises(UserError, match="column 3"):
        search(np.where(np.arange(4) == 2, np.nan, X), y)
    with pytest.raises(UserError, match="one value per row"):
        fit(X, y[:-1], Kernel("poly"), 1.0)
    with pytest.raises(UserError, match="4 variables, the table 3"):
        fit(X, y, Kernel("poly"), 1.0).decision_function(X[:, :3])
    with pytest.raises(UserError, match="'poly' or 'rbf'"):
        Kernel("linear")


def test_two_examples_of_a_class_still_work():
    X, _ = continuous(n=30)
    y = np.r_[1, 1, -np.ones(28, int)]
    assert search(X, y, SMALL).n_folds == 2
    constant = search(np.ones((30, 2)), y, SMALL)
    assert constant.best.auc == 0.5
