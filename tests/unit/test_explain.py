"""Coefficients add up to scikit-learn's own decision function, for any gamma and coef0; searches agree."""

import doctest

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.svm import SVC

from himation.errors import UserError
from himation.feature_space import explain as module
from himation.feature_space.explain import Polynomial, explain, from_svc
from himation.feature_space.monomials import feature_values


def data(kind, seed=0):
    rng = np.random.default_rng(seed)
    X = {
        "real": rng.normal(size=(60, 5)),
        "plus_minus": rng.choice([-1.0, 1.0], size=(60, 5)),
        "zero_one": rng.choice([0.0, 1.0], size=(60, 5)),
    }.get(kind)
    if X is None:
        X = np.column_stack([rng.normal(size=(60, 2)), rng.choice([0.0, 1.0], size=(60, 3))])
    return X, np.where(X[:, 0] * X[:, 3] + X[:, 1] + 0.1 * rng.normal(size=60) > 0.3, 1, 0)


def test_examples_in_the_documentation():
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("kind", ["real", "plus_minus", "zero_one", "mixed"])
@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("gamma, coef0", [(1.0, 1.0), ("scale", 1.0), ("auto", 2.5), (0.3, 0.3)])
def test_coefficients_add_up_to_the_decision_function(kind, degree, gamma, coef0):
    X, y = data(kind)
    svc = SVC(kernel="poly", degree=degree, gamma=gamma, coef0=coef0, C=1.0).fit(X, y)
    found = explain(from_svc(svc), r=1000, method="brute")
    values = feature_values(X, found.monomials) @ np.array(found.coefficients)
    rest = svc.decision_function(X) - values
    np.testing.assert_allclose(rest, rest[0], atol=1e-8)


def test_sparse_machine_gives_the_same():
    X, y = data("zero_one")
    dense, sparse = (SVC(kernel="poly", degree=2, gamma=0.5, coef0=1.0).fit(table, y) for table in (X, csr_matrix(X)))
    a, b = (explain(from_svc(svc), r=10) for svc in (dense, sparse))
    assert a.names == b.names
    np.testing.assert_allclose(a.weights, b.weights)


@pytest.mark.parametrize("how", [{"method": "heur1"}, {"level_by": "maximum"}, {"seconds": 20.0}, {}])
def test_searches_agree_where_they_are_proven(how):
    X, y = data("real", 3)
    machine = from_svc(SVC(kernel="poly", degree=3, gamma=1, coef0=1).fit(X, y))
    true, found = explain(machine, r=8, method="brute"), explain(machine, r=8, **how)
    assert true.proven and found.proven
    assert found.monomials == true.monomials
    np.testing.assert_allclose(found.weights, true.weights, rtol=1e-9)


def test_time_can_run_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 300))
    svc = SVC(kernel="poly", degree=3, gamma=1, coef0=1).fit(X, rng.choice([0, 1], size=80))
    found = explain(from_svc(svc), r=10, seconds=0.0)
    assert not found.proven and found.constructed < 4_500_000


def test_names_and_mistakes():
    X, y = data("real")
    with pytest.raises(UserError, match="kernel 'rbf'"):
        from_svc(SVC().fit(X, y))
    with pytest.raises(UserError, match="3 classes"):
        from_svc(SVC(kernel="poly", coef0=1).fit(X, np.arange(60) % 3))
    with pytest.raises(UserError, match="train with coef0=1"):
        from_svc(SVC(kernel="poly").fit(X, y))
    with pytest.raises(UserError, match="one for each"):
        Polynomial(X, np.ones(3), 2)
    with pytest.raises(UserError, match="heur2, heur1, brute"):
        explain(Polynomial(X, np.ones(60), 2), method="exact")
