"""The study of selection rules: its pieces on one small problem."""

import numpy as np
import pytest

from himation import graphs
from himation.rerun_list import RERUNS
from himation.reruns import manipulation, stability
from himation.simulate.random_problem import make_random_problem


def test_true_blanket_is_that_of_the_manipulated_graph():
    problem = make_random_problem(2, "binary", 40)
    number = {name: i for i, name in enumerate(problem.names)}
    natural = {problem.names[i] for i in manipulation._true_blanket(problem, 0, number)}
    assert natural == {*problem.causes, *problem.effects, *problem.spouses}
    unknown = {problem.names[i] for i in manipulation._true_blanket(problem, 2, number)}
    assert unknown == set(problem.causes)
    dag = graphs.from_edges(41, problem.numbered_edges)
    left = {problem.names[i - 1] for i in graphs.children(dag, 0)} - set(problem.version(1))
    assert left <= {problem.names[i] for i in manipulation._true_blanket(problem, 1, number)}


def test_one_problem(monkeypatch):
    monkeypatch.setattr(manipulation, "BOOTSTRAPS", 2)
    monkeypatch.setattr(manipulation, "TEST_EXAMPLES", 1500)
    monkeypatch.setattr(manipulation, "VARIABLES", dict.fromkeys(("continuous",), 40))
    found = manipulation.measure("continuous", 5)
    assert [set(one) for one in found] == [{"reference", "all variables", *manipulation.RULES}] * 3
    assert found[0]["expected"] == found[0]["hedged"] == pytest.approx(1, abs=0.05)
    assert all(0.5 < one["reference"] <= 1 and np.isfinite(list(one.values())).all() for one in found)
    assert RERUNS["manipulation"].samples == 12


def test_moves_of_the_tscore(monkeypatch):
    """From made-up Tscores: each part is further off, more so in later versions and by later rules."""
    moves = np.array([[0.001, 0.003, 0.005], [0.002, 0.006, 0.01], [0.003, 0.009, 0.015]])  # version by rule
    monkeypatch.setattr(stability, "tscores", lambda seed, part: 0.9 - part * moves)
    lines = {(line.case, line.measure): line.rerun for line in stability.run(2, 1)}
    assert lines["version 0, thesis", "mean move of the Tscore"] == pytest.approx(0.002)
    assert lines["version 2, hedged", "largest move of the Tscore"] == pytest.approx(0.045)
    assert lines["version 1, expected", "share of moves below 0.01"] == pytest.approx(1 / 3)


def test_a_part_of_the_examples_is_learned_from_alone(monkeypatch):
    monkeypatch.setattr(manipulation, "BOOTSTRAPS", 2)
    monkeypatch.setattr(manipulation, "TEST_EXAMPLES", 1000)
    monkeypatch.setattr(manipulation, "VARIABLES", {"reged": 60})
    seen = []
    learn = manipulation.learn
    monkeypatch.setattr(manipulation, "learn", lambda table: seen.append(table.train.n) or learn(table))
    whole, part = stability.tscores(3, 0), stability.tscores(3, 1)
    assert seen == [500, 450] and np.shape(whole) == (3, 3)
    assert np.min(whole[:2]) > 0.8 and np.abs(np.subtract(whole, part)[0]).max() < 0.05
