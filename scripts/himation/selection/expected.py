"""The AUC that a set of variables can be expected to have once the test table is manipulated, and the best such set.

A ridge machine is trained on natural examples and scored on those of another fold as they would be in a manipulated
world (`himation.selection.worlds`); the mean over many worlds is the expected AUC. A missed parent and a child taken
for a parent then cost what they really cost, on these data: nothing is decided by a threshold on a probability.

The best set is found by backward elimination: from all candidates, the variable goes whose loss leaves the highest
expectation, until one is left; the highest point of that path is the answer. The path read backwards is an order of
trust: what goes last is what prediction under manipulation rests on.

`workflow/presets/manipulation.yaml` compares the sets found so with those of the other rules on random problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from himation.selection.worlds import Drawn, manipulated_world, with_doubt

FOLDS = 5
DRAWS = 80
RIDGE = 1.0  # in units of one example
MOST_EXAMPLES = 2_000  # of a larger table a sample is used, which holds as many of the rarer class as it can
STEPS = 40  # of more candidates than this several go at a time


@dataclass(frozen=True)
class Expectation:
    """A set, its expected AUC with the standard error over the worlds, and its AUC if nothing is manipulated."""

    members: tuple[int, ...]
    auc: float
    standard_error: float
    natural: float


@dataclass(frozen=True)
class Fold:
    """Held-out examples in nature and in every world, which of them are positive, and the equations of the others."""

    tables: np.ndarray
    positive: np.ndarray
    gram: np.ndarray
    goal: np.ndarray


class Worlds:
    """The candidates in many manipulated worlds, and expected AUCs of sets of them.

    ``columns`` has the numbers of every variable of the region and every candidate; ``chance(x)`` is the probability
    that x is manipulated: 0 or 1 for a known list. ``no_cause`` is the probability that a candidate is no cause of the
    target; without it the graphs are believed.
    """

    def __init__(
        self,
        columns: dict[int, np.ndarray],
        labels: np.ndarray,
        target: int,
        candidates: Sequence[int],
        graphs: Sequence[Drawn],
        chance: Callable[[int], float],
        seed: int = 1,
        no_cause: Mapping[int, float] | None = None,
    ):
        rows = _sample(np.asarray(labels), seed)
        columns = {x: column[rows] for x, column in columns.items()}
        self.labels = np.asarray(labels)[rows]
        self.place = {x: i for i, x in enumerate(candidates)}
        self.fold_of = _folds(self.labels, seed)
        self.draws = len(graphs)
        natural = np.column_stack([columns[x] for x in candidates]) if candidates else np.empty((len(rows), 0))
        tables = [natural]
        graphs = graphs if no_cause is None else with_doubt(graphs, no_cause, seed)
        self.moved = dict.fromkeys(candidates, 0.0)  # share of the worlds in which a candidate is not as in nature
        self.replaced: list[frozenset[int]] = []  # in each world, what got another example's value
        for draw, graph in enumerate(graphs):
            rng = np.random.default_rng([seed, 1, draw])
            tables.append(self._world(columns, natural, graph, target, chance, rng))
        self.folds = []
        for fold in range(FOLDS):
            held = self.fold_of == fold
            if len(set((self.labels[held] > 0).tolist())) < 2:  # a class has fewer examples than there are folds
                continue
            equations = _normal_equations(natural[~held], self.labels[~held])
            self.folds.append(Fold(np.array([table[held] for table in tables]), self.labels[held] > 0, *equations))

    def _world(self, columns, natural, graph: Drawn, target: int, chance, rng) -> np.ndarray:
        """The candidates' columns after one manipulation."""
        replaced = set()

        def is_manipulated(x) -> bool:
            if rng.random() >= chance(x):
                return False
            replaced.add(x)
            return True

        moved = manipulated_world(columns, self.labels, graph, target, is_manipulated, lambda: self._shuffle(rng))
        self.replaced.append(frozenset(replaced))
        table = natural.copy()
        for x in moved.keys() & self.place.keys():
            table[:, self.place[x]] += moved[x]
            self.moved[x] += 1 / self.draws
        return table

    def _shuffle(self, rng) -> np.ndarray:
        """A permutation of the examples within each fold."""
        order = np.empty(len(self.labels), dtype=np.int64)
        for fold in range(FOLDS):
            rows = np.flatnonzero(self.fold_of == fold)
            order[rows] = rng.permutation(rows)
        return order

    def expect(self, members: Iterable[int]) -> Expectation:
        """The expected AUC of one set of candidates."""
        members = tuple(members)
        return self._expect(members, {members: 1})

    def expect_hedged(self, members: Iterable[int]) -> Expectation:
        """The expected AUC of an ensemble in which each machine has the panel of one world."""
        members = tuple(members)
        return self._expect(members, self.panels(members))

    def panels(self, members: Iterable[int]) -> dict[tuple[int, ...], int]:
        """What each world leaves in its place, and in how many worlds it is that; worlds that leave nothing are out."""
        members = tuple(members)
        left = [tuple(x for x in members if x not in replaced) for replaced in self.replaced]
        return {panel: left.count(panel) for panel in sorted(set(left), key=left.index) if panel}

    def _expect(self, members: tuple[int, ...], panels: Mapping[tuple[int, ...], int]) -> Expectation:
        """Of a sum of machines, one for each panel with its weight."""
        areas = np.zeros(1 + self.draws)
        for fold in self.folds:
            weights = np.zeros(len(self.place))
            for panel, count in panels.items():
                use = sorted(self.place[x] for x in panel)
                weights[use] += count * np.linalg.solve(fold.gram[np.ix_(use, use)], fold.goal[use])
            scores = fold.tables.reshape(-1, len(self.place)) @ weights
            areas += _aucs(scores.reshape(len(areas), -1), fold.positive) / len(self.folds)
        manipulated = areas[1:] if len(areas) > 1 else areas
        error = float(manipulated.std(ddof=1) / np.sqrt(len(manipulated))) if len(manipulated) > 1 else 0.0
        return Expectation(members, float(manipulated.mean()), error, float(areas[0]))


def below_target(graphs: Sequence[Drawn], candidates: Iterable[int]) -> dict[int, float]:
    """In which share of the graphs each candidate is below the target."""
    below = [set(graph.descendants) for graph in graphs]
    return {x: float(np.mean([x in one for one in below])) if below else 0.0 for x in candidates}


def eliminate(
    worlds: Worlds,
    candidates: Sequence[int],
    open_ones: Iterable[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Expectation]:
    """The path of backward elimination, from all candidates to one; the open ones go first (all, if not named).

    Who goes is decided by the AUC of normal scores (`_Moments`), which takes a fraction of the time of ranking them;
    the expectations of the path are exact.
    """
    left = list(candidates)
    open_ones = set(left if open_ones is None else open_ones)
    moments = _Moments(worlds)
    path = [worlds.expect(left)]
    while len(left) > 1:
        if progress:
            progress(len(candidates) - len(left), len(candidates) - 1)
        may_go = [x for x in left if x in open_ones] or left
        without = moments.without_each(left)
        going = sorted(may_go, key=lambda x: (-without[x], -left.index(x)))
        for x in going[: max(1, len(may_go) // STEPS)]:
            left.remove(x)
        path.append(worlds.expect(left))
    return path


class _Moments:
    """Means and covariances of the candidates in every world, from which the AUC of normal scores follows."""

    def __init__(self, worlds: Worlds):
        self.place = worlds.place
        self.folds = []
        for fold in worlds.folds:
            tables = fold.tables[1:] if len(fold.tables) > 1 else fold.tables
            parts = tables[:, fold.positive], tables[:, ~fold.positive]
            means = [part.mean(axis=1) for part in parts]
            spread = [np.einsum("kni,knj->kij", c, c, optimize=True) / c.shape[1] for c in _centred(parts, means)]
            self.folds.append((fold.gram, fold.goal, means[0] - means[1], spread[0] + spread[1]))

    def without_each(self, left: Sequence[int]) -> dict[int, float]:
        """The expected AUC of the set without each of its members."""
        from scipy.special import ndtr

        use = [self.place[x] for x in left]
        areas = np.zeros(len(left))
        for gram, goal, distance, spread in self.folds:
            inverse = np.linalg.inv(gram[np.ix_(use, use)])
            weights = inverse @ goal[use]
            without = weights[None, :] - (weights / np.diag(inverse))[:, None] * inverse  # a row for each that goes
            gap = without @ distance[:, use].T
            within = np.stack([((without @ s) * without).sum(axis=1) for s in spread[:, use][:, :, use]], axis=1)
            areas += ndtr(gap / np.sqrt(np.maximum(within, 1e-12))).mean(axis=1) / len(self.folds)
        return dict(zip(left, np.round(areas, 9).tolist(), strict=True))


def _centred(parts, means):
    return [part - mean[:, None, :] for part, mean in zip(parts, means, strict=True)]


def order_of_trust(path: Sequence[Expectation]) -> list[int]:
    """All candidates, the one that went last first."""
    order: list[int] = []
    for step in reversed(path):
        order += [x for x in step.members if x not in order]
    return order


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
    """Of a ridge regression on the labels, both classes with the same total weight."""
    weight = np.where(y > 0, 0.5 / np.mean(y > 0), 0.5 / np.mean(y <= 0))
    centred = X - np.average(X, axis=0, weights=weight)
    scaled = centred * weight[:, None]
    return scaled.T @ centred + RIDGE * np.eye(X.shape[1]), scaled.T @ np.sign(y)


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
