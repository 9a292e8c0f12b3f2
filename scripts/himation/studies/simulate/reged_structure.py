"""The network of a REGED-like problem: which gene has which causes, and how strongly it answers to them.

Genes are drawn causes first: the network of regulators, in which a new gene prefers causes that already have many
effects (Barabási and Albert 1999); then the target, whose causes are genes of that network; its effects, some with a
spouse from the network; effects of those effects; and genes on their own. Columns are numbered at random, from 1.
`studies.simulate.reged_like` measures the scales and draws the samples.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from himation.errors import UserError

TARGET = 0  # the target's number; variable k is column k, counted from 1

# Structure, as counted in REGED's graph.
CAUSES, EFFECTS, SPOUSES = 2, 13, 6  # of the target
PREVALENCE = 0.12  # part of the examples in which the target is on
UNCONNECTED = 0.2  # part of the variables outside the network
ROOTS = 0.02  # part of the network's genes without a cause
N_CAUSES = (0.6, 0.37, 0.03)  # chances of one, two, three causes
LOWERED = 0.02  # part of the edges that lower their effect
LATER_EFFECTS = 0.4  # effects of effects, per effect

# Strengths; a pair is a range.
EXPLAINED = (0.5, 0.75)  # part of the variance of a gene's log level that its causes explain
WEIGHT, SLOPE, OFFSET = (0.6, 1.0), (0.3, 1.0), (-0.5, 0.5)  # of a sigmoid answer
SKEW = (0.1, 0.4)  # log-normal shape of a gene; its skewness is about three times that
EFFECT_SKEW, CAUSE_SKEW = (0.5, 1.0), 0.8  # the same of the target's effects and causes
SHIFT = (1.4, 1.7)  # of an effect's log level when the target is on, in standard deviations
BESIDE_SPOUSE = 0.65  # part of that shift for an effect that has a spouse as well
LOWERED_EFFECTS = 0.3  # part of the effects that the target lowers
SWITCH_SLOPE = 12.0  # how sharply the target follows its causes: log odds per standard deviation
LEAK = 0.016  # chance that the target is on whatever its causes are


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

    Its log level is the sum of its answers, standardised by `centre` and `scale` and given the part `explained` of the
    variance, plus normal variation of its own, plus `shift` where the target is on. The value is exp(skew x log level),
    standardised by `location` and `spread`.
    """

    answers: tuple[Answer, ...]
    explained: float
    skew: float
    shift: float = 0.0  # 0: not an effect of the target
    centre: float = 0.0
    scale: float = 1.0
    location: float = 0.0
    spread: float = 1.0


@dataclass(frozen=True)
class Switch:
    """How the target comes about: by chance `leak`, else with log odds slope x (sum of causes / scale) - threshold."""

    causes: tuple[int, ...]
    slope: float
    leak: float
    scale: float = 1.0
    threshold: float = 0.0


def check_size(variables: int) -> None:
    """Refuse a size too small for the target, its neighbours and something around them."""
    least = math.ceil((2 * (CAUSES + SPOUSES) + EFFECTS + round(LATER_EFFECTS * EFFECTS) + 4) / (1 - UNCONNECTED))
    if variables < least:
        raise UserError(f"{variables} variables are too few for a problem like REGED; write at least {least}")


def draw_network(rng, variables: int):
    """Genes by column number with causes first, the target's switch, and the numbers of causes, effects and spouses."""
    n_later = round(LATER_EFFECTS * EFFECTS)
    n_alone = round(UNCONNECTED * variables)
    n_network = variables - n_alone - EFFECTS - n_later
    number = (rng.permutation(variables) + 1).tolist()  # the columns' order says nothing
    parents = _regulators(rng, n_network)
    genes = {number[i]: _gene(rng, [number[j] for j in parents[i]]) for i in range(n_network)}
    cause_list, spouse_list = _choose_causes_and_spouses(rng, parents)
    cause_list, spouse_list = [number[i] for i in cause_list], [number[i] for i in spouse_list]
    for cause in cause_list:
        genes[cause] = replace(genes[cause], skew=CAUSE_SKEW)
    switch = Switch(tuple(cause_list), SWITCH_SLOPE, LEAK)
    effect_list = number[n_network : n_network + EFFECTS]
    shifts = np.geomspace(*SHIFT, EFFECTS)[rng.permutation(EFFECTS)]
    for k, effect in enumerate(effect_list):
        genes[effect] = _effect(rng, spouse_list[k : k + 1], float(shifts[k]))
    for later in number[n_network + EFFECTS : n_network + EFFECTS + n_later]:
        genes[later] = _gene(rng, [int(rng.choice(effect_list))])
    for alone in number[variables - n_alone :]:
        genes[alone] = _gene(rng, [])
    return genes, switch, {"cause": cause_list, "effect": list(effect_list), "spouse": spouse_list}


def _regulators(rng, n: int) -> list[list[int]]:
    """The causes of each of n genes, among the genes before it.

    The first cause is the likelier the more effects it has; the others share causes with it, and vary together.
    """
    parents: list[list[int]] = [[]]
    children: list[list[int]] = [[] for _ in range(n)]
    for i in range(1, n):
        is_root = i > 1 and rng.random() < ROOTS
        wanted = 0 if is_root else 1 + int(rng.choice(len(N_CAUSES), p=N_CAUSES))
        appeal = np.array([1 + len(children[j]) for j in range(i)], dtype=float)
        chosen: set[int] = set()
        for _ in range(wanted):
            if not chosen:
                chosen.add(int(rng.choice(i, p=appeal / appeal.sum())))
            elif related := sorted(_related(min(chosen), parents, children) - chosen):
                chosen.add(int(rng.choice(related)))
        for cause in chosen:
            children[cause].append(i)
        parents.append(sorted(chosen))
    return parents


def _related(gene: int, parents: list[list[int]], children: list[list[int]]) -> set[int]:
    """Genes that share a cause, or a cause's cause, with this one."""
    causes_of_causes = {second for first in parents[gene] for second in parents[first]}
    causes = {first for second in causes_of_causes for first in children[second]} | set(parents[gene])
    return {other for cause in causes for other in children[cause]} - {gene}


def _choose_causes_and_spouses(rng, parents: list[list[int]]):
    """Genes with causes of their own, if there are enough; the target's causes share none of theirs where possible."""
    order = rng.permutation(len(parents)).tolist()
    chosen: list[int] = []
    for strict in (True, False):
        for i in order:
            taken = {p for c in chosen for p in parents[c]} | set(chosen)
            apart = parents[i] and not taken & {i, *parents[i]} and not any(i in parents[c] for c in chosen)
            if len(chosen) < CAUSES and i not in chosen and (apart or not strict):
                chosen.append(i)
    rest = [i for i in order if i not in chosen]
    rest.sort(key=lambda i: not parents[i])  # stable: roots last
    return chosen, rest[:SPOUSES]


def _gene(rng, causes: list[int]) -> Gene:
    answers = []
    for cause in causes:
        sign = -1 if rng.random() < LOWERED else 1
        answers.append(Answer(cause, sign * rng.uniform(*WEIGHT), rng.uniform(*SLOPE), rng.uniform(*OFFSET)))
    explained = rng.uniform(*EXPLAINED) if causes else 0.0
    return Gene(tuple(answers), explained, rng.uniform(*SKEW))


def _effect(rng, spouse: list[int], shift: float) -> Gene:
    """A gene that the target raises or lowers, besides its spouse if it has one."""
    gene = _gene(rng, spouse)
    sign = -1 if rng.random() < LOWERED_EFFECTS else 1
    shift *= BESIDE_SPOUSE if spouse else 1.0
    return replace(gene, shift=sign * shift, skew=rng.uniform(*EFFECT_SKEW))
