"""The Y-test: evidence that an edge C -> D is causal, not confounded (thesis, V.2.5, proposition V.1).

For distinct A, B, C, D with A - C, B - C and C - D adjacent (no set separates them):

4. some Z1 separates A and B;
5. A and B are dependent given Z1 and C: C is a common effect;
6. some Z2 that contains C separates A and D; likewise Z3 for B and D.

Then a causal path leads from C to D through hidden variables only. The separating sets are those that MMPC met when it
removed the edges, so a quadruple costs at most one new test, and that one is shared by all D. The p-score of a test is
the smallest p-value of the independencies it relies on: how close it came to failing.

The other way round, an edge between X and Y with a collider at each end (some A with A -> Y and some B with B -> X)
points both ways: a common cause that was not measured. `arrowheads` counts the colliders at each end of an edge.
"""

from dataclasses import dataclass
from itertools import combinations
from math import exp, log

from himation.independence import IndependenceTest
from himation.region import Region


@dataclass(frozen=True)
class YTest:
    """One quadruple that passed: C causes D."""

    a: int
    b: int
    c: int
    d: int
    p_score: float


@dataclass(frozen=True)
class Collider:
    """A and B meet in C: independent given a set without C, dependent once C is added."""

    a: int
    b: int
    c: int
    p_independent: float
    p_dependent: float


def find_colliders(region: Region, test: IndependenceTest, alpha: float) -> list[Collider]:
    """Conditions 1, 2, 4 and 5 for every pair of neighbours of every node."""
    around = _neighbours(region)
    found = []
    for c in sorted(around):
        for a, b in combinations(sorted(around[c]), 2):
            separation = region.separations.get((a, b))
            if separation is None or c in separation[0]:
                continue
            z, log_p = separation
            joint = test.test(a, b, (*z, c))
            if joint.reliable and joint.log_p <= log(alpha):
                found.append(Collider(a, b, c, exp(log_p), joint.p_value))
    return found


def y_tests(region: Region, colliders: list[Collider]) -> list[YTest]:
    """All quadruples of the region that pass, each once (A before B)."""
    around = _neighbours(region)
    passed = []
    for collider in colliders:
        a, b, c = collider.a, collider.b, collider.c
        for d in sorted(around[c] - {a, b}):
            scores = [_separated_by(region, x, d, c) for x in (a, b)]
            if None not in scores:
                passed.append(YTest(a, b, c, d, min(collider.p_independent, *scores)))
    return passed


def arrowheads(colliders: list[Collider]) -> dict[tuple[int, int], int]:
    """How many colliders put an arrowhead at the second end of each edge."""
    count: dict[tuple[int, int], int] = {}
    for collider in colliders:
        for end in (collider.a, collider.b):
            count[end, collider.c] = count.get((end, collider.c), 0) + 1
    return count


def _neighbours(region: Region) -> dict[int, set[int]]:
    around: dict[int, set[int]] = {node: set() for node in region.nodes}
    for a, b in region.edges:
        around[a].add(b)
        around[b].add(a)
    return around


def _separated_by(region: Region, x: int, d: int, c: int) -> float | None:
    """p-value of the independence of ``x`` and ``d`` if the set found contains ``c``."""
    separation = region.separations.get((min(x, d), max(x, d)))
    if separation is None or c not in separation[0]:
        return None
    return exp(separation[1])
