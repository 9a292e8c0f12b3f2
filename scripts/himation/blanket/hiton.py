"""HITON (Aliferis, Tsamardinos and Statnikov 2003; table 4 of Pena et al. 2007).

HITON-PC lets candidates in by the strength of their marginal association. After each admission it removes every member
that some subset of the others makes independent of the target; what is removed is not considered again. Where the paper
leaves the order open, the newcomer is tried first (if it goes, nothing else changes), then the members in the order in
which they entered. *Semi-interleaved* HITON-PC (Aliferis et al. 2010) tries only the newcomer while it adds and all
members once at the end. Both can return descendants that are not children, as MMPC does; `Neighbours` corrects that.

HITON-MB adds the parents and children of the parents and children, and then removes a candidate X for a spouse if, for
any Y among the parents and children, a set that holds Y separates X from the target. What was decided here:

* The papers write "S is a subset of {Y} and V without T and X". The phrase comes from the SGS algorithm, where S holds
  Y; without that meaning the empty set would remove every spouse in T -> Y <- X. So S holds Y.
* All subsets of all variables can't be tried. S has at most ``max_conditioning`` members, taken from the candidates
  (parents and children, and theirs). The pool stays as it was at the start, so the order of removals does not matter.
* Only candidates for spouses are tried, as the first paper says; parents and children stay.

The rule is unsound (Pena et al., figure b): one Y that isn't the common child is enough to lose a spouse, for instance
any parent of the target. ``spouses="strict"`` is the repaired rule that `mmmb` uses (in substance that of Aliferis et
al. 2010): Y must be X's own neighbour.

The wrapper (`himation.blanket.wrapper`) comes last: it takes out what a classifier does not miss.

Worked example: T -> C <- S, where S is a spouse.

>>> import numpy as np
>>> from himation.independence import Oracle
>>> dag = np.zeros((3, 3), dtype=bool); dag[0, 1] = dag[2, 1] = True
>>> hiton_pc(Oracle(dag), 0).members, hiton_mb(Neighbours(Oracle(dag), search=hiton_pc), 0).members
((1,), (1, 2))
"""

from math import log

import numpy as np

from himation.blanket.mmmb import mmmb
from himation.blanket.mmpc import Neighbours
from himation.blanket.search import ALPHA, MAX_CONDITIONING, Blanket, Neighbourhood, Search
from himation.independence import IndependenceTest


def hiton_pc(
    test: IndependenceTest, target: int, alpha: float = ALPHA, max_conditioning: int = MAX_CONDITIONING
) -> Neighbourhood:
    """Parents and children of ``target`` by interleaved HITON-PC, without the correction for symmetry."""
    search = Search(test, target, alpha, max_conditioning)
    return search.result(_admit(search, interleaved=True))


def si_hiton_pc(
    test: IndependenceTest, target: int, alpha: float = ALPHA, max_conditioning: int = MAX_CONDITIONING
) -> Neighbourhood:
    """Parents and children of ``target`` by semi-interleaved HITON-PC, without the correction for symmetry."""
    search = Search(test, target, alpha, max_conditioning)
    members = _admit(search, interleaved=False)
    search.prune(members)
    return search.result(members)


def _admit(search: Search, interleaved: bool) -> list[int]:
    """Members in the order in which they entered.

    When one enters, all that wait are tried at once given the subsets that hold it. That is the paper's search as long
    as the set that separated a candidate stays among the members until its turn; if not, it is tried anew.
    """
    members: list[int] = []
    order = search.strongest_first()
    for position, newest in enumerate(map(int, order)):
        if search.set_of[newest] >= 0:
            continue
        left = set()
        for x in list(members) if interleaved else ():
            if search.separates(x, [y for y in members if y != x] + [newest], len(members) - 1):
                members.remove(x)
                left.add(x)
        members.append(newest)
        waiting = order[position + 1 :]
        search.weaken(waiting[search.set_of[waiting] < 0], members, len(members) - 1)
        if left:
            separated = waiting[search.set_of[waiting] >= 0]
            again = separated[np.isin(search.sets[search.set_of[separated]], list(left)).any(axis=1)]
            search.set_of[again] = -1
            search.weaken(again, members, 0)
    return members


def hiton_mb(neighbours: Neighbours, target: int, spouses: str = "published") -> Blanket:
    """Markov blanket of ``target``; ``neighbours`` carries the search, the test, alpha and the symmetry rule."""
    if spouses == "strict":
        return mmmb(neighbours, target, spouses)
    if spouses != "published":
        raise ValueError(f"spouses is 'strict' or 'published', not {spouses!r}")
    own = neighbours.of(target)
    strength = neighbours.strength(target)
    second = list(dict.fromkeys(x for y in own for x in neighbours.of(y) if x != target and x not in own))
    for x in second:
        log_p = _weakest_given_each(neighbours, target, x, [*own, *second], own)
        if log_p is not None:
            strength[x] = -log_p
    return Blanket.ranked(strength, own)


def _weakest_given_each(neighbours, target, x, candidates, own) -> float | None:
    """Largest log p of ``target`` and ``x`` given sets that hold a member of ``own``; None if one separates them, or
    if no test is reliable."""
    log_alpha, weakest = log(neighbours.alpha), -np.inf
    for y in own:
        pool = np.array([z for z in candidates if z not in (x, y)] + [y])
        found = neighbours.test.weakest(
            target, np.array([x]), pool, len(pool) - 1, neighbours.max_conditioning, log_alpha
        )
        if found.size[0] >= 0:
            return None
        weakest = max(weakest, float(found.log_p[0]))
    return weakest if np.isfinite(weakest) else None
