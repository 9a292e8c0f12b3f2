"""Directed graphs drawn from their posterior by a Markov chain over causal orders.

The idea (Friedman and Koller 2003). Given an order of the variables, in which causes come before effects, the parents
of each can be chosen independently of the others: the posterior of the order is a product of sums over parent sets.
A chain that moves through orders therefore mixes where one that moves through graphs gets stuck, and it weighs all
graphs in place of following one. A greedy search has to decide; here what the sample leaves open stays open, and a
weak cause beside strong effects is not lost to a test.

How it is made fast (as in Kuipers, Suter and Moffa 2022). Each variable may have parents among a few candidates only
(`candidate_parents`), the target among so many that its whole surroundings are there. All sets of at most
``most_parents`` of them (``most_of_target`` for the target) are scored once; summed over subsets they give, for every
mask of candidates that precede the variable, the logarithm of its sum in one look-up. A step takes one variable out of
the order and puts it back at a place drawn from the exact conditional distribution of its place. A chain begins at a
random order and is cooled down from a flat posterior; graphs are then drawn given the orders passed.

A posterior is right if the model is, and ours (linear and normal, or tables of counts) never is quite. The likelihood
counts as that of ``temper`` as many examples as there are, and never of more than ``most_effective``. Squares and
products beside the linear terms, or a logistic model of a binary target, made it worse on simulated problems: they tell
directions by the shape of a mechanism, and what is a little wrong about the shape then passes for a direction.

>>> rng = np.random.default_rng(1)
>>> a, b = rng.normal(size=(2, 400))
>>> c = a + b + 0.5 * rng.normal(size=400)
>>> d = c + 0.5 * rng.normal(size=400)
>>> graphs = sample_graphs(correlation_matrix(np.column_stack([a, b, c, d])), 400, 2).graphs
>>> graphs[:, 0, 2].mean() > 0.8, graphs[:, 2, 3].mean() > 0.9, graphs[:, 3, 2].mean() < 0.1
(np.True_, np.True_, np.True_)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
from numba import njit

from himation.graphs import descendants
from himation.posterior.settings import Settings

MOST_CELLS = 4096  # of a table of counts; parent sets with more are left out
COLLINEAR = 0.02  # of its variance must be left in a variable before it can add to what others say
DIGITS = 6  # beyond these the order of the columns shows
_NEVER = -1e300


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
    most_effective: float = 2000.0
    sample_size: float = 10.0  # equivalent sample size of BDeu
    most_counted: int = 4000  # examples that counts are made of
    sweeps: int = Settings.sweeps
    burn_in: int = Settings.sweeps // 2
    thin: int = 4
    hottest: float = 0.1
    seed: int = 1

    def effective(self, n: int) -> float:
        """As many examples as the likelihood counts for."""
        return min(self.temper * n, self.most_effective)

    def pilot(self) -> Sampling:
        """A short chain, to find out where to look."""
        return replace(self, sweeps=100, burn_in=60, thin=4)


@dataclass(frozen=True)
class Draws:
    """Graphs by node by node, True from cause to effect, and the log posterior of the order that each was drawn from,
    up to a constant."""

    graphs: np.ndarray
    log_posterior: np.ndarray


def sample_graphs(
    correlations: np.ndarray,
    n: int,
    target: int,
    codes: np.ndarray | None = None,
    sampling: Sampling | None = None,
) -> Draws:
    """Draw graphs given the correlations of all nodes in n examples. ``codes``, nodes by examples, are given where all
    nodes are discrete and replace the linear model by tables of counts."""
    sampling = sampling or Sampling()
    candidates = candidate_parents(correlations, target, sampling)
    if len(candidates[target]) < len(correlations) - 1:
        short = sampling.pilot()
        few = candidate_parents(correlations, target, replace(sampling, candidates_of_target=sampling.candidates))
        tried = _run(few, _linear(correlations, n, few, target, short), short).graphs
        added = would_add(correlations, target, tried)
        added = added[~np.isin(added, candidates[target])][: sampling.added]
        candidates[target] = np.sort([*candidates[target], *added])
    if codes is None:
        tables = _linear(correlations, n, candidates, target, sampling)
    else:
        tables = _counted(codes, candidates, target, sampling)
    return _run(candidates, tables, sampling)


def correlation_matrix(columns: np.ndarray) -> np.ndarray:
    """Of the columns, rounded so that the order in which rows are summed does not show."""
    centred = columns - columns.mean(axis=0)
    scaled = centred / np.maximum(centred.std(axis=0), 1e-12)
    return np.round(scaled.T @ scaled / len(scaled), DIGITS)


def candidate_parents(correlations: np.ndarray, target: int, sampling: Sampling) -> list[np.ndarray]:
    """For every node those that regression takes in first, that take it in first, and that it goes with most."""
    size = [sampling.candidates_of_target if i == target else sampling.candidates for i in range(len(correlations))]
    taken = [{j: k for k, j in enumerate(forward(correlations, i, size[i]))} for i in range(len(correlations))]
    found = []
    for i, strength in enumerate(np.abs(correlations)):
        rank = dict(taken[i])
        for j, others in enumerate(taken):
            if i in others:
                rank[j] = min(rank.get(j, others[i]), others[i])
        alike = [int(j) for j in np.argsort(-strength, kind="stable") if j != i]
        for k, j in enumerate(alike[: sampling.strongest]):
            rank[j] = min(rank.get(j, k), k)
        best = sorted(rank, key=lambda j: (rank[j], -strength[j], j))[: size[i]]
        found.append(np.array(sorted(best), dtype=np.int64))
    return found


def would_add(correlations: np.ndarray, target: int, graphs: np.ndarray) -> np.ndarray:
    """All nodes but the target, those first that would add most to its parents in these graphs. What graphs have below
    the target can't, so that strong effects don't crowd out a weak cause."""
    gain = np.zeros(len(correlations))
    for graph in graphs:
        parents = np.flatnonzero(graph[:, target])
        free = np.ones(len(graph), dtype=bool)
        free[[target, *parents, *descendants(graph, target)]] = False
        within = correlations[np.ix_(parents, parents)] + COLLINEAR * np.eye(len(parents))
        weights = np.linalg.solve(within, correlations[parents])  # of every node on the parents
        left = correlations - correlations[:, parents] @ weights
        own = left.diagonal()
        share = left[target] ** 2 / np.maximum(own, COLLINEAR) / max(left[target, target], COLLINEAR)
        gain[free] -= np.log1p(-np.minimum(share[free], 1 - COLLINEAR)) / len(graphs)
    order = np.argsort(-np.round(gain, DIGITS), kind="stable")
    return order[order != target]


def forward(correlations: np.ndarray, i: int, most: int) -> list[int]:
    """Forward selection of regressors: each time the one that explains most of what is left."""
    left, chosen = correlations.copy(), []
    for _ in range(min(most, len(correlations) - 1)):
        own = left.diagonal()
        gain = np.where(own > COLLINEAR, left[i] ** 2 / np.maximum(own, COLLINEAR), -1.0)
        gain[[i, *chosen]] = -1.0
        best = int(np.argmax(np.round(gain, DIGITS)))
        if gain[best] <= 0:
            break
        chosen.append(best)
        left = left - np.outer(left[:, best], left[best]) / left[best, best]
    return chosen


@dataclass(frozen=True)
class _Tables:
    """Of every node: the scores of its parent sets, these as masks of candidates, and sums over the subsets of each
    mask. All nodes lie one behind the other; the two starts say where each begins."""

    scores: np.ndarray
    masks: np.ndarray
    starts: np.ndarray
    sums: np.ndarray
    sum_starts: np.ndarray


def _assemble(candidates, target: int, sampling: Sampling, score) -> _Tables:
    scores, masks, sums = [], [], []
    for i, own in enumerate(candidates):
        most = sampling.most_of_target if i == target else sampling.most_parents
        sets, sizes, mask = _subsets(len(own), min(most, len(own)))
        scores.append(score(i, own, sets, sizes))
        masks.append(mask)
        sums.append(_sums_of_subsets(scores[-1], mask, len(own)))
    starts = np.cumsum([0, *map(len, scores)])
    return _Tables(*map(np.concatenate, (scores, masks)), starts, np.concatenate(sums), np.cumsum([0, *map(len, sums)]))


@cache
def _subsets(n: int, most: int):
    """All sets of at most so many of n: members padded to a rectangle, sizes, and bit masks."""
    rows = [chosen for k in range(most + 1) for chosen in combinations(range(n), k)]
    sets = np.array([chosen + (0,) * (most - len(chosen)) for chosen in rows], dtype=np.int64).reshape(len(rows), most)
    masks = np.array([sum(1 << j for j in chosen) for chosen in rows], dtype=np.int64)
    return sets, np.array([len(chosen) for chosen in rows], dtype=np.int64), masks


def _log_prior(nodes: int, sampling: Sampling) -> np.ndarray:
    """Of sets by size: every size is equally likely, and every set of that size among all other nodes."""
    most = min(max(sampling.most_parents, sampling.most_of_target), nodes - 1)
    return np.array([-math.log(math.comb(nodes - 1, k)) for k in range(most + 1)])


def _linear(correlations, n: int, candidates, target: int, sampling: Sampling) -> _Tables:
    effective = sampling.effective(n)
    prior = _log_prior(len(candidates), sampling)

    def score(i, own, sets, sizes):
        return _linear_scores(correlations, effective, i, own, sets, sizes, prior)

    return _assemble(candidates, target, sampling, score)


def _counted(codes, candidates, target: int, sampling: Sampling) -> _Tables:
    n = codes.shape[1]
    codes = np.ascontiguousarray(codes[:, :: max(1, -(-n // sampling.most_counted))], dtype=np.int64)
    weight = sampling.effective(n) / codes.shape[1]
    values = codes.max(axis=1) + 1
    prior = _log_prior(len(candidates), sampling)

    def score(i, own, sets, sizes):
        return _counted_scores(codes, values, weight, sampling.sample_size, i, own, sets, sizes, prior)

    return _assemble(candidates, target, sampling, score)


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
def _counted_scores(codes, values, weight, sample_size, i, candidates, sets, sizes, prior):
    """BDeu of every set."""
    scores = np.empty(len(sets))
    n, own = codes.shape[1], values[i]
    for s in range(len(sets)):
        k, cells = sizes[s], 1
        for a in range(k):
            cells = min(cells * values[candidates[sets[s, a]]], MOST_CELLS + 1)
        if cells * own > MOST_CELLS:
            scores[s] = _NEVER
            continue
        counts = np.zeros((cells, own))
        for row in range(n):
            cell = 0
            for a in range(k):
                parent = candidates[sets[s, a]]
                cell = cell * values[parent] + codes[parent, row]
            counts[cell, codes[i, row]] += 1
        one, all_of_them = sample_size / (cells * own), sample_size / cells
        total = 0.0
        for cell in range(cells):
            here = 0.0
            for value in range(own):
                if counts[cell, value] > 0:
                    total += math.lgamma(counts[cell, value] + one) - math.lgamma(one)
                    here += counts[cell, value]
            if here > 0:
                total -= math.lgamma(here + all_of_them) - math.lgamma(all_of_them)
        scores[s] = weight * total + prior[k]
    return scores


@njit(cache=True)
def _sums_of_subsets(scores, masks, n):
    """For every mask the logarithm of the sum over all sets within it."""
    sums = np.full(1 << n, _NEVER)
    for s in range(len(scores)):
        sums[masks[s]] = scores[s]
    for bit in range(n):
        for mask in range(1 << n):
            if mask >> bit & 1:
                high, low = sums[mask], sums[mask ^ (1 << bit)]
                if low > high:
                    high, low = low, high
                sums[mask] = high + math.log1p(math.exp(low - high)) if high - low < 40.0 else high
    return sums


def _run(candidates: Sequence[np.ndarray], tables: _Tables, sampling: Sampling) -> Draws:
    nodes = len(candidates)
    place = np.full((nodes, nodes), -1, dtype=np.int64)  # of a candidate in the mask of a node
    for i, own in enumerate(candidates):
        place[i, own] = np.arange(len(own))
    kept = len(range(sampling.burn_in, sampling.sweeps, sampling.thin))
    graphs, scores = np.zeros((kept, nodes, nodes), dtype=np.bool_), np.zeros(kept)
    schedule = (sampling.sweeps, sampling.burn_in, sampling.thin, sampling.hottest)
    flat = (tables.scores, tables.masks, tables.starts, tables.sums, tables.sum_starts)
    _chain(*flat, place, schedule, sampling.seed, graphs, scores)
    return Draws(graphs, scores)


@njit(cache=True)
def _chain(scores, masks, starts, sums, sum_starts, place, schedule, seed, graphs, log_posterior):
    """One chain; a graph is written for every order that is kept."""
    sweeps, burn_in, thin, hottest = schedule
    np.random.seed(seed)
    nodes = len(place)
    order = np.random.permutation(nodes)
    before = np.zeros(nodes, np.int64)  # mask of the candidates that precede each node
    for k in range(nodes):
        for j in order[:k]:
            if place[order[k], j] >= 0:
                before[order[k]] |= 1 << place[order[k], j]
    rest, logs, kept = np.empty(nodes, np.int64), np.empty(nodes), 0
    for sweep in range(sweeps):
        heat = min(1.0, hottest + (1 - hottest) * 2 * sweep / max(burn_in, 1))
        for _ in range(nodes):
            x = np.random.randint(nodes)
            k = 0
            for node in order:
                if node != x:
                    rest[k] = node
                    k += 1
            at = _draw_place(x, rest, before, sums, sum_starts, place, heat, logs)
            before[x] = 0
            for k in range(nodes - 1):
                y = rest[k]
                order[k if k < at else k + 1] = y
                if k < at and place[x, y] >= 0:
                    before[x] |= 1 << place[x, y]
                if place[y, x] >= 0:
                    bit = 1 << place[y, x]
                    before[y] = before[y] & ~bit if k < at else before[y] | bit
            order[at] = x
        if sweep >= burn_in and (sweep - burn_in) % thin == 0:
            for i in range(nodes):
                whole = sums[sum_starts[i] + before[i]]
                log_posterior[kept] += whole
                chosen = _draw_set(
                    scores[starts[i] : starts[i + 1]], masks[starts[i] : starts[i + 1]], before[i], whole
                )
                for j in range(nodes):
                    graphs[kept, j, i] = place[i, j] >= 0 and chosen >> place[i, j] & 1 == 1
            kept += 1


@njit(cache=True)
def _draw_place(x, rest, before, sums, sum_starts, place, heat, logs):
    """A place for x among the others, from its distribution given their order."""
    last = len(logs) - 1
    total, own = 0.0, 0
    for k in range(last):  # x before all others
        y = rest[k]
        if place[y, x] >= 0:
            bit = 1 << place[y, x]
            total += sums[sum_starts[y] + (before[y] | bit)] - sums[sum_starts[y] + (before[y] & ~bit)]
    logs[0] = total + sums[sum_starts[x]]
    for k in range(last):  # and one after the other before it
        y = rest[k]
        if place[y, x] >= 0:
            bit = 1 << place[y, x]
            total -= sums[sum_starts[y] + (before[y] | bit)] - sums[sum_starts[y] + (before[y] & ~bit)]
        if place[x, y] >= 0:
            own |= 1 << place[x, y]
        logs[k + 1] = total + sums[sum_starts[x] + own]
    highest, whole = logs.max(), 0.0
    for k in range(last + 1):
        logs[k] = math.exp(heat * (logs[k] - highest))
        whole += logs[k]
    left = np.random.random() * whole
    for k in range(last + 1):
        left -= logs[k]
        if left < 0:
            return k
    return last


@njit(cache=True)
def _draw_set(scores, masks, allowed, whole):
    """A parent set within the allowed candidates, by its share in their sum."""
    left, found = np.random.random(), 0
    for s in range(len(scores)):
        if masks[s] & ~allowed == 0 and scores[s] - whole > -40:
            left -= math.exp(scores[s] - whole)
            found = masks[s]
            if left < 0:
                break
    return found
