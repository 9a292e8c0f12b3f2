"""The Y-structure of Mani, Spirtes and Cooper (2006), as a comparison for the Y-test.

Four variables whose independencies are those of A -> C <- B, C -> D and of no other graph:

- A and B are independent, and dependent given C;
- A and D are dependent, and independent given C; so are B and D;
- nothing among the four separates A from C, B from C, or C from D.

Then C causes D, and nothing hidden causes both. Conditioning sets are limited to the four variables: a common cause of
A and B that was measured, which the Y-test of the thesis conditions upon, makes the structure fail.

The search goes over neighbours of C in a region, so the last line is known. What MMPC remembers answers most of the
rest: it tries the empty set first, so A and B are independent if and only if their separating set is empty. The only
new tests are of A and D given C where another set had separated them; each is made once.
"""

from math import exp, log

from himation.confounding.ytest import Collider, YTest, neighbourhoods
from himation.independence import IndependenceTest
from himation.orientation.region import Region


def y_structures(region: Region, colliders: list[Collider], test: IndependenceTest, alpha: float) -> list[YTest]:
    """All Y-structures among neighbours, each once (A before B), scored by their smallest p-value of independence."""
    around = neighbourhoods(region)
    known: dict[tuple[int, int, int], float | None] = {}

    def separated(x: int, d: int, c: int) -> float | None:
        key = (min(x, d), max(x, d), c)
        if key not in known:
            known[key] = _separated_by(region, test, alpha, *key)
        return known[key]

    found = []
    for collider in colliders:
        a, b, c = collider.a, collider.b, collider.c
        if region.separations[a, b][0]:
            continue
        for d in sorted(around[c] - {a, b}):
            of_a, of_b = separated(a, d, c), separated(b, d, c)
            if of_a is not None and of_b is not None:
                p_score = min(collider.p_independent, of_a, of_b)
                found.append(YTest(a, b, c, d, p_score, collider.p_dependent))
    return found


def _separated_by(region: Region, test: IndependenceTest, alpha: float, x: int, d: int, c: int) -> float | None:
    """p-value of the independence of ``x`` and ``d`` given ``c``; None if they are dependent, or are so without it."""
    separation = region.separations.get((x, d))
    if separation is None or not separation[0]:
        return None
    if separation[0] == (c,):
        return exp(separation[1])
    result = test.test(x, d, (c,))
    return result.p_value if result.reliable and result.log_p > log(alpha) else None
