"""Low-rank kernel measures and rankings against dense n x n computations and against the paper's statements."""

import numpy as np
import pytest

from himation.errors import UserError
from himation.rankings.cuts import auc_cut, gain_p_value, gap_cut, permutation_cut
from himation.rankings.kcdm import rank_variables
from himation.rankings.kernel_measures import (
    KERNELS,
    MEASURES,
    measure,
    median_distance,
    pairs,
    ridge_of,
    target_factor,
)
from himation.studies.reruns import strobl


def dense_kernel(A, kernel):
    if kernel == "linear":
        return A @ A.T
    squares = np.square(A[:, None] - A[None]).sum(axis=2)
    return np.exp(-squares / (2 * median_distance(A, *pairs(len(A))) ** 2))


def dense(X, Y, which, kernel, epsilon):
    """The measures as equations 3 and 4 have them, with all n x n matrices."""
    n = len(X)
    H = np.eye(n) - 1 / n
    GX, GY = H @ dense_kernel(X, kernel) @ H, H @ dense_kernel(Y, kernel) @ H
    if which == "hsic":
        return np.trace(GX @ GY)
    if which == "m1":
        return np.trace(GY @ np.linalg.inv(GX + n * epsilon * np.eye(n)))
    T = epsilon * np.linalg.inv(GX + epsilon * np.eye(n))
    return np.trace(T @ GY @ T)


def undo_share(value, V, which, epsilon, n):
    return value * np.square(V).sum() / (n * epsilon if which == "m1" else 1.0)


@pytest.mark.parametrize("which", MEASURES)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("columns", [1, 4, 30])
@pytest.mark.parametrize("epsilon", [1e-3, 0.1])
def test_agrees_with_the_dense_computation_to_1e_6(which, kernel, columns, epsilon):
    rng, n = np.random.default_rng(columns), 200
    X = rng.normal(size=(n, columns))
    Y = np.column_stack([X[:, 0] + rng.normal(size=n), X[:, -1] ** 2])  # a target of two columns
    V = target_factor(Y, kernel)
    ours = undo_share(measure(X, V, which, kernel, epsilon), V, which, epsilon, n)
    assert ours == pytest.approx(dense(X, Y, which, kernel, epsilon), rel=1e-6)


def test_a_discrete_target_has_an_exact_factor():
    y = np.random.default_rng(0).integers(0, 3, 200).astype(float)[:, None]
    V = target_factor(y)
    H = np.eye(200) - 1 / 200
    np.testing.assert_allclose(V @ V.T, H @ dense_kernel(y, "gaussian") @ H, atol=1e-9)
    assert V.shape[1] == 3


def problem(n=150, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 7))
    y = X[:, 0] + X[:, 3] ** 2 + 0.5 * rng.normal(size=n)
    X[:, 5] += y
    return X, y


def step_by_step(X, V, which, kernel, direction, groups):
    """Algorithms 1 and 2 with every measure computed anew, a Gaussian kernel's sigma from the set measured."""
    inside = list(range(len(groups))) if direction == "backward" else []
    outside = [] if inside else list(range(len(groups)))
    order, values = [], []
    while inside if direction == "backward" else outside:
        tried = {}
        for g in inside if direction == "backward" else outside:
            members = [h for h in inside if h != g] if direction == "backward" else [*inside, g]
            tried[g] = measure(X[:, [c for h in members for c in groups[h]]], V, which, kernel)
        best = (max if which == "hsic" else min)(tried, key=tried.__getitem__)
        order.append(best)
        values.append(tried[best])
        (inside if direction == "backward" else outside).remove(best)
        inside += [best] if direction == "forward" else []
    return (order[::-1] if direction == "backward" else order), values


SINGLE, BLOCKS = [[j] for j in range(7)], [[0], [1, 2], [3], [4, 5], [6]]


@pytest.mark.parametrize("groups", [SINGLE, BLOCKS])
@pytest.mark.parametrize(
    "kernel, direction", [("linear", "backward"), ("linear", "forward"), ("gaussian", "forward")]
)  # a backward step with a Gaussian kernel has one sigma for all candidates: the next test
@pytest.mark.parametrize("which", MEASURES)
def test_updates_rank_as_computing_anew_does(kernel, which, direction, groups):
    X, y = problem()
    V = target_factor(y, kernel)
    found = rank_variables(X, V, which, kernel, direction=direction, rank=150, groups=groups)
    order, values = step_by_step(X, V, which, kernel, direction, groups)
    ours = list(found.values)[1:] if direction == "forward" else list(found.values)[::-1][1:]
    assert list(found.order) == order
    np.testing.assert_allclose(ours, values, atol=1e-8)


@pytest.mark.parametrize("which", MEASURES)
def test_gaussian_steps_share_one_sigma(which):
    X, y = problem()
    V = target_factor(y)
    left, order = list(range(7)), []
    n, H, GY = len(X), np.eye(len(X)) - 1 / len(X), V @ V.T
    ridge = ridge_of(which, None, n)
    while len(left) > 1:
        sigma, tried = median_distance(X[:, left], *pairs(n)), {}
        for g in left:
            rest = X[:, [h for h in left if h != g]]
            G = H @ np.exp(-np.square(rest[:, None] - rest[None]).sum(axis=2) / (2 * sigma**2)) @ H
            inverse = np.linalg.inv(G + ridge * np.eye(n))
            value = {"m1": GY @ inverse, "m2": inverse @ GY @ inverse, "hsic": -G @ GY}[which]
            tried[g] = np.trace(value)
        order.append(min(tried, key=tried.__getitem__))
        left.remove(order[-1])
    assert list(rank_variables(X, V, which, rank=150).order) == (order + left)[::-1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_order_of_columns_and_threads_do_not_matter(kernel):
    X, y = problem(120, 3)
    V, shuffled = target_factor(y, kernel), np.random.default_rng(1).permutation(7)
    found = rank_variables(X, V, "m1", kernel, rank=40)
    again = rank_variables(X[:, shuffled], V, "m1", kernel, rank=40, threads=2)
    assert tuple(shuffled[list(again.order)]) == found.order
    assert found.values == pytest.approx(again.values, abs=1e-12)


def test_few_landmarks_rank_like_all_of_them():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(220, 12))
    V = target_factor(X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=220))
    assert set(rank_variables(X, V, rank=50).order[:3]) == set(rank_variables(X, V, rank=220).order[:3]) == {0, 1, 2}


def test_several_variables_in_a_step():
    X, y = problem(200, 5)
    found = rank_variables(X, target_factor(y), "m1", share=0.4)
    assert set(found.order[:3]) == {0, 3, 5} and sorted(found.order) == list(range(7)) and len(found.values) == 8
    assert set(rank_variables(X, target_factor(y), "hsic", share=0.3).order) == set(range(7))


def test_forward_selection_may_stop_early():
    X, y = problem(200, 6)
    V = target_factor(y, "linear")
    whole, some = (rank_variables(X, V, "m1", "linear", direction="forward", most=most) for most in (None, 2))
    assert whole.order[:2] == some.order[:2] and sorted(some.order) == list(range(7))


def test_degenerate_tables():
    V = target_factor(np.array([0.0, 1.0, 0.0, 1.0, 1.0]))
    constant = np.ones((5, 2))
    for kernel in KERNELS:
        found = rank_variables(constant, V, "m1", kernel)
        assert sorted(found.order) == [0, 1] and np.allclose(found.values, 1.0)
    twice = np.repeat(np.array([[0.0, 1.0, 0.0, 1.0, 1.0]]).T, 2, axis=1)
    assert sorted(rank_variables(twice, V).order) == [0, 1]
    assert rank_variables(np.empty((5, 0)), V).order == ()
    with pytest.raises(UserError, match="the target is constant"):
        rank_variables(twice, target_factor(np.ones(5)))
    with pytest.raises(UserError, match="unknown measure 'm3'"):
        rank_variables(twice, V, "m3")
    with pytest.raises(UserError, match="epsilon is 0"):
        measure(twice, V, "m1", "linear", 0)


# --- the paper's statements -------------------------------------------------------------------------------------------


def test_the_papers_linear_example():
    """5.2: at 500 examples BAHSIC saturates near rank 3, while both proposed measures are near 1."""
    answers = [strobl.one_synthetic(("samples", 500, i), seed=1) for i in range(20)]
    mean = {key: np.mean([answer[key] for answer in answers]) for key in answers[0]}
    assert mean["mean rank", "Proposed-F"] < 1.05 and mean["mean rank", "Proposed-Z"] < 1.05
    assert mean["mean rank", "BAHSIC"] == pytest.approx(3, abs=0.5)
    assert mean["accuracy", "Proposed-F"] > mean["accuracy", "IAMB"]


def test_forward_selection_misses_spouses_that_backward_elimination_finds():
    """4.2: forward selection need not return the blanket; few examples tell them apart."""
    backward, forward = [], []
    for seed in range(30):
        X, y, blanket = strobl.synthetic("samples", 60, np.random.default_rng(seed))
        for answers, direction in ((backward, "backward"), (forward, "forward")):
            order = rank_variables(X, target_factor(y, "linear"), "m1", "linear", direction=direction).order
            answers.append(strobl.mean_rank(order, blanket))
    assert np.mean(backward) <= np.mean(forward)


def test_accuracy_on_a_network_is_above_that_of_tests():
    """5.3, figure 3, in small: Child at 500 examples, against IAMB; all of it is the rerun strobl-networks."""
    pytest.importorskip("pgmpy", reason="the networks come with pgmpy")
    found = strobl.one_network(("child", 500, 1), ("Proposed-F", "IAMB"))
    assert np.mean(found["accuracy", "Proposed-F"]) > np.mean(found["accuracy", "IAMB"]) + 5


# --- cuts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_permutation_cut_ends_at_the_blanket(kernel):
    X, y, blanket = strobl.synthetic("samples", 300, np.random.default_rng(2))
    V, groups = target_factor(y, kernel), [[j] for j in range(X.shape[1])]
    ranking = rank_variables(X, V, "m1", kernel)
    assert set(ranking.order[: permutation_cut(X, V, ranking, groups, 0.05, seed=1)]) == blanket


def test_p_values_of_noise():
    """Against those of the t-test of a regression coefficient, which they approximate where they are small."""
    from scipy.stats import t as student

    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(150, 3)), rng.normal(size=150)
    V = target_factor(y, "linear")
    ranking = rank_variables(X, V, "m1", "linear", 1e-9)
    for strength in (0.2, 0.25, 0.3):
        own = rng.normal(size=(150, 1)) + strength * V
        design = np.column_stack([np.ones(150), X, own])
        coefficients, left, *_ = np.linalg.lstsq(design, y, rcond=None)
        error = np.sqrt(left[0] / 145 * np.linalg.inv(design.T @ design)[-1, -1])
        exact = 2 * student.sf(abs(coefficients[-1]) / error, 145)
        ours = np.median([gain_p_value(X, own, V, ranking, np.random.default_rng(i)) for i in range(15)])
        assert np.log(ours) == pytest.approx(np.log(exact), rel=0.35)
    found = [gain_p_value(X, rng.normal(size=(150, 1)), V, ranking, rng) for _ in range(300)]
    assert np.mean(np.array(found) < 0.05) < 0.1


def test_cuts_of_a_ranking():
    assert gap_cut(np.array([]), 100) == 0
    assert gap_cut(np.array([0.4, 0.001, 0.3, 0.0, 0.001]), 1000) == 3  # the second is of use with the third
    size, path = auc_cut(list(range(12)), lambda members: 0.9 if len(members) >= 3 else 0.6)
    assert size == 3 and [step[0] for step in path] == [1, 2, 3, 4, 6, 9, 12]
