"""A bagged ensemble of kernel models and boosted trees, in the spirit of Cawley's entry to the challenge.

The idea. Each member sees a random share of the examples, without repetition, tries a linear, a quadratic and three
Gaussian kernels with fifteen penalties each, and keeps the pair with the smallest leave-one-out error
(`himation.models.ridge`), which costs no refit. The ensemble's decision value is the mean of its members' values.
Averaging takes away what depends on the choice of a few examples; the examples that a member did not see give an
honest value for every training example (out of bag), on which probabilities are calibrated.

Every third member is linear. Beyond the range of training a Gaussian member knows nothing and says the same of all
examples; what the linear ones say then decides their order. Where nothing is linear, their penalty is high and their
values near zero. From 300 examples on, every fifth member is no kernel model but grows boosted trees on its bag
(`himation.models.boosted`), and the values of unseen examples say how much these count.

Members with the same kernel are linear in the same kernel functions, so all of them together are one model
for each kernel: they predict at the cost of five models, whatever their number.

Tables with more than `most_rows` examples in a bag are bagged by smaller shares, with at least a quarter of the rarer
class if there is that much; from 500 examples in a bag on, ten members choose and the others repeat their choices,
on larger bags. (On CINA0 that is worth 0.002 of AUC, 0.971, without it 0.969, for ten seconds.)
Kernels are scaled by the mean squared distance of the examples, so that their widths suit any number of variables.

Of tables with more than `ALL_ROWS` rows the kernel members draw their bags from a random `rows` of them, so that the
ensemble has no more support vectors than that, whatever the length of the table; boosted members, whose cost for each
row is small, draw from ten times as many. Other rows have no out-of-bag value.

Panels. Where it is in doubt which columns a manipulation leaves intact, each member is given one panel of columns,
each panel as many members as it has weight (`himation.posterior.averages`). The ensemble then leans on a column as
far as it can be trusted: one that a third of the networks would use speaks in a third of the members. In the same way
a panel names those `Experiments` whose rows its members learn from beside the examples.

>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(120, 3))
>>> y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
>>> model = Bagged(machines=10).fit(X, y, seed=1)
>>> bool(auc(y, model.out_of_bag_) > 0.9)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from himation.errors import UserError
from himation.evaluate import auc
from himation.gram import Kernel, canonical_columns, gram, merge_rows
from himation.models.boosted import NODE, Stack, Trees, grow, stacked
from himation.models.ridge import PENALTIES, class_weights, kernel_ridge, kernel_ridge_at
from himation.svm import CLASSES, Model, check_data

__all__ = ["Bagged", "auc"]

MACHINES = 50
SHARE = 0.63  # of each class in a bag: what a bootstrap sample holds of the different examples
MOST_ROWS = 1_000
ALL_ROWS = 20_000
ROWS, ROWS_OF_TREES = 5_000, 10  # that kernel members draw from in longer tables, and times as many that trees do
MINORITY_SHARE = 0.25
ALL_CHOOSE = 500  # rows of a bag up to which every member chooses its kernel and penalty
SCOUTS = 10  # of larger bags, the members that choose; the others take their choices in turn
GROWTH = 2.5  # and have bags this much larger, since solving once is cheap beside choosing
WIDTHS = (0.1, 0.3, 1.0)  # Gaussian: exp(-width |x - x'|^2 / mean squared distance)
TIE = 1e-9  # errors closer than this part of them are equal, and the simpler kernel wins
GOLDEN = (5**0.5 - 1) / 2
LINEAR_EVERY = 3  # member of so many
BOOSTED_EVERY = 5
BOOSTED_ROWS = 300  # examples from which there are boosted members
NAMES = ("linear", "quadratic", *(f"Gaussian (width {width:g})" for width in WIDTHS))


class Panel(NamedTuple):
    """Columns of some members, how many of these there are, and the settings whose rows they learn from as well."""

    columns: tuple[int, ...]
    weight: float
    settings: tuple[int, ...] = ()


@dataclass(frozen=True)
class Experiments:
    """Rows in which something was set: what a model sees of them, their labels, and the number of what was set."""

    X: np.ndarray
    y: np.ndarray
    setting: np.ndarray


@dataclass(frozen=True)
class Machine:
    """One member: the examples of its bag, what it chose, and its part of the ensemble."""

    rows: np.ndarray  # different rows of the bag, as positions in the table
    kernel: int
    penalty: float
    dual: np.ndarray
    intercept: float


class _Unseen:
    """Sums of the values that members give to examples outside their bags."""

    def __init__(self, rows: int):
        self.total, self.times = np.zeros(rows), np.zeros(rows)

    def add(self, rows, values) -> None:
        self.total[rows] += values
        self.times[rows] += 1

    @property
    def seen(self) -> np.ndarray:
        return self.times > 0

    @property
    def mean(self) -> np.ndarray:
        return self.total / np.maximum(self.times, 1)


class Bagged:
    """fit, then decision_function; `out_of_bag_` has the training examples' values by members without them."""

    takes_panels = True

    def __init__(
        self,
        machines: int = MACHINES,
        most_rows: int = MOST_ROWS,
        threads: int = 1,
        progress=None,
        growth: float = GROWTH,
        panels: Sequence[Panel] = (),
        experiments: Experiments | None = None,
        rows: int = ROWS,
    ):
        """Without panels every member sees all columns. With 0 ``rows`` bags of long tables are drawn from all."""
        self.machines, self.most_rows, self.threads, self.progress = machines, most_rows, threads, progress
        self.growth, self.panels, self.experiments, self.rows = growth, panels, experiments, rows

    @classmethod
    def from_options(cls, options) -> Bagged:
        how = {"threads": options.threads, "progress": options.progress}
        how |= {"panels": options.panels, "experiments": options.experiments, "rows": options.rows}
        return cls(options.machines, **how)

    def fit(self, X, y, seed: int = 0, chosen=None) -> Bagged:
        """Train on labels -1 and +1. `chosen` repeats the (kernel, penalty) of each member of another ensemble."""
        from threadpoolctl import threadpool_limits

        y = check_data(X, y)
        self.order_ = canonical_columns(np.asarray(X, dtype=float))
        X, n = np.ascontiguousarray(np.asarray(X, dtype=float)[:, self.order_]), len(y)
        self.columns_, settings, whose = self._panels()
        variances = X.var(axis=0)
        panels = [(columns, _kernels(variances[columns])) for columns in self.columns_]
        boosted = [i for i in range(self.machines) if chosen is None and _is_boosted(i, n)]
        others = [i for i in range(self.machines) if i not in boosted]
        rng = np.random.default_rng(seed)
        few, many = self._drawn_from(y, seed)
        X, y, learned = self._learned(X, y, settings, few)
        experiments = np.arange(n, len(y))
        bags = [_bag(y, learned[whose[0]], self.most_rows, rng)]
        scouts = self.machines if len(bags[0]) <= ALL_CHOOSE else min(SCOUTS, self.machines)
        for i in range(1, self.machines):
            if i in boosted and few is not many:
                bags.append(_bag(y, np.union1d(many, learned[whose[i]]), len(y), rng))
                continue
            most = len(y) if i in boosted else self.most_rows if i < scouts else int(self.growth * self.most_rows)
            bags.append(_bag(y, learned[whose[i]], most, rng))
        few, many = np.append(few, experiments), np.append(many, experiments)
        members = []
        kernels, trees = _Unseen(len(y)), _Unseen(len(y))
        with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(max(1, self.threads)) as pool:
            grown = [pool.submit(_grow, X, y, bags[i], many, self.columns_[whose[i]]) for i in boosted]
            for numbers in ([i for i in others if i < scouts], [i for i in others if i >= scouts]):
                settled = chosen or [(machine.kernel, machine.penalty) for machine in members] or [None]
                jobs = [
                    pool.submit(_train, X, y, bags[i], few, *panels[whose[i]], settled[i % len(settled)], _is_linear(i))
                    for i in numbers
                ]
                for job in jobs:
                    machine, *found = job.result()
                    members.append(machine)
                    kernels.add(*found)
                    self._tell(len(members))
            self.trees_ = []
            for i, job in zip(boosted, grown, strict=True):
                one, *found = job.result()
                self.trees_.append((whose[i], one))
                trees.add(*found)
                self._tell(len(members) + len(self.trees_))
        self.chosen_ = [(machine.kernel, machine.penalty) for machine in members]
        self.stack_ = Stack()
        if len(many) > len(few):
            rest = np.setdiff1d(many, few)
            self.parts_, self.models_ = _merged(X, members, [whose[i] for i in others], panels, 1.0)
            kernels.add(rest, self._of_kernels(X[rest]))
        unseen, said = kernels.mean[:n], trees.mean[:n]
        if self.trees_:
            both = (trees.seen & kernels.seen)[:n]
            self.stack_ = stacked(y[:n][both], unseen[both], said[both])
            said[~both] = unseen[~both] * (said[both].std() / (unseen[both].std() or 1.0))  # for want of trees' values
            self.trees_ = self.trees_ if self.stack_.trees else []
        self.parts_, self.models_ = _merged(X, members, [whose[i] for i in others], panels, self.stack_.kernels)
        self.out_of_bag_ = self.stack_.kernels * unseen + self.stack_.trees * said
        inside = many[~kernels.seen[many] & (many < n)]
        self.out_of_bag_[inside] = self._values(X[inside])
        self.out_of_bag_[np.setdiff1d(np.arange(n), many)] = np.nan
        return self

    def _drawn_from(self, y, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """The rows from which kernel members and boosted ones draw their bags."""
        every = np.arange(len(y))
        if not self.rows or len(y) <= ALL_ROWS:
            return every, every
        rng = np.random.default_rng([seed, len(y)])
        many = _bag(y, every, ROWS_OF_TREES * self.rows, rng)
        return _bag(y, many, self.rows, rng), many

    def _tell(self, done: int) -> None:
        if self.progress:
            self.progress(done, self.machines)

    def _panels(self) -> tuple[list[np.ndarray], list[tuple[int, ...]], list[int]]:
        """Columns of each panel in the canonical order, its settings, and the panel that each member is given."""
        if not self.panels:
            return [np.arange(len(self.order_))], [()], [0] * self.machines
        place = np.argsort(self.order_)
        known = {(tuple(sorted(place[list(one.columns)].tolist())), one.settings): one.weight for one in self.panels}
        ranked = sorted(known, key=lambda one: (-known[one], one))
        ends = np.cumsum([known[columns] for columns in ranked])
        turns = (0.5 + np.arange(self.machines) * GOLDEN) % 1.0  # spread evenly, whatever the number of members
        whose = np.searchsorted(ends, turns * ends[-1], side="right").tolist()
        used = sorted(set(whose))
        columns, settings = zip(*(ranked[i] for i in used), strict=True)
        return [np.array(own) for own in columns], list(settings), [used.index(i) for i in whose]

    def _learned(self, X, y, settings, natural) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """All rows, those of experiments last, and which of them each panel learns from."""
        if self.experiments is None:
            return X, y, [natural] * len(settings)
        more = self.experiments
        learned = [np.append(natural, len(y) + np.flatnonzero(np.isin(more.setting, own))) for own in settings]
        return np.vstack([X, more.X[:, self.order_]]), np.append(y, more.y), learned

    def refit(self, X, y, seed: int = 0, panels=None) -> Bagged:
        """An ensemble of the same kernels and penalties on other examples, with bags that don't grow, without trees
        and experiments; on other columns it needs panels of these, where the ensemble has any."""
        panels = self.panels if panels is None else panels
        made = Bagged(len(self.chosen_), self.most_rows, self.threads, growth=1.0, panels=panels, rows=self.rows)
        return made.fit(X, y, seed, self.chosen_)

    def decision_function(self, X) -> np.ndarray:
        """The mean of the members' values."""
        if X.shape[1] != len(self.order_):
            raise UserError(f"the model has {len(self.order_)} variables, the table {X.shape[1]}")
        return self._values(np.asarray(X, dtype=float)[:, self.order_])

    def _of_kernels(self, X) -> np.ndarray:
        """The part of the kernel members."""
        parts = zip(self.parts_, self.models_, strict=True)
        return np.sum([model.decision_function(X[:, self.columns_[panel]]) for panel, model in parts], axis=0)

    def _values(self, X) -> np.ndarray:
        values = [self._of_kernels(X)]
        for panel, trees in self.trees_:
            values.append(self.stack_.trees / len(self.trees_) * trees.values(X[:, self.columns_[panel]]))
        return np.sum(values, axis=0)

    def describe(self) -> str:
        """The ensemble in words."""
        numbers = [kernel for kernel, _ in self.chosen_]
        parts = [f"{numbers.count(k)} {NAMES[k]}" for k in sorted(set(numbers))]
        text = f"{len(self.chosen_)} bagged kernel ridge machines: {', '.join(parts)}"
        if self.trees_:
            text += f"; {len(self.trees_)} of boosted trees, with a share of {self.stack_.share:.0%}"
        n = len(self.columns_)
        return text if n == 1 else f"{text}; they share {n} sets of variables"

    def settings_table(self) -> tuple[tuple[str, ...], list[list]]:
        """How many members chose each kernel and penalty."""
        pairs = sorted(set(self.chosen_))
        rows = [[NAMES[kernel], penalty, self.chosen_.count((kernel, penalty))] for kernel, penalty in pairs]
        return ("kernel", "penalty", "machines"), rows

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as arrays, without pickle."""
        arrays = {
            "order": self.order_,
            "members": np.array([kernel for kernel, _ in self.chosen_], dtype=np.int64),
            "penalties": np.array([penalty for _, penalty in self.chosen_]),
            "parts": np.array(self.parts_, dtype=np.int64),  # the panel of each
            "panel_sizes": np.array([len(columns) for columns in self.columns_], dtype=np.int64),
            "panel_columns": np.concatenate(self.columns_),
            "trees": np.array([panel for panel, _ in self.trees_], dtype=np.int64),  # the panel of each
            "stack": np.array(self.stack_),
        }
        for i, model in enumerate(self.models_):
            arrays |= {f"part{i}_{key}": value for key, value in model.to_arrays().items()}
        for i, (_, trees) in enumerate(self.trees_):
            arrays |= {f"trees{i}_{key}": value for key, value in trees.to_arrays().items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays) -> Bagged:
        """The reverse of `to_arrays`."""
        members = [int(kernel) for kernel in arrays["members"]]
        made = cls(len(members))
        made.order_ = arrays["order"]
        made.chosen_ = list(zip(members, map(float, arrays["penalties"]), strict=True))
        keys = ("kernel_kind", "kernel_numbers", "cost", "support_vectors", "dual", "intercept", "converged")
        made.parts_ = arrays["parts"].tolist()
        made.columns_ = np.split(arrays["panel_columns"], np.cumsum(arrays["panel_sizes"])[:-1])
        parts = range(len(made.parts_))
        made.models_ = [Model.from_arrays({key: arrays[f"part{i}_{key}"] for key in keys}) for i in parts]
        made.stack_ = Stack(*map(float, arrays["stack"]))
        width, panels = len(made.order_), len(made.columns_)
        known = [
            (made.order_, width),
            (arrays["panel_columns"], width),
            (arrays["parts"], panels),
            (arrays["trees"], panels),
            (members, len(NAMES)),
        ]
        if not parts or sorted(made.order_) != list(range(width)) or not all(_all_below(*pair) for pair in known):
            raise ValueError("the machines of the ensemble, their panels and its columns don't fit together")
        made.trees_ = []
        for i, panel in enumerate(arrays["trees"].tolist()):
            own = {key: arrays[f"trees{i}_{key}"] for key in (*NODE, "roots", "start")}
            made.trees_.append((panel, Trees.from_arrays(own, len(made.columns_[panel]))))
        return made


def _is_linear(number: int) -> bool:
    """Whether a member is to be linear."""
    return number % LINEAR_EVERY == LINEAR_EVERY - 1


def _is_boosted(number: int, rows: int) -> bool:
    """Whether a member grows trees."""
    return rows >= BOOSTED_ROWS and number % BOOSTED_EVERY == BOOSTED_EVERY - 1


def _all_below(numbers, end: int) -> bool:
    return all(0 <= number < end for number in np.asarray(numbers).tolist())


def _kernels(variances) -> list[Kernel]:
    """Linear, quadratic, and Gaussian ones from smooth to local, scaled by the spread of the rows."""
    spread = 2.0 * float(variances.sum()) or 1.0
    quadratic = Kernel("poly", degree=2, gamma=2.0 / spread)
    return [Kernel("poly", degree=1), quadratic, *(Kernel("rbf", gamma=width / spread) for width in WIDTHS)]


def _bag(y, learned, most_rows, rng) -> np.ndarray:
    """Positions of a stratified random share of the rows to learn from; every class leaves one out where it can."""
    members = [learned[y[learned] == label] for label in CLASSES]
    sizes = [min(max(2, round(SHARE * len(rows))), max(2, len(rows) - 1)) for rows in members]
    if sum(sizes) > most_rows:
        rare = int(sizes[1] < sizes[0])
        quota = min(sizes[rare], max(round(most_rows * sizes[rare] / sum(sizes)), int(MINORITY_SHARE * most_rows)))
        sizes[rare], sizes[1 - rare] = quota, most_rows - quota
    drawn = [rng.choice(rows, size, replace=False) for rows, size in zip(members, sizes, strict=True)]
    return np.sort(np.concatenate(drawn))


def _train(X, y, bag, known, columns, kernels, wanted, linear=False) -> tuple[Machine, np.ndarray, np.ndarray]:
    """One member on some of the columns, those of the ``known`` examples that it did not see, and their values."""
    labels, inside = y[bag].astype(float), X[np.ix_(bag, columns)]
    unique, owner = merge_rows(inside)
    weights = class_weights(labels)
    different = inside[unique]
    products = gram(different)
    squares = products.diagonal().copy()
    if wanted is None:
        some = kernels[:1] if linear else kernels
        number, penalty, *solved = _choose(some, different, products, squares, owner, labels, weights)
    else:
        number, penalty = wanted
        values = kernels[number].from_products(products, squares, squares)
        solved = kernel_ridge_at(values, owner, labels, weights, penalty)
    machine = Machine(bag[unique], number, penalty, *solved)
    outside = np.setdiff1d(known, bag)
    model = Model(kernels[number], 0.0, different, machine.dual, machine.intercept, True)
    return machine, outside, model.decision_function(X[np.ix_(outside, columns)])


def _grow(X, y, bag, known, columns) -> tuple[Trees, np.ndarray, np.ndarray]:
    """One member of trees, those of the ``known`` examples that it did not see, and their values."""
    trees = grow(X[np.ix_(bag, columns)], y[bag])
    outside = np.setdiff1d(known, bag)
    return trees, outside, trees.values(X[np.ix_(outside, columns)])


def _choose(kernels, rows, products, squares, owner, labels, weights) -> tuple[int, float, np.ndarray, float]:
    """The kernel and penalty with the smallest leave-one-out error, of equal ones the first, and their model."""
    best = None
    for number, kernel in enumerate(kernels):
        inputs = rows if kernel.kind == "poly" and kernel.degree == 1 else None
        ridge = kernel_ridge(kernel.from_products(products, squares, squares), owner, labels, weights, inputs=inputs)
        losses = ridge.losses(labels, weights)
        i = int(np.argmin(losses))
        if best is None or losses[i] < best[0] * (1 - TIE):
            best = losses[i], number, PENALTIES[i], ridge.dual[:, i], float(ridge.intercepts[i])
    return best[1:]


def _merged(X, members, whose, panels, weight) -> tuple[list[int], list[Model]]:
    """The mean of the members times ``weight``, as one model for each panel and kernel that was chosen; the panel of
    each."""
    parts, models = [], []
    for panel, number in sorted({(i, machine.kernel) for i, machine in zip(whose, members, strict=True)}):
        columns, kernels = panels[panel]
        dual, intercept = np.zeros(len(X)), 0.0
        for i, machine in zip(whose, members, strict=True):
            if (i, machine.kernel) == (panel, number):
                dual[machine.rows] += machine.dual * weight / len(members)
                intercept += machine.intercept * weight / len(members)
        used = np.flatnonzero(dual)
        parts.append(panel)
        models.append(Model(kernels[number], 0.0, X[np.ix_(used, columns)], dual[used], intercept, True))
    return parts, models
