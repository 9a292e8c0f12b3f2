"""The AUC that variables can be expected to have once the test table is manipulated, in worlds drawn from the networks.

Nobody sees the manipulated distribution before the test. But every sampled network says what a manipulation would do to
the examples at hand: a manipulated cause still causes the target; what is below the target, if somebody set it, gets
another example's value in place of its own; what is below the target and was not set follows, by what ridge regression
on its parents in the network predicts from their change. The target and all that is not below it stay as they are.

A ridge machine, or a sum of them that have different variables, is trained on natural examples and scored on those of
another fold as they would be in such a world; the mean over the worlds is the expected AUC. A missed parent and a child
taken for a parent then cost what they really cost, on these data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from himation.posterior.averages import spread
from himation.posterior.manipulation import Inferred, manipulated
from himation.posterior.networks import Networks

FOLDS = 5
DRAWS = 80
MOST_EXAMPLES = 2_000  # of a larger table a sample is used, which holds as many of the rarer class as it can


Drawn = tuple[np.ndarray, tuple[int, ...], np.ndarray]  # a network, its variables, and which of them were set


def drawn_worlds(networks: Networks, is_set: Callable[[int], bool], inferred: Inferred | None = None) -> list[Drawn]:
    """Networks to take worlds from, with what was set: by name, or as the test table says."""
    if inferred is None:
        return [(graph, own, np.array([is_set(x) for x in own], dtype=bool)) for graph, own in spread(networks, DRAWS)]
    told = list(manipulated(inferred))
    ends = np.cumsum([weight for _, _, weight in told])
    places = np.searchsorted(ends, (np.arange(DRAWS) + 0.5) / DRAWS * ends[-1]) if told else []
    return [(told[k][0].graph, told[k][0].variables, told[k][1]) for k in places]


@dataclass(frozen=True)
class Expectation:
    """Variables, their expected AUC with the standard error over the worlds, and that if nothing is manipulated."""

    members: tuple[int, ...]
    auc: float
    standard_error: float
    natural: float


@dataclass(frozen=True)
class _Fold:
    """Held-out examples in nature and in every world, which of them are positive, and the equations of the others."""

    tables: np.ndarray
    positive: np.ndarray
    gram: np.ndarray
    goal: np.ndarray


class Worlds:
    """Some variables in as many manipulated worlds as networks were drawn."""

    def __init__(
        self,
        numbers: Callable[[int], np.ndarray],
        labels: np.ndarray,
        variables: Sequence[int],
        drawn: Sequence[Drawn],
        seed: int = 1,
    ):
        rows = _sample(np.asarray(labels), seed)
        needed = sorted({*variables, *(x for _, own, _ in drawn for x in own)})
        self.columns = {x: numbers(x)[rows] for x in needed}
        self.labels = np.asarray(labels)[rows]
        self.place = {x: i for i, x in enumerate(variables)}
        self.fold_of = _folds(self.labels, seed)
        natural = np.column_stack([self.columns[x] for x in variables]) if variables else np.empty((len(rows), 0))
        tables = [natural]
        for number, (graph, own, was_set) in enumerate(drawn):
            rng = np.random.default_rng([seed, 1, number])
            table = natural.copy()
            for x, change in self._moved(graph, own, was_set, rng).items():
                if x in self.place:
                    table[:, self.place[x]] += change
            tables.append(table)
        self.folds = []
        for fold in range(FOLDS):
            held = self.fold_of == fold
            if len(set((self.labels[held] > 0).tolist())) < 2:  # a class has fewer examples than there are folds
                continue
            equations = _normal_equations(natural[~held], self.labels[~held])
            self.folds.append(_Fold(np.array([table[held] for table in tables]), self.labels[held] > 0, *equations))

    def _moved(self, graph, own: Sequence[int], was_set, rng) -> dict[int, np.ndarray]:
        """By how much every variable that changes does so in one world."""
        from himation.graphs import topological_order

        target, moved, below = len(own), {}, {len(own)}
        for i in topological_order(graph):
            parents = np.flatnonzero(graph[:, i])
            if i == target or below.isdisjoint(parents.tolist()):
                continue
            below.add(int(i))
            x = own[i]
            if was_set[i]:
                moved[x] = self.columns[x][self._shuffle(rng)] - self.columns[x]
            elif any(p != target and own[p] in moved for p in parents):
                design = [self.labels if p == target else self.columns[own[p]] for p in parents]
                weights = _ridge(np.column_stack(design).astype(float), self.columns[x])
                pairs = [(w, own[p]) for w, p in zip(weights, parents, strict=True) if p != target and own[p] in moved]
                moved[x] = sum(weight * moved[parent] for weight, parent in pairs)
        return moved

    def _shuffle(self, rng) -> np.ndarray:
        """A permutation of the examples within each fold."""
        order = np.empty(len(self.labels), dtype=np.int64)
        for fold in range(FOLDS):
            rows = np.flatnonzero(self.fold_of == fold)
            order[rows] = rng.permutation(rows)
        return order

    def expect(self, members: Sequence[int], panels: Mapping[tuple[int, ...], int] | None = None) -> Expectation:
        """Of one machine with all members, or of a sum of machines, one for each panel with its weight."""
        panels = panels or {tuple(members): 1}
        areas = np.zeros(len(self.folds[0].tables)) if self.folds else np.full(1, 0.5)
        for fold in self.folds:
            weights = np.zeros(len(self.place))
            for panel, count in panels.items():
                use = sorted(self.place[x] for x in panel)
                weights[use] += count * np.linalg.solve(fold.gram[np.ix_(use, use)], fold.goal[use])
            scores = fold.tables.reshape(-1, len(self.place)) @ weights
            areas += _aucs(scores.reshape(len(areas), -1), fold.positive) / len(self.folds)
        manipulated = areas[1:] if len(areas) > 1 else areas
        error = float(manipulated.std(ddof=1) / np.sqrt(len(manipulated))) if len(manipulated) > 1 else 0.0
        return Expectation(tuple(members), float(manipulated.mean()), error, float(areas[0]))


@njit(cache=True)
def _aucs(values, positive):
    """The AUC of every row of scores; equal scores count half."""
    n_positive = positive.sum()
    pairs = n_positive * (len(positive) - n_positive)
    areas = np.empty(len(values))
    for i in range(len(values)):
        order = np.argsort(values[i])
        below, wins, start = 0, 0.0, 0
        while start < len(order):
            end, here = start, 0
            while end < len(order) and values[i, order[end]] == values[i, order[start]]:
                here += positive[order[end]]
                end += 1
            negatives = end - start - here
            wins += here * (below + 0.5 * negatives)
            below += negatives
            start = end
        areas[i] = wins / pairs
    return areas


def _normal_equations(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of a regression on the labels with a ridge of one example, both classes with the same total weight."""
    weight = np.where(y > 0, 0.5 / np.mean(y > 0), 0.5 / np.mean(y <= 0))
    centred = X - np.average(X, axis=0, weights=weight)
    scaled = centred * weight[:, None]
    return scaled.T @ centred + np.eye(X.shape[1]), scaled.T @ np.sign(y)


def _ridge(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    centred = X - X.mean(axis=0)
    return np.linalg.solve(centred.T @ centred + np.eye(X.shape[1]), centred.T @ (y - y.mean()))


def _folds(y: np.ndarray, seed: int) -> np.ndarray:
    rng = np.random.default_rng([seed, 0])
    fold_of = np.empty(len(y), dtype=np.int64)
    for positive in (True, False):
        rows = rng.permutation(np.flatnonzero((y > 0) == positive))
        fold_of[rows] = np.arange(len(rows)) % FOLDS
    return fold_of


def _sample(y: np.ndarray, seed: int) -> np.ndarray:
    """All rows, or MOST_EXAMPLES of them with at most half of the rarer class."""
    if len(y) <= MOST_EXAMPLES:
        return np.arange(len(y))
    rng = np.random.default_rng([seed, 3])
    classes = sorted((np.flatnonzero(y > 0), np.flatnonzero(y <= 0)), key=len)
    rare = min(len(classes[0]), MOST_EXAMPLES // 2)
    parts = (rng.choice(classes[0], rare, replace=False), rng.choice(classes[1], MOST_EXAMPLES - rare, replace=False))
    return np.sort(np.concatenate(parts))
