"""Repeated runs of a stochastic finder: the distinct blankets and how often each was found (Pena et al. 2007, 5.1).

>>> flip = lambda rng: Blanket((int(rng.integers(2)),), (1.0,))
>>> [(blanket.members, count) for blanket, count in distinct(flip, runs=8, seed=0)]
[((1,), 6), ((0,), 2)]
"""

from collections.abc import Callable

import numpy as np

from himation.blanket.search import Blanket


def distinct(
    find: Callable[[np.random.Generator], Blanket],
    runs: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[tuple[Blanket, int]]:
    """Each distinct set of members with its count; most frequent first, then smaller, then by number.

    Every run has its own generator, made from the seed and the run's number.
    """
    found: dict[frozenset[int], tuple[Blanket, int]] = {}
    for run in range(runs):
        blanket = find(np.random.default_rng([seed, run]))
        first, count = found.get(frozenset(blanket.members), (blanket, 0))
        found[frozenset(blanket.members)] = (first, count + 1)
        if progress:
            progress(run + 1, runs)
    return sorted(found.values(), key=lambda item: (-item[1], len(item[0].members), sorted(item[0].members)))
