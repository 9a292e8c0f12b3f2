"""What each variable is to the target: parent, child, spouse, confounded, undirected or nothing (thesis, V.2.6).

Two kinds of evidence meet here: PDAGs averaged over settings and resamples, which say how often X -> T and T -> X are
compelled, and Y-tests, which say that an edge is causal. They combine as follows, for a neighbour X of the target.

- P(parent) and P(child) are the shares of graphs that compel X -> T and T -> X, each with half of those that leave the
  edge undirected. That alone is nearly calibrated: of neighbours given 0.7 to 0.9 on 43 simulated problems (continuous,
  mixed, binary, like REGED; 12 resamples), 50 of 64 had the role (78 %).
- A Y-test moves the odds between the two by a factor that was measured, too (`Y_CHILD`, `Y_PARENT`). At a rare binary
  target most children, and most parents, pass as a child; only where condition 5 is met with a p-value below a
  millionth does the test say something. Tests in both directions cancel.
- An edge with a collider at both ends may be confounded: the mass that graphs give to both directions alike is then
  P(confounded).

A spouse is no neighbour of the target, and a parent of a child: its probability is the largest, over the children, of
P(C is a child) times the share of settings that compel X -> C. What is left is P(outside).

Rules that go by PDAGs use these; what is reported is `himation.selection.reported_roles`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from himation.confounding.ytest import YTest
from himation.orientation.averaging import EdgeShares

PARENT, CHILD, SPOUSE, CONFOUNDED, UNDIRECTED, NONE = "parent", "child", "spouse", "confounded", "undirected", "none"
ROLES = (PARENT, CHILD, SPOUSE, CONFOUNDED, UNDIRECTED, NONE)
Y_CHILD = ((1e-6, 10.0), (1e-3, 2.0))  # p-value of condition 5 below this: factor on the odds of a child
Y_PARENT = 5.0  # factor on the odds of a parent, of any Y-test for it; 28 of 37 were right, against a base rate of 0.2
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
    child_p_dependent: float = 1.0
    arrow_at_target: int = 0
    arrow_at_variable: int = 0
    spouse_through: dict[int, float] = field(default_factory=dict)
    p_parent: float = 0.0
    p_child: float = 0.0
    p_spouse: float = 0.0
    p_confounded: float = 0.0
    role: str = NONE

    @property
    def p_outside(self) -> float:
        return max(0.0, 1.0 - self.p_parent - self.p_child - self.p_spouse - self.p_confounded)


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
        if test.p_dependent is not None:
            item.child_p_dependent = min(item.child_p_dependent, test.p_dependent)
    elif test.d == target and test.c in evidence:
        item = evidence[test.c]
        item.parent_tests += 1
        item.parent_p_score = max(item.parent_p_score, test.p_score)


def _odds_of_child(item: Evidence) -> float:
    """The factor by which Y-tests move the odds from parent to child."""
    if item.child_tests and item.parent_tests:
        return 1.0
    if item.parent_tests:
        return 1 / Y_PARENT
    return next((factor for limit, factor in Y_CHILD if item.child_tests and item.child_p_dependent < limit), 1.0)


def _neighbour_role(item: Evidence) -> None:
    parent, child = item.forward + item.undirected / 2, item.backward + item.undirected / 2
    factor = _odds_of_child(item)
    rescale = (parent + child) / (parent + factor * child) if parent + child > 0 else 0.0
    item.p_parent, item.p_child = parent * rescale, factor * child * rescale
    if item.arrow_at_target > 0 and item.arrow_at_variable > 0:
        shared = min(item.p_parent, item.p_child)
        item.p_parent, item.p_child, item.p_confounded = item.p_parent - shared, item.p_child - shared, 2 * shared
    if item.p_confounded > max(item.p_parent, item.p_child):
        item.role = CONFOUNDED
    elif item.p_parent + item.p_child + item.p_confounded < _LEAST:
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
