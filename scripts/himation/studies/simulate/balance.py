"""How much of a variable its causes explain, balanced so that no sorting of variables tells causes from effects.

Two things would give the causal order away (Reisach et al. 2023). Variances, if they grow along it: so every number has
variance 1, and base rates of coins are drawn without regard to their place. And R2, the share of a variable's variance
that all others explain, to which its effects contribute like its causes: variables that come early have more effects,
and if causes explained the same share everywhere, R2 would fall along the order. So the share that causes explain grows
with the depth of a variable, the number of edges on the longest path to it, by the ``tilt`` that makes R2 neutral.

A share has the same meaning for a coin as for a number: it is that of the number behind it, of which the coin says
whether it is above a threshold, with logistic noise.
"""

import numpy as np

from himation import graphs

MIDDLE = 0.5  # the share explained halfway down
SPREAD = 0.1  # around what depth says
LIMITS = (0.05, 0.95)
OF_TARGET = 0.8  # the share of the target


def explained_shares(rng: np.random.Generator, dag: np.ndarray, tilt: float) -> np.ndarray:
    """Of every node; node 0 is the target."""
    depth = np.zeros(len(dag))
    for node in graphs.topological_order(dag):
        above = np.flatnonzero(dag[:, node])
        depth[node] = depth[above].max() + 1 if len(above) else 0
    place = (depth - 1) / max(depth.max() - 1, 1)
    shares = MIDDLE + tilt * (place - 0.5) + rng.uniform(-SPREAD, SPREAD, len(dag))
    shares[0] = OF_TARGET
    return np.clip(shares, *LIMITS)


def slope(explained: float) -> float:
    """Of the logistic curve over what the causes do, which has variance 1."""
    return float(np.sqrt(explained / (1 - explained)) * np.pi / np.sqrt(3))


def logistic(log_odds: np.ndarray) -> np.ndarray:
    """The chance."""
    return 1 / (1 + np.exp(-log_odds))


def offset(push: np.ndarray, share: float) -> float:
    """What to add to the log-odds so that a coin shows 1 in this share of the examples."""
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.mean(logistic(push + middle)) < share else (low, middle)
    return low
