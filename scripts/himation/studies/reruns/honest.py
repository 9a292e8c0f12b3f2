"""Whether the expected AUC is what fresh rows give: on noise, on problems with signal, and under known manipulations.

Each sample draws one table of noise of every shape of `NOISE`, with labels that nothing goes with, and one random
problem of every size of `SIZES`, of the kinds and styles in turn. All steps run as in the workflow with its defaults:
finders, networks, folds, the choice of the set in nature, the selection for the known manipulation, the model. What was
expected is compared with the AUC on 2,000 fresh rows.

Nothing was published on this; the column of published figures stays empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from himation.evaluate import auc
from himation.files.tables import RawTable
from himation.independence.overall import goes_with_target
from himation.models.constructed import model_columns, usable
from himation.models.kinds import Options as ModelOptions
from himation.nested.competing import Fitting, competitors, features_of, fit, strongest
from himation.nested.folds import plan_folds
from himation.nested.manipulated import Task, expect
from himation.nested.measuring import INTERVAL, Estimate
from himation.nested.natural import compared, split
from himation.nested.options import machines_of
from himation.nested.searching import Finder, Search, search, search_fold
from himation.posterior.networks import Options
from himation.posterior.settings import Settings as NetworkSettings
from himation.prepare.preparing import prepare
from himation.selection.rule_names import DEFAULT, Settings
from himation.selection.rules import KNOWN, NATURAL, Situation, select
from himation.studies.reruns import Line, mean_of
from himation.studies.simulate.random_network import STYLES, make_random_network
from himation.studies.simulate.random_problem import KINDS, make_random_problem
from himation.table import Table

NOISE = ((40, 20), (60, 300), (100, 500), (200, 200), (200, 2000))
SIZES = (
    (60, 40),
    (60, 100),
    (100, 50),
    (100, 400),
    (200, 40),
    (200, 200),
    (400, 60),
    (1000, 40),
    (2000, 40),
    (200, 2000),
)
FRESH = 2_000
MEMBERS = 50
FOLD_CHAINS = 6
FINDERS = (
    Finder("mmmb", "mmmb", {"alpha": 0.05, "max_conditioning": 3, "symmetry": "and"}),
    Finder("fsmb", "fsmb", {"alpha": 0.05, "max_conditioning": 3}),
    Finder("rfe", "rfe", {}),
)


@dataclass(frozen=True)
class Outcome:
    """What was expected of one model and what it achieved."""

    case: str
    expected: Estimate
    achieved: float

    @property
    def excess(self) -> float:
        return self.expected.auc - self.achieved

    @property
    def covered(self) -> bool:
        return abs(self.excess) <= INTERVAL * self.expected.error


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Means over tables of noise, problems in nature, and problems under a known manipulation."""
    from himation.processes import share_out

    tasks = [(shape, "", seed + k) for k in range(samples) for shape in NOISE]
    kinds = [*KINDS, *STYLES]
    for k in range(samples):
        tasks += [(size, kinds[(k + 4 * i) % len(kinds)], seed + k) for i, size in enumerate(SIZES)]
    found = [one for some in share_out(lambda task: measure(*task), tasks, threads, progress) for one in some]
    lines = []
    for case in dict.fromkeys(one.case for one in found):
        lines += _lines(case, [one for one in found if one.case == case])
    return lines


def _lines(case: str, outcomes: Sequence[Outcome]) -> list[Line]:
    excess = [one.excess for one in outcomes]
    covered = [float(one.covered) for one in outcomes]
    chance = [float(not one.expected.above_chance) for one in outcomes]
    note = f"{len(outcomes)} tables"
    return [
        mean_of(excess, case, "mean of expected minus achieved AUC", note=note),
        mean_of(covered, case, "share within two standard errors", None, "high", note),
        mean_of(chance, case, "share whose interval includes chance", note=note),
    ]


def measure(size: tuple[int, int], kind: str, seed: int) -> list[Outcome]:
    """One table of noise, or one problem in nature and under its known manipulation."""
    n, p = size
    if not kind:
        rng = np.random.default_rng([seed, n, p])
        labels = rng.permutation(np.where(np.arange(n) % 2, 1, -1))
        fresh = np.where(rng.random(FRESH) < 0.5, 1, -1)
        table = _table(rng.normal(size=(n, p)), labels, rng.normal(size=(FRESH, p)), fresh)
        return [Outcome("noise", *_both(table, searched_folds(table), NATURAL, frozenset()))]
    problem = (make_random_network if kind in STYLES else make_random_problem)(seed, kind, p)
    train = problem.train(n)
    searched, outcomes = None, []
    for version, case, told in ((0, "signal, in nature", NATURAL), (1, "signal, known manipulation", KNOWN)):
        test = problem.test(version, FRESH)
        table = _table(train.values, train.target, test.values, test.target)
        searched = searched or searched_folds(table)
        manipulated = {i + 1 for i, name in enumerate(train.names) if name in problem.version(1)} if version else ()
        outcomes.append(Outcome(case, *_both(table, searched, told, frozenset(manipulated))))
    return outcomes


def _table(X, y, fresh, labels) -> Table:
    names = [f"v{i + 1}" for i in range(np.shape(X)[1])]
    raws = [
        RawTable(path, names, len(part), values=np.ascontiguousarray(np.asarray(part, dtype=float).T))
        for path, part in (("training", X), ("fresh", fresh))
    ]
    return prepare(raws[0], np.asarray(y), test=raws[1], test_target=np.asarray(labels))


def how_to_search(chains: int) -> Search:
    return Search(FINDERS, "auto", Options.of(chains, NetworkSettings.sweeps, NetworkSettings.nodes, 1), 1)


def fitting_with(members: int) -> Fitting:
    return Fitting("bagged", ModelOptions(machines=members), 1)


def searched_folds(table: Table):
    fitting = fitting_with(machines_of(MEMBERS, table.train.n))
    return [search_fold(table, fold, how_to_search(FOLD_CHAINS), fitting) for fold in plan_folds(table.target, 1)]


def _both(table: Table, searched, kind: str, manipulated: frozenset[int]) -> tuple[Estimate, float]:
    """The estimate, and the AUC of the model on the fresh rows."""
    anything = goes_with_target(table, 1)[0].found
    task = Task(kind, manipulated, DEFAULT, Settings(), table)
    expected = expect(searched, task, fitting_with(machines_of(MEMBERS, table.train.n)), anything, 1).here
    found, sets_of_members = search(table, how_to_search(NetworkSettings.chains)), None
    name = compared(split(searched)[0]).choose(anything)
    chosen = competitors(table, found)[name] or strongest(table)
    if kind == KNOWN:
        where = {int(column): x for x, column in enumerate(table.columns)}
        cut = frozenset(where[column] for column in manipulated if column in where)
        blanket = next(iter(found.sets.values())) or strongest(table)
        selection = select(DEFAULT, Situation(blanket, {}, found.networks, kind, cut))
        chosen, sets_of_members = selection.used, selection.panels
    features = usable(features_of(name, found), chosen)
    model = fit(table, chosen, features, fitting_with(MEMBERS), sets_of_members)
    return expected, auc(table.test_target, model.decision_function(model_columns(table, chosen, features, "test")))
