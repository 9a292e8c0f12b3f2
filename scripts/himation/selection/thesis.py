"""The thesis's rule (V.2.6): from oriented graphs and Y-tests to parents, children and spouses of the target.

Candidates are neighbours of the target. *Parents* are those that are parents in every graph; *children* of the others
those with a Y-test for target -> X above a threshold; the rest is *undecided*. Undecided ones follow the parents, by
the ratio of Y-tests as a parent to those as a child, and the tail that is a child in many Y-tests is cut. Children that
nobody manipulated follow, and the spouses that they bring in most graphs.

``candidates`` are FSMB's neighbours of the target, as the thesis has it, or the neighbours in the region that the
natural blanket holds. With ``cut_by_graphs``, which is ours, an undecided variable that is a child in every graph is
cut as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from himation.posterior.averages import MAJORITY
from himation.selection.evidence import Evidence

if TYPE_CHECKING:
    from himation.selection.rules import Situation

PARENT, CHILD, SPOUSE, UNDECIDED = "parent", "child", "spouse", "undecided"
ROLES = {UNDECIDED: "undirected"}  # as the report calls it


def groups(situation: Situation) -> dict[int, str]:
    """The candidates by group, in the thesis's order: parents, undecided, children, the best evidence first."""
    settings = situation.settings
    found: dict[str, list[int]] = {PARENT: [], UNDECIDED: [], CHILD: []}
    for x in situation.candidates():
        item = situation.of(x)
        if item.forward >= settings.consistent:
            found[PARENT].append(x)
        elif item.child_p_score > settings.child_p_score:
            found[CHILD].append(x)
        else:
            found[UNDECIDED].append(x)
    place = {x: k for k, x in enumerate(situation.candidates())}
    found[PARENT].sort(key=lambda x: (-situation.of(x).parent_tests, place[x]))
    found[UNDECIDED].sort(key=lambda x: (*_ratio(situation.of(x)), place[x]))
    found[CHILD].sort(key=lambda x: (-situation.of(x).child_p_score, place[x]))
    return {x: group for group, members in found.items() for x in members}


def thesis_rule(situation: Situation, whole: bool) -> tuple[tuple[int, ...], dict[int, str]]:
    """The chosen variables and the reasons; ``whole`` unless only parents can be used."""
    settings, group_of, reasons = situation.settings, groups(situation), {}
    kept = []
    for x, group in group_of.items():
        item = situation.of(x)
        if group == PARENT:
            kept.append(x)
            reasons[x] = f"parent in every PDAG, {item.parent_tests} Y-tests as parent: kept"
        elif group == CHILD:
            reasons[x] = f"child by a Y-test with p-score {item.child_p_score:.2f}"
        else:
            is_child = settings.cut_by_graphs and item.backward >= settings.consistent
            if item.child_tests <= settings.most_child_tests and not is_child:
                kept.append(x)
                reasons[x] = f"undecided, {item.child_tests} Y-tests as child: kept"
            else:
                reasons[x] = f"undecided, {item.child_tests} Y-tests as child: cut"
    if not whole:
        others = [x for x in situation.blanket if x not in reasons]
        return tuple(kept), reasons | dict.fromkeys(others, "no neighbour of the target: dropped")
    left = [x for x in situation.candidates() if x not in kept]
    children = [x for x in left if x not in situation.manipulated]
    for x in left:
        reasons[x] += ", not manipulated: kept as child" if x in children else ", manipulated: dropped"
    spouses = []
    for x in _possible_spouses(situation):
        if x in reasons:
            continue
        if any(child in children for child in _children_of(situation.of(x))):
            spouses.append(x)
            reasons[x] = "spouse through a child that stays: kept"
        else:
            reasons[x] = "no spouse through a child that stays: dropped"
    return (*kept, *children, *spouses), reasons


def role_by_evidence(situation: Situation, x: int) -> str:
    """What a variable is to the target by the thesis's evidence alone."""
    group = situation.thesis_groups.get(x)
    if group:
        is_open = group == UNDECIDED and situation.of(x).may_be_confounded
        return "confounded" if is_open else ROLES.get(group, group)
    return SPOUSE if any(c in situation.thesis_groups for c in _children_of(situation.of(x))) else "none"


def _possible_spouses(situation) -> tuple[int, ...]:
    """Members of the natural blanket, and, where candidates are FSMB's, whatever the graphs have as a spouse."""
    others = (
        sorted(x for x in situation.evidence if x not in situation.blanket) if situation.by_fsmb is not None else []
    )
    return (*situation.blanket, *others)


def _children_of(item: Evidence) -> list[int]:
    return [child for child, share in item.spouse_through.items() if share > MAJORITY]


def _ratio(item: Evidence) -> tuple[float, int]:
    """Y-tests as a parent by those as a child, most first; with few as a child first among equals."""
    if item.child_tests:
        return -item.parent_tests / item.child_tests, item.child_tests
    return (-float("inf") if item.parent_tests else 0.0), 0
