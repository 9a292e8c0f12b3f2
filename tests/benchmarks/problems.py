"""What the benchmark asks: data, targets, and the true answers.

The wide data are many random networks of a hundred variables of two or three values, side by side in a shuffled order.
The target is a variable with about five neighbours in the first network, so the same target can be asked for among
fewer columns: fewer networks beside its own.

>>> problem = wide(300, n=50)
>>> problem.codes.shape, len(problem.targets), problem.neighbours[0] <= problem.blankets[0]
((300, 50), 1, True)
"""

from dataclasses import dataclass

import library_path  # noqa: F401
import numpy as np
from networks import Network, load

from himation.studies.reruns import tiling

ALPHA = 0.01
WIDE_ALPHA = 0.0001  # with 100,000 variables: ten false ones by marginal tests alone
WIDE_COLUMNS = 100_000
BLOCK = 100
MOST_PARENTS = 2
CONCENTRATION = 0.5  # of the Dirichlet distribution of the probabilities: small for strong links
UNIFORM = 0.1  # share of equal probabilities, so that no column is constant
TARGET_NEIGHBOURS = 5


@dataclass(frozen=True)
class Problem:
    """``codes`` has one row of small integers for each variable; the answers are in the order of the targets."""

    name: str
    codes: np.ndarray
    arities: np.ndarray
    targets: tuple[int, ...]
    blankets: tuple[frozenset[int], ...]
    neighbours: tuple[frozenset[int], ...]
    alpha: float

    def true(self, answers: str) -> tuple[frozenset[int], ...]:
        return self.blankets if answers == "blankets" else self.neighbours


def neighbours(dag: np.ndarray, x: int) -> frozenset[int]:
    return frozenset(np.flatnonzero(dag[x] | dag[:, x]).tolist())


def published(name: str, n: int, seed: int = 0) -> Problem:
    """All variables of a published network as targets."""
    network = load(name)
    targets = tuple(range(len(network.names)))
    return Problem(
        f"{name.capitalize()} {n:,}",
        network.sample(n, seed),
        network.arities,
        targets,
        tuple(network.blanket(t) for t in targets),
        tuple(neighbours(network.dag, t) for t in targets),
        ALPHA,
    )


def random_network(size: int, rng: np.random.Generator) -> Network:
    arities = rng.integers(2, 4, size)
    parents = tuple(
        tuple(rng.choice(j, min(j, int(rng.integers(0, MOST_PARENTS + 1))), replace=False).tolist())
        for j in range(size)
    )
    tables = []
    for j, causes in enumerate(parents):
        drawn = rng.dirichlet([CONCENTRATION] * arities[j], int(np.prod(arities[list(causes)], dtype=int)))
        table = (1 - UNIFORM) * drawn + UNIFORM / arities[j]
        tables.append(table.reshape(*arities[list(causes)], arities[j]))
    return Network(tiling.Network(tuple(f"v{j}" for j in range(size)), parents, tuple(tables)))


def wide(columns: int = WIDE_COLUMNS, n: int = 1000, seed: int = 0) -> Problem:
    """One target among many columns."""
    networks = [random_network(BLOCK, np.random.default_rng([seed, i])) for i in range(columns // BLOCK)]
    codes = np.concatenate([network.sample(n, seed + i) for i, network in enumerate(networks)])
    arities = np.concatenate([network.arities for network in networks])
    order = np.random.default_rng(seed).permutation(len(codes))
    place = np.argsort(order)
    first = networks[0]
    target = min(range(BLOCK), key=lambda t: abs(len(neighbours(first.dag, t)) - TARGET_NEIGHBOURS))

    def moved(members) -> frozenset[int]:
        return frozenset(int(place[x]) for x in members)

    return Problem(
        f"Wide {len(codes):,} x {n:,}",
        codes[order],
        arities[order],
        (int(place[target]),),
        (moved(first.blanket(target)),),
        (moved(neighbours(first.dag, target)),),
        WIDE_ALPHA,
    )
