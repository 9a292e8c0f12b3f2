"""From decision values to probabilities (Platt 2000, with the numerically safe form of Lin, Lin and Weng 2007).

A logistic curve p(f) = 1 / (1 + exp(-(slope f + offset))) is fitted to decision values that were predicted without
the example itself (out of fold, or out of bag); those of the fitted model would be too sure. Labels are pulled a little
towards the middle, so that classes that don't overlap still give finite numbers. The slope is never negative: values
that rank the wrong way round give the share of positive examples and nothing else.

>>> curve = fit_platt(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([-1, -1, 1, 1]))
>>> np.round(curve.probability(np.array([-2.0, 0.0, 2.0])), 2).tolist()
[0.21, 0.5, 0.79]
"""

from dataclasses import dataclass

import numpy as np

MOST_STEPS = 100
SMALLEST_STEP = 1e-10
SMALLEST_GRADIENT = 1e-9
RIDGE = 1e-12


@dataclass(frozen=True)
class Platt:
    """A logistic curve over decision values."""

    slope: float
    offset: float

    def probability(self, values) -> np.ndarray:
        """Probability of the positive class."""
        return _logistic(self.slope * np.asarray(values, dtype=float) + self.offset)


def fit_platt(values, y) -> Platt:
    """The curve of greatest likelihood, by Newton's method with step halving."""
    values, positive = np.asarray(values, dtype=float), np.asarray(y) > 0
    n_positive, n_negative = int(positive.sum()), int((~positive).sum())
    wanted = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    prior = Platt(0.0, float(np.log((n_positive + 1) / (n_negative + 1))))
    centre, scale = float(values.mean()), float(values.std())
    if not scale > 0:
        return prior
    z = (values - centre) / scale
    slope, offset = _newton(z, wanted, prior.offset)
    return Platt(slope / scale, offset - slope * centre / scale) if slope > 0 else prior


def _newton(z, wanted, start) -> tuple[float, float]:
    design = np.stack([z, np.ones(len(z))])
    at = np.array([0.0, start])
    loss = _loss(design, wanted, at)
    for _ in range(MOST_STEPS):
        p = _logistic(at @ design)
        gradient = design @ (p - wanted)
        if np.abs(gradient).max() < SMALLEST_GRADIENT * len(z):
            break
        direction = np.linalg.solve((design * (p * (1 - p))) @ design.T + RIDGE * np.eye(2), gradient)
        step = 1.0
        while step > SMALLEST_STEP and not (better := _loss(design, wanted, at - step * direction)) < loss:
            step /= 2
        if step <= SMALLEST_STEP:
            break
        at, loss = at - step * direction, better
    return float(at[0]), float(at[1])


def _loss(design, wanted, at) -> float:
    score = at @ design
    return float(np.sum(np.logaddexp(0.0, score) - wanted * score))


def _logistic(score):
    return np.exp(-np.logaddexp(0.0, -score))
