"""The target as a copy: how much of what its neighbours see is in the labels.

A yes-or-no target is mostly a thresholded, or partly wrong, copy of something finer. Given such a copy its effects stay
dependent on each other, and a network explains that by making them causes of the copy. So the model has one number
more: a factor by which all correlations with the target are too small. Cutting a normal variable at its median takes a
factor of 1.25, flipping a tenth of the labels takes another 1.25.

The factor is judged by the evidence. A directed network implies that some partial correlations vanish; with the right
factor the correlations around the target agree with that, with a wrong one they don't. So for each factor of a grid the
networks' log posterior is compared with the log-likelihood of the unrestricted normal model that has the same factor:
how far the networks stay behind it is what the factor costs. The chains are shared out among the factors by their
weights. A target that is exactly what its neighbours see has all of them at factor 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.posterior.orders import sample_graphs
from himation.posterior.scoring import Evidence, Sampling

MOST_EXPLAINED = 0.97  # share of the target's variance that a factor may claim to be explained
RIDGE = 0.02  # keeps near-copies from deciding


@dataclass(frozen=True)
class Reliability:
    """Factors, their log evidence (that of factor 1 is 0, which has no parameter) and their weights."""

    factors: tuple[float, ...] = (1.0,)
    log_evidence: tuple[float, ...] = (0.0,)
    weights: tuple[float, ...] = (1.0,)

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


def factors(correlations: np.ndarray, steps: int = 5) -> np.ndarray:
    """A grid from 1 to what the target's neighbours could explain at most."""
    within, r = correlations[:-1, :-1], correlations[:-1, -1]
    explained = float(r @ np.linalg.solve(within, r))
    most = np.sqrt(MOST_EXPLAINED / max(explained, 1e-9))
    return np.exp(np.linspace(0.0, np.log(most), steps)) if most > 1 else np.ones(1)


def judge(correlations: np.ndarray, n: int, sampling: Sampling) -> Reliability:
    """Weights of factors, from short chains over the given nodes, the target last."""
    correlations = (correlations + RIDGE * np.eye(len(correlations))) / (1 + RIDGE)
    grid = factors(correlations)
    if len(grid) == 1:
        return Reliability()
    found = np.array([_evidence(scaled(correlations, factor), n, sampling) for factor in grid])
    found[1:] -= 0.5 * np.log(sampling.effective(n))  # a parameter more
    weights = np.exp(found - found.max())
    shares = (weights / weights.sum()).tolist()
    return Reliability(tuple(grid.tolist()), tuple((found - found[0]).tolist()), tuple(shares))


def _evidence(correlations: np.ndarray, n: int, sampling: Sampling, chains: int = 3) -> float:
    saturated = np.linalg.slogdet(correlations)[1]
    pilots: Sequence[Sampling] = [replace(sampling, seed=sampling.seed + k) for k in range(chains)]
    seen, last = Evidence(correlations, n), len(correlations) - 1
    drawn = [sample_graphs(seen, last, one).log_posterior.mean() for one in pilots]
    return float(np.mean(drawn) + 0.5 * sampling.effective(n) * saturated)
