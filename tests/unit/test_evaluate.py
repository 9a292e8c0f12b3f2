"""The challenge's scores against scikit-learn, brute force and the Fscores that were published."""

import doctest
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from himation import evaluate
from himation.errors import UserError
from himation.evaluate import auc, fscore_sorted, fscore_unsorted, relative_tscore, roc_curve, tscore_error_bar

# Brown's thesis, tables V-1 and V-2: task, Fnum, Fscore as printed.
PUBLISHED = [
    ("V-1", "CINA0", 101, 0.8496), ("V-1", "CINA1", 5, 0.4716), ("V-1", "CINA2", 5, 0.4716),
    ("V-1", "MARTI0", 24, 0.5869), ("V-1", "MARTI1", 17, 0.5643), ("V-1", "MARTI2", 3, 0.4985),
    ("V-1", "REGED0", 15, 0.8571), ("V-1", "REGED1", 9, 0.7851), ("V-1", "REGED2", 3, 1.0000),
    ("V-1", "SIDO1", 4, 0.5003), ("V-1", "SIDO2", 4, 0.5003),
    ("V-2", "CINA0", 101, 0.8496), ("V-2", "CINA1", 101, 0.5795), ("V-2", "CINA2", 101, 0.5795),
    ("V-2", "MARTI0", 24, 0.5869), ("V-2", "MARTI1", 24, 0.5985), ("V-2", "MARTI2", 24, 0.7429),
    ("V-2", "REGED0", 15, 0.8571), ("V-2", "REGED1", 15, 0.7825), ("V-2", "REGED2", 15, 1.0000),
    ("V-2", "SIDO0", 13, 0.5015), ("V-2", "SIDO1", 13, 0.5012), ("V-2", "SIDO2", 13, 0.5012),
]  # fmt: skip
MISPRINT = ("V-1", "SIDO0", 13, 0.5115)  # the same 13 features have 0.5015 in table V-2
# Relevant and all variables of each task (Guyon et al. 2008).
RELEVANT = {
    "REGED0": (21, 999), "REGED1": (14, 999), "REGED2": (2, 999),
    "MARTI0": (21, 1024), "MARTI1": (14, 1024), "MARTI2": (2, 1024),
    "CINA0": (115, 132), "CINA1": (44, 132), "CINA2": (44, 132),
    "SIDO0": (4305, 4932), "SIDO1": (1644, 4932), "SIDO2": (1644, 4932),
}  # fmt: skip


def test_doctest():
    assert doctest.testmod(evaluate).failed == 0


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), min_size=2, max_size=40))
def test_auc_and_roc_against_sklearn_with_ties(examples):
    y = np.array([1 if positive else -1 for positive, _ in examples])
    score = np.array([float(s) for _, s in examples])
    if len(set(y)) < 2:
        with pytest.raises(UserError, match="both classes"):
            auc(y, score)
        return
    assert auc(y, score) == pytest.approx(metrics.roc_auc_score(y, score), abs=1e-12)
    ours = roc_curve(y, score)
    theirs = metrics.roc_curve(y, score, drop_intermediate=False)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b)


def test_auc_takes_any_labels_and_is_exact_at_the_ends():
    score = np.array([1e300, -np.inf, 0.5, np.inf])
    assert auc([True, False, False, True], score) == 1.0
    assert auc([1, 0, 0, 1], -score) == 0.0
    assert auc([1, -1, 1, -1], np.zeros(4)) == 0.5


@pytest.mark.parametrize(
    ("y", "score", "message"),
    [
        ([1, -1], [0.1, math.nan], "1 of 2 scores"),
        ([1, -1], [0.1], "one length"),
        ([], [], "both classes"),
        ([[1], [-1]], [[1], [2]], "one length"),
    ],
)
def test_auc_refuses_bad_input(y, score, message):
    with pytest.raises(UserError, match=message):
        auc(y, score)


def test_error_bar_at_the_point_of_highest_balanced_accuracy():
    rng = np.random.default_rng(5)
    y = np.where(rng.random(300) < 0.2, 1, -1)
    score = rng.normal(size=300) + (y > 0)
    best, bar = -1.0, math.nan
    for threshold in sorted(set(score), reverse=True):
        sens = np.mean(score[y > 0] >= threshold)
        spec = np.mean(score[y < 0] < threshold)
        if sens + spec > best:
            best = sens + spec
            bar = math.sqrt(sens * (1 - sens) / np.sum(y > 0) + spec * (1 - spec) / np.sum(y < 0)) / 2
    assert tscore_error_bar(y, score) == pytest.approx(bar)
    assert tscore_error_bar([1, 1, -1], [3, 2, 1]) == 0.0


def test_relative_tscore():
    assert relative_tscore(0.86, 0.953) == pytest.approx(0.36 / 0.453)
    assert relative_tscore(0.4, 0.9) < 0
    assert math.isnan(relative_tscore(0.5, 0.5))


@settings(max_examples=100, deadline=None)
@given(st.permutations(range(9)), st.integers(0, 9), st.sets(st.integers(0, 8), min_size=1, max_size=8))
def test_fscores_are_auc_over_variables(order, length, relevant):
    ranking = order[:length]
    y = [1 if v in relevant else -1 for v in range(9)]
    position = [length - ranking.index(v) if v in ranking else 0 for v in range(9)]
    assert fscore_sorted(ranking, relevant, 9) == pytest.approx(auc(y, position))
    listed = [v in ranking for v in range(9)]
    assert fscore_unsorted(ranking, relevant, 9) == pytest.approx(auc(y, listed))


def ranking_with_inversions(tp, fp, inversions):
    """tp true (1, 2, ...) and fp false (-1, -2, ...) variables, with that many (false before true) pairs."""
    before = [0] * tp  # how many false ones stand before each true one
    for i in reversed(range(tp)):
        before[i] = min(fp, inversions)
        inversions -= before[i]
    ranking, n_false = [], 0
    for i, n in enumerate(before):
        ranking += [-k for k in range(n_false + 1, n + 1)] + [i + 1]
        n_false = max(n_false, n)
    return ranking + [-k for k in range(n_false + 1, fp + 1)]


def numbers_that_give(fscore, fnum, n_relevant, n_variables):
    """All (tp, fp) from which an unsorted list, and (tp, fp, inversions) from which a ranking, has that Fscore."""
    relevant = range(1, n_relevant + 1)
    unsorted, ranked = [], []
    for tp in range(max(0, fnum - (n_variables - n_relevant)), min(fnum, n_relevant) + 1):
        fp = fnum - tp
        best = ranking_with_inversions(tp, fp, 0)
        if f"{fscore_unsorted(best, relevant, n_variables):.4f}" == f"{fscore:.4f}":
            unsorted.append((tp, fp))
        step = 1 / (n_relevant * (n_variables - n_relevant))
        inversions = round((fscore_sorted(best, relevant, n_variables) - fscore) / step)
        inversions = min(max(inversions, 0), tp * fp)
        ranking = ranking_with_inversions(tp, fp, inversions)
        if f"{fscore_sorted(ranking, relevant, n_variables):.4f}" == f"{fscore:.4f}":
            ranked.append((tp, fp, inversions))
    return unsorted, ranked


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: "-".join(map(str, row[:2])))
def test_published_fscores_are_those_of_some_ranking(row):
    _, task, fnum, fscore = row
    unsorted, ranked = numbers_that_give(fscore, fnum, *RELEVANT[task])
    assert ranked, "no ranking has the published Fscore"
    if len({tp for tp, _, _ in ranked}) == 1 and 0 in ranked[0][:2]:
        assert unsorted == [ranked[0][:2]]  # all true or all false: order makes no difference


def test_published_fscores_fix_the_number_of_true_members():
    def numbers(task, fnum, fscore):
        return {found[:2] for found in numbers_that_give(fscore, fnum, *RELEVANT[task])[1]}

    assert numbers("REGED0", 15, 0.8571) == {(15, 0)}
    assert numbers("REGED1", 9, 0.7851) == {(8, 1)}
    assert numbers("REGED1", 15, 0.7825) == {(8, 7)}
    assert numbers("REGED2", 3, 1.0) == {(2, 1)}
    assert numbers("MARTI0", 24, 0.5869) == {(4, 20)}
    assert not numbers(*MISPRINT[1:])


def test_fscores_where_nothing_can_be_separated_and_bad_input():
    assert math.isnan(fscore_unsorted({1}, set(), 5))
    assert math.isnan(fscore_sorted([1], {1, 2}, 2))
    assert fscore_unsorted(set(), {1}, 5) == fscore_sorted([], {1}, 5) == 0.5
    with pytest.raises(UserError, match="n_variables is 2"):
        fscore_unsorted({1, 2}, {3}, 2)
    with pytest.raises(UserError, match="more than once"):
        fscore_sorted([1, 1], {1}, 5)


def test_set_agreement():
    same = evaluate.set_agreement([3, 1], {1, 3})
    assert (same.precision, same.recall, same.distance) == (1, 1, 0)
    assert evaluate.set_agreement([], []).distance == 0
    assert evaluate.set_agreement([], [1]) == evaluate.SetAgreement(0, 0, 1, 1.0, 0.0, 1.0)
    found = evaluate.set_agreement([1, 2, 3, 4], [1, 2, 3, 5, 6])
    assert (found.tp, found.fp, found.fn) == (3, 1, 2)
    assert found.distance == pytest.approx(math.sqrt(0.25**2 + 0.4**2))
