"""All that looks at the labels of a table before a manipulation is known: finders, networks, and what competes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.errors import UserError
from himation.finders import Context, check_settings
from himation.finders import Found as Answer
from himation.methods import METHODS, finder
from himation.models.constructed import Constructed, joining
from himation.nested.competing import FEATURE_SPACE, Fitting, Found, Searched, compete
from himation.nested.folds import Fold, without
from himation.posterior.networks import Options, draw
from himation.table import Table

MACHINE_ROWS = 500  # that choose the degree and cost of the finders in feature space
MACHINE = ("degree", "cost")


@dataclass(frozen=True)
class Finder:
    """A method under its name in the configuration, with its parameters."""

    id: str
    method: str
    settings: dict


@dataclass(frozen=True)
class Search:
    """How a fold is searched."""

    finders: tuple[Finder, ...]
    test: str
    networks: Options
    seed: int


def search(table: Table, how: Search) -> Found:
    """Every finder and the networks. A finder that can't work on a small table finds nothing."""
    sets: dict[str, tuple[int, ...]] = {}
    features: list[Constructed] = []
    for one in _with_machine(table, how):
        check_settings(one.method, one.settings)
        try:
            answer = finder(one.method)(table, one.settings, Context(how.test, how.seed))
        except UserError:
            sets[one.id] = ()
            continue
        sets[one.id] = tuple(int(x) for x in answer.members)
        features += constructed(answer)
    space = tuple(one.id for one in how.finders if one.method == FEATURE_SPACE and sets[one.id])
    return Found(sets, space, joining(features), draw(table, how.networks))


def _with_machine(table: Table, how: Search) -> list[Finder]:
    """The finders, those in feature space with the degree and cost that one search on few rows gives all of them."""
    wanting = [one for one in how.finders if set(MACHINE) <= set(METHODS[one.method].parameters) - set(one.settings)]
    if not wanting:
        return list(how.finders)
    from himation.feature_space.fsmb import OURS, choose_svm
    from himation.finders.feature_space import examples
    from himation.models.svm import stratified_sample

    y = np.asarray(table.target)
    rows = stratified_sample(y, MACHINE_ROWS, how.seed) if len(y) > MACHINE_ROWS else np.arange(len(y))
    try:
        settings = wanting[0].settings
        svm = settings.get("svm", OURS)
        best = choose_svm(examples(table, settings)[rows], y[rows], seed=how.seed, svm=svm).best
    except UserError:
        return list(how.finders)
    machine = {"degree": best.kernel.degree, "cost": best.cost}
    return [replace(one, settings={**one.settings, **machine}) if one in wanting else one for one in how.finders]


def constructed(answer: Answer) -> Sequence[Constructed]:
    """The features in a finder's answer."""
    details = answer.details
    parts = zip(answer.features, details.get("feature_names", ()), details.get("weights", ()), strict=False)
    coding = details.get("coding", "plus_minus")
    return [Constructed(name, feature, float(weight), coding) for feature, name, weight in parts]


def search_fold(table: Table, fold: Fold, how: Search, fitting: Fitting) -> Searched:
    """One fold of a table."""
    part = without(table, fold.held)
    found = search(part, how)
    return Searched(fold, part, found, compete(part, found, fitting))
