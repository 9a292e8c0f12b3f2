"""IAMB, inter-IAMB, KIAMB and grow-shrink: blankets by conditioning on the whole blanket found so far.

Grow: as long as some variable depends on the target given the blanket, one of them enters. Shrink: members that are
independent of the target given the other members leave, tried in the order in which they entered.

========== =========================================================================== ==============================
IAMB       the most dependent one enters                                               Tsamardinos et al. 2003
inter-IAMB the same, and shrinks after each that enters                                the same
KIAMB      the most dependent of a random share K of the dependent ones enters; K = 1  Pena et al. 2007, table 8
           is IAMB. If there are several blankets, repeated runs find several
GS         of the dependent ones that with the strongest marginal association enters   Margaritis and Thrun 1999
========== =========================================================================== ==============================

All are sound under the composition property, which is weaker than faithfulness. The price: examples are needed in
proportion to the number of joint values of the blanket. An unreliable test is skipped, so a variable neither enters nor
leaves by one. ``phases="repeated"`` grows again after a shrink that removed something, as Pena et al. did in their
experiments, until nothing changes or a blanket comes back; ``"once"`` is the algorithm of the first paper.

Each step is one call of ``many`` over all variables. Strength is ranked by log p, ties go by the statistic and then by
number. KIAMB draws among ranks, not among columns, so that the order of the columns does not matter.

Worked example: T -> C <- S. S is independent of T by itself, and enters once C is in.

>>> import numpy as np
>>> from himation.independence import Oracle
>>> dag = np.zeros((3, 3), dtype=bool); dag[0, 1] = dag[2, 1] = True
>>> iamb(Oracle(dag), 0).members
(1, 2)
"""

from collections.abc import Callable
from math import log

import numpy as np

from himation.blanket.search import ALPHA, Blanket
from himation.independence import IndependenceTest

K = 0.8
PHASES = ("repeated", "once")


def iamb(test: IndependenceTest, target: int, alpha: float = ALPHA, phases: str = "repeated") -> Blanket:
    """Incremental association Markov blanket."""
    return Growth(test, target, alpha).blanket(_strongest, phases)


def inter_iamb(test: IndependenceTest, target: int, alpha: float = ALPHA) -> Blanket:
    """IAMB that shrinks after each variable that enters."""
    return Growth(test, target, alpha).blanket(_strongest, "repeated", steps=1)


def kiamb(
    test: IndependenceTest,
    target: int,
    alpha: float = ALPHA,
    k: float = K,
    rng: np.random.Generator | int = 0,
    phases: str = "repeated",
) -> Blanket:
    """One run of the stochastic variant."""
    return Growth(test, target, alpha).random_blanket(k, rng, phases)


def grow_shrink(test: IndependenceTest, target: int, alpha: float = ALPHA) -> Blanket:
    """Grow-shrink (GS), with the order of growth that Pena et al. describe."""
    growth = Growth(test, target, alpha)
    place = np.full(test.n_variables, test.n_variables)
    marginal = growth.dependent(())
    place[marginal] = np.arange(len(marginal))  # the others are independent by themselves and come last, as ranked
    return growth.blanket(lambda ranked: int(np.argmin(place[ranked])), "once")


def draw(count: int, k: float, rng: np.random.Generator) -> int:
    """The best rank in a random subset of ``max(1, floor(count * k))`` of the ranks 0 to ``count - 1``.

    >>> draw(10, 1.0, np.random.default_rng(0)), 0 <= draw(10, 0.0, np.random.default_rng(0)) < 10
    (0, True)
    """
    size = max(1, int(count * k + 1e-9))
    return int(rng.choice(count, size, replace=False).min())


def _strongest(ranked: np.ndarray) -> int:
    return 0


class Growth:
    """Growing and shrinking around one target. What each blanket leaves dependent is remembered between runs."""

    def __init__(self, test: IndependenceTest, target: int, alpha: float = ALPHA):
        self.test, self.target, self.log_alpha = test, target, log(alpha)
        self._dependent: dict[tuple[int, ...], np.ndarray] = {}

    def dependent(self, given: tuple[int, ...]) -> np.ndarray:
        """Variables that depend on the target given these, strongest first."""
        if given not in self._dependent:
            others = np.delete(np.arange(self.test.n_variables), [self.target, *given])
            many = self.test.many(self.target, others, given)
            chosen = np.flatnonzero(many.reliable & (many.log_p <= self.log_alpha))
            order = np.lexsort((others[chosen], -np.abs(many.statistic[chosen]), many.log_p[chosen]))
            self._dependent[given] = others[chosen[order]]
        return self._dependent[given]

    def random_blanket(self, k: float, rng: np.random.Generator | int, phases: str = "repeated") -> Blanket:
        """One run of KIAMB."""
        if not 0 <= k <= 1:
            raise ValueError(f"K is {k}; it must lie between 0 and 1")
        rng = np.random.default_rng(rng)
        return self.blanket(lambda ranked: draw(len(ranked), k, rng), phases)

    def blanket(self, choose: Callable[[np.ndarray], int], phases: str, steps: int | None = None) -> Blanket:
        """Grow by at most ``steps`` variables, shrink, and begin again if ``phases`` says so.

        ``choose`` gets the dependent variables, strongest first, and returns a position among them.
        """
        if phases not in PHASES:
            raise ValueError(f"phases is 'repeated' or 'once', not {phases!r}")
        members: list[int] = []
        seen: set[frozenset[int]] = set()
        while frozenset(members) not in seen:
            seen.add(frozenset(members))
            grown = self._grow(members, choose, steps)
            removed = self._shrink(members)
            if not grown or not (removed or steps) or phases == "once":
                break
        return Blanket.ranked(self._strength(members))

    def _grow(self, members: list[int], choose, steps) -> int:
        grown = 0
        while steps is None or grown < steps:
            ranked = self.dependent(tuple(members))
            if not len(ranked):
                break
            members.append(int(ranked[choose(ranked)]))
            grown += 1
        return grown

    def _shrink(self, members: list[int]) -> int:
        before = len(members)
        for x in list(members):
            result = self._given_the_rest(x, members)
            if result.reliable and result.log_p > self.log_alpha:
                members.remove(x)
        return before - len(members)

    def _given_the_rest(self, x: int, members: list[int]):
        return self.test.test(self.target, x, tuple(y for y in members if y != x))

    def _strength(self, members: list[int]) -> dict[int, float]:
        """-log p given the other members; where that test is unreliable, given those that entered before."""
        strength = {}
        for position, x in enumerate(members):
            result = self._given_the_rest(x, members)
            if not result.reliable:
                result = self.test.test(self.target, x, tuple(members[:position]))
            strength[x] = -result.log_p if result.reliable else 0.0
        return strength
