"""Averages over sampled networks: what each variable is to the target, and what to predict with.

A role is the share of the networks that have it. The blanket to predict with differs from network to network, and so
does what a manipulation does to it: a variable that somebody sets loses its causes. An ensemble whose machines take
these blankets, as many machines as their share, is the average over networks of their predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numba import njit

from himation.posterior.networks import Chain, Networks
from himation.posterior.reaching import reaches

MAJORITY = 0.5
LITTLE = 0.1  # chains agree on a variable if the error of P(parent) is no more, or if fewer networks have its edge


@dataclass(frozen=True)
class Shares:
    """In what part of the networks a variable is an ancestor, a descendant, a parent, a child, a spouse of the target;
    ``error`` is the standard error of the parents' share, from what the chains disagree about."""

    ancestor: float = 0.0
    descendant: float = 0.0
    parent: float = 0.0
    child: float = 0.0
    spouse: float = 0.0
    error: float = 0.0


@dataclass(frozen=True)
class Agreement:
    """The largest standard error of a neighbour's P(parent), and the neighbours that the chains disagree about."""

    largest_error: float
    least_sure: tuple[int, ...]

    @property
    def converged(self) -> bool:
        return not self.least_sure

    def words(self, name_of: Callable[[int], str]) -> str:
        """What the chains disagree about, and what to do."""
        named = ", ".join(name_of(x) for x in self.least_sure[:3])
        more = f" and {len(self.least_sure) - 3} more" if len(self.least_sure) > 3 else ""
        return (
            f"the chains disagree whether {named}{more} cause the target (standard error up to "
            f"{self.largest_error:.2f}): for longer ones set networks: {{chains: 64, sweeps: 800}} in config.yaml"
        )


def shares(networks: Networks) -> dict[int, Shares]:
    """Of every variable in a network: means over the chains that it takes part in."""
    found: dict[int, list[np.ndarray]] = {}
    for chain in networks.chains:
        roles = _roles(chain.graphs) / len(chain.graphs)
        for x, row in zip(chain.variables, roles, strict=True):
            found.setdefault(x, []).append(row)
    return {x: Shares(*(*np.mean(rows, axis=0).tolist(), _error(rows))) for x, rows in found.items()}


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
        above, below = reaches(graph, target), reaches(graph.T, target)
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


def agreement(found: Mapping[int, Shares]) -> Agreement:
    """Whether more or longer chains are wanted."""
    errors = {x: one.error for x, one in found.items() if one.parent + one.child >= LITTLE}
    unsure = sorted((x for x in errors if errors[x] > LITTLE), key=lambda x: (-errors[x], x))
    return Agreement(max(errors.values(), default=0.0), tuple(unsure))


def likely_neighbours(found: Mapping[int, Shares], known: Collection[int]) -> dict[int, float]:
    """Parents or children of the target in most networks that are not known yet, likeliest first, with that share."""
    edge = {x: one.parent + one.child for x, one in found.items() if x not in known}
    return {x: edge[x] for x in sorted(edge, key=lambda x: (-edge[x], x)) if edge[x] >= MAJORITY}


def panels(networks: Networks, is_set: Callable[[int], bool]) -> dict[tuple[int, ...], int]:
    """Blankets of the target once what is set has lost its causes, and in how many of the networks each is it; a
    network that leaves nothing has no panel."""
    found: dict[tuple[int, ...], int] = {}
    for chain in networks.chains:
        variables = np.array(chain.variables)
        for row in _blankets(chain, is_set):
            panel = tuple(np.sort(variables[row]).tolist())
            if panel:
                found[panel] = found.get(panel, 0) + 1
    return found


def inclusion(networks: Networks, is_set: Callable[[int], bool]) -> dict[int, float]:
    """The share of the networks, of those that hold a variable, in which it is in such a blanket; those above 0."""
    counts: dict[int, list[float]] = {}
    for chain in networks.chains:
        for x, share in zip(chain.variables, _blankets(chain, is_set).mean(axis=0).tolist(), strict=True):
            counts.setdefault(x, []).append(share)
    return {x: float(np.mean(parts)) for x, parts in counts.items() if any(parts)}


def _blankets(chain: Chain, is_set) -> np.ndarray:
    """The blanket of the target in every graph, once what is set has lost its causes: graphs by variables."""
    was_set = np.array([is_set(x) for x in chain.variables], dtype=np.bool_)
    return _all_left(chain.graphs, was_set)


@njit(cache=True)
def _all_left(graphs, was_set):
    found = np.zeros((len(graphs), len(was_set)), np.bool_)
    for k in range(len(graphs)):
        found[k] = left_over(graphs[k], was_set)[0]
    return found


@njit(cache=True)
def left_over(graph, was_set):
    """Who is in the target's blanket once what is set has lost its causes, and who is below an effect that was set.

    A machine learns from natural examples, in which an effect that is set later still tells of the target. Where such
    an effect acts on another, the two are read together, and both would mislead it (thesis, theorem V.1): the other is
    left out of the blanket as well.
    """
    n = len(was_set)
    members, tainted = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    stack, size = np.empty(n, np.int64), 0
    for x in range(n):
        if graph[n, x] and was_set[x]:
            stack[size] = x
            size += 1
    while size:
        size -= 1
        at = stack[size]
        for x in range(n):
            if graph[at, x] and not was_set[x] and not tainted[x]:
                tainted[x] = True
                stack[size] = x
                size += 1
    for x in range(n):
        members[x] |= graph[x, n]
        if graph[n, x] and not was_set[x] and not tainted[x]:
            members[x] = True
            for other in range(n):
                members[other] |= graph[other, x]
    return members, tainted


def below_child(networks: Networks, x: int) -> dict[int, float]:
    """The share of the networks, of those that hold x and another, in which x is a child of the target and the other a
    descendant of x."""
    found: dict[int, list[float]] = {}
    for chain in networks.chains:
        if x in chain.variables:
            counts = _below(chain.graphs, chain.variables.index(x)) / len(chain.graphs)
            for y, share in zip(chain.variables, counts[:-1].tolist(), strict=True):
                found.setdefault(y, []).append(share)
    return {y: float(np.mean(parts)) for y, parts in found.items()}


@njit(cache=True)
def _below(graphs, x):
    counts = np.zeros(graphs.shape[1])
    for graph in graphs:
        if graph[-1, x]:
            counts += reaches(graph.T, x)
    return counts


def spread(networks: Networks, draws: int) -> list[tuple[np.ndarray, tuple[int, ...]]]:
    """Some networks, evenly from all chains, with their variables."""
    each = -(-draws // max(1, len(networks.chains)))
    found = []
    for chain in networks.chains:
        chosen = np.unique(np.linspace(0, len(chain.graphs) - 1, min(each, len(chain.graphs))).round().astype(int))
        found += [(chain.graphs[k], chain.variables) for k in chosen]
    return found
