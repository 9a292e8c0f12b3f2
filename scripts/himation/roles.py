"""What each variable is to the target: parent, child, spouse, confounded, undirected or nothing (thesis, V.2.6).

Two kinds of evidence meet here: PDAGs averaged over settings, which say how often X -> T and T -> X are compelled, and
Y-tests, which say that an edge is causal. They combine as follows, for a neighbour X of the target.

- Start from the shares of settings that compel X -> T and T -> X; an undirected edge counts half to each, and a
  setting without the edge counts for none.
- A Y-test for T -> X (or X -> T) counts like one more setting with that direction, weighted by its best p-score: a test
  that came close to failing says little.
- An edge with a collider at both ends is confounded, if the orientation is undecided between the two directions.

A spouse is no neighbour of the target, and a parent of a child: its probability is the largest, over the children, of
P(C is a child) times the share of settings that compel X -> C.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from himation.orientation import EdgeShares
from himation.ytest import YTest

PARENT, CHILD, SPOUSE, CONFOUNDED, UNDIRECTED, NONE = "parent", "child", "spouse", "confounded", "undirected", "none"
ROLES = (PARENT, CHILD, SPOUSE, CONFOUNDED, UNDIRECTED, NONE)
_LEAST = 0.5


@dataclass
class Evidence:
    """All that is known of one variable. ``spouse_through`` maps a child to the probability that X is its parent."""

    variable: int
    neighbour: bool = False
    forward: float = 0.0
    backward: float = 0.0
    undirected: float = 0.0
    parent_tests: int = 0
    parent_p_score: float = 0.0
    child_tests: int = 0
    child_p_score: float = 0.0
    arrow_at_target: int = 0
    arrow_at_variable: int = 0
    spouse_through: dict[int, float] = field(default_factory=dict)
    p_parent: float = 0.0
    p_child: float = 0.0
    p_spouse: float = 0.0
    role: str = NONE


def combine(
    target: int,
    edges: list[EdgeShares],
    tests: list[YTest],
    arrows: dict[tuple[int, int], int],
    name_of: Callable[[int], str] = str,
) -> dict[int, Evidence]:
    """Evidence for every variable that an edge or a test names."""
    evidence: dict[int, Evidence] = {}
    for edge in edges:
        if target in (edge.a, edge.b):
            x = edge.a if edge.b == target else edge.b
            into = edge.forward if edge.b == target else edge.backward
            out = edge.backward if edge.b == target else edge.forward
            evidence[x] = Evidence(x, neighbour=True, forward=into, backward=out, undirected=edge.undirected)
    for test in tests:
        _count_test(evidence, test, target)
    for x, item in evidence.items():
        item.arrow_at_target, item.arrow_at_variable = arrows.get((x, target), 0), arrows.get((target, x), 0)
        _neighbour_role(item)
    _find_spouses(evidence, edges, target)
    return evidence


def _count_test(evidence, test: YTest, target: int) -> None:
    if test.c == target and test.d in evidence:
        item = evidence[test.d]
        item.child_tests += 1
        item.child_p_score = max(item.child_p_score, test.p_score)
    elif test.d == target and test.c in evidence:
        item = evidence[test.c]
        item.parent_tests += 1
        item.parent_p_score = max(item.parent_p_score, test.p_score)


def _neighbour_role(item: Evidence) -> None:
    weight = 1 + item.parent_p_score + item.child_p_score
    item.p_parent = (item.forward + item.undirected / 2 + item.parent_p_score) / weight
    item.p_child = (item.backward + item.undirected / 2 + item.child_p_score) / weight
    both_ends = item.arrow_at_target > 0 and item.arrow_at_variable > 0
    decided = max(item.p_parent, item.p_child) > _LEAST and item.p_parent != item.p_child
    if both_ends and not decided:
        item.role = CONFOUNDED
    elif item.p_parent + item.p_child < _LEAST:
        item.role = NONE
    elif item.p_parent == item.p_child or item.undirected > max(item.forward, item.backward):
        item.role = UNDIRECTED
    else:
        item.role = PARENT if item.p_parent > item.p_child else CHILD


def _find_spouses(evidence: dict[int, Evidence], edges: list[EdgeShares], target: int) -> None:
    children = {x: item.p_child for x, item in evidence.items() if item.p_child > 0}
    for edge in edges:
        for x, child, into in ((edge.a, edge.b, edge.forward), (edge.b, edge.a, edge.backward)):
            if child not in children or x == target or into + edge.undirected / 2 <= 0:
                continue
            item = evidence.setdefault(x, Evidence(x))
            if item.neighbour:
                continue
            item.spouse_through[child] = into + edge.undirected / 2
            item.p_spouse = max(item.p_spouse, children[child] * item.spouse_through[child])
    for item in evidence.values():
        if not item.neighbour and item.p_spouse >= _LEAST:
            item.role = SPOUSE
