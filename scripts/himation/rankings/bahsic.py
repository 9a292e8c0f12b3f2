"""BAHSIC: backward elimination by the Hilbert-Schmidt independence criterion (Song, Bedo, Borgwardt, Gretton and Smola,
Gene selection via the BAHSIC family of algorithms, Bioinformatics 23, 2007).

In each step the variables without which HSIC, tr(G_X G_Y), stays largest are taken away, a tenth of them at a time in
the paper. HSIC is a measure of dependence, not of conditional dependence: spouses, which depend on the target only
given their child, look like noise to it. With a linear kernel HSIC is a sum over the variables, and the ranking is that
of the squared covariances with the target.

>>> rng = np.random.default_rng(0)
>>> parent, spouse = rng.normal(size=(2, 500))
>>> y = parent + rng.normal(size=500)
>>> X = np.column_stack([spouse, y + spouse + rng.normal(size=500), parent])
>>> bahsic(X, target_factor(y, "linear"), "linear").order
(1, 2, 0)
"""

from __future__ import annotations

import numpy as np

from himation.rankings.kcdm import RANK, Ranking, rank_variables
from himation.rankings.kernel_measures import target_factor

__all__ = ["SHARE", "bahsic", "target_factor"]

SHARE = 0.1  # the paper's


def bahsic(
    X: np.ndarray, V: np.ndarray, kernel: str = "gaussian", share: float = SHARE, rank: int = RANK, **options
) -> Ranking:
    """Rank the columns of X, or ``groups`` of columns; the options are those of `kcdm.rank_variables`."""
    return rank_variables(X, V, "hsic", kernel, share=share, rank=rank, **options)
