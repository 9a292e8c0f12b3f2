"""All steps on one prepared table as in the workflow with its defaults: finders, networks, folds, the choice of the set
in nature, the selection, the estimate, and the model, which predicts the test part of the table.

What is expensive and does not depend on the manipulation is made once: `learned`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.files.tables import RawTable
from himation.models.constructed import model_columns, usable
from himation.models.kinds import Options as ModelOptions
from himation.nested.competing import Fitting, Found, Searched, fit
from himation.nested.folds import plan_folds
from himation.nested.manipulated import Task, expect
from himation.nested.measuring import Estimate
from himation.nested.options import machines_of
from himation.nested.search_options import CHAINS_SHARE, LEAST_CHAINS
from himation.nested.searching import Finder, Search, search, search_fold
from himation.nested.settling import Settled, products, settle
from himation.posterior.networks import Options
from himation.posterior.settings import Settings as NetworkSettings
from himation.prepare.preparing import prepare
from himation.selection.rule_names import DEFAULT, Settings
from himation.selection.rules import Situation, select
from himation.table import Table

MEMBERS = 50
FOLD_CHAINS = max(LEAST_CHAINS, NetworkSettings.chains // CHAINS_SHARE)
FINDERS = (
    Finder("mmmb", "mmmb", {"alpha": 0.05, "max_conditioning": 3, "symmetry": "and"}),
    Finder("fsmb", "fsmb", {"alpha": 0.05, "max_conditioning": 3}),
    Finder("rfe", "rfe", {}),
)
SEED = 1


@dataclass(frozen=True)
class Learned:
    """What was found in the whole table and in its folds, and what was settled by the rows held out."""

    found: Found
    searched: tuple[Searched, ...]
    settled: Settled


@dataclass(frozen=True)
class Answer:
    """What is expected of the model, whether the verdict would be that nothing was found, the set that predicts in
    nature, and the model's values of the test part."""

    expected: Estimate
    nothing: bool
    used: str
    values: np.ndarray


def table_of(X, y, fresh, labels) -> Table:
    """Examples by variables with their labels, and fresh ones as the test part."""
    names = [f"v{i + 1}" for i in range(np.shape(X)[1])]
    raws = [
        RawTable(path, names, len(part), values=np.ascontiguousarray(np.asarray(part, dtype=float).T))
        for path, part in (("training", X), ("fresh", fresh))
    ]
    return prepare(raws[0], np.asarray(y), test=raws[1], test_target=np.asarray(labels))


def how_to_search(chains: int) -> Search:
    return Search(FINDERS, "auto", Options.of(chains, NetworkSettings.sweeps, NetworkSettings.nodes, SEED), SEED)


def fitting_with(members: int) -> Fitting:
    return Fitting("bagged", ModelOptions(machines=members), SEED)


def searched_folds(table: Table) -> tuple[Searched, ...]:
    fitting = fitting_with(machines_of(MEMBERS, table.train.n))
    planned = plan_folds(table.target, SEED)
    return tuple(search_fold(table, fold, how_to_search(FOLD_CHAINS), fitting) for fold in planned)


def learned(table: Table) -> Learned:
    """All that looks at the training part before a manipulation is known."""
    found, searched = search(table, how_to_search(NetworkSettings.chains)), searched_folds(table)
    return Learned(found, searched, settle(table, found, searched, SEED))


def answer(table: Table, known: Learned, kind: str, manipulated: Sequence[int] = ()) -> Answer:
    """Under a manipulation of some columns. The table may have another test part than the one that was learned with."""
    settled, found = known.settled, known.found
    fitting = fitting_with(machines_of(MEMBERS, table.train.n))
    task = Task(kind, frozenset(manipulated), DEFAULT, Settings(), table)
    expected = expect(known.searched, task, fitting, settled.anything.found, SEED).here
    where = {int(column): x for x, column in enumerate(table.columns)}
    cut = frozenset(where[column] for column in manipulated if column in where)
    situation = Situation(settled.blanket.members, {}, found.networks, kind, cut)
    selection = select(DEFAULT, replace(situation, best=settled.natural, widest=settled.widest))
    features = usable(products(found, settled), selection.used)
    model = fit(table, selection.used, features, fitting_with(MEMBERS), selection.panels, found.networks)
    values = model.decision_function(model_columns(table, selection.used, features, "test"))
    return Answer(expected, not (settled.anything.found and expected.above_chance), settled.used, values)
