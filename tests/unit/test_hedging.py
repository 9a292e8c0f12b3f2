"""Variables divided among machines: panels, what can be expected of them, and ensembles that are trained on them."""

import numpy as np
import pytest

from himation.errors import UserError
from himation.files.models import load_model, save_model
from himation.files.tables import RawTable
from himation.models import bagged
from himation.models.bagged import Bagged
from himation.models.building import build, panels_of_columns
from himation.models.constructed import Constructed
from himation.models.kinds import Options, create
from himation.prepare.preparing import prepare
from himation.selection.expected import Worlds, _aucs
from himation.selection.hedging import hedge
from himation.selection.worlds import Drawn

A, B, T = range(3)


def doubtful(no_cause, n=800, draws=60):
    """Two variables that say the same of the target; which of them is its effect, nobody knows."""
    rng = np.random.default_rng(1)
    y = np.where(rng.random(n) < 0.5, 1, -1)
    columns = {x: y + rng.standard_normal(n) for x in (A, B)}
    below = [Drawn({A: (), B: ()}, ()) for _ in range(draws)]
    return Worlds(columns, y, T, (A, B), below, lambda x: 1.0, 1, no_cause), columns, y


def test_a_panel_is_what_a_world_leaves_in_its_place():
    worlds, _, _ = doubtful({A: 0.3, B: 0.6})
    panels = worlds.panels((A, B))
    assert set(panels) == {(A, B), (A,), (B,)}
    assert sum(panels.values()) == sum(len(replaced) < 2 for replaced in worlds.replaced) < 60
    for x, doubt in ((A, 0.3), (B, 0.6)):
        kept = sum(count for panel, count in panels.items() if x in panel)
        assert kept == sum(x not in replaced for replaced in worlds.replaced)
        assert kept / 60 == pytest.approx(1 - doubt, abs=0.2)


def test_the_expectation_is_that_of_the_mean_of_machines():
    """Against scores added up machine by machine, in every world."""
    worlds, _, _ = doubtful({A: 0.4, B: 0.4}, draws=10)
    areas = np.zeros(11)
    for fold in worlds.folds:
        scores = np.zeros(fold.tables.shape[:2])
        for panel, count in worlds.panels((A, B)).items():
            use = list(panel)
            weights = np.linalg.solve(fold.gram[np.ix_(use, use)], fold.goal[use])
            scores += count * (fold.tables[:, :, use] @ weights)
        areas += _aucs(scores, fold.positive) / 5
    found = worlds.expect_hedged((A, B))
    assert found.natural == pytest.approx(areas[0]) and found.auc == pytest.approx(areas[1:].mean())


def test_certainty_needs_no_hedge_and_doubt_is_hedged():
    worlds, _, _ = doubtful({A: 0.0, B: 1.0})
    assert hedge(worlds, [(A, B), (A,)], worlds.expect((A,))) is None
    worlds, _, _ = doubtful({A: 0.8, B: 0.7})
    alone = max((worlds.expect(members) for members in ((A, B), (A,), (B,))), key=lambda item: item.auc)
    found = hedge(worlds, [(A, B), (B,)], worlds.expect((B,)))
    assert found.expectation.members == (A, B) and found.expectation.auc > worlds.expect((B,)).auc + 0.01
    assert found.expectation.auc >= alone.auc - 0.01


def examples(n=300, p=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, np.where(X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n) > 0, 1, -1)


def test_machines_are_given_panels_by_weight():
    X, y = examples()
    model = Bagged(20, panels=[((0, 1), 3.0), ((2, 3, 4), 1.0)]).fit(X, y, 1)
    columns, whose = model._panels()
    assert [whose.count(i) for i in range(len(columns))] == [pytest.approx(15, abs=1), pytest.approx(5, abs=1)]
    assert sorted(model.order_[columns[0]].tolist()) == [0, 1]
    whole = Bagged(6, panels=[(range(5), 2.0)]).fit(X, y, 1)
    assert whole.decision_function(X).tobytes() == Bagged(6).fit(X, y, 1).decision_function(X).tobytes()


def test_an_ensemble_with_panels_is_the_mean_of_its_panels():
    """Machine by machine: the same bag, on the columns of its panel alone."""
    X, y = examples()
    panels = [((0, 2), 1.0), ((1, 3), 1.0)]
    model = Bagged(4, panels=panels).fit(X, y, 2)
    columns, whose = model._panels()
    bags = np.random.default_rng(2)
    total, ordered = np.zeros(len(y)), X[:, model.order_]
    for i, chosen in enumerate(model.chosen_):
        use = columns[whose[i]]
        bag = bagged._bag(y, 1000, bags)
        kernels = bagged._kernels(ordered[:, use].var(axis=0))
        machine, *_ = bagged._train(ordered, y, bag, use, kernels, chosen)
        vectors = ordered[np.ix_(machine.rows, use)]
        alone = bagged.Model(kernels[machine.kernel], 0.0, vectors, machine.dual, machine.intercept, True)
        total += alone.decision_function(ordered[:, use]) / 4
    np.testing.assert_allclose(model.decision_function(X), total, atol=1e-9)


def test_a_column_of_no_panel_has_no_say_and_order_does_not_matter():
    X, y = examples()
    model = Bagged(6, panels=[((0, 1), 1.0), ((1, 2), 2.0)]).fit(X, y, 1)
    other = X.copy()
    other[:, 4] = 99.0
    assert model.decision_function(other).tobytes() == model.decision_function(X).tobytes()
    order = np.array([3, 1, 4, 0, 2])  # column j of the new table is order[j] of the old
    moved = Bagged(6, threads=2, panels=[((4, 1), 2.0), ((1, 3), 1.0)]).fit(X[:, order], y, 1)
    assert moved.decision_function(X[:, order]).tobytes() == model.decision_function(X).tobytes()
    assert moved.out_of_bag_.tobytes() == model.out_of_bag_.tobytes()


def test_one_machine_is_refused():
    with pytest.raises(UserError, match="'bagged', or select by the rule 'expected'"):
        create("svm", Options(panels=(((0,), 1.0),)))


def test_panels_of_variables_become_columns(tmp_path):
    """A variable of words has several columns, a product joins a panel that has both of its variables."""
    rng = np.random.default_rng(3)
    values, colours = rng.normal(size=(3, 200)), rng.integers(0, 3, 200)
    y = np.where(values[0] + (colours == 1) + 0.5 * rng.normal(size=200) > 0.3, 1, -1)
    words = np.array(["red", "green", "blue"], dtype=object)[colours]
    raw = RawTable("t", ["a", "colour", "b"], 200, values=values, texts={1: words})
    table = prepare(raw, y)
    place = {name: i for i, name in enumerate(table.names)}
    a, colour, b = place["a"], place["colour"], place["b"]
    variables = [a, colour, b]
    products = (Constructed("a*b", ((a, 1), (b, 1)), 1.0),)
    panels = [((a, b), 2.0), ((colour,), 1.0)]
    assert panels_of_columns(table, variables, products, panels) == (((0, 4, 5), 2.0), ((1, 2, 3), 1.0))
    assert panels_of_columns(table, variables[:1], products, panels) == (((0,), 2.0),)
    assert panels_of_columns(table, variables, products, ()) == ()
    built = build(table, variables, products, "bagged", 1, Options(machines=6), panels)
    assert sorted(built.saved.nested) == [1, 2]
    save_model(tmp_path / "m.npz", built.saved)
    again = load_model(tmp_path / "m.npz")
    assert again.values(table).tobytes() == built.saved.values(table).tobytes()
