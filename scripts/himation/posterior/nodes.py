"""Who takes part in the networks: the target, what goes with it, and what goes with that.

A chain has room for about a hundred variables, and a table may have thousands that go with the target. The strongest,
and those that regression on the target takes in first, are in every chain. Of the others each chain has a part, all
about equally often, so that no answer hangs on who was the hundredth. Even where there is room for all, a chain goes
without some of those that stand farther off: a posterior of one set of variables can be certain and wrong, because
something that is not among them acts on two that are, and what depends on who was looked at then shows as doubt.

The partners of those, what goes most with each of them, tell an effect from a cause: the causes of an effect are
themselves unrelated to the target. Effects of a hidden copy of the target (`himation.posterior.copies`) say all the
same; a few of them are in each chain, and the room is for others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from himation.posterior.orders import DIGITS, forward

RELATED = 3.0  # z-score from which a variable goes with another
LEFT_OUT = 0.25  # of the variables that are not in every chain, at least
MOST_POOL = 400  # related variables that take turns
PARTNERS = 12  # of each related variable that are remembered
TURNS = (0.6180339887498949, 0.4142135623730951)  # irrational steps: places that spread evenly
_CHUNK = 2048


@dataclass(frozen=True)
class Room:
    """How many variables a chain holds: in all, of those related to the target, and of those in every chain; and how
    many effects of a copy of it."""

    nodes: int = 100
    related: int = 70
    always: int = 20
    alike: int = 10


@dataclass(frozen=True)
class Pool:
    """Related variables, those of every chain first, and the partners of each, strongest first; ``of_copy`` are the
    effects of a copy of the target."""

    related: tuple[int, ...]
    always: int
    partners: dict[int, tuple[int, ...]]
    room: Room
    of_copy: frozenset[int] = field(default_factory=frozenset)

    def members(self) -> list[int]:
        """All variables that may be in a chain."""
        return list(dict.fromkeys([*self.related, *(x for x in self.related for x in self.partners[x])]))

    def of_chain(self, number: int) -> list[int]:
        """The variables of one chain."""
        turn = {x: (k * TURNS[0] + number * TURNS[1]) % 1.0 for k, x in enumerate(self.members())}
        others = [x for x in self.related[self.always :] if x not in self.of_copy]
        crowd = [x for x in self.related[self.always :] if x in self.of_copy]
        alike = min(self.room.alike, len(crowd))
        share = min(1 - LEFT_OUT, (self.room.related - self.always - alike) / max(1, len(others)))
        part = min(1 - LEFT_OUT, alike / max(1, len(crowd)))
        chosen = [*self.related[: self.always], *(x for x in others if turn[x] < share)]
        chosen += [x for x in crowd if turn[x] < part]
        own, taken, before = list(chosen), {*chosen, *self.of_copy}, -1
        waiting = {x: [p for p in self.partners[x] if turn[p] < 1 - LEFT_OUT] for x in own}
        while before < len(chosen) < self.room.nodes:
            before = len(chosen)
            for x in own:
                free = next((p for p in waiting[x] if p not in taken), None)
                if free is not None and len(chosen) < self.room.nodes:
                    chosen.append(free)
                    taken.add(free)
        return chosen


def _in_every_chain(correlations: np.ndarray, room: Room) -> list[int]:
    """Of related variables, strongest first, and the target last: the strongest, and what explains the target best."""
    size = len(correlations) - 1
    explaining = forward(np.round(correlations, DIGITS), size, room.always)
    return list(dict.fromkeys([*range(min(size, room.always // 2)), *explaining, *range(size)]))[: room.always]


def choose(
    columns: Callable[[Sequence[int] | np.ndarray], np.ndarray],
    size: int,
    labels: np.ndarray,
    room: Room,
    copy: np.ndarray | None = None,
) -> Pool:
    """``columns`` gives standardised variables, examples by variables, of ``size`` in all; the labels are so, too.

    What goes more with a ``copy`` of the target than with the labels is an effect of the copy: the strongest of these
    take part, and leave the room to others.
    """
    n = len(labels)
    wanted = labels[:, None] if copy is None else np.column_stack([labels, copy])
    parts = [columns(np.arange(start, min(start + _CHUNK, size))).T @ wanted / n for start in range(0, size, _CHUNK)]
    r = np.round(np.concatenate(parts), DIGITS) if parts else np.empty((0, 1))
    strength = np.abs(r[:, 0])
    strongest = _in_order(np.flatnonzero(np.sqrt(n) * strength > RELATED), strength, columns)
    of_copy = frozenset(x for x in strongest if np.abs(r[x, -1]) > strength[x])
    seen = [x for x in strongest if x not in of_copy][:MOST_POOL]
    crowd = [x for x in strongest if x in of_copy][: room.related]
    related = [*seen, *crowd]
    if not related:
        return Pool((), 0, {}, room)
    own = columns(related)
    partners = _partners(columns, own, related, len(r), n, strength)
    joint = np.eye(len(seen) + 1)
    joint[:-1, :-1] = own[:, : len(seen)].T @ own[:, : len(seen)] / n
    joint[-1, :-1] = joint[:-1, -1] = r[seen, 0]
    always = [seen[k] for k in _in_every_chain(joint, room)]
    always += crowd[: room.always - len(always)]
    rest = [x for x in related if x not in set(always)]
    return Pool((*always, *rest), len(always), partners, room, of_copy)


def _partners(columns, own, strongest, n_variables: int, n: int, strength) -> dict[int, tuple[int, ...]]:
    """What goes most with each of the strongest; of the equally strong, what goes more with the target."""
    best = np.zeros((0, len(strongest)))
    who = np.zeros((0, len(strongest)), dtype=np.int64)
    for start in range(0, n_variables, _CHUNK):
        part = np.arange(start, min(start + _CHUNK, n_variables))
        ties = np.round(np.abs(columns(part).T @ own / n), DIGITS)
        ties[ties * np.sqrt(n) <= RELATED] = 0.0
        best = np.vstack([best, ties + 1e-7 * strength[part][:, None] * (ties > 0)])
        who = np.vstack([who, np.repeat(part[:, None], len(strongest), axis=1)])
        kept = np.argsort(-best, axis=0, kind="stable")[: PARTNERS + 1]
        best, who = np.take_along_axis(best, kept, axis=0), np.take_along_axis(who, kept, axis=0)
    return {
        x: tuple(int(p) for p, tie in zip(who[:, k], best[:, k], strict=True) if p != x and tie > 0)
        for k, x in enumerate(strongest)
    }


def _in_order(variables: np.ndarray, strength: np.ndarray, columns) -> list[int]:
    """Strongest first; of equally strong ones the more skewed, so that the order of the columns does not decide."""
    skew: dict[int, float] = {}
    for start in range(0, len(variables), _CHUNK):
        part = variables[start : start + _CHUNK]
        skew |= dict(zip(part.tolist(), np.round((columns(part) ** 3).mean(axis=0), DIGITS).tolist(), strict=True))
    return sorted(skew, key=lambda x: (-strength[x], -skew[x], x))
