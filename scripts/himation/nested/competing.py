"""The sets of variables that compete in nature, and models on them.

The finders' sets; `BLANKET`, the first finder's with the neighbours of the target in most sampled networks, or, where
both are empty, the one variable that goes most with the target; `JOINED`, that with the variables of a feature-space
finder and its products; `NETWORKS`, the blanket in most networks; and all variables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from himation.models import fitting as fitting_models
from himation.models.constructed import Constructed, model_columns, usable
from himation.models.kinds import Options
from himation.nested.folds import Fold
from himation.posterior import averages
from himation.posterior.averages import MAJORITY
from himation.posterior.networks import NO_NETWORKS, Networks
from himation.table import Table

BLANKET, JOINED, NETWORKS, ALL = "blanket", "joined", "networks", "all variables"
MOST_CELLS = 200_000_000  # of a table whose variables all compete
FEATURE_SPACE = "fsmb"


@dataclass(frozen=True)
class Found:
    """What a search found in one table: the finders' sets by name, best first, the feature-space finders among them
    with the products that they built, and networks."""

    sets: dict[str, tuple[int, ...]]
    feature_space: tuple[str, ...]
    features: tuple[Constructed, ...]
    networks: Networks


@dataclass(frozen=True)
class Searched:
    """A fold, its table, whose test part are the rows held out, what was found in the others, and the values of the
    rows held out by each competitor."""

    fold: Fold
    table: Table
    found: Found
    values: dict[str, np.ndarray]


@dataclass(frozen=True)
class Fitting:
    """The kind of model, its settings and its seed."""

    kind: str
    options: Options
    seed: int


def competitors(table: Table, found: Found) -> dict[str, tuple[int, ...]]:
    """Every set by its name, the one that others must beat first. Sets may be empty."""
    first = next(iter(found.sets.values()), ())
    blanket = (*first, *averages.likely_neighbours(averages.shares(found.networks), first)) or strongest(table)
    sets = {BLANKET: blanket}
    if found.feature_space:
        more = [x for name in found.feature_space for x in found.sets[name]]
        sets[JOINED] = tuple(dict.fromkeys((*blanket, *more)))
    share = averages.inclusion(found.networks, lambda x: False)
    sets[NETWORKS] = tuple(sorted((x for x in share if share[x] >= MAJORITY), key=lambda x: (-share[x], x)))
    sets |= found.sets
    if table.n_variables * table.train.n <= MOST_CELLS:
        sets[ALL] = tuple(range(table.n_variables))
    return sets


def in_order(table: Table, sets: Mapping[str, tuple[int, ...]], name: str) -> tuple[int, ...]:
    """The members of a set, surest first: those of all variables that no smaller set has come last, by the strength of
    their link with the target."""
    if name != ALL:
        return sets[name]
    first = list(dict.fromkeys(x for other, members in sets.items() if other != ALL for x in members))
    strength = table.strengths()
    others = sorted(set(sets[ALL]) - set(first), key=lambda x: (-strength[x], x))
    return (*first, *others)


def strongest(table: Table) -> tuple[int, ...]:
    """The one variable that goes most with the target."""
    found = table.strengths()
    return (found.index(max(found)),) if found else ()


def features_of(name: str, found: Found) -> tuple[Constructed, ...]:
    """Products that come with a set."""
    return found.features if name == JOINED or name in found.feature_space else ()


def fit(
    table: Table,
    variables: Sequence[int],
    features: Sequence[Constructed],
    fitting: Fitting,
    panels: Mapping[tuple[int, ...], float] | None = None,
    networks: Networks = NO_NETWORKS,
) -> Any:
    """A model on the training part, and on the experiments that the networks admit."""
    divided = list(panels.items()) if panels else ()
    made = (fitting.kind, fitting.seed, fitting.options)
    return fitting_models.fit(table, variables, features, *made, divided, networks)[0]


def compete(table: Table, found: Found, fitting: Fitting) -> dict[str, np.ndarray]:
    """Values of the test part by every set; 0 where it is empty."""
    known: dict[tuple, np.ndarray] = {}
    values = {}
    for name, members in competitors(table, found).items():
        features = usable(features_of(name, found), members)
        key = frozenset(members), features
        if key not in known:
            known[key] = np.zeros(table.part("test").n)
            if members:
                model = fit(table, sorted(members), features, fitting, networks=found.networks)
                known[key] = model.decision_function(model_columns(table, sorted(members), features, "test"))
        values[name] = known[key]
    return values
