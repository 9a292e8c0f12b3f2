"""Whole structures and regions of them, by the algorithms of the thesis's chapter IV, on columns of any kind.

=================== =================================================================================================
mmhc                all parents and children, then the best graph within that skeleton (algorithm 7)
region_mmhc         parents and children to depth d + 1 around the target, the best graph among those, pruned to depth d
                    (algorithm 8)
  separations=True  the same, with more edges in the outermost layer: those that its nodes need among themselves once
                    everything outside is unknown; kept to depth d + 1, so that separations of the inner nodes can be
                    read from it (algorithm 9, RegionDSepMMHC)
algorithm_gpc       parents and children to depth d + 1, then v-structures and rules in place of a score (Pena et al.
                    2005; thesis, IV.5.2)
=================== =================================================================================================

All return a completed PDAG on the variables of the region. As in the thesis, a region's class of graphs is that of the
wider one that was searched, and then cut.

>>> from himation.independence import GSquare
>>> rng = np.random.default_rng(0)
>>> a, b = rng.integers(0, 2, (2, 500))
>>> codes = np.array([a, b, (a | b) ^ (rng.random(500) < 0.1)], dtype=np.uint8)
>>> test, sample = GSquare.from_codes(codes), Sample(tuple(codes), (2, 2, 2))
>>> mmhc(Neighbours(test), sample).pdag.astype(int).tolist()
[[0, 0, 1], [0, 0, 1], [0, 0, 0]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from himation.blanket.mmpc import Neighbours
from himation.graphs import distances
from himation.orientation.averaging import PATIENCE, find_pdag
from himation.orientation.region import DEPTH, MOST_VARIABLES, find_region, outer_layer
from himation.orientation.region_searches import JOINED
from himation.orientation.scores.by_name import Sample, score_maker


@dataclass(frozen=True)
class Structure:
    """A PDAG on some of the variables: ``pdag[i, j]`` is about ``nodes[i]`` and ``nodes[j]``."""

    nodes: tuple[int, ...]
    pdag: np.ndarray

    def within(self, target: int, depth: int) -> Structure:
        """What lies at most ``depth`` edges from the target, directions ignored."""
        away = distances(self.pdag, self.nodes.index(target))
        kept = np.flatnonzero(away <= depth).tolist()
        return Structure(tuple(self.nodes[i] for i in kept), self.pdag[np.ix_(kept, kept)])

    def matrix(self, n: int) -> np.ndarray:
        """The same on ``n`` variables."""
        found = np.zeros((n, n), dtype=bool)
        found[np.ix_(self.nodes, self.nodes)] = self.pdag
        return found


@dataclass(frozen=True)
class Scoring:
    """The score and the search that orient: `scores.by_name` and `averaging` have the names.

    As it stands, ours. ``Scoring.published()`` is MMHC's: BDeu of equivalent sample size 10 and hill-climbing.
    """

    score: str = "bdeu"
    search: str = "ges"
    prior: str = "sparse"
    patience: int = PATIENCE
    equivalent_sample_size: float = 1.0

    @classmethod
    def published(cls) -> Scoring:
        """As in the MMHC paper and the thesis (IV.5)."""
        return cls("bdeu", "hill-climbing", "uniform", 15, 10.0)

    def pdag(self, sample: Sample, nodes: Sequence[int], skeleton: np.ndarray) -> np.ndarray:
        """The best class of graphs on ``nodes`` within the skeleton."""
        part = Sample(tuple(sample.columns[v] for v in nodes), tuple(sample.arities[v] for v in nodes))
        own = {"equivalent_sample_size": self.equivalent_sample_size} if self.score == "bdeu" else {}
        score = score_maker(part, self.score, self.prior, **own)(None)
        return find_pdag(score, skeleton, self.search, self.patience)


OURS = Scoring()


def skeleton(neighbours: Neighbours) -> np.ndarray:
    """All parents and children, corrected for symmetry as ``neighbours`` says."""
    n = neighbours.test.n_variables
    neighbours.prefetch(range(n))
    found = np.zeros((n, n), dtype=bool)
    for x in range(n):
        found[x, list(neighbours.plain(x).members)] = True
    return found & found.T if neighbours.symmetry == "and" else found | found.T


def mmhc(neighbours: Neighbours, sample: Sample, scoring: Scoring = OURS, candidates: str = "skeleton") -> Structure:
    """The whole structure; ``candidates="all"`` lets any pair be an edge (for some tens of variables)."""
    nodes = tuple(range(len(sample.columns)))
    if candidates not in ("skeleton", "all"):
        raise ValueError(f"candidates is 'skeleton' or 'all', not {candidates!r}")
    allowed = skeleton(neighbours) if candidates == "skeleton" else ~np.eye(len(nodes), dtype=bool)
    return Structure(nodes, scoring.pdag(sample, nodes, allowed))


def region_mmhc(
    neighbours: Neighbours,
    sample: Sample,
    target: int,
    depth: int = DEPTH,
    scoring: Scoring = OURS,
    most_variables: int = MOST_VARIABLES,
    separations: bool = False,
) -> Structure:
    """The region of ``depth`` around the target, learned from the variables at most one edge further.

    With ``separations`` these are kept, and the inner nodes are separated in the region as in the whole.
    """
    region = find_region(neighbours, target, depth, most_variables)
    if separations:
        region, depth = outer_layer(neighbours, region, depth, JOINED), depth + 1
    return Structure(region.nodes, scoring.pdag(sample, region.nodes, region.skeleton())).within(target, depth)


def algorithm_gpc(
    neighbours: Neighbours, target: int, depth: int = DEPTH, most_variables: int = MOST_VARIABLES
) -> Structure:
    """The region by tests alone; ``neighbours`` with the search ``get_pcd`` makes it Pena's."""
    region = find_region(neighbours, target, depth, most_variables)
    return Structure(region.nodes, region.pattern()).within(target, depth)
