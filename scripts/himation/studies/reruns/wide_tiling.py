"""Tiled networks with a given number of edges between the tiles, as in table IV-1 of the thesis.

`studies.reruns.tiling` makes chains, in which a root has one parent from the tile before. The thesis's networks have
more edges than roots (Ins10: 36 edges into 18 roots) and small diameters. Here a root may have several parents, from
any earlier tile. Every tile still keeps its distribution: parents of different roots of one tile have no ancestor in
common anywhere, so that the roots stay independent, and the table of a root averages to its old one over the joint
distribution of its parents. What one tile can't take under these rules is left to the next.

>>> coin = Network(("a", "b"), ((), (0,)), (np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])))
>>> whole = tile_widely(coin, copies=3, n_edges=4, seed=0)
>>> int(whole.dag.sum()), [len(whole.parents[j]) for j in (0, 2, 4)]
(7, [0, 2, 2])
"""

import numpy as np

from himation.studies.reruns.tiling import Network, linked_table

MOST_PARENTS = 3  # of one root, from other tiles
_MOST_ANCESTORS = 40  # of one root: the joint distribution of its parents is computed exactly


def tile_widely(part: Network, copies: int, n_edges: int, seed: int) -> Network:
    """``copies`` of a network with, if the rules allow it, ``n_edges`` edges between them."""
    rng = np.random.default_rng(seed)
    whole = Network(tuple(f"{name}_1" for name in part.names), part.parents, part.tables)
    left = n_edges
    for k in range(1, copies):
        quota = -(-left // (copies - k))
        feeding = _choose(whole, part, quota, rng)
        left -= sum(map(len, feeding.values()))
        whole = _append(whole, part, feeding, k + 1)
    return whole


def _choose(whole: Network, part: Network, quota: int, rng) -> dict[int, tuple[int, ...]]:
    """Parents for roots of the next tile: first one for each, then more, in lineages that share no ancestor. Those that
    descend from a single source of the network go first, so that lineages are left for the other roots."""
    roots = rng.permutation([j for j in range(len(part.names)) if not part.parents[j]]).tolist()
    closure = _closures(whole)
    sources = frozenset(x for x in range(len(whole.names)) if not whole.parents[x])
    order = sorted(rng.permutation(len(whole.names)).tolist(), key=lambda x: len(closure[x] & sources) > 1)
    feeding: dict[int, tuple[int, ...]] = {}
    lineage: dict[int, frozenset[int]] = {}
    chosen = 0
    for _ in range(MOST_PARENTS):
        for root in roots:
            if chosen == quota:
                return feeding
            others = frozenset().union(*(found for other, found in lineage.items() if other != root))
            own, before = lineage.get(root, frozenset()), feeding.get(root, ())
            for x in order if not before else sorted(order, key=lambda x: len(closure[x] - own)):
                wider = own | closure[x]
                if x not in before and others.isdisjoint(closure[x]) and len(wider) <= _MOST_ANCESTORS:
                    feeding[root], lineage[root] = (*before, x), wider
                    chosen += 1
                    break
    return feeding


def _closures(network: Network) -> list[frozenset[int]]:
    """Each variable with all its ancestors; a tile's variables come in any order, tiles in theirs."""
    found: dict[int, frozenset[int]] = {}

    def of(x: int) -> frozenset[int]:
        if x not in found:
            found[x] = frozenset({x}).union(*(of(parent) for parent in network.parents[x]))
        return found[x]

    return [of(x) for x in range(len(network.names))]


def _append(whole: Network, part: Network, feeding: dict[int, tuple[int, ...]], number: int) -> Network:
    offset = len(whole.names)
    parents, tables = [], []
    for j in range(len(part.names)):
        if j in feeding:
            parents.append(feeding[j])
            tables.append(fed_table(joint(whole, feeding[j]), part.tables[j]))
        else:
            parents.append(tuple(offset + parent for parent in part.parents[j]))
            tables.append(part.tables[j])
    names = tuple(f"{name}_{number}" for name in part.names)
    return Network(whole.names + names, whole.parents + tuple(parents), whole.tables + tuple(tables))


def joint(network: Network, variables: tuple[int, ...]) -> np.ndarray:
    """The exact joint distribution of variables with few ancestors."""
    closures, wanted = _closures(network), set()
    for x in variables:
        wanted |= closures[x]
    letter = {node: i for i, node in enumerate(sorted(wanted))}
    operands = []
    for node in sorted(wanted):
        operands += [network.tables[node], [letter[v] for v in (*network.parents[node], node)]]
    return np.einsum(*operands, [letter[x] for x in variables], optimize="greedy")


def fed_table(parents: np.ndarray, child: np.ndarray) -> np.ndarray:
    """P(child | parents) that averages to the child's own distribution: joint values of the parents in the order of
    the sum of their levels, and the more of it the larger the child."""
    levels = np.indices(parents.shape).reshape(parents.ndim, -1)
    sums = (levels / (np.array(parents.shape)[:, None] - 1)).sum(axis=0)
    order = np.lexsort((np.arange(sums.size), sums))
    order = order[parents.ravel()[order] > 0]
    table = np.tile(child, (parents.size, 1))
    table[order] = linked_table(parents.ravel()[order], child)
    return table.reshape(*parents.shape, len(child))
