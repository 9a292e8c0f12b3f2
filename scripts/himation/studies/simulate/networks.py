"""LUCAS, the lung cancer toy network of the 2008 challenge, and forward sampling under manipulation.

Eleven binary variables around a binary target, Lung_cancer, with published probability tables (Guyon et al. 2008):

    Anxiety ─► Smoking ◄─ Peer_Pressure        Genetics ─► Attention_Disorder ─► Car_Accident
                │    └──► Yellow_Fingers          │                                  ▲
                └───► Lung_cancer ◄───────────────┘                                  │
                           ├──► Coughing ◄─ Allergy                                  │
                           └──► Fatigue ◄── Coughing          Fatigue ───────────────┘

Born_an_Even_Day stands alone. The target's Markov blanket is Smoking, Genetics (causes), Coughing, Fatigue (effects)
and Allergy (the other cause of an effect).

A network is sampled causes first. A **manipulated** variable loses its causes: somebody sets it, by a fair coin here,
without looking at anything else, and the rest of the system then runs on from that value. (The challenge does not say
how its manipulated values were drawn; any draw that ignores all else leaves the same causal relations.) The training
set is natural; version 1 of the test set manipulates four variables, version 2 all but the target.

>>> rng = np.random.default_rng(2008)
>>> natural = simulate_lucas(1000, rng)
>>> natural.values.shape, natural.names[0], sorted(set(natural.target.tolist()))
((1000, 11), 'Smoking', [-1, 1])
>>> fingers = LUCAS.names.index("Yellow_Fingers")
>>> bool(np.corrcoef(natural.values[:, fingers], natural.target)[0, 1] > 0.3)
True
>>> painted = simulate_lucas(1000, rng, manipulated=["Yellow_Fingers"])
>>> bool(abs(np.corrcoef(painted.values[:, fingers], painted.target)[0, 1]) < 0.1)
True
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError

COIN = 0.5  # probability that a manipulated variable is set to 1


@dataclass(frozen=True)
class Sample:
    """Examples drawn from a network: `values` (n x variables, 0/1), `target` (n, +1/-1), and the columns' `names`."""

    values: np.ndarray
    target: np.ndarray
    names: tuple[str, ...]


@dataclass(frozen=True)
class Mechanism:
    """How a binary variable comes about: P(true) for every combination of its causes' values.

    `table` is indexed by the causes' values in the order of `causes`; without causes it holds the one probability.
    """

    causes: tuple[str, ...]
    table: np.ndarray


@dataclass(frozen=True)
class BinaryNetwork:
    """A causal network of binary variables with one target; `mechanisms` lists causes before their effects."""

    target: str
    names: tuple[str, ...]  # all but the target, in the order of the data's columns
    mechanisms: Mapping[str, Mechanism]

    @property
    def edges(self) -> list[tuple[str, str]]:
        """All (cause, effect) pairs, by effect in causal order."""
        return [(cause, name) for name, mechanism in self.mechanisms.items() for cause in mechanism.causes]

    def sample(self, n: int, rng: np.random.Generator, manipulated: Iterable[str] = ()) -> Sample:
        """Draw n examples causes first, manipulated variables by a fair coin.

        Every variable uses its own n uniform numbers, whatever is manipulated: with the same generator the values of
        variables that the manipulation can't reach are the same with and without it.
        """
        manipulated = check_manipulated(manipulated, self.names, self.target)
        values: dict[str, np.ndarray] = {}
        for name, mechanism in self.mechanisms.items():
            probability = COIN
            if name not in manipulated:
                probability = mechanism.table[tuple(values[cause] for cause in mechanism.causes)]
            values[name] = (rng.random(n) < probability).astype(np.uint8)
        target = np.where(values[self.target] > 0, 1, -1).astype(np.int8)
        return Sample(np.column_stack([values[name] for name in self.names]), target, self.names)


def check_manipulated(manipulated: Iterable[str], names: Sequence[str], target: str) -> frozenset[str]:
    """The set of manipulated variables, refused when it has the target or a name that is not among `names`."""
    manipulated, known = tuple(manipulated), frozenset(names)
    for name in manipulated:
        if name == target:
            raise UserError(f"the target {name} can't be manipulated; take it off the list of manipulated variables")
        if name not in known:
            close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
            advice = f"did you mean {close[0]}?" if close else f"known are {', '.join(names[:12])}"
            raise UserError(f"no variable named {name!r} to manipulate; {advice}")
    return frozenset(manipulated)


def _mechanism(table, *causes: str) -> Mechanism:
    probabilities = np.array(table, dtype=float)
    probabilities.setflags(write=False)
    return Mechanism(causes, probabilities)


# Each table is indexed by its causes in the order they are named: [first false, first true], then the second.
LUCAS = BinaryNetwork(
    target="Lung_cancer",
    names=(
        "Smoking",
        "Yellow_Fingers",
        "Anxiety",
        "Peer_Pressure",
        "Genetics",
        "Attention_Disorder",
        "Born_an_Even_Day",
        "Car_Accident",
        "Fatigue",
        "Allergy",
        "Coughing",
    ),
    mechanisms={
        "Anxiety": _mechanism(0.64277),
        "Peer_Pressure": _mechanism(0.32997),
        "Genetics": _mechanism(0.15953),
        "Born_an_Even_Day": _mechanism(0.5),
        "Allergy": _mechanism(0.32841),
        "Smoking": _mechanism([[0.43118, 0.8686], [0.74591, 0.91576]], "Peer_Pressure", "Anxiety"),
        "Yellow_Fingers": _mechanism([0.23119, 0.95372], "Smoking"),
        "Lung_cancer": _mechanism([[0.23146, 0.83934], [0.86996, 0.99351]], "Genetics", "Smoking"),
        "Attention_Disorder": _mechanism([0.28956, 0.68706], "Genetics"),
        "Coughing": _mechanism([[0.1347, 0.7664], [0.64592, 0.99947]], "Allergy", "Lung_cancer"),
        "Fatigue": _mechanism([[0.35212, 0.80016], [0.56514, 0.89589]], "Lung_cancer", "Coughing"),
        "Car_Accident": _mechanism([[0.2274, 0.78861], [0.779, 0.97169]], "Attention_Disorder", "Fatigue"),
    },
)

# What each version of the challenge's test set manipulates.
LUCAS_MANIPULATED: Mapping[int, tuple[str, ...]] = {
    0: (),
    1: ("Yellow_Fingers", "Smoking", "Fatigue", "Attention_Disorder"),
    2: LUCAS.names,
}


def simulate_lucas(n: int, rng: np.random.Generator, manipulated: Iterable[str] = ()) -> Sample:
    """n examples of LUCAS, natural or with the named variables manipulated."""
    return LUCAS.sample(n, rng, manipulated)
