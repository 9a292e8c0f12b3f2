"""The simulated problems of the thesis's chapters II and III, each drawn anew from a seed.

No variable of the blanket is associated with the target alone in XOR, parity and the redundant mechanism.

Chapter III leaves some numbers open. What was chosen here:

* Binary variables are 0/1, as II.5 says, but in parity, which is defined for -1/+1; the others of Alarm are the numbers
  of their levels, from 0. Tables III-1 to III-3 count the target among the variables; the parity problems do not, and
  neither does chapter II.
* Redundant mechanism (x1 -> x2 -> T <- x1, one of the two is on nearly always): if neither x1 nor T nor x2 nor T are
  to be associated, P(T on | x1, x2) is c plus e / P(x1, x2) where one is on and c minus e / P(x1, x2) where none or
  both are; REDUNDANT_JOINT, c and e below make T rarest where both are off. e is such that FSMB misses the embedded
  blanket about as often at 1,000 examples as in tables III-2 and III-3.
* Embedding: copies of Alarm before and behind the small network, two edges from each part to the next (`tiling`), so
  that every part keeps its distribution and the target has no edge to a copy.

>>> problem = parity(5, 4, noise=0.0, seed=0)
>>> problem.X.shape, problem.blanket, bool((problem.X[:, :3].prod(axis=1) == problem.y).all())
((5, 4), (0, 1, 2), True)
"""

from dataclasses import dataclass

import numpy as np

from himation.studies.reruns.tiling import Network, load, tile

XOR_FLIP = 0.3  # III.6, example III.1
REDUNDANT_JOINT = np.array([[0.05, 0.45], [0.15, 0.35]])  # P(x1, x2); the first index is x1, 0 is off
REDUNDANT_LEVEL = 0.8  # c
REDUNDANT_EFFECT = 0.022  # e
TARGET = "T"
ALARM_EDGES = 2  # from each part of a tiled network to the next


@dataclass(frozen=True)
class Problem:
    """Examples by variables, labels -1/+1, the columns of the true blanket, and names."""

    X: np.ndarray
    y: np.ndarray
    blanket: tuple[int, ...]
    names: tuple[str, ...]


def _numbered(m: int) -> tuple[str, ...]:
    return tuple(f"x{j + 1}" for j in range(m))


def circle(n: int, m: int, seed: int) -> Problem:
    """Whether x1 and x2 lie in the circle of radius sqrt(0.5); all variables uniform on [-1, 1] (II.4.1)."""
    X = np.random.default_rng(seed).uniform(-1, 1, size=(n, m))
    y = np.where((X[:, :2] ** 2).sum(axis=1) < 0.5, 1, -1)
    return Problem(X, y, (0, 1), _numbered(m))


def checkerboard(n: int, m: int, seed: int) -> Problem:
    """The parity of the signs of three of m variables, all uniform on [-1, 1] (II.4.1)."""
    X = np.random.default_rng(seed).uniform(-1, 1, size=(n, m))
    return Problem(X, np.where(X[:, :3].prod(axis=1) > 0, 1, -1), (0, 1, 2), _numbered(m))


def parity(n: int, m: int, noise: float, seed: int, k: int = 3) -> Problem:
    """The product of the first k of m variables -1/+1, a share ``noise`` of the labels switched (III.7.1, II.4.3)."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], size=(n, m))
    y = X[:, :k].prod(axis=1) * np.where(rng.random(n) < noise, -1, 1)
    return Problem(X, y.astype(int), tuple(range(k)), _numbered(m))


def double_xor_network(flip: float = XOR_FLIP) -> Network:
    """x1, x2 -> T by XOR, T, x4 -> x3 by XOR, each wrong with probability ``flip``."""
    xor = np.array([[[1 - flip, flip], [flip, 1 - flip]], [[flip, 1 - flip], [1 - flip, flip]]])
    half = np.array([0.5, 0.5])
    names = ("x1", "x2", "x3", "x4", TARGET)
    return Network(names, ((), (), (4, 3), (), (0, 1)), (half, half, xor, half, xor))


def redundant_network(effect: float = REDUNDANT_EFFECT) -> Network:
    """x1 -> x2, and both -> T, without pairwise associations with T."""
    joint = REDUNDANT_JOINT
    sign = np.array([[-1.0, 1.0], [1.0, -1.0]])
    on = REDUNDANT_LEVEL + sign * effect / joint
    margin = joint.sum(axis=1)
    tables = (margin, joint / margin[:, None], np.stack([1 - on, on], axis=-1))
    return Network(("x1", "x2", TARGET), ((), (0,), (0, 1)), tables)


def embedded(core: Network, tiles: int, seed: int = 0) -> Network:
    """The network in the middle of a chain of copies of Alarm. The structure is that of the seed, not of a sample."""
    alarm, before = load("alarm"), tiles // 2
    parts = [alarm] * before + [core] + [alarm] * (tiles - before)
    return tile(parts, ALARM_EDGES, seed, keep_names=(before,), closed=(TARGET,))


def from_network(network: Network, n: int, seed: int) -> Problem:
    """A sample of a network with the variable T; the others are the numbers of their levels, from 0."""
    codes = network.sample(n, np.random.default_rng(seed))
    target = network.names.index(TARGET)
    kept = [j for j in range(len(network.names)) if j != target]
    names = tuple(network.names[j] for j in kept)
    blanket = network.blanket(TARGET)
    X = codes[:, kept].astype(np.float64)
    y = np.where(codes[:, target] == 1, 1, -1)
    return Problem(X, y, tuple(j for j, name in enumerate(names) if name in blanket), names)


def double_xor(n: int, tiles: int, seed: int, flip: float = XOR_FLIP) -> Problem:
    """Double noisy-XOR, alone (0 tiles: 5 variables with the target) or embedded (4 tiles: 153)."""
    core = double_xor_network(flip)
    return from_network(embedded(core, tiles) if tiles else core, n, seed)


def redundant(n: int, tiles: int, seed: int) -> Problem:
    """Redundant mechanism, alone (3 variables with the target) or embedded (7 tiles: 262, 12 tiles: 447)."""
    core = redundant_network()
    return from_network(embedded(core, tiles) if tiles else core, n, seed)
