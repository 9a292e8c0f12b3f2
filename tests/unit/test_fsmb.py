"""The blanket in feature space on the thesis's own examples, with a small stand-in for HITON."""

import doctest
from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.stats import norm

from himation.errors import UserError
from himation.feature_space import fsmb as module
from himation.feature_space.fsmb import distinct_columns, fsmb


def p_value(F, y, j, given):
    """Fisher's z test of column j and the target given some columns."""
    basis = np.column_stack([np.ones(len(y)), F[:, given]])
    left = [a - basis @ np.linalg.lstsq(basis, a, rcond=None)[0] for a in (F[:, j], y.astype(float))]
    if min(np.linalg.norm(part) for part in left) < 1e-8:
        return 1.0
    r = np.clip(left[0] @ left[1] / np.prod([np.linalg.norm(part) for part in left]), -1 + 1e-12, 1 - 1e-12)
    return 2 * norm.sf(abs(np.arctanh(r)) * np.sqrt(len(y) - len(given) - 3))


def forward_backward(F, y, alpha=0.01):
    """Strongest first; a column stays while no two others make it independent of the target."""
    order = sorted(range(F.shape[1]), key=lambda j: p_value(F, y, j, []))
    members = []
    for j in order:
        subsets = [list(s) for size in (0, 1, 2) for s in combinations(members, size)]
        if all(p_value(F, y, j, given) < alpha for given in subsets):
            members.append(j)
    return [j for j in members if p_value(F, y, j, [i for i in members if i != j]) < alpha]


def double_noisy_xor(n, m, seed):
    """Example III.1: T is the noisy XOR of x1 and x2, x3 the noisy XOR of T and x4; the other columns are noise."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], size=(n, m))
    flip = np.where(rng.random((n, 2)) < 0.3, -1.0, 1.0)
    y = -X[:, 0] * X[:, 1] * flip[:, 0]
    X[:, 2] = -y * X[:, 3] * flip[:, 1]
    return X, y.astype(int)


def noisy_parity(n, m, noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], size=(n, m))
    return X, (X[:, :3].prod(axis=1) * np.where(rng.random(n) < noise, -1, 1)).astype(int)


def test_examples_in_the_documentation():
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("values", ["plus_minus", "zero_one"])
@pytest.mark.parametrize("seed", range(3))
def test_double_noisy_xor(values, seed):
    X, y = double_noisy_xor(1000, 12, seed)
    X = X if values == "plus_minus" else (X + 1) / 2
    result = fsmb(X, y, forward_backward, degree=2, cost=1e3)
    assert set(result.variables) >= {0, 1, 2, 3}
    if values == "plus_minus":  # with 0/1 an XOR needs the single variables beside the product
        assert {"x1*x2", "x3*x4"} <= set(result.names) and len(result.variables) <= 6
        assert set(result.names[:2]) == {"x1*x2", "x3*x4"}


@pytest.mark.parametrize("method", ["heur2", "brute_force"])
@pytest.mark.parametrize("seed", range(2))
def test_noisy_three_parity(seed, method):
    X, y = noisy_parity(600, 30, 0.2, seed)
    assert all(abs(np.corrcoef(X[:, v], y)[0, 1]) < 0.12 for v in range(3))
    result = fsmb(X, y, forward_backward, degree=3, cost=1e3, method=method)
    assert result.names[0] == "x1*x2*x3" and result.variables[:3] == (0, 1, 2)
    assert result.candidates.proven or method == "heur2"


def test_honest_halves_let_in_fewer_accidents():
    extra = {True: 0, False: 0}
    for seed in range(3):
        X, y = noisy_parity(1200, 25, 0.2, seed)
        for honest in extra:
            result = fsmb(X, y, forward_backward, degree=3, cost=1e3, honest=honest, seed=seed)
            assert {0, 1, 2} <= set(result.variables)
            extra[honest] += len(result.variables) - 3
    assert extra[True] < extra[False]


def test_screen_drops_what_chance_explains():
    for seed in range(3):
        X, y = noisy_parity(600, 40, 0.3, seed)
        plain = fsmb(X, y, forward_backward, degree=3, cost=1e3)
        screened = fsmb(X, y, forward_backward, degree=3, cost=1e3, screen=0.05)
        assert len(plain.variables) > 3 and screened.names == ("x1*x2*x3",)
        assert screened.candidates == plain.candidates
    rng = np.random.default_rng(0)
    nothing = fsmb(X, rng.choice([-1, 1], size=600), forward_backward, degree=3, cost=1e3, screen=0.05)
    assert nothing.variables == ()


def test_correlation_p_values_equal_scipys():
    rng = np.random.default_rng(0)
    F, y = rng.normal(size=(50, 6)), rng.choice([-1, 1], size=50)
    expected = [2 * norm.sf(abs(np.arctanh(np.corrcoef(F[:, j], y)[0, 1])) * np.sqrt(47)) for j in range(6)]
    np.testing.assert_allclose(module.correlation_p_values(F, y), expected)


def test_machine_is_chosen_by_cross_validation():
    X, y = double_noisy_xor(300, 5, 0)
    result = fsmb(X, y, forward_backward)
    assert result.degree >= 2 and {0, 1, 2, 3} <= set(result.variables)
    assert fsmb(X, y, forward_backward, degree=2).cost in module.MACHINE_GRID.costs


def test_continuous_products_and_names():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 8))
    y = np.where(X[:, 1] * X[:, 6] + 0.3 * rng.normal(size=400) > 0, 1, -1)
    result = fsmb(X, y, forward_backward, degree=2, cost=1.0, names=[f"gene {i}" for i in range(8)])
    assert result.names[0] == "gene 1*gene 6" and result.variables[:2] == (1, 6)


def test_answer_moves_with_the_columns():
    X, y = noisy_parity(500, 12, 0.2, 1)
    result = fsmb(X, y, forward_backward, degree=3, cost=1e3)
    order = np.random.default_rng(0).permutation(12)
    moved = fsmb(X[:, order], y, forward_backward, degree=3, cost=1e3)
    back = [tuple(sorted((int(order[v]), power) for v, power in q)) for q, _ in moved.features]
    assert back == [q for q, _ in result.features]
    assert [w for _, w in moved.features] == [w for _, w in result.features]


def test_sparse_table_gives_the_same_blanket():
    X, y = double_noisy_xor(500, 8, 4)
    X = (X + 1) / 2
    dense, sparse = (fsmb(table, y, forward_backward, degree=2, cost=1e3) for table in (X, csr_matrix(X)))
    assert dense.names == sparse.names


def test_constant_and_repeated_columns_are_left_out():
    F = np.array([[1, 0, 1.0, -1, 2], [1, 1, 2.0, -2, 2], [1, 0, 0.0, -0.0, 3]])
    assert distinct_columns(F).tolist() == [1, 2, 4]
    assert distinct_columns(np.ones((3, 2))).tolist() == []


def test_empty_blanket_and_errors():
    X, y = noisy_parity(100, 5, 0.2, 0)
    empty = fsmb(X, y, lambda F, y: [], degree=2, cost=1.0)
    assert (empty.features, empty.names, empty.variables) == ((), (), ())
    with pytest.raises(UserError, match="auto, heur2, brute_force"):
        fsmb(X, y, forward_backward, degree=2, cost=1.0, method="exact")
    with pytest.raises(UserError, match="column 1 is called binary"):
        fsmb(X * 0.5, y, forward_backward, degree=2, cost=1.0, binary=[True] * 5)
