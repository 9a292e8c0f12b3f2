"""Causes told from the rest, beside two peers that only sort variables (package CausalDisco).

In many simulated problems the variances grow along the causal order, or the shares R2 of a variable's variance that all
others explain do. A method that sorts by them then passes for one that knows causes (Reisach, Seiler and Weichwald
2021; Reisach et al. 2023). Both are asked for here as peers, small meaning cause; and the sortability of a problem
says how far such sorting carries: the share of pairs of a cause and an effect, direct or not, that it puts right. One
half is neutral.
"""

import warnings
from collections.abc import Collection, Mapping

import numpy as np

from himation.errors import UserError
from himation.evaluate import auc
from himation.prepare.scaling import unit_columns

RELATED = 3.0  # z-score from which a variable goes with the target
OURS, BY_VARIANCE, BY_R2 = "P(ancestor)", "sorting by variance", "sorting by R2"
WAYS = (OURS, BY_VARIANCE, BY_R2)


def _package():
    try:
        from CausalDisco import analytics
    except ModuleNotFoundError:
        raise UserError("this experiment needs the package CausalDisco: pip install CausalDisco==0.2.0") from None
    return analytics


def related(values: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Which columns go with the target."""
    r = unit_columns(values).T @ (labels - labels.mean()) / (len(labels) * labels.std())
    return np.flatnonzero(np.abs(r) * np.sqrt(len(labels)) > RELATED)


def aucs(
    values: np.ndarray, labels: np.ndarray, ancestors: Collection[int], p_ancestor: Mapping[int, float]
) -> dict[str, float]:
    """How well each of WAYS tells the target's ancestors among the columns that go with it; nothing where there are
    none, or no others."""
    among = related(values, labels)
    true = np.isin(among, list(ancestors))
    if not 0 < true.sum() < len(true):
        return {}
    scores = {
        OURS: np.array([p_ancestor.get(int(x), 0.0) for x in among]),
        BY_VARIANCE: -values[:, among].var(axis=0),
        BY_R2: -_r2(np.column_stack([values, labels]))[among],
    }
    return {way: auc(true, score) for way, score in scores.items()}


def _r2(values: np.ndarray) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # variables that are nearly functions of others
        return _package().r2coeff(values.T)


def sortability(values: np.ndarray, dag: np.ndarray) -> dict[str, float]:
    """Of a sample whose columns are the nodes of the true graph, by variance and by R2."""
    package = _package()
    return {BY_VARIANCE: package.var_sortability(values, dag), BY_R2: package.r2_sortability(values, dag)}
