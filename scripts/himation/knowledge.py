"""What a user knows of causes before the data are asked, and what that rules out in a network.

    first       nothing causes these
    last        these cause nothing
    tiers       lists in order of time: nothing causes what is in an earlier list
    causes      these cause the target, directly or through others
    not_causes  these don't, neither directly nor through others
    edges       pairs [a, b]: a is a direct cause of b
    no_edges    pairs [a, b]: it isn't

Variables are named by their 1-based column in the user's file, the target by 0.

>>> known = Knowledge(first=(1,), not_causes=(2,))
>>> found = known.constraints([1, 2, 0])  # the columns of a network's nodes
>>> found.forbidden.astype(int).tolist()  # from cause to effect
[[0, 0, 0], [1, 0, 1], [1, 0, 0]]
>>> found.before.astype(int).tolist()  # the target comes before column 2
[[0, 0, 0], [0, 0, 0], [0, 1, 0]]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np

from himation.errors import UserError, suggestion

TARGET = 0
MOST_PARENTS = 4  # direct causes of one variable that may be given

Pair = tuple[int, int]


@dataclass(frozen=True)
class Constraints:
    """What a network may be, by node: edges it can't and must have, who comes before whom in every order of causes,
    with all that follows, and who must be an ancestor of the target."""

    forbidden: np.ndarray
    required: np.ndarray
    before: np.ndarray
    ancestors: np.ndarray

    def of(self, nodes: Sequence[int]) -> Constraints:
        """Of some of the nodes."""
        use = np.ix_(nodes, nodes)
        return Constraints(self.forbidden[use], self.required[use], self.before[use], self.ancestors[list(nodes)])


@dataclass(frozen=True)
class Knowledge:
    """The seven kinds of statements, as the module says."""

    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    tiers: tuple[tuple[int, ...], ...] = ()
    causes: tuple[int, ...] = ()
    not_causes: tuple[int, ...] = ()
    edges: tuple[Pair, ...] = ()
    no_edges: tuple[Pair, ...] = ()

    @classmethod
    def of(cls, told: Mapping, column: Callable[[object], int]) -> Knowledge:
        """From lists of names or numbers; ``column`` turns one into a column, or refuses it."""
        known = [field.name for field in fields(cls)]
        for key, value in told.items():
            if key not in known:
                raise UserError(f"knowledge: unknown key {key!r}; {suggestion(str(key), known)}")
            if not isinstance(value, list):
                raise UserError(f"knowledge: {key} should be a list, not {value!r}")
        found: dict[str, Any] = {}
        for key in known:
            entries = told.get(key) or []
            if key in ("tiers", "edges", "no_edges"):
                wrong = [entry for entry in entries if not isinstance(entry, list)]
                wrong += [entry for entry in entries if key != "tiers" and len(entry) != 2]
                if wrong:
                    what = "list of variables" if key == "tiers" else "pair [cause, effect]"
                    raise UserError(f"knowledge: {key}: {wrong[0]!r} should be a {what}")
                found[key] = tuple(tuple(column(one) for one in entry) for entry in entries)
            else:
                found[key] = tuple(column(entry) for entry in entries)
        return cls(**found)

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def as_lists(self) -> dict:
        """For JSON; `from_lists` reads it."""
        return {key: value for key, value in asdict(self).items() if value}

    @classmethod
    def from_lists(cls, lists: Mapping) -> Knowledge:
        told: dict[str, Any] = {
            key: tuple(tuple(entry) if isinstance(entry, list) else entry for entry in entries)
            for key, entries in lists.items()
        }
        return cls(**told)

    def columns(self) -> tuple[int, ...]:
        """All variables that are named, without the target."""
        named = {*self.first, *self.last, *self.causes, *self.not_causes}
        named.update(x for group in (*self.tiers, *self.edges, *self.no_edges) for x in group)
        return tuple(sorted(named - {TARGET}))

    def to_target(self) -> tuple[int, ...]:
        """What is said to cause the target."""
        return tuple(sorted({*self.causes, *(a for a, b in self.edges if b == TARGET)}))

    def orders(self) -> Iterator[tuple[int, int, str]]:
        """Who comes before whom, and by which statement."""
        yield from ((a, b, "edges") for a, b in self.edges)
        yield from ((x, TARGET, "causes") for x in self.causes)
        yield from ((TARGET, x, "not_causes") for x in self.not_causes)
        for earlier, later in combinations(self.tiers, 2):
            yield from ((a, b, "tiers") for a in earlier for b in later)

    def check(self, name_of: Callable[[int], str]) -> None:
        """Refuse what contradicts itself, with the statements that do."""

        def refuse(*parts: str):
            raise UserError(f"knowledge: {' and '.join(parts)} contradict each other")

        name = {x: name_of(x) for x in (*self.columns(), TARGET)}
        for key in ("causes", "not_causes"):
            if TARGET in getattr(self, key):
                raise UserError(f"knowledge: {key}: {name[TARGET]!r} is the target itself")
        for a, b in self.edges:
            pair = f"the edge from {name[a]!r} to {name[b]!r}"
            if a == b:
                raise UserError(f"knowledge: edges: {name[a]!r} can't cause itself")
            for holds, other in (
                ((a, b) in self.no_edges, "no_edges"),
                (b in self.first, f"first ({name[b]!r})"),
                (a in self.last, f"last ({name[a]!r})"),
            ):
                if holds:
                    refuse(pair, other)
        for x in self.causes:
            for holds, other in (
                (x in self.last, "last"),
                (TARGET in self.first, f"first ({name[TARGET]!r})"),
            ):
                if holds:
                    refuse(f"causes ({name[x]!r})", other)
        seen: dict[int, int] = {}
        for k, tier in enumerate(self.tiers):
            for x in tier:
                if seen.setdefault(x, k) != k:
                    raise UserError(f"knowledge: tiers: {name[x]!r} is in two of them")
        self._refuse_cycles(name)
        for b in sorted({b for _, b in self.edges}):
            causes = {a for a, other in self.edges if other == b}
            if len(causes) > MOST_PARENTS:
                most = f"at most {MOST_PARENTS} can be given"
                raise UserError(f"knowledge: edges: {name[b]!r} has {len(causes)} direct causes; {most}")

    def _refuse_cycles(self, name: Mapping[int, str]) -> None:
        """A shortest cycle in who comes before whom, with its statements."""
        steps: dict[int, dict[int, str]] = {}
        for a, b, key in self.orders():
            steps.setdefault(a, {}).setdefault(b, key)
        shortest: list[int] = []
        for start in sorted(steps):
            reached, queue = {start: [start]}, [start]
            while queue:
                at = queue.pop(0)
                for b in steps.get(at, {}):
                    if b == start and (not shortest or len(reached[at]) < len(shortest)):
                        shortest = reached[at]
                    if b not in reached:
                        reached[b] = [*reached[at], b]
                        queue.append(b)
        if shortest:
            pairs = zip(shortest, [*shortest[1:], shortest[0]], strict=True)
            told = ", ".join(f"{name[a]!r} before {name[b]!r} ({steps[a][b]})" for a, b in pairs)
            raise UserError(f"knowledge: goes round in a circle: {told}")

    def constraints(self, columns: Sequence[int]) -> Constraints:
        """By node, for nodes with these columns; what is said of others holds through them."""
        every = [*columns, *(x for x in (*self.columns(), TARGET) if x not in set(columns))]
        place = {x: i for i, x in enumerate(every)}
        size = len(every)
        forbidden, required, before = (np.zeros((size, size), dtype=bool) for _ in range(3))
        for a, b, _ in self.orders():
            before[place[a], place[b]] = True
        for k in range(size):
            before |= np.outer(before[:, k], before[k])
        for a, b in self.edges:
            required[place[a], place[b]] = True
        for a, b in self.no_edges:
            forbidden[place[a], place[b]] = True
        forbidden[:, [place[x] for x in self.first]] = True
        forbidden[[place[x] for x in self.last]] = True
        forbidden |= before.T
        np.fill_diagonal(forbidden, False)
        ancestors = np.isin(every, self.causes)
        return Constraints(forbidden, required, before, ancestors).of(range(len(columns)))

    def statements(self, name_of: Callable[[int], str]) -> Iterator[tuple[str, str, tuple[int, ...]]]:
        """Each statement in words, its key, and its variables; tiers pair by pair of lists that follow each other."""
        target = name_of(TARGET)
        yield from ((f"nothing causes {name_of(x)}", "first", (x,)) for x in self.first)
        yield from ((f"{name_of(x)} causes nothing", "last", (x,)) for x in self.last)
        yield from ((f"{name_of(x)} causes {target}", "causes", (x,)) for x in self.causes)
        yield from ((f"{name_of(x)} does not cause {target}", "not_causes", (x,)) for x in self.not_causes)
        yield from ((f"{name_of(a)} directly causes {name_of(b)}", "edges", (a, b)) for a, b in self.edges)
        for a, b in self.no_edges:
            yield f"{name_of(a)} does not directly cause {name_of(b)}", "no_edges", (a, b)
        for earlier, later in combinations(self.tiers, 2):
            told = ((f"{name_of(b)} does not cause {name_of(a)}", "tiers", (b, a)) for a in earlier for b in later)
            yield from told
