"""Variables divided among the machines of an ensemble, for want of certainty which of them a manipulation leaves alone.

One set has to be right about every variable. An ensemble need not: of each drawn world (`himation.selection.expected`)
one machine takes the variables that the world leaves in their place, its panel, and predictions are the mean of all
machines. A variable then counts as far as it can be trusted, and where two may be the cause and neither is likely, both
speak; a set would have to gamble on one.

The ensemble's expected AUC is computed in the same worlds as that of a set, along the same path of elimination. It has
to be better than the best set by more than a trifle: panels cost something where the machines of some panels, wanting a
variable that is intact after all, weigh the others wrongly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from himation.selection.expected import Expectation, Worlds

EVEN = 2e-3  # expectations closer than this are even: of two ensembles the smaller wins, of ensemble and set the set
LEAST_SHARE = 0.2  # of the machines: what fewer would have is left out


@dataclass(frozen=True)
class Hedge:
    """The variables of all machines together with what can be expected, and the panels with their numbers of worlds."""

    expectation: Expectation
    panels: dict[tuple[int, ...], int]


def hedge(worlds: Worlds, sets: Sequence[Sequence[int]], best_set: Expectation) -> Hedge | None:
    """The best division of one of the sets; None if it is not worth more than the best set undivided."""
    steps = [worlds.expect_hedged(members) for members in sets]
    enough = max(step.auc for step in steps) - EVEN
    found = min((step for step in steps if step.auc >= enough), key=lambda step: len(step.members))
    found = _without_idle(worlds, found, enough)
    panels = worlds.panels(found.members)
    if len(panels) < 2 or found.auc <= best_set.auc + EVEN:
        return None
    return Hedge(found, panels)


def share_with(panels: Mapping[tuple[int, ...], int], x: int) -> float:
    """The part of the machines that have a variable."""
    return sum(count for panel, count in panels.items() if x in panel) / max(1, sum(panels.values()))


def _without_idle(worlds: Worlds, found: Expectation, enough: float) -> Expectation:
    """Without the variables that few machines would have, or that are not missed; those that most worlds replace go
    first."""
    for x in sorted(found.members, key=lambda x: sum(x not in replaced for replaced in worlds.replaced)):
        rest = [y for y in found.members if y != x]
        if not rest:
            break
        without = worlds.expect_hedged(rest)
        if share_with(worlds.panels(found.members), x) < LEAST_SHARE or without.auc >= enough:
            found = without
    return found
