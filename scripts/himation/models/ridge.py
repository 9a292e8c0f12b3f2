"""Ridge regression on labels -1 and +1, with its leave-one-out values in closed form, by kernels and by variables.

The idea. Least squares with a penalty is the one regularised machine whose leave-one-out predictions cost nothing
extra: the value of an example by the machine that never saw it is y - (y - f) / (1 - h), h being its leverage (Allen
1974). One eigendecomposition of the kernel matrix gives these values for every penalty, so the penalty is chosen
without a single refit. Cawley's entry to the causation and prediction challenge was built of such machines.

Three details: classes weigh the same in total unless told otherwise; rows with the same values are one row with a
weight, while what is left out is one example and not the whole row; the intercept is not penalised.

`kernel_ridge` serves `himation.models.bagged`. `LinearRidge` answers for many sets of variables of one table: the
moments are computed once, and a set of k variables then costs k^3 + n k^2.

>>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
>>> y = np.array([-1, -1, 1, 1])
>>> ridge = LinearRidge(X, y)
>>> ridge.loo_auc([0]), ridge.loo_auc([1])
(1.0, 0.0)
>>> weights, intercept = ridge.weights([0], penalty=1e-9)
>>> np.round(weights, 3).tolist(), round(intercept, 3)
([0.8], -1.2)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from himation.evaluate import auc
from himation.gram import canonical_columns

PENALTIES = tuple(10.0 ** (half / 2) for half in range(-8, 7))  # multiples of the mean eigenvalue
MOST_LEVERAGE = 1 - 1e-9
SCORE_DIGITS = 6  # leave-one-out values are ranked to this many decimals: examples alike are ties


def class_weights(y: np.ndarray, balanced: bool = True) -> np.ndarray:
    """A weight for each example, with mean 1; balanced, both classes have the same total."""
    positive = np.asarray(y) > 0
    if not balanced:
        return np.ones(len(positive))
    share = positive.mean()
    return np.where(positive, 0.5 / share, 0.5 / (1 - share))


@dataclass(frozen=True)
class KernelRidge:
    """One machine for each penalty: column i of `dual`, `intercepts` and `loo` belongs to penalty i.

    f(x) = sum_c dual[c] K(row c, x) + intercept over the different rows; `loo` has the leave-one-out value of every
    example.
    """

    dual: np.ndarray
    intercepts: np.ndarray
    loo: np.ndarray

    def losses(self, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Weighted mean square of the leave-one-out errors, by penalty."""
        return weights @ (y[:, None] - self.loo) ** 2 / weights.sum()


def kernel_ridge(values, owner, y, weights, penalties: Sequence[float] = PENALTIES) -> KernelRidge:
    """Ridge regression in a kernel's feature space, for all penalties at once.

    `values` is the kernel matrix of the different rows, `owner` the row of each example, `weights` a weight for each
    example. A penalty is a multiple of the mean eigenvalue of the weighted, centred kernel matrix.
    """
    y = np.asarray(y, dtype=float)
    mass, mean, shifts, matrix, labels = _weighted(values, owner, y, weights)
    total, root = mass.sum(), np.sqrt(mass)
    eigenvalues, vectors = np.linalg.eigh(matrix)
    eigenvalues = np.maximum(eigenvalues, 0.0)
    along = vectors.T @ labels
    lam = np.asarray(penalties) * (eigenvalues.mean() or 1.0)
    shrunk = eigenvalues[:, None] / (eigenvalues[:, None] + lam)
    fitted = mean + vectors @ (shrunk * along[:, None]) / root[:, None]
    leverage = (mass[:, None] / total + vectors**2 @ shrunk) / mass[:, None]
    own = np.minimum(weights[:, None] * leverage[owner], MOST_LEVERAGE)
    loo = y[:, None] - (y[:, None] - fitted[owner]) / (1 - own)
    dual = root[:, None] * (vectors @ (along[:, None] / (eigenvalues[:, None] + lam)))
    return KernelRidge(dual, mean - shifts @ dual, loo)


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


class LinearRidge:
    """Linear machines on subsets of the columns of one table; answers don't depend on the order of the columns.

    `penalty` is a multiple of the mean variance of the chosen columns; None chooses the one with the smallest
    leave-one-out error.
    """

    def __init__(self, X, y, balanced: bool = True):
        X = np.asarray(X, dtype=float)
        self.y = np.asarray(y, dtype=float)
        self.case_weights = class_weights(self.y, balanced)
        canonical = canonical_columns(X)
        self._place = np.argsort(canonical)  # of each column in an order that depends on the contents alone
        X = X[:, canonical]
        total = self.case_weights.sum()
        self._means = self.case_weights @ X / total
        self.mean = float(self.case_weights @ self.y / total)
        self._X = np.ascontiguousarray((X - self._means).T)
        self._weighted = self._X * self.case_weights
        self._cross = self._weighted @ (self.y - self.mean)

    def weights(self, columns: Sequence[int], penalty: float | None = None) -> tuple[np.ndarray, float]:
        """Coefficients in the order of `columns`, and the intercept."""
        places, eigenvalues, vectors, along = self._solve(columns)
        chosen = self._best_penalty(columns) if penalty is None else penalty
        ordered = vectors @ _divided(along, eigenvalues + chosen * eigenvalues.mean())
        found = np.empty(len(ordered))
        found[np.argsort(self._place[list(columns)])] = ordered
        return found, self.mean - float(self._means[places] @ ordered)

    def leave_one_out(self, columns: Sequence[int], penalty: float | None = None) -> np.ndarray:
        """The value of each example by the machine that was fitted without it."""
        loo, losses = self._all_loo(columns, PENALTIES if penalty is None else (penalty,))
        return loo[:, int(np.argmin(losses))]

    def loo_auc(self, columns: Sequence[int], penalty: float | None = None) -> float:
        """Leave-one-out AUC of a set of columns; 0.5 for none."""
        if not len(columns):
            return 0.5
        return auc(self.y, np.round(self.leave_one_out(columns, penalty), SCORE_DIGITS))

    def _solve(self, columns):
        """Places of the columns, and the principal axes of their weighted scatter."""
        places = np.sort(self._place[list(columns)])
        eigenvalues, vectors = np.linalg.eigh(self._weighted[places] @ self._X[places].T)
        return places, np.maximum(eigenvalues, 0.0), vectors, vectors.T @ self._cross[places]

    def _all_loo(self, columns, penalties):
        places, eigenvalues, vectors, along = self._solve(columns)
        lam = np.asarray(penalties) * eigenvalues.mean()
        inverse = _divided(1.0, eigenvalues[:, None] + lam)
        projected = self._X[places].T @ vectors
        fitted = self.mean + projected @ (inverse * along[:, None])
        leverage = 1 / self.case_weights.sum() + projected**2 @ inverse
        own = np.minimum(self.case_weights[:, None] * leverage, MOST_LEVERAGE)
        y = self.y[:, None]
        loo = y - (y - fitted) / (1 - own)
        return loo, self.case_weights @ (y - loo) ** 2

    def _best_penalty(self, columns) -> float:
        return PENALTIES[int(np.argmin(self._all_loo(columns, PENALTIES)[1]))]


def _divided(numerator, denominator):
    """Zero where the denominator is: directions in which the data don't vary."""
    return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1.0), 0.0)
