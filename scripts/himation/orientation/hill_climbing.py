"""Greedy search for the DAG of the highest score: add, delete or reverse one edge at a time, with a TABU list.

This is the search phase of MMHC (Tsamardinos, Brown and Aliferis 2006) and of RegionMMHC (thesis, algorithms 7 and 8):
from the empty graph, edges only where the skeleton allows them. Each step makes the best change that does not lead back
to one of the last 100 structures, even if the score falls; the search ends when 15 steps in a row have not improved on
the best structure, which is returned. Both numbers are settings. On Alarm (5,000 examples, true skeleton) a patience of
15 ends at a structural Hamming distance of 12, a patience of 100 at 2, for 3 ms more: a plateau of equivalent graphs
takes many steps to cross.

Any decomposable score will do: an object with `local(child, parents) -> float`, parents a sorted tuple (`BDeu`,
`KernelScore`). For every allowed arc i -> j we keep one number, the gain of toggling it in the parents of j. Adding and
deleting are that toggle; reversing i -> j is the sum of two. A step changes the parents of one node or two, so only the
arcs into those are scored again. Descendants are kept as sets of bits; a cycle is seen without a search.

Ties. A -> B and A <- B have the same score in theory and differ in the last bits in practice, and which comes out
larger depends on the order of the columns. So gains within a tolerance of the best count as equal, and among equals the
first in a canonical order wins: kind of change (add, delete, reverse), then the ranks of its two nodes. The caller
passes the ranks (`order`), for instance those of the variables' names; then the answer is the same graph for any order
of the columns.

>>> class Pairs:  # likes 0 - 1 and 1 - 2, in any direction
...     def local(self, child, parents):
...         return sum(1.0 if abs(child - p) == 1 else -1.0 for p in parents)
>>> found = hill_climb(Pairs(), np.ones((3, 3), dtype=bool))
>>> found.dag.astype(int).tolist(), found.score
([[0, 1, 0], [0, 0, 1], [0, 0, 0]], 2.0)
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

TABU_LENGTH = 100
PATIENCE = 15
RELATIVE_TOLERANCE = 1e-10


class Score(Protocol):
    """A decomposable score: the score of a graph is the sum of `local` over its nodes."""

    def local(self, child: int, parents: Sequence[int] = ()) -> float:
        """The term of `child` with `parents`, whose order does not matter."""


@dataclass(frozen=True)
class Climb:
    """The best structure met, its score, and the number of changes made."""

    dag: np.ndarray
    score: float
    steps: int


def graph_score(score: Score, dag: np.ndarray) -> float:
    """The score of a whole graph."""
    return sum(score.local(v, tuple(np.flatnonzero(dag[:, v]).tolist())) for v in range(len(dag)))


def hill_climb(
    score: Score,
    skeleton: np.ndarray,
    order: Sequence[int] | None = None,
    max_parents: int | None = None,
    start: np.ndarray | None = None,
    tabu_length: int = TABU_LENGTH,
    patience: int = PATIENCE,
    progress: Callable[[int, int], None] | None = None,
) -> Climb:
    """Climb from `start` (default: no edges) within `skeleton`, a boolean matrix whose symmetric hull is used.

    `order` gives every node a distinct rank that does not depend on its column (default: the column number itself).
    `patience` is the number of steps without improvement that ends the search; 0 stops at the first local optimum.
    `progress(steps, steps + patience left)` is called at every step; the total is a moving guess.
    """
    node = _canonical(order, len(skeleton))
    search = _Search(score, node, skeleton, max_parents, start)
    best, best_value, steps = search.adjacency(), search.value, 0
    idle, visited = 0, deque([search.structure], maxlen=max(tabu_length, 1))
    while True:
        change = search.best_change(set(visited))
        if change is None or (patience == 0 and change.gain <= search.tolerance(change.gain)):
            break
        search.carry_out(change)
        visited.append(search.structure)
        steps += 1
        if search.value > best_value + search.tolerance(change.gain):
            best, best_value, idle = search.adjacency(), search.value, 0
        else:
            idle += 1
        if progress is not None:
            progress(steps, steps + patience - idle)
        if 0 < patience <= idle:
            break
    dag = np.zeros_like(best)
    dag[np.ix_(node, node)] = best
    return Climb(dag, graph_score(score, dag), steps)


def _canonical(order: Sequence[int] | None, n: int) -> np.ndarray:
    """The caller's nodes in the order of their ranks."""
    ranks = np.arange(n) if order is None else np.asarray(order)
    if len(ranks) != n or len(np.unique(ranks)) != n:
        raise ValueError("hill_climb: order must give each node its own rank")
    return np.argsort(ranks)


@dataclass(frozen=True)
class _Change:
    gain: float
    arc: int
    is_reversal: bool


class _Search:
    """The current structure in canonical numbering, the gain of every change, and who descends from whom."""

    def __init__(
        self, score: Score, node: np.ndarray, skeleton: np.ndarray, max_parents: int | None, start: np.ndarray | None
    ):
        n = len(node)
        self._score, self._node = score, node.tolist()
        self._max_parents = n if max_parents is None else max_parents
        allowed = (skeleton | skeleton.T)[np.ix_(node, node)] & ~np.eye(n, dtype=bool)
        tails, heads = np.nonzero(allowed)  # in the order of (tail, head): canonical
        number = np.full((n, n), -1)
        number[tails, heads] = np.arange(len(tails))
        self._tail, self._head, self._number = tails.tolist(), heads.tolist(), number
        self._opposite = number[heads, tails]
        self._into = [np.flatnonzero(heads == v).tolist() for v in range(n)]
        self._parents: list[set[int]] = [set() for _ in range(n)]
        self._children: list[set[int]] = [set() for _ in range(n)]
        self._below = [0] * n  # descendants, as bits
        self._present = np.zeros(len(tails), dtype=bool)
        self._toggle = np.zeros(len(tails))
        self._local = [0.0] * n
        self.structure = 0  # the arcs present, as bits
        self._scale = max([1.0, *(abs(self._term(v, frozenset())) for v in range(n))])
        if start is not None:
            for i, j in np.argwhere(start[np.ix_(node, node)]):
                self._insert(int(i), int(j))
        self._rescore(range(n))

    @property
    def value(self) -> float:
        """Score of the current structure, summed afresh so that no rounding error piles up."""
        return float(sum(self._local))

    def adjacency(self) -> np.ndarray:
        """The current structure as a matrix, in canonical numbering."""
        matrix = np.zeros(self._number.shape, dtype=bool)
        for v, tails in enumerate(self._parents):
            matrix[sorted(tails), v] = True
        return matrix

    def tolerance(self, gain: float) -> float:
        """Gains closer than this to `gain` are equal to it."""
        return RELATIVE_TOLERANCE * max(self._scale, abs(gain))

    # --- scores

    def _term(self, v: int, parents: set[int] | frozenset[int]) -> float:
        return self._score.local(self._node[v], tuple(sorted(self._node[p] for p in parents)))

    def _rescore(self, touched: Sequence[int]) -> None:
        """Score again the arcs into the nodes whose parents have changed."""
        for v in touched:
            parents = self._parents[v]
            self._local[v] = self._term(v, parents)
            for arc in self._into[v]:
                tail = self._tail[arc]
                if tail not in parents and len(parents) >= self._max_parents:
                    self._toggle[arc] = -np.inf
                else:
                    self._toggle[arc] = self._term(v, parents ^ {tail}) - self._local[v]

    def best_change(self, tabu: set[int]) -> _Change | None:
        """The best change that keeps the graph acyclic and does not lead to a structure in `tabu`."""
        if not len(self._toggle):
            return None
        present, toggle = self._present, self._toggle
        swap = np.where(present, toggle + toggle[self._opposite], -np.inf)
        single = np.where(present[self._opposite], -np.inf, toggle)
        gains = np.concatenate([np.where(present, -np.inf, single), np.where(present, toggle, -np.inf), swap])
        m, best, tied = len(toggle), None, []
        for k in np.argsort(-gains, kind="stable").tolist():
            gain = gains[k]
            if gain == -np.inf or (best is not None and gain < best - self.tolerance(best)):
                break
            arc, is_reversal = k % m, k >= 2 * m
            if self._after(arc, is_reversal) in tabu or not self._stays_acyclic(arc, is_reversal):
                continue
            best = gain if best is None else best
            tied.append((k, _Change(float(gain), arc, is_reversal)))
        return min(tied, key=lambda candidate: candidate[0])[1] if tied else None

    # --- structure

    def _after(self, arc: int, is_reversal: bool) -> int:
        after = self.structure ^ (1 << arc)
        return after ^ (1 << int(self._opposite[arc])) if is_reversal else after

    def _stays_acyclic(self, arc: int, is_reversal: bool) -> bool:
        i, j = self._tail[arc], self._head[arc]
        if is_reversal:  # no second path i -> ... -> j
            return not any(self._below[c] >> j & 1 for c in self._children[i] if c != j)
        return bool(self._present[arc]) or not self._below[j] >> i & 1

    def carry_out(self, change: _Change) -> None:
        """Make the change and score what it touches."""
        i, j = self._tail[change.arc], self._head[change.arc]
        if self._present[change.arc]:
            self._remove(i, j)
            if change.is_reversal:
                self._insert(j, i)
        else:
            self._insert(i, j)
        self._rescore((i, j) if change.is_reversal else (j,))

    def _insert(self, i: int, j: int) -> None:
        """Add i -> j; what is below j is now also below i and below whatever is above i."""
        arc = int(self._number[i, j])
        if arc < 0 or self._below[j] >> i & 1:
            raise ValueError("hill_climb: the start must be an acyclic graph within the skeleton")
        self._present[arc] = True
        self.structure ^= 1 << arc
        self._parents[j].add(i)
        self._children[i].add(j)
        gained = self._below[j] | 1 << j
        for v, below in enumerate(self._below):
            if v == i or below >> i & 1:
                self._below[v] = below | gained

    def _remove(self, i: int, j: int) -> None:
        """Drop i -> j, and collect anew what is below i and below its ancestors, the lowest of them first."""
        arc = int(self._number[i, j])
        self._present[arc] = False
        self.structure ^= 1 << arc
        self._parents[j].remove(i)
        self._children[i].remove(j)
        affected = [v for v, below in enumerate(self._below) if v == i or below >> i & 1]
        for v in sorted(affected, key=lambda u: self._below[u].bit_count()):
            below = 0
            for child in self._children[v]:
                below |= self._below[child] | 1 << child
            self._below[v] = below
