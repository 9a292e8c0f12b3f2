"""BDeu, the Bayesian Dirichlet score with a uniform prior (Buntine 1991; Heckerman, Geiger and Chickering 1995).

The log marginal likelihood of discrete data under a graph is a sum over nodes. With r values of the child, q joint
values of its parents, N_jk the examples with the j-th parent value and the k-th child value, and N' the equivalent
sample size,

    local = sum_j [ lgamma(N'/q) - lgamma(N'/q + N_j) ] + sum_jk [ lgamma(N'/(q r) + N_jk) - lgamma(N'/(q r)) ].

What counts as q. Every joint value of the parents counts, seen or not: q is the product of the declared numbers of
values. A joint value that was never seen adds exactly nothing to the sums, so they may run over the seen ones only; but
to put the number of *seen* joint values for q (as some releases of packages have done when they dropped empty columns
of the table) changes the prior with the data, and the score is no longer the same for equivalent graphs. pgmpy 1.1 has
it right, and the tests compare with it.

Equivalent graphs have equal scores, so A -> B and A <- B tie up to rounding:

>>> codes = np.array([[0, 0], [0, 1], [1, 1], [1, 1], [0, 0]], dtype=np.uint8)
>>> score = BDeu(codes, [2, 2])
>>> forward = score.local(0, ()) + score.local(1, (0,))
>>> backward = score.local(1, ()) + score.local(0, (1,))
>>> abs(forward - backward) < 1e-12
True
"""

import math
from collections.abc import Sequence

import numpy as np
from numba import njit

MAX_DENSE_CELLS = 1 << 20  # larger tables are counted over the joint values that occur


class BDeu:
    """Local BDeu scores of integer-coded data, remembered by (child, parents).

    `codes` is examples x variables with values 0 .. arities[v] - 1. `arities` are the declared numbers of values; a
    value that does not occur in the data still counts.
    """

    def __init__(self, codes: np.ndarray, arities: Sequence[int], equivalent_sample_size: float = 10.0):
        codes = np.asarray(codes)
        self.arities = np.asarray(arities, dtype=np.int64)
        if codes.ndim != 2 or len(self.arities) != codes.shape[1]:
            raise ValueError("BDeu needs a table of codes and one arity for each of its columns")
        if len(codes) and ((codes.max(axis=0) >= self.arities).any() or codes.min() < 0):
            raise ValueError("BDeu: codes must lie between 0 and arity - 1")
        if not equivalent_sample_size > 0:
            raise ValueError("BDeu: the equivalent sample size must be positive")
        smallest = np.uint8 if self.arities.max(initial=0) <= 256 else np.int64
        self._columns = np.ascontiguousarray(codes.T, dtype=smallest)
        self.equivalent_sample_size = float(equivalent_sample_size)
        self._known: dict[tuple[int, frozenset[int]], float] = {}

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self._columns)

    def local(self, child: int, parents: Sequence[int] = ()) -> float:
        """The term of `child` with these `parents`; their order does not matter."""
        key = (child, frozenset(parents))
        if key not in self._known:
            self._known[key] = self._compute(child, np.array(sorted(parents), dtype=np.int64))
        return self._known[key]

    def _compute(self, child: int, parents: np.ndarray) -> float:
        counts, joint_values = self._counts(child, parents)
        of_row = self.equivalent_sample_size / joint_values
        return dirichlet(counts, of_row, of_row / counts.shape[1])

    def _counts(self, child: int, parents: np.ndarray) -> tuple[np.ndarray, int]:
        """Examples by joint value of the parents and value of the child; the joint values there are, seen or not."""
        arity = int(self.arities[child])
        joint_values = math.prod(int(r) for r in self.arities[parents])
        if self.is_dense(joint_values * arity):
            rows, seen = _joint_codes(self._columns, parents, self.arities), joint_values
        else:
            rows, seen = self._seen_joint_values(parents)
        return _count(rows, seen, self._columns[child], arity), joint_values

    def is_dense(self, cells: int) -> bool:
        """Whether a table of so many cells is counted whole."""
        return cells <= MAX_DENSE_CELLS

    def _seen_joint_values(self, parents: np.ndarray) -> tuple[np.ndarray, int]:
        """Numbers 0, 1, ... for the joint values that occur, one parent after the other so that nothing overflows."""
        rows, seen = np.zeros(self._columns.shape[1], dtype=np.int64), 1
        for parent in parents:
            values, rows = np.unique(rows * self.arities[parent] + self._columns[parent], return_inverse=True)
            seen = len(values)
        return rows, seen


@njit(cache=True)
def _joint_codes(columns, parents, arities):
    """Mixed-radix number of the parents' joint value, for every example."""
    rows = np.zeros(columns.shape[1], dtype=np.int64)
    for parent in parents:
        column, arity = columns[parent], arities[parent]
        for i in range(len(rows)):
            rows[i] = rows[i] * arity + column[i]
    return rows


@njit(cache=True)
def _count(rows, n_rows, child, arity):
    """The table (row, child)."""
    counts = np.zeros((n_rows, arity), dtype=np.int64)
    for i in range(len(rows)):
        counts[rows[i], child[i]] += 1
    return counts


@njit(cache=True)
def dirichlet(counts, prior_of_row, prior_of_cell):
    """Log marginal likelihood of a table."""
    n_rows, arity = counts.shape
    empty_row, empty_cell = math.lgamma(prior_of_row), math.lgamma(prior_of_cell)
    total = 0.0
    for j in range(n_rows):
        in_row = 0
        for k in range(arity):
            if counts[j, k]:
                in_row += counts[j, k]
                total += math.lgamma(prior_of_cell + counts[j, k]) - empty_cell
        if in_row:
            total += empty_row - math.lgamma(prior_of_row + in_row)
    return total
