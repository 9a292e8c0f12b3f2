"""Scores of parent sets where rows come in groups: batches, and experiments of one kind each.

A group in which somebody set a node says nothing about its parents, and all the same as any other about what it causes.
Whoever sets something does more than he knows, and another day has another level of everything: so a number may have a
level of its own in every group, where that pays for what it costs in parameters. What differs between groups then
tells directions as far as few mechanisms have to be different for it: the uncertain interventions of Eaton and Murphy
(2007). In tables of counts that is left out: with probabilities of its own for each group a wrong direction would cost
next to nothing.

Where somebody acted on a node, and it may still follow its causes, it has a mechanism of its own in that group, and so
has every node that it is a parent of: a drug blocks what a protein does, and not how much there is of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from himation.orientation.scores.bdeu import dirichlet

LEAST = 10  # rows of a group that may be different; fewer count as if they were of the largest
LEFT = 0.03  # of a node's variance that a group by itself leaves unexplained, at least
ROUNDS = 5  # of saying which groups have a level of their own
_DIGITS = 10


@dataclass(frozen=True)
class Groups:
    """The group of every row; and of the groups how many rows, means and mean products of all nodes, and of which
    nodes, nodes by groups, somebody set the value there or acted on them."""

    of_row: np.ndarray
    counts: np.ndarray
    means: np.ndarray
    products: np.ndarray
    was_set: np.ndarray
    acted: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray, of_row: np.ndarray, was_set: np.ndarray, acted: np.ndarray) -> Groups:
        """Of rows by nodes. Groups without rows go; of a node acted on in too few rows nothing is learned there."""
        present, of_row, counts = np.unique(of_row, return_inverse=True, return_counts=True)
        parts = [rows[of_row == k] for k in range(len(present))]
        means = np.array([part.mean(axis=0) for part in parts])
        products = np.array([part.T @ part / len(part) for part in parts])
        was_set, acted = was_set[:, present], acted[:, present]
        was_set = was_set | ((counts < LEAST) & acted.any(axis=0))
        return cls(of_row, counts, means.round(_DIGITS), products.round(_DIGITS), was_set, acted & ~was_set)

    def of_nodes(self, use: Sequence[int] | np.ndarray, scaled: Callable[[np.ndarray], np.ndarray]) -> Groups:
        """Of some nodes, the target last, with what goes with it scaled."""
        means, products = self.means[:, use].copy(), self.products[:, use][:, :, use]
        means[:, -1] *= scaled(np.ones((2, 2)))[0, 1]
        products = np.array([scaled(one) for one in products])
        return Groups(self.of_row, self.counts, means, products, self.was_set[use], self.acted[use])

    def correlations(self, i: int) -> tuple[np.ndarray, int]:
        """Of all rows in which nobody set a node, and how many these are."""
        use = ~self.was_set[i]
        weights, n = self.counts[use] / self.counts[use].sum(), int(self.counts[use].sum())
        mean = weights @ self.means[use]
        covariance = np.tensordot(weights, self.products[use], 1) - np.outer(mean, mean)
        scale = np.sqrt(np.maximum(np.diag(covariance), 1e-24))
        return (covariance / np.outer(scale, scale)).round(_DIGITS), n

    def rows(self, i: int) -> np.ndarray:
        """Those in which nobody set a node."""
        return np.flatnonzero(~self.was_set[i][self.of_row])

    def linear(
        self, i: int, own: np.ndarray, sets: np.ndarray, sizes: np.ndarray, prior: np.ndarray, temper: float
    ) -> np.ndarray:
        """Of a node's parent sets: BIC of linear regressions, groups with levels of their own where that pays."""
        use = np.flatnonzero(~self.was_set[i])
        use = use[np.argsort(-self.counts[use], kind="stable")]
        large = use[(self.counts[use] >= LEAST) | (np.arange(len(use)) == 0)]
        counts, means, products = (part[large].astype(float) for part in (self.counts, self.means, self.products))
        for k in use[len(large) :]:  # to the largest group
            share = self.counts[k] / (counts[0] + self.counts[k])
            means[0] += share * (self.means[k] - means[0])
            products[0] += share * (self.products[k] - products[0])
            counts[0] += self.counts[k]
        covariances = products - means[:, :, None] * means[:, None, :]
        acted = np.ascontiguousarray(self.acted[:, large])
        return _linear(counts * temper, means, covariances, acted, i, own, sets, sizes, prior)

    def coded(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """Of the rows in which nobody set a node a group each, the largest first, to which small ones belong, and in
        which of these somebody acted, nodes by groups."""
        of_row = self.of_row[self.rows(i)]
        large = np.flatnonzero(~self.was_set[i] & (self.counts >= LEAST))
        large = large[np.argsort(-self.counts[large], kind="stable")]
        number = np.zeros(len(self.counts), dtype=np.int64)
        number[large] = np.arange(len(large))
        return number[of_row], np.ascontiguousarray(self.acted[:, large])


@njit(cache=True)
def _factor(covariance, node, k):
    """The Cholesky factor of k nodes and one more; the last pivot is what they leave of that one's variance."""
    factor = np.zeros((k + 1, k + 1))
    for a in range(k + 1):
        for b in range(a + 1):
            value = covariance[node[a], node[b]]
            for c in range(b):
                value -= factor[a, c] * factor[b, c]
            factor[a, b] = math.sqrt(max(value, 1e-6)) if a == b else value / factor[b, b]
    return factor


@njit(cache=True)
def _linear(counts, means, covariances, acted, i, candidates, sets, sizes, prior):
    """``counts`` are as many rows as the likelihood counts for."""
    n_groups, most = len(counts), sets.shape[1]
    scores = np.empty(len(sets))
    node, place = np.empty(most + 1, np.int64), np.arange(most + 1)
    alone = np.empty(n_groups, np.bool_)
    for s in range(len(sets)):
        k = sizes[s]
        for a in range(k):
            node[a] = candidates[sets[s, a]]
        node[k] = i
        score = prior[k]
        for g in range(n_groups):
            alone[g] = acted[i, g]
            for a in range(k):
                alone[g] = alone[g] or acted[node[a], g]
            if alone[g]:
                left = max(_factor(covariances[g], node, k)[k, k] ** 2, LEFT * max(covariances[g, i, i], 1e-6))
                score -= 0.5 * counts[g] * math.log(left) + 0.5 * (k + 2) * math.log(max(counts[g], 1.0))
        scores[s] = score + _together(counts, means, covariances, alone, node, place, k)
    return scores


@njit(cache=True)
def _together(counts, means, covariances, alone, node, place, k):
    """BIC of one regression for all groups but those alone, each with the common level or one of its own."""
    total, largest, n_used = 0.0, -1, 0
    within, mean = np.zeros((k + 1, k + 1)), np.zeros(k + 1)
    for g in range(len(counts)):
        if not alone[g]:
            n_used += 1
            total += counts[g]
            largest = g if largest < 0 or counts[g] > counts[largest] else largest
            for a in range(k + 1):
                mean[a] += counts[g] * means[g, node[a]]
                for b in range(k + 1):
                    within[a, b] += counts[g] * covariances[g, node[a], node[b]]
    if not n_used:
        return 0.0
    mean /= total
    pooled = within / total
    for g in range(len(counts)):
        if not alone[g]:
            for a in range(k + 1):
                for b in range(k + 1):
                    away = (means[g, node[a]] - mean[a]) * (means[g, node[b]] - mean[b])
                    pooled[a, b] += counts[g] / total * away
    price = math.log(max(total, 1.0))
    best = -total * math.log(_factor(pooled, place, k)[k, k]) - 0.5 * k * price
    if n_used == 1:
        return best
    within /= total
    factor, weights = _factor(within, place, k), np.zeros(k)
    for a in range(k - 1, -1, -1):
        weights[a] = factor[k, a]
        for b in range(a + 1, k):
            weights[a] -= factor[b, a] * weights[b]
        weights[a] /= factor[a, a]
    left = max(factor[k, k] ** 2, LEFT * within[k, k])
    levels, free = np.empty(len(counts)), np.zeros(len(counts), np.bool_)
    for g in range(len(counts)):
        levels[g] = means[g, node[k]]
        for a in range(k):
            levels[g] -= weights[a] * means[g, node[a]]
    centre = levels[largest]
    for _ in range(ROUNDS):
        level, rows = 0.0, 0.0
        for g in range(len(counts)):
            if not alone[g]:
                gain = counts[g] * (levels[g] - centre) ** 2 / left
                free[g] = g != largest and gain > math.log(max(counts[g], 1.0))
                if not free[g]:
                    level += counts[g] * levels[g]
                    rows += counts[g]
        centre = level / rows
    paid = k * price
    for g in range(len(counts)):
        if free[g]:
            paid += math.log(max(counts[g], 1.0))
        elif not alone[g]:
            left += counts[g] / total * (levels[g] - centre) ** 2
    return max(best, -0.5 * total * math.log(left) - 0.5 * paid)


@njit(cache=True)
def counts_by_group(codes, values, groups, acted, sample_size, i, candidates, chosen, k):
    """BDeu of a parent set, with other probabilities in groups in which somebody acted."""
    cells, own, n_groups = 1, values[i], acted.shape[1]
    for a in range(k):
        cells *= values[candidates[chosen[a]]]
    counts = np.zeros((n_groups, cells, own))
    for row in range(codes.shape[1]):
        cell = 0
        for a in range(k):
            parent = candidates[chosen[a]]
            cell = cell * values[parent] + codes[parent, row]
        counts[groups[row], cell, codes[i, row]] += 1
    whole, each = sample_size / cells, sample_size / (cells * own)
    common, score = np.zeros((cells, own)), 0.0
    alone = acted[i].copy()
    for g in range(n_groups):
        for a in range(k):
            alone[g] = alone[g] or acted[candidates[chosen[a]], g]
        if alone[g]:
            score += dirichlet(counts[g], whole, each)
        else:
            common += counts[g]
    return score + dirichlet(common, whole, each)
