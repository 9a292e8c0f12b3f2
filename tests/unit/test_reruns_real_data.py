"""Reruns on real data, on simulated CINA and of what needs no sample: their pieces against something independent."""

import doctest
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.special import comb
from scipy.stats import kruskal
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.svm import SVC

from himation.errors import UserError
from himation.evaluate import auc
from himation.studies.reruns import (
    comparison,
    counts,
    pena_thrombin,
    published,
    real,
    saeed_cina,
    sizes,
    strobl_cyto,
    thrombin,
)


@pytest.fixture(scope="module")
def wide():
    """A sparse binary table of 300 examples in which columns 0 and 1 tell the label together."""
    rng = np.random.default_rng(4)
    X = (rng.random((300, 60)) < 0.3).astype(float)
    y = np.where(rng.random(300) < 0.05 + 0.45 * X[:, 0] + 0.45 * X[:, 1], 1, -1)
    return csr_matrix(X), y


def test_examples_in_the_documentation():
    for module in (pena_thrombin, comparison, saeed_cina):
        results = doctest.testmod(module)
        assert results.attempted and not results.failed


def test_numbers_of_features_and_terms():
    lines = {(line.case, line.measure): line for line in counts.run(1, 1)}
    assert lines["II-1: 1,000 variables, degree 3", "features / 10^8"].rerun == pytest.approx(comb(1003, 3) / 1e8)
    terms = [t for size in range(4) for t in combinations_with_replacement(range(5), size)]
    measured = lines["II-2: 5 variables, degree 3, level 2", "terms with a variable"]
    assert measured.rerun == sum(0 in term for term in terms) == measured.published


def test_the_weights_of_figure_ii_2_are_those_of_the_machine_that_the_vectors_decide():
    rows = [row for row in published("thesis_figure_ii_2") if row["quantity"] == "multiplier"]
    alpha = np.array([float(row["value"]) for row in rows])
    assert alpha.sum() == pytest.approx(-40, abs=0.001)
    X = np.array([[float(row["x1"]), float(row["x2"])] for row in rows])
    machine = SVC(C=1e9, kernel="poly", degree=2, gamma=1, coef0=1, tol=1e-9).fit(X, np.sign(alpha))
    assert machine.dual_coef_[0][list(machine.support_).index(1)] == pytest.approx(44.884, rel=0.03)  # printed 4.884
    values = machine.decision_function(np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]))
    across, up = (values[1] + values[2]) / 2 - values[0], (values[3] + values[4]) / 2 - values[0]
    lines = counts.weights_of_figure_ii_2()
    found = {line.measure: line for line in lines if line.case == "Figure II-2"}
    assert found["weight of X1^2 / largest"].rerun == pytest.approx(across / up, rel=1e-4)
    assert found["weight of b / largest"].rerun == pytest.approx(values[0] / up, rel=1e-4)
    assert found["weight of b / largest"].rerun == pytest.approx(-0.522, abs=0.001)
    assert all(line.published is None for line in lines if line.case != "Figure II-2")


def test_naive_bayes_is_that_of_scikit_learn(wide):
    X, y = wide[0].toarray()[:, :6], wide[1]
    said = (
        BernoulliNB(alpha=1.0, class_prior=[((y == c).sum() + 1) / (len(y) + 2) for c in (-1, 1)]).fit(X, y).predict(X)
    )
    mean = np.mean([np.mean(said[y == c] == c) for c in (-1, 1)])
    assert pena_thrombin.naive_bayes_accuracy(X, y, X, y) == pytest.approx(mean)


def test_sets_are_the_same_columns_in_any_drawn_order(wide):
    found = [pena_thrombin.blankets(*wide, np.random.default_rng(seed)) for seed in (1, 2)]
    assert {0, 1} <= set(found[0]["IAMB"]) and found[0]["IAMB"] == found[1]["IAMB"] and found[0]["PCMB"] == [0, 1]


def test_one_run_numbers_features_from_one(wide):
    sets, accuracy = pena_thrombin.one_run(*wide, 1, 0)
    assert sets["PCMB"] == [1, 2] and set(accuracy) == set(pena_thrombin.METHODS)
    assert all(50 < value < 100 for value in accuracy.values())


def test_statistics_of_single_variables(wide):
    X, y = wide[0].toarray(), wide[1]
    X[:, 2] = np.random.default_rng(1).normal(size=300) + 0.4 * y
    for column, found in zip(X.T, comparison.kruskal_wallis(X, y), strict=True):
        assert found == pytest.approx(kruskal(column[y > 0], column[y < 0]).statistic)
    expected = [abs(np.corrcoef(column, y)[0, 1]) for column in wide[0].toarray().T]
    assert thrombin.correlations(*wide) == pytest.approx(expected)
    ratio = comparison.signal_to_noise(X, y)[2]
    on, off = X[y > 0, 2], X[y < 0, 2]
    assert ratio == pytest.approx(abs(on.mean() - off.mean()) / (on.std() + off.std()))


def test_methods_of_the_comparison_find_what_tells_the_label(wide):
    X, y = wide[0].toarray(), wide[1]
    for name in (
        "UAF - KruskalWallis - SVM, 50%",
        "Koller-Sahami, k=1",
        "LARS - Elastic Net",
        "MMMB, maxk = 3, alpha = 0.05",
        "HITON-PC, G^2 test, maxk = 2, alpha = 0.05",
        "IAMB, G^2 test, alpha = 0.05",
    ):
        members, features = comparison.METHODS[name](X, y, 1)
        assert {0, 1} <= set(members) and features == [], name
    assert {row["method"] for row in published("thesis_b")} - set(comparison.METHODS) == {"L0-norm", "K2MB", "BLCD-MB"}


def test_lines_of_the_comparison(monkeypatch):
    answer = {"variables": 8, "percent of variables": 50.0, "auc": 0.9}
    monkeypatch.setattr(comparison, "_measure", lambda task, seed: {**answer, "variables": 8 + task[2]})
    lines = {(line.case, line.measure): line for line in comparison.run(2, 1)}
    line = lines["B-6: Hiva, IAMB, G^2 test, alpha = 0.05", "variables"]
    assert (line.published, line.rerun, line.error) == (7, 8.5, 0.5)
    assert lines["B-8: Sylva, FSMB", "auc"].published == 0.997


def test_every_figure_of_thrombin_is_measured(wide):
    found = thrombin.one_split(*wide, 1, 0)
    assert {(row["method"], row["measure"]) for row in published("thrombin")} <= set(found)
    assert {("II-8", measure) for measure in thrombin.OVERLAPS} <= set(found)
    assert found["None", "variables"] == 60 and found["None", "features of the model"] == comb(62, 2)
    assert (
        found["HITON", "percent auc, SVM"] == pytest.approx(100 * found["HITON", "auc"]) and found["HITON", "auc"] > 0.7
    )


def test_data_that_no_package_has_are_asked_for(monkeypatch, tmp_path):
    monkeypatch.delenv(real.FOLDER, raising=False)
    with pytest.raises(UserError, match="set HIMATION_DATA to the folder that has thrombin/"):
        real.load("Thrombin")
    monkeypatch.setenv(real.FOLDER, str(tmp_path))
    with pytest.raises(UserError, match="sachs/"):
        strobl_cyto.load()


def test_sizes_of_a_simulated_task():
    assert sum(sizes.simulated(("cina", 1))[2:]) == 16033


def test_forward_selection_takes_what_naive_bayes_likes_best():
    rng = np.random.default_rng(2)
    y = np.where(rng.random(400) < 0.4, 1, -1)
    X = np.column_stack([rng.normal(size=400), rng.normal(size=400) + y, (rng.random(400) < 0.3 + 0.2 * (y > 0))])
    binary = np.array([False, False, True])
    ratios = saeed_cina.log_ratios(X, y, binary)
    prior = np.log(np.mean(y > 0) / np.mean(y < 0))
    for column in (0, 1):
        model = GaussianNB(var_smoothing=0).fit(X[:, [column]], y)
        odds = np.diff(model.predict_log_proba(X[:, [column]]), axis=1)[:, 0]
        assert ratios[:, column] + prior == pytest.approx(odds)
    assert saeed_cina.forward(X, y, binary, 3)[0] == 1 and saeed_cina.forward(X, y, binary, 3, [2, 0])[0] in (0, 2)


def test_a_small_simulation_of_cina():
    found = saeed_cina.one_simulation(1, (60, 600, 300), hidden=(2,))
    assert len(found) == 18 and all(0 <= found[key] <= 1 for key in found if key[2] != "fnum")
    assert found["1", "CINA0", "tscore"] > 0.7 and found["2", "CINA0", "fnum"] <= saeed_cina.ALL_OF_ENTRY_2


def test_blankets_of_the_consensus_graph():
    of = dict(zip(strobl_cyto.NAMES, strobl_cyto.blankets(), strict=True))
    assert {strobl_cyto.NAMES[x] for x in of["pakt"]} == {"perk", "PKA"}
    assert {strobl_cyto.NAMES[x] for x in of["plcg"]} == {"PIP2", "PIP3"}


def test_cells_in_which_the_blanket_tells(monkeypatch):
    rng = np.random.default_rng(5)
    values = rng.normal(size=(400, 11))
    values[:, 2] = values[:, 3] + values[:, 4] + 0.1 * rng.normal(size=400)  # plcg by its blanket, PIP2 and PIP3
    found = strobl_cyto.one_sample(values, 1, (400, 0))
    assert found["accuracy", "Proposed-F"][2] == 100 and found["mean rank", "Proposed-F"][2] == 1
    assert set(found) >= {("accuracy", "IAMB"), ("accuracy", "MMMB"), ("mean rank", "SVM-RFE")}


def test_ranking_by_a_prefix_keeps_the_smallest_of_the_best(wide):
    X, y = wide[0].toarray(), wide[1]
    members = comparison.best_of_ranking(X, y, comparison.kruskal_wallis, 0.5, 1)
    assert {0, 1} <= set(members) and auc(y, X[:, members].sum(axis=1)) > 0.6
