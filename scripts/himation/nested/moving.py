"""Held-out rows as they would be once somebody has set variables, according to one network.

A manipulated cause still causes the target. What is below the target and was set gets another row's value in place of
its own; what is below it and was not set follows, by what ridge regression on its parents in the network says of their
change. The target, and all that is not below it, stay as they are.
"""

from collections.abc import Callable, Sequence

import numpy as np

from himation.graphs import topological_order
from himation.models.constructed import Constructed, product
from himation.posterior.averages import spread
from himation.posterior.manipulation import Inferred, manipulated
from himation.posterior.networks import Networks
from himation.table import Table

DRAWS = 80
Drawn = tuple[np.ndarray, tuple[int, ...], np.ndarray]  # a network, its variables, and which of them were set


def drawn_worlds(networks: Networks, is_set: Callable[[int], bool], inferred: Inferred | None = None) -> list[Drawn]:
    """Networks to take worlds from, with what was set: by name, or as the test table says."""
    if inferred is None:
        return [(graph, own, np.array([is_set(x) for x in own], dtype=bool)) for graph, own in spread(networks, DRAWS)]
    told = list(manipulated(inferred))
    ends = np.cumsum([weight for _, _, weight in told])
    places = np.searchsorted(ends, (np.arange(DRAWS) + 0.5) / DRAWS * ends[-1]) if told else []
    return [(told[k][0].graph, told[k][0].variables, told[k][1]) for k in places]


class Moved:
    """The test part of a table, with changed variables: ``order`` has whose value each set one gets, ``change`` what is
    added to those that follow."""

    def __init__(self, table: Table):
        self.table = table
        self.order: dict[int, np.ndarray] = {}
        self.change: dict[int, np.ndarray] = {}

    def numbers(self, x: int) -> np.ndarray:
        found = self.table.numbers(x, "test")
        if x in self.order:
            return found[self.order[x]]
        return found + self.change[x] if x in self.change else found

    def columns(self, variables: Sequence[int], features: Sequence[Constructed] = ()) -> np.ndarray:
        """What a model sees; a variable of words that follows stays as it is."""
        blocks = []
        for x in variables:
            own = self.table.features([x], "test")
            if x in self.order:
                own = own[self.order[x]]
            elif x in self.change and self.table.n_features(x) == 1:
                own = own + self.change[x][:, None]
            blocks.append(own)
        blocks += [product(self.table, feature, self.numbers)[:, None] for feature in features]
        return np.column_stack(blocks) if blocks else np.empty((self.table.part("test").n, 0))


def move(
    table: Table, graph: np.ndarray, own: Sequence[int], is_set: Callable[[int], bool], rng: np.random.Generator
) -> Moved:
    """The world of one network, whose nodes are the variables ``own`` and, last, the target."""
    moved, target, below = Moved(table), len(own), {len(own)}
    labels = np.where(np.asarray(table.target) > 0, 1.0, -1.0)
    for i in topological_order(graph):
        parents = np.flatnonzero(graph[:, i]).tolist()
        if i == target or below.isdisjoint(parents):
            continue
        below.add(int(i))
        x = own[i]
        if is_set(x):
            moved.order[x] = rng.permutation(table.part("test").n)
            continue
        pushed = [p for p in parents if p != target and (own[p] in moved.order or own[p] in moved.change)]
        if pushed:
            design = [labels if p == target else table.numbers(own[p]) for p in parents]
            weights = dict(zip(parents, _ridge(np.column_stack(design), table.numbers(x)), strict=True))
            steps = [weights[p] * (moved.numbers(own[p]) - table.numbers(own[p], "test")) for p in pushed]
            moved.change[x] = np.sum(steps, axis=0)
    return moved


def _ridge(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Weights of a regression with a ridge of one example."""
    centred = X - X.mean(axis=0)
    return np.linalg.solve(centred.T @ centred + np.eye(X.shape[1]), centred.T @ (y - y.mean()))
