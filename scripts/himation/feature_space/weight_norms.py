"""Squared norms of groups of weights of a polynomial model, without listing the weights (thesis, II.2).

`contributions` is equation II.39: s[l][v] adds up the squared weights of all monomials of degree l that contain
variable v. With G the inner products of the support vectors,

    s[l][v] = C(d, l) sum_jk alpha_j alpha_k ( G_jk^l - (G_jk - x_jv x_kv)^l ),

and expanding the second power makes every term a quadratic form of the column x_v^i with a fixed matrix alpha alpha'
G^(l-i): matrix products over blocks of columns, for dense and sparse tables, in O(d^2 m s^2) at worst and with the
blocks and a few s x s matrices in memory.

Where every column is binary with the same coding, most of those monomials repeat each other and drown the rest.
`square_free_contributions` sums over the different functions only, the products of l different variables. They come
from elementary symmetric polynomials E_l of the products x_jv x_kv, which Newton's identities build from power sums,
and these need only G: with values 0/1 all power sums are G; with -1/+1 the odd ones are G and the even ones m.

>>> SV, alpha = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]), np.array([1.0, -1.0, -1.0, 1.0])
>>> contributions(SV, alpha, degree=2).tolist()  # x1*x2 has the weight 4 sqrt(2), all others have none
[[0.0, 0.0], [32.0, 32.0]]
"""

from math import comb

import numpy as np

from himation.feature_space.monomials import PLUS_MINUS
from himation.gram import gram, is_sparse

CHUNK_CELLS = 16_000_000  # numbers in one block of columns


def contributions(SV, alpha, degree: int) -> np.ndarray:
    """s[l-1][v]: squared norm of the weights of all monomials of degree l containing variable v (II.39)."""
    alpha = np.asarray(alpha, dtype=float)
    powers = [np.outer(alpha, alpha)]
    products = gram(SV) if degree > 1 else None
    for _ in range(1, degree):
        powers.append(powers[-1] * products)
    return _by_blocks(SV, degree, lambda block: _block_contributions(block, alpha, powers))


def square_free_contributions(SV, alpha, degree: int, coding: int, squared_scales) -> np.ndarray:
    """Squared norms over products of l different variables containing v, for columns that are all coded alike.

    `coding` is ZERO_ONE or PLUS_MINUS, and squared_scales[l-1] the squared factor c^2 of a product of l variables.
    """
    alpha = np.asarray(alpha, dtype=float)
    forms, constants = [None], [0.0]
    outer = np.outer(alpha, alpha)
    symmetric = _symmetric_polynomials(gram(SV), SV.shape[1], degree - 1, coding) if degree > 1 else []
    for level in range(2, degree + 1):
        signs = [(-1) ** i for i in range(level)]
        rest = [symmetric[level - 1 - i] for i in range(level)]  # E^{without v} = E_{l-1} - z E_{l-2} + z^2 E_{l-3} ...
        if coding == PLUS_MINUS:  # x^2 = 1: every second term does not depend on the variable
            constants.append(float(np.sum(outer * sum(rest[1::2]))) * -1.0)
            forms.append(outer * sum(rest[0::2]))
        else:
            constants.append(0.0)
            forms.append(outer * sum(sign * term for sign, term in zip(signs, rest, strict=True)))

    def block_of(block):
        first = (alpha @ block) ** 2
        others = [
            quadratic_forms(form, block) + constant for form, constant in zip(forms[1:], constants[1:], strict=True)
        ]
        return np.array([first, *others]) * np.asarray(squared_scales, dtype=float)[:, None]

    return _by_blocks(SV, degree, block_of)


def quadratic_forms(matrix: np.ndarray, columns) -> np.ndarray:
    """x' M x for every column x."""
    if is_sparse(columns):
        return np.asarray(columns.T.multiply(columns.T @ matrix).sum(axis=1)).ravel()
    return np.einsum("ij,ij->j", columns, matrix @ columns)


def _by_blocks(SV, degree: int, block_function) -> np.ndarray:
    table = SV.tocsc() if is_sparse(SV) else np.asarray(SV)
    step = max(1, CHUNK_CELLS // max(1, SV.shape[0]))
    out = np.empty((degree, SV.shape[1]))
    for start in range(0, SV.shape[1], step):
        out[:, start : start + step] = block_function(table[:, start : start + step].astype(float))
    return np.maximum(out, 0.0)


def _block_contributions(block, alpha: np.ndarray, powers: list[np.ndarray]) -> np.ndarray:
    """Rows l = 1..degree of the contributions of some columns; powers[j] is alpha alpha' G^j."""
    degree = len(powers)
    out = np.zeros((degree, block.shape[1]))
    for i in range(1, degree + 1):
        raised = block.power(i) if is_sparse(block) else block**i
        for j in range(degree + 1 - i):
            level = i + j
            form = quadratic_forms(powers[j], raised) if j else (alpha @ raised) ** 2
            out[level - 1] += -((-1) ** i) * comb(degree, level) * comb(level, i) * form
    return out


def _symmetric_polynomials(products: np.ndarray, m: int, highest: int, coding: int) -> list[np.ndarray]:
    """E_0 .. E_highest of the m numbers x_jv x_kv, element by element, by Newton's identities."""
    symmetric = [np.ones_like(products)]
    for j in range(1, highest + 1):
        total = np.zeros_like(products)
        for i in range(1, j + 1):
            power_sum = float(m) if coding == PLUS_MINUS and i % 2 == 0 else products
            total += (-1) ** (i - 1) * symmetric[j - i] * power_sum
        symmetric.append(total / j)
    return symmetric
