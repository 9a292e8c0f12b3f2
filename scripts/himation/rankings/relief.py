"""ReliefF (Kononenko 1994; Robnik-Sikonja and Kononenko 2003) and its backward wrapper (thesis, III.7).

A variable is worth much if it differs between an example and its nearest neighbours of another class (misses), and
little if it differs from the nearest of its own class (hits). Neighbours are near in all variables together, so that
parts of an interaction count although none of them says anything alone:

    W[a] = mean over examples and their k nearest neighbours of  diff(a, miss) - diff(a, hit),

where diff is |x - x'| / range for a number and "are they different" for a nominal variable, and the distance is the sum
of diffs. With more than two classes the misses of each class count by its share among the other classes.

Examples at the same distance share what is left of the k places equally; with binary data such ties are the rule, and
the answer would otherwise depend on the order of the examples.

The backward wrapper halves the variables by their weight, computes the weights of the rest anew (in fewer variables the
neighbours are better ones), and returns the set whose polynomial SVM ranks a held-out fifth best, like `rfe`.

Worked by hand: four examples of an XOR and a constant. Each example has one hit, which differs in both variables, and
two misses at distance 1, which share the one place and differ in either variable. W = (0.5 - 1, 0.5 - 1, 0):

>>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1.0]])
>>> relief(X, np.array([-1, 1, 1, -1]), k=1).tolist()
[-0.5, -0.5, 0.0]
"""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from himation.gram import canonical_columns
from himation.rankings.rfe import RfeResult, eliminate

NEIGHBOURS = 5  # the thesis's k
MOST_EXAMPLES = 2_000  # whose neighbours are looked up; a sample of this size where there are more


def relief(
    X: np.ndarray,
    y: np.ndarray,
    k: int = NEIGHBOURS,
    nominal: ArrayLike | None = None,
    examples: int = MOST_EXAMPLES,
    seed: int = 0,
) -> np.ndarray:
    """The weight of every column. ``nominal`` marks columns whose numbers are names; y holds any class labels."""
    X = np.asarray(X, dtype=np.float64)
    n, m = X.shape
    named = np.zeros(m, dtype=bool) if nominal is None else np.asarray(nominal, dtype=bool)
    columns = canonical_columns(X)  # sums of distances round alike for any order given
    spread = np.ptp(X, axis=0)
    scaled = X / np.where(named | (spread == 0), 1.0, spread)
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    share = np.bincount(codes) / n
    rows = np.arange(n) if n <= examples else np.sort(np.random.default_rng(seed).choice(n, examples, replace=False))
    numbers, names = columns[~named[columns]], columns[named[columns]]
    tables = np.ascontiguousarray(scaled[:, numbers]), np.ascontiguousarray(scaled[:, names])
    weights = np.empty(m)
    weights[np.concatenate([numbers, names])] = _relief(*tables, codes, share, rows, min(k, n), len(classes))
    return weights


@njit(cache=True)
def _relief(numbers, names, codes, share, rows, k, n_classes):
    n, a, b = numbers.shape[0], numbers.shape[1], names.shape[1]
    weights, distance = np.zeros(a + b), np.empty(n)
    for i in rows:
        for j in range(n):
            total = 0.0
            for v in range(a):
                total += abs(numbers[i, v] - numbers[j, v])
            for v in range(b):
                total += 1.0 if names[i, v] != names[j, v] else 0.0
            distance[j] = total
        for label in range(n_classes):
            members = np.array([j for j in range(n) if codes[j] == label and j != i])
            if not len(members):
                continue
            factor = -1.0 if label == codes[i] else share[label] / (1.0 - share[codes[i]])
            places = min(k, len(members))
            reach = np.partition(distance[members], places - 1)[places - 1]
            nearer = np.sum(distance[members] < reach)
            level = np.sum(distance[members] == reach)
            for j in members:
                if distance[j] > reach:
                    continue
                part = factor / places * (1.0 if distance[j] < reach else (places - nearer) / level)
                for v in range(a):
                    weights[v] += part * abs(numbers[i, v] - numbers[j, v])
                for v in range(b):
                    weights[a + v] += part * (1.0 if names[i, v] != names[j, v] else 0.0)
    return weights / len(rows)


def relief_wrapper(
    X: np.ndarray,
    y: np.ndarray,
    degree: int = 2,
    cost: float = 1.0,
    k: int = NEIGHBOURS,
    nominal: ArrayLike | None = None,
    seed: int = 0,
    **settings,
) -> RfeResult:
    """Eliminate variables by their weight; ``settings`` are those of `himation.rankings.rfe.eliminate`."""
    X = np.asarray(X, dtype=np.float64)
    named = np.zeros(X.shape[1], dtype=bool) if nominal is None else np.asarray(nominal, dtype=bool)

    def weights(_, seen, labels, left) -> np.ndarray:
        return relief(seen, labels, k, named[left], seed=seed)

    return eliminate(X, y, weights, degree, cost, seed=seed, **settings)
