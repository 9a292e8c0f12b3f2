"""PCMB, parents and children based Markov boundary (Pena, Nilsson, Bjoerkegren and Tegner 2007, table 5), and KPCMB.

GetPCD finds the parents, the children and perhaps further descendants of a variable. It repeats three steps: candidates
that a subset of PCD makes independent are dropped; the candidate whose weakest association over those subsets is
strongest enters PCD; members that a subset of the others makes independent leave PCD. GetPC keeps X only if the target
is also in GetPCD(X), which removes the further descendants. PCMB adds the spouses: X of GetPC(Y), for Y of GetPC(T),
that is independent of T given some Z but not given Z and Y. Under faithfulness that is exactly the blanket.

KPCMB (section 5.1) lets the best of a random share K of the candidates enter PCD, as KIAMB does.

A test that is unreliable is skipped; so is a candidate for a spouse whose test is. Conditioning sets have at most
``max_conditioning`` members; the paper has no such limit.

No test is made twice. A new member brings only the subsets that hold it, to candidates and to members alike (the new
member has met all of them while it was a candidate, so it can't leave at once). The weakest association that ranks the
candidates must run over the subsets of the *present* PCD. When a member leaves, the memory goes back to the moment
before it entered, and the subsets that hold one of those that came after it are tried again.

Worked example, figure (a) of the paper: T -> Q <- P -> R -> S <- Q. Given subsets of {Q, S}, S never becomes
independent of T; but T is not in GetPCD(S).

>>> import numpy as np
>>> from himation.independence import Oracle
>>> T, P, Q, R, S = range(5)
>>> dag = np.zeros((5, 5), dtype=bool)
>>> for cause, effect in [(P, Q), (T, Q), (P, R), (R, S), (Q, S)]: dag[cause, effect] = True
>>> get_pcd(Oracle(dag), T).members, parents_and_children(Oracle(dag)).of(T), pcmb(Oracle(dag), T).members
((2, 4), (2,), (2, 1))
"""

from functools import partial
from math import log

import numpy as np

from himation.blanket.iamb import K, draw
from himation.blanket.mmpc import Neighbours
from himation.blanket.search import ALPHA, MAX_CONDITIONING, Blanket, Neighbourhood, Search
from himation.independence import IndependenceTest


def get_pcd(
    test: IndependenceTest,
    target: int,
    alpha: float = ALPHA,
    max_conditioning: int = MAX_CONDITIONING,
    k: float = 1.0,
    rng: np.random.Generator | None = None,
) -> Neighbourhood:
    """GetPCD: parents, children and perhaps further descendants of ``target``."""
    search = Search(test, target, alpha, max_conditioning)
    members: list[int] = []
    memory = [(0, search.weakest.copy())]  # weakest associations over the subsets of the first so many members
    while len(search.waiting):
        if rng is None or k >= 1:
            newest = search.strongest()
        else:
            newest = int(search.strongest_first()[draw(len(search.waiting), k, rng)])
        search.waiting = search.waiting[search.waiting != newest]
        leaving = [
            x for x in members if search.separates(x, [y for y in members if y != x] + [newest], len(members) - 1)
        ]
        if leaving:
            first = min(members.index(x) for x in leaving)
            memory = [(count, weakest) for count, weakest in memory if count <= first]
            search.weakest[search.waiting] = memory[-1][1][search.waiting]
        members = [x for x in members if x not in leaving] + [newest]
        search.waiting = search.weaken(search.waiting, members, memory[-1][0])
        memory.append((len(members), search.weakest.copy()))
    return search.result(members)


def parents_and_children(
    test: IndependenceTest, alpha: float = ALPHA, max_conditioning: int = MAX_CONDITIONING
) -> Neighbours:
    """GetPC: ``parents_and_children(...).of(x)``. Each run of GetPCD is remembered."""
    return Neighbours(test, alpha, max_conditioning, "and", get_pcd)


def pcmb(
    test: IndependenceTest, target: int, alpha: float = ALPHA, max_conditioning: int = MAX_CONDITIONING
) -> Blanket:
    """Markov blanket of ``target``."""
    return boundary(parents_and_children(test, alpha, max_conditioning), target)


def kpcmb(
    test: IndependenceTest,
    target: int,
    alpha: float = ALPHA,
    max_conditioning: int = MAX_CONDITIONING,
    k: float = K,
    rng: np.random.Generator | int = 0,
) -> Blanket:
    """One run of the stochastic variant."""
    if not 0 <= k <= 1:
        raise ValueError(f"K is {k}; it must lie between 0 and 1")
    search = partial(get_pcd, k=k, rng=np.random.default_rng(rng))
    return boundary(Neighbours(test, alpha, max_conditioning, "and", search), target)


def boundary(neighbours: Neighbours, target: int) -> Blanket:
    """PCMB with the parents and children of ``neighbours``: many targets can share one."""
    own = neighbours.of(target)
    strength = neighbours.strength(target)
    log_alpha = log(neighbours.alpha)
    for y in own:
        for x in neighbours.of(y):
            if x == target or x in own:
                continue
            z = neighbours.separating_set(target, x)
            if z is None or y in z:
                continue
            result = neighbours.test.test(target, x, (*z, y))
            if result.reliable and result.log_p <= log_alpha:
                strength[x] = max(strength.get(x, 0.0), -result.log_p)
    return Blanket.ranked(strength, own)
