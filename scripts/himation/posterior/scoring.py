"""Scores of parent sets, for a chain over orders (`himation.posterior.orders`), and their sums over subsets.

A variable's parents are scored by the rows in which nobody set it: in the others it follows whoever set it, and what it
goes with there are its effects. Parents that a variable must have (`himation.knowledge`) are in every set that counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
from numba import njit

from himation.knowledge import Constraints
from himation.posterior.groups import Groups, counts_by_group
from himation.posterior.settings import Settings

MOST_CELLS = 4096  # of a table of counts; parent sets with more are left out
_NEVER = -1e300
STEP = 500.0  # of logarithms; two steps apart, the smaller of two numbers is nothing beside the larger
_ONE_STEP, _NO_STEP = math.exp(-STEP), -(1 << 30)
_BITS_AT_ONCE = 12  # so many are summed over in the fastest memory
_WITHOUT = -1e7  # of sets that lack what they must have: far below all others, and small enough to be added up


@dataclass(frozen=True)
class Sampling:
    """How many candidates and parents, how much the likelihood counts, and how long the chains are."""

    candidates: int = 12
    candidates_of_target: int = 18
    added: int = 2  # to those, by what a short chain leaves above the target
    strongest: int = 4  # of the marginal correlations, which are candidates whatever else
    most_parents: int = 4
    most_of_target: int = 6
    temper: float = 0.7
    sample_size: float = 10.0  # equivalent sample size of BDeu
    most_counted: int = 4000  # examples that counts are made of
    sweeps: int = Settings.sweeps
    burn_in: int = Settings.sweeps // 2
    thin: int = 4
    hottest: float = 0.1
    seed: int = 1

    def effective(self, n: int) -> float:
        """As many examples as the likelihood counts for."""
        return self.temper * n

    def pilot(self) -> Sampling:
        """A short chain, to find out where to look."""
        return replace(self, sweeps=100, burn_in=60, thin=4)


@dataclass(frozen=True)
class Evidence:
    """Correlations of all nodes in n examples; ``codes``, nodes by examples, where all are discrete and tables of
    counts replace the linear model. ``groups`` says which rows belong together, if they are not all alike."""

    correlations: np.ndarray
    n: int
    codes: np.ndarray | None = None
    groups: Groups | None = None

    def of(self, i: int) -> tuple[np.ndarray, int]:
        """Correlations by which a node's candidates are found, and of how many rows."""
        if self.groups is None or not self.groups.was_set[i].any():
            return self.correlations, self.n
        return self.groups.correlations(i)

    def of_nodes(
        self, use: Sequence[int], scaled: Callable[[np.ndarray], np.ndarray] = np.asarray, counted: bool = True
    ) -> Evidence:
        """Of some nodes, the target last, with correlations scaled; without ``counted`` by the linear model."""
        place = np.ix_(use, use)
        codes = self.codes[use] if self.codes is not None and counted else None
        groups = self.groups.of_nodes(use, scaled) if self.groups is not None else None
        return Evidence(scaled(self.correlations)[place], self.n, codes, groups)


@dataclass(frozen=True)
class Tables:
    """Of every node: the scores of its parent sets, these as masks of candidates, and sums over the subsets of each
    mask. All nodes lie one behind the other; the two starts say where each begins."""

    scores: np.ndarray
    masks: np.ndarray
    starts: np.ndarray
    sums: np.ndarray
    sum_starts: np.ndarray


def assemble(
    candidates: Sequence[np.ndarray], target: int, sampling: Sampling, known: Constraints | None, score: Callable
) -> Tables:
    """Scores of every node's parent sets, by ``score(node, candidates, sets, sizes)``."""
    scores, masks, sums = [], [], []
    for i, own in enumerate(candidates):
        most = sampling.most_of_target if i == target else sampling.most_parents
        sets, sizes, mask = _subsets(len(own), min(most, len(own)))
        scores.append(score(i, own, sets, sizes))
        if known is not None and known.required[:, i].any():
            needed = sum(1 << k for k, j in enumerate(own) if known.required[j, i])
            scores[-1][(mask & needed) != needed] = _WITHOUT
            least = mask == needed
            scores[-1][least] = np.maximum(scores[-1][least], _WITHOUT / 10)
        masks.append(mask)
        sums.append(_sums_of_subsets(scores[-1], mask, len(own)))
    starts = np.cumsum([0, *map(len, scores)])
    ends = np.cumsum([0, *map(len, sums)])
    return Tables(np.concatenate(scores), np.concatenate(masks), starts, np.concatenate(sums), ends)


@cache
def _subsets(n: int, most: int):
    """All sets of at most so many of n: members padded to a rectangle, sizes, and bit masks."""
    rows = [chosen for k in range(most + 1) for chosen in combinations(range(n), k)]
    sets = np.array([chosen + (0,) * (most - len(chosen)) for chosen in rows], dtype=np.int64).reshape(len(rows), most)
    masks = np.array([sum(1 << j for j in chosen) for chosen in rows], dtype=np.int64)
    return sets, np.array([len(chosen) for chosen in rows], dtype=np.int64), masks


def log_prior(nodes: int, sampling: Sampling) -> np.ndarray:
    """Of sets by size: every size is equally likely, and every set of that size among all other nodes."""
    most = min(max(sampling.most_parents, sampling.most_of_target), nodes - 1)
    return np.array([-math.log(math.comb(nodes - 1, k)) for k in range(most + 1)])


def linear(
    evidence: Evidence,
    candidates: Sequence[np.ndarray],
    target: int,
    sampling: Sampling,
    known: Constraints | None = None,
) -> Tables:
    """Scores by BIC of linear regression."""
    prior, groups = log_prior(len(candidates), sampling), evidence.groups

    def score(i, own, sets, sizes):
        if groups is not None:
            return groups.linear(i, own, sets, sizes, prior, sampling.temper)
        correlations, n = evidence.of(i)
        return _linear_scores(correlations, sampling.effective(n), i, own, sets, sizes, prior)

    return assemble(candidates, target, sampling, known, score)


def counted(
    evidence: Evidence,
    candidates: Sequence[np.ndarray],
    target: int,
    sampling: Sampling,
    known: Constraints | None = None,
) -> Tables:
    """Scores by BDeu."""
    codes = evidence.codes
    assert codes is not None
    values, size = codes.max(axis=1) + 1, sampling.sample_size
    prior, groups = log_prior(len(candidates), sampling), evidence.groups

    def thinned(some):
        every = some[:, :: max(1, -(-some.shape[1] // sampling.most_counted))]
        return np.ascontiguousarray(every, dtype=np.int64), sampling.effective(some.shape[1]) / max(1, every.shape[1])

    if groups is None:
        rows, weight = thinned(codes)
        alike = np.zeros(rows.shape[1], np.int64), np.zeros((len(codes), 1), np.bool_)

    def score(i, own, sets, sizes):
        if groups is None:
            return _counted_scores(rows, values, *alike, weight, size, i, own, sets, sizes, prior)
        of_row, acted = groups.coded(i)
        some, weight_there = thinned(np.vstack([codes[:, groups.rows(i)], of_row]))
        return _counted_scores(some[:-1], values, some[-1], acted, weight_there, size, i, own, sets, sizes, prior)

    return assemble(candidates, target, sampling, known, score)


@njit(cache=True)
def _linear_scores(correlations, n, i, candidates, sets, sizes, prior):
    """BIC of linear regression on every set, from the last pivot of a Cholesky factor."""
    scores = np.empty(len(sets))
    most = sets.shape[1]
    node, factor = np.empty(most + 1, np.int64), np.zeros((most + 1, most + 1))
    for s in range(len(sets)):
        k = sizes[s]
        for a in range(k):
            node[a] = candidates[sets[s, a]]
        node[k] = i
        for a in range(k + 1):
            for b in range(a + 1):
                value = correlations[node[a], node[b]]
                for c in range(b):
                    value -= factor[a, c] * factor[b, c]
                factor[a, b] = math.sqrt(max(value, 1e-6)) if a == b else value / factor[b, b]
        scores[s] = -n * math.log(factor[k, k]) - 0.5 * k * math.log(n) + prior[k]
    return scores


@njit(cache=True)
def _counted_scores(codes, values, groups, acted, weight, sample_size, i, candidates, sets, sizes, prior):
    """BDeu of every set."""
    scores = np.empty(len(sets))
    for s in range(len(sets)):
        k, cells = sizes[s], 1
        for a in range(k):
            cells = min(cells * values[candidates[sets[s, a]]], MOST_CELLS + 1)
        if cells * values[i] > MOST_CELLS:
            scores[s] = _NEVER
            continue
        own = counts_by_group(codes, values, groups, acted, sample_size, i, candidates, sets[s], k)
        scores[s] = weight * own + prior[k]
    return scores


@njit(cache=True)
def _sums_of_subsets(scores, masks, n):
    """For every mask the logarithm of the sum over all sets within it, of which one at least has a score.

    Sums are kept as a number times exp(step * STEP), so that nothing is too small and each takes one addition.
    """
    parts, steps = np.zeros(1 << n), np.full(1 << n, _NO_STEP, np.int32)
    for s in range(len(scores)):
        if scores[s] > _NEVER:
            step = math.floor(scores[s] / STEP)
            parts[masks[s]], steps[masks[s]] = math.exp(scores[s] - STEP * step), step
    block = min(n, _BITS_AT_ONCE)
    for start in range(0, 1 << n, 1 << block):
        for bit in range(block):
            _add_below(parts[start : start + (1 << block)], steps[start : start + (1 << block)], 1 << bit)
    for bit in range(block, n):
        _add_below(parts, steps, 1 << bit)
    for mask in range(1 << n):
        parts[mask] = math.log(parts[mask]) + STEP * steps[mask]
    return parts


@njit(cache=True)
def _add_below(parts, steps, bit):
    """To every mask with the bit add that without it."""
    for start in range(0, len(parts), 2 * bit):
        for low in range(start, start + bit):
            high = low + bit
            ahead = steps[high] - steps[low]
            if ahead == 0:
                parts[high] += parts[low]
            elif ahead == 1:
                parts[high] += parts[low] * _ONE_STEP
            elif ahead < 0:
                parts[high] = parts[low] + (parts[high] * _ONE_STEP if ahead == -1 else 0.0)
                steps[high] = steps[low]
