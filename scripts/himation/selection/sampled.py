"""Networks around the target, drawn from their posterior, and what they say of each variable.

`himation.orientation.orders` draws directed graphs of a hundred variables at most. Here these are chosen: what is
related to the target, strongest first, and what goes most with those (the causes of an effect tell it from a cause,
and are themselves unrelated to the target). Numbers are squashed a little, since a few extreme values decide a
correlation.

A posterior of one set of variables can be certain and wrong, because something that is not among them acts on two that
are. So the networks are drawn in several runs, each without a part of the variables that stand far from the target:
what depends on who was looked at shows as doubt.

Shares of the graphs answer questions about a variable. ``above``: is it an ancestor of the target? ``below``: is it a
descendant? ``intact``: would it still predict the target if anything may be manipulated? A parent would; an ancestor
only while nobody sets what lies between, and here everything in between is set with a chance of one half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from himation.orientation.orders import Sampling, sample_graphs
from himation.selection.ancestry import MOST_RELATED, RELATED

MOST_NODES = 100
SQUASH = 3.0  # standard deviations: numbers stay below
RUNS = 8
LEFT_OUT = 0.25  # of the variables, in each run
ALWAYS_IN = 20  # strongest ones that are in every run
SET_BETWEEN = 0.5  # chance that a variable on the way to the target is set
DRAWS = 4  # manipulations for each graph
_DIGITS = 6
_CHUNK = 2048


@dataclass(frozen=True)
class Network:
    """Nodes, the target last, and graphs by node by node."""

    nodes: tuple[int, ...]
    graphs: np.ndarray


@dataclass(frozen=True)
class Shares:
    """What part of the graphs has a variable above the target, below it, as a parent, as a child; and ``intact``."""

    above: float
    below: float
    parent: float
    child: float
    intact: float


def draw_networks(
    columns: Callable[[Sequence[int]], np.ndarray],
    r: np.ndarray,
    labels: np.ndarray,
    codes: Callable[[Sequence[int]], np.ndarray | None],
    progress: Callable[[int, int], None] | None = None,
) -> list[Network]:
    """Sample networks in several runs. ``columns`` gives standardised variables, examples by variables, ``r`` their
    correlations with the target; ``codes`` gives, variables by examples, those of discrete variables, or None if one of
    them is not discrete."""
    chosen = choose_nodes(columns, r, len(labels))
    if not chosen:
        return []
    values = np.column_stack([SQUASH * np.tanh(columns(chosen) / SQUASH), labels])
    discrete = codes(chosen)
    if discrete is not None:
        discrete = np.vstack([discrete, labels > 0]).astype(np.int64)
    networks = []
    for run in range(RUNS):
        if progress:
            progress(run, RUNS)
        kept = np.random.default_rng([run, len(chosen)]).random(len(chosen)) >= LEFT_OUT
        kept[:ALWAYS_IN] = True
        use = [*np.flatnonzero(kept).tolist(), len(chosen)]
        sampling = Sampling(chains=1, seed=run + 1)
        graphs = sample_graphs(values[:, use], len(use) - 1, None if discrete is None else discrete[use], sampling)
        networks.append(Network((*(chosen[i] for i in use[:-1]), len(r)), graphs))
    return networks


def choose_nodes(columns: Callable[[Sequence[int]], np.ndarray], r: np.ndarray, n: int) -> list[int]:
    """Variables related to the target, strongest first, then in turn the strongest partner of each."""
    strength = np.round(np.abs(r), _DIGITS)
    chosen = _in_order(np.flatnonzero(np.sqrt(n) * strength > RELATED), strength, columns)[:MOST_RELATED]
    if not chosen:
        return []
    own = columns(chosen)
    parts = [np.arange(start, min(start + _CHUNK, len(r))) for start in range(0, len(r), _CHUNK)]
    ties = np.concatenate([np.round(np.abs(columns(part).T @ own / n), _DIGITS).astype(np.float32) for part in parts])
    ties[chosen] = 0.0
    related, before = len(chosen), 0
    while before < len(chosen) < MOST_NODES:
        before = len(chosen)
        for column in ties.T[: min(related, MOST_NODES - before)]:
            best = int(np.argmax(column + 1e-7 * strength))
            if np.sqrt(n) * column[best] > RELATED:
                chosen.append(best)
                ties[best] = 0.0
    return chosen


def _in_order(variables: np.ndarray, strength: np.ndarray, columns) -> list[int]:
    """Strongest first; of equally strong ones the more skewed, so that the order of the columns does not decide."""
    skew: dict[int, float] = {}
    for start in range(0, len(variables), _CHUNK):
        part = variables[start : start + _CHUNK]
        skew |= dict(zip(part.tolist(), np.round((columns(part) ** 3).mean(axis=0), _DIGITS).tolist(), strict=True))
    return sorted(skew, key=lambda x: (-strength[x], -skew[x], x))


def shares(networks: Sequence[Network], seed: int = 1) -> dict[int, Shares]:
    """What the graphs say of every variable in them: means over the runs that it takes part in."""
    found: dict[int, list[np.ndarray]] = {}
    for network in networks:
        target = len(network.nodes) - 1
        above, below, intact = _reaches(network.graphs, target, SET_BETWEEN, DRAWS, seed)
        parent, child = network.graphs[:, :, target].mean(axis=0), network.graphs[:, target, :].mean(axis=0)
        for x, row in zip(network.nodes[:-1], np.column_stack([above, below, parent, child, intact]), strict=False):
            found.setdefault(x, []).append(row)
    return {x: Shares(*np.mean(rows, axis=0).tolist()) for x, rows in found.items()}


@njit(cache=True)
def _reaches(graphs, target, chance, draws, seed):
    """Shares of graphs with each node above the target, below it, and above it through nothing that is set."""
    np.random.seed(seed)
    count, nodes = graphs.shape[0], graphs.shape[1]
    above, below, intact = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)
    free = np.zeros(nodes, np.bool_)
    for graph in graphs:
        above += _climb(graph, target, free)
        below += _climb(graph.T, target, free)
        for _ in range(draws):
            is_set = np.random.random(nodes) < chance
            is_set[target] = False
            intact += _climb(graph, target, is_set) / draws
    return above / count, below / count, intact / count


@njit(cache=True)
def _climb(graph, target, is_set):
    """Who reaches the target by a directed path, all between being free."""
    nodes = len(graph)
    found = np.zeros(nodes)
    stack, size = np.empty(nodes, np.int64), 1
    stack[0] = target
    while size:
        size -= 1
        at = stack[size]
        if is_set[at]:
            continue
        for x in range(nodes):
            if graph[x, at] and found[x] == 0:
                found[x] = 1
                stack[size] = x
                size += 1
    return found
