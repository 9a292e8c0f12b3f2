"""Inner products of examples, the kernels made from them, and rows that occur more than once.

Everything a support vector machine needs to know of its data is the matrix of inner products x.x' of the rows.
Polynomial and Gaussian kernels are functions of it, and rows with the same values share a row of it. Tables may be
numpy arrays or SciPy sparse matrices.

>>> X = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 1.0]])
>>> first, owner = merge_rows(X)
>>> first.tolist(), owner.tolist()
([0, 1], [0, 1, 0])
>>> Kernel("poly", degree=2).matrix(X[first]).tolist()
[[4.0, 1.0], [1.0, 25.0]]
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from himation.errors import UserError

Matrix = Any  # examples by variables: an array, or a sparse matrix of SciPy


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

    def matrix(self, X: Matrix) -> np.ndarray:
        """Kernel values of all pairs of rows."""
        products = gram(X)
        squares = products.diagonal().copy()
        return self.from_products(products, squares, squares)

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


def merge_rows(X: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """First row of each group of identical rows (in order of appearance), and the group of every row."""
    first: dict[bytes, int] = {}
    owner = np.array([first.setdefault(key, len(first)) for key in _row_keys(X)], dtype=np.int64)
    return np.unique(owner, return_index=True)[1], owner


def canonical_columns(X: Matrix) -> np.ndarray:
    """An order of the columns that depends on their contents only, so that sums round alike for any order given."""
    keys = _row_keys(X.T)
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def _row_keys(X) -> list[bytes]:
    """A string of bytes for each row, equal for equal rows: places and values of what is not zero."""
    if not is_sparse(X):
        table = np.ascontiguousarray(X, dtype=float)
        if table.all():  # all places are the same
            return [row.tobytes() for row in table]
        places = [np.flatnonzero(row) for row in table]
        return [place.tobytes() + row[place].tobytes() for place, row in zip(places, table, strict=True)]
    table = X.tocsr(copy=True)
    table.sum_duplicates()
    table.eliminate_zeros()
    places, values = table.indices.astype(np.int64), table.data.astype(float)
    cuts = zip(table.indptr[:-1], table.indptr[1:], strict=True)
    return [places[a:b].tobytes() + values[a:b].tobytes() for a, b in cuts]


def gram(X: Matrix) -> np.ndarray:
    """All inner products of rows, bit for bit the same for any order of the columns."""
    ordered = X[:, canonical_columns(X)]
    return inner_products(ordered, ordered)


def inner_products(A: Matrix, B: Matrix) -> np.ndarray:
    """Every row of A with every row of B, as a dense matrix of floats."""
    left = as_float(A)
    right = left if B is A else as_float(B)
    product = left @ right.T
    return product.toarray() if is_sparse(product) else product


def squared_lengths(X: Matrix) -> np.ndarray:
    """The inner product of each row with itself."""
    X = as_float(X)
    return np.asarray(X.multiply(X).sum(axis=1)).ravel() if is_sparse(X) else np.einsum("ij,ij->i", X, X)


def as_float(X: Matrix) -> Matrix:
    """The table with floats in it: sums of small integer types overflow."""
    return X.astype(float) if is_sparse(X) else np.asarray(X, dtype=float)


def is_sparse(X: Matrix) -> bool:
    """Whether the table is a SciPy sparse matrix (without importing SciPy)."""
    return hasattr(X, "tocsr")
