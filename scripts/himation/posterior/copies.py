"""A hidden copy of the target: what hundreds of its effects see in place of the labels.

Labels may be right and their effects still see something else: a measurement of the target with errors of its own, a
diagnosis. Given the labels such effects stay dependent on each other, in a way that gives them away: the part of the
correlation of X and Y that is left is the product of their correlations with the target, times one number c for all of
them. Causes don't share in it, since what goes with a cause and an effect goes through the labels. (In the challenge's
tasks with probes 1 / (1 + c) is the squared correlation of labels and copy: 0.6 in LUCAP, 0.2 in SIDO.)

`effects_of_copies` finds such groups, `hidden` the correlations of the copy with everything by a model of one factor.
Networks know more than that, and `settled` learns from them what the copy goes with (structural EM, Friedman 1998).
Whether there is a copy is then judged like any other model of the target (`himation.posterior.target`). The copy takes
part in the networks as one more node, the last but one, whose only cause is the target; in the end its effects are the
target's (`together`).

>>> rng = np.random.default_rng(1)
>>> cause, labels = rng.normal(size=(2, 2000))
>>> labels += cause
>>> copy = labels + rng.normal(size=2000)
>>> effects = copy[:, None] + rng.normal(size=(2000, 6))
>>> correlations = np.corrcoef(np.column_stack([cause, effects, labels]).T)
>>> [group.tolist() for group in effects_of_copies(correlations, 2000)]
[[1, 2, 3, 4, 5, 6]]
>>> bool(abs(hidden(correlations, np.arange(1, 7))[-1] - np.sqrt(2 / 3)) < 0.03)
True
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from himation.knowledge import Constraints

FEWEST = 4  # effects from which a copy can be told
MOST_GROUPS = 3
ALIKE = 0.5  # share of what a member has in common with the others that c must explain
_STEPS = 200  # of the one-factor model
_CLOSE = 1e-7
_NEVER_WHOLE = 0.98  # correlation of a variable with the copy at most
_LEAST_LEFT = 1e-4  # of a variable's variance
_MOST_STEPS = 100  # of fitting one network with a hidden node
_MOST_ROUNDS = 5  # of drawing networks in turn with fitting them


def effects_of_copies(correlations: np.ndarray, n: int) -> list[np.ndarray]:
    """Groups of nodes that may be effects of a copy of the target, which is the last node."""
    r = correlations[:-1, -1]
    product = np.outer(r, r)
    rest = correlations[:-1, :-1] - product
    np.fill_diagonal(rest, 0.0)
    np.fill_diagonal(product, 0.0)
    groups, left = [], np.arange(len(r))
    for _ in range(MOST_GROUPS):
        group = _homogeneous(rest, product, left, n)
        if not len(group):
            break
        groups.append(group)
        left = np.setdiff1d(left, group)
    return groups


def _homogeneous(rest: np.ndarray, product: np.ndarray, members: np.ndarray, n: int) -> np.ndarray:
    """Those that stay when whoever is least explained by one number c leaves, again and again."""
    while len(members) >= FEWEST:
        place = np.ix_(members, members)
        here, one = rest[place], product[place]
        c = (here * one).sum() / max((one * one).sum(), 1e-12)
        chance = (len(members) - 1) / n
        shared = np.maximum((here**2).sum(axis=1) - chance, 1e-12)
        explained = 1 - (((here - c * one) ** 2).sum(axis=1) - chance) / shared
        if c > 0 and explained.min() >= ALIKE:
            return members
        leaving = np.argsort(explained, kind="stable")[: max(1, len(members) // 50)]
        members = np.delete(members, leaving)
    return members[:0]


def hidden(correlations: np.ndarray, effects: np.ndarray) -> np.ndarray:
    """Correlations of the copy with every node, the target last, so that it explains what its effects share.

    All that goes with a copy goes with the target, and the less the more errors the copy has. What goes more with it
    than that is no mark of a copy, but something else that the effects share, as another cause of theirs.
    """
    among = correlations[np.ix_(effects, effects)].copy()
    np.fill_diagonal(among, 0.0)
    r = correlations[effects, -1]
    weight = r.copy()
    for _ in range(_STEPS):
        new = 0.5 * weight + 0.5 * (among @ weight) / np.maximum((weight**2).sum() - weight**2, 1e-9)
        done = np.abs(new - weight).max() < _CLOSE
        weight = new
        if done:
            break
    weight = np.clip(weight, -_NEVER_WHOLE, _NEVER_WHOLE)
    found = correlations[:, effects] @ weight / (weight**2).sum()
    found[effects] = weight
    most = np.abs(correlations[:-1, -1]) / max(abs(found[-1]), 1e-9)
    found[:-1] = np.clip(found[:-1], -most, most)
    return found


def proxy(correlations: np.ndarray, values: np.ndarray, effects: np.ndarray) -> np.ndarray:
    """The effects put together, row by row, so that it goes with a variable as much as the copy does."""
    weight = hidden(correlations, effects)[effects]
    return values[:, effects] @ weight / (weight**2).sum()


def with_copy(correlations: np.ndarray, of_copy: np.ndarray) -> np.ndarray:
    """The copy as one more node before the target."""
    last = len(correlations) - 1
    found = np.eye(last + 2)
    others = [*range(last), last + 1]
    found[np.ix_(others, others)] = correlations
    found[last, others] = found[others, last] = of_copy
    return found


@njit(cache=True)
def implied(graph: np.ndarray, model: np.ndarray) -> np.ndarray:
    """The covariance that a linear network implies whose nodes are regressed on their causes by the model's, one node
    after the other, causes first."""
    size = len(model)
    found, passed = np.zeros((size, size)), np.zeros(size, np.bool_)
    causes, order = np.empty(size, np.int64), np.empty(size, np.int64)
    within, weights, done = np.empty((size, size)), np.empty(size), 0
    while done < size:
        before = done
        for i in range(size):
            many, ready = 0, not passed[i]
            for j in range(size):
                if graph[j, i]:
                    causes[many] = j
                    many += 1
                    ready &= passed[j]
            if not ready:
                continue
            for a in range(many):
                weights[a] = model[causes[a], i]
                for b in range(many):
                    within[a, b] = model[causes[a], causes[b]]
            _solve(within, weights, many)
            left = model[i, i]
            for a in range(many):
                left -= weights[a] * model[causes[a], i]
            found[i, i] = max(left, _LEAST_LEFT)
            for k in range(done):
                for a in range(many):
                    found[i, order[k]] += weights[a] * found[causes[a], order[k]]
                found[order[k], i] = found[i, order[k]]
            for a in range(many):
                found[i, i] += weights[a] * found[causes[a], i]
            passed[i], order[done] = True, i
            done += 1
        if done == before:
            break  # a cycle, which no network has
    return found


@njit(cache=True)
def _solve(within, values, size):
    """The first so many equations, in place, by elimination with the largest pivot."""
    for k in range(size):
        best = k
        for a in range(k + 1, size):
            if abs(within[a, k]) > abs(within[best, k]):
                best = a
        values[k], values[best] = values[best], values[k]
        for b in range(size):
            within[k, b], within[best, b] = within[best, b], within[k, b]
        for a in range(k + 1, size):
            times = within[a, k] / within[k, k]
            values[a] -= times * values[k]
            for b in range(k, size):
                within[a, b] -= times * within[k, b]
    for k in range(size - 1, -1, -1):
        for b in range(k + 1, size):
            values[k] -= within[k, b] * values[b]
        values[k] /= within[k, k]


def misfit(covariance: np.ndarray, correlations: np.ndarray) -> float:
    """Minus twice the normal log-likelihood of one example, up to a constant."""
    return float(np.linalg.slogdet(covariance)[1] + np.trace(np.linalg.solve(covariance, correlations)))


def without_copy(matrix: np.ndarray) -> np.ndarray:
    shown = np.delete(np.arange(len(matrix)), -2)
    return matrix[np.ix_(shown, shown)]


def settled(
    model: np.ndarray,
    correlations: np.ndarray,
    draw: Callable[[np.ndarray, int], np.ndarray],
    least_gain: float,
    rounds: int = _MOST_ROUNDS,
) -> np.ndarray:
    """The model with what the copy goes with learned from networks; ``correlations`` are those without it.

    ``draw`` gives a network by a model, and the number of the round. In turn a network is drawn and fitted to the
    correlations with the copy integrated out, until that gains less than ``least_gain`` for one example.
    """
    last = np.inf
    for number in range(rounds):
        model, now = _fitted(draw(model, number), model, correlations, least_gain)
        if last - now < least_gain:
            break
        last = now
    return model


def _fitted(graph: np.ndarray, model: np.ndarray, correlations: np.ndarray, least_gain: float):
    """The correlations of all nodes expected by the network that fits best, and its misfit, by EM."""
    copy = len(model) - 2
    shown = np.delete(np.arange(len(model)), copy)
    covariance = implied(graph, model)
    last = misfit(without_copy(covariance), correlations)
    for _ in range(_MOST_STEPS):
        weights = np.linalg.solve(covariance[np.ix_(shown, shown)], covariance[shown, copy])
        left = covariance[copy, copy] - weights @ covariance[shown, copy]
        model = with_copy(correlations, correlations @ weights)
        model[copy, copy] = left + weights @ correlations @ weights
        covariance = implied(graph, model)
        now = misfit(without_copy(covariance), correlations)
        if last - now < 0.1 * least_gain:
            break
        last = now
    scale = np.ones(len(model))
    scale[copy] = np.sqrt(model[copy, copy])
    return model / np.outer(scale, scale), now


def of_target_alone(nodes: int) -> Constraints:
    """What makes the last but one of so many nodes a copy of the last: it has no other cause."""
    copy, target = nodes - 2, nodes - 1
    forbidden, required = np.zeros((2, nodes, nodes), dtype=bool)
    forbidden[:, copy] = True
    forbidden[target, copy] = False
    required[target, copy] = True
    return Constraints(forbidden, required, required, np.zeros(nodes, dtype=bool))


def together(graph: np.ndarray) -> np.ndarray:
    """The graph with the copy and the target, its last two nodes, taken for one.

    >>> chain = np.zeros((4, 4), dtype=bool)  # cause, effect, copy, target
    >>> chain[0, 3] = chain[3, 2] = chain[2, 1] = True
    >>> together(chain).astype(int).tolist()
    [[0, 0, 1], [0, 0, 0], [0, 1, 0]]
    """
    found = np.delete(np.delete(graph, -2, axis=0), -2, axis=1)
    found[-1, :-1] |= graph[-2, :-2]
    return found
