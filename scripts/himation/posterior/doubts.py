"""Where the data speak against what the user knows: the probability of each statement in networks drawn without it.

A statement that hardly any such network has is either wrong, or true of something that the table does not show. It is
obeyed all the same, and named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from himation.knowledge import TARGET, Knowledge
from himation.posterior.reaching import reaches

UNLIKELY = 0.05
MOST_NAMED = 5


def doubts(
    knowledge: Knowledge,
    graphs: Sequence[tuple[np.ndarray, Sequence[int]]],
    name_of: Callable[[int], str],
) -> tuple[str, ...]:
    """Sentences about unlikely statements, the least likely first. ``graphs`` are drawn without what is known, each
    with the columns of its nodes."""
    found = []
    for said, key, variables in knowledge.statements(name_of):
        holds = [
            _holds(graph, key, [columns.index(x) for x in variables], columns.index(TARGET))
            for graph, columns in graphs
            if set(variables) <= set(columns)
        ]
        if holds and np.mean(holds) < UNLIKELY:
            found.append((float(np.mean(holds)), said))
    found.sort()
    told = [
        f"the data speak against what is known: {said!r} holds in {share:.0%} of networks drawn without it; it is "
        "obeyed all the same"
        for share, said in found[:MOST_NAMED]
    ]
    if len(found) > MOST_NAMED:
        told.append(f"the data speak against {len(found) - MOST_NAMED} more statements of what is known")
    return tuple(told)


def _holds(graph: np.ndarray, key: str, nodes: Sequence[int], target: int) -> bool:
    if key == "first":
        return not graph[:, nodes[0]].any()
    if key == "last":
        return not graph[nodes[0]].any()
    if key in ("edges", "no_edges"):
        return bool(graph[nodes[0], nodes[1]]) == (key == "edges")
    if key == "tiers":
        return not reaches(graph, nodes[1])[nodes[0]]
    return bool(reaches(graph, target)[nodes[0]]) == (key == "causes")
