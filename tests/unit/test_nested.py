"""The estimate by repeated search: what is held out, what is measured, and that it is honest on noise and signal."""

from itertools import combinations

import numpy as np
import pytest

from himation.errors import UserError
from himation.evaluate import auc
from himation.files.folds_folder import read_folds, write_folds
from himation.files.tables import RawTable
from himation.models.kinds import Options as ModelOptions
from himation.models.kinds import auc_standard_error
from himation.nested import measuring
from himation.nested.competing import ALL, BLANKET, Fitting, competitors
from himation.nested.folds import Fold, at_test, plan_folds, without
from himation.nested.manipulated import Task, expect, implied_auc
from himation.nested.moving import move
from himation.nested.natural import Compared, Held, Placed, compared, expect_natural
from himation.nested.permuting import permuted_auc
from himation.nested.searching import Finder, Search, search_fold
from himation.nested.telling import facts_of
from himation.posterior.networks import Options
from himation.prepare.preparing import prepare
from himation.selection.rule_names import Settings
from himation.studies.reruns import honest, in_nature
from himation.studies.simulate.random_network import make_random_network

HOW = Search((Finder("mmmb", "mmmb", {"alpha": 0.05}),), "auto", Options.of(2, 40, 20, 1), 1)
FITTING = Fitting("bagged", ModelOptions(machines=6), 1)


def table_of(X, y, test=None):
    names = [f"v{i + 1}" for i in range(X.shape[1])]
    raw = RawTable("t.csv", names, len(X), values=np.ascontiguousarray(X.T, dtype=float))
    new = (
        None if test is None else RawTable("n.csv", names, len(test), values=np.ascontiguousarray(test.T, dtype=float))
    )
    return prepare(raw, y, test=new)


def mixed(n=120, seed=1):
    """A number that goes with the target, a binary effect of it, and noise of both kinds."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.where(np.arange(n) % 2, 1, -1))
    effect = np.where(rng.random(n) < 0.9, y > 0, y <= 0)
    columns = [y + rng.normal(size=n), effect, rng.normal(size=n), rng.integers(0, 2, n), rng.integers(0, 5, n)]
    return np.column_stack(columns).astype(float), y


def noise(n, p, seed):
    rng = np.random.default_rng(seed)
    return table_of(rng.normal(size=(n, p)), rng.permutation(np.where(np.arange(n) % 2, 1, -1)))


def searched(table, folds=None):
    return [search_fold(table, fold, HOW, FITTING) for fold in folds or plan_folds(table.target, 1)]


def test_every_row_is_held_out_once_in_each_division_and_classes_are_dealt_evenly():
    y = np.array([1] * 30 + [-1] * 50)
    folds = plan_folds(y, 1)
    whole = [fold for fold in folds if not fold.half]
    assert len(whole) == 15 and len(folds) - len(whole) == 4
    for division in range(3):
        rows = [row for fold in whole if fold.division == division for row in fold.held]
        assert sorted(rows) == list(range(80))
    assert {int((y[list(fold.held)] > 0).sum()) for fold in whole} == {6}
    assert all(len(fold.held) == 40 for fold in folds if fold.half)


def test_long_tables_run_fewer_folds_and_rare_classes_have_fewer_or_none():
    assert [len(fold.held) for fold in plan_folds([1, -1] * 6000, 1)] == [2400]
    assert len(plan_folds([1] * 4 + [-1] * 400, 1)) == 4
    assert plan_folds([1] * 2 + [-1] * 400, 1) == [] and plan_folds([1, -1] * 50, 1, folds=1) == []


def test_the_table_without_rows_has_the_others_and_drops_what_is_constant_then():
    X, y = mixed()
    X[:, 3] = 0
    X[5, 3] = 1
    table = table_of(X, y)
    part = without(table, [5, 7, 11])
    assert part.train.n == 117 and part.test.n == 3 and set(part.columns) == {1, 2, 3, 5}
    keep = np.setdiff1d(np.arange(120), [5, 7, 11])
    for x, column in enumerate(part.columns):
        whole = table.numbers(list(table.columns).index(column))
        np.testing.assert_array_equal(part.numbers(x), whole[keep])
        np.testing.assert_array_equal(part.numbers(x, "test"), whole[[5, 7, 11]])
    assert part.test_target.tolist() == y[[5, 7, 11]].tolist()


def test_a_part_sees_the_test_table_of_the_whole():
    X, y = mixed()
    table = table_of(X, y, test=X[:40] + 0)
    part = at_test(without(table, [1, 2, 3]), table)
    for x, column in enumerate(part.columns):
        np.testing.assert_array_equal(part.numbers(x, "test"), table.numbers(list(table.columns).index(column), "test"))


def test_the_auc_of_one_fold_is_the_auc_and_its_error_that_of_delong_with_twice_the_variance():
    rng = np.random.default_rng(3)
    positive, values = np.arange(60) % 2 > 0, rng.normal(size=60) + (np.arange(60) % 2)
    placed = measuring.placements(positive, values, np.zeros(60))
    found = measuring.estimate(positive, placed, cautious=False)
    assert found.auc == pytest.approx(auc(positive, values))
    assert found.error == pytest.approx(np.sqrt(2) * auc_standard_error(positive, values))
    perfect = measuring.estimate(positive, np.ones(60))
    assert perfect.auc == 1 and 0.01 < perfect.error < 0.05
    assert measuring.difference(positive, placed, placed) == measuring.Estimate(0.0, 0.0)


def test_values_of_different_folds_are_not_compared():
    positive, groups = np.array([True, False, True, False]), np.array([0, 0, 1, 1])
    values = np.array([1.0, 0.0, 101.0, 100.0])
    assert measuring.placements(positive, values, groups).tolist() == [1.0] * 4
    assert np.isnan(measuring.placements(positive, values, np.arange(4))).all()


def test_on_noise_the_expectation_is_one_half_and_that_of_pooled_values_is_below_it():
    x, alone, pooled = np.random.default_rng(1).normal(size=10), [], []
    for positives in combinations(range(10), 5):
        y = np.where(np.isin(np.arange(10), positives), 1, -1)
        values, groups = np.zeros(10), np.zeros(10)
        for fold in plan_folds(y, sum(positives), folds=5, divisions=1)[:5]:
            held = list(fold.held)
            known = np.setdiff1d(np.arange(10), held)
            high, low = (x[known][y[known] == sign].mean() for sign in (1, -1))
            values[held], groups[held] = (x[held] - (high + low) / 2) * (high - low), fold.number
        alone.append(measuring.placements(y > 0, values, groups).mean())
        pooled.append(auc(y, values))
    assert abs(np.mean(alone) - 0.5) < 0.02 and np.mean(pooled) < 0.48


def test_a_world_sets_what_is_below_the_target_and_what_follows_from_it_follows():
    rng = np.random.default_rng(2)
    n = 400
    y = rng.permutation(np.where(np.arange(n) % 2, 1, -1))
    cause = y + rng.normal(size=n)
    effect = y + rng.normal(size=n)
    below = effect + 0.1 * rng.normal(size=n)
    part = without(table_of(np.column_stack([cause, effect, below]), y), range(100))
    at = {int(column): x for x, column in enumerate(part.columns)}
    own = [at[1], at[2], at[3]]
    graph = np.zeros((4, 4), dtype=bool)
    graph[0, 3] = graph[3, 1] = graph[1, 2] = True
    moved = move(part, graph, own, {at[1], at[2]}.__contains__, np.random.default_rng(1))
    held = {x: part.numbers(x, "test") for x in own}
    np.testing.assert_array_equal(moved.columns([at[1]])[:, 0], held[at[1]])  # a cause stays, set or not
    set_now, follows = moved.columns([at[2], at[3]]).T
    assert sorted(set_now) == sorted(held[at[2]]) and not np.array_equal(set_now, held[at[2]])
    assert np.corrcoef(set_now, follows)[0, 1] > 0.95


def test_what_the_test_table_changes_is_what_its_values_imply():
    values = np.linspace(-3, 3, 601)
    chances = 1 / (1 + np.exp(-values))
    rng = np.random.default_rng(1)
    drawn = rng.choice(601, 200_000)
    labels = np.where(rng.random(200_000) < chances[drawn], 1, -1)
    assert implied_auc(values, chances) == pytest.approx(auc(labels, values[drawn]), abs=0.005)


def test_noise_is_not_above_chance_and_its_estimates_are_even():
    estimates = [expect_natural(searched(noise(60, 30, seed)), False).here for seed in range(6)]
    assert abs(np.mean([one.auc for one in estimates]) - 0.5) < 0.08
    assert sum(one.above_chance for one in estimates) <= 1


def test_signal_is_found_with_the_variables_that_have_it_and_rows_have_values():
    X, y = mixed(150)
    found = expect_natural(searched(table_of(X, y)), True)
    assert found.here.above_chance and found.here.auc > 0.9
    assert found.stability[1] == found.stability[2] == 1.0
    assert sorted(found.values) == list(range(150))


def test_a_manipulated_effect_is_left_out_and_less_is_expected():
    X, y = mixed(400)
    found = searched(table_of(X, y))
    told = expect(found, Task("known", frozenset({2}), "posterior", Settings()), FITTING, True, 1)
    kept = expect(found, Task("known", frozenset({2}), "natural", Settings()), FITTING, True, 1)
    assert told.natural.auc < kept.natural.auc
    assert kept.here.auc < kept.natural.auc - 0.02
    assert kept.here.error > kept.natural.error * 0.9


def test_what_models_gain_by_rows_is_added_where_there_is_signal_alone():
    n = 200
    positive, rows = np.arange(n) % 2 > 0, np.arange(n)
    held = Held(rows, positive, np.zeros(n), np.zeros(n))
    whole, half = (Placed(held, np.full(n, auc) + 0.1 * (rows % 3 - 1), rows * 0.0) for auc in (0.8, 0.74))
    assert whole.grown(half).auc == pytest.approx(whole.grown(None).auc + 0.02, abs=1e-6)
    chance = Placed(held, np.full(n, 0.5), rows * 0.0)
    assert chance.grown(half) == chance.grown(None)


def test_a_set_must_beat_the_blanket_by_more_than_the_noise_and_where_all_is_noise_none_does():
    n = 200
    rng = np.random.default_rng(1)
    held = Held(np.arange(n), np.arange(n) % 2 > 0, np.arange(n) // 40, np.zeros(n))
    base = rng.random(n)
    known = Compared(held, {BLANKET: base, "rfe": base + 0.01, ALL: base + rng.normal(0, 0.5, n)})
    assert known.choose() == "rfe" and known.choose(anything=False) == BLANKET and known.choose(names=[]) == BLANKET
    assert compared([]).choose() == BLANKET


def test_folds_are_kept_in_a_folder_and_come_back(tmp_path):
    table = table_of(*mixed(80))
    some = searched(table, plan_folds(table.target, 1)[:2])
    write_folds(tmp_path / "b", some[1:], [0.6])
    write_folds(tmp_path / "a", some[:1], [0.4])
    found, permuted = read_folds([tmp_path / "b", tmp_path / "a"], table)
    assert [one.fold for one in found] == [one.fold for one in some] and permuted == [0.4, 0.6]
    for mine, theirs in zip(found, some, strict=True):
        assert competitors(mine.table, mine.found) == competitors(theirs.table, theirs.found)
        assert {k: v.tolist() for k, v in mine.values.items()} == {k: v.tolist() for k, v in theirs.values.items()}
    with pytest.raises(UserError, match="folds of another table"):
        read_folds([tmp_path / "a"], noise(20, 3, 1))
    with pytest.raises(UserError, match="no folds in it"):
        read_folds([tmp_path / "c"], table)


def test_permuted_labels_leave_nothing(tmp_path):
    table = table_of(*mixed(60))
    permuted = [permuted_auc(table, k, 3, 1, HOW, FITTING) for k in (1, 2)]
    assert permuted[0] != permuted[1] and max(permuted) < 0.85
    assert measuring.p_value(0.99, permuted) == pytest.approx(1 / 3)


def test_the_order_of_columns_does_not_matter():
    X, y = mixed(60)
    fold = Fold(0, 0, tuple(range(0, 60, 5)))
    mine = search_fold(table_of(X, y), fold, HOW, FITTING)
    other = search_fold(table_of(X[:, ::-1], y), fold, HOW, FITTING)
    assert {k: v.tolist() for k, v in mine.values.items()} == {k: v.tolist() for k, v in other.values.items()}


def test_the_study_compares_with_fresh_rows(monkeypatch):
    monkeypatch.setattr(honest, "NOISE", ((40, 10),))
    monkeypatch.setattr(honest, "SIZES", ((60, 40),))
    lines = {(line.case, line.measure): line.rerun for line in honest.run(1, 3)}
    assert {case for case, _ in lines} == {"noise", "signal, in nature", "signal, known manipulation"}
    excess, nothing = "mean of expected minus achieved AUC", "share with the verdict that nothing was found"
    assert abs(lines["noise", excess]) < 0.4 and lines["noise", nothing] == 1.0
    assert lines["signal, in nature", nothing] == 0.0 and lines["signal, in nature", "mean expected AUC"] > 0.6


def test_the_study_draws_labels_in_shares_and_all_kinds_at_all_sizes():
    X, y = honest._of_share(lambda n: make_random_network(1, "linear", 10).train(n), 60, 0.1)
    assert X.shape == (60, 10) and (y > 0).sum() == 6
    tasks = honest.tasks(5, 1)
    assert len(tasks) == 5 * (len(honest.NOISE) + len(honest.SIZES)) == len(set(tasks))
    assert {kind for _, kind, *_ in tasks} == {*honest.OF_NOISE, *honest.STYLES, "continuous", "binary", "mixed"}
    assert {share for (n, p), kind, share, _ in tasks if kind == "both"} == set(honest.SHARES)


def test_the_study_in_nature_stands_beside_models_on_all_variables(monkeypatch):
    monkeypatch.setattr(in_nature, "TABLES", ("wine",))
    lines = {(line.case, line.measure): line.rerun for line in in_nature.run(1, 3)}
    assert lines["wine", "AUC"] > 0.95 and lines["wine", f"AUC, {in_nature.LOGISTIC}"] > 0.95
    assert lines["all tables", "AUC less the better rival"] > -0.05
    assert lines["all tables", "share within two standard errors"] == 1.0


def test_what_is_not_repeated_in_folds_is_said():
    table = table_of(*mixed(60))
    some = searched(table, plan_folds(table.target, 1)[:2])
    found = {"thesis": expect(some, Task("unknown", frozenset(), "thesis", Settings()), FITTING, True, 1)}
    assert "in place of the rule 'thesis'" in facts_of("thesis", found, some, [], "unknown")["measured"]
    natural = {"thesis": expect_natural(some, True)}
    facts = facts_of("thesis", natural, some, [0.5], "none")
    assert "in place" not in facts["measured"] and facts["folds"] == 2 and facts["p_value"] in (0.5, 1.0)
