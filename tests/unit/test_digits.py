"""Tables of single digits: read without parsing, prepared all at once, and the same as the long way gives."""

import doctest

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from himation.errors import UserError
from himation.files import digits as digit_files
from himation.files.dataset import Source, read_dataset
from himation.files.tables import read_table
from himation.prepare import preparing, preparing_digits


def frame(n=90, seed=0):
    rng = np.random.default_rng(seed)
    made = pd.DataFrame({f"v{i}": rng.choice([0, 1, 2, 5, 9][: 2 + i % 4], n) for i in range(30)})
    made["constant"], made["twin"], made["one_two"] = 7, made["v3"], rng.choice([1, 2], n)
    made["y"] = rng.integers(0, 2, n)
    return made


def both_ways(source, monkeypatch):
    fast = read_dataset(source)
    monkeypatch.setattr(preparing, "from_digits", lambda *given: None)
    return fast, read_dataset(source)


@pytest.mark.parametrize("types", ["auto", "discrete"])
@pytest.mark.parametrize("with_test", [False, True])
def test_all_at_once_is_as_one_by_one(tmp_path, monkeypatch, with_test, types):
    frame().to_csv(tmp_path / "t.csv", index=False)
    new = frame(40, seed=1)
    new["v2"] = new["v2"].replace(2, 8)
    new.to_csv(tmp_path / "new.csv", index=False)
    source = Source(str(tmp_path / "t.csv"), "y", test=str(tmp_path / "new.csv") if with_test else None, types=types)
    assert read_table(source.train, digits=True).digits is not None
    fast, slow = both_ways(source, monkeypatch)
    assert fast.names == slow.names and fast.levels == slow.levels and fast.dropped == slow.dropped
    assert fast.kinds.tolist() == slow.kinds.tolist() and fast.warnings == slow.warnings
    for field in ("columns", "row", "centre", "scale", "target"):
        np.testing.assert_array_equal(getattr(fast, field), getattr(slow, field))
    for part in ("train", "test") if with_test else ("train",):
        for block in ("bits", "codes", "values"):
            a, b = getattr(getattr(fast, part), block), getattr(getattr(slow, part), block)
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b)


def test_a_third_value_in_the_test_of_a_binary_column_is_still_an_error(tmp_path):
    frame().to_csv(tmp_path / "t.csv", index=False)
    frame(seed=2).assign(one_two=3).to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(UserError, match="one_two"):
        read_dataset(Source(str(tmp_path / "t.csv"), "y", test=str(tmp_path / "new.csv")))


@pytest.mark.parametrize("ending", ["\n", "\r\n", " \n"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(tmp_path, ending, last):
    numbers = frame().to_numpy()
    text = ending.join(" ".join(map(str, row)) for row in numbers) + (ending if last else "")
    (tmp_path / "t.data").write_bytes(text.encode())
    np.testing.assert_array_equal(read_table(tmp_path / "t.data").values, numbers.T)


@pytest.mark.parametrize("bad", ["0 1\n10 1\n", "0 1\n0  \n", "0 1\n0-1\n", "01 1\n11 0\n"])
def test_other_layouts_are_not_taken_for_digits(bad):
    assert digit_files.digits_of_text(bad.encode(), 0, b" ") is None


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_sparse(tmp_path, form):
    numbers = frame().to_numpy()
    made = sparse.csr_matrix(numbers.astype(float)).asformat(form)
    sparse.save_npz(tmp_path / "t.npz", made)
    table = read_table(tmp_path / "t.npz", digits=True)
    np.testing.assert_array_equal(table.digits, numbers.T)
    np.testing.assert_array_equal(table.column(3), numbers[:, 3])
    arrays = (form, made.indices, made.indptr)
    assert digit_files.digits_of_sparse(*arrays, made.data + 0.5, *made.shape) is None
    assert digit_files.digits_of_sparse(*arrays, -made.data, *made.shape) is None


@pytest.mark.parametrize("module", [digit_files, preparing_digits])
def test_worked_examples(module):
    assert doctest.testmod(module).failed == 0
