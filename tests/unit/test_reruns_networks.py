"""The studies of sampled networks, ancestors, copies and ablation: their pieces on small problems."""

import numpy as np
import pytest

from himation.posterior.networks import Options
from himation.posterior.scoring import Sampling
from himation.studies.reruns import ablation, ancestors, copies, manipulation
from himation.studies.reruns.tiling import load

SHORT = Options(chains=2, sampling=Sampling(sweeps=80, burn_in=40))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(manipulation, "TEST_EXAMPLES", 1500)
    monkeypatch.setattr(manipulation, "VARIABLES", {"continuous": 40, "linear": 40})


def test_levels_are_cut_near_the_middle():
    assert ancestors.cut_in_two(np.array([0, 1, 1, 0, 1])).tolist() == [False, True, True, False, True]
    assert ancestors.cut_in_two(np.array([0, 1, 2, 2, 2, 3])).mean() == pytest.approx(4 / 6)
    assert not ancestors.cut_in_two(np.zeros(3, dtype=int)).any()


def test_targets_are_neither_rare_nor_too_many():
    network = load("alarm")
    chosen = ancestors.choose_targets(network, 1)
    codes = network.sample(2000, np.random.default_rng(5))
    assert len(set(chosen)) == 12
    assert all(0.04 < ancestors.cut_in_two(codes[:, x]).mean() < 0.96 for x in chosen)
    assert chosen != ancestors.choose_targets(network, 2)


def test_ancestors_of_a_node_of_sachs(monkeypatch):
    """Both tables of the lines from one small network; the truth about Akt is that of the network."""
    monkeypatch.setattr(ancestors, "NETWORKS", ("sachs",))
    monkeypatch.setattr(ancestors, "SIZES", (500,))
    monkeypatch.setattr(ancestors, "TARGETS", 3)
    monkeypatch.setattr(ancestors, "draw", lambda table, options: draw(table, SHORT))
    draw = manipulation.draw
    told, judged = ancestors.measure("sachs", load("sachs").names.index("Akt"), 500, 1)
    assert told["P(ancestor)"] > 0.8 and judged[:, 1].sum() == 2 and judged[:, 3].sum() >= 3
    lines = {(line.case, line.measure): line for line in ancestors.run(1, 1)}
    assert 0.5 < lines["sachs, 500 examples", "AUC of ancestors, P(ancestor)"].rerun <= 1
    counted = [line for (case, name), line in lines.items() if name.startswith("share of parents")]
    assert 1 <= len(counted) <= 5 and all(0 <= line.rerun <= 1 for line in counted)


def test_reliability_counts_fifths():
    judged = np.array([[0.0, 0, 0.45, 1], [0.19, 0, 0.55, 0], [1.0, 1, 0.2, 0]])
    lines = {line.measure: line for line in ancestors._lines_of_reliability("x", judged)}
    assert lines["share of parents where P(parent) is 0.0 to 0.2"].note == "mean probability 0.095, 2 variables"
    assert lines["share of parents where P(parent) is 0.8 to 1.0"].rerun == 1
    assert lines["share of ancestors where P(ancestor) is 0.4 to 0.6"].rerun == 0.5
    assert lines["share of ancestors where P(ancestor) is 0.2 to 0.4"].rerun == 0 and len(lines) == 4


def test_a_tenth_of_the_labels_is_flipped():
    plain, flipped = (copies.make_problem(target, "linear", 3) for target in (copies.CUT, copies.FLIPPED))
    one, two = plain.train(4000), flipped.train(4000)
    np.testing.assert_array_equal(one.values, two.values)
    assert np.mean(one.target != two.target) == pytest.approx(0.1, abs=0.02)
    np.testing.assert_array_equal(two.target, flipped.train(4000).target)


def test_copies_are_counted_by_model(monkeypatch):
    monkeypatch.setattr(copies, "MODELS", {"plain": SHORT, "ours": SHORT})
    monkeypatch.setattr(copies, "CASES", ((copies.CUT, "linear"),))
    lines = {(line.case, line.measure): line.rerun for line in copies.run(1, 4)}
    for case in ("cut at the median: linear", "cut at the median: all"):
        assert lines[case, "false parents, plain"] == lines[case, "false parents, ours"] >= 0
        assert np.isfinite(lines[case, "relative Tscore, version 2, ours"])


def test_variants_of_the_model(monkeypatch):
    monkeypatch.setattr(ablation, "VARIANTS", {"whole model": SHORT, "one chain": Options(1, SHORT.sampling)})
    monkeypatch.setattr(manipulation, "PROBLEMS", ("linear",))
    lines = {(line.case, line.measure): line.rerun for line in ablation.run(1, 4)}
    assert len(lines) == 8
    for version in (1, 2):
        figure = lines[f"linear, version {version}", "relative Tscore, whole model"]
        assert figure == lines[f"all kinds, version {version}", "relative Tscore, whole model"] and figure > 0.9
