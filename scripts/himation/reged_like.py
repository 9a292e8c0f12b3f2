"""Problems like REGED: continuous gene expression around a rare binary target, with manipulated test sets.

REGED, the challenge's re-simulated lung cancer data, has 999 genes, 2 direct causes of the target, 13 direct effects and
6 spouses (the other causes of those effects). Its generator was never published; this one draws a new problem of any
size for every seed, with the traits that its published graph and training set show:

* a sparse network in which a few regulators have many targets and most genes none, one to three causes each, which
  explain half to three quarters of a gene's variance; about a fifth of the genes stands outside the network;
* a gene answers to a cause by a sigmoid, more or less bent, and its own variation is skewed to the right;
* the target switches on where its causes are high; genes that it raises strongly answer unevenly from one example to the
  next; the effects range from strong to hardly visible, some only once their spouse is known;
* the target's causes hang off the network, so that distant genes are faintly correlated with it, and some effects have
  effects of their own.

Every gene has mean 0 and standard deviation 1 in the natural distribution, or is an integer from 0 to 999 as in REGED.
Variables are X1, X2, ... in the order of the columns, which says nothing about their role.

A manipulated gene loses its causes: it is drawn from its own natural marginal distribution, independently of all else,
and the system then runs on. Test version 0 is natural; version 1 manipulates one cause, the two fifths of the effects
that predict the target best, and genes outside the blanket until a tenth of all is manipulated; version 2 one cause, all
effects, and others. The challenge told its entrants version 1's list and kept version 2's.

>>> problem = make_reged_like(seed=1, variables=120)
>>> len(problem.causes), len(problem.effects), len(problem.spouses)
(2, 13, 6)
>>> train = problem.train(500)
>>> train.values.shape, bool(30 <= (train.target > 0).sum() <= 90)
((500, 120), True)
>>> set(problem.effects) <= set(problem.version(2)), len(set(problem.effects) & set(problem.version(1)))
(True, 5)
>>> test = problem.test(2, 1000)

The strengths below were tuned by training a linear SVM (C = 0.1, standardised variables) on true sets of variables, 500
training and 20,000 test examples, 999 variables, five seeds, against the challenge's published reference figures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from himation.errors import UserError
from himation.evaluate import auc
from himation.networks import Sample, check_manipulated

TARGET = 0  # the target's number; variable k is column k, counted from 1
LEVELS = 999  # integers run from 0 to this
CALIBRATION_SIZE = 4096  # natural examples from which a problem's scales are measured

# Structure, as counted in REGED's graph.
UNCONNECTED = 0.2  # part of the variables outside the network
ROOTS = 0.02  # part of the network's genes without a cause
N_CAUSES = (0.6, 0.37, 0.03)  # chances of one, two, three causes
LOWERED = 0.15  # part of the edges that lower their effect
LATER_EFFECTS = 0.4  # effects of effects, per effect

# Strengths; a pair is a range.
EXPLAINED = (0.5, 0.75)  # part of a gene's variance that its causes explain
SLOPE, OFFSET = (0.3, 1.0), (-0.5, 0.5)  # of a sigmoid answer
SKEW = (0.1, 0.4)  # log-normal shape of a gene's own variation; its skewness is about three times that
CAUSE_SKEW = 0.7  # the same of the target's causes: rarely, but then much, above the rest
SWITCH_SLOPE = 3.2  # how sharply the target follows its causes: log odds per standard deviation
SHIFT = (0.4, 3.2)  # weakest and strongest effect, in standard deviations of its variation while the target is off
LOWEST_SHIFT = 1.5  # a gene can't be lowered by more
UNEVEN = (0.3, 1.0)  # part of a raised effect's shift that varies exponentially between examples

# Manipulation, as published for REGED.
MANIPULATED = 0.1  # part of all variables that versions 1 and 2 manipulate
KNOWN_EFFECTS = 0.4  # part of the effects that version 1 manipulates: 5 of 13

KNOTS = np.linspace(-3.5, 3.5, 141)  # normal scores at which natural marginal distributions are tabulated


@dataclass(frozen=True)
class Answer:
    """A gene's sigmoid answer to one cause: weight x tanh(slope x cause + offset)."""

    cause: int
    weight: float
    slope: float
    offset: float


@dataclass(frozen=True)
class Gene:
    """How one continuous variable comes about.

    Its raw value is the sum of its answers, standardised by `centre` and `scale` and given the part `explained` of the
    variance; skewed variation of its own for the rest; and, where the target is on, `shift`, of which the part `uneven`
    varies exponentially from one example to the next. `location` and `spread` standardise the whole.
    """

    answers: tuple[Answer, ...] = ()
    explained: float = 0.0
    skew: float = 0.0
    shift: float = 0.0  # 0: not an effect of the target
    uneven: float = 0.0
    centre: float = 0.0
    scale: float = 1.0
    location: float = 0.0
    spread: float = 1.0


@dataclass(frozen=True)
class Switch:
    """How the target comes about: log odds of `slope` x (weighted causes, standardised by `scale`) - `threshold`."""

    causes: tuple[int, ...]
    weights: tuple[float, ...]
    slope: float
    scale: float = 1.0
    threshold: float = 0.0


@dataclass(frozen=True)
class RegedLike:
    """One problem: its network, its mechanisms, and the seeds of its samples. Made by `make_reged_like`."""

    seed: int
    names: tuple[str, ...]
    target: str
    genes: dict[int, Gene]  # by column number, causes first
    switch: Switch
    causes: tuple[str, ...]  # of the target, the strongest first
    effects: tuple[str, ...]  # of the target, the most predictive first
    spouses: tuple[str, ...]
    others: tuple[str, ...]  # outside the blanket, in random order
    quantiles: np.ndarray  # of every variable at KNOTS; row k for column k
    bounds: np.ndarray  # lowest and highest natural value of every variable
    integer: bool

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
        for number, gene in _in_order(self.genes, self.switch):
            if number == TARGET:
                on = rng.random(n) < _chance(self.switch, values)
                continue
            noise = rng.standard_normal(n)
            raw = _raw(gene, values, on, noise, rng)
            if number in numbers:
                values[number] = np.interp(noise, KNOTS, self.quantiles[number])
            else:
                values[number] = (raw - gene.location) / gene.spread
        target = np.where(on, 1, -1).astype(np.int8)
        return Sample(self._recorded(values[1:]).T, target, self.names)

    def _recorded(self, values: np.ndarray) -> np.ndarray:
        """The values as they stand in the table: as they are, or as integers between the bounds."""
        if not self.integer:
            return values
        low, high = self.bounds[1:].T
        values = (values - low[:, None]) / (high - low)[:, None]
        return np.clip(np.rint(LEVELS * values), 0, LEVELS).astype(np.int16)


def make_reged_like(
    seed: int,
    variables: int = 300,
    causes: int = 2,
    effects: int = 13,
    spouses: int = 6,
    prevalence: float = 0.12,
    integer: bool = False,
) -> RegedLike:
    """A new problem; the same arguments give the same problem and the same samples."""
    _check_sizes(variables, causes, effects, spouses, prevalence)
    rng = _generators(seed)["structure"]
    genes, switch, roles = _draw_network(rng, variables, causes, effects, spouses)
    genes, switch, values, on = _calibrate(rng, genes, switch, prevalence)
    probabilities = [0.5 * (1 + math.erf(knot / math.sqrt(2))) for knot in KNOTS]
    predictive = {number: abs(auc(on, values[number]) - 0.5) for number in roles["effect"]}
    names = tuple(f"X{number}" for number in range(1, variables + 1))
    others = [number for number in range(1, variables + 1) if not any(number in role for role in roles.values())]
    roles["effect"].sort(key=lambda number: -predictive[number])
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
        bounds=np.column_stack([values.min(axis=1), values.max(axis=1)]),
        integer=integer,
    )


def _check_sizes(variables: int, causes: int, effects: int, spouses: int, prevalence: float) -> None:
    if min(causes, effects) < 1 or spouses < 0:
        raise UserError(f"a problem needs a cause and an effect at least, found causes {causes}, effects {effects}")
    if spouses > effects:
        raise UserError(f"every spouse needs an effect of its own, found {spouses} spouses and {effects} effects")
    if not 0 < prevalence < 1:
        raise UserError(f"prevalence is {prevalence}; it must lie between 0 and 1")
    least = math.ceil((2 * (causes + spouses) + effects + round(LATER_EFFECTS * effects) + 4) / (1 - UNCONNECTED))
    if variables < least:
        raise UserError(
            f"{variables} variables are too few for {causes} causes, {effects} effects and {spouses} spouses with "
            f"something around them; write at least {least}"
        )


def _generators(seed: int) -> dict[str, np.random.Generator]:
    """Independent generators for the structure and for each sample of a problem."""
    parts = ("structure", "train", "test0", "test1", "test2")
    children = np.random.SeedSequence(seed).spawn(len(parts))
    return {part: np.random.default_rng(child) for part, child in zip(parts, children, strict=True)}


def _draw_network(rng, variables: int, causes: int, effects: int, spouses: int):
    """Genes by column number with causes first, the target's switch, and the numbers of causes, effects and spouses."""
    n_later = round(LATER_EFFECTS * effects)
    n_alone = round(UNCONNECTED * variables)
    n_network = variables - n_alone - effects - n_later
    number = (rng.permutation(variables) + 1).tolist()  # the columns' order says nothing
    parents = _regulators(rng, n_network)
    genes = {number[i]: _gene(rng, [number[j] for j in parents[i]]) for i in range(n_network)}
    cause_list, spouse_list = _choose_causes_and_spouses(rng, parents, causes, spouses)
    cause_list, spouse_list = [number[i] for i in cause_list], [number[i] for i in spouse_list]
    for cause in cause_list:
        genes[cause] = replace(genes[cause], skew=CAUSE_SKEW)
    weights = tuple(np.linspace(1.0, 0.7, causes).tolist())
    switch = Switch(tuple(cause_list), weights, SWITCH_SLOPE)
    effect_list = number[n_network : n_network + effects]
    shifts = np.geomspace(*SHIFT, effects)[rng.permutation(effects)]
    for k, effect in enumerate(effect_list):
        genes[effect] = _effect(rng, spouse_list[k : k + 1], float(shifts[k]))
    for later in number[n_network + effects : n_network + effects + n_later]:
        genes[later] = _gene(rng, [int(rng.choice(effect_list))])
    for alone in number[variables - n_alone :]:
        genes[alone] = _gene(rng, [])
    return genes, switch, {"cause": cause_list, "effect": list(effect_list), "spouse": spouse_list}


def _regulators(rng, n: int) -> list[list[int]]:
    """The causes of each of n genes, among the genes before it: the more effects a gene has, the more it gets."""
    appeal = np.ones(n)
    parents: list[list[int]] = [[]]
    for i in range(1, n):
        is_root = i > 1 and rng.random() < ROOTS
        wanted = 0 if is_root else min(i, 1 + int(rng.choice(len(N_CAUSES), p=N_CAUSES)))
        chosen = rng.choice(i, size=wanted, replace=False, p=appeal[:i] / appeal[:i].sum())
        appeal[chosen] += 1
        parents.append(sorted(chosen.tolist()))
    return parents


def _choose_causes_and_spouses(rng, parents: list[list[int]], causes: int, spouses: int):
    """Genes with causes of their own, if there are enough; the target's causes share none of theirs where possible."""
    order = rng.permutation(len(parents)).tolist()
    chosen: list[int] = []
    for strict in (True, False):
        for i in order:
            taken = {p for c in chosen for p in parents[c]} | set(chosen)
            apart = parents[i] and not taken & {i, *parents[i]} and not any(i in parents[c] for c in chosen)
            if len(chosen) < causes and i not in chosen and (apart or not strict):
                chosen.append(i)
    rest = [i for i in order if i not in chosen]
    rest.sort(key=lambda i: not parents[i])  # stable: roots last
    return chosen, rest[:spouses]


def _gene(rng, causes: list[int]) -> Gene:
    answers = []
    for cause in causes:
        sign = -1 if rng.random() < LOWERED else 1
        answers.append(Answer(cause, sign * rng.uniform(0.6, 1.0), rng.uniform(*SLOPE), rng.uniform(*OFFSET)))
    explained = rng.uniform(*EXPLAINED) if causes else 0.0
    return Gene(tuple(answers), explained, rng.uniform(*SKEW))


def _effect(rng, spouse: list[int], shift: float) -> Gene:
    """A gene that the target raises, unevenly, or lowers, evenly."""
    gene = _gene(rng, spouse)
    if rng.random() < 0.35:
        return replace(gene, shift=-min(shift, LOWEST_SHIFT))
    return replace(gene, shift=shift, uneven=rng.uniform(*UNEVEN))


def _in_order(genes: dict[int, Gene], switch: Switch):
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


def _raw(gene: Gene, values: np.ndarray, on: np.ndarray, noise: np.ndarray, rng) -> np.ndarray:
    """A gene's value before it is standardised; draws from `rng` only for effects of the target."""
    variance = math.exp(gene.skew**2)
    own = (np.exp(gene.skew * noise) - math.sqrt(variance)) / math.sqrt(variance * (variance - 1))
    raw = math.sqrt(1 - gene.explained) * own
    if gene.answers:
        raw += math.sqrt(gene.explained) * (_answers(gene, values) - gene.centre) / gene.scale
    if gene.shift:
        raw += gene.shift * on * (1 - gene.uneven + gene.uneven * rng.standard_exponential(len(noise)))
    return raw


def _propensity(switch: Switch, values: np.ndarray) -> np.ndarray:
    return np.asarray(switch.weights) @ values[list(switch.causes)] / switch.scale


def _chance(switch: Switch, values: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(switch.threshold - switch.slope * _propensity(switch, values)))


def _calibrate(rng, genes: dict[int, Gene], switch: Switch, prevalence: float):
    """Measure every scale on a natural sample, and place the switch so that the target has its prevalence.

    Gives the completed genes and switch, and the sample: values (row k for column k) and where the target is on.
    """
    values = np.zeros((len(genes) + 1, CALIBRATION_SIZE))
    on, done = None, {}
    for number, gene in _in_order(genes, switch):
        if number == TARGET:
            switch = replace(switch, scale=float(_propensity(switch, values).std()))
            switch = replace(switch, threshold=_threshold(switch, values, prevalence))
            on = rng.random(CALIBRATION_SIZE) < _chance(switch, values)
            continue
        if gene.answers:
            answers = _answers(gene, values)
            gene = replace(gene, centre=float(answers.mean()), scale=float(answers.std()))
        raw = _raw(gene, values, on, rng.standard_normal(CALIBRATION_SIZE), rng)
        done[number] = gene = replace(gene, location=float(raw.mean()), spread=float(raw.std()))
        values[number] = (raw - gene.location) / gene.spread
    return done, switch, values, on


def _threshold(switch: Switch, values: np.ndarray, prevalence: float) -> float:
    """By bisection: the mean chance falls as the threshold rises."""
    low, high = -1000.0, 1000.0
    for _ in range(100):
        middle = (low + high) / 2
        if _chance(replace(switch, threshold=middle), values).mean() > prevalence:
            low = middle
        else:
            high = middle
    return (low + high) / 2
