"""Problems of any kind drawn at random: a causal network around a binary target, and tests that manipulate it.

Where `reged_like` copies one published data set, this module varies what a method should not depend on: every seed
draws its own graph, shapes of mechanisms, kind of noise, strengths and base rate; strengths are balanced
(`studies.simulate.balance`), so that neither variances nor R2 give the causal order away. The kinds:

``continuous``  numbers; a variable is a sum of bent or straight answers to its causes, and noise;
``binary``      0/1; a variable is on with a chance that its causes push up or down, now and then by interaction;
``mixed``       numbers, 0/1 and categories of three or four values side by side;
``noisy``       continuous, on a grid with calibrants, under a smooth field that is added to training examples only.

The target has two to four causes, four to nine effects, and spouses through some of these; the other variables form a
sparse network in which causes of the target have causes, and effects have effects.

A manipulated variable loses its causes and takes values of its natural distribution independently of all else; the
system then runs on. Version 0 manipulates nothing; version 1 half of the effects, one cause and a tenth of the others,
and tells which; version 2 all effects, one cause and others, and does not tell.

>>> problem = make_random_problem(seed=3, kind="mixed", variables=40)
>>> problem.train(200).values.shape
(200, 40)
>>> set(problem.effects) <= set(problem.version(2))
True
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from himation import graphs
from himation.errors import UserError
from himation.studies.simulate.balance import explained_shares, logistic, offset, slope
from himation.studies.simulate.networks import Sample, check_manipulated

KINDS = ("continuous", "binary", "mixed", "noisy")
NUMBER, COIN, CATEGORY = "number", "coin", "category"
CALIBRATION_SIZE = 4000
TILT = {"continuous": 0.4, "binary": 0.6, "mixed": 0.5, "noisy": 0.45}  # R2 is neutral on seeds 1 to 100
PARTS = ("structure", "train", "test0", "test1", "test2", "noise")
NOISE_AMPLITUDE = 2.0  # of the field, in standard deviations of a variable
CALIBRANT_NOISE = 0.02
GRIDS = ((8, 8), (12, 12), (16, 16), (24, 24), (32, 32), (48, 48))
CALIBRANT_EVERY = 5  # a calibrant on every so many spots along both sides of the grid


@dataclass(frozen=True)
class Node:
    """How one variable comes about: its causes, their weights and bends, and what is left to chance."""

    form: str
    values: int
    causes: tuple[int, ...]
    weights: np.ndarray
    bends: np.ndarray
    together: float  # weight of the product of the first two causes
    noise: str
    explained: float  # the share of its variance that the causes explain
    offset: np.ndarray
    centre: float = 0.0  # and scale: of what the causes do together
    scale: float = 1.0


@dataclass(frozen=True)
class Softly:
    """A manipulation under which a variable still depends on its causes: the strength of these, and by how many of its
    residual's standard deviations a number is moved, or a chance in log-odds; the residual of a number is stretched."""

    strength: float = 1.0
    moved: float = 0.0
    stretched: float = 1.0


SOFTLY = {"half the strength": Softly(strength=0.5), "moved": Softly(moved=1.0), "stretched": Softly(stretched=2.0)}


@dataclass(frozen=True)
class RandomProblem:
    """One problem. Node 0 is the target; the others are the columns, counted from 1."""

    seed: int
    kind: str
    names: tuple[str, ...]
    target: str
    order: tuple[int, ...]
    nodes: dict[int, Node]
    reserve: np.ndarray  # natural values of every node, from which manipulated ones are drawn
    causes: tuple[str, ...]
    effects: tuple[str, ...]
    spouses: tuple[str, ...]
    others: tuple[str, ...]
    cut: float = 0.5  # above this the target is positive
    grid: tuple[int, int] | None = None
    spots: tuple[int, ...] = ()  # the spot of every column on the grid, counted from 1
    calibrants: tuple[int, ...] = ()

    @property
    def numbered_edges(self) -> list[tuple[int, int]]:
        """All (cause, effect) pairs by column number, counted from 1, with 0 for the target; sorted."""
        return sorted((cause, number) for number, node in self.nodes.items() for cause in node.causes)

    def version(self, k: int) -> tuple[str, ...]:
        """What test version k manipulates, in the order of the columns."""
        return of_version(k, self.names, self.causes, self.effects, self.others)

    def train(self, n: int) -> Sample:
        """The training sample: the same n examples whichever test version is asked for, noise field included."""
        sample = self.sample(n, self._generator("train"))
        return sample if self.grid is None else self._on_grid(sample, self._generator("noise"))

    def test(self, version: int, n: int) -> Sample:
        """The test sample of version 0, 1 or 2."""
        sample = self.sample(n, self._generator(f"test{version}"), self.version(version))
        return sample if self.grid is None else self._on_grid(sample, None)

    def test_softly(self, version: int, n: int, how: Softly) -> Sample:
        """The test sample of a version whose manipulated variables were not set, but changed."""
        sample = self.sample(n, self._generator(f"test{version}"), self.version(version), how)
        return sample if self.grid is None else self._on_grid(sample, None)

    def sample(
        self, n: int, rng: np.random.Generator, manipulated: Iterable[str] = (), how: Softly | None = None
    ) -> Sample:
        """n examples, causes first; what is manipulated is set, or changed as ``how`` says."""
        manipulated = check_manipulated(manipulated, self.names, self.target)
        set_by_hand = {number for number, name in enumerate(self.names, start=1) if name in manipulated}
        values = np.empty((len(self.names) + 1, n))
        for number in self.order:
            touched = number in set_by_hand
            drawn = _draw(self.nodes[number], values, rng, how if touched and how else Softly())
            picked = rng.integers(0, self.reserve.shape[1], n)
            values[number] = self.reserve[number][picked] if touched and not how else drawn
        return Sample(values[1:].T, np.where(values[0] > self.cut, 1, -1).astype(np.int8), self.names)

    def _generator(self, part: str) -> np.random.Generator:
        children = np.random.SeedSequence([self.seed, KINDS.index(self.kind)]).spawn(len(PARTS))
        return np.random.default_rng(children[PARTS.index(part)])

    def _on_grid(self, sample: Sample, rng) -> Sample:
        from himation.prepare.noise import simulate_noise_field

        n, spots = len(sample.target), self.grid[0] * self.grid[1]
        values = np.random.default_rng([self.seed, n]).standard_normal((n, spots))  # spots left over are noise
        values[:, np.array(self.calibrants) - 1] *= CALIBRANT_NOISE
        values[:, np.array(self.spots) - 1] = sample.values
        if rng is not None:
            values += simulate_noise_field(n, self.grid, rng, NOISE_AMPLITUDE)
        names = [f"S{spot}" for spot in range(1, spots + 1)]
        for name, spot in zip(self.names, self.spots, strict=True):
            names[spot - 1] = name
        return Sample(values, sample.target, tuple(names))


def of_version(k: int, names, causes, effects, others) -> tuple[str, ...]:
    """What test version k manipulates of a problem with these roles: nothing; half of the effects, one cause and a
    tenth of the others; or all effects, one cause and another tenth. In the order of ``names``."""
    if k not in (0, 1, 2):
        raise UserError(f"test version {k!r} does not exist; versions are 0 (natural), 1 (known) and 2 (unknown)")
    if k == 0:
        return ()
    n_effects = len(effects) if k == 2 else (len(effects) + 1) // 2
    tenth = len(others) // 10
    chosen = {*causes[:1], *effects[:n_effects], *(others[tenth : 2 * tenth] if k == 2 else others[:tenth])}
    return tuple(name for name in names if name in chosen)


def make_random_problem(seed: int, kind: str, variables: int = 100, number_behind: bool = False) -> RandomProblem:
    """A new problem; the same arguments give the same problem and the same samples. With ``number_behind`` the target
    is a number to its causes and effects, and the table only says whether it is above its median."""
    if kind not in KINDS:
        raise UserError(f"kind of a random problem: {', '.join(KINDS)}, not {kind!r}")
    if variables < 30:
        raise UserError(f"a random problem needs at least 30 variables, not {variables}")
    rng = np.random.default_rng(np.random.SeedSequence([seed, KINDS.index(kind)]).spawn(len(PARTS))[0])
    order, causes_of, roles = _draw_graph(rng, variables)
    edges = [(cause, number) for number, causes in causes_of.items() for cause in causes]
    explained = explained_shares(rng, graphs.from_edges(variables + 1, edges), TILT[kind])
    reserve = np.zeros((variables + 1, CALIBRATION_SIZE))
    nodes = {}
    for number in order:
        nodes[number] = _draw_node(
            rng, kind, number, causes_of[number], float(explained[number]), reserve, number_behind
        )
        reserve[number] = _draw(nodes[number], reserve, rng)
    names = tuple(f"X{number}" for number in range(1, variables + 1))
    named = {role: tuple(names[number - 1] for number in members) for role, members in roles.items()}
    grid, spots, calibrants = _layout(rng, variables) if kind == "noisy" else (None, (), ())
    return RandomProblem(
        seed,
        kind,
        names,
        "target",
        tuple(order),
        nodes,
        reserve,
        **named,
        cut=float(np.median(reserve[0])) if number_behind else 0.5,
        grid=grid,
        spots=spots,
        calibrants=calibrants,
    )


def _draw_graph(rng, variables: int):
    """Causal order, causes of every node, and the roles around the target."""
    labels = [int(number) for number in rng.permutation(np.arange(1, variables + 1))]
    n_causes, n_effects = int(rng.integers(2, 5)), int(rng.integers(4, 10))
    n_before = int((variables - n_effects) * rng.uniform(0.35, 0.6))
    before, effects, after = labels[:n_before], labels[n_before : n_before + n_effects], labels[n_before + n_effects :]
    causes_of: dict[int, tuple[int, ...]] = {}
    for i, number in enumerate(before):
        causes_of[number] = _some(rng, before[:i], rng.choice([0, 1, 2, 3], p=[0.25, 0.35, 0.25, 0.15]))
    causes = [int(x) for x in rng.choice(before[n_before // 3 :], n_causes, replace=False)]
    causes_of[0] = tuple(causes)
    spouses: list[int] = []
    outside = [x for x in before if x not in causes]
    for i, number in enumerate(effects):
        extra = _some(rng, outside, rng.choice([0, 1, 2], p=[0.45, 0.4, 0.15]))
        extra += _some(rng, effects[:i], int(rng.random() < 0.15))
        causes_of[number] = (0, *extra)
        spouses += [x for x in extra if x not in effects and x not in spouses]
    for i, number in enumerate(after):
        pool = before + effects * 3 + after[:i]
        causes_of[number] = _some(rng, pool, rng.choice([0, 1, 2, 3], p=[0.15, 0.4, 0.3, 0.15]))
    others = [int(x) for x in rng.permutation([x for x in labels if x not in {*causes, *effects, *spouses}])]
    order = [*before, 0, *effects, *after]
    return order, causes_of, {"causes": causes, "effects": effects, "spouses": spouses, "others": others}


def _some(rng, pool, k) -> tuple[int, ...]:
    pool = list(dict.fromkeys(pool)) if len(set(pool)) < len(pool) and k > len(set(pool)) else pool
    found: list[int] = []
    while len(found) < min(int(k), len(set(pool))):
        x = int(pool[rng.integers(len(pool))])
        if x not in found:
            found.append(x)
    return tuple(found)


def _draw_node(rng, kind, number, causes, explained, reserve, number_behind) -> Node:
    form, values = NUMBER, 0
    if number == 0:
        form = NUMBER if number_behind else COIN
    elif kind == "binary":
        form = COIN
    elif kind == "mixed":
        form = str(rng.choice([NUMBER, COIN, CATEGORY], p=[0.5, 0.3, 0.2]))
        values = int(rng.integers(3, 5)) if form == CATEGORY else 0
    weights = rng.choice([-1, 1], len(causes)) * rng.uniform(0.6, 1.6, len(causes))
    bends = rng.choice([0.0, 1.0, 2.0], len(causes))
    together = float(rng.normal(0, 0.5)) if len(causes) > 1 and rng.random() < 0.3 else 0.0
    noise = str(rng.choice(["normal", "skewed", "heavy"], p=[0.6, 0.25, 0.15]))
    share = float(rng.uniform(0.15, 0.5)) if number == 0 else float(rng.uniform(0.1, 0.6))
    node = Node(form, values, causes, weights, bends, together, noise, explained, rng.normal(0, 0.5, max(values, 1)))
    push = _push(node, reserve)
    if causes:
        node = replace(node, centre=float(push.mean()), scale=float(push.std()) or 1.0)
    if form == COIN:
        node = replace(node, offset=np.array([offset(slope(explained) * _push(node, reserve), share)]))
    return node


def _push(node: Node, values: np.ndarray) -> np.ndarray:
    """What the causes do together: mean 0 and variance 1 in nature."""
    total = np.zeros(values.shape[1])
    for cause, weight, bend in zip(node.causes, node.weights, node.bends, strict=True):
        x = values[cause]
        total += weight * (x if bend == 0 else np.tanh(bend * x) * 1.3)
    if node.together:
        total += node.together * values[node.causes[0]] * values[node.causes[1]]
    return (total - node.centre) / node.scale


def _draw(node: Node, values: np.ndarray, rng, how: Softly = Softly()) -> np.ndarray:  # noqa: B008 (frozen)
    n = values.shape[1]
    push, chance = how.strength * _push(node, values), rng.random(n)
    normal = rng.standard_normal(n)
    if node.form == COIN:
        log_odds = slope(node.explained) * push + node.offset[0] + how.moved
        return (chance < logistic(log_odds)).astype(float)
    if node.form == CATEGORY:
        scores = node.offset[:, None] + np.linspace(-1, 1, node.values)[:, None] * slope(node.explained) * push
        shares = np.cumsum(np.exp(scores - scores.max(axis=0)), axis=0)
        return (chance * shares[-1] > shares).sum(axis=0).astype(float)
    if node.noise == "skewed":
        normal = (np.exp(0.5 * normal) - 1.133) / 0.604
    elif node.noise == "heavy":
        normal = np.sign(normal) * np.abs(normal) ** 1.5 / 1.263
    explained = node.explained if node.causes else 0.0
    return np.sqrt(explained) * push + np.sqrt(1 - explained) * (how.stretched * normal + how.moved)


def _layout(rng, variables: int):
    """A grid large enough, calibrants spread over it, and a random spot for every column."""
    for grid in GRIDS:
        rows, columns = grid
        middle = (
            range(CALIBRANT_EVERY // 2, rows, CALIBRANT_EVERY),
            range(CALIBRANT_EVERY // 2, columns, CALIBRANT_EVERY),
        )
        calibrants = [column * rows + row + 1 for column in middle[1] for row in middle[0]]
        free = [spot for spot in range(1, rows * columns + 1) if spot not in set(calibrants)]
        if len(free) >= variables:
            spots = tuple(int(spot) for spot in rng.permutation(free)[:variables])
            return grid, spots, tuple(calibrants)
    raise UserError(f"no grid for {variables} variables: the largest holds {GRIDS[-1][0] * GRIDS[-1][1]}")
