"""What a user is warned of before relying on a model."""

import json

import numpy as np

from himation.files.endings import MOST_WARNINGS, warnings_of
from himation.files.tables import RawTable
from himation.prepare import cautions
from himation.prepare.preparing import prepare


def table_of(X, y, test=None):
    names = [f"v{i + 1}" for i in range(X.shape[1])]
    raw = RawTable("t.csv", names, len(X), values=np.ascontiguousarray(X.T))
    new = None if test is None else RawTable("n.csv", names, len(test), values=np.ascontiguousarray(test.T))
    return prepare(raw, y, test=new)


def drawn(n, p, positive):
    rng = np.random.default_rng(1)
    return rng.normal(size=(n, p)), np.where(np.arange(n) < positive, 1, -1), rng


def test_a_plain_table_has_no_cautions():
    X, y, rng = drawn(300, 5, 150)
    table = table_of(X, y, rng.normal(size=(50, 5)))
    assert cautions.of_table(table) == [] and cautions.of_variables(table, range(5)) == []


def test_few_rows_wide_tables_and_rare_classes():
    X, y, _ = drawn(40, 500, 8)
    few, wide, rare = cautions.of_table(table_of(X, y))
    assert few.startswith("few rows: 40") and "500 and 40" in wide and rare.startswith("a rare class: 8 rows")


def test_near_copies_of_the_target_and_of_each_other():
    X, y, rng = drawn(300, 4, 150)
    X[:, 1] = y + 0.1 * rng.normal(size=300)
    X[:, 3] = X[:, 2] + 0.05 * rng.normal(size=300)
    table = table_of(X, y)
    assert any(text.startswith("v2: nearly a copy of the target") for text in cautions.of_table(table))
    at = list(table.columns).index(4)
    assert cautions.of_variables(table, [at])[0].startswith("v3 and v4: nearly copies of each other")
    assert cautions.of_variables(table, [list(table.columns).index(1)])[0].startswith("v3 and v4: nearly copies")


def test_a_test_table_outside_the_range():
    X, y, rng = drawn(300, 2, 150)
    table = table_of(X, y, rng.normal((0, 6), size=(100, 2)))
    found = cautions.of_variables(table, [0, 1])
    assert len(found) == 1 and found[0].startswith("v2: the test table lies outside the training range")


def test_a_selection_without_gain_and_networks_that_do_not_agree():
    def said(gain, above=True, converged=True, everything=False):
        facts = {"above_chance": above, "gain_over_all": {"expected_auc": gain, "standard_error": 0.01}}
        return cautions.of_estimate(facts, converged, everything)

    assert said(0.02) == [] and said(0.005, above=False) == []
    assert said(-0.005, everything=True) == []
    assert said(0.005)[0].startswith("the selection gains nothing over all variables (+0.005 of AUC")
    assert "have not converged" in said(0.02, converged=False)[0] and cautions.of_estimate({}, True) == []


def test_the_last_lines_of_a_run_have_the_warnings(tmp_path):
    for name, facts in {"a": {"above_chance": False, "warnings": ["few rows"]}, "b": {"warnings": ["x"] * 30}}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.json").write_text(json.dumps(facts))
    lines = list(warnings_of(["a", "b", "c"], tmp_path))
    assert lines[:2] == ["a: nothing was found, the expected AUC may be that of chance", "a: few rows"]
    assert len(lines) == MOST_WARNINGS + 1 and lines[-1] == "and 12 more warnings, on the page"
