"""Y-tests weighed by a score, and summed up edge by edge (thesis, V.2.5).

The thesis's second weighting is the ratio of the BDeu score of the Y-structure, with the nodes of its conditioning
sets, to that of an empty graph. It does not say how those nodes are joined. Here they are common causes of the two that
they separate: Z1 of A and B, Z2 (without C) of A and D, Z3 (without C) of B and D. As they have no parents themselves,
their own terms cancel, and

    log ratio = sum over A, B, C, D of local(node, its parents) - local(node, no parents),

with C caused by A and B, and D by C. It is a log Bayes factor: positive where the data are better explained with the
edges than without. Where a table is not discrete the score is the BIC of Gaussian data with indicators for discrete
variables, which approximates the same quantity.

Which weight tells right from wrong? Share of Y-tests, each edge's best, that name a true edge in its true direction,
from the weakest to the strongest evidence (30 problems like REGED with 200 variables and 500 examples, Fisher's z; 80
random discrete networks of 40 variables with 2,000 examples, G-square; alpha 0.05). On 60 samples of LUCAS (2,000
examples) all 221 are right, and 207 of 208 of Mani's.

======================= ======================= ======================= =======================
p-score                 like REGED, all edges   like REGED, T -> X      random, all edges
======================= ======================= ======================= =======================
up to 0.1               0.89 of 614             0.75 of 87              0.88 of 355
0.1 to 0.3              0.92 of 673             0.83 of 133             0.91 of 434
0.3 to 0.5              0.92 of 185             0.92 of 59              0.93 of 114
above 0.5               0.89 of 70              0.83 of 35              0.95 of 42
**p of condition 5**
0.01 to 0.05            0.86 of 333             0.65 of 51              0.82 of 177
0.001 to 0.01           0.89 of 386             0.62 of 48              0.83 of 103
1e-4 to 0.001           0.92 of 236             0.82 of 74              0.90 of 68
1e-6 to 1e-4            0.93 of 247             0.88 of 51              0.90 of 84
below 1e-6              0.95 of 340             0.99 of 90              0.95 of 513
all Y-tests             0.91 of 1542            0.82 of 314             0.91 of 945
all Mani's structures   0.82 of 122             0.82 of 92              0.93 of 472
any edge of the region  0.33                    0.82 of 370             0.49
======================= ======================= ======================= =======================

The p-score says little; the p-value of condition 5 says more. At the rare binary target of REGED it is all: a Y-test
for T -> X as such is no evidence there, as 0.82 of the target's edges point that way anyhow and parents pass as often
as children do (48 of 55 and 258 of 304), by two children whose faint dependence the sample hides. Below 1e-6, 89
children pass and no parent. The ratio measures how strong the edges are, not that the independencies hold; it ranks
right before wrong in 0.55 to 0.66 of pairs, the p-score in 0.53 to 0.58.

Hidden variables: with 8 of the 40 variables of 100 such random networks left out (2,000 examples), 288 of 322 edges
found causal are, but 51 are confounded, besides or instead. A test that is sound with perfect answers is not so on a
sample: a weak link through the hidden variable is missed.

>>> edges = summarise([(0, 2), (1, 2), (2, 3)], [YTest(0, 1, 2, 3, 0.7, 1e-3), YTest(0, 4, 2, 3, 0.2, 1e-5)])
>>> edges[2].forward
Declared(tests=2, p_score=0.7, p_dependent=1e-05, log_ratio=None, structures=0, structure_p_score=None)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from himation.confounding.ytest import YTest
from himation.orientation.hill_climbing import Score
from himation.orientation.region import Region


@dataclass(frozen=True)
class Declared:
    """One direction of an edge: how many Y-tests found it causal, and the best of them; the same for Mani's structures.

    Best are the largest p-score, the smallest p-value of a dependence (condition 5) and the largest ratio, not all of
    the same test. They are None where there is no test, the ratio also where it was not computed.
    """

    tests: int = 0
    p_score: float | None = None
    p_dependent: float | None = None
    log_ratio: float | None = None
    structures: int = 0
    structure_p_score: float | None = None


@dataclass(frozen=True)
class YEdge:
    """An edge of the region: what was found for a -> b (forward) and b -> a (backward)."""

    a: int
    b: int
    forward: Declared
    backward: Declared


def nodes_to_score(region: Region) -> tuple[int, ...]:
    """The region's nodes, and those outside it that separate some pair."""
    inside = set(region.nodes)
    outside = {node for z, _ in region.separations.values() for node in z} - inside
    return (*region.nodes, *sorted(outside))


def with_ratios(tests: Iterable[YTest], region: Region, score: Score) -> list[YTest]:
    """The same tests with their log ratios; ``score`` counts variables by their position in ``nodes_to_score``."""
    where = {node: position for position, node in enumerate(nodes_to_score(region))}
    return [replace(test, log_ratio=_log_ratio(test, region, score, where)) for test in tests]


def y_graph(test: YTest, region: Region) -> dict[int, set[int]]:
    """Parents of A, B, C and D in the Y-structure that a test stands for; other nodes have none."""
    a, b, c, d = test.a, test.b, test.c, test.d
    parents: dict[int, set[int]] = {a: set(), b: set(), c: {a, b}, d: {c}}
    for x, y in ((a, b), (a, d), (b, d)):
        shared = set(region.separations[min(x, y), max(x, y)][0]) - {a, b, c, d}
        parents[x] |= shared
        parents[y] |= shared
    return parents


def _log_ratio(test: YTest, region: Region, score: Score, where: dict[int, int]) -> float:
    total = 0.0
    for child, parents in y_graph(test, region).items():
        own = tuple(sorted(where[parent] for parent in parents))
        total += score.local(where[child], own) - score.local(where[child], ())
    return float(total)


def summarise(
    edges: Iterable[tuple[int, int]], tests: Sequence[YTest], structures: Sequence[YTest] = ()
) -> list[YEdge]:
    """What the tests say of every edge (a, b), in the order given."""
    by_test, by_structure = _by_direction(tests), _by_direction(structures)

    def declared(c: int, d: int) -> Declared:
        mine, manis = by_test.get((c, d), []), by_structure.get((c, d), [])
        return Declared(
            len(mine),
            max((test.p_score for test in mine), default=None),
            min((test.p_dependent for test in mine if test.p_dependent is not None), default=None),
            max((test.log_ratio for test in mine if test.log_ratio is not None), default=None),
            len(manis),
            max((test.p_score for test in manis), default=None),
        )

    return [YEdge(a, b, declared(a, b), declared(b, a)) for a, b in edges]


def _by_direction(tests: Iterable[YTest]) -> dict[tuple[int, int], list[YTest]]:
    grouped: dict[tuple[int, int], list[YTest]] = {}
    for test in tests:
        grouped.setdefault((test.c, test.d), []).append(test)
    return grouped
