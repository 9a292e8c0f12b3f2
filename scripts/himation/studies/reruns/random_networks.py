"""Random discrete networks in the manner of the thesis (IV.5): at most five parents, two or three values.

The number of a node's parents is uniform on 1 to 5 (as far as there are earlier nodes): that gives the published
numbers of edges, 138, 284 and 1,497 for 50, 100 and 500 variables. Parents are drawn among the earlier nodes, two or
three values with equal chance, and each row of a table of probabilities uniformly (a flat Dirichlet distribution); the
thesis does not say how it drew them. Tables lie one after the other in one array, and sampling is compiled, so that
100,000 variables are a matter of seconds.

>>> network = random_network(50, np.random.default_rng(0))
>>> network.n_variables, network.sample(4, np.random.default_rng(1)).shape, int(network.fan_in.max())
(50, (50, 4), 5)
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

MOST_PARENTS = 5
_BLOCK = 1000  # variables whose random numbers are drawn at once


@dataclass(frozen=True)
class RandomNetwork:
    """Nodes in an order with parents first; ``parents[j]`` has ``fan_in[j]`` entries, the rest are -1.

    ``tables[first[j] :]`` has the cumulated probabilities of j's values, ``arities[j] - 1`` numbers for each joint
    value of its parents, the last parent running fastest.
    """

    arities: np.ndarray
    parents: np.ndarray
    fan_in: np.ndarray
    first: np.ndarray
    tables: np.ndarray

    @property
    def n_variables(self) -> int:
        return len(self.arities)

    def edges(self) -> list[tuple[int, int]]:
        """All edges (parent, child)."""
        return [(int(i), j) for j, row in enumerate(self.parents) for i in row[: self.fan_in[j]]]

    def dag(self) -> np.ndarray:
        """The matrix of the graph; for small networks."""
        found = np.zeros((self.n_variables, self.n_variables), dtype=bool)
        for i, j in self.edges():
            found[i, j] = True
        return found

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """One row of codes for each variable, ``n`` examples."""
        codes = np.empty((self.n_variables, n), dtype=np.uint8)
        for begin in range(0, self.n_variables, _BLOCK):
            end = min(begin + _BLOCK, self.n_variables)
            drawn = rng.random((end - begin, n))
            _draw(codes, drawn, begin, self.arities, self.parents, self.fan_in, self.first, self.tables)
        return codes


def random_network(n: int, rng: np.random.Generator, most_parents: int = MOST_PARENTS) -> RandomNetwork:
    """A network of ``n`` variables."""
    arities = rng.integers(2, 4, n)
    fan_in = np.minimum(rng.integers(1, most_parents + 1, n), np.arange(n))
    parents = np.full((n, most_parents), -1, dtype=np.int64)
    for j in range(1, n):
        k = fan_in[j]
        drawn = rng.permutation(j)[:k] if j < 4 * most_parents else _distinct(rng, j, k)
        parents[j, :k] = np.sort(drawn)
    rows = np.where(parents >= 0, arities[parents], 1).prod(axis=1)
    sizes = rows * (arities - 1)
    first = np.concatenate([[0], np.cumsum(sizes)])
    tables = np.empty(first[-1])
    for j in range(n):
        weights = rng.standard_exponential((rows[j], arities[j]))
        shares = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
        tables[first[j] : first[j + 1]] = shares[:, :-1].ravel()
    return RandomNetwork(arities, parents, fan_in, first, tables)


def _distinct(rng: np.random.Generator, j: int, k: int) -> np.ndarray:
    while True:
        drawn = rng.integers(0, j, k)
        if len(set(drawn.tolist())) == k:
            return drawn


@njit(cache=True)
def _draw(codes, drawn, begin, arities, parents, fan_in, first, tables):
    n = codes.shape[1]
    for offset in range(drawn.shape[0]):
        j = begin + offset
        width = arities[j] - 1
        for e in range(n):
            row = 0
            for k in range(fan_in[j]):
                parent = parents[j, k]
                row = row * arities[parent] + codes[parent, e]
            value = 0
            at = first[j] + row * width
            while value < width and drawn[offset, e] >= tables[at + value]:
                value += 1
            codes[j, e] = value
