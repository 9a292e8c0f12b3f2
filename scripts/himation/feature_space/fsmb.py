"""FSMB, the Markov blanket in feature space (thesis, algorithm 4 and III.6).

In a parity or XOR no variable says anything about the target alone, so methods that begin with pairs see nothing. The
product of the right variables, however, is associated with the target by itself. FSMB

1. trains a support vector machine with a polynomial kernel (degree and C given, or chosen by cross-validation),
2. finds the r products of variables with the largest weights in it (`polynomial`),
3. computes those products as columns, and
4. runs an ordinary blanket finder on them. The answer is its features, and the variables in these.

The blanket finder is passed in: `find_blanket(F, y)` gets the columns and returns the positions of those in the
blanket, or a `Blanket` that also says which of them are parents and children of the target, so HITON, MMMB or any other
will do. Constant columns and all but the heaviest of identical columns (up to sign) are left out before, because a test
of independence can say nothing about them.

Step 2 searches exhaustively where that is affordable (a hundred million products of 1,000 variables are a matter of
half a minute) and with Heur2 elsewhere.

The same examples choose the features and then test them, as in the thesis. That lets in products that look associated
by chance, and the more products were compared the more of them. Two rules of ours answer it, both off here:

* `honest=True` trains the model on one half of the examples and finds the blanket on the other, so that the tests
  keep their level; it costs examples.
* `screen=1.0` drops, before the blanket is sought, every feature whose own correlation with the target has a p-value
  above that number divided by the number of all products of the variables up to the degree. So many accidental features
  pass on average. It uses all examples, but loses features that matter only together with others.

`find_blanket` uses the screen. Mean distance over the thesis's problems (ten samples of the first two, twenty of the
last, on other seeds than the reruns; r = 50), none / screen / honest: double noisy-XOR of 153 variables at 500 examples
0.055 / 0.005 / 0.008; noisy 3-parity of 60 variables at 500 0.24 / 0.06 / 0.04; redundant mechanism of 447 variables at
1,500 0.10 / 0.00 / 0.06.

>>> rng = np.random.default_rng(0)
>>> X = rng.choice([-1.0, 1.0], size=(400, 6))
>>> y = np.where(rng.random(400) < 0.8, X[:, 1] * X[:, 4], -X[:, 1] * X[:, 4]).astype(int)
>>> strong = lambda F, y: [j for j in range(F.shape[1]) if abs(np.corrcoef(F[:, j], y)[0, 1]) > 0.3]
>>> result = fsmb(X, y, strong, degree=2, cost=1.0)
>>> result.names, result.variables
(('x2*x5',), (1, 4))
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import erfc, sqrt

import numpy as np

from himation.blanket.search import Blanket
from himation.errors import UserError
from himation.feature_space.monomials import REAL, binary_coding, feature_name, feature_values
from himation.feature_space.polynomial import SKIPPED, Feature, TopWeights, brute_force, count_products, heur2
from himation.gram import Kernel, canonical_columns
from himation.models.svm import EXHAUSTIVE, Grid, SearchResult, search
from himation.rankings.rfe import held_out_rows
from himation.svm import MAX_ITERATIONS, check_data, fit

EXHAUSTIVE_WORK = 1e12  # multiplications up to which all products are listed
SEARCHES = ("auto", "heur2", "brute_force")
MACHINE_GRID = Grid(degrees=(1, 2, 3), gaussian_gamma=(), costs=(1e-4, 1e-2, 1.0, 100.0))
PUBLISHED_GRID = Grid(degrees=(1, 2, 3, 4), gaussian_gamma=(), costs=tuple(10.0**k for k in range(-8, 4)))
PUBLISHED_FOLDS = 10
OURS, PUBLISHED = "ours", "published"
SVMS = (OURS, PUBLISHED)


@dataclass(frozen=True)
class FsmbResult:
    """The blanket in feature space, heaviest feature first, the variables in it, and how it was found."""

    features: tuple[Feature, ...]  # (monomial, weight)
    names: tuple[str, ...]
    variables: tuple[int, ...]  # in order of their heaviest feature
    neighbours: tuple[int, ...]  # the variables in features that are parents or children of the target
    candidates: TopWeights = field(repr=False)  # all features that the blanket was chosen from
    degree: int
    cost: float
    converged: bool


def choose_svm(
    X, y, seed: int = 0, threads: int = 1, degree: int | None = None, cost: float | None = None, svm: str = OURS
) -> SearchResult:
    """Degree and cost, where not given, by cross-validated AUC over a grid of polynomial models.

    ``ours`` weighs the classes alike; ``published`` is the thesis's (III.7.2): more degrees and costs, ten folds, all
    settings in full, and examples without weights.
    """
    grid = svm_grid(degree, cost, svm)
    if svm == OURS:
        return search(X, y, grid, seed=seed, threads=threads)
    folds = min(PUBLISHED_FOLDS, int((np.asarray(y) > 0).sum()), int((np.asarray(y) < 0).sum()))
    return search(X, y, grid, seed, max(folds, 2), threads=threads, class_weight=None, method=EXHAUSTIVE)


def class_weight_of(svm: str) -> str | None:
    """How the classes weigh in the model whose weights are read."""
    return "balanced" if svm == OURS else None


def fsmb(
    X,
    y,
    find_blanket: Callable[[np.ndarray, np.ndarray], Sequence[int] | Blanket],
    degree: int | None = None,
    cost: float | None = None,
    p: int = 20_000,
    r: int = 50,
    binary=None,
    names: Sequence[str] | None = None,
    method: str = "auto",
    merge: str = "largest",
    honest: bool = False,
    screen: float | None = None,
    seed: int = 0,
    svm: str = OURS,
    redundant: str = SKIPPED,
    max_iterations: int = MAX_ITERATIONS,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> FsmbResult:
    """Algorithm 4. p features are constructed by Heur2 (method "heur2"), or all of them ("brute_force"); "auto" takes
    the second where it is affordable. `binary` marks the binary columns; None finds them by their values."""
    y = check_data(X, y)
    coding = binary_coding(X, binary)
    columns = canonical_columns(X)  # so that ties do not depend on the order given
    to_train = held_out_rows(y, 0.5, seed) if honest else np.ones(len(y), dtype=bool)
    train, labels = X[to_train][:, columns], y[to_train]
    if degree is None or cost is None:
        found = choose_svm(train, labels, seed, threads, degree, cost, svm).best
        degree, cost = found.kernel.degree, found.cost
    model = fit(train, labels, Kernel("poly", degree=degree), cost, class_weight_of(svm), max_iterations)
    search_for = coding[columns], merge, method, progress, redundant
    top = top_weights(model.support_vectors, model.dual, degree, p, r, *search_for)
    features = tuple(Feature(_renamed(q, columns), weight) for q, weight in top.features)
    top = TopWeights(features, top.proven, top.constructed)

    rows = ~to_train if honest else to_train
    values = feature_values(X[rows], [q for q, _ in features])
    distinct = distinct_columns(values)
    if screen is not None:
        level = screen / count_products(X.shape[1], degree, _repeats(coding))
        distinct = distinct[correlation_p_values(values[:, distinct], y[rows]) < level]
    found = find_blanket(values[:, distinct], y[rows])
    found = found if isinstance(found, Blanket) else Blanket(tuple(found), (), tuple(found))
    blanket, near = (
        tuple(features[j] for j in sorted({int(distinct[j]) for j in part}))
        for part in (found.members, found.neighbours)
    )
    variables, neighbours = (
        tuple(dict.fromkeys(v for monomial, _ in part for v, _ in monomial)) for part in (blanket, near)
    )
    labelled = tuple(feature_name(monomial, names) for monomial, _ in blanket)
    return FsmbResult(blanket, labelled, variables, neighbours, top, int(degree), float(cost), model.converged)


def top_weights(
    SV, alpha, degree, p, r, coding, merge="largest", method="auto", progress=None, redundant=SKIPPED
) -> TopWeights:
    """The r heaviest features of a model by the method named."""
    if method not in SEARCHES:
        raise UserError(f"method {method!r}: write one of {', '.join(SEARCHES)}")
    affordable = count_products(SV.shape[1], degree, _repeats(coding)) * float(SV.shape[0]) <= EXHAUSTIVE_WORK
    if method == "brute_force" or (method == "auto" and affordable):
        return brute_force(SV, alpha, degree, r, coding, merge, progress)
    return heur2(SV, alpha, degree, p, r, coding, merge, progress=progress, redundant=redundant)


def distinct_columns(values: np.ndarray) -> np.ndarray:
    """Positions of the columns that vary and are not equal, up to sign, to one before them."""
    seen, keep = set(), []
    for j, column in enumerate(np.asarray(values).T):
        if np.ptp(column) == 0:
            continue
        sign = np.sign(column[np.flatnonzero(column)[0]])
        key = (sign * column + 0.0).tobytes()
        if key not in seen:
            seen.add(key)
            keep.append(j)
    return np.array(keep, dtype=np.int64)


def correlation_p_values(values: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Fisher's z test of each column with the target."""
    centred = values - values.mean(axis=0)
    target = y - y.mean()
    r = centred.T @ target / np.sqrt((centred**2).sum(axis=0) * (target @ target))
    z = np.arctanh(np.clip(np.abs(r), 0.0, 1.0 - 1e-15)) * np.sqrt(max(len(y) - 3, 0))
    return np.array([erfc(value / sqrt(2.0)) for value in z])


def _repeats(coding: np.ndarray) -> bool:
    """Whether powers of variables are features of their own: not where all columns are binary and coded alike."""
    return not len(coding) or coding[0] == REAL or bool((coding != coding[0]).any())


def svm_grid(degree: int | None = None, cost: float | None = None, svm: str = OURS) -> Grid:
    """The grid with degree and cost fixed where they are given."""
    if svm not in SVMS:
        raise UserError(f"svm {svm!r}: write one of {', '.join(SVMS)}")
    grid = MACHINE_GRID if svm == OURS else PUBLISHED_GRID
    return Grid(grid.degrees if degree is None else (degree,), (), grid.costs if cost is None else (cost,))


def _renamed(monomial, columns: np.ndarray):
    return tuple(sorted((int(columns[v]), power) for v, power in monomial))
