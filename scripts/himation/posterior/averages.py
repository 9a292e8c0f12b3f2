"""Averages over sampled networks: what each variable is to the target, and what to predict with.

A role is the share of the networks that have it. The blanket to predict with differs from network to network, and so
does what a manipulation does to it: a variable that somebody sets loses its causes. An ensemble whose machines take
these blankets, as many machines as their share, is the average over networks of their predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from himation.posterior.networks import Networks

DRAWS = 160  # networks, of all chains together, that panels are made of


@dataclass(frozen=True)
class Shares:
    """In what part of the networks a variable is an ancestor, a descendant, a parent, a child, a spouse of the target;
    ``error`` is the standard error of the parents' share, from what the chains disagree about."""

    ancestor: float
    descendant: float
    parent: float
    child: float
    spouse: float
    error: float


def shares(networks: Networks) -> dict[int, Shares]:
    """Of every variable in a network: means over the chains that it takes part in."""
    found: dict[int, list[np.ndarray]] = {}
    for chain in networks.chains:
        roles = _roles(chain.graphs) / len(chain.graphs)
        for x, row in zip(chain.variables, roles, strict=True):
            found.setdefault(x, []).append(row)
    return {x: Shares(*np.mean(rows, axis=0).tolist(), _error(rows)) for x, rows in found.items()}


def _error(rows) -> float:
    parents = np.array(rows)[:, 2]
    return float(parents.std(ddof=1) / np.sqrt(len(parents))) if len(parents) > 1 else 0.0


@njit(cache=True)
def _roles(graphs):
    """Of every node but the target: in how many graphs it is an ancestor, descendant, parent, child and spouse."""
    nodes = graphs.shape[1]
    target = nodes - 1
    counts = np.zeros((nodes - 1, 5))
    for graph in graphs:
        above, below = _climb(graph, target), _climb(graph.T, target)
        for x in range(target):
            counts[x, 0] += above[x]
            counts[x, 1] += below[x]
            counts[x, 2] += graph[x, target]
            counts[x, 3] += graph[target, x]
            if not graph[x, target] and not graph[target, x]:
                for child in range(target):
                    if graph[target, child] and graph[x, child]:
                        counts[x, 4] += 1
                        break
    return counts


@njit(cache=True)
def _climb(graph, target):
    """Who reaches the target by a directed path."""
    nodes = len(graph)
    found, stack, size = np.zeros(nodes), np.empty(nodes, np.int64), 1
    stack[0] = target
    while size:
        size -= 1
        at = stack[size]
        for x in range(nodes):
            if graph[x, at] and found[x] == 0:
                found[x] = 1
                stack[size] = x
                size += 1
    return found


def panels(networks: Networks, is_set: Callable[[int], bool], draws: int = DRAWS) -> dict[tuple[int, ...], int]:
    """Blankets of the target once what is set has lost its causes, and in how many of the networks each is it; a
    network that leaves nothing has no panel."""
    found: dict[tuple[int, ...], int] = {}
    for graph, variables in spread(networks, draws):
        cut = [i for i, x in enumerate(variables) if is_set(x)]
        panel = tuple(sorted(variables[i] for i in manipulated_blanket(graph, cut)))
        if panel:
            found[panel] = found.get(panel, 0) + 1
    return found


def spread(networks: Networks, draws: int) -> list[tuple[np.ndarray, tuple[int, ...]]]:
    """Some networks, evenly from all chains, with their variables."""
    each = -(-draws // max(1, len(networks.chains)))
    found = []
    for chain in networks.chains:
        chosen = np.unique(np.linspace(0, len(chain.graphs) - 1, min(each, len(chain.graphs))).round().astype(int))
        found += [(chain.graphs[k], chain.variables) for k in chosen]
    return found


def manipulated_blanket(graph: np.ndarray, cut: Sequence[int]) -> list[int]:
    """Parents, children and the children's other parents of the last node, without the arrows into what is cut."""
    graph = graph.copy()
    graph[:, list(cut)] = False
    target = len(graph) - 1
    children = np.flatnonzero(graph[target])
    members = graph[:, target] | graph[target] | graph[:, children].any(axis=1)
    members[target] = False
    return np.flatnonzero(members).tolist()


def inclusion(panels_found: dict[tuple[int, ...], int]) -> dict[int, float]:
    """The share of the panels that hold each variable, surest first."""
    total, counts = sum(panels_found.values()), {}
    for panel, weight in panels_found.items():
        for x in panel:
            counts[x] = counts.get(x, 0) + weight
    return {x: counts[x] / total for x in sorted(counts, key=lambda x: (-counts[x], x))}
