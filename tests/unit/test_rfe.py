"""Elimination by the score of III.13: against retrained machines, known answers, and any order of the columns."""

import doctest
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.svm import SVC

from himation.errors import UserError
from himation.rankings import rfe as module
from himation.rankings.rfe import held_out_rows, rfe


def double_xor(n=300, m=16, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], size=(n, m))
    y = np.where(X[:, 3] * X[:, 7] + X[:, 10] * X[:, 12] + 0.5 * rng.normal(size=n) > 0, 1, -1)
    return X, y


def test_examples_in_the_documentation():
    assert doctest.testmod(module).failed == 0


def test_first_elimination_follows_the_kernel_difference():
    """Scores computed as III.13 is written, on a machine of scikit-learn's, give the same lower half."""
    X, y = double_xor(seed=3)
    X = X + 0.1 * np.random.default_rng(0).normal(size=X.shape)
    result = rfe(X, y, degree=2, cost=0.01, seed=5)
    train = ~held_out_rows(y, 0.2, 5)
    svc = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=0.01, tol=1e-8, class_weight="balanced")
    svc.fit(X[train], y[train])
    SV, alpha = svc.support_vectors_, svc.dual_coef_[0]
    scores = []
    for v in range(X.shape[1]):
        without = np.delete(SV, v, axis=1)
        scores.append(0.5 * alpha @ ((SV @ SV.T + 1) ** 2 - (without @ without.T + 1) ** 2) @ alpha)
    worst = np.argsort(scores)[:8]
    assert list(result.ranking[::-1][:8]) == worst.tolist()
    expected = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=0.01, tol=1e-8, class_weight="balanced")
    kept = np.setdiff1d(np.arange(16), worst)
    held = ~train
    score = expected.fit(X[train][:, kept], y[train]).decision_function(X[held][:, kept])
    assert result.path[1].size == 8 and result.path[1].auc == pytest.approx(module.auc(y[held], score), abs=2e-3)


def test_interactions_are_found():
    X, y = double_xor()
    result = rfe(X, y, degree=2, cost=0.1)
    assert set(result.ranking[:4]) == {3, 7, 10, 12} <= set(result.subset)
    assert sorted(result.ranking) == list(range(16))
    assert [step.size for step in result.path] == [16, 8, 4, 2, 1]
    assert len(result.subset) == max(result.path, key=lambda step: (round(step.auc, 9), -step.size)).size


def test_fraction_sets_the_sizes():
    X, y = double_xor(n=120, m=13)
    sizes = [step.size for step in rfe(X, y, fraction=0.2, cost=0.1).path]
    assert sizes[:4] == [13, 10, 8, 6] and sizes[-1] == 1
    assert all(a > b for a, b in pairwise(sizes))


def test_answer_moves_with_the_columns_even_with_ties():
    X, y = double_xor(n=100)
    X[:, 5] = 1.0  # two constant columns tie in every round
    X[:, 6] = -1.0
    result = rfe(X, y, degree=2, cost=0.1, seed=2)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(16)
        moved = rfe(X[:, order], y, degree=2, cost=0.1, seed=2)
        assert tuple(int(order[v]) for v in moved.ranking) == result.ranking
        assert moved.path == result.path


def test_linear_elimination_on_a_sparse_table():
    rng = np.random.default_rng(1)
    X = (rng.random((150, 60)) < 0.2).astype(float)
    y = np.where(X[:, 4] + X[:, 30] + 0.3 * rng.normal(size=150) > 0.5, 1, -1)
    dense, sparse = rfe(X, y, degree=1), rfe(csr_matrix(X), y, degree=1)
    assert set(dense.ranking[:2]) == set(sparse.ranking[:2]) == {4, 30}
    assert dense.subset == sparse.subset


def test_holdout_is_stratified_and_seeded():
    y = np.r_[np.ones(50, int), -np.ones(150, int)]
    held = held_out_rows(y, 0.2, 0)
    assert held[:50].sum() == 10 and held[50:].sum() == 30
    assert (held == held_out_rows(y, 0.2, 0)).all() and (held != held_out_rows(y, 0.2, 1)).any()


def test_errors():
    X, y = double_xor(n=40)
    with pytest.raises(UserError, match="halving"):
        rfe(X, y, fraction=1.0)
    with pytest.raises(UserError, match="holdout 0"):
        rfe(X, y, holdout=0.0)
    with pytest.raises(UserError, match="3 are needed"):
        rfe(X, np.r_[1, 1, -np.ones(38, int)])
