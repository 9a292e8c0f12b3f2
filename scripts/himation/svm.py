"""One support vector machine: training, and the trained model as plain arrays.

The dual problem (II.4) is solved by LibSVM, through scikit-learn, on a kernel matrix. Four things make the solution
dependable enough to compare models and to read their weights:

* rows with the same values and label are one row whose cost is multiplied;
* the kernel matrix is centred in feature space. The signed multipliers sum to zero, so the model is the same, but
  LibSVM keeps kernel values in single precision, where a wide Gaussian kernel is otherwise nearly constant;
* the tolerance is 1e-5 of the margin, or of the spread that the decision values can have where C is so small that they
  stay far inside the margin;
* iterations are capped and a model that reached the cap says so.

>>> X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([-1, -1, 1, 1])
>>> model = fit(X, y, Kernel("poly", degree=1), cost=10.0)
>>> np.round(model.decision_function(np.array([[1.0], [2.0], [3.0]])), 4).tolist()
[-1.0, 0.0, 1.0]
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from himation.errors import UserError
from himation.gram import (
    Kernel,
    Matrix,
    as_float,
    canonical_columns,
    inner_products,
    is_sparse,
    merge_rows,
    squared_lengths,
)

TOLERANCE = 1e-5  # of the optimality conditions; at LibSVM's 1e-3 small costs give irreproducible models
SMALLEST_TOLERANCE = 1e-12
MAX_ITERATIONS = 100_000  # a model that reaches it is used as it stands and called unconverged
PRECOMPUTED_ROWS = 6_000  # up to here a model is trained on a kernel matrix held in memory
CHUNK_CELLS = 4_000_000  # kernel values computed at once when predicting
CLASSES = (1, -1)


@dataclass(frozen=True)
class Solution:
    """Which examples support the model, their signed multipliers, the intercept, and whether the solver finished."""

    support: np.ndarray
    dual: np.ndarray
    intercept: float
    converged: bool


@dataclass(frozen=True)
class Model:
    """A trained model as plain arrays: f(x) = sum_k dual[k] K(support_vectors[k], x) + intercept."""

    kernel: Kernel
    cost: float
    support_vectors: np.ndarray = field(repr=False)  # or a SciPy sparse matrix, as the training data were
    dual: np.ndarray = field(repr=False)  # signed multipliers, alpha_k = a_k y_k of equation II.5
    intercept: float
    converged: bool

    def decision_function(self, X: Matrix) -> np.ndarray:
        """Decision values, in blocks of rows so that memory stays bounded. Where the kernel is a polynomial of degree 1
        or 2 in few variables, the function is one too, and its coefficients replace the support vectors."""
        if X.shape[1] != self.support_vectors.shape[1]:
            raise UserError(f"the model has {self.support_vectors.shape[1]} variables, the table {X.shape[1]}")
        few = self.kernel.degree == 1 or (self.kernel.degree == 2 and 2 * X.shape[1] < len(self.dual))
        if self.kernel.kind == "poly" and few and not (is_sparse(X) or is_sparse(self.support_vectors)):
            return self._polynomial(X)
        squares = squared_lengths(self.support_vectors)
        step = max(1, CHUNK_CELLS // max(1, len(self.dual)))
        values = np.full(X.shape[0], self.intercept)
        for start in range(0, X.shape[0], step):
            block = X[start : start + step]
            products = inner_products(block, self.support_vectors)
            values[start : start + step] += (
                self.kernel.from_products(products, squared_lengths(block), squares) @ self.dual
            )
        return values

    def _polynomial(self, X: Matrix) -> np.ndarray:
        """The same for sum dual (gamma x.s + c) and sum dual (gamma x.s + c)^2."""
        S, rows = as_float(self.support_vectors), as_float(X)
        gamma, c = self.kernel.gamma, self.kernel.coef0
        constant = self.intercept + c**self.kernel.degree * float(self.dual.sum())
        slopes = gamma * (S.T @ self.dual)
        if self.kernel.degree == 1:
            return rows @ slopes + constant
        curved = gamma**2 * (S.T * self.dual) @ S
        return np.einsum("ij,ij->i", rows @ curved, rows) + 2 * c * (rows @ slopes) + constant

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as arrays for `np.savez`: no pickle needed to write or read it."""
        vectors: Any = self.support_vectors
        vectors = vectors.toarray() if is_sparse(vectors) else vectors
        kernel = self.kernel
        return {
            "kernel_kind": np.array(kernel.kind),
            "kernel_numbers": np.array([kernel.degree, kernel.gamma, kernel.coef0]),
            "cost": np.array(self.cost),
            "support_vectors": vectors,
            "dual": self.dual,
            "intercept": np.array(self.intercept),
            "converged": np.array(self.converged),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Model:
        """The reverse of `to_arrays`; takes a dictionary or an open .npz file."""
        degree, gamma, coef0 = arrays["kernel_numbers"]
        kernel = Kernel(str(arrays["kernel_kind"]), int(degree), float(gamma), float(coef0))
        numbers = float(arrays["intercept"]), bool(arrays["converged"])
        vectors, dual = arrays["support_vectors"], arrays["dual"]
        if vectors.ndim != 2 or dual.shape != vectors.shape[:1] or not (degree >= 1 and gamma > 0):
            raise ValueError("the support vectors, multipliers and kernel of an SVM don't fit together")
        return cls(kernel, float(arrays["cost"]), arrays["support_vectors"], arrays["dual"], *numbers)


def fit(
    X: Matrix,
    y: np.ndarray,
    kernel: Kernel,
    cost: float,
    class_weight: str | None = "balanced",
    max_iterations: int = MAX_ITERATIONS,
) -> Model:
    """Train one model on all rows. `class_weight` is "balanced" (classes cost the same in total) or None."""
    from threadpoolctl import threadpool_limits

    y = check_data(X, y)
    unique, owner = merge_rows(X)
    counts = np.stack([np.bincount(owner[y == label], minlength=len(unique)) for label in CLASSES]).astype(float)
    node, signs, weights = weighted_examples(counts, class_weight)
    rows = unique[node]
    with threadpool_limits(1, user_api="blas"), quiet_solver():
        if len(unique) <= PRECOMPUTED_ROWS:
            values, means = centred(kernel.matrix(X[unique]))
            found = solve(values[np.ix_(node, node)], signs, weights, cost, max_iterations)
            intercept = found.intercept - float(found.dual @ means[node[found.support]])
        else:
            found = _solve_rows(X[rows][:, canonical_columns(X)], signs, weights, kernel, cost, max_iterations)
            intercept = found.intercept
    vectors = X[rows[found.support]]
    vectors = vectors if is_sparse(vectors) else np.ascontiguousarray(vectors, dtype=float)
    return Model(kernel, float(cost), vectors, found.dual, intercept, found.converged)


def solve(
    values: np.ndarray, signs: np.ndarray, weights: np.ndarray, cost: float, max_iterations: int = MAX_ITERATIONS
) -> Solution:
    """The model for a centred kernel matrix, labels -1/+1 and a weight per example."""
    spread = cost * weights.sum() * values.diagonal().mean()
    solver = _solver("precomputed", cost, max_iterations, TOLERANCE * min(1.0, float(spread)))
    return _solution(solver.fit(values, signs, sample_weight=weights))


def centred(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The kernel matrix about the mean of its examples, in LibSVM's precision, and the means taken off its columns.

    The intercept of the model on the matrix as given is that on the centred one minus dual.means.
    """
    means = values.mean(axis=0)
    shifted = values - means[None, :]
    shifted -= means[:, None]
    shifted += means.mean()
    return shifted.astype(np.float32).astype(float), means


def weighted_examples(counts: np.ndarray, class_weight: str | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, label and weight of every merged example, from counts by class (+1, -1) and different row."""
    if class_weight not in ("balanced", None):
        raise UserError(f"class_weight {class_weight!r}: write 'balanced' or None")
    totals = counts.sum(axis=1)
    factors = np.ones(2) if class_weight is None else totals.sum() / (2.0 * totals)
    label, node = np.nonzero(counts)
    return node, np.where(label == 0, 1, -1), counts[label, node] * factors[label]


def check_data(X: Matrix, y: np.ndarray) -> np.ndarray:
    """The labels as an array of -1 and +1, after checking that a model can be trained on the data."""
    y = np.asarray(y)
    if y.ndim != 1 or len(y) != X.shape[0]:
        raise UserError(f"the target has {y.size} values and the table {X.shape[0]} rows: give one value per row")
    if not np.isin(y, (-1, 1)).all():
        raise UserError(f"the target must be -1 or +1, found {sorted(set(np.unique(y).tolist()) - {-1, 1})[:3]}")
    for label in (1, -1):
        if (y == label).sum() < 2:
            raise UserError(f"class {label:+d} has {(y == label).sum()} examples: at least 2 are needed")
    values = X.data if is_sparse(X) else np.asarray(X)
    if not np.isfinite(values).all():
        place = "" if is_sparse(X) else f" in column {1 + int(np.argwhere(~np.isfinite(values))[0, 1])}"
        raise UserError(f"missing or infinite values{place}: fill them in before training an SVM")
    return y.astype(np.int64)


def _solver(kernel: str, cost: float, max_iterations: int, tolerance: float, **numbers):
    from sklearn.svm import SVC

    tolerance = max(tolerance, SMALLEST_TOLERANCE)
    return SVC(C=cost, kernel=kernel, tol=tolerance, max_iter=max_iterations, cache_size=500, **numbers)


def _solve_rows(X, signs, weights, kernel: Kernel, cost: float, max_iterations: int) -> Solution:
    numbers = {"degree": kernel.degree, "gamma": kernel.gamma, "coef0": kernel.coef0}
    solver = _solver(kernel.kind, cost, max_iterations, TOLERANCE, **numbers)
    return _solution(solver.fit(X, signs, sample_weight=weights))


def _solution(solver) -> Solution:
    return Solution(solver.support_, solver.dual_coef_[0].copy(), float(solver.intercept_[0]), not solver.fit_status_)


class quiet_solver(warnings.catch_warnings):
    """Non-convergence is recorded in the result, so scikit-learn's warning about it would say it twice."""

    def __enter__(self):
        from sklearn.exceptions import ConvergenceWarning

        log = super().__enter__()
        warnings.simplefilter("ignore", ConvergenceWarning)
        return log
