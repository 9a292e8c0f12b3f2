"""Recursive feature elimination with a polynomial support vector machine (Guyon et al. 2002; thesis, III.4 and III.7).

Train a model, score every variable by how much of the squared weight vector its monomials carry (III.13, III.14),

    score(v) = |w|^2 - |w without v|^2 = sum of w_q^2 over all monomials q that contain v,

drop the lower half (or another fraction), and start again with the rest. Of the nested sets, the one whose model
ranks a held-out fifth of the examples best (AUC) is the answer; among equals the smallest. The scores are the
contributions of chapter II added over degrees, so a round costs one model and a few matrix products, whatever the
degree. Degree 1 is the usual linear elimination and works on wide sparse tables.

>>> rng = np.random.default_rng(0)
>>> X = rng.choice([-1.0, 1.0], size=(200, 8))
>>> y = (X[:, 2] * X[:, 5]).astype(int)  # XOR: neither variable says anything alone
>>> result = rfe(X, y, degree=2, cost=1.0)
>>> sorted(result.subset), result.path[-2]
([2, 5], Step(size=2, auc=1.0))
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.feature_space.weight_norms import contributions
from himation.gram import Kernel, Matrix, canonical_columns
from himation.models.svm import AUC_TIE, auc
from himation.svm import CLASSES, MAX_ITERATIONS, Model, check_data, fit


@dataclass(frozen=True)
class Step:
    """One round: how many variables the model had, and its AUC on the held-out examples."""

    size: int
    auc: float


@dataclass(frozen=True)
class RfeResult:
    """All variables, best first (the one eliminated last is first); the chosen ones, best first; and the rounds."""

    ranking: tuple[int, ...]
    subset: tuple[int, ...]
    path: tuple[Step, ...]
    unconverged: int  # models that reached the cap on iterations


def rfe(X: Matrix, y: np.ndarray, degree: int = 2, cost: float = 1.0, **settings) -> RfeResult:
    """Eliminate variables by the weight that their monomials carry; ``settings`` are those of `eliminate`."""

    def weights(model: Model, *_) -> np.ndarray:
        return contributions(model.support_vectors, model.dual, degree).sum(axis=0)

    return eliminate(X, y, weights, degree, cost, **settings)


def eliminate(
    X: Matrix,
    y: np.ndarray,
    importance: Callable[..., np.ndarray],
    degree: int = 2,
    cost: float = 1.0,
    fraction: float = 0.5,
    holdout: float = 0.2,
    seed: int = 0,
    class_weight: str | None = "balanced",
    max_iterations: int = MAX_ITERATIONS,
    progress: Callable[[int, int], None] | None = None,
) -> RfeResult:
    """Eliminate `fraction` of the variables per round (at least one), judge on `holdout` of the examples.

    ``importance(model, X, y, left)`` scores the columns ``left``, which are all that X has of the training examples.
    Variables with equal scores are ordered by the contents of their columns, never by their position.
    """
    y = check_data(X, y)
    held = held_out_rows(y, holdout, seed)
    train, labels = X[~held], y[~held]
    left = canonical_columns(X)
    total, gone, path, unconverged = len(left), [], [], 0
    while True:
        seen = train[:, left]
        model = fit(seen, labels, Kernel("poly", degree=degree), cost, class_weight, max_iterations)
        unconverged += not model.converged
        path.append(Step(len(left), auc(y[held], model.decision_function(X[held][:, left]))))
        if progress:
            progress(total - len(left) + 1, total)
        if len(left) == 1:
            break
        order = ascending(importance(model, seen, labels, left))
        drop = len(left) - keep_count(len(left), fraction)
        gone += left[order[:drop]].tolist()
        left = left[np.sort(order[drop:])]
    ranking = tuple((gone + left.tolist())[::-1])
    return RfeResult(ranking, best_prefix(ranking, path), tuple(path), unconverged)


def keep_count(size: int, fraction: float) -> int:
    """How many of ``size`` variables the next round has when ``fraction`` of them go, at least one."""
    if not 0 < fraction < 1:
        raise UserError(f"fraction {fraction:g}: write a number between 0 and 1, such as 0.5 for halving")
    return min(size - 1, max(1, round(size * (1 - fraction))))


def best_prefix(ranking: tuple[int, ...], path: list[Step]) -> tuple[int, ...]:
    """The set of the round with the best AUC; among equals the smallest."""
    top = max(step.auc for step in path)
    return ranking[: min(step.size for step in path if step.auc >= top - AUC_TIE)]


def held_out_rows(y: np.ndarray, share: float, seed: int) -> np.ndarray:
    """A mask of examples to hold out: `share` of each class (at least one, at most all but two), chosen at random."""
    if not 0 < share < 1:
        raise UserError(f"holdout {share:g}: write a number between 0 and 1, such as 0.2")
    rng = np.random.default_rng(seed)
    held = np.zeros(len(y), dtype=bool)
    for label in CLASSES:
        members = np.flatnonzero(y == label)
        if len(members) < 3:
            raise UserError(f"class {label:+d} has {len(members)} examples: 3 are needed to hold one out")
        held[rng.permutation(members)[: min(len(members) - 2, max(1, round(share * len(members))))]] = True
    return held


def ascending(scores: np.ndarray) -> np.ndarray:
    """Positions from small to large; scores equal to 10 digits keep their order."""
    return np.argsort(np.round(scores / max(np.abs(scores).max(), 1e-300), 10), kind="stable")
