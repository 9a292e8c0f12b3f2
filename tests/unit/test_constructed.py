"""Constructed features join where FSMB does, reach the model only with all their variables, and predict alike."""

import doctest
import json

import numpy as np
import pytest

from himation.files.features_table import features_of_details, read_features, write_features
from himation.files.nodes import Nodes
from himation.files.tables import RawTable
from himation.models import constructed as module
from himation.models.constructed import Constructed, joining, model_columns, usable
from himation.nested.measuring import Estimate
from himation.prepare.preparing import prepare
from himation.selection.comparing import Candidate, choose


def table(n=60, seed=0):
    rng = np.random.default_rng(seed)
    values = np.vstack([rng.integers(0, 2, (3, n)), rng.normal(size=(2, n))])
    y = np.where(values[0] != values[1], 1, -1)
    return prepare(RawTable("t.data", [f"x{i + 1}" for i in range(5)], n, values=values.astype(float)), y), values


def test_examples_in_the_documentation():
    assert doctest.testmod(module).failed == 0


def test_single_variables_do_not_join_and_none_joins_twice():
    product, square = Constructed("a*b", ((0, 1), (1, 1)), 3.0), Constructed("a^2", ((0, 2),), 2.0)
    assert joining([product, Constructed("a", ((0, 1),), 1.0), square, product]) == (product, square)


def test_a_product_of_a_variable_that_was_not_selected_is_not_used():
    product = Constructed("a*b*c", ((0, 1), (1, 1), (2, 1)), 3.0)
    assert usable([product], [0, 1]) == () and usable([product], [2, 1, 0, 5]) == (product,)


@pytest.mark.parametrize("coding, low", [("plus_minus", -1.0), ("zero_one", 0.0)])
def test_values_of_products(coding, low):
    data, values = table()
    at = {int(column): i for i, column in enumerate(data.columns)}
    feature = Constructed("", ((at[1], 1), (at[2], 1), (at[4], 2)), 1.0, coding)
    X = model_columns(data, [at[1], at[4]], [feature])
    bits = np.where(values[:2] == 1, 1.0, low).prod(axis=0)
    np.testing.assert_allclose(X[:, 2], bits * data.numbers(at[4]) ** 2)
    np.testing.assert_array_equal(X[:, :2], data.features([at[1], at[4]]))


def test_written_features_read_back(tmp_path):
    data, _ = table()
    nodes = Nodes(data)
    features = (Constructed("x1*x2", ((0, 1), (3, 2)), -0.5), Constructed("x3^2", ((2, 2),), 0.25, "zero_one"))
    write_features(tmp_path / "f.tsv", nodes, features)
    assert read_features(tmp_path / "f.tsv", nodes) == features
    write_features(tmp_path / "none.tsv", nodes, ())
    assert read_features(tmp_path / "none.tsv", nodes) == ()
    details = {
        "features": [[[nodes.column(0), 1], [nodes.column(3), 2]]],
        "feature_names": ["x1*x2"],
        "weights": [-0.5],
        "coding": "plus_minus",
    }
    (tmp_path / "d.json").write_text(json.dumps(details))
    assert features_of_details(tmp_path / "d.json", nodes) == features[:1]


def test_features_join_only_if_something_was_missed():
    def candidate(name, members):
        return Candidate(name, members, Estimate(0.8, 0.01))

    def gain(name, other):
        return Estimate(0.1 if name == "rfe" else 0.0, 0.01)

    reference, space, ahead = candidate("mmmb", (0, 1)), candidate("fsmb", (0, 1)), candidate("rfe", (2,))
    assert choose([reference, space], "mmmb", gain, ["fsmb"]).joined == ()
    same = choose([reference, space, ahead], "mmmb", gain, ["fsmb"])
    assert same.members == (0, 1) and same.joined == ("fsmb",)  # FSMB names the same variables: its products are new
    assert choose([reference, candidate("fsmb", ()), ahead], "mmmb", gain, ["fsmb"]).joined == ()


def test_model_with_products_is_kept_and_read(tmp_path):
    from himation.files.models import load_model, save_model
    from himation.models.building import build
    from himation.models.kinds import Options

    data, _ = table()
    nodes = Nodes(data)
    features = [Constructed("", ((0, 1), (1, 1)), 1.0)]
    built = build(data, [0, 1], tuple(features), "bagged", 1, Options(machines=3))
    save_model(tmp_path / "m.npz", built.saved)
    read = load_model(tmp_path / "m.npz")
    assert read.columns == [nodes.column(0), nodes.column(1)]
    assert list(read.products) == [("plus_minus", ((nodes.column(0), 1), (nodes.column(1), 1)))]
    np.testing.assert_array_equal(read.training_values(data), built.saved.training_values(data))
