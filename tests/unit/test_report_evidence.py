"""The report's evidence: what a click shows, roles beside the truth, noise, and pages of many large data sets."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from unit.test_report import make_results

from himation.files import prepared
from himation.files.dataset import Source, read_dataset
from himation.prepare import noise
from himation.report import more_figures, reliability
from himation.report.collect import collect
from himation.report.details import as_json, details
from himation.report.gather_evidence import judge, true_roles
from himation.report.page import render
from himation.report.svg import drawing_style
from himation.report.values import Judged, Noise, Variable


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = make_results(tmp_path_factory.mktemp("results"))
    truth = folder / "truth.csv"
    truth.write_text("from,to\n1,0\n0,2\n0,3\n4,3\n")
    return collect(folder, "one", truth)


def test_click_shows_both_directions_of_the_y_tests(data):
    child = next(v for v in data.variables if v.column == 3)
    shown = dict(details(child, data, {}))
    assert shown["Y-tests: a child"] == "2, best p-score 0.7, p of the dependence 0.0001, log-likelihood ratio 12.5"
    assert shown["Y-tests: a parent"] == "1, best p-score 0.2, p of the dependence 0.03, log-likelihood ratio 3.0"
    assert shown["in the sampled networks"] == "a child in 90\u00a0%" and "used by" not in shown
    assert shown["manipulated"] == "yes" and shown["selected"].startswith("no; manipulated child")
    assert shown["found by"] == "mmmb (rank 3)" and shown["not found by"] == "fsmb"


def test_click_on_an_edge_between_others_says_nothing_of_the_target(data):
    assert {v.column for v in data.variables if v.edge} == {3}


def test_shares_of_graphs_name_what_is_absent(data):
    v = Variable("x", 1, "child", p_child=0.7, p_ancestor=0.1, forward=0.2, backward=0.7, arrow_at_target=2)
    shown = {label: text.replace("\u00a0", " ") for label, text in details(v, data, {})}
    edge = shown["edge in the oriented graphs"]
    assert edge == "20 % into the target, 70 % out of the target, 10 % absent"
    assert shown["role"] == "child" and shown["in the sampled networks"] == "a child in 70 %, an ancestor in 10 %"
    assert shown["colliders put an arrowhead"] == "2 at the target"


def test_older_results_say_nothing_of_networks(data):
    old = replace(data, networks=None)
    assert "Sampled networks" in render([data], {}) and "Sampled networks" not in render([old], {})
    assert dict(details(data.variables[0], old, {}))["probability"].startswith("a parent in 90")


def test_the_thesis_stands_beside_ours(data):
    page = render([data], {}).replace("\u00a0", " ")
    table = page[page.index("Beside the thesis") : page.index("Evidence and selection")]
    assert table.count('class="differs"') == 3 and "parent in every PDAG: kept" in table and "97 %" in table
    assert "Beside the thesis" not in render([replace(data, rule="thesis")], {})
    undecided = dict(details(next(v for v in data.variables if v.column == 5), data, {}))
    assert undecided["by the thesis's rule"].startswith("yes; undecided") and undecided["used by"].startswith("4")


def test_embedded_evidence_cannot_end_its_script(data):
    text = as_json(data)
    assert "<" not in text and set(json.loads(text)) == {str(v.column) for v in data.variables}


def test_true_roles_are_those_of_the_graph():
    edges = [(1, 0), (2, 0), (0, 3), (0, 4), (5, 4), (2, 4), (6, 5), (3, 7)]
    assert true_roles(edges) == {1: "parent", 2: "parent", 3: "child", 4: "child", 5: "spouse"}
    assert true_roles([]) == {}


def test_roles_are_judged_by_the_truth(data):
    assert {item.column: item.truth for item in data.judged} == {
        1: "parent", 2: "child", 3: "child", 4: "spouse", 5: "none",
    }  # fmt: skip
    assert data.missed == 0
    assert judge([Variable("x", 7)], {7: "child", 8: "parent", 9: "spouse"}) == ((), 2)


def test_reliability_agrees_with_counting():
    rng = np.random.default_rng(3)
    chance = rng.random(400)
    true = rng.random(400) < chance
    judged = [
        Judged(i, "child", 0.0, float(p), "child" if t else "none")
        for i, (p, t) in enumerate(zip(chance, true, strict=True))
    ]
    found = reliability.groups(judged, "child")
    ends = [*reliability.EDGES, 1.0]
    which = np.digitize(chance, ends[1:-1])
    for k, group in enumerate(found):
        inside = which == k
        assert group.count == inside.sum() and group.observed == pytest.approx(true[inside].mean())
        assert group.predicted == pytest.approx(chance[inside].mean())
        assert group.low < group.observed < group.high
    (everything,) = reliability.groups(judged, "parent")
    assert (everything.count, everything.predicted, everything.observed) == (400, 0.0, 0.0)


def test_wilson_interval_is_that_of_statsmodels():
    from statsmodels.stats.proportion import proportion_confint

    for hits, n in ((0, 5), (3, 7), (40, 41)):
        assert reliability.wilson(hits, n) == pytest.approx(proportion_confint(hits, n, method="wilson"), abs=1e-4)


def test_shared_training_tables_are_judged_once(data):
    known = reliability.pool([data, replace(data, id="two"), replace(data, id="three", judged=None)])
    assert known.tables == 1 and known.count == len(data.judged)
    assert known.right == (("parent", 2, 1), ("child", 1, 1), ("spouse", 1, 1))
    assert reliability.pool([replace(data, judged=None)]) is None


def test_page_shows_trust_only_where_the_truth_is_known(data):
    page = render([data], {})
    assert 'id="trust"' in page and "Of 2 variables called parent, 1 is right" in page
    assert 'id="trust"' not in render([replace(data, judged=None)], {})


def noisy_table(folder, n=40, side=8):
    """A table on a grid with four by four calibrants, written as files; gives what was added."""
    rng = np.random.default_rng(1)
    calibrants = [r + side * c for r in range(0, side, 2) for c in range(0, side, 2)]
    signal = noise.with_calibrants(rng.normal(size=(n, side * side - len(calibrants))), calibrants, rng)
    field = noise.simulate_noise_field(n, (side, side), rng, amplitude=5.0, length=3.0)
    np.savetxt(folder / "train.data", signal + field, fmt="%.5f")
    (folder / "train.targets").write_text("".join(f"{1 if i % 3 else -1}\n" for i in range(n)))
    (folder / "calibrants.txt").write_text(" ".join(str(c + 1) for c in calibrants))
    return signal + field, calibrants


def test_one_example_of_removed_noise_is_kept_and_shown(tmp_path, data):
    values, calibrants = noisy_table(tmp_path)
    files = {key: str(tmp_path / name) for key, name in (("train", "train.data"), ("target", "train.targets"))}
    table = read_dataset(Source(**files, calibrants=str(tmp_path / "calibrants.txt"), grid=(8, 8)))
    prepared.save(table, tmp_path / "data")
    kept = json.loads((tmp_path / "data" / prepared.NOISE).read_text())
    assert kept["before"] == pytest.approx(values[kept["example"] - 1], abs=1e-3)
    assert kept["calibrants"] == [c + 1 for c in calibrants]
    assert kept["sd_before"] == pytest.approx(np.sqrt((values[:, calibrants] ** 2).mean()), rel=1e-3)
    assert kept["sd_after"] < 0.2 * kept["sd_before"]
    shown = Noise(**{key: tuple(v) if isinstance(v, list) else v for key, v in kept.items()})
    page = render([replace(data, noise=shown)], {})
    images = re.findall(r'<image[^>]*href="([^"]{30})', page)
    assert len(images) == 4 and all(link.startswith("data:image/png;base64,") for link in images)
    assert "grid of 8 by 8" in page


def test_a_table_without_calibrants_keeps_no_example(tmp_path):
    make_results(tmp_path)
    assert not (tmp_path / "one/data" / prepared.NOISE).exists()
    assert collect(tmp_path, "one").noise is None


def test_chart_of_the_sets_tells_their_numbers(data):
    with drawing_style():
        sets = more_figures.rivals(data.rivals, "x").replace("\u00a0", " ")
    assert "posterior (used), 3 variables: expected 0.850 ± 0.010, in nature 0.920; parents, 2 variables" in sets


def test_many_large_data_sets_make_a_page_of_bounded_size(data):
    reason = "an effect in 85% of the networks; on the list of manipulated variables; "
    reason += "after that it helps to predict in no network: left out"
    rows = tuple(
        Variable(
            f"a_rather_long_name_{i}", i, "child", p_child=0.5, depth=1, edge=None, ranks={"mmmb": i}, reason=reason
        )
        for i in range(1, 251)
    )
    large = replace(data, variables=rows, n_variables=5000, unlisted=4750, judged=None)
    page = render([large], {})
    assert page.count("a_rather_long_name_250</a>") == 1 and "4,750 other variables of 5,000" in page
    assert 18 * len(page.encode()) < 12e6
