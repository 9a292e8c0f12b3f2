"""Does anything go with the target? Seldom claimed of noise, and found as one variable, a pair, or many weak ones."""

import doctest
import tracemalloc

import numpy as np
import pytest

from himation.independence import overall as module
from himation.independence.overall import overall


def look(X, y, seed=1, step=50):
    return overall(lambda: (X[:, at : at + step] for at in range(0, X.shape[1], step)), X.shape[1], y, seed)


def test_the_example():
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("n, p, positives", [(8, 6, 4), (60, 80, 30), (150, 5, 3)])
def test_noise_is_seldom_taken_for_more(n, p, positives):
    rng = np.random.default_rng([n, p])
    y = np.where(np.arange(n) < positives, 1, -1)
    found = [look(rng.normal(size=(n, p)), y, seed).found for seed in range(40)]
    assert sum(found) <= 6  # 2 are expected at the level of 5 %, and more than 6 once in 300 times


def parts(X, y):
    found = look(X, y)
    assert found.found
    return found.parts


def test_each_statistic_finds_what_it_is_for():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(200, 60)), np.where(np.arange(200) % 2, 1, -1)
    one = X.copy()
    one[:, 7] += 0.5 * y
    assert [part.name for part in parts(one, y)] == ["single"] and parts(one, y)[0].columns == (7,)
    product = np.where(X[:, 3] * X[:, 55] > 0, 1, -1)
    assert parts(X, product)[-1].name == "pair" and parts(X, product)[-1].columns == (3, 55)
    square = np.where(X[:, 9] ** 2 > 0.5, 1, -1)
    assert parts(X, square)[-1].columns == (9,)
    many = np.hstack([X, rng.normal(size=(200, 1500))]) + 0.06 * y[:, None]
    assert [part.name for part in parts(many, y)] == ["single", "pair", "together"]


def test_the_order_of_the_columns_does_not_matter():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 2, size=(120, 9)).astype(float)
    y = np.where(X[:, 2] != X[:, 6], 1, -1)
    order = rng.permutation(9)
    first, again = look(X, y, step=9), look(X[:, order], y, step=4)
    assert [part.p_value for part in first.parts] == [part.p_value for part in again.parts]
    assert {int(order[j]) for j in again.parts[-1].columns} == set(first.parts[-1].columns) == {2, 6}


def test_long_and_wide_tables_are_looked_at_in_bounded_memory(monkeypatch):
    rng = np.random.default_rng(5)
    y = np.where(np.arange(300_000) % 2, 1, -1)  # every second of them has one label
    X = rng.normal(size=(300_000, 2))
    monkeypatch.setattr(module, "PERMUTATIONS", 59)
    tracemalloc.start()
    found = look(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not found.found and all(part.p_value is not None for part in found.parts)
    assert peak < 150e6  # labels as numbers alone would take 144 MB, pairs in all examples as much again
    wide = look(rng.normal(size=(250, 2300)), y[:250], step=500)
    assert [(part.name, part.p_value is None) for part in wide.parts] == [
        ("single", False),
        ("pair", True),
        ("together", False),
    ]


def test_few_examples_have_every_permutation_once():
    y = np.where(np.arange(8) % 2, 1, -1)
    labels = module._permuted(y > 0, np.random.default_rng(1))
    assert labels.shape == (8, 70) == np.unique(labels, axis=1).shape and (labels[:, 0] == (y > 0)).all()
    assert set(labels.sum(axis=0).tolist()) == {4}
    perfect = look(np.column_stack([y, np.arange(8)]).astype(float), y)
    assert perfect.permutations == 69 and perfect.parts[0].p_value == 2 / 70 and not perfect.found


def test_a_sample_is_even_in_class():
    positive = np.arange(10_000) < 30
    rows = module._sample(positive, 2_000, np.random.default_rng(1))
    assert len(rows) == len(set(rows.tolist())) == 2_000 and positive[rows].sum() == 30
    rows = module._sample(np.arange(10_000) < 4_000, 2_000, np.random.default_rng(1))
    assert (rows < 4_000).sum() == 1_000
