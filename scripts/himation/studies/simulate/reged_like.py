"""Problems like REGED: continuous gene expression around a rare binary target, with manipulated test sets.

REGED, the challenge's re-simulated lung cancer data, has 999 genes, 2 direct causes of the target, 13 direct effects
and 6 spouses (the other causes of those effects). Its generator was never published; this one draws a new problem of
any size for every seed, with the traits that its published graph and training set show:

* a sparse network in which a few regulators have many effects and most genes none; one to three causes each, which
  explain half to three quarters of a gene's variance; about a fifth of the genes stands outside the network;
* a gene answers to a cause by a sigmoid, more or less bent, and its values are skewed to the right, log-normally;
* the target is on where its causes are high, and now and then by itself; it multiplies the level of its effects up or
  down, which shows less where an effect has a spouse, so that some effects are hardly visible without it;
* the target's causes hang off the network, so that distant genes are faintly correlated with it, and some effects have
  effects of their own.

Every gene has mean 0 and standard deviation 1 in the natural distribution.
Variables are X1, X2, ... in the order of the columns, which says nothing about their role.

A manipulated gene loses its causes: it is drawn from its own natural marginal distribution, independently of all else,
and the system then runs on. Test version 0 is natural; version 1 manipulates one cause, the two fifths of the effects
that predict the target best, and genes outside the blanket until a tenth of all is manipulated; version 2 one cause,
all effects, and others. The challenge told its entrants version 1's list and kept version 2's.

>>> problem = make_reged_like(seed=1, variables=120)
>>> len(problem.causes), len(problem.effects), len(problem.spouses)
(2, 13, 6)
>>> train = problem.train(500)
>>> train.values.shape, bool(30 <= (train.target > 0).sum() <= 90)
((500, 120), True)
>>> set(problem.effects) <= set(problem.version(2)), len(set(problem.effects) & set(problem.version(1)))
(True, 5)
>>> test = problem.test(2, 1000)

The strengths in `reged_structure` were tuned until a linear SVM (C = 0.01, standardised variables) on true sets of
variables came near the challenge's published reference figures: 999 variables, 500 training and 20,000 test examples,
means of five seeds.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from himation.errors import UserError
from himation.evaluate import auc
from himation.studies.simulate.networks import Sample, check_manipulated
from himation.studies.simulate.reged_structure import PREVALENCE, TARGET, Gene, Switch, check_size, draw_network

CALIBRATION_SIZE = 4096  # natural examples from which a problem's scales are measured

# Manipulation, as published for REGED.
MANIPULATED = 0.1  # part of all variables that versions 1 and 2 manipulate
KNOWN_EFFECTS = 0.4  # part of the effects that version 1 manipulates: 5 of 13

KNOTS = np.linspace(-3.5, 3.5, 141)  # normal scores at which natural marginal distributions are tabulated


@dataclass(frozen=True)
class RegedLike:
    """One problem: its network, its mechanisms, and the seeds of its samples. Made by `make_reged_like`."""

    seed: int
    names: tuple[str, ...]
    target: str
    genes: dict[int, Gene]  # by column number, causes first
    switch: Switch
    causes: tuple[str, ...]  # of the target, the most predictive first
    effects: tuple[str, ...]  # of the target, the most predictive first
    spouses: tuple[str, ...]
    others: tuple[str, ...]  # outside the blanket, in random order
    quantiles: np.ndarray  # of every variable at KNOTS; row k for column k

    @property
    def numbered_edges(self) -> list[tuple[int, int]]:
        """All (cause, effect) pairs by column number, counted from 1, with 0 for the target; sorted."""
        edges = [(cause, TARGET) for cause in self.switch.causes]
        for number, gene in self.genes.items():
            edges += [(answer.cause, number) for answer in gene.answers]
            if gene.shift:
                edges.append((TARGET, number))
        return sorted(edges)

    @property
    def edges(self) -> list[tuple[str, str]]:
        """All (cause, effect) pairs by name."""
        names = (self.target, *self.names)
        return [(names[cause], names[effect]) for cause, effect in self.numbered_edges]

    @property
    def blanket(self) -> tuple[str, ...]:
        """The target's Markov blanket in the natural distribution, in the order of the columns."""
        members = {*self.causes, *self.effects, *self.spouses}
        return tuple(name for name in self.names if name in members)

    def version(self, k: int) -> tuple[str, ...]:
        """What test version k manipulates: 0 nothing, 1 the known list, 2 the unknown one; in the columns' order."""
        if k not in (0, 1, 2):
            raise UserError(f"test version {k!r} does not exist; versions are 0 (natural), 1 (known) and 2 (unknown)")
        if k == 0:
            return ()
        n_effects = len(self.effects) if k == 2 else round(KNOWN_EFFECTS * len(self.effects))
        manipulated = [*self.causes[:1], *self.effects[:n_effects]]
        n_others = max(0, round(MANIPULATED * len(self.names)) - len(manipulated))
        start = n_others if k == 2 and 2 * n_others <= len(self.others) else 0
        manipulated = {*manipulated, *self.others[start : start + n_others]}
        return tuple(name for name in self.names if name in manipulated)

    def train(self, n: int) -> Sample:
        """The training sample: the same n examples whichever test version is asked for."""
        return self.sample(n, _generators(self.seed)["train"])

    def test(self, version: int, n: int) -> Sample:
        """The test sample of version 0, 1 or 2."""
        manipulated = self.version(version)
        return self.sample(n, _generators(self.seed)[f"test{version}"], manipulated)

    def sample(self, n: int, rng: np.random.Generator, manipulated: Iterable[str] = ()) -> Sample:
        """Draw n examples causes first; with the same generator, what a manipulation can't reach stays as it is."""
        manipulated = check_manipulated(manipulated, self.names, self.target)
        numbers = {number for number, name in enumerate(self.names, start=1) if name in manipulated}
        values = np.empty((len(self.names) + 1, n))
        on = None
        for number, gene in _in_order(self.genes):
            if number == TARGET:
                on = rng.random(n) < _chance(self.switch, values)
                continue
            noise = rng.standard_normal(n)
            raw = _raw(gene, values, on, noise)
            if number in numbers:
                values[number] = np.interp(noise, KNOTS, self.quantiles[number])
            else:
                values[number] = (raw - gene.location) / gene.spread
        target = np.where(on, 1, -1).astype(np.int8)
        return Sample(values[1:].T, target, self.names)


def make_reged_like(seed: int, variables: int = 300) -> RegedLike:
    """A new problem; the same arguments give the same problem and the same samples."""
    check_size(variables)
    rng = _generators(seed)["structure"]
    genes, switch, roles = draw_network(rng, variables)
    genes, switch, values, on = _calibrate(rng, genes, switch)
    probabilities = [0.5 * (1 + math.erf(knot / math.sqrt(2))) for knot in KNOTS]
    for role in ("cause", "effect"):
        roles[role].sort(key=lambda number: -abs(auc(on, values[number]) - 0.5))
    names = tuple(f"X{number}" for number in range(1, variables + 1))
    others = [number for number in range(1, variables + 1) if not any(number in role for role in roles.values())]
    roles["other"] = [int(number) for number in rng.permutation(others)]
    named = {role: tuple(names[number - 1] for number in numbers) for role, numbers in roles.items()}
    return RegedLike(
        seed=seed,
        names=names,
        target="target",
        genes=genes,
        switch=switch,
        causes=named["cause"],
        effects=named["effect"],
        spouses=named["spouse"],
        others=named["other"],
        quantiles=np.quantile(values, probabilities, axis=1).T,
    )


def _generators(seed: int) -> dict[str, np.random.Generator]:
    """Independent generators for the structure and for each sample of a problem."""
    parts = ("structure", "train", "test0", "test1", "test2")
    children = np.random.SeedSequence(seed).spawn(len(parts))
    return {part: np.random.default_rng(child) for part, child in zip(parts, children, strict=True)}


def _in_order(genes: dict[int, Gene]):
    """(number, gene) causes first, with the target, (0, None), before the first of its effects."""
    target_done = False
    for number, gene in genes.items():
        if gene.shift and not target_done:
            yield TARGET, None
            target_done = True
        yield number, gene


def _answers(gene: Gene, values: np.ndarray) -> np.ndarray:
    total = np.zeros(values.shape[1])
    for answer in gene.answers:
        total += answer.weight * np.tanh(answer.slope * values[answer.cause] + answer.offset)
    return total


def _raw(gene: Gene, values: np.ndarray, on: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """A gene's value before it is standardised."""
    level = math.sqrt(1 - gene.explained) * noise
    if gene.answers:
        level += math.sqrt(gene.explained) * (_answers(gene, values) - gene.centre) / gene.scale
    if gene.shift:
        level += gene.shift * on
    return np.exp(gene.skew * level)


def _propensity(switch: Switch, values: np.ndarray) -> np.ndarray:
    return values[list(switch.causes)].sum(axis=0) / switch.scale


def _chance(switch: Switch, values: np.ndarray) -> np.ndarray:
    log_odds = switch.slope * _propensity(switch, values) - switch.threshold
    return switch.leak + (1 - switch.leak) / (1 + np.exp(np.clip(-log_odds, -700, 700)))


def _calibrate(rng, genes: dict[int, Gene], switch: Switch):
    """Measure every scale on a natural sample, and place the switch so that the target has its prevalence.

    Gives the completed genes and switch, and the sample: values (row k for column k) and where the target is on.
    """
    values = np.zeros((len(genes) + 1, CALIBRATION_SIZE))
    on, done = None, {}
    for number, gene in _in_order(genes):
        if number == TARGET:
            switch = replace(switch, scale=float(_propensity(switch, values).std()))
            switch = replace(switch, threshold=_threshold(switch, values))
            on = rng.random(CALIBRATION_SIZE) < _chance(switch, values)
            continue
        if gene.answers:
            answers = _answers(gene, values)
            gene = replace(gene, centre=float(answers.mean()), scale=float(answers.std()))
        raw = _raw(gene, values, on, rng.standard_normal(CALIBRATION_SIZE))
        done[number] = gene = replace(gene, location=float(raw.mean()), spread=float(raw.std()))
        values[number] = (raw - gene.location) / gene.spread
    return done, switch, values, on


def _threshold(switch: Switch, values: np.ndarray) -> float:
    """By bisection: the mean chance falls as the threshold rises."""
    low, high = -1000.0, 1000.0
    for _ in range(100):
        middle = (low + high) / 2
        if _chance(replace(switch, threshold=middle), values).mean() > PREVALENCE:
            low = middle
        else:
            high = middle
    return (low + high) / 2
