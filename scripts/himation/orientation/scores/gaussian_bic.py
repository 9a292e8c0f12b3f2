"""BIC for Gaussian data, and for mixed data as a degenerate Gaussian (Andrews, Ramsey and Cooper 2019).

A continuous variable is itself; a discrete variable of r values becomes r - 1 of its indicators, taken as if they were
Gaussian. With n examples and d columns for a variable, the BIC of a family, less that of the child alone, is

    local = -n/2 log( det S_{child, parents} / (det S_parents det S_child) ) - d_child d_parents / 2 log n,

S being sample covariances: the log likelihood ratio of the linear regression of the child on its parents, less half a
log n for each coefficient. It is the kernel score with linear kernels and nothing smoothed, and shares its code:
each variable's columns are whitened, and a local score is one Cholesky factorisation. Equivalent graphs have equal
scores.

A parent that determines the child would gain without bound, so all correlations are multiplied by 1 - 1e-9; that leaves
every other score as it is, for all that matters.

>>> rng = np.random.default_rng(0)
>>> x, y = rng.normal(size=(2, 400))
>>> group = (x + y + rng.normal(size=400) > 0).astype(int)
>>> score = GaussianBIC([x, y, group], [False, False, True])
>>> score.local(2, (0, 1)) > score.local(2, (0,)) > 0 > score.local(1, (0,))
True
"""

from collections.abc import Sequence

import numpy as np

from himation.orientation.scores.kernel_score import FeatureScore, check_finite, indicators

LARGEST_CORRELATION = 1 - 1e-9
NEGLIGIBLE = 1e-10  # of the largest eigenvalue: a combination of a variable's columns that does not vary


class GaussianBIC(FeatureScore):
    """Local BIC scores of continuous columns and, by their indicators, of discrete ones.

    As for `KernelFactors`, `columns` are arrays of n values; `discrete` says which of them are (default: none).
    """

    def __init__(self, columns: Sequence[np.ndarray], discrete: Sequence[bool] | None = None):
        discrete = [False] * len(columns) if discrete is None else discrete
        if len(columns) != len(discrete):
            raise ValueError("GaussianBIC needs one entry of `discrete` for each column")
        features = []
        for v, (column, is_discrete) in enumerate(zip(columns, discrete, strict=True)):
            features.append(_whitened(indicators(column)) if is_discrete else _standardised(column, v))
        super().__init__([np.sqrt(LARGEST_CORRELATION) * f for f in features], [len(f) for f in features])


def _standardised(column: np.ndarray, v: int) -> np.ndarray:
    column = np.asarray(column, dtype=float)
    check_finite(column, v)
    spread = column.std()
    is_constant = not spread > NEGLIGIBLE * np.abs(column).max(initial=0.0)
    centred = (column - column.mean())[None, :]
    return centred[:0] if is_constant else centred / np.linalg.norm(centred)


def _whitened(columns: np.ndarray) -> np.ndarray:
    """Orthonormal rows that span the centred `columns`."""
    centred = columns - columns.mean(axis=1, keepdims=True)
    eigenvalues, basis = np.linalg.eigh(centred @ centred.T)
    keep = eigenvalues > NEGLIGIBLE * max(eigenvalues.max(initial=0.0), 1.0)
    return (basis[:, keep] / np.sqrt(eigenvalues[keep])).T @ centred
