"""How far the probabilities of roles can be trusted: predicted against observed, where the truth is known.

Variables with evidence in all data sets with a truth are pooled; data sets that share a training table have the same
evidence and count once. For parents and for children apart, variables are grouped by their predicted probability; in
each group the share that are true parents (children) should be near the mean prediction.

>>> from himation.report.values import Judged
>>> judged = [Judged(1, "parent", 0.95, 0.0, "parent"), Judged(2, "parent", 0.97, 0.0, "child")]
>>> [(g.predicted, g.observed, g.count) for g in groups(judged, "parent")]
[(0.96, 0.5, 2)]
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from himation.report.values import CHILD, PARENT, ROLES, DataSet, Judged

EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)  # where groups begin
_Z = 1.96


@dataclass(frozen=True)
class Group:
    """Variables of similar predicted probability: the mean prediction, the share observed, its 95 % interval."""

    predicted: float
    observed: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Reliability:
    """``right`` has for each role given: how many variables, and how many of them truly have it."""

    parent: tuple[Group, ...]
    child: tuple[Group, ...]
    count: int
    tables: int
    missed: int
    brier: tuple[float, float]
    right: tuple[tuple[str, int, int], ...]


def pool(sets: Iterable[DataSet]) -> Reliability | None:
    """The comparison over all data sets whose truth is known; None if there is none."""
    known = {data.judged: data.missed for data in sets if data.judged}
    judged = [item for items in known for item in items]
    if not judged:
        return None
    right = []
    for role in ROLES:
        given = [item for item in judged if item.role == role]
        if given and role in (PARENT, CHILD, "spouse"):
            right.append((role, len(given), sum(item.truth == role for item in given)))
    return Reliability(
        parent=tuple(groups(judged, PARENT)),
        child=tuple(groups(judged, CHILD)),
        count=len(judged),
        tables=len(known),
        missed=sum(known.values()),
        brier=(_brier(judged, PARENT), _brier(judged, CHILD)),
        right=tuple(right),
    )


def _chance(item: Judged, role: str) -> float:
    return item.p_parent if role == PARENT else item.p_child


def _brier(judged: Sequence[Judged], role: str) -> float:
    """Mean squared difference of probability and truth: 0 is perfect, 0.25 a coin."""
    return sum((_chance(item, role) - (item.truth == role)) ** 2 for item in judged) / len(judged)


def groups(judged: Sequence[Judged], role: str) -> list[Group]:
    """Non-empty groups, the least probable first."""
    found = []
    for i, begin in enumerate(EDGES):
        end = EDGES[i + 1] if i + 1 < len(EDGES) else 1.1
        members = [item for item in judged if begin <= _chance(item, role) < end]
        if members:
            n, hits = len(members), sum(item.truth == role for item in members)
            predicted = sum(_chance(item, role) for item in members) / n
            found.append(Group(predicted, hits / n, *wilson(hits, n), n))
    return found


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share.

    >>> [round(end, 3) for end in wilson(5, 10)]
    [0.237, 0.763]
    """
    share, square = hits / n, _Z**2
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = _Z / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)
