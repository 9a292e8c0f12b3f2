"""What the test table says was manipulated, on small networks whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest

from himation.files.manipulated_file import kind, read_inferred, write_inferred
from himation.files.nodes import Nodes
from himation.files.tables import RawTable
from himation.posterior.manipulation import infer, panels
from himation.posterior.mechanisms import Mechanisms, Rows, drifting_rows
from himation.posterior.networks import Chain, Networks
from himation.posterior.target import Reliability
from himation.prepare.preparing import prepare

NAMES = ["cause", "root", "child", "other", "far"]


def draw(n, seed, manipulate=None):
    """cause -> target -> child, other; root -> child; child -> far. ``manipulate`` maps names to functions of the
    value that the mechanism gives, and of noise."""
    rng = np.random.default_rng(seed)
    found = {}

    def put(name, value):
        noise = rng.normal(size=n)
        found[name] = (manipulate or {}).get(name, lambda v, _: v)(value, noise)
        return found[name]

    cause, root = put("cause", rng.normal(size=n)), put("root", rng.normal(size=n))
    target = np.where(1.5 * cause + rng.logistic(size=n) > 0, 1, -1)
    child = put("child", target + root + 0.7 * rng.normal(size=n))
    put("other", target + 0.7 * rng.normal(size=n))
    put("far", child + 0.7 * rng.normal(size=n))
    return np.column_stack([found[name] for name in NAMES]), target


def table_of(manipulate=None, rows=1000, shape=lambda X: X):
    X, y = draw(800, 1)
    Z, _ = draw(rows, 2, manipulate)
    parts = [RawTable("t", NAMES, len(v), values=np.ascontiguousarray(shape(v).T)) for v in (X, Z)]
    return prepare(parts[0], y, test=parts[1])


def networks_of(table):
    """The true network, in every chain."""
    at = {name: i for i, name in enumerate(table.names)}
    graph = np.zeros((6, 6), dtype=bool)
    for a, b in (("cause", 5), (5, "child"), (5, "other"), ("root", "child"), ("child", "far")):
        graph[at.get(a, 5), at.get(b, 5)] = True
    graphs = np.array([graph] * 4)
    chains = tuple(Chain(tuple(range(5)), graphs, np.zeros(4)) for _ in range(3))
    return Networks(chains, Reliability())


def told(manipulate=None, **more):
    table = table_of(manipulate, **more)
    found = infer(table, networks_of(table))
    return {table.names[x]: chance for x, chance in found.chances.items()}, found, table


def noise(_, drawn):
    return 1.5 * drawn


def test_a_natural_table_stays_natural():
    chances, found, _ = told()
    assert all(chance.set + chance.shifted < 0.1 for chance in chances.values())
    assert found.told > 0.9


@pytest.mark.parametrize("name", ["child", "other", "far"])
def test_what_lost_its_causes_was_set_and_nothing_else(name):
    chances, *_ = told({name: noise})
    assert chances[name].set > 0.9
    judged = [chances[other] for other in ("child", "other", "far") if other != name]  # a root has nothing to lose
    assert all(chance.set + chance.shifted < 0.2 for chance in judged)


def test_a_root_that_was_set_shows_in_its_own_distribution():
    chances, *_ = told({"root": lambda value, drawn: 2 + 0.3 * drawn})
    assert chances["root"].set > 0.9 and chances["child"].set < 0.1


@pytest.mark.parametrize(
    "change",
    [lambda v, _: v + 1, lambda v, drawn: v + 2 * drawn, lambda v, _: 0.5 * v],
    ids=["mean", "scale", "strength"],
)
def test_a_soft_change_is_a_shift(change):
    chances, *_ = told({"far": change})
    assert chances["far"].shifted > 0.8


def test_yes_or_no_columns_are_judged_as_well():
    chances, *_ = told({"other": noise, "far": noise}, shape=lambda X: (X > 0).astype(float))
    assert min(chances["other"].set, chances["far"].set) > 0.8
    assert chances["child"].set < 0.3


def test_few_rows_decide_little_and_leave_more_to_the_parents():
    (_, few, table), (_, many, _) = told({}, rows=8), told({}, rows=2000)
    assert few.told < many.told
    parents = (table.names.index("cause"),)

    def alone(found):
        weights = panels(found, range(5))
        return weights.get(parents, 0) / sum(weights.values())

    assert alone(few) > alone(many)


def test_a_set_effect_goes_with_the_spouse_that_it_brought():
    _, found, table = told({"child": noise})
    weights = panels(found, ())
    best = max(weights, key=weights.get)
    assert {table.names[x] for x in best} == {"cause", "other"}


def test_a_variable_outside_the_networks_is_judged_by_its_companion():
    table = table_of({"far": noise})
    graph = np.zeros((2, 2), dtype=bool)
    graph[1, 0] = True
    chain = Chain((table.names.index("child"),), np.array([graph] * 4), np.zeros(4))
    found = infer(table, Networks((chain, chain), Reliability()))
    far = found.chances[table.names.index("far")]
    assert far.set > 0.9 and far.networks == 0 and far.companion == table.names.index("child")


def test_the_written_answer_is_read_back(tmp_path):
    _, found, table = told({"child": noise})
    nodes, networks = Nodes(table), networks_of(table)
    write_inferred(tmp_path / "a.npz", nodes, found)
    again = read_inferred(tmp_path / "a.npz", nodes, networks)
    assert again.chances == found.chances and again.told == found.told
    assert panels(again, range(5)) == panels(found, range(5))
    assert kind(found.chances[table.names.index("child")]) == "set"


def test_the_likelihood_of_a_kept_mechanism_is_that_of_least_squares():
    """Against numpy's least squares and the normal density written out."""
    table = table_of()
    rows = Rows.of(table, range(5))
    i, j = table.names.index("far") + 1, table.names.index("child") + 1
    weights, *_ = np.linalg.lstsq(rows.train[:, [0, j]], rows.train[:, i], rcond=None)
    spread = np.mean((rows.train[:, i] - rows.train[:, [0, j]] @ weights) ** 2)
    left = rows.test[:, i] - rows.test[:, [0, j]] @ weights
    mean = np.mean(-0.5 * np.log(spread) - 0.5 * left**2 / spread)
    same = Mechanisms(rows).states(i, (j,))[0]
    assert same == pytest.approx(rows.counts_for * mean, rel=0.02)


def test_the_order_of_columns_changes_nothing():
    X, y = draw(800, 1)
    Z, _ = draw(500, 2, {"child": noise})
    answers = []
    for order in ([0, 1, 2, 3, 4], [4, 2, 0, 1, 3]):
        names = [NAMES[k] for k in order]
        parts = [RawTable("t", names, len(v), values=np.ascontiguousarray(v[:, order].T)) for v in (X, Z)]
        table = prepare(parts[0], y, test=parts[1])
        found = infer(table, networks_of(table))
        answers.append({table.names[x]: chance.set for x, chance in found.chances.items()})
    assert answers[0] == answers[1]


@pytest.mark.parametrize("drift", [0.0, 0.04, 0.25])
def test_a_drift_of_all_mechanisms_is_measured_though_some_were_manipulated(drift):
    rng = np.random.default_rng(1)
    rows, sizes = 300.0, np.where(np.arange(400) % 8, np.sqrt(1 / 300 + drift), np.sqrt(1 / 300 + 1))
    found = drifting_rows(rng.normal(0, sizes), np.ones(400), rows)
    assert found == pytest.approx(1 / (1 / rows + drift), rel=0.3)


def test_where_everything_drifts_the_table_says_less_and_what_it_leaves_open_goes_to_the_widest_set():
    moves = dict(zip(NAMES, (0.3, -0.35, 0.4, -0.3, 0.35), strict=True))
    drifted, found, _ = told({name: lambda v, _, by=by: v + by for name, by in moves.items()}, rows=4000)
    sure, steady, _ = told({"far": lambda v, _: v + 0.35}, rows=4000)
    assert found.steady < 0.5 < steady.steady
    assert drifted["far"].shifted < sure["far"].shifted
    everything = tuple(range(5))
    weights = [panels(replace(one, told=0.5), (0,), everything) for one in (found, steady)]
    shares = [one[everything] / sum(one.values()) for one in weights]
    assert shares[0] == pytest.approx(0.5 * (1 - found.steady), abs=0.01) and shares[1] < 0.25


def test_a_rarer_target_is_no_manipulation_of_its_effects():
    X, y = draw(800, 1)
    Z, z = draw(6000, 2)
    rare = np.r_[np.flatnonzero(z < 0), np.flatnonzero(z > 0)[:150]]
    parts = [RawTable("t", NAMES, len(v), values=np.ascontiguousarray(v.T)) for v in (X, Z[rare])]
    table = prepare(parts[0], y, test=parts[1])
    found = infer(table, networks_of(table))
    effects = [found.chances[table.names.index(name)] for name in ("child", "other")]
    assert all(chance.set < 0.1 for chance in effects)


def test_without_networks_the_widest_set_stands_in():
    table = table_of()
    found = infer(table, Networks((), Reliability()))
    assert panels(found, (1,), (0, 1, 2)) == {(0, 1, 2): 1} and panels(found, (1,)) == {(1,): 1}


def test_an_effect_that_was_set_to_values_of_its_two_classes_in_other_shares_was_set():
    """Neither as usual nor a bell: only that it no longer goes with what the cause says gives it away."""

    def other_shares(value, noise):
        rng = np.random.default_rng(3)
        return np.where(rng.random(len(value)) < 0.8, 1.0, -1.0) + 0.7 * noise

    chances, _, _ = told({"other": other_shares})
    assert chances["other"].set > 0.9 and max(chances[name].set for name in ("child", "far")) < 0.1


def test_the_farther_a_cause_has_moved_the_less_its_effect_says():
    """The error of a mean estimated by least squares, sigma2 (1/m + z' (X'X)^-1 z), by drawing."""
    rng = np.random.default_rng(5)
    n, m, moved = 60, 90, 1.5
    X = rng.normal(size=n)
    inside, errors = np.column_stack([np.ones(n), X]), []
    outside = np.column_stack([np.ones(m), rng.normal(moved, 1.0, size=m)])
    for _ in range(4000):
        weights = np.linalg.lstsq(inside, X + rng.normal(size=n), rcond=None)[0]
        left = outside[:, 1] + rng.normal(size=m) - outside @ weights
        errors.append(left.mean())
    both = [np.column_stack([part, part[:, 1]]) for part in (inside, outside)]
    rows = Rows(both[0], np.ones(n), both[1], np.zeros(3, dtype=bool), n, n * m / (n + m))
    counts_for = rows.counts_for * Mechanisms(rows)._as_far([0, 1])
    assert counts_for == pytest.approx(1 / np.var(errors), rel=0.1)


@pytest.mark.parametrize("shape", [lambda X: X, lambda X: (X > 0).astype(float)], ids=["numbers", "yes or no"])
def test_twice_what_a_kept_mechanism_loses_against_one_fitted_anew_is_chi_squared(shape):
    """With a degree of freedom for the mean, the slope and, of numbers, the scale."""
    losses, counted = [], 800 * 1000 / 1800
    for seed in range(40):
        (X, y), (Z, _) = draw(800, seed), draw(1000, 100 + seed)
        parts = [RawTable("t", NAMES, len(v), values=np.ascontiguousarray(shape(v).T)) for v in (X, Z)]
        mechanisms = Mechanisms(Rows.of(prepare(parts[0], y, test=parts[1]), range(5)).counting(counted))
        family = (NAMES.index("far") + 1, (NAMES.index("child") + 1,))
        losses.append(2 * (mechanisms.refitted(*family) - mechanisms.states(*family)[0]))
    freedom = 3 if shape(np.array([0.5])) == 0.5 else 2
    assert min(losses) >= 0 and np.mean(losses) == pytest.approx(freedom, abs=3 * np.sqrt(2 * freedom / 40))


def test_a_network_with_a_wrong_cause_says_less_of_a_variable_whose_right_cause_others_have():
    """far follows child; a network in which other is its cause calls it manipulated once child was set."""
    table = table_of({"child": lambda v, noise: 2 * noise})
    right = networks_of(table)
    at = {name: i for i, name in enumerate(table.names)}
    wrong = np.array(right.chains[0].graphs)
    wrong[:, at["child"], at["far"]], wrong[:, at["other"], at["far"]] = False, True
    chances = []
    for graphs in ([], [wrong], [wrong] * 3):
        chains = (right.chains[0], *(replace(right.chains[1], graphs=one) for one in graphs))
        one = infer(table, replace(right, chains=chains)).chances[at["far"]]
        chances.append(one.set + one.shifted)
    assert chances[0] < 0.05 and chances[1] < 0.4 and chances[2] < 0.7, chances  # not 1/2 and 3/4


def test_an_effect_of_an_effect_that_was_set_is_cut_off():
    """far follows child; networks that hold it for an effect of the target learn better once child was set."""
    used = []
    for manipulate in (None, {"child": lambda v, noise: 1.2 * noise}):
        table = table_of(manipulate)
        at = {name: i for i, name in enumerate(table.names)}
        right = networks_of(table)
        wrong = np.array(right.chains[0].graphs)
        wrong[:, at["child"], at["far"]], wrong[:, 5, at["far"]] = False, True
        found = infer(table, replace(right, chains=tuple(replace(one, graphs=wrong) for one in right.chains)))
        sets = panels(found, range(5))
        used.append(sum(weight for members, weight in sets.items() if at["far"] in members) / sum(sets.values()))
    assert used[1] < 0.1 < 0.5 < used[0]
