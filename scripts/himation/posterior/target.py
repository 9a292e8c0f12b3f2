"""The target as a copy: how much of what its neighbours see is in the labels.

A yes-or-no target is mostly a thresholded, or partly wrong, copy of something finer. Given such a copy its effects stay
dependent on each other, and a network explains that by making them causes of the copy. So the model has one number
more: a factor by which all correlations with the target are too small. Cutting a normal variable at its median takes a
factor of 1.25, flipping a tenth of the labels takes another 1.25. Where causes go with the labels themselves and only
the effects see something else, there is a hidden copy in place of the factor (`himation.posterior.copies`).

Each of these models is judged by its evidence: networks are drawn from it, and the correlations that a network implies
for what the table shows (labels and variables, not the finer target) are held against those found. A target that is
exactly what its neighbours see has factor 1 and no copy. The chains are shared out among the factors by their weights;
a copy that has more evidence than all of them is in every chain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.knowledge import Constraints
from himation.posterior.copies import implied, misfit, of_target_alone, settled, with_copy, without_copy
from himation.posterior.orders import sample_graphs
from himation.posterior.scoring import Evidence, Sampling, log_prior

MOST_EXPLAINED = 0.97  # share of the target's, or its copy's, variance that may be claimed to be explained
RIDGE = 0.02  # keeps near-copies from deciding
PILOTS = 3  # chains that a model is judged by
MOST = 0.5  # of networks


@dataclass(frozen=True)
class Reliability:
    """Factors, their log evidence (that of factor 1 is 0, which has no parameter) and their weights; ``copy`` is the
    correlation of the labels with the hidden copy, 0 if there is none."""

    factors: tuple[float, ...] = (1.0,)
    log_evidence: tuple[float, ...] = (0.0,)
    weights: tuple[float, ...] = (1.0,)
    copy: float = 0.0

    def of_chain(self, number: int, chains: int) -> float:
        """The factor of one chain: each has as many chains as its weight says."""
        ends = np.cumsum(self.weights)
        return self.factors[min(int(np.searchsorted(ends, (number + 0.5) / chains)), len(ends) - 1)]

    @property
    def mean(self) -> float:
        return float(np.dot(self.factors, self.weights))


def scaled(correlations: np.ndarray, factor: float) -> np.ndarray:
    """With those of the target, the last node, multiplied."""
    found = correlations.copy()
    found[-1, :-1] *= factor
    found[:-1, -1] *= factor
    return found


def factors(correlations: np.ndarray, hidden: Sequence[float] = (), steps: int = 5) -> np.ndarray:
    """A grid from 1 to what the target's neighbours could explain at most, with those of copies that have these
    correlations with the labels: both models are judged with the same number."""
    most = within_reach(correlations[:-1, :-1], correlations[:-1, -1])
    if most <= 1:
        return np.ones(1)
    of_copies = [1 / r for r in hidden if 1 < 1 / max(r, 1e-9) < most]
    return np.unique(np.concatenate([np.exp(np.linspace(0.0, np.log(most), steps)), of_copies]))


def within_reach(correlations: np.ndarray, of_one: np.ndarray) -> float:
    """By what a variable's correlations may be multiplied before others explain too much of it."""
    explained = float(of_one @ np.linalg.solve(correlations, of_one))
    return math.sqrt(MOST_EXPLAINED / max(explained, 1e-9))


def model_of_copy(
    correlations: np.ndarray,
    of_copy: np.ndarray,
    n: int,
    sampling: Sampling,
    rounds: int | None = None,
    free: bool = False,
) -> np.ndarray:
    """Correlations with a copy beside the target, from a first guess of its own, made smaller where no variable could
    have them all; networks settle what it goes with, in which it has no cause but the target, unless it is ``free``."""
    limits = None if free else of_target_alone(len(correlations) + 1)
    pilot = sampling.pilot()

    def draw(model: np.ndarray, number: int) -> np.ndarray:
        own = replace(pilot, seed=sampling.seed + number)
        return sample_graphs(Evidence(model, n), len(model) - 1, own, limits).graphs[-1]

    guess = with_copy(correlations, of_copy * min(1.0, within_reach(_ridged(correlations), of_copy)))
    price = math.log(sampling.effective(n)) / sampling.effective(n)  # of a parameter, for one example
    return settled(guess, correlations, draw, price, *(() if rounds is None else (rounds,)))


def judge(
    correlations: np.ndarray, n: int, sampling: Sampling, copies: Sequence[np.ndarray] = ()
) -> tuple[Reliability, int | None]:
    """Weights of factors, from short chains over the given nodes, the target last; and which of the copies, given by
    their correlations with these nodes, has more evidence than any factor."""
    ridged = _ridged(correlations)
    grid = factors(ridged, [one[-1] for one in copies])
    price = 0.5 * np.log(sampling.effective(n))  # of a parameter more
    found = np.array([_evidence(scaled(ridged, one), ridged, _unscaled(one), n, sampling) for one in grid])
    found[1:] -= price
    limits = of_target_alone(len(correlations) + 1)
    models = [model_of_copy(ridged, one, n, sampling) for one in copies]
    of_copies = [_evidence(model, ridged, without_copy, n, sampling, limits) for model in models]
    best = int(np.argmax(of_copies)) if of_copies else None
    if best is not None and of_copies[best] - price > found.max() and _is_a_copy(ridged, copies[best], n, sampling):
        return Reliability(copy=float(models[best][-2, -1])), best
    weights = np.exp(found - found.max())
    shares = (weights / weights.sum()).tolist()
    return Reliability(tuple(grid.tolist()), tuple((found - found[0]).tolist()), tuple(shares)), None


def _is_a_copy(correlations: np.ndarray, of_copy: np.ndarray, n: int, sampling: Sampling) -> bool:
    """Whether something hidden that explains what its effects share is a copy of the target, rather than something else
    that has to do with the target only through what the table shows: where it is free to have any causes and effects,
    most networks link the two."""
    model = model_of_copy(correlations, of_copy, n, sampling, free=True)
    linked = []
    for k in range(PILOTS):
        drawn = sample_graphs(Evidence(model, n), len(model) - 1, replace(sampling, seed=sampling.seed + k))
        linked += [graph[-1, -2] or graph[-2, -1] for graph in drawn.graphs]
    return float(np.mean(linked)) > MOST


def _ridged(correlations: np.ndarray) -> np.ndarray:
    return (correlations + RIDGE * np.eye(len(correlations))) / (1 + RIDGE)


def _unscaled(factor: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda implied: scaled(implied, 1 / factor)


def _evidence(
    model: np.ndarray, found: np.ndarray, shown, n: int, sampling: Sampling, known: Constraints | None = None
) -> float:
    """The mean log posterior of networks drawn from the model's correlations, by what they say of those found;
    ``shown`` turns correlations of the model into those of what the table shows."""
    scores = []
    for k in range(PILOTS):
        drawn = sample_graphs(Evidence(model, n), len(model) - 1, replace(sampling, seed=sampling.seed + k), known)
        scores += [_log_posterior(graph, model, found, shown, n, sampling) for graph in drawn.graphs]
    return float(np.mean(scores))


def _log_posterior(graph, model, found, shown, n: int, sampling: Sampling) -> float:
    effective, prior = sampling.effective(n), log_prior(len(model), sampling)
    paid = sum(prior[size] - 0.5 * size * math.log(effective) for size in graph.sum(axis=0))
    return float(paid) - 0.5 * effective * misfit(shown(implied(graph, model)), found)
