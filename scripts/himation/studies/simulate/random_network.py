"""Problems whose target is any variable of a random network: the other way to draw one.

`random_problem` builds a network around its target, with so many causes, effects and spouses. Here the graph comes
first, and a variable in its midst becomes the target: what surrounds it is left to chance. What was learned on the one
is tried on the other. The styles:

``linear``    numbers; weighted sums of the causes and normal noise;
``bent``      numbers; each cause acts by a straight line, a wave, a step or a parabola;
``layered``   numbers; each variable is the output of a small neural network of its causes, and noise;
``tables``    0/1, with a log-odds of its own for every combination of the causes;
``assorted``  numbers, 0/1 and three ordered values side by side, by weighted sums.

The graph has two to four edges a variable on average, either spread evenly or gathered at hubs. Strengths are balanced
(`studies.simulate.balance`), so that neither variances nor R2 give the causal order away. Version 1 manipulates
half of the target's blanket and a fifth of the rest, and tells which; version 2 manipulates all effects, some causes
and half of the rest, and does not tell. A manipulated variable takes values of its natural distribution independently
of all else.

>>> problem = make_random_network(seed=3, style="assorted", variables=40)
>>> problem.train(200).values.shape
(200, 40)
>>> set(problem.effects) <= set(problem.version(2))
True
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from himation import graphs
from himation.errors import UserError
from himation.studies.simulate.balance import explained_shares, logistic, offset, slope
from himation.studies.simulate.networks import Sample

STYLES = ("linear", "bent", "layered", "tables", "assorted")
NUMBER, COIN, ORDERED = 0, 1, 2
TILT = {"linear": 0.6, "bent": 0.6, "layered": 0.6, "tables": 1.0, "assorted": 0.7}  # R2 is neutral on seeds 1 to 100
RESERVE = 4000  # natural examples, from which manipulated values are drawn
MOST_CAUSES = 4
SHARES = (0.15, 0.85)  # of ones among coins, the target's too
ATTEMPTS = 500
HIDDEN = 8  # nodes of a small neural network
LEAST_CORRELATION = 0.25  # of the target with the best weighted sum of its causes
PARTS = ("train", "test0", "test1", "test2")


@dataclass(frozen=True)
class RandomNetwork:
    """One problem; node 0 is the target, the others are the columns, counted from 1."""

    seed: int
    style: str
    dag: np.ndarray
    mechanism: _Mechanism
    manipulated: tuple[frozenset[int], ...]
    reserve: np.ndarray
    names: tuple[str, ...]
    cut: float = 0.5  # above this the target is positive
    target: str = "target"

    @property
    def numbered_edges(self) -> list[tuple[int, int]]:
        """All (cause, effect) pairs by column number, counted from 1, with 0 for the target; sorted."""
        return sorted((int(a), int(b)) for a, b in zip(*np.nonzero(self.dag), strict=True))

    @property
    def causes(self) -> tuple[str, ...]:
        return self._named(np.flatnonzero(self.dag[:, 0]))

    @property
    def effects(self) -> tuple[str, ...]:
        return self._named(np.flatnonzero(self.dag[0]))

    def version(self, k: int) -> tuple[str, ...]:
        """What test version k manipulates, in the order of the columns."""
        if k not in (0, 1, 2):
            raise UserError(f"test version {k!r} does not exist; versions are 0 (natural), 1 (known) and 2 (unknown)")
        return self._named(sorted(self.manipulated[k]))

    def train(self, n: int) -> Sample:
        return self._sample(n, "train", frozenset())

    def test(self, version: int, n: int) -> Sample:
        return self._sample(n, f"test{version}", self.manipulated[version])

    def chance_if_set(self, node: int, value: float, n: int) -> float:
        """The share of positive examples among n if somebody sets a node to a value; the same luck for every value."""
        rng = np.random.default_rng([self.seed, STYLES.index(self.style), 1 + len(PARTS), node])
        fixed = np.full_like(self.reserve, value)
        return float((_run(self.dag, self.mechanism, n, rng, {node}, fixed)[:, 0] > self.cut).mean())

    def _sample(self, n: int, part: str, manipulated: frozenset[int]) -> Sample:
        rng = np.random.default_rng([self.seed, STYLES.index(self.style), 1 + PARTS.index(part)])
        values = _run(self.dag, self.mechanism, n, rng, manipulated, self.reserve)
        return Sample(values[:, 1:], np.where(values[:, 0] > self.cut, 1, -1).astype(np.int8), self.names)

    def _named(self, numbers) -> tuple[str, ...]:
        return tuple(self.names[int(number) - 1] for number in numbers)


@dataclass(frozen=True)
class _Mechanism:
    """How the causes of every node act on it."""

    style: str
    order: tuple[int, ...]
    forms: np.ndarray  # number, coin or three ordered values
    weights: np.ndarray
    shapes: np.ndarray  # of bent answers
    hidden: dict[int, tuple[np.ndarray, ...]]
    tables: dict[int, np.ndarray]
    explained: np.ndarray  # the share of a node's variance that its causes explain
    centre: np.ndarray  # and scale: of what the causes do together
    scale: np.ndarray
    offset: np.ndarray  # of the log-odds of coins


def make_random_network(seed: int, style: str, variables: int = 100, number_behind: bool = False) -> RandomNetwork:
    """A new problem; the same arguments give the same problem and the same samples. With ``number_behind`` the target
    is a number to its causes and effects, and the table only says whether it is above its median."""
    if style not in STYLES:
        raise UserError(f"style of a random network: {', '.join(STYLES)}, not {style!r}")
    if variables < 10:
        raise UserError(f"a random network needs at least 10 variables, not {variables}")
    rng = np.random.default_rng([seed, STYLES.index(style), 0])
    names = tuple(f"V{number}" for number in range(1, variables + 1))
    for _ in range(ATTEMPTS):
        dag = _draw_graph(rng, variables + 1)
        if dag is None:
            continue
        mechanism, reserve = _draw_mechanism(rng, style, dag, NUMBER if number_behind else COIN)
        cut = float(np.median(reserve[:, 0])) if number_behind else 0.5
        if _says_something(reserve, reserve[:, 0] > cut, np.flatnonzero(dag[:, 0])):
            return RandomNetwork(seed, style, dag, mechanism, _draw_manipulations(rng, dag), reserve, names, cut)
    raise UserError(f"no random network of {variables} variables with seed {seed} has causes that predict its target")


def _draw_graph(rng, size: int) -> np.ndarray | None:
    """A graph with a variable in its midst as node 0, or None if it has none."""
    order = rng.permutation(size)
    dag = np.zeros((size, size), dtype=bool)
    hubs, mean = rng.random() < 0.4, rng.uniform(2.0, 4.0)
    fame = np.ones(size)
    for i in range(1, size):
        before = order[:i]
        count = min(i, MOST_CAUSES, int(rng.poisson(mean / 2 if hubs else mean * i / size)))
        share = fame[before] / fame[before].sum() if hubs else None
        chosen = rng.choice(before, count, replace=False, p=share)
        dag[chosen, order[i]] = True
        fame[chosen] += 1
    middle = np.flatnonzero((dag.sum(axis=0) >= 2) & (dag.sum(axis=1) >= 2))
    if not len(middle):
        return None
    target = int(rng.choice(middle))
    swap = np.arange(size)
    swap[[0, target]] = target, 0
    return dag[np.ix_(swap, swap)]


def _draw_mechanism(rng, style: str, dag: np.ndarray, of_target: int) -> tuple[_Mechanism, np.ndarray]:
    """With natural examples, on which the scales are measured."""
    size = len(dag)
    forms = np.full(size, COIN if style == "tables" else NUMBER)
    if style == "assorted":
        forms = rng.choice([NUMBER, COIN, ORDERED], size, p=[0.5, 0.35, 0.15])
    forms[0] = of_target
    hidden, tables = {}, {}
    for node in range(size):
        k = int(dag[:, node].sum())
        if style == "layered" and k:
            hidden[node] = rng.normal(0, 1, (k, HIDDEN)), rng.normal(0, 0.5, HIDDEN), rng.normal(0, 1, HIDDEN)
        elif style == "tables":
            tables[node] = rng.normal(0, 1, 2**k)
    weights = rng.choice([-1, 1], dag.shape) * rng.uniform(0.4, 1.2, dag.shape)
    order = tuple(int(node) for node in graphs.topological_order(dag))
    shapes, shares = rng.integers(0, 4, dag.shape), rng.uniform(*SHARES, size)
    explained = np.where(dag.any(axis=0), explained_shares(rng, dag, TILT[style]), 0.0)
    numbers = explained, np.zeros(size), np.ones(size), np.zeros(size)
    found = _Mechanism(style, order, forms, weights, shapes, hidden, tables, *numbers)
    values = np.zeros((RESERVE, size))
    for node in order:
        causes = np.flatnonzero(dag[:, node])
        if len(causes):
            push = _push(found, node, causes, values[:, causes])
            found.centre[node], found.scale[node] = push.mean(), push.std() or 1.0
        if forms[node] == COIN:
            push = _push(found, node, causes, values[:, causes])
            found.offset[node] = offset(slope(explained[node]) * push, shares[node])
        values[:, node] = _draw(found, node, causes, values, rng)
    return found, values


def _draw_manipulations(rng, dag: np.ndarray) -> tuple[frozenset[int], ...]:
    blanket = sorted(graphs.markov_blanket(dag, 0))
    rest = [node for node in range(1, len(dag)) if node not in blanket]
    known = [node for node in blanket if rng.random() < 0.5] + [node for node in rest if rng.random() < 0.2]
    unknown = [int(node) for node in np.flatnonzero(dag[0])]
    unknown += [int(node) for node in np.flatnonzero(dag[:, 0]) if rng.random() < 0.3]
    unknown += [node for node in rest if rng.random() < 0.5]
    return frozenset(), frozenset(known), frozenset(unknown)


def _says_something(values: np.ndarray, y: np.ndarray, causes: np.ndarray) -> bool:
    """Whether a weighted sum of its causes goes with the target."""
    X = np.column_stack([np.ones(len(y)), values[:, causes]])
    guess = X @ np.linalg.lstsq(X, y.astype(float), rcond=None)[0]
    return float(np.std(guess)) >= LEAST_CORRELATION * float(np.std(y))


def _run(dag, mechanism: _Mechanism, n: int, rng, manipulated=frozenset(), reserve=None) -> np.ndarray:
    """n examples, causes first; manipulated nodes take values of the reserve."""
    values = np.zeros((n, len(dag)))
    for node in mechanism.order:
        drawn = _draw(mechanism, node, np.flatnonzero(dag[:, node]), values, rng)
        picked = rng.integers(0, RESERVE, n)
        values[:, node] = reserve[picked, node] if node in manipulated else drawn
    return values


def _draw(mechanism: _Mechanism, node: int, causes: np.ndarray, values: np.ndarray, rng) -> np.ndarray:
    n, explained = len(values), mechanism.explained[node]
    luck, normal = rng.random(n), rng.standard_normal(n)
    push = _push(mechanism, node, causes, values[:, causes])
    if mechanism.forms[node] == COIN:
        return (luck < logistic(slope(explained) * push + mechanism.offset[node])).astype(float)
    score = np.sqrt(explained) * push + np.sqrt(1 - explained) * normal
    return (score > -0.7).astype(float) + (score > 0.7) if mechanism.forms[node] == ORDERED else score


def _push(mechanism: _Mechanism, node: int, causes: np.ndarray, X: np.ndarray) -> np.ndarray:
    """What the causes do together: mean 0 and variance 1 in nature."""
    if not len(causes):
        return np.zeros(len(X))
    coins = mechanism.forms[causes] == COIN
    if mechanism.style == "tables":
        total = mechanism.tables[node][(X > 0) @ (1 << np.arange(len(causes)))]
    elif mechanism.style == "layered":
        inner, shift, outer = mechanism.hidden[node]
        total = np.tanh(np.where(coins, 2 * X - 1, X) @ inner + shift) @ outer
    else:
        X = np.where(coins, 2 * X - 1, X)
        if mechanism.style == "bent":
            answers = np.stack([X, np.sin(1.5 * X), np.tanh(2 * X), X + 0.3 * np.minimum(X**2, 9)])
            X = answers[mechanism.shapes[causes, node], :, np.arange(len(causes))].T
        total = X @ mechanism.weights[causes, node]
    return (total - mechanism.centre[node]) / mechanism.scale[node]
