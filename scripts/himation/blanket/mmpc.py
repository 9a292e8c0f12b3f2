"""MMPC: max-min parents and children (Tsamardinos, Brown and Aliferis 2006; thesis, algorithms 5 and 6).

Forward, the variable enters whose smallest association with the target, over all subsets of those already in, is
largest; a variable that some subset makes independent is out for good. Backward, every member is tried against the
subsets it has not met. Each new member brings only the subsets that contain it, so no test is made twice.

What an unreliable test means here: it is skipped. A variable without any reliable test never enters.

The plain algorithm can return descendants that are not children (Pena et al. 2007, figure a). As the relation is
symmetric, ``symmetry="and"`` keeps X only if the target is also among X's parents and children; ``"or"`` adds those X
that name the target; ``"none"`` is the plain algorithm.

Worked example: in A -> T -> B, where A and B depend on each other only through T, `mmpc` with target A lets T enter
first; given T, B is independent of A and leaves.

>>> import numpy as np
>>> from himation.independence import Oracle
>>> dag = np.zeros((3, 3), dtype=bool); dag[0, 2] = dag[2, 1] = True
>>> mmpc(Oracle(dag), 0).members
(2,)
"""

from dataclasses import dataclass
from math import log

import numpy as np

from himation.independence import IndependenceTest

ALPHA = 0.05
MAX_CONDITIONING = 3


@dataclass(frozen=True)
class Neighbourhood:
    """What a search for the parents and children of one variable found.

    ``log_p[x]`` is the weakest association met (the largest log p), ``separating_set(x)`` the set that made x
    independent, None for a member or where no reliable test was made.
    """

    target: int
    members: tuple[int, ...]
    log_p: np.ndarray
    _sets: tuple[tuple[int, ...], ...]
    _set_of: np.ndarray

    def separating_set(self, x: int) -> tuple[int, ...] | None:
        return self._sets[self._set_of[x]] if self._set_of[x] >= 0 else None


class _Search:
    """State of one run: who is alive, the weakest association of each, and what separated the others."""

    def __init__(self, test: IndependenceTest, target: int, alpha: float, candidates: np.ndarray | None):
        self.test, self.target, self.log_alpha = test, target, log(alpha)
        p = test.n_variables
        who = np.arange(p) if candidates is None else np.asarray(candidates)
        who = who[who != target]
        self.weakest = np.full(p, -np.inf)
        self.sets: list[tuple[int, ...]] = [()]
        self.set_of = np.full(p, -1, dtype=np.int64)
        many = test.many(target, who, ())
        self.weakest[who] = np.where(many.reliable, many.log_p, 0.0)
        self.set_of[who[many.reliable & (many.log_p > self.log_alpha)]] = 0
        self.waiting = who[many.reliable & (many.log_p <= self.log_alpha)]
        self.statistic = np.zeros(p)
        self.statistic[who] = np.abs(many.statistic)

    def weaken(self, who: np.ndarray, pool: list[int], first_new: int, max_conditioning: int) -> np.ndarray:
        """Try ``who`` given the subsets of ``pool`` with a new member; return those that stay dependent."""
        if not len(who) or not len(pool):
            return who
        found = self.test.weakest(self.target, who, np.array(pool), first_new, max_conditioning, self.log_alpha)
        self.weakest[who] = np.maximum(self.weakest[who], found.log_p)
        for i in np.flatnonzero(found.size >= 0):
            self.set_of[who[i]] = len(self.sets)
            self.sets.append(tuple(int(member) for member in found.sets[i, : found.size[i]]))
        return who[found.size < 0]

    def strongest(self) -> int:
        """The waiting candidate whose weakest association is strongest; ties by marginal statistic, then by number."""
        weakest = self.weakest[self.waiting]
        ties = self.waiting[weakest == weakest.min()]
        return int(ties[np.lexsort((ties, -self.statistic[ties]))[0]])


def mmpc(
    test: IndependenceTest,
    target: int,
    alpha: float = ALPHA,
    max_conditioning: int = MAX_CONDITIONING,
    candidates: np.ndarray | None = None,
) -> Neighbourhood:
    """Parents and children of ``target`` by the plain algorithm, without the correction for symmetry."""
    search = _Search(test, target, alpha, candidates)
    members: list[int] = []
    while len(search.waiting):
        newest = search.strongest()
        others = search.waiting[search.waiting != newest]
        members.append(newest)
        search.waiting = search.weaken(others, members, len(members) - 1, max_conditioning)
    for x in list(members):
        position = members.index(x)
        rest = members[:position] + members[position + 1 :]
        if not len(search.weaken(np.array([x]), rest, position, max_conditioning)):
            members.remove(x)
    return Neighbourhood(target, tuple(members), search.weakest, tuple(search.sets), search.set_of)


class Neighbours:
    """Parents and children of any variable, each run remembered: MMMB, regions and symmetry ask again and again."""

    def __init__(
        self,
        test: IndependenceTest,
        alpha: float = ALPHA,
        max_conditioning: int = MAX_CONDITIONING,
        symmetry: str = "and",
    ):
        if symmetry not in ("and", "or", "none"):
            raise ValueError(f"symmetry is 'and', 'or' or 'none', not {symmetry!r}")
        self.test, self.alpha, self.max_conditioning, self.symmetry = test, alpha, max_conditioning, symmetry
        self._plain: dict[int, Neighbourhood] = {}

    def plain(self, x: int) -> Neighbourhood:
        """The run of `mmpc` with ``x`` as target."""
        if x not in self._plain:
            self._plain[x] = mmpc(self.test, x, self.alpha, self.max_conditioning)
        return self._plain[x]

    def of(self, x: int) -> tuple[int, ...]:
        """Parents and children of ``x``, corrected for symmetry as asked."""
        own = self.plain(x).members
        if self.symmetry == "and":
            return tuple(y for y in own if x in self.plain(y).members)
        if self.symmetry == "or":
            others = (y for y in range(self.test.n_variables) if y != x and y not in own)
            return own + tuple(y for y in others if x in self.plain(y).members)
        return own

    def separating_set(self, x: int, y: int) -> tuple[int, ...] | None:
        """A set that made ``x`` and ``y`` independent, from the run of either; None if there was none."""
        for a, b in ((x, y), (y, x)):
            if a in self._plain:
                found = self._plain[a].separating_set(b)
                if found is not None:
                    return found
        return None
