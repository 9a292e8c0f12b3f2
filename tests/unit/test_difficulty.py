"""The difficulty of the simulated tasks: the sets are those of the graph, the figures go the published way."""

import numpy as np
import pytest

from himation.models.linear import linear_scores, scaled
from himation.studies.reruns import TUNED, difficulty, published
from himation.studies.reruns.difficulty import measure, variable_sets
from himation.studies.simulate.tasks import simulate


def test_sets_of_lucap_are_those_of_the_graph():
    problem = simulate("lucap", 1, 1, 100, 100, 60)
    names = problem.train.names
    sets = {key: {names[column] for column in columns} for key, columns in variable_sets(problem).items()}
    assert sets["parents"] == {"Smoking", "Genetics"}
    effects = {name for name in names if name.startswith("effect")}
    assert sets["children"] == {"Coughing", "Fatigue"} | effects
    assert sets["real"] == set(problem.real) == sets["manipulated blanket"]
    assert sets["probes"] == set(problem.manipulated) and sets["all"] == set(names)
    spouses = {cause for cause, effect in problem.edges if effect in effects and cause != "target"}
    assert effects | spouses <= sets["blanket"] and any(name.startswith("confounded") for name in spouses)


def test_every_published_figure_has_a_set():
    known = {"parents", "children", "both", "blanket", "all", "manipulated blanket", "real", "probes", "best"}
    rows = published("challenge_difficulty")
    assert {row["variables"].partition(",")[0] for row in rows} <= known and len(rows) > 20


def test_probes_help_naturally_and_deceive_in_version_2():
    sizes = (132, 2500, 2500)
    natural = measure("cina", 0, ["real", "probes", "all"], 1, sizes)
    adverse = measure("cina", 2, ["real", "probes", "all"], 1, sizes)
    assert natural["all"] > natural["probes"] > 0.9 > 0.85 < natural["real"]
    assert adverse["probes"] < 0.4 and adverse["all"] < 0.72 and adverse["real"] > 0.85


def test_noise_hurts_and_its_removal_helps():
    found = measure("marti", 0, ["both, raw", "both, filtered"], 1, (1024, 300, 1000))
    assert found["both, raw"] < 0.9 < 0.99 < found["both, filtered"]


def test_sparse_and_dense_tables_give_one_answer():
    """Zeros and ones stay as they are, so both forms are the same problem."""
    from scipy import sparse

    rng = np.random.default_rng(1)
    X = (rng.random((300, 20)) < 0.2).astype(np.uint8)
    y = np.where(X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=300) > 0.5, 1, -1)
    train, new = scaled(X[:200], X[200:])
    assert sparse.issparse(train) and np.array_equal(train.toarray(), X[:200])
    assert new.shape == (100, 20)
    as_bytes = linear_scores(X[:200], y[:200], X[200:], cost=0.1)
    as_floats = linear_scores(X[:200].astype(float), y[:200], X[200:].astype(float), cost=0.1)
    assert as_bytes == pytest.approx(as_floats)


def test_every_line_says_that_constants_were_chosen_by_the_figures(monkeypatch):
    monkeypatch.setattr(difficulty, "measure", lambda task, version, wanted, seed: dict.fromkeys(wanted, seed / 10))
    lines = difficulty.run(2, 1)
    assert len(lines) == len(published("challenge_difficulty"))
    assert all(line.note.endswith(TUNED) and abs(line.rerun - 0.15) < 1e-9 for line in lines)
