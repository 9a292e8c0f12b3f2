"""A fitted model for a further table: the table in the place of the test table, coded as training decided."""

import numpy as np
import pytest

from himation.errors import UserError
from himation.files import manipulated_file
from himation.files.raw import RawTable
from himation.models.encoding import with_test
from himation.prepare.preparing import prepare
from himation.report import change_words

NAMES = ["town", "age", "smoker", "grade"]
TYPES = {"grade": "discrete"}


def raw(n, seed, towns=("Bath", "Leeds", "York"), names=NAMES, grades=4):
    rng = np.random.default_rng(seed)
    values = np.array([np.zeros(n), rng.normal(50, 10, n), rng.integers(0, 2, n), rng.integers(0, grades, n)])
    order = [NAMES.index(name) for name in names]
    town = rng.choice(towns, n).astype(object)
    return RawTable("t.csv", list(names), n, values=values[order], texts={names.index("town"): town})


@pytest.fixture(scope="module")
def labels():
    return np.random.default_rng(9).integers(0, 2, 60)


def numbers(table):
    return {name: table.numbers(i, "test").tolist() for i, name in enumerate(table.names)}


def test_it_is_coded_as_a_test_table_that_was_there_from_the_start(labels):
    train, new = raw(60, 1), raw(25, 2)
    known = prepare(train, labels, "ill", new, types=TYPES)
    later = with_test(prepare(train, labels, "ill", types=TYPES), new)
    assert later.test.n == 25 and later.levels == known.levels and later.test_target is None
    for block in ("bits", "codes", "values"):
        assert np.array_equal(getattr(later.test, block), getattr(known.test, block))
        assert np.array_equal(getattr(later.train, block), getattr(known.train, block))


def test_columns_are_found_by_name_and_another_test_table_goes(labels):
    table = prepare(raw(60, 1), labels, "ill", raw(10, 3), types=TYPES)
    turned = with_test(table, raw(25, 2, names=NAMES[::-1]))
    assert numbers(turned) == numbers(with_test(table, raw(25, 2))) and turned.test.n == 25


def test_levels_that_only_the_new_table_has_come_last(labels):
    table = prepare(raw(60, 1), labels, "ill", raw(10, 3, towns=("Ayr", "York")), types=TYPES)
    new = raw(40, 2, towns=("York", "Hull"), grades=6)
    found = with_test(table, new)
    town, grade = found.names.index("town"), found.names.index("grade")
    assert found.levels[town] == ["Bath", "Leeds", "York", "Ayr", "Hull"] and found.levels[grade] == [0, 1, 2, 3, 4, 5]
    assert [found.levels[town][code] for code in found.test.codes[found.row[town]]] == new.texts[0].tolist()
    assert table.levels[town] == ["Bath", "Leeds", "York", "Ayr"]


def test_what_is_missing_is_named(labels):
    table = prepare(raw(60, 1), labels, "ill", types=TYPES)
    new = raw(25, 2)
    with pytest.raises(UserError, match=r"n.csv: lacks 1 of the model's columns: .*age"):
        with_test(table, RawTable("n.csv", ["town", "x", "smoker", "grade"], 25, values=new.values, texts=new.texts))
    new.values[1, 4] = np.nan
    with pytest.raises(UserError, match="missing value in column 'age'"):
        with_test(table, new)
    place = table.names.index("age")
    assert with_test(table, new, "impute").numbers(place, "test")[4] == pytest.approx(
        (table.fills[place] - table.centre[place]) / table.scale[place]
    )


def test_the_page_and_the_file_call_the_same_little():
    assert change_words.LITTLE == manipulated_file.LITTLE
