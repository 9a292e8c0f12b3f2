"""Manipulated worlds: what the examples at hand would look like, had somebody set some of the variables.

Nobody sees the manipulated distribution before the test. But the oriented graphs say, each with its own chance of
being right, what a manipulation would do. A world is drawn so:

1. a graph, in turn from those found under all settings and resamples; what it leaves undirected is directed at random;
2. doubt: graphs of all resamples share the errors of one sample, and their unanimity is not certainty. Each candidate
   has a chance of being no cause of the target that rests on more than the graphs (`himation.selection.ancestry`), and
   is moved below the target, or lifted from there, in as many worlds as it takes to meet it;
3. the manipulated variables, each with its chance. A manipulated cause still causes the target. What is below the
   target, if manipulated, gets another example's value in place of its own;
4. what is below the target and was not manipulated follows: its value moves by what ridge regression on its parents in
   the graph predicts from their change. Its own noise, and its direct link to the target, stay.

The target and all that is not below it stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

RIDGE = 1.0  # in units of one example


@dataclass(frozen=True)
class Drawn:
    """A directed graph over the region: the parents of every node, and the target's descendants, causes first."""

    parents: dict[int, tuple[int, ...]]
    descendants: tuple[int, ...]


def draw_graphs(nodes: Sequence[int], pdags: Sequence[np.ndarray], target: int, draws: int, seed: int) -> list[Drawn]:
    """Directed graphs, the PDAGs in turn, each undirected edge directed at random without new colliders."""
    return [
        _describe(nodes, random_extension(pdags[i % len(pdags)], np.random.default_rng([seed, i])), target)
        for i in range(draws)
    ]


def random_extension(pdag: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A directed graph of the PDAG's class: orient one undirected edge at random, draw Meek's conclusions, repeat."""
    from himation.orientation.pdags import meek

    graph = pdag.copy()
    while True:
        free = np.argwhere(np.triu(graph & graph.T))
        if not len(free):
            return graph
        a, b = free[rng.integers(len(free))]
        if rng.random() < 0.5:
            a, b = b, a
        graph[b, a] = False
        graph = meek(graph)


def _describe(nodes, graph, target) -> Drawn:
    from himation.graphs import topological_order

    order = topological_order(graph)
    order = range(len(graph)) if order is None else order
    start = list(nodes).index(target)
    below: set[int] = {start}
    for i in order:
        if any(j in below for j in np.flatnonzero(graph[:, i])):
            below.add(int(i))
    parents = {nodes[i]: tuple(nodes[j] for j in np.flatnonzero(graph[:, i])) for i in range(len(graph))}
    return Drawn(parents, tuple(nodes[i] for i in order if i in below and i != start))


def with_doubt(graphs: Sequence[Drawn], chance: Mapping[int, float], seed: int) -> list[Drawn]:
    """The graphs with variables put below the target, or lifted from there, so that each is below with its chance.

    As many are changed as it takes to meet the chance exactly, which of them is drawn: worlds left to luck would differ
    by more than the chances of a slightly different sample do.
    """
    below = [set(graph.descendants) for graph in graphs]
    added: list[list[int]] = [[] for _ in graphs]
    for number, (x, wanted) in enumerate(chance.items()):
        rng = np.random.default_rng([seed, 2, number])
        inside = [i for i, one in enumerate(below) if x in one]
        outside = [i for i, one in enumerate(below) if x not in one]
        missing = round(wanted * len(graphs)) - len(inside)
        for i in rng.permutation(outside)[: max(missing, 0)]:
            added[i].append(x)
        for i in rng.permutation(inside)[: max(-missing, 0)]:
            below[i].discard(x)
    return [
        Drawn(graph.parents, (*new, *(x for x in graph.descendants if x in kept)))
        for graph, new, kept in zip(graphs, added, below, strict=True)
    ]


def manipulated_world(
    columns: dict[int, np.ndarray],
    labels: np.ndarray,
    graph: Drawn,
    target: int,
    is_manipulated: Callable[[int], bool],
    shuffle: Callable[[], np.ndarray],
) -> dict[int, np.ndarray]:
    """The change of every variable that changes. ``shuffle`` gives a new order of the examples at each call."""
    moved: dict[int, np.ndarray] = {}
    for x in graph.descendants:
        if x not in columns:
            continue
        if is_manipulated(x):
            moved[x] = columns[x][shuffle()] - columns[x]
            continue
        parents = [p for p in graph.parents.get(x, ()) if p == target or p in columns]
        followed = [p for p in parents if p in moved]
        if followed:
            design = np.column_stack([labels if p == target else columns[p] for p in parents]).astype(float)
            weights = dict(zip(parents, _ridge(design, columns[x]), strict=True))
            moved[x] = sum(weights[p] * moved[p] for p in followed)
    return moved


def _ridge(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    centred = X - X.mean(axis=0)
    return np.linalg.solve(centred.T @ centred + RIDGE * np.eye(X.shape[1]), centred.T @ (y - y.mean()))
