"""What a test of conditional independence returns, and what it must offer."""

from dataclasses import dataclass
from itertools import combinations
from math import exp

import numpy as np


@dataclass(frozen=True)
class Result:
    """One test. ``reliable`` is False where the data are too few for the test; its other fields then mean nothing."""

    statistic: float
    df: float
    log_p: float
    reliable: bool = True

    @property
    def p_value(self) -> float:
        return exp(self.log_p)


@dataclass(frozen=True)
class Many:
    """The tests of one variable against many, in the order of the candidates."""

    statistic: np.ndarray
    df: np.ndarray
    log_p: np.ndarray
    reliable: np.ndarray


@dataclass(frozen=True)
class Screened:
    """Which of many candidates depend on one variable by themselves.

    ``dependent`` has positions among the candidates, in their order, with ``log_p`` and ``statistic`` of each;
    ``independent`` says of every candidate whether a reliable test found it independent.
    """

    dependent: np.ndarray
    log_p: np.ndarray
    statistic: np.ndarray
    independent: np.ndarray


@dataclass(frozen=True)
class Weakest:
    """The weakest association of one variable with each of many candidates over a family of conditioning sets.

    ``log_p`` is the largest log p-value met, -inf where no test was reliable. ``sets`` has a row for each candidate,
    the members of the set that made it independent, and ``size`` their number, -1 for a candidate that stayed
    dependent. The search stops at the first set that separates a candidate.
    """

    log_p: np.ndarray
    sets: np.ndarray
    size: np.ndarray


def discoveries(found: Screened, tests: int, log_alpha: float) -> tuple[np.ndarray, int]:
    """The dependent ones, strongest first, and how many of them pass at a false discovery rate of alpha among so many
    tests (Benjamini and Hochberg 1995).

    >>> some = Screened(np.arange(3), np.log([0.04, 0.001, 0.02]), np.ones(3), np.zeros(3, bool))
    >>> order, passed = discoveries(some, 10, np.log(0.05))
    >>> order.tolist(), passed
    ([1, 2, 0], 1)
    """
    order = np.lexsort((-np.abs(found.statistic), found.log_p))
    limits = log_alpha + np.log(np.arange(1, len(order) + 1) / max(1, tests))
    passed = np.flatnonzero(found.log_p[order] <= limits)
    return order, int(passed[-1]) + 1 if len(passed) else 0


class IndependenceTest:
    """Base of all tests: subclasses set ``n_variables``, write ``many``, and may compile ``screen`` and ``weakest``.

    ``n`` is the number of rows, 0 where a test needs none; ``most_candidates`` turns the false discovery rate on, for
    `candidates`.
    """

    n_variables: int
    n: int = 0
    most_candidates: int | None = None

    def many(self, x: int, candidates: np.ndarray, z: tuple[int, ...]) -> Many:
        """Test ``x`` against each candidate given ``z``; no candidate is ``x`` or a member of ``z``."""
        raise TypeError(f"{type(self).__name__} has no test")

    def screen(self, x: int, candidates: np.ndarray, log_alpha: float) -> Screened:
        """Test ``x`` against each candidate given nothing; p-values of the dependent ones only."""
        many = self.many(x, candidates, ())
        dependent = np.flatnonzero(many.reliable & (many.log_p <= log_alpha))
        independent = many.reliable & (many.log_p > log_alpha)
        return Screened(dependent, many.log_p[dependent], many.statistic[dependent], independent)

    def candidates(self, x: int, others: np.ndarray, log_alpha: float) -> Screened:
        """The variables that a search around ``x`` starts from: those that depend on it. With ``most_candidates``,
        those that do at a false discovery rate of alpha, and of them the strongest, so many; the rest then count as
        independent, but those that are left out for their number alone."""
        found = self.screen(x, others, log_alpha)
        if self.most_candidates is None:
            return found
        order, passed = discoveries(found, len(others), log_alpha)
        kept = np.sort(order[: min(passed, self.most_candidates)])
        independent = found.independent.copy()
        independent[found.dependent[order[passed:]]] = True
        return Screened(found.dependent[kept], found.log_p[kept], found.statistic[kept], independent)

    def test(self, x: int, y: int, z: tuple[int, ...] = ()) -> Result:
        """Test ``x`` and ``y`` given ``z``."""
        many = self.many(x, np.array([y]), tuple(z))
        return Result(
            float(many.statistic[0]), float(many.df[0]), float(many.log_p[0]), reliable=bool(many.reliable[0])
        )

    def may_exceed(self, x: int, candidates: np.ndarray, z: tuple[int, ...], log_p: np.ndarray) -> np.ndarray:
        """Which candidates can have a log p-value above the given one; a test that has no cheap bound says all."""
        return np.ones(len(candidates), dtype=bool)

    def weakest(
        self,
        x: int,
        candidates: np.ndarray,
        pool: np.ndarray,
        first_new: int,
        max_size: int,
        log_alpha: float,
        known: np.ndarray | None = None,
    ) -> Weakest:
        """Try ``x`` and each candidate given all subsets of ``pool`` with up to ``max_size`` members, at least one of
        them at position ``first_new`` of the pool or later, smaller sets first, until one makes them independent.

        ``known`` are the weakest associations met before: tests that are surely stronger may be left out."""
        candidates = np.asarray(candidates, dtype=np.int64)
        log_p = np.full(len(candidates), -np.inf)
        least = log_p if known is None else np.minimum(known, log_alpha)
        sets = np.zeros((len(candidates), max_size), dtype=np.int64)
        size = np.full(len(candidates), -1, dtype=np.int64)
        for k in range(1, max_size + 1):
            for chosen in combinations(range(len(pool)), k):
                alive = np.flatnonzero(size < 0)
                if not len(alive):
                    return Weakest(log_p, sets, size)
                if chosen[-1] < first_new:
                    continue
                z = tuple(int(pool[i]) for i in chosen)
                alive = alive[self.may_exceed(x, candidates[alive], z, np.maximum(log_p, least)[alive])]
                if not len(alive):
                    continue
                many = self.many(x, candidates[alive], z)
                tried = alive[many.reliable]
                log_p[tried] = np.maximum(log_p[tried], many.log_p[many.reliable])
                out = tried[log_p[tried] > log_alpha]
                size[out] = k
                sets[out, :k] = z
        return Weakest(log_p, sets, size)
