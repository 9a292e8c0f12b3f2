"""Natural rows and experiments together, as what the parents of each node are judged by, and what models learn from.

In a row in which somebody set a variable it says nothing about what causes it, and all the same as any other about what
it causes. So its parents are judged by the other rows. That tells directions that no natural row can: what still goes
with a variable that was set is its effect.

A model of the target given some variables is right for such a row if whoever set something is independent of the target
given these variables: if in the network, with who sets a variable as one more cause of it, they d-separate the two.
Given the whole blanket that is so unless an effect of the target was set; given its causes alone it is always so.

>>> chain = np.array([[False, False, True], [False, False, False], [False, True, False]])  # cause, effect, target
>>> _unlike_nature(chain, np.array([True, True])).tolist(), _unlike_nature(chain, np.array([True, False])).tolist()
([False, True], [False, False])
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from himation.knowledge import TARGET
from himation.posterior.groups import Groups
from himation.posterior.orders import correlation_matrix
from himation.posterior.scoring import Evidence
from himation.table import Table

if TYPE_CHECKING:
    from himation.posterior.networks import Networks

SQUASH = 3.0  # standard deviations of the natural rows: numbers stay below
EACH = 10  # networks of a chain that say what a model may learn from


def with_experiments(
    table: Table, members: Sequence[int], rows: slice, natural: np.ndarray, codes: np.ndarray | None
) -> Evidence:
    """``natural`` has the numbers of the natural rows, the target last; ``rows`` are those of each part that count."""
    of_set, own = table.environment, [*table.columns[list(members)].tolist(), TARGET]
    assert of_set is not None
    of_row, was_set, acted = of_set.groups_of_rows(own, table.train.n, rows)
    if table.experiments is None:
        return grouped(natural, of_row, was_set, acted, codes)
    columns = []
    for x in members:
        inside, outside = (table.numbers_for_target(int(x), part)[rows] for part in ("train", "experiments"))
        centre, scale = inside.mean(), inside.std() or 1.0
        columns.append(SQUASH * np.tanh((outside - centre) / scale / SQUASH))
    labels = np.where(np.asarray(of_set.target)[rows] > 0, 1.0, -1.0)
    positive = float((natural[:, -1] > natural[:, -1].mean()).mean())
    centre, scale = 2 * positive - 1, 2 * np.sqrt(positive * (1 - positive))
    every = np.vstack([natural, np.column_stack([*columns, (labels - centre) / scale])])
    if codes is not None:
        others = np.vstack([table.codes(members, "experiments")[0][:, rows], labels > 0]).astype(np.int64)
        codes = np.hstack([codes, others])
    return grouped(every, of_row, was_set, acted, codes)


def grouped(
    every: np.ndarray, of_row: np.ndarray, was_set: np.ndarray, acted: np.ndarray, codes: np.ndarray | None = None
) -> Evidence:
    """Rows by nodes with the group of each row, and nodes by groups: where they were set and where acted on."""
    scale = every.std(axis=0)
    scaled = (every - every.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    return Evidence(correlation_matrix(every), len(every), codes, Groups.of(scaled, of_row, was_set, acted))


def usable(networks: Networks, table: Table, members: Collection[int]) -> np.ndarray:
    """Of each setting among the experiments: in what share of the networks that hold all that was set its rows are
    examples for a model on these members; 0 where no network does."""
    right, held = np.zeros((2, table.environment.certain if table.environment else 0))
    for chain in networks.chains:
        own, given = Settings.of(table, chain.variables), np.isin(chain.variables, list(members))
        last = len(chain.graphs) - 1
        for k in np.unique(np.linspace(0, last, min(EACH, last + 1)).round().astype(int)):
            right[list(own.usable(chain.graphs[k], given))] += 1
            held += own.known
    return right / np.maximum(held, 1)


@dataclass(frozen=True)
class Settings:
    """What was set in experiments, settings by variables of a network, and whether all that was set is in it."""

    was_set: np.ndarray
    known: np.ndarray

    @classmethod
    def of(cls, table: Table, variables: Sequence[int]) -> Settings:
        columns = table.columns[list(variables)].tolist()
        settings = table.environment.settings[: table.environment.certain] if table.environment else ()
        held = [[column in group for column in columns] for group in settings]
        was_set = np.array(held, dtype=bool).reshape(len(settings), len(columns))
        return cls(was_set, was_set.sum(axis=1) == [len(group) for group in settings])

    def usable(self, graph: np.ndarray, given: np.ndarray) -> tuple[int, ...]:
        """Settings whose rows show how the target depends on what is given, as natural ones do."""
        if not len(self.known):
            return ()
        wrong = (self.was_set & _unlike_nature(graph, given)).any(axis=1)
        return tuple(np.flatnonzero(self.known & ~wrong).tolist())


@njit(cache=True)
def _unlike_nature(graph, given):
    """Variables whose being set can show in the target, the last node, given some of them: a search along the active
    trails from the target, which ends at a cause of each variable that nothing else acts on."""
    n = len(given)
    opened, stack, size = np.zeros(n + 1, np.bool_), np.empty(2 * n + 2, np.int64), 0
    for x in range(n):
        if given[x]:
            opened[x] = True
            stack[size] = x
            size += 1
    while size:  # ancestors of what is given
        size -= 1
        at = stack[size]
        for x in range(n + 1):
            if graph[x, at] and not opened[x]:
                opened[x] = True
                stack[size] = x
                size += 1
    met, found = np.zeros((2, n + 1), np.bool_), np.zeros(n, np.bool_)  # against, and along the arrow
    stack[0], size = n, 1
    met[0, n] = True
    while size:
        size -= 1
        along, at = divmod(stack[size], n + 1)
        free = at == n or not given[at]
        upward = opened[at] if along else free
        if upward and at < n:
            found[at] = True
        for x in range(n + 1):
            if upward and graph[x, at] and not met[0, x]:
                met[0, x] = True
                stack[size] = x
                size += 1
            if free and graph[at, x] and not met[1, x]:
                met[1, x] = True
                stack[size] = n + 1 + x
                size += 1
    return found
