"""MMMB: max-min Markov blanket (Tsamardinos, Aliferis and Statnikov 2003; table 2 of Pena et al. 2007).

The blanket is the parents and children, and the spouses: variables that are independent of the target given some set Z
but not given Z and a common child. Candidates for spouses are the parents and children of the parents and children.

``spouses="published"`` is the paper's step: a candidate enters if any member of the parents and children makes it
dependent. That is many tests at the same alpha (on REGED 36 candidates times 13 members: 4 true spouses and 14 false
ones). ``spouses="strict"``, the default, tries a candidate only through a member that is its own neighbour, and
divides alpha by the number of such tests (on REGED: the same 4 true spouses, 2 false ones).

The published algorithm has a flaw besides (Pena et al., figure b: a candidate can pass through a variable that is no
common child). It is kept: PCMB is the corrected one.

>>> import numpy as np
>>> from himation.independence import Oracle
>>> dag = np.zeros((3, 3), dtype=bool); dag[0, 1] = dag[2, 1] = True     # T -> C <- S
>>> mmmb(Neighbours(Oracle(dag)), 0).members
(1, 2)
"""

from math import log

from himation.blanket.mmpc import Neighbours
from himation.blanket.search import Blanket

__all__ = ["Blanket", "mmmb"]


def mmmb(neighbours: Neighbours, target: int, spouses: str = "strict") -> Blanket:
    """Markov blanket of ``target``; ``neighbours`` carries the test, alpha and the symmetry rule."""
    if spouses not in ("strict", "published"):
        raise ValueError(f"spouses is 'strict' or 'published', not {spouses!r}")
    own = neighbours.of(target)
    strength = neighbours.strength(target)
    tests = _spouse_tests(neighbours, target, own, strict=spouses == "strict")
    limit = log(neighbours.alpha / max(1, len(tests))) if spouses == "strict" else log(neighbours.alpha)
    for x, log_p in tests:
        if log_p <= limit:
            strength[x] = max(strength.get(x, 0.0), -log_p)
    return Blanket.ranked(strength, own)


def _spouse_tests(neighbours, target, own, strict):
    """(candidate, log p given its separating set and one of the parents and children), for all that can be made."""
    candidates = sorted({x for y in own for x in neighbours.of(y)} - {target} - set(own))
    tests = []
    for x in candidates:
        z = neighbours.separating_set(target, x)
        if z is None:
            continue
        for y in own:
            if y in z or (strict and x not in neighbours.of(y)):
                continue
            result = neighbours.test.test(target, x, (*z, y))
            if result.reliable:
                tests.append((x, result.log_p))
    return tests
