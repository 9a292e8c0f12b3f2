"""A linear SVM with a cost chosen on held-out examples: the reference that scales to any table.

The challenge's organisers measured the difficulty of their tasks by linear SVMs on sets of variables that only they
knew. Small tables have the plain model (hinge loss). Large ones have squared hinge loss, with the larger weight for
the rarer class, which needs no kernel matrix: 12,678 examples of 4,932 sparse binary variables take seconds. Tables of
zeros and ones are kept sparse and as they are, others are standardised.

>>> rng = np.random.default_rng(1)
>>> X = rng.normal(size=(400, 5))
>>> y = np.where(X[:, 0] - X[:, 1] + 0.1 * rng.normal(size=400) > 0, 1, -1)
>>> scores = linear_scores(X[:300], y[:300], X[300:], seed=1)
>>> bool(auc(y[300:], scores) > 0.98)
True
"""

import warnings

import numpy as np

from himation.evaluate import auc

COSTS = (0.0003, 0.003, 0.03, 0.3)
HELD_OUT = 0.2
FEW_ROWS = 2000
MAX_ITERATIONS = 200


def linear_scores(X: np.ndarray, y: np.ndarray, X_new: np.ndarray, seed: int = 0, cost: float | None = None):
    """Decision values of the new examples (a row each); the cost is chosen on a held-out fifth unless given."""
    train, new = scaled(X, X_new)
    if cost is None:
        cost = _best_cost(train, y, seed)
    return _fit(train, y, cost).decision_function(new)


def scaled(X: np.ndarray, X_new: np.ndarray):
    """Both tables as a linear model wants them, by the measures of the first."""
    from scipy import sparse

    if X.dtype == np.uint8 or np.array_equal(X, X.astype(bool)):
        return sparse.csr_matrix(X, dtype=np.float64), sparse.csr_matrix(X_new, dtype=np.float64)
    centre, spread = X.mean(axis=0), X.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    return (X - centre) / spread, (X_new - centre) / spread


def _best_cost(X, y: np.ndarray, seed: int) -> float:
    rng = np.random.default_rng(seed)
    held_out = np.zeros(len(y), dtype=bool)
    for sign in (-1, 1):
        rows = np.flatnonzero(y == sign)
        held_out[rng.permutation(rows)[: max(1, round(HELD_OUT * len(rows)))]] = True
    if len(set(y[~held_out].tolist())) < 2:
        return COSTS[1]
    scores = [auc(y[held_out], _fit(X[~held_out], y[~held_out], cost).decision_function(X[held_out])) for cost in COSTS]
    return COSTS[int(np.argmax(scores))]


def _fit(X, y: np.ndarray, cost: float):
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC, LinearSVC

    if X.shape[0] <= FEW_ROWS:
        return SVC(kernel="linear", C=cost).fit(X, y)
    wide = X.shape[1] > X.shape[0] or not isinstance(X, np.ndarray)
    svm = LinearSVC(C=cost, dual=wide, class_weight="balanced", random_state=0, max_iter=MAX_ITERATIONS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return svm.fit(X, y)
