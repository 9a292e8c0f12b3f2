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

What is known (`himation.knowledge`) is obeyed: who must come before whom holds for every order, and any graph in which
x is no ancestor of y has an order with y first; sets of parents hold what they must and nothing forbidden. A known
cause need not be a parent: graphs are drawn until all known causes reach the target, and if thirty draws don't do, an
edge is added.

A posterior is right if the model is, and ours (linear and normal, or tables of counts) never is quite. The likelihood
counts as that of ``temper`` as many examples as there are. Squares and
products beside the linear terms, or a logistic model of a binary target, made it worse on simulated problems: they tell
directions by the shape of a mechanism, and what is a little wrong about the shape then passes for a direction.

>>> rng = np.random.default_rng(1)
>>> a, b = rng.normal(size=(2, 400))
>>> c = a + b + 0.5 * rng.normal(size=400)
>>> d = c + 0.5 * rng.normal(size=400)
>>> graphs = sample_graphs(Evidence(correlation_matrix(np.column_stack([a, b, c, d])), 400), 2).graphs
>>> graphs[:, 0, 2].mean() > 0.8, graphs[:, 2, 3].mean() > 0.9, graphs[:, 3, 2].mean() < 0.1
(np.True_, np.True_, np.True_)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numba import njit

from himation.graphs import descendants
from himation.knowledge import Constraints
from himation.posterior.reaching import reaches
from himation.posterior.scoring import Evidence, Sampling, Tables, counted, linear

COLLINEAR = 0.02  # of its variance must be left in a variable before it can add to what others say
DIGITS = 6  # beyond these the order of the columns shows
_ATTEMPTS = 30  # of drawing a graph in which all known causes reach the target


@dataclass(frozen=True)
class Draws:
    """Graphs by node by node, True from cause to effect, and the log posterior of the order that each was drawn from,
    up to a constant."""

    graphs: np.ndarray
    log_posterior: np.ndarray


def sample_graphs(
    evidence: Evidence, target: int, sampling: Sampling | None = None, known: Constraints | None = None
) -> Draws:
    """Draw graphs given what the rows say, among those that what is known allows."""
    sampling = sampling or Sampling()
    candidates = candidate_parents(evidence, target, sampling, known)
    if len(candidates[target]) < len(evidence.correlations) - 1:
        short = sampling.pilot()
        few = candidate_parents(evidence, target, replace(sampling, candidates_of_target=sampling.candidates), known)
        tried = _run(few, linear(evidence, few, target, short, known), target, short, known).graphs
        added = would_add(evidence.of(target)[0], target, tried)
        barred: Collection[int] = np.flatnonzero(known.forbidden[:, target]).tolist() if known is not None else []
        added = added[~np.isin(added, [*candidates[target], *barred])][: sampling.added]
        candidates[target] = np.array(sorted([*candidates[target], *added]), dtype=np.int64)
    score = linear if evidence.codes is None else counted
    return _run(candidates, score(evidence, candidates, target, sampling, known), target, sampling, known)


def correlation_matrix(columns: np.ndarray) -> np.ndarray:
    """Of the columns, rounded so that the order in which rows are summed does not show."""
    centred = columns - columns.mean(axis=0)
    scaled = centred / np.maximum(centred.std(axis=0), 1e-12)
    return np.round(scaled.T @ scaled / len(scaled), DIGITS)


def candidate_parents(
    evidence: Evidence, target: int, sampling: Sampling, known: Constraints | None = None
) -> list[np.ndarray]:
    """For every node those that regression takes in first, that take it in first, and that it goes with most; all that
    are known to be parents, and none that are known not to be."""
    nodes = range(len(evidence.correlations))
    size = [sampling.candidates_of_target if i == target else sampling.candidates for i in nodes]
    barred: list[frozenset[int]] = [frozenset() for _ in nodes]
    wanted: list[frozenset[int]] = list(barred)
    if known is not None:
        barred = [frozenset(np.flatnonzero(known.forbidden[:, i]).tolist()) for i in nodes]
        wanted = [frozenset(np.flatnonzero(known.required[:, i]).tolist()) for i in nodes]
        wanted[target] |= frozenset(np.flatnonzero(known.ancestors).tolist()) - barred[target]
    taken = [{j: k for k, j in enumerate(forward(evidence.of(i)[0], i, size[i], barred[i]))} for i in nodes]
    found = []
    for i in nodes:
        strength, rank = np.abs(evidence.of(i)[0][i]), dict(taken[i])
        for j, others in enumerate(taken):
            if i in others:
                rank[j] = min(rank.get(j, others[i]), others[i])
        alike = [int(j) for j in np.argsort(-strength, kind="stable") if j != i]
        for k, j in enumerate(alike[: sampling.strongest]):
            rank[j] = min(rank.get(j, k), k)
        rank = {j: k for j, k in rank.items() if j not in barred[i]} | dict.fromkeys(wanted[i], -1)
        best = sorted(rank, key=lambda j: (rank[j], -strength[j], j))[: max(size[i], len(wanted[i]))]
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


def forward(correlations: np.ndarray, i: int, most: int, barred: Collection[int] = ()) -> list[int]:
    """Forward selection of regressors: each time the one that explains most of what is left."""
    left = correlations.copy()
    chosen: list[int] = []
    for _ in range(min(most, len(correlations) - 1)):
        own = left.diagonal()
        gain = np.where(own > COLLINEAR, left[i] ** 2 / np.maximum(own, COLLINEAR), -1.0)
        gain[[i, *chosen, *barred]] = -1.0
        best = int(np.argmax(np.round(gain, DIGITS)))
        if gain[best] <= 0:
            break
        chosen.append(best)
        left = left - np.outer(left[:, best], left[best]) / left[best, best]
    return chosen


def _run(
    candidates: Sequence[np.ndarray], tables: Tables, target: int, sampling: Sampling, known: Constraints | None
) -> Draws:
    nodes = len(candidates)
    place = np.full((nodes, nodes), -1, dtype=np.int64)  # of a candidate in the mask of a node
    for i, own in enumerate(candidates):
        place[i, own] = np.arange(len(own))
    kept = len(range(sampling.burn_in, sampling.sweeps, sampling.thin))
    graphs, scores = np.zeros((kept, nodes, nodes), dtype=np.bool_), np.zeros(kept)
    schedule = (sampling.sweeps, sampling.burn_in, sampling.thin, sampling.hottest)
    flat = (tables.scores, tables.masks, tables.starts, tables.sums, tables.sum_starts)
    before = known.before if known is not None else np.zeros((nodes, nodes), dtype=np.bool_)
    ancestors = np.flatnonzero(known.ancestors) if known is not None else np.empty(0, dtype=np.int64)
    _chain(*flat, place, before, ancestors, target, schedule, sampling.seed, graphs, scores)
    return Draws(graphs, scores)


@njit(cache=True)
def _chain(scores, masks, starts, sums, sum_starts, place, must, causes, target, schedule, seed, graphs, log_posterior):
    """One chain; a graph is written for every order that is kept. ``must`` says who comes before whom."""
    sweeps, burn_in, thin, hottest = schedule
    np.random.seed(seed)
    nodes = len(place)
    order = _allowed_order(np.random.permutation(nodes), must)
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
            at = _draw_place(x, rest, before, sums, sum_starts, place, must, heat, logs)
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
                log_posterior[kept] += sums[sum_starts[i] + before[i]]
            for _ in range(_ATTEMPTS):
                _draw_graph(scores, masks, starts, sums, sum_starts, place, before, graphs[kept])
                if _all_reach(graphs[kept], causes, target):
                    break
            else:
                reached = reaches(graphs[kept], target)
                for x in causes:
                    graphs[kept, x, target] |= reached[x] == 0
            kept += 1


@njit(cache=True)
def _allowed_order(order, must):
    """The order, with each node moved back behind what must come before it."""
    nodes = len(order)
    placed, found, k = np.zeros(nodes, np.bool_), np.empty(nodes, np.int64), 0
    while k < nodes:
        for x in order:
            if not placed[x]:
                free = True
                for y in range(nodes):
                    if must[y, x] and not placed[y]:
                        free = False
                if free:
                    placed[x] = True
                    found[k] = x
                    k += 1
                    break
    return found


@njit(cache=True)
def _draw_graph(scores, masks, starts, sums, sum_starts, place, before, graph):
    nodes = len(place)
    for i in range(nodes):
        whole = sums[sum_starts[i] + before[i]]
        chosen = _draw_set(scores[starts[i] : starts[i + 1]], masks[starts[i] : starts[i + 1]], before[i], whole)
        for j in range(nodes):
            graph[j, i] = place[i, j] >= 0 and chosen >> place[i, j] & 1 == 1


@njit(cache=True)
def _all_reach(graph, causes, target):
    missing = 0
    if len(causes):
        reached = reaches(graph, target)
        for x in causes:
            missing += reached[x] == 0
    return missing == 0


@njit(cache=True)
def _draw_place(x, rest, before, sums, sum_starts, place, must, heat, logs):
    """A place for x among the others, from its distribution given their order: behind what must come before it, and in
    front of what must come after."""
    last = len(logs) - 1
    earliest, latest = 0, last
    for k in range(last):
        if must[rest[k], x]:
            earliest = k + 1
        if must[x, rest[last - 1 - k]]:
            latest = last - 1 - k
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
    highest, whole = logs[earliest : latest + 1].max(), 0.0
    for k in range(earliest, latest + 1):
        logs[k] = math.exp(heat * (logs[k] - highest))
        whole += logs[k]
    left = np.random.random() * whole
    for k in range(earliest, latest + 1):
        left -= logs[k]
        if left < 0:
            return k
    return latest


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
