"""Products of variables: how they are written, counted, scaled, and which of them say the same.

The polynomial kernel (x.x' + 1)^d is an inner product of features c_q x^q, one for every monomial x^q of degree at
most d, with c_q^2 = d! / (q_0! q_1! ... q_m!), where q_0 = d - q_1 - ... - q_m (equation II.13). A monomial is
written as a tuple of (variable, power), variables counted from 0: x2 * x5^2 is ((1, 1), (4, 2)).

For binary variables several monomials are the same function: with values 0/1 every power of x is x; with values -1/+1
even powers are 1 and odd ones x. The features that coincide can be counted as one in two ways (`merge`):

* "sum": exactly. The kernel is the inner product of the merged features too, with the squares c_q^2 added up, and the
  square of the merged weight is the sum of the squared weights. The sum over all q that reduce to one monomial is a
  coefficient of a power series: d! [t^d] of e^t for the constant, times (e^t - 1) for each 0/1 variable in it, sinh t
  for each -1/+1 variable in it, cosh t for each -1/+1 variable outside, and t^q/q! for other variables.
* "largest": the weight of the heaviest of them, which is what remains when redundant entries are struck from a sorted
  list as in II.4.1. With many -1/+1 columns this ranks an interaction fairly: "sum" multiplies a single variable's
  weight by about the square root of the number of columns, because x1 x2^2 = x1 for each x2.

>>> feature_name(((11, 1), (39, 2)))
'x12*x40^2'
>>> feature_values(np.array([[2.0, 3.0]]), [((0, 1), (1, 2))]).tolist()
[[18.0]]
>>> feature_values(np.array([[2.0, 3.0]]), [((0, 1), (1, 2))], degree=3).round(3).tolist()  # c_q = sqrt(3)
[[31.177]]
"""

from functools import lru_cache
from math import factorial

import numpy as np

from himation.errors import UserError
from himation.gram import is_sparse

Monomial = tuple[tuple[int, int], ...]

REAL, ZERO_ONE, PLUS_MINUS = 0, 1, 2  # how a column is coded
MERGES = ("largest", "sum")
BLOCK_ROWS = 128  # of a block of products: small enough to leave out most of the lower triangle


def binary_coding(X, mask=None) -> np.ndarray:
    """How each column is coded: REAL, ZERO_ONE or PLUS_MINUS. With a mask, only the columns marked count as binary."""
    if is_sparse(X):
        table = X.tocsc()
        other = table.copy()
        other.data = (table.data != 1) & (table.data != 0)
        coding = np.where(np.asarray(other.sum(axis=0)).ravel() > 0, REAL, ZERO_ONE)
    else:
        X = np.asarray(X)
        zero_one = ((X == 0) | (X == 1)).all(axis=0)
        plus_minus = ((X == -1) | (X == 1)).all(axis=0)
        coding = np.where(zero_one, ZERO_ONE, np.where(plus_minus, PLUS_MINUS, REAL))
    if mask is None:
        return coding
    mask = np.asarray(mask, dtype=bool)
    if (wrong := np.flatnonzero(mask & (coding == REAL))).size:
        raise UserError(f"column {wrong[0] + 1} is called binary but has values other than 0/1 or -1/+1")
    return np.where(mask, coding, REAL)


def feature_name(monomial: Monomial, names=None) -> str:
    """A readable name; without names variables are x1, x2, ... by their 1-based columns."""
    words = [(f"x{v + 1}" if names is None else str(names[v]), power) for v, power in monomial]
    return "*".join(word if power == 1 else f"{word}^{power}" for word, power in words) or "1"


def scale(monomial: Monomial, degree: int) -> float:
    """c_q of equation II.13."""
    powers = [power for _, power in monomial]
    square = factorial(degree) / factorial(degree - sum(powers))
    for power in powers:
        square /= factorial(power)
    return float(np.sqrt(square))


def feature_values(X, monomials, degree: int | None = None) -> np.ndarray:
    """The monomials as columns; with the kernel's degree given, multiplied by c_q as in equation III.7."""
    values = np.ones((X.shape[0], len(monomials)))
    for j, monomial in enumerate(monomials):
        for v, power in monomial:
            values[:, j] *= dense_columns(X, [v])[:, 0] ** power
        if degree is not None:
            values[:, j] *= scale(monomial, degree)
    return values


def dense_columns(X, columns) -> np.ndarray:
    """Some columns as a dense array of floats."""
    part = X[:, columns]
    return np.asarray(part.toarray() if is_sparse(part) else part, dtype=float)


def to_monomial(row, padding: int) -> Monomial:
    """From an index row such as (1, 4, 4, padding) to ((1, 1), (4, 2))."""
    variables, powers = np.unique(np.asarray(row)[np.asarray(row) != padding], return_counts=True)
    return tuple(zip(variables.tolist(), powers.tolist(), strict=True))


def all_products(columns: np.ndarray, beta: np.ndarray, size: int, repeat: bool = True):
    """sum_k beta_k x_k^q for every monomial of exactly this degree: sorted index rows, and the sums.

    Without `repeat` only products of different variables are listed.
    """
    k, skip = columns.shape[1], 0 if repeat else 1
    if size == 0:
        return np.empty((1, 0), dtype=np.int64), np.array([beta.sum()])
    if size == 1:
        return np.arange(k)[:, None], columns.T @ beta
    if size == 2:
        first, second = np.triu_indices(k, skip)
        return np.stack([first, second], axis=1), (columns.T @ (beta[:, None] * columns))[first, second]
    parts = [all_products(columns[:, v + skip :], beta * columns[:, v], size - 1, repeat) for v in range(k)]
    rows = [np.column_stack([np.full(len(index), v), index + v + skip]) for v, (index, _) in enumerate(parts)]
    sums = [part for _, part in parts]
    return np.concatenate([np.empty((0, size), dtype=np.int64), *rows]), np.concatenate([np.empty(0), *sums])


def product_blocks(columns, beta, size: int, repeat: bool = True, prefix: tuple[int, ...] = (), start: int = 0):
    """The sums of `all_products` for size >= 2, in blocks (prefix, first, matrix) that bound the memory.

    Entry (i, j) of a matrix belongs to the variables (*prefix, first + i, first + j). Entries below the diagonal, and
    on it without `repeat`, are to be ignored.
    """
    k, skip = columns.shape[1], 0 if repeat else 1
    if size > 2:
        for v in range(start, k):
            yield from product_blocks(columns, beta * columns[:, v], size - 1, repeat, (*prefix, v), v + skip)
        return
    weighted = beta[:, None] * columns[:, start:]
    for first in range(start, k, BLOCK_ROWS):
        yield prefix, first, columns[:, first : first + BLOCK_ROWS].T @ weighted[:, first - start :]


def runs(index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For sorted index rows: the length so far of each run of equal entries, and whether the run ends here."""
    length = np.ones(index.shape, dtype=np.int64)
    last = np.ones(index.shape, dtype=bool)
    for j in range(1, index.shape[1]):
        same = index[:, j] == index[:, j - 1]
        length[:, j] = np.where(same, length[:, j - 1] + 1, 1)
        last[:, j - 1] = ~same
    return length, last


def squared_scales(index: np.ndarray, degree: int) -> np.ndarray:
    """c_q^2 of sorted index rows of one length."""
    length, _ = runs(index)
    return factorial(degree) / factorial(degree - index.shape[1]) / length.prod(axis=1)


def reduce_rows(index: np.ndarray, coding: np.ndarray) -> np.ndarray:
    """Index rows (padded with the number of variables) with the redundant powers of binary variables taken out."""
    padding = len(coding)
    kind = np.append(coding, REAL)[index]
    length, last = runs(index)
    drop = ((kind == ZERO_ONE) & (length > 1)) | ((kind == PLUS_MINUS) & ~(last & (length % 2 == 1)))
    return np.sort(np.where(drop, padding, index), axis=1)


def merged_scales(index: np.ndarray, coding: np.ndarray, degree: int, merge: str) -> np.ndarray:
    """The factor that turns sum_k alpha_k x_k^q into the weight of a reduced, padded index row."""
    kind = np.append(coding, -1)[index]
    length, _ = runs(index)
    denominators = np.where(kind == REAL, length, 1).prod(axis=1)
    table = merged_scale_table(degree, int((coding == PLUS_MINUS).sum()), merge)
    squares = table[tuple((kind == code).sum(axis=1) for code in (REAL, ZERO_ONE, PLUS_MINUS))]
    return np.sqrt(squares / denominators)


@lru_cache(maxsize=64)
def merged_scale_table(degree: int, n_plus_minus: int, merge: str) -> np.ndarray:
    """Merged c_q^2 times the factorials of real powers, by real degree, number of 0/1 and of -1/+1 variables."""
    if merge not in MERGES:
        raise UserError(f"merge {merge!r}: write one of {', '.join(MERGES)}")
    powers = np.arange(degree + 1)
    exponential = np.array([1.0 / factorial(i) for i in powers])
    at_least_one = np.where(powers > 0, exponential, 0.0)
    odd, even = np.where(powers % 2 == 1, exponential, 0.0), np.where(powers % 2 == 0, exponential, 0.0)
    table = np.zeros((degree + 1,) * 3)
    for a in range(degree + 1):
        for b in range(min(degree - a, n_plus_minus) + 1):
            series = [exponential, _power(at_least_one, a, merge), _power(odd, b, merge)]
            product = _power(even, n_plus_minus - b, merge)
            for factor in series:
                product = _multiply(product, factor, merge)
            for real in range(degree + 1 - a - b):
                table[real, a, b] = factorial(degree) * product[degree - real]
    return table


def _multiply(left: np.ndarray, right: np.ndarray, merge: str) -> np.ndarray:
    """Product of truncated power series; for "largest" sums of terms are replaced by their maximum."""
    out = np.zeros(len(left))
    for i, factor in enumerate(left):
        terms = factor * right[: len(right) - i]
        out[i:] = np.maximum(out[i:], terms) if merge == "largest" else out[i:] + terms
    return out


def _power(series: np.ndarray, exponent: int, merge: str) -> np.ndarray:
    out = np.zeros(len(series))
    out[0] = 1.0
    while exponent > 0:
        if exponent % 2:
            out = _multiply(out, series, merge)
        series, exponent = _multiply(series, series, merge), exponent // 2
    return out
