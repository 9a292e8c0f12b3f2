"""Every setting of a grid of SVMs, trained on many examples: what a search by halving is compared with.

One kernel matrix at a time is in memory and serves all costs. Machines are trained by `himation.svm.solve`, so that
the comparison is one of searches and not of solvers. Where no multiplier of a converged machine is at its bound, larger
costs have the same machine, and it isn't trained again. A machine that reaches the cap on iterations is used as it
stands and counted.

>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(80, 2))
>>> y = np.where(X[:, 0] > 0, 1, -1)
>>> made = list(train_all(X[:40], y[:40], [(Kernel("poly", degree=1), 1.0)], max_iterations=1000))
>>> [(str(trained.kernel), trained.cost, trained.converged) for trained in made]
[('polynomial, degree 1', 1.0, True)]
>>> bool(np.corrcoef(y[40:], made[0].values(X[40:]))[0, 1] > 0.7)
True
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import library_path  # noqa: F401
import numpy as np

from himation.gram import Kernel, merge_rows, squared_lengths
from himation.svm import CLASSES, Solution, quiet_solver, solve, weighted_examples

BLOCK_CELLS = 8_000_000  # kernel values computed at once
AT_BOUND = 1 - 1e-9


@dataclass(frozen=True)
class Trained:
    """One setting's machine, and what it took: seconds on the clock and of the processor."""

    kernel: Kernel
    cost: float
    converged: bool
    seconds: float
    cpu: float
    vectors: np.ndarray = field(repr=False)
    dual: np.ndarray = field(repr=False)
    same_as: float | None = None  # the smaller cost that has the same machine

    def values(self, X) -> np.ndarray:
        """Decision values but for the intercept, which no AUC depends on."""
        values = np.empty(len(X))
        squares = squared_lengths(self.vectors)
        for part in _blocks(len(X), len(self.vectors)):
            values[part] = _kernel_values(self.kernel, X[part], self.vectors, squares) @ self.dual
        return values


def train_all(X, y, settings: list[tuple[Kernel, float]], max_iterations: int) -> Iterator[Trained]:
    """A machine for every setting: kernels in the order given, small costs first."""
    from threadpoolctl import threadpool_limits

    unique, owner = merge_rows(X)
    counts = np.stack([np.bincount(owner[y == label], minlength=len(unique)) for label in CLASSES]).astype(float)
    node, signs, weights = weighted_examples(counts, "balanced")
    rows = X[unique[node]]
    for kernel in dict.fromkeys(kernel for kernel, _ in settings):
        costs = sorted(cost for other, cost in settings if other == kernel)
        with threadpool_limits(1, user_api="blas"), quiet_solver():
            values = centred_kernel(kernel, rows)
            yield from _costs(kernel, costs, values, rows, signs, weights, max_iterations)
        del values


def _costs(kernel, costs, values, rows, signs, weights, max_iterations) -> Iterator[Trained]:
    settled: Trained | None = None
    for cost in costs:
        if settled is not None:
            yield Trained(kernel, cost, True, 0.0, 0.0, settled.vectors, settled.dual, settled.cost)
            continue
        start, cpu = time.perf_counter(), time.process_time()
        found = solve(values, signs, weights, cost, max_iterations)
        spent = time.perf_counter() - start, time.process_time() - cpu
        trained = Trained(kernel, cost, found.converged, *spent, rows[found.support], found.dual)
        if found.converged and not _bounded(found, weights, cost):
            settled = trained
        yield trained


def _bounded(found: Solution, weights, cost: float) -> bool:
    return bool((np.abs(found.dual) >= AT_BOUND * cost * weights[found.support]).any())


def centred_kernel(kernel: Kernel, X) -> np.ndarray:
    """As `himation.svm.centred`, made block by block: 16,000 examples need 2 GB and no more."""
    n, squares = len(X), squared_lengths(X)
    values = np.empty((n, n))
    for part in _blocks(n, n):
        values[part] = _kernel_values(kernel, X[part], X, squares)
    means = values.mean(axis=0)
    for part in _blocks(n, n):
        block = values[part]
        block -= means[None, :]
        block -= means[part, None]
        block += means.mean()
        block[:] = block.astype(np.float32)
    return values


def _kernel_values(kernel: Kernel, A, B, squares) -> np.ndarray:
    return kernel.from_products(A @ B.T, squared_lengths(A), squares)


def _blocks(n: int, width: int) -> list[slice]:
    step = max(1, BLOCK_CELLS // max(1, width))
    return [slice(start, start + step) for start in range(0, n, step)]
