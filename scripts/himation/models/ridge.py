"""Ridge regression on labels -1 and +1, with its leave-one-out values in closed form, by kernels.

The idea. Least squares with a penalty is the one regularised model whose leave-one-out predictions cost nothing
extra: the value of an example by the model that never saw it is y - (y - f) / (1 - h), h being its leverage (Allen
1974). One eigendecomposition of the kernel matrix gives these values for every penalty, so the penalty is chosen
without a single refit. Cawley's entry to the causation and prediction challenge was built of such models.

Three details: classes weigh the same in total unless told otherwise; rows with the same values are one row with a
weight, while what is left out is one example and not the whole row; the intercept is not penalised.

>>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
>>> y = np.array([-1, -1, 1, 1])
>>> ridge = kernel_ridge(X @ X.T, np.arange(4), y, class_weights(y), penalties=[0.01])
>>> np.round(ridge.loo[:, 0], 2).tolist()
[-1.65, -0.14, 0.14, 1.65]
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

PENALTIES = tuple(10.0 ** (half / 2) for half in range(-8, 7))  # multiples of the mean eigenvalue
MOST_LEVERAGE = 1 - 1e-9


def class_weights(y: np.ndarray, balanced: bool = True) -> np.ndarray:
    """A weight for each example, with mean 1; balanced, both classes have the same total."""
    positive = np.asarray(y) > 0
    if not balanced:
        return np.ones(len(positive))
    share = positive.mean()
    return np.where(positive, 0.5 / share, 0.5 / (1 - share))


@dataclass(frozen=True)
class KernelRidge:
    """One model for each penalty: column i of `dual`, `intercepts` and `loo` belongs to penalty i.

    f(x) = sum_c dual[c] K(row c, x) + intercept over the different rows; `loo` has the leave-one-out value of every
    example.
    """

    dual: np.ndarray
    intercepts: np.ndarray
    loo: np.ndarray

    def losses(self, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Weighted mean square of the leave-one-out errors, by penalty."""
        return weights @ (y[:, None] - self.loo) ** 2 / weights.sum()


def kernel_ridge(
    values, owner, y, weights, penalties: Sequence[float] = PENALTIES, inputs: np.ndarray | None = None
) -> KernelRidge:
    """Ridge regression in a kernel's feature space, for all penalties at once.

    `values` is the kernel matrix of the different rows, `owner` the row of each example, `weights` a weight for each
    example. A penalty is a multiple of the mean eigenvalue of the weighted, centred kernel matrix. Of a linear kernel
    the `inputs` may be given: where they are few, so are the eigenvalues that are not zero.
    """
    y = np.asarray(y, dtype=float)
    mass, mean, shifts, matrix, labels = _weighted(values, owner, y, weights)
    total, root = mass.sum(), np.sqrt(mass)
    eigenvalues, vectors = _eigen(matrix, mass, inputs)
    along = vectors.T @ labels
    lam = np.asarray(penalties) * (eigenvalues.sum() / len(matrix) or 1.0)
    shrunk = eigenvalues[:, None] / (eigenvalues[:, None] + lam)
    fitted = mean + vectors @ (shrunk * along[:, None]) / root[:, None]
    leverage = (mass[:, None] / total + vectors**2 @ shrunk) / mass[:, None]
    own = np.minimum(weights[:, None] * leverage[owner], MOST_LEVERAGE)
    loo = y[:, None] - (y[:, None] - fitted[owner]) / (1 - own)
    dual = vectors @ (along[:, None] / (eigenvalues[:, None] + lam))
    if len(eigenvalues) < len(matrix):  # the others are zero
        dual += (labels - vectors @ along)[:, None] / lam
    dual *= root[:, None]
    return KernelRidge(dual, mean - shifts @ dual, loo)


def _eigen(matrix: np.ndarray, mass: np.ndarray, inputs: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and vectors of a weighted, centred kernel matrix; of a linear one those that are not zero."""
    if inputs is None or 2 * inputs.shape[1] > len(matrix):
        eigenvalues, vectors = np.linalg.eigh(matrix)
        return np.maximum(eigenvalues, 0.0), vectors
    weighted = np.sqrt(mass)[:, None] * (inputs - mass @ inputs / mass.sum())
    eigenvalues, axes = np.linalg.eigh(weighted.T @ weighted)
    kept = eigenvalues > len(matrix) * np.finfo(float).eps * max(eigenvalues[-1], 1e-300)
    return eigenvalues[kept], weighted @ (axes[:, kept] / np.sqrt(eigenvalues[kept]))


def kernel_ridge_at(values, owner, y, weights, penalty: float) -> tuple[np.ndarray, float]:
    """Multipliers and intercept for one penalty alone, without leave-one-out values: a tenth of the work."""
    mass, mean, shifts, matrix, labels = _weighted(values, owner, np.asarray(y, dtype=float), weights)
    matrix[np.diag_indices_from(matrix)] += penalty * (matrix.trace() / len(matrix) or 1.0)
    dual = np.sqrt(mass) * np.linalg.solve(matrix, labels)
    return dual, float(mean - shifts @ dual)


def _weighted(values, owner, y, weights):
    """Weight of each row, mean label, mean kernel values, and kernel matrix and labels centred and weighted."""
    mass = np.bincount(owner, weights)
    means = np.bincount(owner, weights * y) / mass
    total, root = mass.sum(), np.sqrt(mass)
    shifts = mass @ values / total
    centred = values - shifts[None, :] - shifts[:, None] + mass @ shifts / total
    mean = float(mass @ means / total)
    return mass, mean, shifts, centred * root[:, None] * root[None, :], root * (means - mean)
