"""Ours against the other rules on random problems of every kind: Tscores relative to a model that knows the truth.

Each sample draws one problem of each kind built around a target (`himation.simulate.random_problem`), one of each style
with the target anywhere in a network (`himation.simulate.random_network`) and one like REGED, in three versions:
natural, a known manipulation, an unknown one. All steps run as in the workflow with its defaults: noise removal, MMMB,
the region, orientation on resamples, roles, ancestry, each rule of selection. The model is the same for every set of
variables, and for the reference, which is the target's blanket in the true manipulated network: logistic regression
with a ridge, on standardised variables; the rule ``hedged`` takes the mean of such models, one for each panel, where it
divides the variables. The relative Tscore is (T - 0.5) / (T of the reference - 0.5); it may exceed 1,
as the reference is the right set but trained on natural data (theorem V.1).

Nothing was published on these problems; the column of published figures stays empty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from himation import graphs
from himation.evaluate import auc, relative_tscore
from himation.files.tables import RawTable
from himation.prepare.noise import remove_noise
from himation.prepare.preparing import prepare
from himation.reruns import Line
from himation.selection.ancestry import Ancestry, judge
from himation.simulate.random_network import STYLES, make_random_network
from himation.simulate.random_problem import KINDS, make_random_problem
from himation.simulate.reged_like import make_reged_like
from himation.table import Table

EXAMPLES = {"binary": 1000, "tables": 1000}  # and 500 of the other kinds
TEST_EXAMPLES = 5000
VARIABLES = {"noisy": 120, "reged": 300}  # and 100 of the other kinds
BOOTSTRAPS = 20
PENALTY = 0.1
RULES = ("natural", "thesis", "averaged", "expected", "hedged")
PROBLEMS = (*KINDS, *STYLES, "reged")


@dataclass(frozen=True)
class Learned:
    """What the steps up to the roles found for one training table."""

    blanket: tuple[int, ...]
    evidence: dict
    nodes: tuple[int, ...]
    pdags: list[np.ndarray]
    ancestry: Ancestry


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Means over the samples, by kind, version and rule."""
    from himation.processes import share_out

    tasks = [(kind, seed + k) for kind in PROBLEMS for k in range(samples)]
    found = share_out(lambda task: measure(*task), tasks, threads, progress)
    lines = []
    for kind in PROBLEMS:
        ours = [one for task, one in zip(tasks, found, strict=True) if task[0] == kind]
        for version in (0, 1, 2):
            for name in (*RULES, "all variables"):
                values = [one[version][name] for one in ours]
                note = f"reference {np.mean([one[version]['reference'] for one in ours]):.3f}, lowest {min(values):.3f}"
                measure_name = f"relative Tscore, {name}"
                lines.append(
                    Line(f"{kind}, version {version}", measure_name, None, float(np.mean(values)), "high", note)
                )
    return lines


def measure(kind: str, seed: int) -> list[dict[str, float]]:
    """Relative Tscores of every rule and the reference's AUC, in the three versions of one problem."""
    variables = VARIABLES.get(kind, 100)
    problem = make_problem(kind, seed, variables)
    tables = [table_of(problem, version, EXAMPLES.get(kind, 500)) for version in (0, 1, 2)]
    learned = learn(tables[0])
    return [_compare(problem, version, table, learned) for version, table in enumerate(tables)]


def _compare(problem, version: int, table: Table, learned: Learned) -> dict[str, float]:
    number = {name: i for i, name in enumerate(table.names)}
    best = tested_auc(table, {tuple(_true_blanket(problem, version, number)): 1})
    panels = panels_by_rule(problem, version, table, learned)
    panels["all variables"] = {tuple(range(table.n_variables)): 1}
    return {"reference": best, **{name: relative_tscore(tested_auc(table, p), best) for name, p in panels.items()}}


def make_problem(kind: str, seed: int, variables: int):
    """A problem of one of PROBLEMS."""
    if kind == "reged":
        return make_reged_like(seed, variables)
    return (make_random_network if kind in STYLES else make_random_problem)(seed, kind, variables)


def table_of(problem, version: int, n: int, rows=slice(None)) -> Table:
    """Some rows of a training sample of n, and a test sample of the version."""
    train, test = problem.train(n), problem.test(version, TEST_EXAMPLES)
    values, target = np.asarray(train.values, dtype=float)[rows], train.target[rows]
    calibrants = [column - 1 for column in getattr(problem, "calibrants", ())]
    if calibrants:
        values = remove_noise(values, calibrants, problem.grid)
    raw = RawTable("training", list(train.names), len(target), values=np.ascontiguousarray(values.T))
    new = RawTable("test", list(test.names), TEST_EXAMPLES, values=np.ascontiguousarray(test.values.T, dtype=float))
    left_out = dict.fromkeys(calibrants, "calibrant")
    return prepare(raw, target, test=new, test_target=test.target, exclude=left_out)


def learn(table: Table) -> Learned:
    """MMMB, region, orientation, Y-tests and roles with the workflow's defaults."""
    from himation.blanket.mmmb import mmmb
    from himation.confounding.ytest import arrowheads, find_colliders, y_tests
    from himation.orientation.averaging import Averaging, edge_shares, orient, settings_for
    from himation.orientation.region import find_region
    from himation.selection.evidence import combine
    from himation.table_tests import neighbours_for

    target = table.n_variables
    blanket = mmmb(neighbours_for(table, "auto", {}), target).members
    neighbours = neighbours_for(table, "auto", {"either": (target,)})
    region = find_region(neighbours, target)
    settings = settings_for(table.kind, "auto", (1, 5, 10, 20), (1.0, 2.0), (0.01,), "sparse")
    graphs_found = orient(table, region, settings, Averaging(bootstraps=BOOTSTRAPS))
    colliders = find_colliders(region, neighbours.test, neighbours.alpha)
    shares = edge_shares(region, graphs_found)
    evidence = combine(target, shares, y_tests(region, colliders), arrowheads(colliders))
    return Learned(tuple(blanket), evidence, region.nodes, [found.pdag for found in graphs_found], judge(table))


def panels_by_rule(problem, version: int, table: Table, learned: Learned) -> dict[str, dict[tuple[int, ...], int]]:
    """The variables that each rule selects, in panels with weights; a set is one panel."""
    from himation.selection.expected_rule import Graphs, candidates, select_expected, winning_set
    from himation.selection.rule_names import BY_EXPECTATION
    from himation.selection.rules import KNOWN, NATURAL, UNKNOWN, Situation, select

    number = {name: i for i, name in enumerate(table.names)}
    manipulated = frozenset(number[name] for name in problem.version(version) if name in number)
    kind = (NATURAL, KNOWN, UNKNOWN)[version]
    situation = Situation(learned.blanket, learned.evidence, kind, manipulated if version == 1 else frozenset())
    needed = sorted({*candidates(situation, learned.ancestry), *learned.nodes} - {table.n_variables})
    columns = {x: table.numbers_for_target(x) for x in needed}
    region = Graphs(learned.nodes, learned.pdags, table.n_variables)
    panels = {rule: {select(rule, situation).chosen: 1} for rule in RULES if rule not in BY_EXPECTATION}

    def chance(x):
        return float(version == 2 or x in manipulated)

    choice = select_expected(situation, columns, table.target, region, chance, ancestry=learned.ancestry, hedged=True)
    panels["expected"] = {choice.rivals[winning_set(choice.rivals)].members: 1}
    panels["hedged"] = choice.panels or panels["expected"]
    return panels


def _true_blanket(problem, version: int, number: dict[str, int]) -> list[int]:
    """The target's blanket once the manipulated variables have lost their causes."""
    dag = graphs.from_edges(len(problem.names) + 1, problem.numbered_edges)
    cut = [i for i, name in enumerate(problem.names, start=1) if name in problem.version(version)]
    members = graphs.manipulated_blanket(dag, 0, cut)
    return sorted(number[problem.names[i - 1]] for i in members if problem.names[i - 1] in number)


def tested_auc(table: Table, panels: dict[tuple[int, ...], float]) -> float:
    """AUC on the test table of the mean of models, one for each panel of variables, with their weights."""
    from sklearn.linear_model import LogisticRegression

    values = np.zeros(table.test.n)
    for variables, weight in panels.items():
        variables = sorted(variables)
        model = LogisticRegression(C=PENALTY, class_weight="balanced", max_iter=1000)
        model.fit(table.features(variables), table.target)
        values += weight * model.decision_function(table.features(variables, "test"))
    return auc(table.test_target, values)
