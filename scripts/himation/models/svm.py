"""Support vector machines by a cross-validated grid, scored by the area under the ROC curve (Brown's thesis, V.2.7).

The idea. The grid of the thesis has nine kernels (polynomial of degree 1 to 4, Gaussian with five widths) and six
costs C; with ten folds that is 540 models. All kernels are functions of the same inner products, so one Gram matrix
serves them all, and each kernel matrix serves every fold and cost. Three further savings leave the answer as it is:

* rows with the same values become one row with a weight (binary data have few different rows);
* when no multiplier sits at its upper bound, a larger C has the same solution and is not solved again;
* folds run in threads; the outcome is the same for any number of them.

Examples on the margin have decision values of exactly +1 or -1 in theory, and a solver's last digits would put them
in an arbitrary order. Decision values are therefore rounded to the precision that they have before they are ranked.

With more than `max_rows` different rows the grid is searched on a stratified sample and the result says so. Two ways:

* `exhaustive` tries every setting on that sample in all folds;
* `halving` (the default; successive halving, Jamieson and Talwalkar 2016) tries every setting on a quarter of it, the
  best third on half of it, and the best third of those on all of it. A setting that reaches the last round has there
  the same folds and the same models as in the exhaustive search. Up to 500 different rows there is one round, and
  the two are the same.

Names. The polynomial kernel is (x.x' + 1)^degree, scikit-learn's `SVC(kernel="poly", gamma=1, coef0=1)`. The thesis
calls the width of its Gaussian kernel sigma and used LibSVM, where that number is the option -g:
exp(-gamma |x - x'|^2). The setting is therefore called `gaussian_gamma` here, and its values are scikit-learn's gamma.

The smallest example is XOR, which no linear model can learn and degree 2 learns at once:

>>> X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] * 10)
>>> y = np.where(X[:, 0] * X[:, 1] > 0, -1, 1)
>>> result = search(X, y, Grid(degrees=(1, 2), gaussian_gamma=(), costs=(1.0,)), seed=0)
>>> result.best.kernel.degree, result.best.auc
(2, 1.0)
>>> model = fit(X, y, result.best.kernel, result.best.cost)
>>> bool(np.all(np.sign(model.decision_function(X)) == y))
True

scikit-learn is imported when the first model is trained, not before.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.evaluate import auc
from himation.gram import Kernel, gram, merge_rows
from himation.svm import CLASSES, MAX_ITERATIONS, Model, centred, check_data, fit, quiet_solver, solve
from himation.svm import weighted_examples as weigh

__all__ = [
    "EXHAUSTIVE",
    "HALVING",
    "SEARCHES",
    "Grid",
    "Kernel",
    "Model",
    "SearchResult",
    "Setting",
    "auc",
    "fit",
    "folds_for",
    "search",
    "stratified_folds",
]

SCORE_UNIT = 1e-4  # decision values are rounded to this much of their range (at most 1): ten solver tolerances
AUC_TIE = 1e-9  # mean AUCs closer than this are equal, and the simpler setting wins
MINORITY_SHARE = 0.25  # a search sample holds at least this share of the rarer class, if the data have it
EXHAUSTIVE, HALVING = "exhaustive", "halving"
SEARCHES = (HALVING, EXHAUSTIVE)
ROUNDS = (0.25, 0.5, 1.0)  # parts of the sample that the rounds of halving see
SMALLEST_ROUND = 500  # different rows; rounds with fewer are left out
SURVIVORS = 1 / 3  # the part of the settings that goes on to the next round
EARLY_FOLDS = 5  # of the rounds before the last


@dataclass(frozen=True)
class Grid:
    """The settings to try. The default is the grid of V.2.7."""

    degrees: tuple[int, ...] = (1, 2, 3, 4)
    gaussian_gamma: tuple[float, ...] = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
    costs: tuple[float, ...] = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0)

    def kernels(self) -> list[Kernel]:
        """Simplest first: polynomials by degree, then Gaussians by gamma (smoothest first)."""
        polynomials = [Kernel("poly", degree=degree) for degree in sorted(self.degrees)]
        return polynomials + [Kernel("rbf", gamma=gamma) for gamma in sorted(self.gaussian_gamma)]


@dataclass(frozen=True)
class Setting:
    """One line of the search's table: the mean AUC over the folds and its standard error."""

    kernel: Kernel
    cost: float
    auc: float
    standard_error: float
    fold_aucs: tuple[float, ...]
    unconverged: int  # how many of the folds' models reached the cap on iterations
    rows: int = 0  # examples of the last round that the setting took part in


@dataclass(frozen=True)
class SearchResult:
    """All settings in order of simplicity, and the best of those that reached the last round.

    The best has the highest mean AUC, and is the first in that order where several have it.
    """

    settings: tuple[Setting, ...]
    best: Setting
    n_folds: int
    n_rows: int
    rows_searched: int  # fewer than n_rows where the search used a sample
    class_weight: str | None

    @property
    def unconverged(self) -> int:
        return sum(setting.unconverged for setting in self.settings)


def folds_for(n: int) -> int:
    """Number of folds for n examples: 10 up to 1,000, 5 from 5,000, and a straight line (rounded) in between."""
    return round(float(np.interp(n, [1_000, 5_000], [10, 5])))


def stratified_folds(y, n_folds: int, seed: int | Sequence[int]) -> np.ndarray:
    """A fold number per example; each class is shuffled and dealt out in turn, so folds differ by one at most."""
    y = np.asarray(y)
    rng = np.random.default_rng(seed)
    folds = np.empty(len(y), dtype=np.int64)
    dealt = 0
    for label in CLASSES:
        members = rng.permutation(np.flatnonzero(y == label))
        folds[members] = (np.arange(len(members)) + dealt) % n_folds
        dealt += len(members)
    return folds


def search(
    X,
    y,
    grid: Grid | None = None,
    seed: int = 0,
    n_folds: int | None = None,
    max_rows: int = 2_000,
    threads: int = 1,
    class_weight: str | None = "balanced",
    max_iterations: int = MAX_ITERATIONS,
    progress: Callable[[int, int], None] | None = None,
    method: str = HALVING,
) -> SearchResult:
    """Cross-validated AUC of the settings of the grid.

    y holds -1 and +1. `class_weight="balanced"` gives both classes the same total cost, None gives each example the
    same. On halves of REGED (12 % positive) and on imbalanced samples of Adult the two differed by no more than the
    noise of the comparison, balanced being ahead on average, so it is the default. A sample, where one is drawn, is
    stratified but holds at least a quarter of the rarer class if there is that much.
    """
    from threadpoolctl import threadpool_limits

    if method not in SEARCHES:
        raise UserError(f"search {method!r}: write {' or '.join(map(repr, SEARCHES))}")
    y = check_data(X, y)
    unique, owner = merge_rows(X)
    order = [(kernel, cost) for kernel in (grid or Grid()).kernels() for cost in sorted((grid or Grid()).costs)]
    found: dict[tuple[Kernel, float], Setting] = {}
    alive = order
    sizes = _round_sizes(len(unique), len(y), max_rows, method)
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(max(1, threads)) as pool, quiet_solver():
        for number, size in enumerate(sizes, start=1):
            last = number == len(sizes)
            rows = np.arange(len(y)) if size == len(y) else stratified_sample(y, size, seed)
            folds = n_folds or folds_for(len(rows)) if last else EARLY_FOLDS
            race = _Race(X, y, unique, owner, rows, folds, seed, class_weight, max_iterations)
            report = progress if last else None
            found |= race.run(alive, pool, report)
            if not last:
                alive = _best_of(found, alive, math.ceil(SURVIVORS * len(alive)))
    top = max(found[key].auc for key in alive)
    best = next(found[key] for key in alive if found[key].auc >= top - AUC_TIE)
    settings = tuple(found[key] for key in order)
    return SearchResult(settings, best, len(best.fold_aucs), len(y), len(rows), class_weight)


def _round_sizes(n_unique: int, n: int, max_rows: int, method: str) -> list[int]:
    """Examples that each round sees; n stands for all of them."""
    final = n if n_unique <= max_rows else max_rows
    if method == EXHAUSTIVE:
        return [final]
    different = min(n_unique, max_rows)
    sizes = [round(part * final) for part in ROUNDS if part < 1 and part * different >= SMALLEST_ROUND]
    return [*sizes, final]


def _best_of(found: dict, keys: list, count: int) -> list:
    """The settings with the highest AUC, in the order of simplicity; of equal ones the simpler."""
    ranked = sorted(range(len(keys)), key=lambda i: (-round(found[keys[i]].auc / AUC_TIE), i))
    return [keys[i] for i in sorted(ranked[:count])]


class _Race:
    """One round: some settings on some of the examples, all kernels from one matrix of inner products."""

    def __init__(self, X, y, unique, owner, rows, n_folds, seed, class_weight, max_iterations):
        used, owner = np.unique(owner[rows], return_inverse=True)
        self.rows, self.class_weight, self.max_iterations = len(rows), class_weight, max_iterations
        self.counts = _fold_counts(y[rows], owner, n_folds, seed)
        if len(rows) < len(y):  # weights restore the shares that the classes have in all the data
            shares = [np.mean(y == label) / np.mean(y[rows] == label) for label in CLASSES]
            self.counts *= np.array(shares)[:, None]
        self.products = gram(X[unique[used]])
        self.squares = self.products.diagonal().copy()

    def run(self, keys, pool, progress) -> dict[tuple[Kernel, float], Setting]:
        kernels = list(dict.fromkeys(kernel for kernel, _ in keys))
        settings = {}
        for done, kernel in enumerate(kernels, start=1):
            values, _ = centred(kernel.from_products(self.products, self.squares, self.squares))
            costs = [cost for other, cost in keys if other == kernel]
            jobs = [pool.submit(self._fold, values, held_out, costs) for held_out in self.counts]
            outcomes = [job.result() for job in jobs]
            for i, cost in enumerate(costs):
                settings[kernel, cost] = _setting(kernel, cost, outcomes, i, self.rows)
            if progress:
                progress(done, len(kernels))
        return settings

    def _fold(self, values, held_out, costs):
        training = self.counts.sum(axis=0) - held_out
        return _fold_aucs(values, training, held_out, costs, self.class_weight, self.max_iterations)


def _fold_counts(labels: np.ndarray, owner: np.ndarray, n_folds: int, seed: int) -> np.ndarray:
    """How often each different row occurs, by fold and class (+1 first)."""
    n_folds = min(n_folds, *(int((labels == label).sum()) for label in CLASSES))
    counts = np.zeros((n_folds, 2, owner.max() + 1))
    np.add.at(counts, (stratified_folds(labels, n_folds, seed), (labels < 0).astype(int), owner), 1.0)
    return counts


def _fold_aucs(values, training, held_out, costs, class_weight, max_iterations) -> list[tuple[float, bool]]:
    """AUC on one fold and convergence for every cost; the counts are class x different row."""
    node, signs, weights = weigh(training, class_weight)
    test = np.flatnonzero(held_out.any(axis=0))
    train_values, test_values = values[np.ix_(node, node)], values[np.ix_(test, node)]
    test_signs = np.repeat(CLASSES, len(test))
    outcomes, settled = [], False
    for cost in costs:
        if not settled:
            found = solve(train_values, signs, weights, cost, max_iterations)
            score = test_values[:, found.support] @ found.dual
            unit = SCORE_UNIT * min(1.0, float(np.ptp(score))) or 1.0
            score = np.round((score + found.intercept) / unit)
            area = auc(test_signs, np.tile(score, 2), held_out[:, test].ravel())
            bounded = np.abs(found.dual) >= cost * weights[found.support] * (1 - 1e-9)
            settled = found.converged and not bounded.any()
        outcomes.append((area, found.converged))
    return outcomes


def stratified_sample(y: np.ndarray, size: int, seed: int) -> np.ndarray:
    """Positions of some examples, with at least a quarter of the rarer class if there is that much."""
    rng = np.random.default_rng(seed)
    rare = 1 if (y == 1).sum() <= (y == -1).sum() else -1
    n_rare = int((y == rare).sum())
    quota = min(n_rare, max(round(size * n_rare / len(y)), int(size * MINORITY_SHARE)))
    parts = [(rare, quota), (-rare, size - quota)]
    return np.sort(np.concatenate([rng.choice(np.flatnonzero(y == label), n, replace=False) for label, n in parts]))


def _setting(kernel: Kernel, cost: float, outcomes, index: int, rows: int) -> Setting:
    aucs = np.array([fold[index][0] for fold in outcomes])
    error = float(aucs.std(ddof=1) / np.sqrt(len(aucs))) if len(aucs) > 1 else float("nan")
    unconverged = sum(not fold[index][1] for fold in outcomes)
    return Setting(kernel, float(cost), float(aucs.mean()), error, tuple(aucs.tolist()), unconverged, rows)
