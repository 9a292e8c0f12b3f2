"""From roles to the variables of the model, by rules with names (thesis, V.1.1 and V.2.6).

What can be used depends on what was manipulated in the test table. Nothing: the natural blanket. A known list: the
blanket of the manipulated network, without manipulated children and the spouses that only they bring. Something
unknown: the parents alone, since only they predict under every manipulation.

``natural``   the natural blanket whatever was manipulated;
``parents``   the variables that are more likely parents than children, whatever was manipulated;
``thesis``    the automated procedure of V.2.6, thresholds included;
``averaged``  a member of the natural blanket is dropped only if it is manipulated and more likely a child than a
              parent, or a spouse only through such children; for unknown manipulations the likely parents;
``expected``  ours: the set with the highest expected AUC over manipulated worlds drawn from the averaged graphs
              (`himation.selection.expected_rule`);
``hedged``    ours, and the default: the same, but an ensemble's machines may divide the variables among them where it
              is in doubt which of them the manipulation leaves alone (`himation.selection.hedging`).

Every rule returns the chosen variables in the order of trust, and a reason for each member of the natural blanket.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from himation.orientation.averaging import EdgeShares
from himation.selection.roles import CHILD, CONFOUNDED, PARENT, SPOUSE, Evidence

KNOWN, UNKNOWN, NATURAL = "known", "unknown", "none"
CONSISTENT = 0.9  # share of the graphs that counts as "in every PDAG": all of a few, not all of many resamples
CHILD_P_SCORE = 0.5
MOST_CHILD_TESTS = 0
_MAJORITY = 0.5


@dataclass(frozen=True)
class Selection:
    """Chosen variables, surest first; why each variable considered was kept or not; what the user should know."""

    chosen: tuple[int, ...]
    reasons: dict[int, str]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Situation:
    """What a rule decides on. ``blanket`` is the natural blanket, surest first."""

    blanket: tuple[int, ...]
    evidence: dict[int, Evidence]
    kind: str
    manipulated: frozenset[int]
    name_of: Callable[[int], str] = str
    child_p_score: float = CHILD_P_SCORE
    most_child_tests: int = MOST_CHILD_TESTS
    consistent: float = CONSISTENT

    def of(self, x: int) -> Evidence:
        return self.evidence.get(x) or Evidence(x)

    def neighbours(self) -> list[int]:
        return [x for x in self.blanket if self.of(x).neighbour]


def select(rule: str, situation: Situation) -> Selection:
    """Apply a rule that asks for no expectation. An empty answer is never given: the natural blanket stands in, with a
    warning."""
    if situation.kind == NATURAL or rule == "natural":
        chosen, reasons = _natural(situation)
    else:
        chosen, reasons = {"thesis": _thesis, "parents": _parents, "averaged": _averaged}[rule](situation)
    if chosen:
        return Selection(tuple(chosen), reasons)
    warning = "no variable passed the rule: the natural blanket is used instead"
    return Selection(situation.blanket, dict.fromkeys(situation.blanket, "nothing passed the rule: kept"), (warning,))


def theorem_v1_warnings(
    situation: Situation, chosen: Collection[int], edges: list[EdgeShares], target: int
) -> tuple[str, ...]:
    """One sentence for each manipulated child with a descendant among the chosen: there theorem V.1 does not hold."""
    below: dict[int, set[int]] = {}
    for edge in edges:
        for a, b, share in ((edge.a, edge.b, edge.forward), (edge.b, edge.a, edge.backward)):
            if share > _MAJORITY and target not in (a, b):
                below.setdefault(a, set()).add(b)
    found = []
    for c in sorted(situation.manipulated, key=situation.name_of):
        if situation.of(c).role != CHILD:
            continue
        for d in sorted(_reachable(below, c) & set(chosen), key=situation.name_of):
            found.append(
                f"theorem V.1 does not hold: {situation.name_of(c)} is a manipulated child of the target and its "
                f"descendant {situation.name_of(d)} is among the selected variables"
            )
    return tuple(found)


def _reachable(below, start) -> set[int]:
    seen, waiting = set(), [start]
    while waiting:
        for node in below.get(waiting.pop(), ()):
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return seen


def _natural(situation: Situation):
    why = "in the natural blanket" + ("" if situation.kind == NATURAL else ": kept by the rule 'natural'")
    return list(situation.blanket), dict.fromkeys(situation.blanket, why)


def _likely_parents(situation: Situation) -> list[int]:
    parents = [x for x in situation.neighbours() if situation.of(x).role == PARENT]
    return sorted(parents, key=lambda x: (-situation.of(x).p_parent, situation.blanket.index(x)))


def _parents(situation: Situation):
    chosen = _likely_parents(situation)
    reasons = {}
    for x in situation.blanket:
        item = situation.of(x)
        verdict = "kept" if x in chosen else "dropped: not surely a parent"
        reasons[x] = f"{item.role}, parent with {item.p_parent:.2f} and child with {item.p_child:.2f}: {verdict}"
    return chosen, reasons


def _averaged(situation: Situation):
    if situation.kind == UNKNOWN:
        return _parents(situation)
    reasons, gone = {}, set()
    for x in situation.blanket:
        item = situation.of(x)
        if x in situation.manipulated and item.neighbour and item.role in (CHILD, CONFOUNDED):
            gone.add(x)
            reasons[x] = f"manipulated {item.role} ({item.p_child:.2f}): dropped"
        elif x in situation.manipulated and item.neighbour:
            reasons[x] = f"manipulated {item.role} ({item.p_parent:.2f}): kept, it still causes the target"
        elif item.neighbour:
            reasons[x] = f"{item.role}, not manipulated: kept"
    lost = gone | {x for x in situation.manipulated if situation.of(x).role == CHILD}
    for x in situation.blanket:
        if x in reasons:
            continue
        through = [c for c, share in situation.of(x).spouse_through.items() if share > _MAJORITY]
        if through and all(c in lost for c in through):
            gone.add(x)
            names = ", ".join(situation.name_of(c) for c in sorted(through, key=situation.name_of))
            reasons[x] = f"spouse only through {names}, manipulated: dropped"
        else:
            reasons[x] = f"{situation.of(x).role}, no manipulated child is its only link: kept"
    return [x for x in situation.blanket if x not in gone], reasons


def _thesis(situation: Situation):
    """V.2.6: strong parents, then the undecided by Y-tests with the tail cut, then children and their spouses."""
    reasons = {}
    strong = [x for x in situation.neighbours() if situation.of(x).forward >= situation.consistent]
    strong.sort(key=lambda x: (-situation.of(x).parent_tests, situation.blanket.index(x)))
    undecided = []
    for x in situation.neighbours():
        item = situation.of(x)
        if x in strong:
            reasons[x] = f"parent in every PDAG, {item.parent_tests} Y-tests as parent: kept"
        elif item.child_p_score > situation.child_p_score:
            reasons[x] = f"child by a Y-test with p-score {item.child_p_score:.2f}"
        else:
            undecided.append(x)
    undecided.sort(key=lambda x: _by_tests(situation, x))
    kept = list(strong)
    for x in undecided:
        item = situation.of(x)
        if item.child_tests <= situation.most_child_tests and item.backward < situation.consistent:
            kept.append(x)
            reasons[x] = f"undecided, {item.child_tests} Y-tests as child: kept"
        else:
            reasons[x] = f"undecided, {item.child_tests} Y-tests as child: cut"
    if situation.kind == UNKNOWN:
        others = [x for x in situation.blanket if x not in reasons]
        return kept, {**reasons, **dict.fromkeys(others, "no neighbour of the target: dropped")}
    children = [x for x in situation.neighbours() if x not in kept and x not in situation.manipulated]
    for x in children:
        reasons[x] += ", not manipulated: kept as child"
    for x in situation.neighbours():
        if x not in kept and x in situation.manipulated:
            reasons[x] += ", manipulated: dropped"
    spouses = []
    for x in situation.blanket:
        if x in reasons:
            continue
        through = [c for c, share in situation.of(x).spouse_through.items() if share > _MAJORITY]
        if any(c in children for c in through):
            spouses.append(x)
            reasons[x] = "spouse through a child that stays: kept"
        else:
            reasons[x] = "no spouse through a child that stays: dropped"
    return kept + children + spouses, reasons


def _by_tests(situation: Situation, x: int):
    item = situation.of(x)
    ratio = item.parent_tests / item.child_tests if item.child_tests else float("inf") * (item.parent_tests > 0 or 0)
    return (-ratio if ratio == ratio else 0.0, item.child_tests, situation.blanket.index(x))


def in_order_of_trust(selection: Selection, situation: Situation) -> tuple[int, ...]:
    """Parents first when something was manipulated, then what else was chosen, each by its rank in the blanket."""
    if situation.kind == NATURAL:
        return selection.chosen
    rank = {x: i for i, x in enumerate(situation.blanket)}
    weight = {PARENT: 0, CHILD: 1, SPOUSE: 2}
    return tuple(sorted(selection.chosen, key=lambda x: (weight.get(situation.of(x).role, 1), rank.get(x, len(rank)))))
