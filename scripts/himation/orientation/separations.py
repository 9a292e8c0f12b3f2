"""Which set separates a pair of a region, and with what p-value: the Y-test rests on it (thesis, V.2.5).

``first``    the set at which the search for parents and children gave the variable up;
``weakest``  the one with the weakest association of all sets that the search may condition on. That is algorithm 5 as
             printed: MinAssoc is a minimum over all subsets of the candidates, so what separates a pair is the set that
             attains it. A search that drops a variable at its first separating set never sees the others.

The p-score of a Y-test is a p-value of these sets, so the two differ in it: with ``weakest`` it says how independent
the pair can be made. Only pairs with a common neighbour are searched for it, as the Y-test looks at no others.
"""

from collections.abc import Collection, Sequence

import numpy as np

from himation.blanket.mmpc import Neighbours
from himation.orientation.region_searches import FIRST, SEPARATING_SETS

_ROUNDING = 1e-9

Separation = tuple[tuple[int, ...], float]


def separations_of(
    neighbours: Neighbours, nodes: Sequence[int], edges: Collection[tuple[int, int]], which: str = FIRST
) -> dict[tuple[int, int], Separation]:
    """Sets and log p-values of the pairs without an edge."""
    if which not in SEPARATING_SETS:
        raise ValueError(f"separating sets are {' or '.join(SEPARATING_SETS)}, not {which!r}")
    found = _first(neighbours, nodes, edges)
    return found if which == FIRST else found | _weakest(neighbours, edges, found)


def _first(neighbours, nodes, edges) -> dict[tuple[int, int], Separation]:
    """The tests of one variable given one set are made together."""
    alike: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    found: dict[tuple[int, int], Separation] = {}
    for i, x in enumerate(nodes):
        for y in nodes[i + 1 :]:
            a, b = min(x, y), max(x, y)
            z = None if (a, b) in edges else neighbours.separating_set(a, b)
            if z is not None:
                alike.setdefault((a, z), []).append(b)
                found[a, b] = (z, 0.0)
    for (a, z), others in alike.items():
        many = neighbours.test.many(a, np.array(others), z)
        for b, log_p in zip(others, np.where(many.reliable, many.log_p, 0.0).tolist(), strict=True):
            found[a, b] = (z, log_p)
    return found


def _weakest(neighbours, edges, first) -> dict[tuple[int, int], Separation]:
    """Of the pairs in ``first`` that have a common neighbour, by the runs around both ends."""
    around: dict[int, set[int]] = {}
    for a, b in edges:
        around.setdefault(a, set()).add(b)
        around.setdefault(b, set()).add(a)
    pairs = sorted({(min(a, b), max(a, b)) for near in around.values() for a in near for b in near if a != b})
    return {
        (a, b): max(
            [first[a, b], *(weakest_set(neighbours, x, y) for x, y in ((a, b), (b, a)))],
            key=lambda one: one[1],
        )
        for a, b in pairs
        if (a, b) in first
    }


def weakest_set(neighbours: Neighbours, x: int, y: int) -> Separation:
    """Of all subsets of the parents and children found around ``x``, the one given which ``y`` is associated least."""
    test, most = neighbours.test, neighbours.max_conditioning
    alone = test.test(x, y)
    best: Separation = ((), alone.log_p if alone.reliable else -np.inf)
    pool = np.array([z for z in neighbours.plain(x).members if z != y], dtype=np.int64)
    if not len(pool):
        return best
    other = np.array([y])
    largest = float(test.weakest(x, other, pool, 0, most, 0.0).log_p[0])
    if largest <= best[1]:
        return best
    attained = test.weakest(x, other, pool, 0, most, largest - _ROUNDING)
    return tuple(sorted(attained.sets[0, : attained.size[0]].tolist())), largest
