"""Kinds of model: the ensemble against its machines one by one, honest values, files, and new tables."""

import doctest
import json

import numpy as np
import pytest

from himation.errors import UserError
from himation.evaluate import auc
from himation.files.models import load_model, read_predictions, save_model, write_predictions
from himation.files.tables import RawTable, read_table
from himation.models import bagged, boosted, encoding
from himation.models import kinds as model_kinds
from himation.models.bagged import Bagged
from himation.models.building import build, prediction_rows
from himation.models.constructed import Constructed
from himation.models.encoding import Encoding
from himation.models.kinds import KINDS, Options, auc_standard_error, create, honest_values, nested_sizes
from himation.models.svm import Grid
from himation.models.svm_model import SupportVector
from himation.prepare.preparing import prepare
from himation.svm import Model

NUMERIC = sorted(set(KINDS) - {"mixture"})  # kinds that take any numbers

FAST = Options(grid=Grid((1, 2), (0.1,), (0.1, 1.0)), machines=8)


def examples(n=160, p=4, seed=0, binary=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, p)).astype(float) if binary else rng.normal(size=(n, p))
    return X, np.where(X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * rng.normal(size=n) > 0.8, 1, -1)


@pytest.mark.parametrize("module", [bagged, boosted, encoding, model_kinds])
def test_examples_in_the_documentation(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("binary", [False, True])
def test_the_ensemble_is_the_mean_of_its_machines(binary):
    X, y = examples(binary=binary)
    model = Bagged(machines=6).fit(X, y, seed=3)
    ordered, rng = X[:, model.order_], np.random.default_rng(3)
    kernels, total = bagged._kernels(ordered.var(axis=0)), np.zeros(len(y))
    unseen = [[] for _ in y]
    for kernel, penalty in model.chosen_:
        bag = bagged._bag(y, np.arange(len(y)), 1000, rng)
        machine, outside, values = bagged._train(
            ordered, y, bag, np.arange(len(y)), np.arange(4), kernels, (kernel, penalty)
        )
        assert sorted([*bag, *outside]) == list(range(len(y)))
        alone = Model(kernels[kernel], 0.0, ordered[machine.rows], machine.dual, machine.intercept, True)
        total += alone.decision_function(ordered) / 6
        for i, value in zip(outside, values, strict=True):
            unseen[i].append(value)
    np.testing.assert_allclose(model.decision_function(X), total, atol=1e-9)
    expected = [np.mean(found) if found else total[i] for i, found in enumerate(unseen)]
    np.testing.assert_allclose(model.out_of_bag_, expected, atol=1e-9)


def test_the_ensemble_does_not_depend_on_threads_or_column_order():
    X, y = examples(p=6)
    model = Bagged(machines=6).fit(X, y, seed=1)
    order = np.array([4, 2, 0, 5, 1, 3])
    for other, Z in ((Bagged(6, threads=3).fit(X, y, seed=1), X), (Bagged(6).fit(X[:, order], y, 1), X[:, order])):
        assert other.out_of_bag_.tobytes() == model.out_of_bag_.tobytes()
        assert other.decision_function(Z).tobytes() == model.decision_function(X).tobytes()


def steps(n=400, seed=0):
    """A target of thresholds, which small samples of a smooth kernel miss, among columns without use."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 12))
    inside = (np.abs(X[:, 0]) < 0.6) ^ (X[:, 1] > 0.8)
    return X, np.where(inside ^ (rng.random(n) < 0.05), 1, -1)


def test_trees_join_from_300_examples_on_as_far_as_unseen_examples_say():
    X, y = steps()
    T, t = steps(4000, seed=1)
    model = Bagged(machines=20).fit(X, y, seed=1)
    assert model.stack_.share >= 0.5 and len(model.trees_) == 4 and len(model.chosen_) == 16
    assert auc(t, model.decision_function(T)) > 0.93
    assert auc(y, model.out_of_bag_) == pytest.approx(auc(t, model.decision_function(T)), abs=0.05)
    assert Bagged(machines=20).fit(X[:299], y[:299], seed=1).trees_ == []
    assert model.refit(X[:, :2], y, seed=1).trees_ == []
    order = np.random.default_rng(0).permutation(12)
    again = Bagged(machines=20, threads=2).fit(X[:, order], y, seed=1)
    assert again.decision_function(T[:, order]).tobytes() == model.decision_function(T).tobytes()
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(400, 3))
    smooth = Bagged(machines=20).fit(Z, np.where(Z.sum(axis=1) + rng.normal(size=400) > 0, 1, -1), seed=1)
    assert smooth.stack_.share <= 0.25


def test_trees_say_what_scikit_learn_says_of_them():
    from sklearn.ensemble import HistGradientBoostingClassifier

    X, y = steps(250)  # of more different values scikit-learn makes other bins
    made = boosted.grow(X, y)
    settings = {"max_iter": 100, "learning_rate": 0.1, "max_leaf_nodes": 8, "l2_regularization": 1.0}
    theirs = HistGradientBoostingClassifier(**settings, min_samples_leaf=10).fit(X, y, boosted.class_weights(y))
    chances = theirs.predict_proba(X)
    np.testing.assert_allclose(made.values(X), chances[:, 1] - chances[:, 0], atol=1e-6)
    many, labels = steps(600)
    theirs = HistGradientBoostingClassifier(**settings, min_samples_leaf=10).fit(many, labels)
    chances = theirs.predict_proba(X)
    values = [boosted.grow(many, labels).values(X), chances[:, 1] - chances[:, 0]]
    assert np.corrcoef(values)[0, 1] > 0.98


def test_trees_see_the_columns_that_go_most_with_the_labels(monkeypatch):
    X, y = steps(300)
    X[:, 7] += y
    monkeypatch.setattr(boosted, "MOST_COLUMNS", 3)
    few = boosted.grow(X, y)
    used = np.unique(few.nodes["feature"][few.nodes["left"] >= 0])
    assert 7 in used and len(used) <= 3
    assert few.values(np.where(np.isin(np.arange(12), used), X, 0.0)).tobytes() == few.values(X).tobytes()


def test_trees_are_saved_as_arrays_and_damaged_ones_refused():
    X, y = steps()
    model = Bagged(machines=10, panels=(bagged.Panel((0, 1), 0.5), bagged.Panel((0, 1, 2, 3), 0.5))).fit(X, y, seed=1)
    arrays = model.to_arrays()
    assert all(value.dtype.kind in "iufbU" for value in arrays.values())
    assert Bagged.from_arrays(arrays).decision_function(X).tobytes() == model.decision_function(X).tobytes()
    for key, value in (("trees0_left", 0), ("trees0_right", 10**6), ("trees0_feature", 99), ("trees", 7)):
        with pytest.raises((ValueError, IndexError)):
            Bagged.from_arrays(arrays | {key: np.full_like(arrays[key], value)})


def test_of_long_tables_the_ensemble_learns_from_some_rows(monkeypatch):
    """And is no worse for it than one on all rows of a table that is hardly longer."""
    X, y = examples(n=900)
    T, t = examples(n=4000, seed=9)
    whole = Bagged(machines=10).fit(X, y)
    monkeypatch.setattr(bagged, "ALL_ROWS", 600)
    monkeypatch.setattr(bagged, "ROWS_OF_TREES", 2)
    some = Bagged(machines=10, rows=250).fit(X, y)
    vectors = {row.tobytes() for model in some.models_ for row in model.support_vectors}
    known = ~np.isnan(some.out_of_bag_)
    assert 150 < len(vectors) <= 250 and known.sum() == 500
    here = auc(t, some.decision_function(T))
    assert auc(y[known], some.out_of_bag_[known]) == pytest.approx(here, abs=0.05)
    assert here == pytest.approx(auc(t, whole.decision_function(T)), abs=0.03)
    assert some.out_of_bag_.tobytes() == Bagged(machines=10, rows=250).fit(X, y).out_of_bag_.tobytes()
    everything = Bagged(machines=10, rows=0).fit(X, y)
    assert everything.out_of_bag_.tobytes() == whole.out_of_bag_.tobytes()


def test_out_of_bag_values_are_honest():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 15)), np.where(rng.random(200) < 0.3, 1, -1)
    noise = Bagged(machines=20).fit(X, y, seed=1)
    assert abs(auc(y, noise.out_of_bag_) - 0.5) < 0.12
    X, y = examples(400, seed=1)
    T, t = examples(4000, seed=9)
    model = Bagged(machines=20).fit(X, y, seed=1)
    assert auc(y, model.out_of_bag_) == pytest.approx(auc(t, model.decision_function(T)), abs=0.05)


def test_large_tables_are_bagged_in_small_shares_with_enough_of_the_rarer_class():
    y = np.r_[np.ones(60, int), -np.ones(1940, int)]
    bag = bagged._bag(y, np.arange(len(y)), 100, np.random.default_rng(0))
    assert len(bag) == 100 == len(set(bag.tolist())) and (y[bag] == 1).sum() == 25
    assert (y[bagged._bag(y, np.arange(len(y)), 5000, np.random.default_rng(0))] == 1).sum() == 38


@pytest.mark.parametrize("kind", NUMERIC)
def test_a_kind_is_measured_refitted_and_kept(kind, tmp_path):
    X, y = examples()
    model = create(kind, FAST).fit(X, y, 1)
    honest = honest_values(kind, model, X, y, 1, FAST)
    assert 0.7 < honest.auc < auc(y, model.decision_function(X)) and 0 < honest.error < 0.1
    np.savez(tmp_path / "m.npz", **model.to_arrays())
    with np.load(tmp_path / "m.npz", allow_pickle=False) as arrays:
        again = model_kinds.model_class(kind).from_arrays(arrays)
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert again.describe() == model.describe()
    assert model.refit(X, y, 1).decision_function(X) == pytest.approx(model.decision_function(X), abs=1e-9)
    header, rows = model.settings_table()
    assert rows and all(len(row) == len(header) for row in rows)
    with pytest.raises(UserError, match="4 variables, the table 3"):
        model.decision_function(X[:, :3])


def test_cross_validated_values_come_from_machines_without_the_example():
    from himation.models.svm import stratified_folds
    from himation.svm import fit

    X, y = examples(80)
    model = SupportVector(Grid((1,), (), (1.0,))).fit(X, y, seed=4)
    values = honest_values("svm", model, X, y, 4).values
    folds = stratified_folds(y, 10, 5)
    for fold in (0, 7):
        inside = folds != fold
        plain = fit(X[inside], y[inside], model.model_.kernel, 1.0).decision_function(X[~inside])
        np.testing.assert_array_equal(values[~inside], plain)


def test_an_unknown_kind_is_named():
    with pytest.raises(UserError, match="model kind 'forest'"):
        create("forest")


def test_error_of_an_auc_is_that_of_repeated_samples():
    rng = np.random.default_rng(0)
    y = np.r_[np.ones(40), -np.ones(120)]
    draws = [rng.normal(size=160) + y * 0.5 for _ in range(600)]
    areas = [auc(y, draw) for draw in draws]
    assert np.mean([auc_standard_error(y, draw) for draw in draws]) == pytest.approx(np.std(areas), rel=0.1)


def mixed_tables(seed=0):
    """A table with every type of column in the user's own units, and another one like it in another order."""
    import pandas as pd

    rng = np.random.default_rng(seed)

    def draw(n):
        frame = pd.DataFrame({"age": rng.normal(50, 9, n), "sex": rng.choice([1, 2], n)})
        frame["town"] = rng.choice(["Bath", "Ely", "York"], n)
        frame["smoker"] = rng.choice(["no", "yes"], n)
        frame["visits"] = rng.choice([0, 2, 5], n)
        frame["ill"] = np.where((frame.age > 50) ^ (frame.town == "Ely"), "yes", "no")
        return frame

    return draw(200), draw(60)


TYPES = {"town": "discrete", "smoker": "discrete", "visits": "discrete"}


def prepared(tmp_path):
    train, test = mixed_tables()
    train.to_csv(tmp_path / "train.csv", index=False)
    test[["visits", "town", "ill", "smoker", "sex", "age"]].to_csv(tmp_path / "new.csv", index=False)
    texts = {"town", "smoker", "ill"}
    raw, new = read_table(tmp_path / "train.csv", texts), read_table(tmp_path / "new.csv", texts)
    table = prepare(raw, train["ill"].to_numpy(object), "ill", new, types=TYPES, exclude={5: "target"})
    return table, [table.names.index(name) for name in ("town", "age", "smoker", "visits", "sex")]


@pytest.mark.parametrize("kind", NUMERIC)
def test_a_saved_model_predicts_a_raw_table_as_the_prepared_one(kind, tmp_path):
    table, variables = prepared(tmp_path)
    products = (Constructed("age*sex", ((variables[1], 1), (variables[4], 1)), 1.0),)
    built = build(table, variables, products, kind, 1, FAST)
    assert sorted(built.saved.nested) == [1, 2, 4]
    save_model(tmp_path / "m.npz", built.saved)
    saved = load_model(tmp_path / "m.npz")
    assert (saved.encoding, saved.products, saved.platt) == (
        built.saved.encoding,
        built.saved.products,
        built.saved.platt,
    )
    new = saved.encoding.read(read_table(tmp_path / "new.csv", None))
    values = saved.values(new, "test")
    assert values.shape == (60, 4)
    assert values.tobytes() == built.saved.values(table, "test").tobytes()
    rows = prediction_rows(table, built, built.saved.training_values(table))
    assert [row[:2] for row in (rows[0], rows[199], rows[200], rows[-1])] == [
        ["train", 1],
        ["train", 200],
        ["test", 1],
        ["test", 60],
    ]
    assert all(0 < row[3] < 1 for row in rows) and rows[200][2] == values[0, -1]
    assert json.dumps(built.facts())


def test_what_is_wrong_with_a_new_table_is_said_in_one_line(tmp_path):
    table, variables = prepared(tmp_path)
    code = Encoding.of(table, variables)
    assert Encoding.from_json(code.to_json()) == code
    _, new = mixed_tables()

    def read(frame, **options):
        frame.to_csv(tmp_path / "x.csv", index=False)
        return code.read(read_table(tmp_path / "x.csv", None), **options)

    with pytest.raises(UserError, match=r"x.csv: lacks 1 of the model's columns: age"):
        read(new.drop(columns="age"))
    with pytest.raises(UserError, match="column 'age' holds the text 'old'"):
        read(new.assign(age=["old", *new.age[1:]]))
    with pytest.raises(UserError, match=r"column 'sex' holds 3 \(first at line 2\) and has only 1, 2"):
        read(new.assign(sex=3))
    with pytest.raises(UserError, match=r"column 'smoker' holds perhaps \(first at line 2\) and has only no, yes"):
        read(new.assign(smoker="perhaps"))
    gaps = new.assign(age=[np.nan, *new.age[1:]], town=[None, *new.town[1:]])
    with pytest.raises(UserError, match="a missing value in column 'town' \\(first at line 2\\)"):
        read(gaps)
    filled = read(gaps, missing="impute")
    assert filled.numbers(1, "test")[0] == pytest.approx(np.median(table.numbers(variables[1])))
    elsewhere = read(new.assign(town="Hull"))  # a level that training never saw has no indicator
    assert not elsewhere.features([0], "test").any()


def test_tables_without_names_are_matched_by_position():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(5, 50))
    table = prepare(RawTable("t.data", [f"x{i + 1}" for i in range(5)], 50, values=values), np.arange(50) % 2)
    variables = [list(table.columns).index(4), list(table.columns).index(2)]
    code = Encoding.of(table, variables)
    new = code.read(RawTable("n.data", [f"x{i + 1}" for i in range(5)], 50, values=values))
    np.testing.assert_array_equal(new.features([0, 1], "test"), table.features(variables))
    named = code.read(RawTable("n.csv", list("abcde"), 50, values=values))
    np.testing.assert_array_equal(named.features([0, 1], "test"), table.features(variables))
    with pytest.raises(UserError, match="has 4 columns and the model's training table had 5"):
        code.read(RawTable("n.data", [f"x{i + 1}" for i in range(4)], 50, values=values[:4]))


def test_predictions_have_a_column_for_each_nested_subset(tmp_path):
    write_predictions(tmp_path / "p", np.array([[0.5, 1.0], [-0.25, -2.0]]))
    assert (tmp_path / "p").read_text() == "0.5 1\n-0.25 -2\n"
    assert read_predictions(tmp_path / "p").tolist() == [1.0, -2.0]
    write_predictions(tmp_path / "p", np.array([0.5, -1.5]))
    assert (tmp_path / "p").read_text() == "0.5\n-1.5\n" and read_predictions(tmp_path / "p").tolist() == [0.5, -1.5]
    assert [nested_sizes(n) for n in (0, 1, 2, 4, 5)] == [[], [], [1], [1, 2], [1, 2, 4]]


def test_a_file_that_is_no_model_is_refused(tmp_path):
    (tmp_path / "text.npz").write_text("no arrays")
    with pytest.raises(UserError, match=r"text.npz: not a model of build_model.py"):
        load_model(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", a=np.ones(3))
    with pytest.raises(UserError, match="of this version; build it again"):
        load_model(tmp_path / "other.npz")


def test_a_mixture_is_a_model_of_binary_tables(tmp_path):
    from himation.studies.simulate.networks import LUCAS

    sample = LUCAS.sample(600, np.random.default_rng(4))
    raw = RawTable("t", list(sample.names), 600, values=np.ascontiguousarray(sample.values.T, dtype=float))
    table = prepare(raw, sample.target)
    variables = [table.names.index(name) for name in ("Smoking", "Genetics", "Coughing", "Fatigue")]
    built = build(table, variables, (), "mixture", 1, Options())
    assert built.honest.auc > 0.85
    save_model(tmp_path / "m.npz", built.saved)
    again = load_model(tmp_path / "m.npz").training_values(table)
    np.testing.assert_allclose(again, built.saved.training_values(table))


def test_inputs_beyond_the_training_range_are_still_put_in_order():
    rng = np.random.default_rng(0)
    weights = np.array([2.0, 1.0, 0.5])
    X, Z = rng.normal(size=(300, 3)), 4 * rng.normal(size=(1000, 3))
    y, z = (np.where(part @ weights + 0.5 * rng.normal(size=len(part)) > 0, 1, -1) for part in (X, Z))
    model = Bagged(machines=12).fit(X, y, seed=1)
    assert auc(z, model.decision_function(Z)) > 0.97
    assert sum(kernel == 0 for kernel, _ in model.chosen_) >= 4
