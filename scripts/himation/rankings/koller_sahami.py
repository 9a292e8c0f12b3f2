"""Koller and Sahami's Markov blanket filtering with cross entropies computed from the examples.

The expected cross entropy of a variable F given K others M,

    delta(F | M) = sum over values m, f of P(m, f) KL( P(C | m, f) || P(C | m) ),

is the conditional mutual information of F and the class C given M, here in nats and with plain frequencies.
`markov_filter` takes away the variable with the least of it, step by step. A value costs K passes over the examples:
joint values of M are numbered as they occur, so that 2^K cells are never visited, but with a large K nearly every
example has a stratum of its own and all deltas vanish (fragmentation).

One of two copies is redundant given the other, and goes first, before the noise:

>>> rng = np.random.default_rng(0)
>>> cause, noise = rng.integers(0, 2, (2, 400)).astype(np.uint8)
>>> label = (cause ^ (rng.random(400) < 0.1)).astype(np.uint8)
>>> koller_sahami(np.array([noise, cause, cause]), [2, 2, 2], label, 2, k=1).order
(2, 0, 1)
"""

from collections.abc import Callable, Sequence

import numpy as np
from numba import njit

from himation.rankings.markov_filter import Filtered, discrete_correlation, markov_filter

K = 2


def koller_sahami(
    codes: np.ndarray,
    arities: np.ndarray | Sequence[int],
    target: np.ndarray,
    target_arity: int,
    k: int = K,
    correlation: np.ndarray | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Filtered:
    """Rank discrete variables, rows of codes, for a discrete target. ``correlation`` spares computing it anew."""
    codes = np.ascontiguousarray(codes, dtype=np.uint8)
    sizes, target = np.asarray(arities, dtype=np.int64), np.asarray(target, dtype=np.int64)
    if correlation is None:
        correlation = discrete_correlation(codes, sizes)
    relevance = np.array([cross_entropy(codes, sizes, target, target_arity, i, ()) for i in range(len(codes))])

    def delta(variables, sets):
        return _cross_entropies(codes, sizes, target, target_arity, variables, sets)

    return markov_filter(correlation, relevance, k, delta, progress)


def cross_entropy(
    codes: np.ndarray,
    arities: np.ndarray | Sequence[int],
    target: np.ndarray,
    target_arity: int,
    variable: int,
    given: Sequence[int],
) -> float:
    """Delta of one variable given others."""
    sets = np.array([[*given, -1]], dtype=np.int64)
    return float(_cross_entropies(codes, arities, target, target_arity, np.array([variable]), sets)[0])


@njit(cache=True)
def _cross_entropies(codes, arities, target, target_arity, variables, sets):
    found = np.empty(len(variables))
    stratum = np.empty(codes.shape[1], dtype=np.int64)
    for at in range(len(variables)):
        strata = _number_strata(codes, arities, sets[at], stratum)
        found[at] = _information(codes[variables[at]], arities[variables[at]], target, target_arity, stratum, strata)
    return found


@njit(cache=True)
def _number_strata(codes, arities, members, stratum):
    """Number the joint values of some variables as they occur; gives how many there are."""
    n = codes.shape[1]
    stratum[:] = 0
    strata = 1
    for member in members:
        if member < 0:
            continue
        number = np.full(strata * arities[member], -1, dtype=np.int64)
        row, strata = codes[member], 0
        for e in range(n):
            cell = stratum[e] * arities[member] + row[e]
            if number[cell] < 0:
                number[cell] = strata
                strata += 1
            stratum[e] = number[cell]
    return strata


@njit(cache=True)
def _information(row, arity, target, target_arity, stratum, strata):
    """Conditional mutual information of a variable and the target, in nats."""
    n = len(row)
    counts = np.zeros((strata, arity, target_arity), dtype=np.int64)
    for e in range(n):
        counts[stratum[e], row[e], target[e]] += 1
    total = 0.0
    by_class = np.empty(target_arity, dtype=np.int64)
    for s in range(strata):
        by_class[:] = 0
        for v in range(arity):
            for c in range(target_arity):
                by_class[c] += counts[s, v, c]
        size = by_class.sum()
        for v in range(arity):
            own = counts[s, v].sum()
            for c in range(target_arity):
                cell = counts[s, v, c]
                if cell:
                    total += cell * np.log(cell * size / (own * by_class[c]))
    return max(total, 0.0) / n
