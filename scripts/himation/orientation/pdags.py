"""Partially directed graphs: equivalence classes of DAGs, orientation rules, distance.

Data alone cannot tell X -> Y from X <- Y. DAGs with the same skeleton and the same v-structures (a -> c <- b with a and
b not adjacent) encode the same independencies (Verma and Pearl 1990); the completed PDAG of such a class has a directed
edge where all its members agree (a compelled edge) and an undirected one elsewhere.

- DAG -> completed PDAG: Chickering's ordering and labelling of edges (1995, 2002).
- separating sets -> pattern: a - c - b with a, b apart is a v-structure if c is not in the set that separates a from b
  (Spirtes, Glymour and Scheines); then Meek's four rules (1995) orient what follows.
- PDAG -> one of its DAGs: Dor and Tarsi (1992).
- structural Hamming distance as in the MMHC paper (Tsamardinos, Brown and Aliferis 2006): pairs of nodes whose edges
  differ.

Graphs are boolean matrices as in `himation.graphs`; i - j is undirected when both entries are set. A chain has no
compelled edge, a collider with a tail has three:

>>> from himation.graphs import from_edges
>>> cpdag(from_edges(3, [(0, 1), (1, 2)])).astype(int).tolist()
[[0, 1, 0], [1, 0, 1], [0, 1, 0]]
>>> int(compelled(cpdag(from_edges(4, [(0, 2), (1, 2), (2, 3)]))).sum())
3

With separating sets that come from data, two v-structures may claim one edge in opposite directions, or a rule may fire
both ways. Such an edge is left undirected, and all the claims of one round are weighed together, so that the result
never depends on the numbering of the nodes.
"""

from collections.abc import Collection, Mapping

import numpy as np

from himation.graphs import skeleton_of, topological_order


def compelled(pdag: np.ndarray) -> np.ndarray:
    """The directed edges only."""
    return pdag & ~pdag.T


def undirected(pdag: np.ndarray) -> np.ndarray:
    """The undirected edges only, as a symmetric matrix."""
    return pdag & pdag.T


def _unshielded(skeleton: np.ndarray) -> list[tuple[int, int, int]]:
    found = []
    for c in range(len(skeleton)):
        ends = [int(v) for v in np.flatnonzero(skeleton[c])]
        found += [(a, c, b) for k, a in enumerate(ends) for b in ends[k + 1 :] if not skeleton[a, b]]
    return found


# --- DAG to class ---------------------------------------------------------------------------------------------------


def cpdag(dag: np.ndarray) -> np.ndarray:
    """The completed PDAG of the equivalence class of `dag`."""
    order = topological_order(dag)
    position = np.argsort(order)
    sources = [sorted(np.flatnonzero(dag[:, v]).tolist(), key=lambda u: -position[u]) for v in range(len(dag))]
    is_compelled: dict[tuple[int, int], bool] = {}
    for y in order:  # the lowest edge not yet labelled: earliest head, and of its tails the latest
        for x in sources[y]:
            if (x, y) not in is_compelled:
                _label_edges_into(x, y, sources, is_compelled)
    completed = dag.copy()
    for (x, y), label in is_compelled.items():
        if not label:
            completed[y, x] = True
    return completed


def _label_edges_into(x: int, y: int, sources: list[list[int]], is_compelled: dict[tuple[int, int], bool]) -> None:
    """Chickering's Label-Edges for the lowest unlabelled edge x -> y: labels it and the others into y that follow."""
    for w in sources[x]:
        if not is_compelled[w, x]:
            continue
        if w not in sources[y]:
            is_compelled.update({(v, y): True for v in sources[y]})
            return
        is_compelled[w, y] = True
    another_source = any(z != x and z not in sources[x] for z in sources[y])
    for v in sources[y]:
        is_compelled.setdefault((v, y), another_source)


# --- orientation by rules -------------------------------------------------------------------------------------------


def meek(pdag: np.ndarray) -> np.ndarray:
    """Close a PDAG under Meek's rules 1 to 4.

    The rules are applied in rounds: all claims that the present graph supports are found first, then the uncontested
    ones are carried out. On a PDAG that some DAG extends this gives the same closure as any other order of application.
    """
    graph = pdag.copy()
    while True:
        claims = _claims(graph)
        settled = claims & ~claims.T
        if not settled.any():
            return graph
        graph &= ~settled.T


def _claims(graph: np.ndarray) -> np.ndarray:
    directed, free, adjacent = compelled(graph), undirected(graph), skeleton_of(graph)
    claims = np.zeros_like(graph)
    for a, b in np.argwhere(free):
        claims[a, b] = (
            bool((directed[:, a] & ~adjacent[:, b]).any())  # 1: c -> a - b, c and b apart
            or bool((directed[a] & directed[:, b]).any())  # 2: a -> c -> b
            or _rule_3(a, b, directed, free, adjacent)
            or _rule_4(a, b, directed, free, adjacent)
        )
    return claims


def _rule_3(a: int, b: int, directed: np.ndarray, free: np.ndarray, adjacent: np.ndarray) -> bool:
    """a - c -> b and a - d -> b, c and d apart."""
    middle = np.flatnonzero(free[a] & directed[:, b])
    apart = ~adjacent[np.ix_(middle, middle)]
    return int(apart.sum()) > len(middle)  # the diagonal is always "apart"


def _rule_4(a: int, b: int, directed: np.ndarray, free: np.ndarray, adjacent: np.ndarray) -> bool:
    """a - c -> d -> b with a, d adjacent and c, b apart."""
    first = free[a] & ~adjacent[b]
    first[b] = False
    second = adjacent[a] & directed[:, b]
    return bool(directed[np.ix_(first, second)].any())


def pattern_from_separations(skeleton: np.ndarray, sepsets: Mapping[tuple[int, int], Collection[int]]) -> np.ndarray:
    """The PDAG that separating sets imply: v-structures, then Meek's rules.

    `sepsets` maps a pair, in either order, to the set that separated it. An unshielded triple whose ends have no
    recorded set says nothing. An edge that v-structures claim in both directions stays undirected.
    """
    skeleton = skeleton_of(skeleton)
    heads = np.zeros_like(skeleton)
    for a, c, b in _unshielded(skeleton):
        separating = sepsets.get((a, b), sepsets.get((b, a)))
        if separating is not None and c not in separating:
            heads[a, c] = heads[b, c] = True
    return meek(skeleton & ~(heads & ~heads.T).T)


# --- distance -------------------------------------------------------------------------------------------------------


def shd(pdag1: np.ndarray, pdag2: np.ndarray) -> int:
    """Structural Hamming distance: pairs whose edge is missing in one, or directed otherwise.

    The MMHC paper compares completed PDAGs: call it as `shd(cpdag(found), cpdag(truth))`.
    """
    differs = pdag1 != pdag2
    return int(np.triu(differs | differs.T).sum())
