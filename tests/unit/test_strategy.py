"""The whole strategy as an estimator: scikit-learn's own checks, known manipulations of a known network, any table."""

import doctest
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from himation import Himation, make_lucas
from himation.estimators import strategy
from himation.studies.simulate.networks import LUCAS, simulate_lucas

FEW = {"chains": 4, "sweeps": 100, "machines": 10}
BLANKET = {"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}


def lucas(n, seed, manipulated=()):
    drawn = simulate_lucas(n, np.random.default_rng(seed), manipulated=manipulated)
    return pd.DataFrame(drawn.values, columns=drawn.names), np.where(drawn.target > 0, "cancer", "none")


@pytest.fixture(scope="module")
def sample():
    return make_lucas()


def test_the_example_in_its_documentation_holds():
    assert doctest.testmod(strategy).failed == 0


@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_own_checks():
    results = check_estimator(Himation(chains=2, sweeps=40, machines=4), on_skip=None)
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"} and len(results) > 50


def test_nothing_manipulated_leaves_the_blanket(sample):
    model = Himation(**FEW).fit(*sample)
    assert set(model.selected_) == BLANKET
    roles = model.roles_.set_index("variable")
    assert roles["role"].to_dict() == {name: "none" for name in sample[0].columns if name not in BLANKET} | {
        "Smoking": "parent", "Genetics": "parent", "Coughing": "child", "Fatigue": "child", "Allergy": "spouse",
    }  # fmt: skip
    assert roles["selected"].sum() == 5 and roles["reason"].str.len().min() > 10


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (["Coughing", "Fatigue"], {"Smoking", "Genetics"}),
        (["Fatigue"], {"Smoking", "Genetics", "Coughing", "Allergy"}),
        (["Smoking", "Yellow_Fingers"], BLANKET),
    ],
)
def test_known_manipulations_leave_the_blanket_of_the_manipulated_network(sample, told, wanted):
    X, y = sample
    named = Himation(manipulation=told, **FEW).fit(X, y)
    assert set(named.selected_) == wanted
    places = [X.columns.get_loc(name) for name in told]
    numbered = Himation(manipulation=places, **FEW).fit(X.to_numpy(), y)
    assert {X.columns[i] for i in numbered.selected_} == wanted
    np.testing.assert_array_equal(named.predict_proba(X), numbered.predict_proba(X.to_numpy()))


def test_the_test_table_is_asked_and_its_answer_predicts_better():
    X, y = lucas(2000, 1)
    Z, truth = lucas(4000, 2, ("Coughing", "Fatigue"))
    asked = Himation(manipulation="unknown", **FEW).fit(X, y, test=Z)
    told = Himation(manipulation=["Coughing", "Fatigue"], **FEW).fit(X, y)
    plain = Himation(**FEW).fit(X, y)
    assert set(told.selected_) == {"Smoking", "Genetics"} <= set(asked.selected_) <= BLANKET - {"Coughing", "Fatigue"}
    assert asked.manipulated_ is not None and told.manipulated_ is None
    value = {m: roc_auc_score(truth == "none", m.predict_proba(Z)[:, 1]) for m in (asked, told, plain)}
    assert value[asked] == pytest.approx(value[told], abs=0.02)
    assert value[asked] - value[plain] > 0.8 * (value[told] - value[plain]) > 0.03  # most of what was told
    assert asked.classes_.tolist() == ["cancer", "none"] and set(asked.predict(Z)) == {"cancer", "none"}
    worst = Himation(manipulation="unknown", **FEW).fit(X, y)
    assert set(worst.selected_) == {"Smoking", "Genetics"}


def test_effects_are_those_of_the_network(sample):
    table = Himation(**FEW).fit(*sample).effects_.set_index("variable")
    known = {name: index for index, name in enumerate(LUCAS.names)}
    assert table.index[0] == "Smoking" and {"Smoking", "Genetics", "Coughing"} <= set(known)
    assert table.loc["Smoking", "low"] > 0.3 and abs(table.loc["Coughing", "effect"]) < 0.01


def test_in_a_pipeline_and_in_cross_validation(sample):
    X, y = sample
    model = make_pipeline(StandardScaler(), Himation(**FEW))
    scores = cross_val_score(model, X, y, cv=3, scoring="roc_auc")
    assert len(scores) == 3 and scores.min() > 0.85
    assert clone(model).get_params()["himation__machines"] == 10


def test_words_ids_and_dates_of_a_data_frame(sample):
    X, y = sample
    X = X.head(400).assign(patient_id=np.random.default_rng(0).permutation(400))
    X["Genetics"] = np.where(X["Genetics"] == 1, "yes", "no")
    model = Himation(**FEW).fit(X, y[:400])
    roles = model.roles_.set_index("variable")
    assert roles.loc["patient_id", "reason"] == "not searched: identifier" and "Genetics" in model.selected_
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    dated = X.assign(visit=pd.date_range("2020-01-01", periods=400).astype(str))
    with pytest.raises(ValueError, match="column 'visit' holds dates"):
        Himation(**FEW).fit(dated, y[:400])


def test_the_order_of_columns_and_threads_change_nothing(sample):
    X, y = sample
    X, y = X.head(500), y[:500]
    one = Himation(**FEW).fit(X, y)
    other = Himation(**FEW, n_jobs=2).fit(X[X.columns[::-1]], y)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X[X.columns[::-1]]))
    assert one.selected_.tolist() == other.selected_.tolist()


def test_an_estimate_is_what_fresh_rows_give():
    X, y = lucas(500, 3)
    Z, truth = lucas(4000, 4)
    model = Himation(estimate=True, **FEW).fit(X, y)
    reached = roc_auc_score(truth == "none", model.predict_proba(Z)[:, 1])
    assert abs(model.expected_auc_ - reached) < 3 * model.expected_error_ + 0.01
    assert 0 < model.expected_error_ < 0.05 and not hasattr(Himation(**FEW).fit(X, y), "expected_auc_")


WRONG = {
    "rule": ({"rule": "thesi"}, "rule is 'thesi'"),
    "method": ({"methods": ["mmm"]}, "unknown method 'mmm'; did you mean 'mmmb'"),
    "manipulation": ({"manipulation": ["Coghing"]}, "did you mean 'Coughing'"),
    "word": ({"manipulation": "unknwon"}, "did you mean 'unknown'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_parameters_are_named(sample, name):
    options, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        Himation(**{**FEW, **options}).fit(*sample)
