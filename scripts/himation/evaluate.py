"""Scores: how good are predictions, and how close is a set of variables to the true one?

The scores are those of the WCCI 2008 causation and prediction challenge (Guyon et al. 2008), on which chapter V of
Brown's thesis reports, and the precision, recall and distance of the papers on Markov blankets (Peña et al. 2007).

* **Tscore** (test set) and **Dscore** (training set): the area under the ROC curve, `auc`. Its error bar is
  `tscore_error_bar`, and `relative_tscore` compares it with the best score that knowledge of the true causes can give.
* **Fscore**: how well a list of variables separates the relevant ones, the target's Markov blanket *in the distribution
  of the test set*, from all others. It is an area under the ROC curve as well, over variables in place of examples: the
  score is membership of the list (`fscore_unsorted`) or the position in it (`fscore_sorted`).

Three of five relevant variables found, with one false one, among 11 in all:

>>> round(fscore_unsorted({"a", "b", "c", "x"}, {"a", "b", "c", "d", "e"}, 11), 4)
0.7167
>>> round(fscore_sorted(["a", "b", "c", "x"], {"a", "b", "c", "d", "e"}, 11), 4)
0.7667

A ranking earns more than the bare set when the false variable stands last, and less when it stands first:

>>> round(fscore_sorted(["x", "a", "b", "c"], {"a", "b", "c", "d", "e"}, 11), 4)
0.6667

Predictions: higher means "more likely positive", equal scores count half.

>>> auc([1, 1, -1, -1], [0.9, 0.4, 0.4, 0.1])
0.875
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from himation.errors import UserError


def auc(y: ArrayLike, score: ArrayLike, weight: ArrayLike | None = None) -> float:
    """Area under the ROC curve of `score` for the labels `y` (positive: > 0), with ties counted half.

    This is the Mann-Whitney statistic: the chance that a random positive example scores higher than a random negative
    one. Labels may be +1/-1, 1/0 or booleans; `weight` says how often each example counts.

    >>> auc([-1, 1, -1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    positive, score = _labels_and_scores(y, score)
    weight = np.ones(len(positive)) if weight is None else np.asarray(weight, dtype=float)
    _, level = np.unique(score, return_inverse=True)
    positives = np.bincount(level, weights=weight * positive)
    negatives = np.bincount(level, weights=weight * ~positive)
    pairs = positives.sum() * negatives.sum()
    if not pairs > 0:
        raise UserError("an AUC needs examples of both classes with a weight above zero")
    below = np.cumsum(negatives) - negatives
    return float(positives @ (below + 0.5 * negatives) / pairs)


def roc_curve(y: ArrayLike, score: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """False positive rate, true positive rate and threshold at every distinct score, from (0, 0) to (1, 1).

    Examples with a score of at least the threshold count as predicted positive; the first threshold is infinite.
    """
    positive, score = _labels_and_scores(y, score)
    order = np.argsort(-score, kind="stable")
    score, positive = score[order], positive[order]
    last_of_tie = np.append(score[1:] != score[:-1], True)
    true_positives = np.cumsum(positive)[last_of_tie]
    false_positives = np.cumsum(~positive)[last_of_tie]
    fpr = np.concatenate([[0.0], false_positives / false_positives[-1]])
    tpr = np.concatenate([[0.0], true_positives / true_positives[-1]])
    return fpr, tpr, np.concatenate([[np.inf], score[last_of_tie]])


def tscore_error_bar(y: ArrayLike, score: ArrayLike) -> float:
    """The challenge's error bar of an AUC: half the standard errors of sensitivity and specificity, added in square.

    Taken at the point of the ROC curve where the mean of sensitivity and specificity is highest; the first such point
    from the left if there are several.
    """
    positive, _ = _labels_and_scores(y, score)
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    fpr, sensitivity, _ = roc_curve(y, score)
    specificity = 1 - fpr
    best = int(np.argmax(sensitivity + specificity))
    sens, spec = float(sensitivity[best]), float(specificity[best])
    return 0.5 * math.sqrt(sens * (1 - sens) / n_positive + spec * (1 - spec) / n_negative)


def relative_tscore(t: float, tmax: float) -> float:
    """The part of the attainable gain over guessing that was attained: (t - 0.5) / (tmax - 0.5).

    Not a number where nothing was attainable (tmax = 0.5).
    """
    return (t - 0.5) / (tmax - 0.5) if tmax != 0.5 else math.nan


def fscore_unsorted(selected: Collection, relevant: Collection, n_variables: int) -> float:
    """Fscore of a list without order: the mean of the relevant part listed and the irrelevant part left out.

    Variables may be named by anything hashable, the same in both collections. Not a number where no variable, or every
    variable, is relevant.
    """
    selected, relevant = _known_sets(selected, relevant, n_variables)
    n_relevant, n_irrelevant = len(relevant), n_variables - len(relevant)
    if not n_relevant or not n_irrelevant:
        return math.nan
    true_positives = len(selected & relevant)
    true_negatives = n_irrelevant - len(selected - relevant)
    return (true_positives / n_relevant + true_negatives / n_irrelevant) / 2


def fscore_sorted(ranking: Sequence, relevant: Collection, n_variables: int) -> float:
    """Fscore of a list with the best first: the AUC of the position, variables off the list tied after its end."""
    ranking = list(ranking)
    listed, relevant = _known_sets(ranking, relevant, n_variables)
    if len(listed) != len(ranking):
        repeated = next(name for i, name in enumerate(ranking) if name in ranking[:i])
        raise UserError(f"the ranking lists {repeated!r} more than once; list every variable once, best first")
    n_relevant, n_irrelevant = len(relevant), n_variables - len(relevant)
    if not n_relevant or not n_irrelevant:
        return math.nan
    irrelevant_after, wins = n_irrelevant, 0.0
    for name in ranking:
        if name in relevant:
            wins += irrelevant_after
        else:
            irrelevant_after -= 1
    wins += len(relevant - listed) * irrelevant_after / 2
    return wins / (n_relevant * n_irrelevant)


@dataclass(frozen=True)
class SetAgreement:
    """How a set that was found compares with the true one; `distance` is 0 when they are equal, at most sqrt(2)."""

    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    distance: float


def set_agreement(found: Collection, true: Collection) -> SetAgreement:
    """Precision, recall and their distance from the point (1, 1).

    An empty `found` has precision 1 (nothing was claimed wrongly) and an empty `true` has recall 1 (nothing was
    missed), so that two empty sets agree.

    >>> set_agreement({"a", "b"}, {"a", "c"})
    SetAgreement(tp=1, fp=1, fn=1, precision=0.5, recall=0.5, distance=0.7071067811865476)
    """
    found, true = set(found), set(true)
    tp, fp, fn = len(found & true), len(found - true), len(true - found)
    precision = tp / (tp + fp) if found else 1.0
    recall = tp / (tp + fn) if true else 1.0
    return SetAgreement(tp, fp, fn, precision, recall, math.hypot(1 - precision, 1 - recall))


def _labels_and_scores(y, score) -> tuple[np.ndarray, np.ndarray]:
    """Booleans and floats of equal length, with both classes present and no score missing."""
    positive, score = np.asarray(y) > 0, np.asarray(score, dtype=float)
    if positive.ndim != 1 or positive.shape != score.shape:
        raise UserError(
            f"labels and scores must be two lists of one length, found shapes {positive.shape} and {score.shape}"
        )
    if np.isnan(score).any():
        raise UserError(f"{int(np.isnan(score).sum())} of {len(score)} scores are not a number; an AUC needs them all")
    if positive.all() or not positive.any():
        raise UserError("an AUC needs examples of both classes, found only one class in the labels")
    return positive, score


def _known_sets(selected: Collection, relevant: Collection, n_variables: int) -> tuple[set, set]:
    """Both as sets, refused when they can't both be parts of `n_variables` variables."""
    selected, relevant = set(selected), set(relevant)
    n_named = len(selected | relevant)
    if n_named > n_variables:
        raise UserError(f"{n_named} different variables are listed or relevant, but n_variables is {n_variables}")
    return selected, relevant
