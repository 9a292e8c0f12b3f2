"""What goes with X and not with the target speaks against X as a cause of it, whatever is hidden.

If X is a cause of the target, then what goes with X goes with the target. So a variable Z that goes with X, does not go
with the target, and goes with it once X is given, says that paths meet head to head at X: X is no ancestor of the
target, faithfulness assumed and nothing else. The Bayes factor of the two stories about a triple, (Z and T independent,
dependent given X) against (dependent, independent given X), is in closed form, from three correlations:

    n / 2 * [log(1 - r(Z,T)^2) - log(1 - r(Z,T | X)^2)]

A network says the same of a triple within it. So only variables outside a chain's network speak here, and their word
enters as prior odds of X among the parents of the target in that chain. Which of the m outside tells is not known, and
each has a chance of 1 / m.
"""

from __future__ import annotations

import numpy as np

STRONGEST = 0.99  # of a correlation
_DIGITS = 6


def against_parents(ties: np.ndarray, r_outside: np.ndarray, r_inside: np.ndarray, effective: float) -> np.ndarray:
    """Log prior odds, never above 0, of each inside variable. ``ties`` are correlations, outside by inside."""
    if not len(ties):
        return np.zeros(len(r_inside))
    ties, inside = np.clip(ties, -STRONGEST, STRONGEST), np.clip(r_inside, -STRONGEST, STRONGEST)
    outside = np.clip(r_outside, -STRONGEST, STRONGEST)[:, None]
    partial = (outside - ties * inside) / np.sqrt((1 - ties**2) * (1 - inside**2))
    partial = np.clip(partial, -STRONGEST, STRONGEST)
    factors = 0.5 * effective * (np.log1p(-(outside**2)) - np.log1p(-(partial**2)))
    top = factors.max(axis=0)
    mean = top + np.log(np.exp(factors - top).mean(axis=0))
    return np.round(-np.logaddexp(0.0, mean), _DIGITS)
