"""Random graphs, and what definitions say of a graph, for the tests alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from himation.graphs import DSeparation, children, descendants, manipulated_blanket, skeleton_of
from himation.orientation.pdags import compelled, undirected


def random_dag(
    n: int,
    rng: np.random.Generator,
    edges: int | None = None,
    expected_degree: float | None = None,
    max_parents: int | None = None,
) -> np.ndarray:
    """A random DAG over a random order of the nodes, by number of `edges` or by `expected_degree` (one of the two).

    With `edges`, pairs are drawn without replacement until there are that many; with `expected_degree`, each pair is an
    edge with probability expected_degree / (n - 1). A pair whose later node already has `max_parents` is passed over,
    so there may be fewer edges than asked for.
    """
    earlier, later = np.triu_indices(n, k=1)
    drawn = rng.permutation(len(earlier))
    if expected_degree is not None:
        edges = len(drawn)
        drawn = drawn[rng.random(len(drawn)) < expected_degree / max(n - 1, 1)]
    node = rng.permutation(n)
    room = np.full(n, n if max_parents is None else max_parents)
    dag = np.zeros((n, n), dtype=bool)
    for pair in drawn:
        if edges == 0:
            break
        child = later[pair]
        if room[child] > 0:
            dag[node[earlier[pair]], node[child]] = True
            room[child] -= 1
            edges -= 1
    return dag


def d_separated(dag: np.ndarray, x: int, y: int, z: Iterable[int] = ()) -> bool:
    """Whether `z` d-separates `x` from `y`. For many questions about one graph keep a `DSeparation`."""
    return DSeparation(dag).separated(x, y, z)


def theorem_v1_violations(dag: np.ndarray, t: int, manipulated: Collection[int]) -> list[tuple[int, int]]:
    """Pairs (manipulated child C of `t`, descendant D of C in MB_M(T)); without any, theorem V.1 holds.

    Both "child" and "descendant" refer to the natural graph, as in the theorem.
    """
    if t in manipulated:
        raise ValueError("theorem V.1 is about a target that is not manipulated itself")
    blanket = manipulated_blanket(dag, t, manipulated)
    touched = sorted(children(dag, t) & frozenset(manipulated))
    return [(c, d) for c in touched for d in sorted(descendants(dag, c) & blanket)]


def v_structures(graph: np.ndarray) -> list[tuple[int, int, int]]:
    """Triples (a, c, b), a < b, with directed edges a -> c <- b and a, b not adjacent."""
    directed, adjacent = compelled(graph), skeleton_of(graph)
    found = []
    for c in range(len(graph)):
        tails = [int(v) for v in np.flatnonzero(directed[:, c])]
        found += [(a, c, b) for k, a in enumerate(tails) for b in tails[k + 1 :] if not adjacent[a, b]]
    return found


def consistent_extension(pdag: np.ndarray) -> np.ndarray | None:
    """A DAG with the skeleton, the directed edges and exactly the v-structures of `pdag`; None if there is none.

    Of several such DAGs, the one found by removing, each time, the possible sink of the smallest number.
    """
    dag, graph = pdag.copy(), pdag.copy()
    left = list(range(len(pdag)))
    while left:
        sink = next((v for v in left if _may_be_sink(graph, v)), None)
        if sink is None:
            return None
        dag[sink, undirected(graph)[sink]] = False
        graph[sink] = graph[:, sink] = False
        left.remove(sink)
    return dag


def _may_be_sink(graph: np.ndarray, v: int) -> bool:
    """No edge leaves v, and each undirected neighbour of v is adjacent to all the others around v."""
    if (graph[v] & ~graph[:, v]).any():
        return False
    around = skeleton_of(graph)[v]
    for u in np.flatnonzero(graph[v]):
        others = around.copy()
        others[u] = False
        if (others & ~graph[u] & ~graph[:, u]).any():
            return False
    return True
