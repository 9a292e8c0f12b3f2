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
NOBODY = -1


@dataclass(frozen=True)
class Neighbourhood:
    """What a search for the parents and children of one variable found.

    Of the many variables that are independent of the target by themselves only that fact is kept. ``association(x)`` is
    the weakest association met (the largest log p), ``separating_set(x)`` the set that made x independent, None for a
    member or where no reliable test was made.
    """

    target: int
    members: tuple[int, ...]
    _test: IndependenceTest
    _independent: np.ndarray  # of every variable, whether the empty set separates it
    _tried: np.ndarray  # the others that were tried given something, in order, with the weakest association of each
    _log_p: np.ndarray
    _set_of: np.ndarray  # and the row of its separating set, or -1
    _sets: np.ndarray

    def separating_set(self, x: int) -> tuple[int, ...] | None:
        if self._independent[x]:
            return ()
        at = self._place(x)
        if at is None or self._set_of[at] < 0:
            return None
        return tuple(int(member) for member in self._sets[self._set_of[at]] if member != NOBODY)

    def association(self, x: int) -> float:
        """Largest log p met; 0 where no reliable test was made."""
        if self._independent[x]:
            return self._test.test(self.target, x).log_p
        at = self._place(x)
        return 0.0 if at is None else float(self._log_p[at])

    def to_arrays(self) -> dict[str, np.ndarray]:
        """All but the test, for a file; `from_arrays` is the way back."""
        found = {"members": np.array(self.members, dtype=np.int64), "independent": self._independent}
        return found | {"tried": self._tried, "log_p": self._log_p, "set_of": self._set_of, "sets": self._sets}

    @classmethod
    def from_arrays(cls, test: IndependenceTest, target: int, found: dict[str, np.ndarray]) -> "Neighbourhood":
        kept = (found[key] for key in ("independent", "tried", "log_p", "set_of", "sets"))
        return cls(target, tuple(found["members"].tolist()), test, *kept)

    def _place(self, x: int) -> int | None:
        at = int(np.searchsorted(self._tried, x))
        return at if at < len(self._tried) and self._tried[at] == x else None


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
        found = test.candidates(target, who, self.log_alpha)
        self.independent = np.zeros(p, dtype=bool)
        self.independent[who[found.independent]] = True
        self.waiting = who[found.dependent]
        self._tried = np.sort(self.waiting)
        self.weakest, self.statistic = np.zeros(p), np.zeros(p)
        self.weakest[self.waiting] = found.log_p
        self.statistic[self.waiting] = np.abs(found.statistic)
        self.set_of = np.full(p, -1, dtype=np.int32)
        self._blocks, self._count = [np.empty((0, max_conditioning), dtype=np.int32)], 0

    @property
    def sets(self) -> np.ndarray:
        """The separating sets, one a row, filled up with NOBODY; ``set_of`` has the row of each variable."""
        if len(self._blocks) > 1:
            self._blocks = [np.concatenate(self._blocks)]
        return self._blocks[0]

    def weaken(self, who: np.ndarray, pool: list[int], first_new: int) -> np.ndarray:
        """Try ``who`` given the subsets of ``pool`` with a new member; return those that stay dependent."""
        if not len(who) or first_new >= len(pool):
            return who
        limits = self.max_conditioning, self.log_alpha
        found = self.test.weakest(self.target, who, np.array(pool), first_new, *limits, known=self.weakest[who])
        self.weakest[who] = np.maximum(self.weakest[who], found.log_p)
        separated = np.flatnonzero(found.size >= 0)
        if not len(separated):
            return who
        unused = np.arange(self.max_conditioning) >= found.size[separated, None]
        self._blocks.append(np.where(unused, NOBODY, found.sets[separated]).astype(np.int32))
        self.set_of[who[separated]] = self._count + np.arange(len(separated))
        self._count += len(separated)
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
        tried = self._tried
        found = tried.astype(np.int32), self.weakest[tried], self.set_of[tried], self.sets
        return Neighbourhood(self.target, tuple(members), self.test, self.independent, *found)
