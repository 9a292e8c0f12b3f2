"""Clues to ancestry, the trees that weigh them, and the verdicts."""

import json

import numpy as np
import pytest

from himation.evaluate import auc
from himation.reruns import ancestry as study
from himation.selection import clues as clues_module
from himation.selection.ancestry import MODEL, RELATED, choose_candidates, load_model
from himation.selection.clues import NAMES, association, find_clues, standardised
from himation.selection.trees import from_boosting, from_numbers


def _find(X, labels, candidates=None):
    Z = standardised(np.asarray(X, dtype=float))
    r = association(lambda variables: Z[:, variables], Z.shape[1], labels)
    chosen = choose_candidates(r, len(labels)) if candidates is None else candidates
    return chosen, find_clues(lambda variables: Z[:, variables], r, chosen, len(labels))


def _clue(clues, row, name):
    return clues.values[row, NAMES.index(name)]


@pytest.fixture(scope="module")
def network():
    """W0 -> X1 -> T, T -> X3 <- W2, and T -> X4 alone; the columns are W0, X1, W2, X3, X4."""
    rng = np.random.default_rng(4)
    n = 3000
    w0, w2 = rng.normal(size=(2, n))
    x1 = w0 + 0.7 * rng.normal(size=n)
    t = np.where(x1 + 0.8 * rng.normal(size=n) > 0, 1.0, -1.0)
    x3 = t + w2 + 0.5 * rng.normal(size=n)
    x4 = t + rng.normal(size=n)
    return np.column_stack([w0, x1, w2, x3, x4]), t


def test_a_variable_tied_to_something_unrelated_to_the_target_is_no_ancestor(network):
    _, clues = _find(*network, [1, 3, 4])
    assert _clue(clues, 1, "one_instrument") > 3  # W2 goes with X3 and not with T
    assert _clue(clues, 0, "one_instrument") == _clue(clues, 2, "one_instrument") == 0
    assert _clue(clues, 1, "instruments") == pytest.approx(np.log(2))


def test_who_stands_between(network):
    """X1 stands between W0 and the target; the target between W0 and its effect X4."""
    _, clues = _find(*network, [1, 3, 4])
    share = np.exp(clues.values[:, NAMES.index("variable_between")])
    assert share[0] > 2 * share[2]
    assert _clue(clues, 2, "target_between") > _clue(clues, 0, "target_between")


def test_clues_against_plain_formulas(network):
    X, labels = network
    _, clues = _find(X, labels, [3])
    n, r = len(labels), np.corrcoef(np.column_stack([X, labels]).T)
    expected, observed = np.sqrt(n) * abs(r[2, 3] * r[3, 5]), np.sqrt(n) * r[2, 5] * np.sign(r[2, 3] * r[3, 5])
    assert _clue(clues, 0, "one_instrument") == pytest.approx(np.log1p(expected**2 / 2 - expected * observed), rel=1e-3)
    assert _clue(clues, 0, "r") == pytest.approx(abs(r[3, 5]), abs=1e-5)
    fitted = np.polyfit(X[:, 2], X[:, 3], 1)
    assert _clue(clues, 0, "explained_by_instruments") == pytest.approx(
        np.corrcoef(np.polyval(fitted, X[:, 2]), X[:, 3])[0, 1], abs=1e-3
    )


def test_pieces_and_the_order_of_the_columns_do_not_matter(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 90)) @ rng.normal(size=(90, 90))
    labels = np.sign(X[:, 0] + X[:, 5] + rng.normal(size=400))
    chosen, whole = _find(X, labels)
    order = rng.permutation(90)
    others, permuted = _find(X[:, order], labels)
    assert sorted(order[others]) == chosen
    where = {int(order[x]): i for i, x in enumerate(others)}
    assert np.allclose(permuted.values[[where[x] for x in chosen]], whole.values, atol=2e-5)
    monkeypatch.setattr(clues_module, "_BLOCK", 7)
    monkeypatch.setattr(clues_module, "_CHUNK", 11)
    assert np.allclose(_find(X, labels)[1].values, whole.values, atol=2e-5)


def test_candidates_are_the_strongest_and_no_more_than_memory_is_meant_for(monkeypatch):
    r = np.array([0.5, 0.01, -0.3, 0.2])
    assert choose_candidates(r, 1000) == [0, 2, 3]
    assert choose_candidates(r, int((RELATED / 0.25) ** 2)) == [0, 2]
    monkeypatch.setattr("himation.selection.ancestry.MOST_CELLS", 8)
    assert choose_candidates(r, 1000) == [0, 2]


def test_exported_trees_predict_as_scikit_learn_does():
    from sklearn.ensemble import HistGradientBoostingClassifier

    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 6))
    y = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=500) > 0
    model = HistGradientBoostingClassifier(max_iter=20, max_depth=3, min_samples_leaf=40).fit(X, y)
    trees = from_boosting(model, 3)
    again = from_numbers(json.loads(json.dumps(trees.as_numbers())))
    fresh = rng.normal(size=(300, 6))
    assert np.allclose(again.log_odds(fresh), model.decision_function(fresh), atol=2e-3)


def test_the_shipped_trees_tell_ancestors_on_problems_they_have_not_seen():
    model = load_model()
    for kind, least in (("lucap 1000", 0.85), ("cina 1500", 0.75), ("continuous", 0.65)):
        found = [study._examples(kind, seed) for seed in (1, 2, 3)]
        truth = np.concatenate([one.not_ancestor for one in found])
        log_odds = np.concatenate([model.log_odds(one.clues) for one in found])
        assert auc(np.where(truth, 1, -1), log_odds) > least, kind


def test_a_fit_is_repeatable_and_blind_to_the_number_of_processes(monkeypatch):
    monkeypatch.setattr(study, "PROBED", {"lucap": ((300, 40),)})
    monkeypatch.setattr(study, "TREES", 5)
    one, two = (study.as_numbers(study.fit(4, seed=7, threads=threads)) for threads in (1, 2))
    assert one == two
    assert len(one["first"]["leaves"]) == 5


def test_trees_of_other_clues_are_refused(tmp_path):
    numbers = json.loads(MODEL.read_text(encoding="utf-8"))
    other = tmp_path / "trees.json"
    other.write_text(json.dumps({**numbers, "clues": ["height"]}), encoding="utf-8")
    with pytest.raises(ValueError, match="other clues"):
        load_model(other)
