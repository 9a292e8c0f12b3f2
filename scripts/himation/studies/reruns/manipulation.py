"""Ours against the other rules on random problems of every kind: Tscores relative to a model that knows the truth.

Each sample draws one problem of each kind built around a target (`studies.simulate.random_problem`), one of each style
with the target anywhere in a network (`studies.simulate.random_network`) and one like REGED, in three versions:
natural, a known manipulation, an unknown one. All steps run as in the workflow with its defaults: noise removal, MMMB,
the region, orientation on resamples, networks, each rule of selection. The model is the same for every set of
variables, and for the reference, which is the target's blanket in the true manipulated network: logistic regression
with a ridge, on standardised variables; where a rule divides the variables, the mean of such models, one for each
set. The relative Tscore is (T - 0.5) / (T of the reference - 0.5); it may exceed 1, as the reference is the right set
but trained on natural data (theorem V.1).

For each kind also: how well the target's ancestors are told among the variables that go with it, beside two peers that
only sort variables, and how far such sorting carries on these problems (`studies.reruns.sorting`).

Nothing was published on these problems; the column of published figures stays empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from himation import graphs
from himation.evaluate import auc, relative_tscore
from himation.files.tables import RawTable
from himation.posterior.averages import shares
from himation.posterior.networks import Networks, Options, draw
from himation.prepare.noise import remove_noise
from himation.prepare.preparing import prepare
from himation.selection.rule_names import RULES
from himation.studies.reruns import Line, sorting
from himation.studies.simulate.random_network import STYLES, make_random_network
from himation.studies.simulate.random_problem import KINDS, make_random_problem
from himation.studies.simulate.reged_like import make_reged_like
from himation.table import Table

EXAMPLES = {"binary": 1000, "tables": 1000}  # and 500 of the other kinds
TEST_EXAMPLES = 5000
VARIABLES = {"noisy": 120, "reged": 300}  # and 100 of the other kinds
BOOTSTRAPS = 20
PENALTY = 0.1
PROBLEMS = (*KINDS, *STYLES, "reged")


@dataclass(frozen=True)
class Learned:
    """What the steps before selection found for one training table."""

    blanket: tuple[int, ...]
    evidence: dict
    networks: Networks


@dataclass(frozen=True)
class Measured:
    """Of one problem: relative Tscores and the reference's AUC by version; AUCs of telling ancestors; sortability."""

    versions: list[dict[str, float]]
    causes: dict[str, float]
    sortability: dict[str, float]


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Means over the samples, by kind, version and rule; then by kind and way to tell causes."""
    from himation.processes import share_out

    tasks = [(kind, seed + k) for kind in PROBLEMS for k in range(samples)]
    found = share_out(lambda task: measure(*task), tasks, threads, progress)
    lines, of_causes = [], []
    for kind in PROBLEMS:
        ours = [one for task, one in zip(tasks, found, strict=True) if task[0] == kind]
        for version in (0, 1, 2):
            figures = [one.versions[version] for one in ours]
            for name in (*RULES, "all variables"):
                values = [one[name] for one in figures]
                note = f"reference {np.mean([one['reference'] for one in figures]):.3f}, lowest {min(values):.3f}"
                mean = float(np.mean(values))
                lines.append(Line(f"{kind}, version {version}", f"relative Tscore, {name}", None, mean, "high", note))
        of_causes += _lines_of_causes(kind, ours)
    return lines + of_causes


def _lines_of_causes(kind: str, ours: Sequence[Measured]) -> list[Line]:
    told = [one.causes for one in ours if one.causes]
    note = f"{len(told)} of {len(ours)} problems: both ancestors and others go with the target"
    lines = []
    for way in sorting.WAYS if told else ():
        mean = float(np.mean([one[way] for one in told]))
        lines.append(Line(kind, f"AUC of ancestors, {way}", None, mean, "high", note))
    for way in (sorting.BY_VARIANCE, sorting.BY_R2):
        values = [one.sortability[way] for one in ours]
        note = f"0.5 is neutral; {min(values):.2f} to {max(values):.2f}"
        lines.append(Line(kind, f"sortability, {way}", None, float(np.mean(values)), "", note))
    return lines


def measure(kind: str, seed: int) -> Measured:
    """One problem."""
    problem = make_problem(kind, seed)
    tables = [table_of(problem, version, EXAMPLES.get(kind, 500)) for version in (0, 1, 2)]
    learned = learn(tables[0])
    versions = [relative_tscores(problem, version, table, learned) for version, table in enumerate(tables)]
    natural = problem.test(0, TEST_EXAMPLES)
    values = np.column_stack([natural.target, natural.values[:, [natural.names.index(x) for x in problem.names]]])
    return Measured(versions, _causes(problem, tables[0], learned), sorting.sortability(values, _true_graph(problem)))


def relative_tscores(problem, version: int, table: Table, learned: Learned, rules=RULES) -> dict[str, float]:
    """Of rules and of all variables; and the AUC of the reference."""
    best = tested_auc(table, {tuple(true_blanket(problem, version, table)): 1})
    sets = {rule: sets_of(rule, problem, version, table, learned) for rule in rules}
    sets["all variables"] = {tuple(range(table.n_variables)): 1}
    return {"reference": best, **{name: relative_tscore(tested_auc(table, p), best) for name, p in sets.items()}}


def _causes(problem, table: Table, learned: Learned) -> dict[str, float]:
    above = {problem.names[i - 1] for i in graphs.ancestors(_true_graph(problem), 0)}
    ancestors = [x for x, name in enumerate(table.names) if name in above]
    values = _values(problem, problem.train(table.train.n))[:, table.columns - 1]
    p_ancestor = {x: share.ancestor for x, share in shares(learned.networks).items()}
    return sorting.aucs(values, table.target.astype(float), ancestors, p_ancestor)


def make_problem(kind: str, seed: int):
    """A problem of one of PROBLEMS."""
    variables = VARIABLES.get(kind, 100)
    if kind == "reged":
        return make_reged_like(seed, variables)
    return (make_random_network if kind in STYLES else make_random_problem)(seed, kind, variables)


def table_of(problem, version: int, n: int, rows=slice(None), test_examples: int = TEST_EXAMPLES, how=None) -> Table:
    """Some rows of a training sample of n, and a test sample of the version, changed softly if ``how`` says so."""
    train = problem.train(n)
    test = problem.test_softly(version, test_examples, how) if how else problem.test(version, test_examples)
    values, target = _values(problem, train, rows), train.target[rows]
    raw = RawTable("training", list(train.names), len(target), values=np.ascontiguousarray(values.T))
    new = RawTable("test", list(test.names), test_examples, values=np.ascontiguousarray(test.values.T, dtype=float))
    left_out = dict.fromkeys(_calibrants(problem), "calibrant")
    return prepare(raw, target, test=new, test_target=test.target, exclude=left_out)


def _values(problem, sample, rows=slice(None)) -> np.ndarray:
    """Examples by columns, without the noise that calibrants show."""
    values, calibrants = np.asarray(sample.values, dtype=float)[rows], _calibrants(problem)
    return remove_noise(values, calibrants, problem.grid) if calibrants else values


def _calibrants(problem) -> list[int]:
    return [column - 1 for column in getattr(problem, "calibrants", ())]


def learn(table: Table, options: Options | None = None) -> Learned:
    """MMMB, region, orientation, Y-tests and networks with the workflow's defaults, or networks with other options."""
    from himation.confounding.ytest import arrowheads, find_colliders, y_tests
    from himation.orientation.averaging import Averaging, edge_shares, orient, settings_for
    from himation.orientation.region import find_region
    from himation.selection.evidence import combine
    from himation.table_tests import neighbours_for

    target = table.n_variables
    neighbours = neighbours_for(table, "auto", {"either": (target,)})
    region = find_region(neighbours, target)
    settings = settings_for(table.kind, "auto", (1, 5, 10, 20), (1.0, 2.0), (0.01,), "sparse")
    graphs_found = orient(table, region, settings, Averaging(bootstraps=BOOTSTRAPS))
    colliders = find_colliders(region, neighbours.test, neighbours.alpha)
    oriented = edge_shares(region, graphs_found)
    evidence = combine(target, oriented, y_tests(region, colliders), arrowheads(colliders))
    return Learned(natural_blanket(table), evidence, draw(table, options))


def natural_blanket(table: Table) -> tuple[int, ...]:
    """By MMMB."""
    from himation.blanket.mmmb import mmmb
    from himation.table_tests import neighbours_for

    return tuple(mmmb(neighbours_for(table, "auto", {}), table.n_variables).members)


def sets_of(rule: str, problem, version: int, table: Table, learned: Learned) -> dict[tuple[int, ...], int]:
    """The sets of variables that a rule selects for members of an ensemble, with weights."""
    from himation.selection.rules import KNOWN, NATURAL, UNKNOWN, Situation, select

    number = {name: i for i, name in enumerate(table.names)}
    told = frozenset(number[name] for name in problem.version(version) if name in number and version == 1)
    kind = (NATURAL, KNOWN, UNKNOWN)[version]
    selection = select(rule, Situation(learned.blanket, learned.evidence, learned.networks, kind, told))
    return selection.panels or {selection.chosen: 1}


def _true_graph(problem) -> np.ndarray:
    """The target is node 0."""
    return graphs.from_edges(len(problem.names) + 1, problem.numbered_edges)


def true_blanket(problem, version: int, table: Table) -> list[int]:
    """The target's blanket once the manipulated variables have lost their causes."""
    number = {name: i for i, name in enumerate(table.names)}
    cut = [i for i, name in enumerate(problem.names, start=1) if name in problem.version(version)]
    members = graphs.manipulated_blanket(_true_graph(problem), 0, cut)
    return sorted(number[problem.names[i - 1]] for i in members if problem.names[i - 1] in number)


def tested_auc(table: Table, sets: dict[tuple[int, ...], float]) -> float:
    """AUC on the test table of the mean of models, one for each set of variables, with their weights."""
    from sklearn.linear_model import LogisticRegression

    values = np.zeros(table.test.n)
    for variables, weight in sets.items():
        variables = sorted(variables)
        model = LogisticRegression(C=PENALTY, class_weight="balanced", max_iter=1000)
        model.fit(table.features(variables), table.target)
        values += weight * model.decision_function(table.features(variables, "test"))
    return auc(table.test_target, values)
