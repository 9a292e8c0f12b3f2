"""The constraint-based methods of find_blanket: on a known network, their details, and what near-duplicates do."""

import json

import numpy as np
import pytest

from himation.errors import UserError
from himation.files.tables import RawTable
from himation.finders import Context, check_settings
from himation.methods import METHODS, finder
from himation.prepare.preparing import prepare
from himation.studies.simulate.networks import simulate_lucas

NEIGHBOURS = {"Smoking", "Genetics", "Coughing", "Fatigue"}
BLANKET = NEIGHBOURS | {"Allergy"}
CONSTRAINT = {
    "mmpc": NEIGHBOURS,
    "hiton-pc": NEIGHBOURS,
    "si-hiton-pc": NEIGHBOURS,
    "hiton-mb": NEIGHBOURS,  # the published rule loses the spouse: Smoking separates it from the target
    "mmmb": BLANKET,
    "pcmb": BLANKET,
    "kpcmb": BLANKET,
    "iamb": BLANKET,
    "inter-iamb": BLANKET,
    "kiamb": BLANKET,
    "gs": BLANKET,
}
NEED_SYMMETRY = ("mmpc", "mmmb", "hiton-pc", "si-hiton-pc", "hiton-mb", "hiton", "pcmb")


@pytest.fixture(scope="module")
def lucas():
    sample = simulate_lucas(5000, np.random.default_rng(3))
    raw = RawTable("lucas", list(sample.names), 5000, values=sample.values.T.astype(float))
    return prepare(raw, sample.target, "Lung_cancer")


def copies():
    """The one cause of the target twice, the copies a few examples apart, and noise."""
    rng = np.random.default_rng(0)
    cause, noise = rng.integers(0, 2, (2, 1000))
    copy = cause.copy()
    copy[:6] = 1 - copy[:6]
    target = np.where(rng.random(1000) < 0.3, 1 - cause, cause)
    return np.array([cause, copy, noise], dtype=float), target


@pytest.fixture(scope="module")
def shadowed():
    values, target = copies()
    return prepare(RawTable("copies", ["a", "b", "noise"], len(target), values=values), target, "y")


def found(table, method, **settings):
    check_settings(method, settings)
    return finder(method)(table, settings, Context(seed=1))


def names(table, members):
    return {table.names[x] for x in members}


@pytest.mark.parametrize("method", CONSTRAINT)
def test_the_blanket_of_lucas(lucas, method):
    answer = found(lucas, method, alpha=0.001)
    assert names(lucas, answer.members) == CONSTRAINT[method]
    assert list(answer.scores) == sorted(answer.scores, reverse=True)
    json.dumps(answer.details)


def test_hiton_takes_out_what_the_machine_does_not_miss(lucas):
    answer = found(lucas, "hiton", alpha=0.001, spouses="strict")
    assert set(answer.details["before_wrapper"]) == BLANKET
    assert {"Smoking", "Coughing"} <= names(lucas, answer.members) <= BLANKET
    assert 0.8 < answer.details["auc"] <= 1
    assert len(found(lucas, "hiton", alpha=0.001, tolerance=1.0).members) == 0


def test_several_runs_list_all_blankets(lucas):
    details = found(lucas, "kiamb", alpha=0.2, k=0.0, runs=6).details
    counts = [blanket["count"] for blanket in details["blankets"]]
    assert sum(counts) == details["runs"] == 6 and counts == sorted(counts, reverse=True) and len(counts) > 1
    assert all(0.5 <= blanket["auc"] <= 1 for blanket in details["blankets"])
    ranks = [(-blanket["count"], -blanket["auc"]) for blanket in details["blankets"]]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("method", NEED_SYMMETRY)
def test_an_answer_that_symmetry_emptied_says_so(shadowed, method):
    answer = found(shadowed, method, alpha=0.001)
    assert answer.members == ()
    assert answer.details["uncorrected"] in (["a"], ["b"])
    assert "symmetry" in answer.details["warning"] and answer.details["uncorrected"][0] in answer.details["warning"]


@pytest.mark.parametrize("method", ["iamb", "gs"])
def test_methods_without_symmetry_keep_one_of_the_copies(shadowed, method):
    answer = found(shadowed, method, alpha=0.001)
    assert names(shadowed, answer.members) in ({"a"}, {"b"}) and answer.details == {}


def test_nothing_is_said_where_symmetry_took_nothing(lucas):
    assert not {"warning", "uncorrected"} & set(found(lucas, "pcmb", alpha=0.001).details)


def test_the_warning_reaches_the_user(run_script, tmp_path):
    values, target = copies()
    rows = ["a,b,noise,y", *(f"{a:g},{b:g},{c:g},{y}" for a, b, c, y in zip(*values, target, strict=True))]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    words = "--train t.csv --target y --method pcmb --alpha 0.001 --output o.tsv --details o.json"
    done = run_script("find_blanket", *words.split(), cwd=tmp_path)
    assert done.returncode == 0 and "the correction for symmetry left none" in done.stderr
    assert json.loads((tmp_path / "o.json").read_text())["uncorrected"] in (["a"], ["b"])
    assert len((tmp_path / "o.tsv").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"k": 1.5}, "k is 1.5"), ({"runs": 0}, "runs is 0"), ({"symmetry": "and"}, "no parameter 'symmetry'")],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(UserError, match=message):
        check_settings("kiamb", settings)


def test_every_method_has_its_function():
    assert all(callable(finder(name)) for name in METHODS)


def _any_target(values, target):
    names = [f"x{i + 1}" for i in range(len(values))]
    return prepare(RawTable("t.data", names, values.shape[1], values=values), target, any_target=True)


def test_a_target_with_several_values():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, (6, 900))
    target = np.where(rng.random(900) < 0.5, codes[1], rng.integers(0, 3, 900)).astype(float)
    table = _any_target(codes.astype(float), target)
    assert table.target_kind == "discrete" and table.kind == "discrete"
    for method in ("iamb", "mmmb", "pcmb", "hiton-pc"):
        found = finder(method)(table, {}, Context())
        assert 2 in {int(table.columns[x]) for x in found.members}


def test_a_continuous_target():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(8, 400))
    target = values[2] - values[5] + rng.normal(size=400)
    table = _any_target(values, target)
    assert table.target_kind == "continuous"
    for method in ("iamb", "mmmb", "pcmb", "gs", "inter-iamb"):
        found = finder(method)(table, {"alpha": 0.001}, Context())
        assert {int(table.columns[x]) for x in found.members} == {3, 6}


@pytest.mark.parametrize("method", ["rfe", "fsmb", "kiamb"])
def test_methods_with_a_machine_need_two_classes(method):
    rng = np.random.default_rng(5)
    table = _any_target(rng.normal(size=(4, 60)), rng.normal(size=60))
    with pytest.raises(UserError, match="needs a target with two values"):
        finder(method)(table, {}, Context())
