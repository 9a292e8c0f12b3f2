"""Scores of a data set with known truth, and the real REGED training set."""

import numpy as np
import pytest

from himation.files.dataset import Source, read_dataset
from himation.files.tables import RawTable
from himation.finders import Context
from himation.finders.constraint import find_mmmb
from himation.models.svm import Grid
from himation.prepare.preparing import prepare
from himation.scoring import Facts, score_all, true_sets

EDGES = np.array([[1, 0], [0, 2], [3, 2], [4, 1]])


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(4, 200))
    y = np.where(values[0] + 0.5 * rng.normal(size=200) > 0, 1, -1)
    values[1] = y + values[2] + rng.normal(size=200)
    raw = RawTable("t.data", [f"x{i + 1}" for i in range(4)], 200, values=values)
    return prepare(raw, y, test=raw, test_target=y.astype(np.int8))


def facts(columns, table, manipulation="none", manipulated=()):
    own = table.target.astype(float)
    return Facts(columns, own, own, EDGES, manipulation, frozenset(manipulated))


def test_true_sets(table):
    assert true_sets(table, facts([1], table)) == {
        "true parents": [1],
        "true natural blanket": [1, 2, 3],
        "true manipulated blanket": [1, 2, 3],
    }
    assert true_sets(table, facts([1], table, "known", [2]))["true manipulated blanket"] == [1]
    assert true_sets(table, facts([1], table, "known", [1]))["true manipulated blanket"] == [1, 2, 3]
    assert true_sets(table, facts([1], table, "unknown"))["true manipulated blanket"] == [1]


def test_scores(table):
    grid = Grid((1,), (), (1.0,))
    rows = score_all(table, facts([1, 2, 4], table), grid, seed=1, most_rows=2000, threads=1)
    found = {(row[0], row[1]): row[2] for row in rows}
    assert found["Fscore unsorted", "selected variables"] == pytest.approx((2 / 3 + 0 / 1) / 2)
    assert found["Dscore", "selected variables"] == found["Tscore", "selected variables"] == 1.0
    assert found["Fnum", "selected variables"] == 3
    assert 0.8 < found["Tscore", "true parents"] < found["Tscore", "true natural blanket"] <= 1


def test_without_truth_or_labels_there_is_less_to_score(table):
    bare = Facts([1], table.target.astype(float), None, None, "none", frozenset())
    rows = score_all(table, bare, Grid((1,), (), (1.0,)), 1, 2000, 1)
    assert [row[0] for row in rows] == ["Dscore", "Fnum"]


REGED_BLANKET = {321, 930, 83, 251, 344, 409, 425, 453, 571, 593, 594, 739, 817, 825, 939, 275, 312, 324, 421, 454, 516}


def test_the_blanket_of_the_real_reged(real_data):
    folder = real_data / "reged"
    made = read_dataset(Source(str(folder / "reged0_train.data"), str(folder / "reged0_train.targets")))
    found = {int(made.columns[x]) for x in find_mmmb(made, {}, Context()).members}
    assert len(found & REGED_BLANKET) >= 15 and len(found - REGED_BLANKET) <= 3


def test_the_blanket_of_the_real_lucas(real_data):
    made = read_dataset(Source(str(real_data / "lucas/lucas0_train.csv"), "Lung_cancer"))
    found = {made.names[x] for x in find_mmmb(made, {}, Context()).members}
    assert found == {"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}


def test_thrombin_stays_compact(real_data):
    folder = real_data / "thrombin"
    made = read_dataset(Source(str(folder / "thrombin_train.npz"), str(folder / "thrombin_train.targets")))
    assert made.n_file_columns == 139351 and made.kind == "binary"
    assert made.train.bits.nbytes < 40e6


def test_beside_probes_every_real_variable_is_relevant():
    """Columns 1 and 2 are real, 3 to 6 probes: 0 -> 3 <- 4, and 5, 6 apart; no cause of the target is known."""
    values = np.random.default_rng(0).normal(size=(6, 40))
    raw = RawTable("t", [f"v{i}" for i in range(1, 7)], 40, values=values)
    table = prepare(raw, np.where(np.arange(40) % 2, 1, -1), "target")
    edges = np.array([[0, 3], [4, 3]])
    common = {"columns": [1], "train_predictions": np.zeros(40), "test_predictions": None, "edges": edges}
    natural = Facts(**common, manipulation="none", manipulated=frozenset(), real=frozenset({1, 2}))
    sets = true_sets(table, natural)
    assert sets["true manipulated blanket"] == sets["true natural blanket"] == [1, 2, 3, 4]
    assert sets["true real variables"] == [1, 2] and sets["true parents"] == []
    cut = Facts(**common, manipulation="known", manipulated=frozenset({3, 4, 5, 6}), real=frozenset({1, 2}))
    assert true_sets(table, cut)["true manipulated blanket"] == [1, 2]
