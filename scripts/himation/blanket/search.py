"""What all searches for parents and children share: the state of one run, and what it leaves behind.

A search starts from the variables that are associated with the target by themselves and tries each of them given
subsets of those already found. An unreliable test is skipped; a variable whose marginal test is unreliable never
enters. Each call names the first position of the pool that is new, so no test is made twice.
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


@dataclass(frozen=True)
class Blanket:
    """Members with the strength of each, -log p of its weakest association: larger is surer.

    ``neighbours`` are those found as parents and children, for the methods that tell them from spouses.
    """

    members: tuple[int, ...]
    strength: tuple[float, ...]
    neighbours: tuple[int, ...] = ()

    @classmethod
    def ranked(cls, strength: dict[int, float], neighbours: tuple[int, ...] = ()) -> "Blanket":
        """Surest first."""
        members = tuple(sorted(strength, key=lambda x: (-strength[x], x)))
        return cls(members, tuple(float(strength[x]) for x in members), neighbours)


class Search:
    """State of one run: who is alive, the weakest association of each, and what separated the others."""

    def __init__(
        self,
        test: IndependenceTest,
        target: int,
        alpha: float,
        max_conditioning: int,
        candidates: np.ndarray | None = None,
    ):
        self.test, self.target, self.log_alpha, self.max_conditioning = test, target, log(alpha), max_conditioning
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

    def weaken(self, who: np.ndarray, pool: list[int], first_new: int) -> np.ndarray:
        """Try ``who`` given the subsets of ``pool`` with a new member; return those that stay dependent."""
        if not len(who) or first_new >= len(pool):
            return who
        found = self.test.weakest(self.target, who, np.array(pool), first_new, self.max_conditioning, self.log_alpha)
        self.weakest[who] = np.maximum(self.weakest[who], found.log_p)
        for i in np.flatnonzero(found.size >= 0):
            self.set_of[who[i]] = len(self.sets)
            self.sets.append(tuple(int(member) for member in found.sets[i, : found.size[i]]))
        return who[found.size < 0]

    def separates(self, x: int, pool: list[int], first_new: int = 0) -> bool:
        """Whether a subset of ``pool`` with a new member makes the single variable ``x`` independent."""
        return not len(self.weaken(np.array([x]), pool, first_new))

    def strongest_first(self) -> np.ndarray:
        """Those waiting, by their weakest association; ties by marginal statistic, then by number."""
        who = self.waiting
        return who[np.lexsort((who, -self.statistic[who], self.weakest[who]))]

    def strongest(self) -> int:
        """The waiting candidate whose weakest association is strongest, ties as in `strongest_first`."""
        weakest = self.weakest[self.waiting]
        ties = self.waiting[weakest == weakest.min()]
        return int(ties[np.lexsort((ties, -self.statistic[ties]))[0]])

    def prune(self, members: list[int]) -> None:
        """Remove every member that some subset of the others separates.

        Each has met the subsets of those that entered before it, so only subsets with a later one are tried.
        """
        for x in list(members):
            position = members.index(x)
            if self.separates(x, members[:position] + members[position + 1 :], position):
                members.remove(x)

    def result(self, members: list[int]) -> Neighbourhood:
        return Neighbourhood(self.target, tuple(members), self.weakest, tuple(self.sets), self.set_of)
