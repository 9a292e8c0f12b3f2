"""Where to cut a ranking of variables so that it becomes a set.

* gap: after the rank where the losses fall most. The loss of rank k is what the measure loses with the k-th variable,
  given the better ones; loss k is raised to the largest loss behind it, and what a variable of pure noise explains
  (the median loss, at least 1/n) is added, so that a ratio of two tiny losses is no gap.
* permutation: the k-th variable is in if it explains more, beside the k - 1 better ones, than shuffled copies of itself
  do: their gains' mean and variance with the tail of a chi-square distribution of one degree of freedom (that of one
  linear effect; the sums of several have lighter ones), at the level alpha divided by the number of variables. The set
  ends at the last such rank, as a variable may be of use only with one behind it.
* auc: the nested set whose small grid of support vector machines has the best cross-validated AUC, sizes growing by a
  half; among equals the smallest. For targets with two values.

>>> gap_cut(np.array([0.5, 0.3, 0.001, 0.002, 0.0]), n=1000)
2
"""

from collections.abc import Callable, Sequence

import numpy as np

from himation.rankings.kcdm import RANK, Ranking
from himation.rankings.kernel_measures import (
    gamma_of,
    landmark_measure,
    landmarks,
    median_distance,
    pairs,
    squared_distances,
)

CUTS = ("permutation", "gap", "auc")
PERMUTATIONS = 60
FEW = 12  # copies after which a variable that explains no more than they do is given up
MOST_MEMBERS = 200  # of a set cut by permutation or AUC
GROWTH = 1.5  # of the sizes that the AUC is computed for


def gap_cut(losses: np.ndarray, n: int) -> int:
    """Number of variables before the largest fall of the losses, in logarithms."""
    if not len(losses):
        return 0
    lifted = np.maximum.accumulate(np.maximum(losses, 0.0)[::-1])[::-1]
    logs = np.log(np.append(lifted, 0.0) + max(1.0 / n, float(np.median(np.abs(losses)))))
    return int(np.argmax(logs[:-1] - logs[1:])) + 1


def auc_cut(ranking: Sequence[int], area: Callable[[Sequence[int]], float], most: int = MOST_MEMBERS) -> tuple:
    """Size of the best nested set and the path of (size, AUC)."""
    path = [(size, area(ranking[:size])) for size in sizes(min(len(ranking), most))]
    if not path:
        return 0, path
    top = max(value for _, value in path)
    return min(size for size, value in path if value >= top - 1e-9), path


def sizes(most: int) -> list[int]:
    """1, 2, 3, 4, 6, 9, ... up to ``most``.

    >>> sizes(10)
    [1, 2, 3, 4, 6, 9, 10]
    """
    found, size = [], 1
    while size < most:
        found.append(size)
        size = max(size + 1, int(size * GROWTH))
    return [*found, most] if most else []


def permutation_cut(
    X: np.ndarray,
    V: np.ndarray,
    ranking: Ranking,
    groups: Sequence[Sequence[int]],
    alpha: float,
    seed: int,
    rank: int = RANK,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """The last rank whose variable explains more than its shuffled copies."""
    most = min(len(ranking.order), MOST_MEMBERS)
    level = alpha / max(1, len(groups))
    for k in range(most, 0, -1):
        better = [column for g in ranking.order[: k - 1] for column in groups[g]]
        own = list(groups[ranking.order[k - 1]])
        if gain_p_value(X[:, better], X[:, own], V, ranking, np.random.default_rng([seed, k]), rank) < level:
            return k
        if progress:
            progress(most - k + 1, most)
    return 0


def gain_p_value(
    X: np.ndarray, own: np.ndarray, V: np.ndarray, ranking: Ranking, rng: np.random.Generator, rank: int = RANK
) -> float:
    """P-value of what the columns ``own`` explain beside X; 1 if a few shuffled copies already explain as much."""
    from scipy.stats import chi2

    value = (
        _gaussian_values(X, own, V, ranking, rank) if ranking.kernel == "gaussian" else _linear_values(X, V, ranking)
    )
    sign = 1.0 if ranking.which == "hsic" else -1.0
    gain = sign * value(own)
    gains: list[float] = []
    while len(gains) < PERMUTATIONS:
        gains += [sign * value(own[rng.permutation(len(own))]) for _ in range(FEW)]
        mean, spread = float(np.mean(gains)), float(np.std(gains, ddof=1))
        if gain <= mean + spread:
            return 1.0
    return float(chi2.sf(1.0 + np.sqrt(2.0) * (gain - mean) / spread, 1)) if spread > 0 else 0.0


def _gaussian_values(X, own, V, ranking: Ranking, rank: int) -> Callable[[np.ndarray], float]:
    """The measure of X with columns of the kind of ``own`` beside it."""
    gamma = gamma_of(median_distance(np.column_stack([X, own]), *pairs(len(own))))
    return lambda copy: _gaussian_value(np.column_stack([X, copy]), gamma, V, ranking, rank)


def _gaussian_value(X, gamma: float, V, ranking: Ranking, rank: int) -> float:
    chosen = landmarks(X, gamma, ranking.ridge, rank)  # of its own: few would not do for a shuffled copy
    C = np.exp(-gamma * squared_distances(X, X[chosen]))
    return landmark_measure(C, C[chosen], V, ranking.which, ranking.ridge)


def _linear_values(X, V, ranking: Ranking) -> Callable[[np.ndarray], float]:
    """The same with a linear kernel, by regression on the residuals of X: one small system for each copy."""
    Z = X - X.mean(axis=0)
    ridge, which, total = ranking.ridge, ranking.which, np.square(V).sum()
    root = np.linalg.cholesky(Z.T @ Z + ridge * np.eye(Z.shape[1])) if Z.shape[1] else None

    def residual(A):
        return A if root is None else A - Z @ np.linalg.solve(root.T, np.linalg.solve(root, Z.T @ A))

    left = residual(V)

    def value(copy):
        own = copy - copy.mean(axis=0)
        if which == "hsic":
            return np.square(own.T @ V).sum() / total
        fresh = residual(own)
        A = np.linalg.solve(ridge * np.eye(own.shape[1]) + own.T @ fresh, own.T @ left)
        after = left - fresh @ A
        return (np.vdot(V, after) if which == "m1" else np.square(after).sum()) / total

    return value
