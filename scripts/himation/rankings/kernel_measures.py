"""Kernel measures of (conditional) dependence between a target and a set of variables, by low-rank algebra.

With centred Gram matrices G_Y of the target and G_X of the variables in the set, n examples:

    M1 = tr(G_Y (G_X + n epsilon I)^-1)                       Fukumizu, Bach and Jordan 2009
    M2 = tr(T G_Y T),  T = epsilon (G_X + epsilon I)^-1       Zhang, Peters, Janzing and Schoelkopf 2011
    HSIC = tr(G_X G_Y)                                        Gretton et al. 2005

M1 and M2 are equations 3 and 4 of Strobl and Visweswaran (Markov blanket ranking using kernel-based conditional
dependence measures): what the set leaves unexplained of the target, small if the set holds the Markov blanket. HSIC is
what it has in common with the target, large if they depend on each other.

No n x n matrix is ever made. The target is a factor V with G_Y = V V'. A linear kernel is its own factor. A Gaussian
kernel exp(-|x - x'|^2 / (2 sigma^2)) is written with r landmarks (examples found by pivoted incomplete Cholesky) as

    K = L L' + diag(1 - |l_i|^2),   L = K[:, landmarks] R^-T,   R R' = K[landmarks, landmarks],

exact off the landmarks' span in its diagonal (the "fully independent conditional" of Quinonero-Candela and Rasmussen
2005) and exact altogether when every different example is a landmark. With B = (K + ridge I)^-1, applied by Woodbury's
identity, the inverse of the centred matrix is B - B 1 1' B / (1' B 1) on the centred V, so that L need not be centred.
A value costs O(n r^2). Values are shares: M1 times its ridge, and M2, both divided by tr(G_Y), lie between 0 and 1.

>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(300, 2))
>>> y = target_factor(np.sin(X[:, :1]) + 0.1 * rng.normal(size=(300, 1)), "gaussian")
>>> [round(measure(X[:, [j]], y, "m1", "gaussian"), 1) for j in (0, 1)]
[0.1, 1.0]
"""

import numpy as np

from himation.errors import UserError

MEASURES = ("m1", "m2", "hsic")
KERNELS = ("gaussian", "linear")
EPSILON = 1e-3  # of M1; M2 has n times as much, and so the same ridge
PAIRS = 4_000  # of examples, whose median distance is sigma
RESIDUAL = 1e-9  # of the ridge: the largest diagonal that the incomplete Cholesky may leave out
JITTER = 1e-10  # added to the landmarks' kernel matrix, which is singular when a variable less makes two of them alike
TARGET_RESIDUAL = 1e-10  # of n: the trace that the factor of the target's kernel may leave out
TARGET_RANK = 200


def ridge_of(which: str, epsilon: float | None, n: int) -> float:
    """What is added to the Gram matrix's diagonal: n epsilon for M1, epsilon for M2; absent: n/1000 for both."""
    if which not in MEASURES:
        raise UserError(f"unknown measure {which!r}: write m1, m2 or hsic")
    if epsilon is None:
        return n * EPSILON
    if not epsilon > 0:
        raise UserError(f"epsilon is {epsilon}; it must be above 0")
    return n * epsilon if which == "m1" else epsilon


def measure(
    X: np.ndarray, V: np.ndarray, which: str, kernel: str, epsilon: float | None = None, rank: int | None = None
) -> float:
    """The measure of one set of columns with a target factor, as a share of tr(G_Y); ``rank`` None is exact."""
    return ridge_measure(X, V, which, kernel, ridge_of(which, epsilon, len(X)), rank)


def ridge_measure(X: np.ndarray, V: np.ndarray, which: str, kernel: str, ridge: float, rank: int | None) -> float:
    """The same with the ridge itself."""
    n = len(X)
    if not X.shape[1]:
        return 0.0 if which == "hsic" else 1.0
    if kernel == "linear":
        return _linear(X - X.mean(axis=0), V, which, ridge)
    gamma = gamma_of(median_distance(X, *pairs(n)))
    chosen = landmarks(X, gamma, ridge, rank or n)
    C = np.exp(-gamma * squared_distances(X, X[chosen]))
    return landmark_measure(C, C[chosen], V, which, ridge)


def _linear(Z: np.ndarray, V: np.ndarray, which: str, ridge: float) -> float:
    total = np.square(V).sum()
    if which == "hsic":
        return float(np.square(Z.T @ V).sum() / total)
    coefficients = np.linalg.solve(Z.T @ Z + ridge * np.eye(Z.shape[1]), Z.T @ V)
    left = V - Z @ coefficients
    return float((np.vdot(V, left) if which == "m1" else np.square(left).sum()) / total)


# --- the target -------------------------------------------------------------------------------------------------------


def target_factor(Y: np.ndarray, kernel: str = "gaussian") -> np.ndarray:
    """A matrix V with V V' = G_Y, for a target of one or more columns of numbers.

    The Gaussian kernel has sigma = the median distance between examples that differ; few different values have an
    exact factor with a column for each.
    """
    Y = np.asarray(Y, dtype=float).reshape(len(Y), -1)
    if kernel == "linear":
        return Y - Y.mean(axis=0)
    values, where, weights = np.unique(Y, axis=0, return_inverse=True, return_counts=True)
    gamma = gamma_of(median_distance(Y, *pairs(len(Y))))
    factor = _cholesky_rows(values, gamma, TARGET_RESIDUAL * len(Y), min(TARGET_RANK, len(values)), weights)[0]
    V = factor.T[where.ravel()]
    return V - V.mean(axis=0)


# --- Gaussian kernels -------------------------------------------------------------------------------------------------


def pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of examples for the median distance: all of a small table, else a fixed random choice."""
    if n * (n - 1) // 2 <= PAIRS:
        return np.triu_indices(n, 1)
    rng = np.random.default_rng(0)
    first = rng.integers(0, n, PAIRS)
    return first, (first + rng.integers(1, n, PAIRS)) % n


def median_distance(X: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """The median distance of these pairs; that of the pairs which differ where most do not; 1 where none does."""
    return median_root(np.square(X[first] - X[second]).sum(axis=1))


def median_root(squares: np.ndarray) -> float:
    """The square root of the median square, zeros left out where they are the majority."""
    middle = float(np.median(squares)) if len(squares) else 0.0
    if not middle > 0:
        positive = squares[squares > 0]
        middle = float(np.median(positive)) if len(positive) else 1.0
    return float(np.sqrt(middle))


def gamma_of(sigma: float) -> float:
    """The factor of a squared distance in the exponent."""
    return 0.5 / sigma**2


def squared_distances(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Of every row of A from every row of B."""
    found = A @ (-2.0 * B.T)
    found += np.einsum("ij,ij->i", A, A)[:, None]
    found += np.einsum("ij,ij->i", B, B)
    return np.maximum(found, 0.0, out=found)


def landmarks(X: np.ndarray, gamma: float, ridge: float, rank: int) -> np.ndarray:
    """Examples that span the kernel matrix: each is the one that those before it explain least."""
    return _cholesky_rows(X, gamma, None, min(rank, len(X)), tolerance=RESIDUAL * min(ridge, 1.0))[1]


def _cholesky_rows(X, gamma, residual, rank, weights=None, tolerance=JITTER):
    """Factor (rank x n) and pivots of the kernel matrix, until the trace or the largest diagonal is small enough."""
    n = len(X)
    squares = np.einsum("ij,ij->i", X, X)
    factor, left, pivots = np.empty((rank, n)), np.ones(n), []
    for step in range(rank):
        pivot = int(np.argmax(left))
        if left[pivot] <= tolerance or (residual is not None and left @ weights <= residual):
            break
        row = X @ (-2.0 * X[pivot])
        row += squares + squares[pivot]
        np.exp(-gamma * np.maximum(row, 0.0), out=row)
        row -= factor[:step, pivot] @ factor[:step]
        row /= np.sqrt(left[pivot])
        factor[step] = row
        left = np.maximum(left - np.square(row), 0.0)
        left[pivot] = 0.0
        pivots.append(pivot)
    return factor[: len(pivots)], np.array(pivots, dtype=np.int64)


def landmark_measure(C: np.ndarray, W: np.ndarray, V: np.ndarray, which: str, ridge: float) -> float:
    """The measure, as a share, from kernel values of all examples with the landmarks, and of these among themselves."""
    from scipy.linalg import blas, lapack

    W = W.copy()
    W.flat[:: len(W) + 1] += JITTER
    root, _ = lapack.dpotrf(W.T, lower=1, clean=1, overwrite_a=1)
    L = lapack.dtrtri(root, lower=1, overwrite_c=1)[0] @ C.T  # landmarks x examples
    left = np.maximum(1.0 - np.einsum("ij,ij->j", L, L), 0.0)
    total = np.square(V).sum()
    if which == "hsic":
        return float((np.square(L @ V).sum() + left @ np.square(V).sum(axis=1)) / total)
    noise = 1.0 / (ridge + left)
    inner = blas.dsyrk(1.0, (L * np.sqrt(noise)).T, trans=1, lower=1)
    inner.flat[:: len(inner) + 1] += 1.0
    inner, _ = lapack.dpotrf(inner, lower=1, overwrite_a=1)
    U = np.column_stack([V, np.ones(len(V))]) * noise[:, None]
    BU = U - (L.T @ lapack.dpotrs(inner, L @ U, lower=1)[0]) * noise[:, None]
    ones = BU[:, -1]
    BV = BU[:, :-1] - np.outer(ones, BU[:, :-1].sum(axis=0) / ones.sum())
    return float((ridge * np.vdot(V, BV) if which == "m1" else ridge**2 * np.square(BV).sum()) / total)
