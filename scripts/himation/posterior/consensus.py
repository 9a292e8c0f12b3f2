"""One network out of the sampled ones: the edges that most of them have, and tables of chances where all is discrete.

Shares are over the networks that hold both ends. Edges enter from the surest down, and one that would close a directed
cycle is left out, so that the consensus is a network again.

>>> consensus({(0, 1): 0.9, (1, 2): 0.8, (2, 0): 0.6, (0, 3): 0.3})
[(0, 1), (1, 2)]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.graphs import from_edges, reached, topological_order
from himation.posterior.networks import Networks
from himation.table import CONTINUOUS, Table

MAJORITY = 0.5
MOST_CELLS = 100_000  # of a table of chances
PRIOR = 1.0  # examples that the prior of a row counts as, spread evenly

Edge = tuple[int, int]


@dataclass(frozen=True)
class Chances:
    """A node with its parents, and its chances: an axis for each parent and, last, for the node's own values."""

    node: int
    parents: tuple[int, ...]
    table: np.ndarray


def edge_shares(networks: Networks, target: int) -> dict[Edge, float]:
    """The share of the networks that have an edge, of those that hold both ends; edges of none are absent."""
    counts: dict[Edge, float] = {}
    held: dict[Edge, int] = {}
    for chain in networks.chains:
        nodes, drawn = [*chain.variables, target], chain.graphs.sum(axis=0)
        for i, a in enumerate(nodes):
            for j, b in enumerate(nodes):
                if i != j:
                    held[a, b] = held.get((a, b), 0) + len(chain.graphs)
                    counts[a, b] = counts.get((a, b), 0.0) + float(drawn[i, j])
    return {edge: counts[edge] / held[edge] for edge in sorted(counts) if counts[edge]}


def consensus(shares: Mapping[Edge, float], least: float = MAJORITY) -> list[Edge]:
    """The edges above a share that together have no directed cycle, sorted."""
    kept: list[Edge] = []
    after: dict[int, set[int]] = {}
    for a, b in sorted(shares, key=lambda edge: (-shares[edge], edge)):
        if shares[a, b] < least or a == b or a in reached(b, lambda x: after.get(x, ())):
            continue
        kept.append((a, b))
        after.setdefault(a, set()).add(b)
    return sorted(kept)


def values_of(table: Table, node: int) -> list[str]:
    """Words for the values of a discrete node; the target is the node after the last variable."""
    if node == table.n_variables:
        return [table.labels[-1], table.labels[1]]
    return [str(level) for level in table.levels_of(node)[: table.arity(node)]]


def fitted(table: Table, nodes: list[int], edges: list[Edge]) -> list[Chances]:
    """The chances of every node, causes first, from the training rows."""
    numbers = [table.names[x] for x in nodes if x != table.n_variables and table.kinds[x] == CONTINUOUS]
    if numbers:
        raise UserError(f"a network of tables needs discrete variables: {numbers[0]!r} is a number")
    place = {node: i for i, node in enumerate(nodes)}
    codes = {x: table.target_codes() if x == table.n_variables else table.codes([x])[0][0] for x in nodes}
    arity = {x: len(values_of(table, x)) for x in nodes}
    found = []
    for i in topological_order(from_edges(len(nodes), [(place[a], place[b]) for a, b in edges])):
        node = nodes[i]
        parents = tuple(a for a, b in edges if b == node)
        shape = [arity[x] for x in (*parents, node)]
        if np.prod(shape, dtype=float) > MOST_CELLS:
            raise UserError(f"a table of chances with {int(np.prod(shape, dtype=float)):,} cells is too large to write")
        counts = np.full(shape, PRIOR / arity[node])
        np.add.at(counts, tuple(np.asarray(codes[x]).astype(np.int64) for x in (*parents, node)), 1)
        found.append(Chances(node, parents, counts / counts.sum(axis=-1, keepdims=True)))
    return found
