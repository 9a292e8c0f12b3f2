"""The region around the target: breadth-first search by MMPC (thesis, algorithm 8 and V.2.3).

To orient the edges at the target one needs the v-structures among its neighbours, and to see those one must have
conditioned on parents that lie further out; hence a region of depth 3, searched to depth 4 (`outer_layer` has what
becomes of the outermost variables). Separating sets of all pairs in the region are kept: the Y-test relies on them
(`himation.orientation.separations`).

How far is far enough differs from network to network. ``expand_region`` goes on, edge by edge, until the v-structures
and Meek's rules direct every edge at the target, or nothing new is found, or a greatest depth is reached.

>>> import numpy as np
>>> from himation.independence import Oracle
>>> dag = np.zeros((4, 4), dtype=bool); dag[0, 1] = dag[1, 2] = dag[2, 3] = True     # a chain
>>> region = find_region(Neighbours(Oracle(dag)), target=0, depth=1)
>>> region.nodes, region.depth, region.edges
((0, 1, 2), (0, 1, 2), ((0, 1), (1, 2)))
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from himation.blanket.mmpc import Neighbours, mmpc
from himation.orientation.region_searches import FIRST, JOINED, KEPT, OUTER_LAYERS, PRUNED
from himation.orientation.separations import separations_of

DEPTH = 3
MOST_DEPTH = 6
MOST_VARIABLES = 400
_PIECE = 16  # nodes searched between two looks at how many variables there are


@dataclass(frozen=True)
class Region:
    """Nodes by their distance from the target (which is first), edges as pairs of nodes, and separations.

    ``separations[(a, b)]`` with a < b is the set that made the pair independent and the log p-value of that test;
    ``log_p[(a, b)]`` the weakest association met between the ends of an edge. ``complete`` is False if the search was
    cut off at ``most_variables``.
    """

    nodes: tuple[int, ...]
    depth: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    log_p: dict[tuple[int, int], float]
    separations: dict[tuple[int, int], tuple[tuple[int, ...], float]]
    complete: bool = True

    def skeleton(self) -> np.ndarray:
        """Adjacency between positions in ``nodes``."""
        where = {node: position for position, node in enumerate(self.nodes)}
        matrix = np.zeros((len(self.nodes), len(self.nodes)), dtype=bool)
        for a, b in self.edges:
            matrix[where[a], where[b]] = matrix[where[b], where[a]] = True
        return matrix

    def pattern(self) -> np.ndarray:
        """The PDAG, on positions in ``nodes``, that the separating sets imply: v-structures and Meek's rules."""
        from himation.orientation.pdags import pattern_from_separations

        where = {node: position for position, node in enumerate(self.nodes)}
        sets = {
            (where[a], where[b]): {where[c] for c in z if c in where} for (a, b), (z, _) in self.separations.items()
        }
        return pattern_from_separations(self.skeleton(), sets)

    def within(self, depth: int) -> "Region":
        """The part at most ``depth`` edges from the target."""
        kept = tuple(node for node, away in zip(self.nodes, self.depth, strict=True) if away <= depth)
        inside = set(kept)
        edges = tuple(pair for pair in self.edges if inside.issuperset(pair))
        return Region(
            kept,
            self.depth[: len(kept)],
            edges,
            {pair: self.log_p[pair] for pair in edges},
            {pair: found for pair, found in self.separations.items() if inside.issuperset(pair)},
            self.complete,
        )


def expand_region(
    neighbours: Neighbours,
    target: int,
    depth: int = DEPTH,
    most_variables: int = MOST_VARIABLES,
    most_depth: int = MOST_DEPTH,
    progress: Callable[[int, int], None] | None = None,
    separating_sets: str = FIRST,
) -> tuple[Region, int]:
    """The region of the smallest depth, ``depth`` or more, that directs the target's edges; and that depth."""
    size = -1
    while True:
        region = find_region(neighbours, target, depth, most_variables, progress, separating_sets)
        graph = region.pattern()
        is_oriented = not (graph[0] & graph[:, 0]).any()
        if is_oriented or depth >= most_depth or not region.complete or len(region.nodes) == size:
            return region, depth
        size, depth = len(region.nodes), depth + 1


def find_region(
    neighbours: Neighbours,
    target: int,
    depth: int = DEPTH,
    most_variables: int = MOST_VARIABLES,
    progress: Callable[[int, int], None] | None = None,
    separating_sets: str = FIRST,
) -> Region:
    """Search to ``depth + 1`` edges from the target.

    A layer is searched in pieces: once ``most_variables`` are found, the rest is searched for edges among them only.
    """
    distance = {target: 0}
    layer, rim = [target], []
    edges: set[tuple[int, int]] = set()
    complete = True
    for level in range(1, depth + 2):
        found: list[int] = []
        for start in range(0, len(layer), _PIECE):
            piece = layer[start : start + _PIECE]
            if len(distance) >= most_variables:
                rim += piece
                complete = False
                continue
            neighbours.prefetch(piece)
            neighbours.prefetch(y for x in piece for y in neighbours.plain(x).members)
            for done, x in enumerate(piece):
                if progress:
                    progress(start + done, len(layer))
                for y in neighbours.of(x):
                    if y not in distance and len(distance) >= most_variables:
                        complete = False
                        continue
                    edges.add((min(x, y), max(x, y)))
                    if y not in distance:
                        distance[y] = level
                        found.append(y)
        layer = sorted(found)
    rim += layer
    nodes = tuple(sorted(distance, key=lambda node: (distance[node], node)))
    edges |= _edges_of_the_rim(neighbours, rim, distance)
    return Region(
        nodes,
        tuple(distance[node] for node in nodes),
        tuple(sorted(edges)),
        {pair: _edge_log_p(neighbours, *pair) for pair in sorted(edges)},
        separations_of(neighbours, nodes, edges, separating_sets),
        complete,
    )


def _edges_of_the_rim(neighbours, rim, distance) -> set[tuple[int, int]]:
    """Edges of nodes whose neighbours outside the region are not wanted: those of the outermost layer, mostly."""
    neighbours.prefetch(rim)
    if neighbours.symmetry == "and":  # what lies outside need not be searched from
        named = {(x, y) for x in rim for y in neighbours.plain(x).members if y in distance}
        return {(min(x, y), max(x, y)) for x, y in named if x in neighbours.plain(y).members}
    return {(min(x, y), max(x, y)) for x in rim for y in neighbours.of(x) if y in distance}


def _edge_log_p(neighbours, a, b) -> float:
    return max(neighbours.plain(x).association(y) for x, y in ((a, b), (b, a)))


def outer_layer(neighbours: Neighbours, region: Region, depth: int, what: str) -> Region:
    """The region with its variables more than ``depth`` edges from the target kept, pruned (thesis, algorithm 8), or
    kept and joined among themselves as far as they need it once nothing beyond them is known (algorithm 9,
    RegionDSepMMHC): separations of inner variables can then be read from the region's graph."""
    if what == KEPT:
        return region
    if what == PRUNED:
        return region.within(depth)
    if what != JOINED:
        raise ValueError(f"the outer layer is {', '.join(OUTER_LAYERS)}, not {what!r}")
    rim = np.array([x for x, away in zip(region.nodes, region.depth, strict=True) if away > depth], dtype=np.int64)
    log_p = dict(region.log_p)
    for x in rim.tolist():
        run = mmpc(neighbours.test, x, neighbours.alpha, neighbours.max_conditioning, rim)
        for y in run.members:
            pair = min(x, y), max(x, y)
            log_p[pair] = max(log_p.get(pair, -np.inf), run.association(y))
    separations = {pair: found for pair, found in region.separations.items() if pair not in log_p}
    return replace(region, edges=tuple(sorted(log_p)), log_p=log_p, separations=separations)
