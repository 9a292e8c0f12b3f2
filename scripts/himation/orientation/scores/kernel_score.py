"""The kernel generalised variance as a score: structure of continuous, discrete and mixed data alike.

From the paper (Bach and Jordan 2002, Learning graphical models with Mercer kernels). Every variable is mapped by a
kernel of its own into a feature space, and the images are treated as jointly Gaussian. With centred Gram matrices K_i
of n examples, and the covariance smoothed by kappa, the correlation matrix C has identity blocks on its diagonal and

    R_i R_j,   R_i = (K_i + n kappa/2 I)^-1 K_i,

off it; -1/2 log det C, over the variables of a set, estimates their mutual information. The score of a graph is n times
the information that the graph's families account for, less half a log n for each parameter: a sum of local terms

    local = -n/2 log( det C_{child, parents} / (det C_parents det C_child) ) - d_child d_parents / 2 log n,

where d is the dimension of a variable's feature space, and d_parents adds up those of the parents. Kernels: Gaussian,
exp(-(x - y)^2 / (2 sigma^2)), for a standardised continuous variable, and the trivial kernel (1 if equal, else 0) for a
discrete one. Gram matrices are factored by pivoted incomplete Cholesky, which makes everything linear in n. The thesis
(V.2.4) used kappa = 0.01 and sigma = 1.

Ours:
- d is ``smooth``, sum of lambda / (lambda + n kappa/2) over the eigenvalues of K. The number of eigenvalues that a
  factorisation happens to keep depends on its tolerance, and with it the penalty. Effective dimensions are the traces
  of the R_i; the penalty of an edge is then the same in both directions, and equivalent graphs keep equal scores.
  ``counted``, beside it, is the number of eigenvalues above n kappa/2, those that the smoothing leaves.
- In the eigenbasis K_i = U_i L_i U_i', R_i is diagonal, D_i = L_i / (L_i + n kappa/2), and the determinant of C shrinks
  to that of a small matrix with identity blocks on, and D_i U_i' U_j D_j off, the diagonal. A block, the product of
  two sets of scaled features U_i D_i, is computed when it is first asked for, as a skeleton asks for few; a local score
  is then one Cholesky factorisation of some tens of rows: with the child last, its own diagonal gives the ratio of
  determinants.
- The factorisation works on distinct values, in increasing order and from the one nearest to the mean, so that neither
  the order of the examples nor that of the columns matters. A discrete variable needs none: its indicators are exact.

>>> rng = np.random.default_rng(0)
>>> x, y = rng.normal(size=300), rng.normal(size=300)
>>> z = x**2 + 0.1 * rng.normal(size=300)
>>> score = KernelFactors([x, y, z], [False, False, False]).score()
>>> score.local(2, (0,)) > 0 > score.local(2, (1,))
True
"""

from collections.abc import Sequence

import numpy as np

KAPPA = 0.01
SIGMA = 1.0
DIMENSIONS = ("smooth", "counted")
RESIDUAL = 1e-4  # of n kappa/2: the largest trace that the factorisation of a Gram matrix may leave out
NEGLIGIBLE = 1e-4  # features with a smaller lambda / (lambda + n kappa/2) are dropped
MAX_RANK = 200  # reached only by kernels far narrower than the data (sigma below about 0.05)
ROUNDING = 1e-14  # a remaining diagonal (of 1) that is no longer more than rounding error


class FeatureScore:
    """Local scores of variables that stand for groups of Gaussian features, remembered by (child, parents).

    `features` holds for each variable a matrix, one row per feature and one column per example, whose rows are centred,
    mutually orthogonal, and of length 1 at most; `dimensions` the number of parameters that each variable counts for.
    """

    def __init__(self, features: Sequence[np.ndarray], dimensions: Sequence[float]):
        self.n_examples = features[0].shape[1] if len(features) else 0
        self.dimensions = np.asarray(dimensions, dtype=float)
        self._features = list(features)
        self._blocks: dict[tuple[int, int], np.ndarray] = {}
        self._known: dict[tuple[int, frozenset[int]], float] = {}

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self._features)

    def local(self, child: int, parents: Sequence[int] = ()) -> float:
        """The term of `child` with these `parents`, whose order does not matter; 0 without any."""
        key = (child, frozenset(parents))
        if key not in self._known:
            self._known[key] = self._compute(child, sorted(parents))
        return self._known[key]

    def _compute(self, child: int, parents: list[int]) -> float:
        if not parents:
            return 0.0
        penalty = self.dimensions[child] * self.dimensions[parents].sum() / 2 * np.log(self.n_examples)
        return float(self.n_examples * self.information(child, parents) - penalty)

    def information(self, child: int, parents: Sequence[int]) -> float:
        """Mutual information, in nats, of `child` and all `parents` together."""
        members = [v for v in (*parents, child) if len(self._features[v])]
        own = len(self._features[child])
        if not own or len(members) < 2:
            return 0.0
        ends = np.cumsum([0, *(len(self._features[v]) for v in members)])
        correlation = np.eye(ends[-1])
        for i, a in enumerate(members):
            for j in range(i):  # the lower triangle is all that is read
                correlation[ends[i] : ends[i + 1], ends[j] : ends[j + 1]] = self._block(a, members[j])
        root = np.linalg.cholesky(correlation)
        return float(-np.log(np.diagonal(root)[-own:]).sum())

    def _block(self, a: int, b: int) -> np.ndarray:
        """D_a U_a' U_b D_b, computed when it is first asked for: a skeleton needs few of all pairs."""
        if a < b:
            return self._block(b, a).T
        if (a, b) not in self._blocks:
            self._blocks[a, b] = self._features[a] @ self._features[b].T
        return self._blocks[a, b]


class KernelFactors:
    """Factors of the variables' Gram matrices, from which scores on any choice of the examples are made.

    `columns` are the variables, one array of n values each; `discrete` says for which of them only equality matters.
    A constant variable has no features and scores 0 with any parents.

    A score on a resample of the examples would factor the same Gram matrices again; their rows do as well, and leave
    only the small eigenproblems and one product to compute. What was standardised by all examples stays so.
    """

    def __init__(
        self,
        columns: Sequence[np.ndarray],
        discrete: Sequence[bool],
        kappa: float = KAPPA,
        sigma: float = SIGMA,
        dimension: str = DIMENSIONS[0],
    ):
        if len(columns) != len(discrete):
            raise ValueError("the kernel score needs one entry of `discrete` for each column")
        if not (kappa > 0 and sigma > 0):
            raise ValueError("kernel score: kappa and sigma must be positive")
        if dimension not in DIMENSIONS:
            raise ValueError(f"kernel score: the dimension is {' or '.join(DIMENSIONS)}, not {dimension!r}")
        self.kappa, self.dimension = kappa, dimension
        self.factors = []
        for v, (column, is_discrete) in enumerate(zip(columns, discrete, strict=True)):
            residual = RESIDUAL * len(column) * kappa / 2
            self.factors.append(indicators(column) if is_discrete else _gaussian_factor(column, sigma, residual, v))

    def features(self, rows: np.ndarray | None) -> tuple[list[np.ndarray], list[float]]:
        """Scaled features of every variable on these examples (None for all), and effective dimensions."""
        features, dimensions = [], []
        for factor in self.factors:
            chosen = factor if rows is None else factor[:, rows]
            feature, shrinkage = scaled_features(chosen, chosen.shape[1] * self.kappa / 2)
            features.append(feature)
            is_counted = self.dimension == "counted"  # lambda / (lambda + ridge) above a half: lambda above the ridge
            dimensions.append(float((shrinkage > 0.5).sum() if is_counted else shrinkage.sum()))
        return features, dimensions

    def score(self, rows: np.ndarray | None = None) -> FeatureScore:
        """The kernel score on these examples."""
        return FeatureScore(*self.features(rows))


# --- features of one variable: matrices with one row per feature and one column per example ---------------------------


def indicators(column: np.ndarray) -> np.ndarray:
    """A factor of the trivial kernel's Gram matrix: one row per value."""
    values, code = np.unique(column, return_inverse=True)
    return (np.arange(len(values))[:, None] == code).astype(float)


def check_finite(column: np.ndarray, v: int) -> None:
    """Refuse a continuous column with missing or infinite values."""
    if not np.isfinite(column).all():
        raise ValueError(f"column {v} has values that are missing or not finite")


def _gaussian_factor(column: np.ndarray, sigma: float, residual: float, v: int) -> np.ndarray:
    """A factor of the Gaussian kernel's Gram matrix of the standardised column, short of a trace of `residual`."""
    column = np.asarray(column, dtype=float)
    check_finite(column, v)
    values, where, weights = np.unique(column, return_inverse=True, return_counts=True)
    spread = column.std()
    if len(values) < 2 or not spread > 0:
        return np.ones((1, len(column)))
    return _incomplete_cholesky((values - column.mean()) / (spread * sigma), weights, residual)[:, where]


def _incomplete_cholesky(values: np.ndarray, weights: np.ndarray, residual: float) -> np.ndarray:
    """Columns g with g_a . g_b ~ exp(-(a - b)^2 / 2), pivoting on the largest remaining diagonal."""
    max_rank = min(MAX_RANK, len(values))
    factor = np.empty((max_rank, len(values)))
    left = np.ones(len(values))
    pivot = np.argmin(np.abs(values))
    for rank in range(max_rank):
        row = np.exp(-0.5 * np.square(values - values[pivot]))
        row -= factor[:rank, pivot] @ factor[:rank]
        row /= np.sqrt(left[pivot])
        factor[rank] = row
        left = np.maximum(left - np.square(row), 0.0)
        pivot = np.argmax(left)
        if left @ weights <= residual or left[pivot] <= ROUNDING:
            return factor[: rank + 1]
    return factor


def scaled_features(factor: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """(U D)' and the diagonal of D, of the centred Gram matrix that `factor` spans, without the negligible part."""
    factor = factor - factor.mean(axis=1, keepdims=True)
    eigenvalues, basis = np.linalg.eigh(factor @ factor.T)
    shrinkage = eigenvalues / (eigenvalues + ridge)
    keep = shrinkage > NEGLIGIBLE
    eigenvalues, shrinkage = eigenvalues[keep], shrinkage[keep]
    return (basis[:, keep] * (shrinkage / np.sqrt(eigenvalues))).T @ factor, shrinkage
