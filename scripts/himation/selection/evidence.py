"""What the thesis's rule goes by (V.2.6): oriented graphs and Y-tests, put together for every variable near the target.

Graphs averaged over settings and resamples say how often X -> T and T -> X are compelled; Y-tests say that an edge is
causal, and which way; an edge with a collider at both ends may be confounded. A spouse is no neighbour of the target,
and a parent of a possible child, in some share of the graphs.
"""

from dataclasses import dataclass, field

from himation.confounding.ytest import YTest
from himation.orientation.averaging import EdgeShares


@dataclass
class Evidence:
    """Of one variable. ``spouse_through`` maps a possible child to the share of the graphs in which X is its parent."""

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

    @property
    def may_be_confounded(self) -> bool:
        return self.arrow_at_target > 0 and self.arrow_at_variable > 0


def combine(
    target: int, edges: list[EdgeShares], tests: list[YTest], arrows: dict[tuple[int, int], int]
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


def _find_spouses(evidence: dict[int, Evidence], edges: list[EdgeShares], target: int) -> None:
    children = {x for x, item in evidence.items() if item.backward + item.undirected > 0}
    for edge in edges:
        for x, child, into in ((edge.a, edge.b, edge.forward), (edge.b, edge.a, edge.backward)):
            share = into + edge.undirected / 2
            if child in children and x != target and share > 0:
                item = evidence.setdefault(x, Evidence(x))
                if not item.neighbour:
                    item.spouse_through[child] = share
