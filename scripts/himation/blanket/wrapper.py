"""HITON's wrapper: take out of a blanket what a classifier does not miss (Aliferis et al. 2003, figure 1).

Each member is taken out once, weakest first. If the cross-validated performance without it is not worse, it stays out.
Every trial is held against the best performance met so far less ``tolerance``, so that many small losses can't add up.
What a "performance" is is the caller's affair; `find_blanket` uses the AUC of an SVM, on the same folds each time.

>>> worth = {0: 0.3, 1: 0.1, 2: 0.0}
>>> wrapper((0, 1, 2), lambda members: 0.5 + sum(worth[x] for x in members))
((0, 1), 0.9)
"""

from collections.abc import Callable

SAME = 1e-9  # performances closer than this are equal


def wrapper(
    members: tuple[int, ...],
    performance: Callable[[tuple[int, ...]], float],
    tolerance: float = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[tuple[int, ...], float]:
    """Members that are missed, in the order given (surest first), and the performance with them."""
    kept = list(members)
    found = best = performance(tuple(kept))
    for done, x in enumerate(reversed(members), start=1):
        rest = [y for y in kept if y != x]
        without = performance(tuple(rest))
        if without >= best - tolerance - SAME:
            kept, found, best = rest, without, max(best, without)
        if progress:
            progress(done, len(members))
    return tuple(kept), found
