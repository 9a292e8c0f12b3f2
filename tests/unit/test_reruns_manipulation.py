"""The studies of selection rules and of stability: their pieces on small problems."""

import numpy as np
import pytest

from himation import graphs
from himation.posterior.averages import Shares
from himation.posterior.networks import Options, draw
from himation.posterior.scoring import Sampling
from himation.rerun_list import RERUNS
from himation.studies.reruns import manipulation, sorting, stability
from himation.studies.simulate.random_problem import make_random_problem

SHORT = Options(chains=2, sampling=Sampling(sweeps=60, burn_in=30))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(manipulation, "BOOTSTRAPS", 2)
    monkeypatch.setattr(manipulation, "TEST_EXAMPLES", 1500)
    monkeypatch.setattr(manipulation, "VARIABLES", {"continuous": 40, "linear": 40, "reged": 60})
    monkeypatch.setattr(manipulation, "draw", lambda table, options: draw(table, options or SHORT))


def test_true_blanket_is_that_of_the_manipulated_graph():
    problem = make_random_problem(2, "binary", 40)
    table = manipulation.table_of(problem, 0, 200)
    blankets = [{table.names[i] for i in manipulation.true_blanket(problem, version, table)} for version in (0, 1, 2)]
    assert blankets[0] == {*problem.causes, *problem.effects, *problem.spouses}
    assert blankets[2] == set(problem.causes)
    dag = graphs.from_edges(41, problem.numbered_edges)
    left = {problem.names[i - 1] for i in graphs.children(dag, 0)} - set(problem.version(1))
    assert left <= blankets[1]


def test_one_problem(monkeypatch):
    monkeypatch.setattr(manipulation, "PROBLEMS", ("continuous",))
    lines = {(line.case, line.measure): line for line in manipulation.run(1, 5)}
    rules = (*manipulation.RULES, "all variables")
    tscores = [lines[f"continuous, version {v}", f"relative Tscore, {rule}"].rerun for v in (0, 1, 2) for rule in rules]
    assert len(lines) == 3 * len(rules) + 5 and np.isfinite(tscores).all()
    natural = lines["continuous, version 0", "relative Tscore, posterior"]
    assert natural.rerun == pytest.approx(1, abs=0.05) and natural.note.startswith("reference ")
    assert 0.5 < lines["continuous", "AUC of ancestors, P(ancestor)"].rerun <= 1
    assert RERUNS["manipulation"].samples == 12


def test_networks_take_other_options():
    table = manipulation.table_of(manipulation.make_problem("linear", 3), 0, 200)
    networks = manipulation.learn(table, Options(1, SHORT.sampling)).networks
    assert len(networks.chains) == 1 and networks.chains[0].log_posterior.shape == (8,)


def test_sorting_tells_causes_where_variances_grow():
    """a -> b -> T -> c -> d with growing variances: all of it is told by them, and nothing by the reverse."""
    rng = np.random.default_rng(3)
    values = np.empty((2000, 5))
    values[:, 0] = rng.normal(size=2000)
    for i in range(1, 5):
        values[:, i] = 1.5 * values[:, i - 1] + rng.normal(size=2000)
    chain = np.eye(5, k=1, dtype=bool)
    assert sorting.sortability(values, chain)[sorting.BY_VARIANCE] == 1
    assert sorting.sortability(values[:, ::-1], chain)[sorting.BY_VARIANCE] == 0
    labels = np.where(values[:, 2] > 0, 1.0, -1.0)
    others = np.column_stack([values[:, [0, 1, 3, 4]], rng.normal(size=2000)])
    assert sorting.related(others, labels).tolist() == [0, 1, 2, 3]
    found = sorting.aucs(others, labels, {0, 1}, {0: 0.9, 1: 0.2, 2: 0.5})
    assert found[sorting.BY_VARIANCE] == 1 and found[sorting.OURS] == 0.75
    assert sorting.aucs(others, labels, (), {}) == {}


def test_moves(monkeypatch):
    """From made-up Tscores, each part further off, more so in later versions and by later rules; made-up roles too."""
    moves = np.array([[0.001, 0.003], [0.002, 0.01], [0.003, 0.015]])  # version by rule
    monkeypatch.setattr(stability, "tscores", lambda seed, part: 0.9 - part * moves)
    monkeypatch.setattr(stability, "moved_roles", lambda kind, seed: [0.3, 0.0] if kind == "linear" else [0.0])
    lines = {(line.case, line.measure): line.rerun for line in stability.run(2, 1)}
    assert lines["version 0, thesis", "mean move of the Tscore"] == pytest.approx(0.002)
    assert lines["version 2, posterior", "largest move of the Tscore"] == pytest.approx(0.045)
    assert lines["version 1, posterior", "share of moves below 0.01"] == 0
    assert lines["linear", "share of moves of P(parent) above 0.1"] == 0.5
    assert lines["all kinds", "mean move of P(parent)"] == pytest.approx(0.3 / (len(manipulation.PROBLEMS) + 1))


def test_moves_of_roles_are_those_of_neighbours(monkeypatch):
    """By made-up shares of two seeds: variable 2 is joined to the target too seldom in both, 3 is in one alone."""
    drawn = {
        1: {0: Shares(parent=0.9), 1: Shares(parent=0.2, child=0.8), 2: Shares(parent=0.05)},
        2: {0: Shares(parent=0.6, child=0.2), 1: Shares(child=1.0), 2: Shares(child=0.09), 3: Shares(parent=0.1)},
    }
    monkeypatch.setattr(stability, "draw", lambda table, options: options.sampling.seed)
    monkeypatch.setattr(stability, "shares", drawn.__getitem__)
    assert stability.moved_roles("linear", 3) == pytest.approx([0.3, 0.2, 0.1])


def test_a_part_of_the_examples_is_learned_from_alone(monkeypatch):
    seen = []
    learn = manipulation.learn
    monkeypatch.setattr(manipulation, "learn", lambda table: seen.append(table.train.n) or learn(table))
    whole, part = stability.tscores(3, 0), stability.tscores(3, 1)
    assert seen == [500, 450] and np.shape(whole) == (3, 2)
    assert np.min(whole[:2]) > 0.8 and np.abs(np.subtract(whole, part)[0]).max() < 0.05
