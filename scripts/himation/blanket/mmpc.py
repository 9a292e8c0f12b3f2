"""MMPC: max-min parents and children (Tsamardinos, Brown and Aliferis 2006; thesis, algorithms 5 and 6).

Forward, the variable enters whose smallest association with the target, over all subsets of those already in, is
largest; a variable that some subset makes independent is out for good. Backward, every member is tried against the
subsets it has not met. Each new member brings only the subsets that contain it, so no test is made twice.

What an unreliable test means here: it is skipped. A variable without any reliable test never enters.

The plain algorithm can return descendants that are not children (Pena et al. 2007, figure a). As the relation is
symmetric, ``symmetry="and"`` keeps X only if the target is also among X's parents and children; ``"or"`` adds those X
that name the target; ``"none"`` is the plain algorithm. `Neighbours` does that for any search: this one, HITON-PC or
GetPCD.

Worked example: in A -> T -> B, where A and B depend on each other only through T, `mmpc` with target A lets T enter
first; given T, B is independent of A and leaves.

>>> import numpy as np
>>> from himation.independence import Oracle
>>> dag = np.zeros((3, 3), dtype=bool); dag[0, 2] = dag[2, 1] = True
>>> mmpc(Oracle(dag), 0).members
(2,)
"""

from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from math import log

import numpy as np

from himation.blanket.search import ALPHA, MAX_CONDITIONING, Neighbourhood, Search
from himation.independence import IndependenceTest
from himation.independence.base import discoveries

__all__ = ["ALPHA", "MAX_CONDITIONING", "Neighbourhood", "Neighbours", "mmpc"]

MOST_ASSOCIATES = 200


def mmpc(
    test: IndependenceTest,
    target: int,
    alpha: float = ALPHA,
    max_conditioning: int = MAX_CONDITIONING,
    candidates: np.ndarray | None = None,
) -> Neighbourhood:
    """Parents and children of ``target`` by the plain algorithm, without the correction for symmetry."""
    search = Search(test, target, alpha, max_conditioning, candidates)
    members: list[int] = []
    while len(search.waiting):
        newest = search.strongest()
        others = search.waiting[search.waiting != newest]
        members.append(newest)
        search.waiting = search.weaken(others, members, len(members) - 1)
    search.prune(members)
    return search.result(members)


class Neighbours:
    """Parents and children of any variable, each run remembered: MMMB, regions and symmetry ask again and again.

    ``search(test, target, alpha, max_conditioning)`` is the plain algorithm: `mmpc`, `hiton_pc`, `si_hiton_pc` or
    `get_pcd`. For an edge at a variable named in ``either``, it is enough that one end finds the other, whatever
    ``symmetry`` says: beside several strong children a weak parent does not find its way into the target's own search.
    """

    def __init__(
        self,
        test: IndependenceTest,
        alpha: float = ALPHA,
        max_conditioning: int = MAX_CONDITIONING,
        symmetry: str = "and",
        search: Callable[..., Neighbourhood] = mmpc,
        threads: int = 1,
        either: Collection[int] = (),
    ):
        if symmetry not in ("and", "or", "none"):
            raise ValueError(f"symmetry is 'and', 'or' or 'none', not {symmetry!r}")
        self.test, self.alpha, self.max_conditioning, self.symmetry = test, alpha, max_conditioning, symmetry
        self.search, self.threads, self.either = search, threads, frozenset(either)
        self._plain: dict[int, Neighbourhood] = {}

    def plain(self, x: int) -> Neighbourhood:
        """The run of the plain algorithm with ``x`` as target."""
        if x not in self._plain:
            self._plain[x] = self.search(self.test, x, self.alpha, self.max_conditioning)
        return self._plain[x]

    @property
    def n_searches(self) -> int:
        """From how many variables has been searched."""
        return len(self._plain)

    def prefetch(self, targets: Iterable[int]) -> None:
        """Search around several targets at once, in threads that share the data; the answers are the same."""
        wanted = [x for x in dict.fromkeys(targets) if x not in self._plain]
        if self.threads > 1 and len(wanted) > 1:
            with ThreadPoolExecutor(self.threads) as pool:
                runs = pool.map(lambda x: self.search(self.test, x, self.alpha, self.max_conditioning), wanted)
                self._plain.update(zip(wanted, runs, strict=True))

    def remember(self, runs: Iterable[Neighbourhood]) -> None:
        """Take over runs that were made elsewhere, on the same data with the same settings."""
        self._plain.update((run.target, run) for run in runs)

    def surely_wanted(self, x: int) -> list[int]:
        """Variables that `of` will search from for ``x``, or that lie near it: itself and those that depend on it."""
        others = range(self.test.n_variables) if self.symmetry == "or" else self._associates(x)
        return sorted({x, *others})

    def of(self, x: int) -> tuple[int, ...]:
        """Parents and children of ``x``, corrected for symmetry as asked."""
        own = self.plain(x).members
        if self.symmetry == "and":
            self.prefetch(own)
            at_either = x in self.either
            both = tuple(y for y in own if at_either or y in self.either or x in self.plain(y).members)
            return both + self._finders(x, own)
        if self.symmetry == "or":
            self.prefetch(range(self.test.n_variables))
            others = (y for y in range(self.test.n_variables) if y != x and y not in own)
            return own + tuple(y for y in others if x in self.plain(y).members)
        return own

    def _finders(self, x: int, own: tuple[int, ...]) -> tuple[int, ...]:
        """Variables that find ``x`` without being found by it, as far as ``either`` asks for them."""
        if x in self.either:
            others = self._associates(x)
            self.prefetch(others)
        else:
            others = sorted(self.either)
        return tuple(y for y in others if y not in own and x in self.plain(y).members)

    def _associates(self, x: int) -> list[int]:
        """Variables that depend on ``x`` by themselves, by number: at a false discovery rate of alpha (Benjamini and
        Hochberg 1995), as most of what passes alpha in a wide table is chance; at most MOST_ASSOCIATES."""
        candidates = np.delete(np.arange(self.test.n_variables), x)
        screened = self.test.screen(x, candidates, log(self.alpha))
        order, passed = discoveries(screened, len(candidates), log(self.alpha))
        strongest = order[: min(MOST_ASSOCIATES, passed)]
        return sorted(candidates[screened.dependent[strongest]].tolist())

    def strength(self, x: int) -> dict[int, float]:
        """-log p of the weakest association of ``x`` with each of its neighbours."""
        run = self.plain(x)
        return {y: -run.association(y) for y in self.of(x)}

    def separating_set(self, x: int, y: int) -> tuple[int, ...] | None:
        """A set that made ``x`` and ``y`` independent, from the run of either; None if there was none."""
        for a, b in ((x, y), (y, x)):
            if a in self._plain:
                found = self._plain[a].separating_set(b)
                if found is not None:
                    return found
        return None
