"""Networks as the benchmark and the tests ask them: codes with a row for each variable, and the true answers.

The networks of the Bayesian network repository are read by `himation.studies.reruns.tiling`.

>>> alarm = load("alarm")
>>> alarm.dag.shape, int(alarm.dag.sum()), alarm.sample(5, seed=0).shape
((37, 37), 46, (37, 5))
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from himation.graphs import markov_blanket
from himation.studies.reruns import tiling


@dataclass(frozen=True)
class Network:
    """A discrete network; ``dag[i, j]`` for i -> j."""

    network: tiling.Network

    @property
    def names(self) -> tuple[str, ...]:
        return self.network.names

    @property
    def dag(self) -> np.ndarray:
        return self.network.dag

    @property
    def arities(self) -> np.ndarray:
        return np.array([table.shape[-1] for table in self.network.tables])

    def blanket(self, x: int) -> frozenset[int]:
        """The true Markov blanket."""
        return frozenset(int(y) for y in markov_blanket(self.dag, x))

    def sample(self, n: int, seed: int) -> np.ndarray:
        """One row of codes for each variable, ``n`` examples."""
        return np.ascontiguousarray(self.network.sample(n, np.random.default_rng(seed)).T)


@cache
def load(name: str) -> Network:
    """A network by its name in the repository, for instance alarm or pigs; its variables in the order of their names,
    so that results do not depend on that of the file."""
    read = tiling.load(name)
    order = sorted(range(len(read.names)), key=lambda x: read.names[x])
    place = {x: at for at, x in enumerate(order)}
    parents = tuple(tuple(place[x] for x in read.parents[j]) for j in order)
    names = tuple(read.names[j] for j in order)
    return Network(tiling.Network(names, parents, tuple(read.tables[j] for j in order)))


def accuracy(found, true) -> tuple[float, float, float]:
    """Precision, recall and distance from both being 1 (Pena et al. 2007, 4.1.1); an empty answer has precision 1."""
    right = len(set(found) & set(true))
    precision = right / len(set(found)) if len(set(found)) else 1.0
    recall = right / len(set(true)) if len(set(true)) else 1.0
    return precision, recall, float(np.hypot(1 - precision, 1 - recall))
