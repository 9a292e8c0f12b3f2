"""kcdm, bahsic, koller-sahami and mixture on prepared tables: mixed, binary, continuous targets, bad input."""

import numpy as np
import pandas as pd
import pytest

from himation.errors import UserError
from himation.files.dataset import Source, read_dataset
from himation.finders import Context, check_settings
from himation.finders.kernel import scaled_columns, target_columns
from himation.methods import METHODS, finder

NAMES = ("kcdm", "bahsic", "koller-sahami", "mixture")
LUNG_CANCERS_BLANKET = {"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}


def names(found, table):
    return {table.names[x] for x in found.members}


@pytest.fixture(scope="module")
def lucas(tmp_path_factory):
    from himation.studies.simulate.networks import LUCAS, simulate_lucas

    sample = simulate_lucas(1000, np.random.default_rng(3))
    path = tmp_path_factory.mktemp("lucas") / "lucas.csv"
    columns = [name for name in LUCAS.names if name != LUCAS.target]
    pd.DataFrame(sample.values, columns=columns).assign(T=sample.target).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Parents a (continuous) and w (words), child c with the spouse s, and noise of two kinds."""
    rng, n = np.random.default_rng(1), 400
    a, s, noise = rng.normal(size=(3, n))
    w = rng.choice(["x", "y", "z"], n)
    y = np.where(a + 2.0 * (w == "x") + rng.normal(size=n) > 0.6, 1, 0)
    c = 2.0 * y + s + 0.7 * rng.normal(size=n)
    folder = tmp_path_factory.mktemp("mixed")
    frame = pd.DataFrame({"a": a, "s": s, "noise": noise, "coin": rng.integers(0, 2, n), "w": w, "c": c, "y": y})
    frame.to_csv(folder / "t.csv", index=False)
    kinds = {"a": "continuous", "s": "continuous", "noise": "continuous", "coin": "binary", "w": "discrete"}
    lines = [f"{name},{kind}" for name, kind in {**kinds, "c": "continuous"}.items()]
    (folder / "types.csv").write_text("\n".join(["variable,type", *lines]) + "\n")
    return Source(train=str(folder / "t.csv"), target="y", types=str(folder / "types.csv"))


@pytest.mark.parametrize(
    "settings", [{"kernel": "linear"}, {"kernel": "linear", "measure": "m2"}, {"landmarks": 40}], ids=str
)
def test_kcdm_finds_the_blanket_of_lung_cancer(lucas, settings):
    table = read_dataset(Source(train=str(lucas), target="T"))
    found = finder("kcdm")(table, settings, Context())
    assert names(found, table) <= LUNG_CANCERS_BLANKET and len(found.members) >= 4
    assert found.details["ranking"][: len(found.members)] == [table.names[x] for x in found.members]
    assert sorted(found.details["ranking"]) == sorted(table.names)
    assert list(found.scores) == sorted(found.scores, reverse=True)


@pytest.mark.parametrize("name", NAMES)
def test_every_cut_and_size(lucas, name):
    table = read_dataset(Source(train=str(lucas), target="T"))
    cheap = {"kernel": "linear"} if name in ("kcdm", "bahsic") else {"set_size": 2}
    three = finder(name)(table, {**cheap, "size": 3}, Context())
    assert len(three.members) == 3 and three.details["cut"] == "size" and len(three.details["ranking"]) == 11
    by_auc = finder(name)(table, {**cheap, "cut": "auc"}, Context())
    assert by_auc.details["path"][0][0] == 1 and {"Smoking", "Coughing"} <= names(by_auc, table)
    assert 1 <= len(finder(name)(table, {**cheap, "cut": "gap"}, Context()).members) <= 11


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_columns_does_not_matter(lucas, name, tmp_path):
    frame = pd.read_csv(lucas)
    frame[frame.columns[::-1]].to_csv(tmp_path / "turned.csv", index=False)
    answers = []
    for path in (lucas, tmp_path / "turned.csv"):
        table = read_dataset(Source(train=str(path), target="T"))
        settings = {"size": 6} | ({"kernel": "linear"} if name in ("kcdm", "bahsic") else {})
        answers.append([table.names[x] for x in finder(name)(table, settings, Context()).members])
    assert answers[0] == answers[1]


@pytest.mark.parametrize("settings", [{}, {"kernel": "linear"}, {"direction": "forward"}], ids=str)
def test_kcdm_on_a_mixed_table(mixed, settings):
    table = read_dataset(mixed)
    X, groups = scaled_columns(table)
    assert sorted(map(len, groups)) == [1, 1, 1, 1, 1, 3]
    assert [X[:, group].var(axis=0).sum() for group in groups] == pytest.approx([1] * 6)
    found = finder("kcdm")(table, settings, Context())
    assert names(found, table) == {"a", "w", "c", "s"}
    assert "s" not in names(finder("bahsic")(table, {"size": 3}, Context()), table)


def test_a_continuous_target_of_kcdm(mixed):
    from dataclasses import replace

    table = read_dataset(replace(mixed, target="c"), any_target=True)
    assert target_columns(table).shape == (400, 1)
    assert {"y", "s"} <= names(finder("kcdm")(table, {"kernel": "linear"}, Context()), table)


def test_what_mixtures_refuse(mixed):
    table = read_dataset(mixed)
    with pytest.raises(UserError, match="mixtures need a table of binary variables; 5 are not"):
        finder("mixture")(table, {}, Context())
    with pytest.raises(UserError, match="koller-sahami needs discrete variables and target; continuous: "):
        finder("koller-sahami")(table, {}, Context())


def test_bad_settings(lucas):
    table = read_dataset(Source(train=str(lucas), target="T"))
    with pytest.raises(UserError, match="has no parameter 'epsilon'"):
        check_settings("mixture", {"epsilon": 1.0})
    with pytest.raises(UserError, match="size is 0"):
        finder("bahsic")(table, {"size": 0, "kernel": "linear"}, Context())
    with pytest.raises(UserError, match="cut 'permutation' is not for this method"):
        finder("koller-sahami")(table, {"cut": "permutation"}, Context())
    assert set(NAMES) <= set(METHODS)


def test_the_command(lucas, tmp_path, run_script):
    done = run_script(
        "find_blanket", "--train", lucas, "--target", "T", "--method", "kcdm", "--kernel", "linear", "--output",
        tmp_path / "b.tsv",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = pd.read_csv(tmp_path / "b.tsv", sep="\t")
    assert list(rows["rank"]) == list(range(1, len(rows) + 1)) and set(rows["variable"]) <= LUNG_CANCERS_BLANKET
