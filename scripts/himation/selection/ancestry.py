"""How likely each variable is an ancestor of the target: clues weighed by what they meant in simulated problems.

An ancestor still predicts the target when it is manipulated; nothing else does. `himation.selection.clues` collects
what correlations say about it, and two sums of small decision trees turn that into log-odds. The first sees the clues
of one variable. The second sees also the verdicts on its kin (the candidates that stay correlated with it given the
target), since effects of the target flock together, and so do its causes. Both were fitted to simulated problems whose
graphs are known (`scripts/fit_ancestry.py`, which also measures them on problems that they have not seen) and lie
beside this file as numbers. Where oriented graphs speak as well, the log-odds add up with measured weights.

Candidates are the variables that are related to the target, strongest first.

Beside the clues stand networks drawn from their posterior (`himation.selection.sampled`), which see fewer variables and
all edges among them at once. In long tables they are trusted less (``network_trust``) where they hold only part of what
is related to the target, or where nearly all of the table is: there something outside the table acts on much that is
in it, and a network explains that by wrong arrows. CINA and SIDO, with effects of a noisy copy of the target, are such
tables. In short tables only what is strongly related shows at all, and networks of the strongest can be trusted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from himation.selection.clues import NAMES, Clues, association, find_clues, standardised
from himation.selection.trees import Trees, from_numbers
from himation.table import CONTINUOUS

if TYPE_CHECKING:
    from himation.selection.sampled import Shares

RELATED = 3.0  # z-score from which a variable is a candidate
MOST_CANDIDATES = 1500
MOST_CELLS = 60_000_000  # correlations of candidates with all variables that are held at a time
MOST_EXAMPLES = 20_000
SURE = 4.0  # log-odds end here, one in fifty: simulations are not the world
MOST_RELATED = 70  # of the candidates, that a network has room for
LONG = (1000, 2000)  # examples from which networks begin to count less, and from which they count least
DENSE = (0.3, 0.5)  # part of the table that is related to the target, likewise
NEGLIGIBLE = 0.05  # trust below which no networks are drawn
MODEL = Path(__file__).with_name("ancestry.json")


@dataclass(frozen=True)
class Ancestry:
    """P(ancestor of the target) and the clues behind it, by related variable; ``r`` is the correlation of the two."""

    probability: dict[int, float]
    r: dict[int, float]
    clues: dict[int, np.ndarray]
    n_variables: int
    n_examples: int
    shares: dict[int, Shares] = field(default_factory=dict)  # of the networks drawn, by variable in them

    @property
    def network_trust(self) -> float:
        """How far the networks count, from 0 to 1."""
        seen = min(1.0, MOST_RELATED / max(1, len(self.probability)))
        long = _between(np.log(max(self.n_examples, 1)), *np.log(LONG))
        return 1 - long * (1 - seen**2 * (1 - _between(self.related_share, *DENSE)))

    @property
    def related_share(self) -> float:
        """What part of all variables goes with the target."""
        return len(self.probability) / max(1, self.n_variables)


@dataclass(frozen=True)
class Model:
    """The two stages."""

    first: Trees
    second: Trees

    def log_odds(self, clues: Clues) -> np.ndarray:
        """Log-odds of *not* being an ancestor."""
        if not len(clues.values):
            return np.empty(0)
        found = self.second.log_odds(with_kin(clues, self.first.log_odds(clues.values)))
        return np.clip(found, -SURE, SURE)


def load_model(path: Path = MODEL) -> Model:
    numbers = json.loads(Path(path).read_text(encoding="utf-8"))
    if tuple(numbers["clues"]) != NAMES:
        raise ValueError(f"{path} was fitted to other clues; run scripts/fit_ancestry.py again")
    return Model(from_numbers(numbers["first"]), from_numbers(numbers["second"]))


def with_kin(clues: Clues, log_odds: np.ndarray) -> np.ndarray:
    """The clues, the mean verdict on the kin, the mean on all, and the verdict on the next of kin."""
    kinship = clues.kinship
    weights = kinship / np.maximum(kinship.sum(axis=1, keepdims=True), 1e-9)
    mean = np.full(len(log_odds), log_odds.mean())
    nearest = log_odds[np.argmax(np.round(kinship, 6), axis=1)]
    return np.round(np.column_stack([clues.values, weights @ log_odds, mean, nearest]), 6)


def judge(table, model: Model | None = None, progress: Callable[[int, int], None] | None = None) -> Ancestry:
    """Judge the variables of a table that are related to its target, or go with such."""
    labels = np.where(np.asarray(table.target) > 0, 1.0, -1.0)
    rows = _rows(len(labels))

    def columns(variables):
        return standardised(np.column_stack([table.numbers_for_target(int(x))[rows] for x in variables]))

    def codes(variables):
        if any(table.kinds[x] == CONTINUOUS for x in variables):
            return None
        return table.codes(variables)[0][:, rows]

    labels = labels[rows]
    r = association(columns, table.n_variables, labels)
    candidates = choose_candidates(r, len(labels))
    if not candidates:
        return Ancestry({}, {}, {}, table.n_variables, table.train.n)
    clues = find_clues(columns, r, candidates, len(labels))
    log_odds = (model or load_model()).log_odds(clues)
    found = Ancestry(
        {x: float(1 / (1 + np.exp(odds))) for x, odds in zip(candidates, log_odds, strict=True)},
        {x: float(r[x]) for x in candidates},
        dict(zip(candidates, clues.values, strict=True)),
        table.n_variables,
        table.train.n,
    )
    if found.network_trust < NEGLIGIBLE:
        return found
    from himation.selection.sampled import draw_networks, shares

    return replace(found, shares=shares(draw_networks(columns, r, labels, codes, progress)))


def choose_candidates(r: np.ndarray, n: int) -> list[int]:
    """The variables related to the target, the strongest if memory is not meant for all; in the table's order."""
    most = min(MOST_CANDIDATES, max(1, MOST_CELLS // max(len(r), 1)))
    z = np.sqrt(n) * np.abs(r)
    strongest = np.argsort(-z, kind="stable")[:most]
    return sorted(int(x) for x in strongest if z[x] > RELATED)


def _between(value: float, low: float, high: float) -> float:
    """0 up to ``low``, 1 from ``high`` on, a straight line between."""
    return float(min(1.0, max(0.0, (value - low) / (high - low))))


def _rows(n: int) -> slice:
    """Every k-th example of a long table."""
    return slice(None, None, max(1, -(-n // MOST_EXAMPLES)))
