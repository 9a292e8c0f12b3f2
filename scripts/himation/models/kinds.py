"""The kinds of model that build_model.py offers, by name, and what is the same for all of them.

A kind is a class with `fit(X, y, seed)` (labels -1 and +1; returns the object), `decision_function(X)`, `to_arrays()`
(plain arrays) and `from_arrays(arrays)`. It may have more:

* `from_options(options)`, a classmethod that makes one from `Options`; otherwise it is made without arguments;
* `refit(X, y, seed)`: a new one that keeps the settings found. Cross-validation and the models on nested subsets use
  it where it exists, and fit anew where not;
* `out_of_bag_`: honest values of the training examples, which spare the cross-validation;
* `describe()`: the model in words; `settings_table()`: header and rows of what was tried;
* `takes_panels`: it is an ensemble whose members may see different columns, and `refit` takes panels too.

To add one, write its class and a line in KINDS.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib import import_module

import numpy as np

from himation.errors import UserError
from himation.evaluate import auc
from himation.models.bagged import ROWS, Experiments, Panel
from himation.models.calibration import Platt, fit_platt
from himation.models.svm import HALVING, Grid, folds_for, stratified_folds

KINDS = {
    "svm": "himation.models.svm_model:SupportVector",
    "bagged": "himation.models.bagged:Bagged",
    "mixture": "himation.models.bernoulli_mixture:MixtureClassifier",
}
DEFAULT = "bagged"
NESTED_ROWS = 2_000  # models on nested subsets see at most so many examples
MOST_NESTED = 100_000  # rows of a table; longer ones have no models on nested subsets


@dataclass(frozen=True)
class Options:
    """Settings of a model; each kind uses what concerns it."""

    grid: Grid = field(default_factory=Grid)
    search: str = HALVING
    most_rows: int = 2_000
    machines: int = 50
    threads: int = 1
    progress: Callable[[int, int], None] | None = None
    panels: tuple[Panel, ...] = ()  # what each member of an ensemble sees
    class_weight: str | None = "balanced"  # of a single SVM
    mixture: str = "odds"  # what reads the posteriors of mixtures
    experiments: Experiments | None = None  # rows that an ensemble may learn from as well
    rows: int = ROWS  # of long tables that an ensemble learns from


@dataclass(frozen=True)
class Honest:
    """Values of the training examples by models that did not see them, not a number where there is none, and the AUC to
    expect on new examples."""

    values: np.ndarray
    auc: float
    error: float
    how: str

    def calibrated(self, y) -> Platt:
        """The curve from values to probabilities."""
        known = ~np.isnan(self.values)
        return fit_platt(self.values[known], np.asarray(y)[known])


def model_class(kind: str):
    """The class of a kind."""
    if kind not in KINDS:
        raise UserError(f"model kind {kind!r}: write {' or '.join(map(repr, KINDS))}")
    module, name = KINDS[kind].split(":")
    return getattr(import_module(module), name)


def takes_panels(kind: str) -> bool:
    """Whether it is an ensemble whose members may see different columns and rows."""
    return getattr(model_class(kind), "takes_panels", False)


def create(kind: str, options: Options | None = None):
    """A model of a kind, not yet fitted."""
    made = model_class(kind)
    if options and options.panels and not takes_panels(kind):
        raise UserError(
            f"model kind {kind!r} is no ensemble, and the selection divides its variables among the members of an "
            f"ensemble: take the kind {DEFAULT!r}, or select with --one-machine"
        )
    return made.from_options(options or Options()) if hasattr(made, "from_options") else made()


def describe(kind: str, model) -> str:
    return model.describe() if hasattr(model, "describe") else kind


def honest_values(kind: str, model, X, y, seed: int, options: Options | None = None) -> Honest:
    """Out-of-bag values where the model has them, else those of cross-validation (5 to 10 folds by sample size).

    The folds are not those that chose the model's settings.
    """
    y = np.asarray(y)
    if hasattr(model, "out_of_bag_"):
        return _honest(y, model.out_of_bag_, "out-of-bag values")
    options = options or Options()
    n_folds = min(folds_for(len(y)), int((y > 0).sum()), int((y < 0).sum()))
    folds = stratified_folds(y, n_folds, seed + 1)
    quiet = replace(options, threads=1, progress=None)
    values = np.empty(len(y))

    def predict(fold: int) -> None:
        inside = folds != fold
        if min((y[inside] > 0).sum(), (y[inside] < 0).sum()) < 2:
            values[~inside] = 0.0
            return
        part = again(kind, model, X[inside], y[inside], seed, quiet)
        values[~inside] = part.decision_function(X[~inside])

    with ThreadPoolExecutor(max(1, options.threads)) as pool:
        for job in [pool.submit(predict, fold) for fold in range(n_folds)]:
            job.result()
    return _honest(y, values, f"{n_folds}-fold cross-validation")


def again(kind: str, model, X, y, seed: int, options: Options | None = None):
    """A model with the settings of a fitted one, on other columns or examples."""
    if options and takes_panels(kind):
        return model.refit(X, y, seed, options.panels)
    if hasattr(model, "refit"):
        return model.refit(X, y, seed)
    return create(kind, options).fit(X, y, seed)


def auc_standard_error(y, values) -> float:
    """Standard error of an AUC (DeLong, DeLong and Clarke-Pearson 1988)."""
    positive, values = np.asarray(y) > 0, np.asarray(values, dtype=float)
    highs, lows = np.sort(values[positive]), np.sort(values[~positive])
    above = (np.searchsorted(lows, highs, "left") + np.searchsorted(lows, highs, "right")) / (2 * len(lows))
    below = (np.searchsorted(highs, lows, "left") + np.searchsorted(highs, lows, "right")) / (2 * len(highs))
    if min(len(highs), len(lows)) < 2:
        return float("nan")
    return float(np.sqrt(above.var(ddof=1) / len(highs) + below.var(ddof=1) / len(lows)))


def nested_sizes(n: int) -> list[int]:
    """1, 2, 4, 8, ... below n: the challenge's nested subsets of a ranked list, without the whole.

    >>> nested_sizes(9), nested_sizes(1)
    ([1, 2, 4, 8], [])
    """
    return [2**k for k in range(n.bit_length()) if 2**k < n]


def _honest(y, values, how) -> Honest:
    known = ~np.isnan(values)
    return Honest(values, auc(y[known], values[known]), auc_standard_error(y[known], values[known]), how)
