"""ReliefF against a direct implementation and by hand; interactions are found; the wrapper's sets are nested."""

import doctest

import numpy as np
import pytest

from himation.finders import Context
from himation.finders.feature_space import examples, find_linear_rfe, find_relief, sparse_examples
from himation.rankings import relief as module
from himation.rankings.relief import relief, relief_wrapper
from himation.studies.reruns import problems


def direct(X, y, k, nominal):
    """Every pair of examples, written out; ties share places."""
    n, m = X.shape
    spread = np.ptp(X, axis=0)
    diff = np.zeros((n, n, m))
    for a in range(m):
        gap = X[:, a][:, None] - X[:, a][None, :]
        diff[:, :, a] = (gap != 0) if nominal[a] else (np.abs(gap) / spread[a] if spread[a] else 0)
    distance = diff.sum(axis=2)
    classes, share = np.unique(y), {c: np.mean(y == c) for c in np.unique(y)}
    weights = np.zeros(m)
    for i in range(n):
        for c in classes:
            members = [j for j in range(n) if y[j] == c and j != i]
            places = min(k, len(members))
            reach = sorted(round(distance[i, j], 9) for j in members)[places - 1]
            near = [j for j in members if round(distance[i, j], 9) < reach]
            level = [j for j in members if round(distance[i, j], 9) == reach]
            mean = sum((diff[i, j] for j in near), np.zeros(m))
            mean = (mean + (places - len(near)) * np.mean([diff[i, j] for j in level], axis=0)) / places
            weights += mean * (-1 if c == y[i] else share[c] / (1 - share[y[i]]))
    return weights / n


def test_examples_in_the_documentation():
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [1, 5])
def test_equals_the_direct_implementation(seed, k):
    rng = np.random.default_rng(seed)
    n = 40
    X = np.column_stack(
        [rng.normal(size=(n, 2)), rng.choice([-1.0, 1.0], size=(n, 2)), rng.integers(0, 4, size=(n, 2)), np.ones(n)]
    )
    y = rng.choice([0, 1] if seed % 2 else [0, 1, 2], size=n)
    nominal = np.array([False, False, False, False, True, False, False])
    np.testing.assert_allclose(relief(X, y, k, nominal), direct(X, y, k, nominal), atol=1e-12)


def test_binary_ties_equal_the_direct_implementation():
    rng = np.random.default_rng(9)
    X, y = rng.choice([0.0, 1.0], size=(50, 4)), rng.choice([-1, 1], size=50)
    np.testing.assert_allclose(relief(X, y), direct(X, y, 5, np.zeros(4, dtype=bool)), atol=1e-12)


def test_interactions_are_on_top_whatever_the_order_of_columns():
    problem = problems.parity(600, 12, 0.1, 0)
    weights = relief(problem.X, problem.y)
    assert set(np.argsort(-weights)[:3]) == {0, 1, 2}
    order = np.random.default_rng(0).permutation(12)
    assert (relief(problem.X[:, order], problem.y) == weights[order]).all()


def test_a_sample_of_examples_is_close_and_seeded():
    problem = problems.parity(800, 6, 0.1, 0)
    some = relief(problem.X, problem.y, examples=300, seed=1)
    assert (some == relief(problem.X, problem.y, examples=300, seed=1)).all()
    np.testing.assert_allclose(some, relief(problem.X, problem.y), atol=0.05)


def test_wrapper_finds_the_parity():
    problem = problems.parity(500, 24, 0.1, 2)
    found = relief_wrapper(problem.X, problem.y, degree=3, cost=1.0)
    assert [step.size for step in found.path] == [24, 12, 6, 3, 2, 1]
    assert {0, 1, 2} <= set(found.subset) and len(found.subset) <= 6 and sorted(found.ranking) == list(range(24))


def test_finders_on_a_prepared_table(tmp_path):
    from himation.files.dataset import Source, read_dataset

    problem = problems.parity(400, 16, 0.1, 3)
    table = ((problem.X + 1) / 2).astype(int)
    np.savetxt(tmp_path / "t.data", table, fmt="%d")
    np.savetxt(tmp_path / "t.targets", problem.y, fmt="%d")
    data = read_dataset(Source(train=str(tmp_path / "t.data"), target=str(tmp_path / "t.targets")))
    found = find_relief(data, {"degree": 3, "cost": 1.0}, Context())
    assert {1, 2, 3} <= {int(data.columns[x]) for x in found.members} and len(found.members) <= 8
    assert found.details["neighbours"] == 5
    linear = find_linear_rfe(data, {}, Context())
    assert linear.details["degree"] == 1 and linear.details["path"][0][0] == 16
    dense, sparse = examples(data, {"coding": "zero_one"}), sparse_examples(data)
    assert (sparse.toarray() == dense).all() and set(np.unique(examples(data, {}))) == {-1.0, 1.0}
