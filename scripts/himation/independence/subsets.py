"""Subsets in order of size, then lexicographically, for compiled loops."""

from numba import njit


@njit(cache=True)
def first_subset(chosen, k):
    """Make ``chosen[:k]`` the first subset of size ``k``."""
    for i in range(k):
        chosen[i] = i


@njit(cache=True)
def next_subset(chosen, k, n):
    """Advance ``chosen[:k]`` to the next subset of 0 .. n-1; False after the last one."""
    i = k - 1
    while i >= 0 and chosen[i] == n - k + i:
        i -= 1
    if i < 0:
        return False
    chosen[i] += 1
    for j in range(i + 1, k):
        chosen[j] = chosen[j - 1] + 1
    return True
