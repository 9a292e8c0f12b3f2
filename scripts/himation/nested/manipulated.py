"""The AUC to expect of the model on fresh rows once somebody has set variables.

Each fold selects by its own networks, fits, and predicts its rows as they would be in the worlds of these networks
(`himation.nested.moving`). The test table is one of these worlds and nobody knows which, so their spread is part of the
error. Where the unlabelled test table may be looked at, its inputs say what the manipulation did to what the model
sees: a logistic curve over the values of moved rows says how many of both classes to expect at each value, and so by
how much the AUC on the test table's values differs from that on the moved rows' values. Half of that correction counts
as error.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.models.calibration import fit_platt
from himation.models.constructed import model_columns, usable
from himation.nested.competing import JOINED, Fitting, Searched, competitors, features_of, fit, strongest
from himation.nested.folds import at_test
from himation.nested.measuring import Estimate, placements
from himation.nested.moving import drawn_worlds, move
from himation.nested.natural import (
    Expected,
    Held,
    Placed,
    columns_of,
    compared,
    expect_natural,
    shares,
    split,
    value_by_row,
)
from himation.posterior.manipulation import infer
from himation.selection.rule_names import DEFAULT, RULES, THESIS, Settings
from himation.selection.rules import NATURAL, UNKNOWN, Situation, select
from himation.table import Table

WORLDS = 12  # of each fold


@dataclass(frozen=True)
class Task:
    """A manipulation: its kind, the columns that are set, the rule of selection and its settings; the table of the data
    set, if its test table may be looked at, and the share of manipulated variables before it is."""

    kind: str
    manipulated: frozenset[int]
    rule: str
    settings: Settings
    asked: Table | None = None
    share: float = 0.5


@dataclass
class _Fold:
    """Of one fold: values of the rows held out in nature and in each world, and of the test table."""

    natural: np.ndarray
    worlds: list[np.ndarray]
    test: np.ndarray | None
    columns: list[int]


def expect_rules(
    searched: Sequence[Searched], task: Task, fitting: Fitting, anything: bool, seed: int
) -> dict[str, Expected]:
    """By the rule of the task and, where something was manipulated, by others that need no oriented graphs."""
    others = [rule for rule in RULES if rule not in (task.rule, THESIS)] if task.kind != NATURAL else []
    return {rule: expect(searched, replace(task, rule=rule), fitting, anything, seed) for rule in (task.rule, *others)}


def expect(searched: Sequence[Searched], task: Task, fitting: Fitting, anything: bool, seed: int) -> Expected:
    """Under any manipulation."""
    main, halves = split(searched)
    if task.kind == NATURAL or not main:
        return expect_natural(searched, anything)
    known = compared(main)
    used = [(known.choose(anything, without=k), known.widest(anything, without=k)) for k in range(len(main))]
    folds = _all_predicted(main, used, task, fitting, seed)
    chosen = [(known.choose(anything), known.widest(anything))] * len(halves)
    shorter = _all_predicted(halves, chosen, task, fitting, seed)
    natural, worlds = _placed(main, folds)
    poorer, poorer_worlds = _placed(halves, shorter) if halves else (None, [])
    mean = _mean(worlds).grown(_mean(poorer_worlds) if poorer_worlds else None)
    between, held = _between(worlds), known.held
    assert held is not None
    shift = 0.0
    if all(fold.test is not None for fold in folds):
        moved = np.concatenate([one.values for one in worlds])
        test = np.concatenate([fold.test for fold in folds])
        shift = _shift(moved, np.tile(held.positive, len(worlds)), test)
    auc = float(np.clip(mean.auc + shift, 0.0, 1.0))
    error = float(np.sqrt(mean.error**2 + between**2 + (shift / 2) ** 2))
    stability, rows = shares([fold.columns for fold in folds]), value_by_row(held, _mean(worlds).values)
    return Expected(Estimate(auc, error), natural.grown(poorer), stability, rows, (), shift, between)


def _all_predicted(searched, used, task: Task, fitting: Fitting, seed: int) -> list[_Fold]:
    return [
        _predicted(one, task, fitting, names, [seed, k])
        for k, (one, names) in enumerate(zip(searched, used, strict=True))
    ]


def _placed(searched: Sequence[Searched], folds: Sequence[_Fold]) -> tuple[Placed, list[Placed]]:
    """In nature, and in every world."""
    held = Held.of(searched)

    def place(values: np.ndarray) -> Placed:
        return Placed(held, placements(held.positive, values, held.groups), values)

    each = min(len(fold.worlds) for fold in folds)
    worlds = [place(np.concatenate([fold.worlds[w] for fold in folds])) for w in range(each)]
    return place(np.concatenate([fold.natural for fold in folds])), worlds


def _mean(worlds: Sequence[Placed]) -> Placed:
    placed, values = (np.mean([getattr(one, key) for one in worlds], axis=0) for key in ("placed", "values"))
    return Placed(worlds[0].held, placed, values)


def _between(worlds: Sequence[Placed]) -> float:
    """The standard deviation of a fold's AUC over the worlds."""
    if len(worlds) < 2:
        return 0.0
    groups = worlds[0].held.groups
    areas = [[float(np.nanmean(one.placed[groups == k])) for one in worlds] for k in np.unique(groups)]
    return float(np.sqrt(np.mean(np.var(areas, axis=1, ddof=1))))


def _predicted(one: Searched, task: Task, fitting: Fitting, names: tuple[str, str], seed) -> _Fold:
    """``names`` are those of the sets that predict in nature, the best and the widest."""
    table, found = one.table, one.found
    joined = names[0] == JOINED or names[0] in found.feature_space
    where = {int(column): x for x, column in enumerate(table.columns)}
    manipulated = frozenset(where[column] for column in task.manipulated if column in where)
    sets = competitors(table, found)
    first = next(iter(found.sets.values()), ())
    blanket = tuple(dict.fromkeys((*first, *sets[JOINED]))) if joined and JOINED in sets else first
    asked = at_test(table, task.asked) if task.asked is not None and task.asked.test is not None else None
    inferred = None
    if asked is not None and task.kind == UNKNOWN and task.rule == DEFAULT and found.networks.chains:
        inferred = infer(asked, found.networks, task.share, int(seed[0]))
    known = blanket or strongest(table)
    best, widest = (sets.get(name, ()) for name in names)
    situation = Situation(known, {}, found.networks, task.kind, manipulated, str, task.settings, inferred, best, widest)
    chosen = select(task.rule, situation)
    features = usable(features_of(JOINED, found) if joined else (), chosen.used)
    model = fit(table, chosen.used, features, fitting, chosen.panels, found.networks)
    rng = np.random.default_rng(seed)
    drawn = drawn_worlds(found.networks, situation.is_set, inferred)
    worlds = []
    for graph, own, cut in [drawn[k] for k in np.linspace(0, len(drawn) - 1, min(WORLDS, len(drawn))).astype(int)]:
        is_set = {x for x, here in zip(own, cut, strict=True) if here}.__contains__
        worlds.append(model.decision_function(move(table, graph, own, is_set, rng).columns(chosen.used, features)))
    natural = model.decision_function(model_columns(table, chosen.used, features, "test"))
    test = None if asked is None else model.decision_function(model_columns(asked, chosen.used, features, "test"))
    return _Fold(natural, worlds or [natural], test, columns_of(one, chosen.chosen))


def _shift(moved: np.ndarray, positive: np.ndarray, test: np.ndarray) -> float:
    """By how much the AUC that a logistic curve implies is higher on the test table's values than on moved rows'."""
    curve = fit_platt(moved, np.where(positive, 1, -1))
    return implied_auc(test, curve.probability(test)) - implied_auc(moved, curve.probability(moved))


def implied_auc(values: np.ndarray, chances: np.ndarray) -> float:
    """The AUC of values whose rows are positive with these chances.

    >>> implied_auc(np.array([0.0, 1.0]), np.array([0.0, 1.0])), implied_auc(np.zeros(2), np.full(2, 0.5))
    (1.0, 0.5)
    """
    from himation.evaluate import auc

    both = np.concatenate([values, values])
    labels = np.repeat([1, -1], len(values))
    weights = np.concatenate([chances, 1 - chances])
    return auc(labels, both, weights) if min(chances.sum(), (1 - chances).sum()) > 0 else 0.5
