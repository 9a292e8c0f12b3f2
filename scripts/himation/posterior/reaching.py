"""Who reaches whom, compiled."""

import numpy as np
from numba import njit


@njit(cache=True)
def reaches(graph, target):
    """Who reaches the target by a directed path."""
    nodes = len(graph)
    found, stack, size = np.zeros(nodes), np.empty(nodes, np.int64), 1
    stack[0] = target
    while size:
        size -= 1
        at = stack[size]
        for x in range(nodes):
            if graph[x, at] and found[x] == 0:
                found[x] = 1
                stack[size] = x
                size += 1
    return found
