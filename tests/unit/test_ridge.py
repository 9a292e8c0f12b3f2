"""Closed-form leave-one-out values against refits, and calibrated probabilities against scikit-learn."""

import doctest

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from himation.gram import Kernel, merge_rows
from himation.models import calibration, ridge
from himation.models.calibration import fit_platt
from himation.models.ridge import class_weights, kernel_ridge


def problem(n=40, p=3, seed=0, binary=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, p)).astype(float) if binary else rng.normal(size=(n, p))
    y = np.where(X[:, 0] + 0.8 * rng.normal(size=n) > 0.7, 1, -1)
    return X, y


@pytest.mark.parametrize("module", [ridge, calibration])
def test_examples_in_the_documentation(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("binary", [False, True])
def test_leave_one_out_values_equal_refits_without_the_example(binary):
    X, y = problem(binary=binary)
    weights = class_weights(y)
    unique, owner = merge_rows(X)
    merged = kernel_ridge(Kernel("poly", degree=1).matrix(X[unique]), owner, y, weights, [1e-3, 1.0])
    assert len(unique) < len(y) if binary else len(unique) == len(y)
    scale = np.maximum(_weighted_eigenvalues(X[unique], owner, weights), 0).mean()
    for i, penalty in enumerate((1e-3, 1.0)):
        refits = [
            Ridge(alpha=penalty * scale).fit(X[keep], y[keep], sample_weight=weights[keep]).predict(X[[j]])[0]
            for j in range(len(y))
            for keep in [np.arange(len(y)) != j]
        ]
        np.testing.assert_allclose(merged.loo[:, i], refits, atol=1e-7)


def _weighted_eigenvalues(rows, owner, weights):
    mass = np.bincount(owner, weights)
    centred = rows - mass @ rows / mass.sum()
    return np.linalg.eigvalsh(np.sqrt(mass)[:, None] * (centred @ centred.T) * np.sqrt(mass))


def test_platt_has_the_greatest_likelihood():
    rng = np.random.default_rng(3)
    f = rng.normal(size=400) * 3 + 1
    y = np.where(rng.random(400) < 1 / (1 + np.exp(-(0.8 * f - 2))), 1, -1)
    curve = fit_platt(f, y)
    n_positive, n_negative = (y > 0).sum(), (y < 0).sum()
    wanted = np.where(y > 0, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    plain = LogisticRegression(C=1e12, tol=1e-10).fit(
        np.r_[f, f][:, None], np.repeat([1, 0], 400), sample_weight=np.r_[wanted, 1 - wanted]
    )
    assert curve.slope == pytest.approx(plain.coef_[0, 0], rel=1e-4)
    assert curve.offset == pytest.approx(plain.intercept_[0], rel=1e-4)
    assert curve.probability(f).mean() == pytest.approx(np.mean(y > 0), abs=0.005)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_platt_stays_finite_on_separated_and_useless_values(scale):
    y = np.r_[np.ones(10), -np.ones(30)]
    separated = fit_platt(scale * y, y)
    p = separated.probability(scale * np.array([-1.0, 1.0, 50.0]))
    assert 0 < p[0] < 0.05 and 0.9 < p[1] < 1 and np.isfinite(p).all()
    for useless in (-scale * y, np.full(40, scale)):
        np.testing.assert_allclose(fit_platt(useless, y).probability(useless), 11 / 42)
