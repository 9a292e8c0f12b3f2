"""Support vector machines by a cross-validated grid, scored by the area under the ROC curve (Brown's thesis, V.2.7).

The idea. The grid of the thesis has nine kernels (polynomial of degree 1 to 4, Gaussian with five widths) and six costs C;
with ten folds that is 540 machines. All kernels are functions of the same inner products, so one Gram matrix serves
them all, and each kernel matrix serves every fold and cost. Three further savings leave the answer as it is:

* rows with the same values become one row with a weight (binary data have few different rows);
* when no multiplier sits at its upper bound, a larger C has the same solution and is not solved again;
* folds run in threads; the outcome is the same for any number of them.

With more than `max_rows` different rows the grid is searched on a stratified sample and the result says so.

Names. The polynomial kernel is (x.x' + 1)^degree, scikit-learn's `SVC(kernel="poly", gamma=1, coef0=1)`. The thesis calls the
width of its Gaussian kernel sigma and used LibSVM, where that number is the option -g: exp(-gamma |x - x'|^2). The
setting is therefore called `gaussian_gamma` here, and its values are scikit-learn's gamma.

The smallest example is XOR, which no linear machine can learn and degree 2 learns at once:

>>> X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] * 10)
>>> y = np.where(X[:, 0] * X[:, 1] > 0, -1, 1)
>>> result = search(X, y, Grid(degrees=(1, 2), gaussian_gamma=(), costs=(1.0,)), seed=0)
>>> result.best.kernel.degree, result.best.auc
(2, 1.0)
>>> model = fit(X, y, result.best.kernel, result.best.cost)
>>> bool(np.all(np.sign(model.decision_function(X)) == y))
True

scikit-learn is imported when the first machine is trained, not before.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from himation.errors import UserError

TOLERANCE = 1e-5  # of the optimality conditions; at LibSVM's 1e-3 small costs give irreproducible machines
MAX_ITERATIONS = 100_000  # per machine; a machine that reaches it is used as it stands and counted as unconverged
AUC_TIE = 1e-9  # mean AUCs closer than this are equal, and the simpler setting wins
MINORITY_SHARE = 0.25  # a search sample holds at least this share of the rarer class, if the data have it
PRECOMPUTED_ROWS = 6_000  # up to here a final machine is trained on a kernel matrix held in memory
CHUNK_CELLS = 4_000_000  # kernel values computed at once when predicting


@dataclass(frozen=True)
class Kernel:
    """A kernel by its family and numbers; the fields mean what they mean in scikit-learn."""

    kind: str  # "poly" or "rbf"
    degree: int = 1
    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self):
        if self.kind not in ("poly", "rbf"):
            raise UserError(f"unknown kernel {self.kind!r}: write 'poly' or 'rbf'")

    def __str__(self) -> str:
        return f"polynomial, degree {self.degree}" if self.kind == "poly" else f"Gaussian, gamma {self.gamma:g}"

    def from_products(self, products: np.ndarray, squares: np.ndarray, other_squares: np.ndarray) -> np.ndarray:
        """Kernel values from inner products and the squared lengths of the row and column vectors."""
        if self.kind == "poly":
            values = self.gamma * products
            values += self.coef0
            return values if self.degree == 1 else values**self.degree
        values = products * -2.0
        values += squares[:, None]
        values += other_squares[None, :]
        np.maximum(values, 0.0, out=values)
        values *= -self.gamma
        return np.exp(values, out=values)


@dataclass(frozen=True)
class Grid:
    """The settings to try. The default is the grid of V.2.7."""

    degrees: tuple[int, ...] = (1, 2, 3, 4)
    gaussian_gamma: tuple[float, ...] = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
    costs: tuple[float, ...] = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0)

    def kernels(self) -> list[Kernel]:
        """Simplest first: polynomials by degree, then Gaussians by gamma (smoothest first)."""
        polynomials = [Kernel("poly", degree=degree) for degree in sorted(self.degrees)]
        return polynomials + [Kernel("rbf", gamma=gamma) for gamma in sorted(self.gaussian_gamma)]


@dataclass(frozen=True)
class Setting:
    """One line of the search's table: the mean AUC over the folds and its standard error."""

    kernel: Kernel
    cost: float
    auc: float
    standard_error: float
    fold_aucs: tuple[float, ...]
    unconverged: int  # how many of the folds' machines reached the cap on iterations


@dataclass(frozen=True)
class SearchResult:
    """All settings in order of simplicity, and the best of them: highest mean AUC, then the first in that order."""

    settings: tuple[Setting, ...]
    best: Setting
    n_folds: int
    n_rows: int
    rows_searched: int  # fewer than n_rows where the search used a sample
    class_weight: str | None

    @property
    def subsampled(self) -> bool:
        return self.rows_searched < self.n_rows

    @property
    def unconverged(self) -> int:
        return sum(setting.unconverged for setting in self.settings)


@dataclass(frozen=True)
class Model:
    """A trained machine as plain arrays: f(x) = sum_k dual[k] K(support_vectors[k], x) + intercept."""

    kernel: Kernel
    cost: float
    support_vectors: np.ndarray = field(repr=False)  # or a SciPy sparse matrix, as the training data were
    dual: np.ndarray = field(repr=False)  # signed multipliers, alpha_k = a_k y_k of equation II.5
    intercept: float
    converged: bool

    def decision_function(self, X) -> np.ndarray:
        """Decision values, in blocks of rows so that memory stays bounded."""
        if X.shape[1] != self.support_vectors.shape[1]:
            raise UserError(f"the model has {self.support_vectors.shape[1]} variables, the table {X.shape[1]}")
        squares = _squares(self.support_vectors)
        step = max(1, CHUNK_CELLS // max(1, len(self.dual)))
        values = np.full(X.shape[0], self.intercept)
        for start in range(0, X.shape[0], step):
            block = X[start : start + step]
            products = _products(block, self.support_vectors)
            values[start : start + step] += self.kernel.from_products(products, _squares(block), squares) @ self.dual
        return values

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as arrays for `np.savez`: no pickle needed to write or read it."""
        vectors = self.support_vectors.toarray() if _is_sparse(self.support_vectors) else self.support_vectors
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
    def from_arrays(cls, arrays) -> Model:
        """The reverse of `to_arrays`; takes a dictionary or an open .npz file."""
        degree, gamma, coef0 = arrays["kernel_numbers"]
        kernel = Kernel(str(arrays["kernel_kind"]), int(degree), float(gamma), float(coef0))
        numbers = float(arrays["intercept"]), bool(arrays["converged"])
        return cls(kernel, float(arrays["cost"]), arrays["support_vectors"], arrays["dual"], *numbers)


def auc(y, score, weight=None) -> float:
    """Area under the ROC curve by ranks: the share of (+1, -1) pairs in the right order, ties counting half.

    >>> auc([-1, 1, -1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    positive = np.asarray(y) > 0
    weight = np.ones(len(positive)) if weight is None else np.asarray(weight, dtype=float)
    _, level = np.unique(np.asarray(score, dtype=float), return_inverse=True)
    positives = np.bincount(level, weights=weight * positive)
    negatives = np.bincount(level, weights=weight * ~positive)
    pairs = positives.sum() * negatives.sum()
    if not pairs > 0:
        raise UserError("the AUC needs examples of both classes, +1 and -1")
    below = np.cumsum(negatives) - negatives
    return float(positives @ (below + 0.5 * negatives) / pairs)


def folds_for(n: int) -> int:
    """Number of folds for n examples: 10 up to 1,000, 5 from 5,000, and a straight line (rounded) in between."""
    return round(float(np.interp(n, [1_000, 5_000], [10, 5])))


def stratified_folds(y, n_folds: int, seed: int) -> np.ndarray:
    """A fold number per example; each class is shuffled and dealt out in turn, so folds differ by one at most."""
    y = np.asarray(y)
    rng = np.random.default_rng(seed)
    folds = np.empty(len(y), dtype=np.int64)
    dealt = 0
    for label in (1, -1):
        members = rng.permutation(np.flatnonzero(y == label))
        folds[members] = (np.arange(len(members)) + dealt) % n_folds
        dealt += len(members)
    return folds


def search(
    X,
    y,
    grid: Grid | None = None,
    seed: int = 0,
    n_folds: int | None = None,
    max_rows: int = 2_000,
    threads: int = 1,
    class_weight: str | None = "balanced",
    max_iterations: int = MAX_ITERATIONS,
    progress: Callable[[int, int], None] | None = None,
) -> SearchResult:
    """Cross-validated AUC of every setting of the grid.

    y holds -1 and +1. `class_weight="balanced"` gives both classes the same total cost, None gives each example the same.
    A sample, where one is drawn, is stratified but holds at least a quarter of the rarer class if there is that much.
    """
    from threadpoolctl import threadpool_limits

    grid = grid or Grid()
    y = check_data(X, y)
    unique, owner = merge_rows(X)
    rows = np.arange(len(y)) if len(unique) <= max_rows else _stratified_sample(y, max_rows, seed)
    labels, prior = y[rows], np.ones(2)
    if len(rows) < len(y) and class_weight is None:  # keep the classes' shares as they were
        prior = np.array([np.mean(y == label) / np.mean(labels == label) for label in (1, -1)])
    used, owner = np.unique(owner[rows], return_inverse=True)
    n_folds = min(n_folds or folds_for(len(rows)), int(min((labels == 1).sum(), (labels == -1).sum())))
    folds = stratified_folds(labels, n_folds, seed)
    with threadpool_limits(1, user_api="blas"):
        products = gram(X[unique[used]])
        squares = products.diagonal().copy()
        counts = np.zeros((n_folds, 2, len(used)))  # fold, class (+1 first), different row
        np.add.at(counts, (folds, (labels < 0).astype(int), owner), 1.0)
        kernels, costs = grid.kernels(), sorted(grid.costs)
        options = class_weight, prior, max_iterations
        settings = []
        with ThreadPoolExecutor(max(1, threads)) as pool, _without_convergence_warnings():
            for done, kernel in enumerate(kernels, start=1):
                values = kernel.from_products(products, squares, squares)
                jobs = [pool.submit(_fold_aucs, values, counts, fold, costs, *options) for fold in range(n_folds)]
                outcomes = [job.result() for job in jobs]
                settings += [_setting(kernel, cost, outcomes, i) for i, cost in enumerate(costs)]
                if progress:
                    progress(done, len(kernels))
    top = max(setting.auc for setting in settings)
    best = next(setting for setting in settings if setting.auc >= top - AUC_TIE)
    return SearchResult(tuple(settings), best, n_folds, len(y), len(rows), class_weight)


def fit(
    X, y, kernel: Kernel, cost: float, class_weight: str | None = "balanced", max_iterations: int = MAX_ITERATIONS
) -> Model:
    """Train one machine on all rows; rows with the same values and label are merged into one with a weight."""
    from threadpoolctl import threadpool_limits

    y = check_data(X, y)
    unique, owner = merge_rows(X)
    counts = np.stack([np.bincount(owner[y == label], minlength=len(unique)) for label in (1, -1)]).astype(float)
    label, node = np.nonzero(counts)
    rows, signs = unique[node], np.where(label == 0, 1, -1)
    weights = counts[label, node] * _class_factors(counts.sum(axis=1), class_weight)[label]
    with threadpool_limits(1, user_api="blas"), _without_convergence_warnings():
        if len(unique) <= PRECOMPUTED_ROWS:
            products = gram(X[unique])
            squares = products.diagonal().copy()
            values = kernel.from_products(products, squares, squares)[np.ix_(node, node)]
            solver = _solver("precomputed", cost, max_iterations).fit(values, signs, sample_weight=weights)
        else:
            solver = _solver(kernel.kind, cost, max_iterations, kernel)
            solver.fit(X[rows][:, canonical_columns(X)], signs, sample_weight=weights)
    vectors = X[rows[solver.support_]]
    vectors = vectors if _is_sparse(vectors) else np.ascontiguousarray(vectors, dtype=float)
    return Model(
        kernel, float(cost), vectors, solver.dual_coef_[0], float(solver.intercept_[0]), not solver.fit_status_
    )


def check_data(X, y) -> np.ndarray:
    """The labels as an array of -1 and +1, after checking that a machine can be trained on the data."""
    y = np.asarray(y)
    if y.ndim != 1 or len(y) != X.shape[0]:
        raise UserError(f"the target has {y.size} values and the table {X.shape[0]} rows: give one value per row")
    if not np.isin(y, (-1, 1)).all():
        raise UserError(f"the target must be -1 or +1, found {sorted(set(np.unique(y).tolist()) - {-1, 1})[:3]}")
    for label in (1, -1):
        if (y == label).sum() < 2:
            raise UserError(f"class {label:+d} has {(y == label).sum()} examples: at least 2 are needed")
    values = X.data if _is_sparse(X) else np.asarray(X)
    if not np.isfinite(values).all():
        place = "" if _is_sparse(X) else f" in column {1 + int(np.argwhere(~np.isfinite(values))[0, 1])}"
        raise UserError(f"missing or infinite values{place}: fill them in before training a machine")
    return y.astype(np.int64)


def merge_rows(X) -> tuple[np.ndarray, np.ndarray]:
    """First row of each group of identical rows (in order of appearance), and the group of every row."""
    if _is_sparse(X):
        table = X.tocsr().sorted_indices()
        cuts = zip(table.indptr[:-1], table.indptr[1:], strict=True)
        keys = [table.indices[a:b].tobytes() + table.data[a:b].tobytes() for a, b in cuts]
    else:
        table = np.ascontiguousarray(X, dtype=float) + 0.0  # the sum turns -0.0 into 0.0
        keys = [row.tobytes() for row in table]
    first: dict[bytes, int] = {}
    owner = np.array([first.setdefault(key, len(first)) for key in keys], dtype=np.int64)
    return np.unique(owner, return_index=True)[1], owner


def canonical_columns(X) -> np.ndarray:
    """An order of the columns that depends on their contents only, so that sums round alike for any order given."""
    if _is_sparse(X):
        table = X.tocsc()
        cuts = list(zip(table.indptr[:-1], table.indptr[1:], strict=True))
        keys = [table.indices[a:b].tobytes() + table.data[a:b].tobytes() for a, b in cuts]
    else:
        keys = [column.tobytes() for column in np.ascontiguousarray(X.T, dtype=float)]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def gram(X) -> np.ndarray:
    """All inner products of rows, bit for bit the same for any order of the columns."""
    ordered = X[:, canonical_columns(X)]
    return _products(ordered, ordered)


def _products(A, B) -> np.ndarray:
    if _is_sparse(A) or _is_sparse(B):
        product = A @ B.T
        return np.asarray(product.toarray() if _is_sparse(product) else product, dtype=float)
    A = np.asarray(A, dtype=float)
    return A @ (A if B is A else np.asarray(B, dtype=float)).T


def _squares(X) -> np.ndarray:
    return np.asarray(X.multiply(X).sum(axis=1)).ravel() if _is_sparse(X) else np.einsum("ij,ij->i", X, X)


def _is_sparse(X) -> bool:
    return hasattr(X, "tocsr")


def _stratified_sample(y: np.ndarray, size: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rare = 1 if (y == 1).sum() <= (y == -1).sum() else -1
    n_rare = int((y == rare).sum())
    quota = min(n_rare, max(round(size * n_rare / len(y)), int(size * MINORITY_SHARE)))
    parts = [(rare, quota), (-rare, size - quota)]
    return np.sort(np.concatenate([rng.choice(np.flatnonzero(y == label), n, replace=False) for label, n in parts]))


def _class_factors(totals: np.ndarray, class_weight: str | None) -> np.ndarray:
    if class_weight not in ("balanced", None):
        raise UserError(f"class_weight {class_weight!r}: write 'balanced' or None")
    return np.ones(2) if class_weight is None else totals.sum() / (2.0 * totals)


def _solver(kernel: str, cost: float, max_iterations: int, shape: Kernel | None = None):
    from sklearn.svm import SVC

    numbers = {} if shape is None else {"degree": shape.degree, "gamma": shape.gamma, "coef0": shape.coef0}
    return SVC(C=cost, kernel=kernel, tol=TOLERANCE, max_iter=max_iterations, cache_size=500, **numbers)


def _fold_aucs(values, counts, fold, costs, class_weight, prior, max_iterations) -> list[tuple[float, bool]]:
    """AUC on one fold and convergence for every cost; `counts` is fold x class x different row."""
    training = (counts.sum(axis=0) - counts[fold]) * prior[:, None]
    label, node = np.nonzero(training)
    weights = training[label, node] * _class_factors(training.sum(axis=1), class_weight)[label]
    signs = np.where(label == 0, 1, -1)
    held_out = np.flatnonzero(counts[fold].any(axis=0))
    train_values = values[np.ix_(node, node)]
    test_values = values[np.ix_(held_out, node)]
    test_signs = np.repeat([1, -1], len(held_out))
    outcomes, settled = [], False
    for cost in costs:
        if not settled:
            solver = _solver("precomputed", cost, max_iterations).fit(train_values, signs, sample_weight=weights)
            score = test_values[:, solver.support_] @ solver.dual_coef_[0]
            area = auc(test_signs, np.tile(score, 2), counts[fold][:, held_out].ravel())
            converged = not solver.fit_status_
            bounded = np.abs(solver.dual_coef_[0]) >= cost * weights[solver.support_] * (1 - 1e-9)
            settled = converged and not bounded.any()
        outcomes.append((area, converged))
    return outcomes


def _setting(kernel: Kernel, cost: float, outcomes, index: int) -> Setting:
    aucs = np.array([fold[index][0] for fold in outcomes])
    error = float(aucs.std(ddof=1) / np.sqrt(len(aucs))) if len(aucs) > 1 else float("nan")
    unconverged = sum(not fold[index][1] for fold in outcomes)
    return Setting(kernel, float(cost), float(aucs.mean()), error, tuple(aucs.tolist()), unconverged)


class _without_convergence_warnings(warnings.catch_warnings):
    """Non-convergence is recorded in the result, so scikit-learn's warning about it would say it twice."""

    def __enter__(self):
        from sklearn.exceptions import ConvergenceWarning

        log = super().__enter__()
        warnings.simplefilter("ignore", ConvergenceWarning)
        return log
