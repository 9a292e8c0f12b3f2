"""Each blanket finder as an estimator: scikit-learn's own checks, the same answer as the finder, any kind of table."""

import doctest
import inspect
import pickle
import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from conftest import PROJECT
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import himation
from himation import IAMB, MMMB, RFE, estimators, make_lucas
from himation.estimators import ESTIMATORS, BlanketFinder, make_estimator
from himation.files.tables import RawTable
from himation.finders import Context
from himation.methods import METHODS, PARAMETERS, finder
from himation.prepare.preparing import prepare

# One check is passed over: it runs only where the environment variable SCIPY_ARRAY_API is set, before SciPy is loaded.
# It hands over arrays of other libraries (GPU arrays); the estimators do not claim to take them (the tag is false).
PASSED_OVER = {"check_array_api_input"}
SHARED = {"types", "random_state", "n_jobs", "independence"}
BLANKET = {"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}
MACHINE = {"degree": 2, "cost": 1.0}
FEW = {**MACHINE, "runs": 2, "size": 2}


def quick(method, given, kind=None):
    """An estimator with some parameters given where it has them, so that no machine or size is searched for."""
    return (kind or ESTIMATORS[method])(**{k: v for k, v in given.items() if k in METHODS[method].parameters})


class AtTheMedian(ESTIMATORS["mixture"]):
    """Binary columns are all that a mixture takes, and numbers all that the checks hand over."""

    def _find(self, raw, target):
        if raw.values is not None:
            raw.values = (raw.values > np.median(raw.values, axis=1, keepdims=True)).astype(float)
        super()._find(raw, target)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_own_checks(method):
    results = check_estimator(quick(method, FEW, AtTheMedian if method == "mixture" else None), on_skip=None)
    by_status = {
        status: {r["check_name"] for r in results if r["status"] == status} for status in ("passed", "skipped")
    }
    assert by_status["skipped"] <= PASSED_OVER
    assert len(results) > 40 and {r["status"] for r in results} <= {"passed", "skipped"}


@pytest.mark.parametrize("method", METHODS)
def test_every_finder_has_a_class_with_its_parameters(method):
    found = ESTIMATORS[method]
    assert issubclass(found, BlanketFinder) and getattr(himation, found.__name__) is found
    assert set(inspect.signature(found).parameters) - SHARED == set(METHODS[method].parameters)
    assert found.__name__ in dir(himation) and found.__name__ in estimators.__all__


@pytest.mark.parametrize("method", METHODS)
def test_every_class_has_an_example_that_holds(method):
    found = ESTIMATORS[method]
    module = sys.modules[found.__module__]
    [example] = doctest.DocTestFinder(recurse=False).find(found, found.__name__, module=module)
    assert len(example.examples) >= 3
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("module", [estimators, estimators.examples])
def test_the_examples_of_the_modules_hold(module):
    results = doctest.testmod(module)
    assert results.attempted and not results.failed


@pytest.fixture(scope="module")
def lucas():
    return make_lucas(600, random_state=3)


@pytest.mark.parametrize("method", METHODS)
def test_the_defaults_are_those_of_the_finder(method, lucas):
    X, y = lucas
    raw = RawTable("X", list(X.columns), len(X), values=np.ascontiguousarray(X.to_numpy(dtype=float).T))
    table = prepare(raw, y.to_numpy(dtype=float))
    given = {k: v for k, v in MACHINE.items() if k in METHODS[method].parameters}
    found = finder(method)(table, given, Context())
    fitted = quick(method, MACHINE).fit(X, y)
    assert fitted.blanket_.tolist() == [table.names[x] for x in found.members]
    assert fitted.scores_ == pytest.approx(found.scores)
    assert set(X.columns[fitted.support_]) == set(fitted.blanket_) == set(fitted.get_feature_names_out())


@pytest.mark.parametrize("method", METHODS)
def test_defaults_of_the_constructor_are_values_that_may_be_given(method):
    for field in fields(ESTIMATORS[method]):
        if field.name in PARAMETERS and field.default is not None:
            PARAMETERS[field.name].check(field.name, field.default)


def test_arrays_frames_and_sparse_matrices_give_the_same(lucas):
    X, y = lucas
    frame, array, sparse = MMMB().fit(X, y), MMMB().fit(X.to_numpy(), y), MMMB().fit(csr_matrix(X.to_numpy()), y)
    assert frame.blanket_.tolist() == [X.columns[i] for i in array.blanket_]
    assert array.blanket_.tolist() == sparse.blanket_.tolist()
    assert set(frame.kinds_) == {"binary"}
    counts = csr_matrix(X.to_numpy() * 2.5)
    assert set(MMMB().fit(counts, y).blanket_) == set(array.blanket_)


def test_the_order_of_columns_does_not_matter(lucas):
    X, y = lucas
    turned = X[X.columns[::-1]]
    assert MMMB().fit(turned, y).blanket_.tolist() == MMMB().fit(X, y).blanket_.tolist()


def test_types_are_worked_out_or_given():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = pd.DataFrame({"number": y + rng.normal(size=400), "few": rng.integers(0, 3, 400), "constant": 1.0})
    X["word"] = np.where(rng.random(400) < 0.8, np.array(["no", "yes"])[y], "perhaps")
    X["flag"] = rng.random(400) < 0.5
    found = MMMB().fit(X, y)
    assert found.kinds_.tolist() == ["continuous", "discrete", "dropped", "discrete", "binary"]
    assert set(found.blanket_) == {"number", "word"}
    assert list(found.set_output(transform="pandas").transform(X).columns) == ["number", "word"]
    assert MMMB(types={"few": "continuous"}).fit(X, y).kinds_[1] == "continuous"


def test_targets_of_other_kinds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    assert MMMB(alpha=0.01).fit(X, X[:, 2] + rng.normal(size=300)).blanket_.tolist() == [2]
    assert 4 in IAMB().fit(X, np.digitize(X[:, 4], [-0.5, 0.5]).astype(str)).blanket_
    with pytest.raises(ValueError, match="needs a target with two values"):
        RFE().fit(X, np.digitize(X[:, 4], [-0.5, 0.5]))


BAD = {
    "level": (MMMB(alpha=2), "alpha is 2"),
    "choice": (MMMB(symmetry="xor"), "symmetry is 'xor'; did you mean 'or'"),
    "test": (MMMB(independence="g3"), "unknown independence test 'g3'"),
    "types": (MMMB(types="binry"), "did you mean 'binary'"),
    "type of a column": (MMMB(types={"Smoking": "yes"}), "the type of 'Smoking' is 'yes'"),
    "column": (MMMB(types={"Smokng": "binary"}), "did you mean 'Smoking'"),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_get_one_line(name, lucas):
    estimator, message = BAD[name]
    with pytest.raises(ValueError) as caught:
        estimator.fit(*lucas)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_missing_words_are_refused(lucas):
    X, y = lucas
    with pytest.raises(ValueError, match="missing values in column Coughing"):
        MMMB().fit(X.assign(Coughing=np.where(X.Coughing == 1, "yes", None)), y)


def test_in_a_pipeline_under_a_grid_search():
    X, y = make_lucas(2000)
    grid = {"mmmb__alpha": [0.001, 0.01]}
    search = GridSearchCV(make_pipeline(MMMB(), LogisticRegression()), grid, scoring="roc_auc", cv=3).fit(X, y)
    assert search.best_score_ > 0.85
    assert set(search.best_estimator_["mmmb"].blanket_) == BLANKET
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert (again.predict(X) == search.predict(X)).all()


def test_random_state_decides(lucas):
    X, y = lucas
    kiamb = ESTIMATORS["kiamb"](k=0.3, runs=5)
    assert clone(kiamb).fit(X, y).details_ == clone(kiamb).fit(X, y).details_
    state = ESTIMATORS["kiamb"](runs=2, random_state=np.random.RandomState(0)).fit(X, y)
    assert len(state.blanket_) and clone(kiamb).set_params(n_jobs=2).fit(X, y).details_["runs"] == 5


def test_a_new_finder_of_the_registry_gets_a_class(monkeypatch, lucas):
    monkeypatch.setitem(METHODS, "max-min", replace(METHODS["mmmb"], estimator=""))
    made = make_estimator("max-min")
    assert made.__name__ == "MaxMin" and estimators.class_name("ttst") == "TTST"
    assert "alpha" in inspect.signature(made).parameters and made().get_params()["alpha"] == 0.05
    assert set(made(alpha=0.01).fit(*lucas).blanket_) == set(MMMB(alpha=0.01).fit(*lucas).blanket_)


def test_the_package_itself_loads_nothing():
    code = (
        "import sys, himation; from himation import cli; assert 'sklearn' not in sys.modules; "
        "from himation import PCMB; print(PCMB().method)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT / "scripts", capture_output=True, text=True, check=False
    )
    assert done.stdout == "pcmb\n", done.stderr
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        himation.Nothing  # noqa: B018
