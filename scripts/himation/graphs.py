"""Directed acyclic graphs: separation, blankets, what a manipulation leaves of them, regions.

A graph on nodes 0 .. n-1 is a boolean matrix `a`, where `a[i, j]` says that there is an edge i -> j. A partially
directed graph (PDAG) is the same matrix, and `a[i, j]` with `a[j, i]` says that i - j is undirected;
`himation.orientation.pdags` works on those. Graphs here are small: the truth of a benchmark, or a region of some
hundred nodes.

- d-separation (Pearl 1988; thesis, definition IV.4) is decided by reachability along active trails in time linear in
  the edges (Koller and Friedman 2009, section 3.3.3): one search from x given z answers for every y at once.
- A manipulation of M cuts the edges into M. The blanket that is left, MB_M(T), loses the manipulated children of T and
  the spouses that only they brought, and keeps a manipulated parent (thesis, V.1.1).
- Theorem V.1 says when a model of T on MB_M(T), learned from natural data, is right under the manipulation: no
  manipulated child of T may have a descendant in MB_M(T).
- A region of depth d around T is the subgraph of the nodes at most d edges from T (definition IV.7).

The network of the thesis's figure V-1: T -> S, T -> C, S -> C. With S manipulated, S is still a spouse of T, and the
theorem fails because C, a descendant of S, stays in the blanket:

>>> T, S, C = 0, 1, 2
>>> dag = from_edges(3, [(T, S), (T, C), (S, C)])
>>> sorted(manipulated_blanket(dag, T, [S]))
[1, 2]
>>> sorted(manipulated_blanket(dag, T, [S, C]))
[]
"""

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator

import numpy as np

MAX_CACHED_SEARCHES = 100_000


def from_edges(n: int, edges: Iterable[tuple[int, int]]) -> np.ndarray:
    """The matrix of the graph on `n` nodes with the directed `edges` (from, to)."""
    graph = np.zeros((n, n), dtype=bool)
    for i, j in edges:
        graph[i, j] = True
    return graph


def skeleton_of(graph: np.ndarray) -> np.ndarray:
    """The symmetric matrix of adjacencies of a DAG or PDAG."""
    return graph | graph.T


def topological_order(dag: np.ndarray) -> list[int]:
    """Nodes with every parent before its children, smaller numbers first where there is a choice."""
    order = _causes_first(dag)
    if len(order) < len(dag):
        raise ValueError("only an acyclic graph has an order of its nodes")
    return order


def _causes_first(dag: np.ndarray) -> list[int]:
    """The same as far as it goes: without the nodes that a cycle leads to."""
    missing = dag.sum(axis=0)
    ready = [int(v) for v in np.flatnonzero(missing == 0)]
    order = []
    while ready:
        v = heapq.heappop(ready)
        order.append(v)
        for child in np.flatnonzero(dag[v]):
            missing[child] -= 1
            if missing[child] == 0:
                heapq.heappush(ready, int(child))
    return order


def is_acyclic(graph: np.ndarray) -> bool:
    """Whether the directed graph has no directed cycle (an undirected edge of a PDAG counts as one)."""
    return len(_causes_first(graph)) == len(graph)


def reached(start: int, beyond: Callable[[int], Iterable[int]]) -> frozenset[int]:
    """All that is met on a way from `start` by what lies `beyond` each; `start` itself only if a way leads back."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        for child in beyond(waiting.pop()):
            if child not in found:
                found.add(int(child))
                waiting.append(int(child))
    return frozenset(found)


def descendants(dag: np.ndarray, v: int) -> frozenset[int]:
    """Nodes that a directed path from `v` reaches; `v` itself is not one of them."""
    return reached(v, lambda u: np.flatnonzero(dag[u]))


def ancestors(dag: np.ndarray, v: int) -> frozenset[int]:
    """Nodes with a directed path to `v`; `v` itself is not one of them."""
    return reached(v, lambda u: np.flatnonzero(dag[:, u]))


# --- separation -----------------------------------------------------------------------------------------------------


def bits(mask: int) -> Iterator[int]:
    """The members of a set of nodes, one bit for each.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def closure(nodes: int, beyond: Callable[[int], int]) -> int:
    """Nodes, as a mask, and all that is reached from them; `beyond` gives the mask of what lies behind a node."""
    closed = waiting = nodes
    while waiting:
        met = 0
        for v in bits(waiting):
            met |= beyond(v)
        waiting = met & ~closed
        closed |= met
    return closed


class DSeparation:
    """Many d-separation questions about one DAG: neighbour sets are kept as bits, and each search (x, z) is remembered.

    >>> collider = DSeparation(from_edges(3, [(0, 2), (1, 2)]))
    >>> collider.separated(0, 1), collider.separated(0, 1, [2])
    (True, False)
    """

    def __init__(self, dag: np.ndarray):
        if not is_acyclic(dag):
            raise ValueError("d-separation needs an acyclic graph")
        self.n = len(dag)
        self._children = [sum(1 << int(c) for c in np.flatnonzero(row)) for row in dag]
        self._parents = [sum(1 << int(p) for p in np.flatnonzero(column)) for column in dag.T]
        self._searches: dict[tuple[int, int], int] = {}

    def separated(self, x: int, y: int, z: Iterable[int] = ()) -> bool:
        """Whether `z` d-separates `x` from `y`; the three must not overlap."""
        given = sum(1 << int(v) for v in set(z))
        if x == y or given >> x & 1 or given >> y & 1:
            raise ValueError(f"d-separation of {x} and {y} given {sorted(z)}: the three must not overlap")
        return not self._search(x, given) >> y & 1

    def connected(self, x: int, z: Iterable[int] = ()) -> frozenset[int]:
        """All nodes that `z` does not d-separate from `x`, without `x` and `z`."""
        given = sum(1 << int(v) for v in set(z))
        return frozenset(bits(self._search(x, given) & ~given & ~(1 << x)))

    def _search(self, x: int, given: int) -> int:
        key = (x, given)
        if key not in self._searches:
            if len(self._searches) >= MAX_CACHED_SEARCHES:
                self._searches.clear()
            self._searches[key] = self._active_trails(x, given)
        return self._searches[key]

    def _active_trails(self, x: int, given: int) -> int:
        opened = closure(given, self._parents.__getitem__)  # colliders that conditioning opens
        met_upward = met_downward = 0  # nodes met while going against, or along, the arrow
        upward, downward = 1 << x, 0
        while upward or downward:
            met_upward |= upward
            met_downward |= downward
            next_upward = next_downward = 0
            for v in bits(upward & ~given):
                next_upward |= self._parents[v]
                next_downward |= self._children[v]
            for v in bits(downward & ~given):
                next_downward |= self._children[v]
            for v in bits(downward & opened):
                next_upward |= self._parents[v]
            upward, downward = next_upward & ~met_upward, next_downward & ~met_downward
        return met_upward | met_downward


# --- neighbourhoods -------------------------------------------------------------------------------------------------


def _members(mask: np.ndarray) -> frozenset[int]:
    return frozenset(int(v) for v in np.flatnonzero(mask))


def parents(graph: np.ndarray, t: int) -> frozenset[int]:
    """Nodes with a directed edge into `t`; undirected edges of a PDAG do not count."""
    return _members(graph[:, t] & ~graph[t])


def children(graph: np.ndarray, t: int) -> frozenset[int]:
    """Nodes with a directed edge from `t`; undirected edges of a PDAG do not count."""
    return _members(graph[t] & ~graph[:, t])


def spouses(dag: np.ndarray, t: int) -> frozenset[int]:
    """Other parents of the children of `t`, as far as they are not adjacent to `t` themselves."""
    common = dag[:, dag[t]].any(axis=1) & ~dag[t] & ~dag[:, t]
    return _members(common) - {t}


def markov_blanket(dag: np.ndarray, t: int) -> frozenset[int]:
    """Parents, children and spouses of `t`."""
    return parents(dag, t) | children(dag, t) | spouses(dag, t)


def manipulate(dag: np.ndarray, manipulated: Collection[int]) -> np.ndarray:
    """The graph after an agent has set the variables of `manipulated`: the edges into them are gone."""
    cut = dag.copy()
    cut[:, sorted(manipulated)] = False
    return cut


def manipulated_blanket(dag: np.ndarray, t: int, manipulated: Collection[int]) -> frozenset[int]:
    """The Markov blanket of `t` in the manipulated graph, MB_M(T)."""
    return markov_blanket(manipulate(dag, manipulated), t)


# --- regions --------------------------------------------------------------------------------------------------------


def distances(skeleton: np.ndarray, t: int) -> np.ndarray:
    """Edges on the shortest path from `t` to every node, directions ignored; infinite where there is none.

    >>> distances(from_edges(4, [(0, 1), (2, 1)]), 0)
    array([ 0.,  1.,  2., inf])
    """
    adjacent = skeleton_of(skeleton)
    distance = np.full(len(adjacent), np.inf)
    layer, steps = np.zeros(len(adjacent), dtype=bool), 0
    layer[t] = True
    while layer.any():
        distance[layer] = steps
        layer = adjacent[layer].any(axis=0) & np.isinf(distance)
        steps += 1
    return distance


def region(graph: np.ndarray, t: int, depth: int) -> np.ndarray:
    """R(T, d) of definition IV.7, on the same node numbers: edges between nodes at most `depth` from `t`."""
    inside = distances(graph, t) <= depth
    return graph & inside[:, None] & inside
