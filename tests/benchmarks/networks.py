"""Networks of the Bayesian network repository (as pgmpy ships them) and a quick forward sampler.

>>> alarm = load("alarm")
>>> alarm.dag.shape, int(alarm.dag.sum()), alarm.sample(5, seed=0).shape
((37, 37), 46, (37, 5))
"""

import gzip
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from himation.graphs import markov_blanket, topological_order


@dataclass(frozen=True)
class Network:
    """A discrete network: ``dag[i, j]`` for i -> j; ``tables[j]`` has one row of cumulated probabilities for each
    joint value of the parents of j (in the order of ``parents[j]``, the last one running fastest)."""

    names: tuple[str, ...]
    dag: np.ndarray
    arities: np.ndarray
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[np.ndarray, ...]

    def blanket(self, x: int) -> frozenset[int]:
        """The true Markov blanket."""
        return frozenset(int(y) for y in markov_blanket(self.dag, x))

    def sample(self, n: int, seed: int) -> np.ndarray:
        """One row of codes for each variable, ``n`` examples."""
        rng = np.random.default_rng(seed)
        codes = np.empty((len(self.names), n), dtype=np.uint8)
        for j in topological_order(self.dag):
            row = np.zeros(n, dtype=np.int64)
            for parent in self.parents[j]:
                row = row * self.arities[parent] + codes[parent]
            codes[j] = (rng.random(n)[:, None] >= self.tables[j][row, :-1]).sum(axis=1)
        return codes


@cache
def load(name: str) -> Network:
    """A network by the name of its file, for instance alarm or pigs."""
    import pgmpy
    from pgmpy.readwrite import BIFReader

    path = Path(pgmpy.__file__).parent / "utils/example_models" / f"{name}.bif.gz"
    cpds = BIFReader(string=gzip.decompress(path.read_bytes()).decode()).get_model().get_cpds()
    cpds = sorted(cpds, key=lambda cpd: cpd.variable)
    names = tuple(cpd.variable for cpd in cpds)
    at = {name: i for i, name in enumerate(names)}
    parents = tuple(tuple(at[parent] for parent in cpd.variables[1:]) for cpd in cpds)
    dag = np.zeros((len(names), len(names)), dtype=bool)
    for j, causes in enumerate(parents):
        dag[list(causes), j] = True
    arities = np.array([cpd.variable_card for cpd in cpds])
    tables = tuple(np.cumsum(cpd.values.reshape(cpd.variable_card, -1).T, axis=1) for cpd in cpds)
    return Network(names, dag, arities, parents, tables)


def accuracy(found, true) -> tuple[float, float, float]:
    """Precision, recall and distance from both being 1 (Pena et al. 2007, 4.1.1); an empty answer has precision 1."""
    right = len(set(found) & set(true))
    precision = right / len(set(found)) if len(set(found)) else 1.0
    recall = right / len(set(true)) if len(set(true)) else 1.0
    return precision, recall, float(np.hypot(1 - precision, 1 - recall))
