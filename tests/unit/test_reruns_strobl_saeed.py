"""Reruns of Strobl's figures and Saeed's table in small: their scores, their lines, and the curves drawn from them."""

import numpy as np
import pytest

from himation.graphs import markov_blanket
from himation.rerun_list import RERUNS, runner
from himation.studies.reruns import TUNED, Line, plot, published, saeed, strobl


def test_registered_and_published():
    assert all(callable(runner(name)) for name in ("strobl-synthetic", "strobl-networks", "saeed-2"))
    assert RERUNS["strobl-synthetic"].samples == 100
    assert {row["statement"] for row in published("strobl")} >= {"BAHSIC's mean rank at 500 examples"}
    rows = published("saeed_2")
    assert {int(row["k"]) for row in rows} == set(saeed.KS) and len(rows) == 18
    assert {row["tscore"] for row in rows if row["k"] == "15" and row["task"] == "SIDO2"} == {"0.7155"}


def test_the_papers_scores():
    assert strobl.mean_rank([1, 2, 4, 5, 3, 6], {2, 3, 4}) == pytest.approx(2.6667, abs=1e-4)  # 5.1
    assert strobl.mean_rank([2, 3, 4, 1], {2, 3, 4}) == 1
    assert strobl.accuracy([4, 2, 1], {2, 3, 4}) == 50 and strobl.accuracy([2, 3], {2, 3}) == 100


def test_synthetic_blankets():
    X, y, blanket = strobl.synthetic("extraneous", 32, np.random.default_rng(0))
    assert X.shape == (70, 38) and blanket == set(range(6))
    X, y, _ = strobl.synthetic("noise", 0, np.random.default_rng(0))
    np.testing.assert_allclose(y, X[:, 0] + X[:, 1])
    np.testing.assert_allclose(X[:, 2], y + X[:, 4] + X[:, 5])
    X, y, blanket = strobl.synthetic("edges", 40, np.random.default_rng(1))
    assert X.shape == (70, 16) and blanket


def test_the_random_graphs_are_sampled_along_their_edges(monkeypatch):
    graphs = []
    monkeypatch.setattr(strobl, "markov_blanket", lambda dag, t: graphs.append((dag, t)) or markov_blanket(dag, t))
    X, y, _ = strobl._random_graph(5000, 20, np.random.default_rng(2))
    (dag, t) = graphs[0]
    assert dag.sum() == 20 and not np.tril(dag).any()
    others = [j for j in range(17) if j != t]
    values = np.insert(X, t, y, axis=1)
    assert (values[:, others] == X).all()
    for j in range(17):
        assert (values[:, j] - values[:, dag[:, j]].sum(axis=1)).std() == pytest.approx(1, abs=0.05)


def test_lines_of_the_synthetic_experiments(monkeypatch):
    monkeypatch.setattr(
        strobl, "SYNTHETIC", {name: values[-2:] for name, values in strobl.SYNTHETIC.items() if name != "extraneous"}
        | {"extraneous": (4, 8)},
    )  # fmt: skip
    lines = strobl.run_synthetic(3, 1)
    again = strobl.run_synthetic(3, 1, threads=2)
    assert lines == again and len(lines) == 5 * 2 * 6 + 6
    text = [line for line in lines if line.case == "text"]
    assert all(line.published is not None and np.isfinite(line.rerun) for line in text)


def test_a_network_by_every_method():
    pytest.importorskip("pgmpy", reason="the networks come with pgmpy")
    found = strobl.one_network(("cancer", 300, 1))
    assert {method for _, method in found} == set(strobl.NETWORK_METHODS)
    assert all(0 <= value <= 100 for (measure, _), values in found.items() if measure == "accuracy" for value in values)
    assert len(found["mean rank", "SVM-RFE"]) == len(found["accuracy", "IAMB"]) > 2


def test_a_small_simulation_of_sido():
    found = saeed.one_simulation(1, (120, 900, 300), (5,))
    names = {case.removesuffix(", SIDO0") for case, measure in found if measure == "fscore" and case.endswith("SIDO0")}
    assert names == {"K = 5", "K = 5, weighted", "Koller-Sahami, K = 2"}
    assert all(0 <= value <= 1 for (_, measure), value in found.items() if measure in ("fscore", "tscore"))
    assert found["K = 5, SIDO1", "fscore"] == found["K = 5, SIDO2", "fscore"]  # one ranking, the same relevant ones
    assert found["K = 5, SIDO0", "tscore"] > 0.6


def test_lines_of_saeeds_table(monkeypatch):
    case = "K = 15, SIDO0"
    monkeypatch.setattr(saeed, "one_simulation", lambda seed: {(case, "tscore"): 0.9 + seed / 100})
    facts = pytest.approx(0.915), "high", TUNED, pytest.approx(0.005)
    assert saeed.run(2, 1) == [Line(case, "tscore", 0.9407, *facts)]


def test_curves_with_bands(tmp_path):
    rows = [
        {"case": f"{name} {x}", "measure": f"accuracy, {method}", "rerun": str(y), "error": "0.25"}
        for name in ("noise", "edges")
        for method, y in (("IAMB", 50.0), ("Proposed-F", 80.0))
        for x in (1, 0.5)
    ]
    rows.append({"case": "text", "measure": "a statement", "rerun": "3", "error": ""})
    found = plot.curves(rows)
    assert found["noise", "accuracy"]["IAMB"] == [(0.5, 50.0, 0.49), (1.0, 50.0, 0.49)] and len(found) == 2
    pytest.importorskip("matplotlib")
    for name in ("a.svg", "b.svg"):
        plot.draw(found, tmp_path / name, "svg")
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text() and "Proposed-F" in text and text.count("FillBetween") >= 4
