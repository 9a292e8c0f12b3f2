"""Boosted trees as members of the ensemble, kept as plain arrays.

The idea (Friedman 2001). Each small tree is fitted to what the trees before it still get wrong, and all of them are
added up. Trees see thresholds and the variables on either side of them, which kernels of few examples only smooth over,
and are not misled by columns without use. They are grown on histograms of a column's values; the settings are fixed and
few leaves keep a tree to few variables. Of more than `MOST_COLUMNS` columns they see those that go most with the
labels, so that time does not grow with the table's width. Both classes weigh the same in total.

A member's value is the difference of both classes' chances, between -1 and +1 like a ridge model's. How far the trees
speak beside the kernel models is stacked (Wolpert 1992): the share with which the values of examples that members had
not seen order them best.

>>> X = np.arange(400.0)[:, None] % 20
>>> y = np.where(abs(X[:, 0] - 9) < 4, 1, -1)
>>> trees = grow(X, y)
>>> bool(np.abs(trees.values(X) - y).max() < 0.2)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from himation.evaluate import auc
from himation.models.ridge import class_weights

ROUNDS, RATE, LEAVES, LEAST_IN_LEAF, PENALTY = 100, 0.1, 8, 10, 1.0
BINS = 255  # of a column
MOST_COLUMNS = 300
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
DIGITS = 9  # of an AUC, beyond which two are equal
NODE = ("feature", "threshold", "left", "right", "value")  # a leaf's children are -1


@dataclass(frozen=True)
class Trees:
    """One member: the nodes of all its trees, one after the other, where each tree begins, and what all examples have
    in common."""

    nodes: dict[str, np.ndarray]
    roots: np.ndarray
    start: float

    def values(self, X) -> np.ndarray:
        """The difference of both classes' chances."""
        from himation.models.tree_walk import summed

        rows = np.ascontiguousarray(X, dtype=float)
        return np.tanh(summed(rows, *(self.nodes[key] for key in NODE), self.roots, self.start) / 2)

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {**self.nodes, "roots": self.roots, "start": np.array(self.start)}

    @classmethod
    def from_arrays(cls, arrays, width: int) -> Trees:
        """The reverse, of a member that sees so many columns. Children come after parents, so that a walk ends."""
        nodes = {key: arrays[key] for key in NODE}
        size, roots = len(nodes["value"]), arrays["roots"]
        inner = nodes["left"] >= 0
        here = np.arange(size)[inner]
        children = np.stack([nodes["left"][inner], nodes["right"][inner]])
        whole = all(nodes[key].dtype.kind == "i" for key in ("feature", "left", "right")) and roots.dtype.kind == "i"
        sound = whole and all(values.shape == (size,) for values in nodes.values()) and roots.ndim == 1
        if not (
            sound
            and ((children > here) & (children < size)).all()
            and ((nodes["feature"][inner] >= 0) & (nodes["feature"][inner] < width)).all()
            and ((roots >= 0) & (roots < size)).all()
        ):
            raise ValueError("the nodes of boosted trees don't fit together")
        return cls(nodes, roots, float(arrays["start"]))


def grow(X, y) -> Trees:
    """Trees for labels -1 and +1."""
    from himation.models.tree_walk import boosted

    columns = _strongest(np.asarray(X, dtype=float), y)
    codes, edges = _binned(np.asarray(X[:, columns], dtype=float))
    bins = np.array([len(own) + 1 for own in edges])
    mass, positive = class_weights(y), np.asarray(y) > 0
    share = float(mass @ positive / mass.sum())
    start = float(np.log(share / (1 - share)))
    settings = ROUNDS, RATE, LEAVES, LEAST_IN_LEAF, PENALTY
    feature, code, left, right, value, roots = boosted(codes, bins, positive.astype(float), mass, start, *settings)
    inner = left >= 0
    threshold = np.zeros(len(left))
    threshold[inner] = [edges[x][k] for x, k in zip(feature[inner].tolist(), code[inner].tolist(), strict=True)]
    return Trees(dict(zip(NODE, (columns[feature], threshold, left, right, value), strict=True)), roots, start)


def _strongest(X, y) -> np.ndarray:
    """The columns with the largest correlation with the labels, in their order."""
    if X.shape[1] <= MOST_COLUMNS:
        return np.arange(X.shape[1])
    centred = X - X.mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=0))
    strength = np.abs((y - np.mean(y)) @ centred) / np.where(spread > 0, spread, np.inf)
    return np.sort(np.argsort(-np.round(strength, DIGITS), kind="stable")[:MOST_COLUMNS])


def _binned(X: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """For every value, by column and row, how many edges of its column are below it; and the edges: midway between
    different values, or, of more than BINS of these, between bins of as many examples."""
    binned, edges = np.empty(X.T.shape, dtype=np.uint8), []
    for k, column in enumerate(X.T):
        values = np.unique(column)
        if len(values) > BINS:
            ordered = np.sort(column)
            ends = np.linspace(0, len(ordered), BINS + 1)[1:-1].astype(int)
            edges.append(np.unique((ordered[ends - 1] + ordered[ends]) / 2))
        else:
            edges.append((values[1:] + values[:-1]) / 2)
        binned[k] = np.searchsorted(edges[-1], column)
    return binned, edges


class Stack(NamedTuple):
    """The share of the trees, and by how much the values of either family are multiplied before they are added."""

    share: float = 0.0
    kernels: float = 1.0
    trees: float = 0.0


def stacked(y, kernels, trees) -> Stack:
    """From the values of examples that neither family saw: of `SHARES`, the one with the largest AUC, of equal ones the
    smallest. Both families count by their spread, and what they say together is on the scale of the labels.

    >>> y = np.array([-1, 1, -1, 1])
    >>> stacked(y, y / 2, np.array([1, 2, 3, 4.0])), stacked(y, -y, y / 4)
    (Stack(share=0.0, kernels=2.0, trees=0.0), Stack(share=0.75, kernels=0.5, trees=6.0))
    """
    mass = class_weights(y)
    spreads = [float(values.std()) or 1.0 for values in (kernels, trees)]
    tried = [((1 - share) / spreads[0], share / spreads[1]) for share in SHARES]
    areas = [round(auc(y, a * kernels + b * trees), DIGITS) for a, b in tried]
    best = int(np.argmax(areas))
    weights = tried[best]
    together = weights[0] * kernels + weights[1] * trees
    along, square = float(mass @ (together * y)), float(mass @ together**2)
    slope = along / square if along > 0 else 1.0
    return Stack(SHARES[best], weights[0] * slope, weights[1] * slope)
