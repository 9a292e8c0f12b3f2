"""Sums of small decision trees, kept as plain numbers in a text file: prediction, and export from scikit-learn.

A tree of depth D is a full binary tree: node i asks whether a feature is at most a threshold, and goes on to node
2i + 1 if so, to 2i + 2 if not. After D questions stands a leaf with its value. The sum over all trees, and a constant,
are log-odds. A file of numbers can be read by anyone and executes nothing, which a pickle can't promise.

>>> trees = Trees(0.5, np.array([[0]]), np.array([[2.0]]), np.array([[-1.0, 1.0]]))
>>> trees.log_odds(np.array([[1.0], [3.0]])).tolist()
[-0.5, 1.5]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_DIGITS = 5
_NEVER = 1e300  # a threshold that nothing exceeds, where a tree ends early


@dataclass(frozen=True)
class Trees:
    """A constant; and for every tree its features, thresholds (2^D - 1 each) and leaves (2^D)."""

    constant: float
    features: np.ndarray
    thresholds: np.ndarray
    leaves: np.ndarray

    def log_odds(self, X: np.ndarray) -> np.ndarray:
        rows = np.arange(len(X))
        total = np.full(len(X), self.constant)
        inner = self.features.shape[1]
        for features, thresholds, leaves in zip(self.features, self.thresholds, self.leaves, strict=True):
            at = np.zeros(len(X), dtype=np.int64)
            while inner and at.min(initial=inner) < inner:
                at = 2 * at + 1 + (X[rows, features[at]] > thresholds[at])
            total += leaves[at - inner]
        return total

    def as_numbers(self) -> dict:
        return {
            "constant": round(self.constant, _DIGITS),
            "features": self.features.tolist(),
            "thresholds": self.thresholds.tolist(),
            "leaves": self.leaves.tolist(),
        }


def from_numbers(numbers: dict) -> Trees:
    return Trees(
        float(numbers["constant"]),
        np.array(numbers["features"], dtype=np.int64),
        np.array(numbers["thresholds"], dtype=float),
        np.array(numbers["leaves"], dtype=float),
    )


def from_boosting(model, depth: int) -> Trees:
    """The trees of a fitted HistGradientBoostingClassifier of two classes, rounded."""
    features, thresholds, leaves = [], [], []
    for (predictor,) in model._predictors:
        rows = ([0] * (2**depth - 1), [_NEVER] * (2**depth - 1), [0.0] * 2**depth)
        _unfold(predictor.nodes, 0, 0, depth, rows)
        for kept, row in zip((features, thresholds, leaves), rows, strict=True):
            kept.append(row)
    return Trees(float(np.ravel(model._baseline_prediction)[0]), *map(np.array, (features, thresholds, leaves)))


def _unfold(nodes, node: int, place: int, left: int, rows) -> None:
    """Write a node of scikit-learn's tree to its place in the full tree; a leaf above the bottom fills all below it."""
    features, thresholds, leaves = rows
    if left == 0:
        leaves[place - len(features)] = round(float(nodes[node]["value"]), _DIGITS)
    elif nodes[node]["is_leaf"]:
        _unfold(nodes, node, 2 * place + 1, left - 1, rows)
        _unfold(nodes, node, 2 * place + 2, left - 1, rows)
    else:
        features[place] = int(nodes[node]["feature_idx"])
        thresholds[place] = round(float(nodes[node]["num_threshold"]), _DIGITS)
        _unfold(nodes, int(nodes[node]["left"]), 2 * place + 1, left - 1, rows)
        _unfold(nodes, int(nodes[node]["right"]), 2 * place + 2, left - 1, rows)
