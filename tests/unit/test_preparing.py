"""Types are decided once, from training; numbers of any size keep their meaning; suspicious columns are named."""

import doctest

import numpy as np
import pandas as pd
import pytest

from himation.errors import UserError
from himation.files import frames, prepared
from himation.files.dataset import Source, manipulated_columns, read_dataset, read_truth
from himation.files.tables import read_table
from himation.models import encoding as encoding_module
from himation.models.encoding import Encoding
from himation.prepare import coding, scaling
from himation.table import BINARY, CONTINUOUS, DISCRETE

N = 60


def base(seed=0, n=N):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"age": rng.normal(50, 9, n).round(2), "y": rng.integers(0, 2, n)})


def dataset(folder, train, test=None, types="auto", **options):
    train.to_csv(folder / "train.csv", index=False)
    if test is not None:
        test.to_csv(folder / "test.csv", index=False)
    if isinstance(types, dict):
        (folder / "types.csv").write_text("variable,type\n" + "".join(f"{k},{v}\n" for k, v in types.items()))
        types = str(folder / "types.csv")
    source = Source(str(folder / "train.csv"), "y", str(folder / "test.csv") if test is not None else None, types=types)
    return read_dataset(Source(**{**vars(source), **options}))


def variable(table, name):
    return table.names.index(name)


def predicted_features(folder, table, frame, missing="error"):
    frame.to_csv(folder / "new.csv", index=False)
    everything = range(table.n_variables)
    return (
        Encoding.of(table, everything).read(read_table(folder / "new.csv", None), missing).features(everything, "test")
    )


@pytest.mark.parametrize("module", [coding, scaling, frames, encoding_module])
def test_worked_examples(module):
    assert doctest.testmod(module).failed == 0


def test_as_many_new_levels_in_the_test_as_there_are(tmp_path):
    train = base(n=480).assign(code=np.tile(np.arange(240), 2))
    test = base(1, n=400).assign(code=np.arange(400) % 240 + 1000)
    table = dataset(tmp_path, train, test, {"code": "discrete"})
    code = variable(table, "code")
    given = table.numbers(code, "test") * table.scale[code] + table.centre[code]
    np.testing.assert_allclose(given, test["code"])
    assert table.train.codes.dtype == np.uint8 and table.arity(code) == 240
    prepared.save(table, tmp_path / "data")
    again = prepared.load(tmp_path / "data")
    np.testing.assert_array_equal(again.numbers(code, "test"), table.numbers(code, "test"))


def test_as_many_new_words_in_the_test_as_there_are(tmp_path):
    train = base(n=480).assign(code=[f"a{i % 240}" for i in range(480)])
    test = base(1, n=400).assign(code=[f"a{i}" if i < 100 else f"b{i}" for i in range(400)])
    table = dataset(tmp_path, train, test, {"code": "discrete"})
    known = table.features([variable(table, "code")], "test").sum(axis=1)
    np.testing.assert_array_equal(known, np.arange(400) < 100)


@pytest.mark.parametrize("factor", [1e160, 1e290, 1e-165, 1e-305, 3.0])
def test_no_factor_makes_a_difference(tmp_path, factor):
    train, test = base(), base(1)
    plain = dataset(tmp_path, train, test)
    table = dataset(tmp_path, train.assign(age=train["age"] * factor), test.assign(age=test["age"] * factor))
    for part in ("train", "test"):
        np.testing.assert_allclose(table.numbers(0, part), plain.numbers(0, part), rtol=1e-9)
    new = predicted_features(tmp_path, table, test.assign(age=test["age"] * factor))
    np.testing.assert_array_equal(new, table.features([0], "test"))


def test_ordinary_numbers_are_scaled_as_ever():
    values = np.random.default_rng(4).normal(7, 3, 500)
    centre, scale = scaling.moments(values)
    assert (centre, scale) == (values.mean(), values.std())
    np.testing.assert_array_equal(scaling.standardised(values, centre, scale), (values - centre) / scale)
    far = values * 2.0**600
    np.testing.assert_array_equal(
        scaling.standardised(far, *scaling.moments(far)), scaling.standardised(values, centre, scale)
    )
    assert scaling.median(np.full(4, 1.7e308)) == 1.7e308


def test_one_value_beside_which_nothing_can_be_seen_is_refused_by_name(tmp_path):
    train = base()
    train.loc[6, "age"] = 1e308
    with pytest.raises(UserError, match=r"column 'age' has the value 1e\+308 at line 8, so far from the others"):
        dataset(tmp_path, train)
    test = base(1)
    test.loc[2, "age"] = 1e308
    with pytest.raises(UserError, match=r"test.csv: column 'age' holds 1e\+308 at line 4, beyond anything"):
        dataset(tmp_path, base(), test)


LARGE = 2**53


WITH_GAPS = [(name, True) for name in ("t.csv", "t.tsv", "t.parquet")]


@pytest.mark.parametrize(
    ("name", "gap"), [*WITH_GAPS, *((name, False) for name in ("t.csv", "t.tsv", "t.parquet", "t.data", "t.npz"))]
)
def test_whole_numbers_that_would_be_rounded_are_refused_by_name(tmp_path, name, gap):
    from scipy import sparse

    ids = pd.Series([LARGE + i % 2 for i in range(20)], dtype="Int64")
    frame = pd.DataFrame({"x1": ids, "x2": np.arange(20) % 3})
    if gap:
        frame.loc[0, "x1"] = pd.NA
    path = tmp_path / name
    if name == "t.parquet":
        frame.to_parquet(path, index=False)
    elif name == "t.npz":
        sparse.save_npz(path, sparse.csr_matrix(frame.to_numpy(dtype=np.int64)))
    elif name == "t.data":
        path.write_text("".join(f"{a} {b}\n" for a, b in frame.to_numpy().tolist()))
    else:
        frame.to_csv(path, index=False, sep="\t" if name == "t.tsv" else ",")
    with pytest.raises(UserError, match=f"column 'x1' holds the whole number {LARGE + 1}, beyond what is exact"):
        read_table(path)


def test_large_whole_numbers_that_are_exact_or_declared_are_taken(tmp_path):
    train = base().assign(code=[str(LARGE + i % 3) for i in range(N)])
    table = dataset(tmp_path, train, train, {"code": "discrete"})
    code = variable(table, "code")
    assert table.levels[code] == [str(LARGE + i) for i in range(3)]
    np.testing.assert_array_equal(table.features([code], "test"), table.features([code]))
    even = dataset(tmp_path, base().assign(code=[2 * LARGE + 4 * (i % 30) for i in range(N)]))
    assert len(np.unique(even.numbers(variable(even, "code")))) == 30


FLAGS = np.where(np.arange(N) % 4 < 2, "True", "False").astype(object)


@pytest.mark.parametrize("holed", ["train", "test", "both", "none"])
def test_true_and_false_are_the_same_with_gaps_or_without(tmp_path, holed):
    gaps = FLAGS.copy()
    gaps[[3, 5]] = None
    train = base().assign(flag=gaps if holed in ("train", "both") else FLAGS)
    test = base(1).assign(flag=gaps if holed in ("test", "both") else FLAGS)
    table = dataset(tmp_path, train, test, missing="impute")
    flag = variable(table, "flag")
    assert table.kinds[flag] == BINARY and table.levels[flag] == [0, 1]
    kept = [i for i in range(N) if i not in (3, 5)]
    for part in ("train", "test"):
        np.testing.assert_array_equal(table.numbers(flag, part)[kept], (FLAGS == "True")[kept])
    for missing, frame in (("error", base(1).assign(flag=FLAGS)), ("impute", test)):
        new = predicted_features(tmp_path, table, frame, missing)
        np.testing.assert_array_equal(new[kept], table.features(range(2), "test")[kept])


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_words_that_look_like_numbers_in_a_later_table(tmp_path, ending):
    train = base().assign(code=np.array(["1", "02", "3", "A"], dtype=object)[np.arange(N) % 4])
    test = base(1).assign(code=np.array(["1", "02", "3"], dtype=object)[np.arange(N) % 3])
    (tmp_path / "types.csv").write_text("variable,type\ncode,discrete\n")
    for name, frame in (("a", train), ("b", test)):
        path = tmp_path / f"{name}.{ending}"
        frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path, index=False)
    files = (str(tmp_path / f"a.{ending}"), "y", str(tmp_path / f"b.{ending}"))
    table = read_dataset(Source(*files, types=str(tmp_path / "types.csv")))
    code = variable(table, "code")
    assert table.levels[code] == ["02", "1", "3", "A"]
    assert [table.levels[code][i] for i in table.test.codes[table.row[code]]] == test["code"].tolist()
    new = Encoding.of(table, [code]).read(read_table(tmp_path / f"b.{ending}", None))
    np.testing.assert_array_equal(new.features([0], "test"), table.features([code], "test"))


def test_a_binary_column_stays_binary_whatever_the_test_has(tmp_path):
    train = base().assign(sex=np.array(["f", "m"])[np.arange(N) % 2], dose=np.arange(N) // 2 % 2 + 1)
    test = train.assign(sex=["x", *train["sex"][1:]], dose=[7, *train["dose"][1:]])
    with pytest.raises(UserError, match=r"column 'sex' holds x \(first at line 2\) and has only f, m in training"):
        dataset(tmp_path, train, test.assign(dose=train["dose"]))
    table = dataset(tmp_path, train, test, missing="impute")
    assert {table.names[i]: table.kinds[i] for i in range(3)} == {"age": CONTINUOUS, "sex": BINARY, "dose": BINARY}
    assert "column 'sex' has values outside training that count as missing: x" in table.warnings
    assert "column 'dose' has values outside training that count as missing: 7" in table.warnings
    new = predicted_features(tmp_path, table, test, "impute")
    np.testing.assert_array_equal(new, table.features(range(3), "test"))


def test_a_gap_among_whole_numbers_becomes_no_new_level(tmp_path):
    values = np.repeat(np.arange(12.0), 5)
    train = base().assign(score=values)
    train.loc[[0, 59], "score"] = np.nan
    table = dataset(tmp_path, train, types={"score": "discrete"}, missing="impute")
    score = variable(table, "score")
    assert table.kinds[score] == DISCRETE and table.levels[score] == list(range(12))


def test_text_where_training_has_numbers_is_refused_with_its_line(tmp_path):
    test = base(1)
    test["age"] = ["old", *test["age"][1:]]
    with pytest.raises(UserError, match=r"test.csv: column 'age' holds the text 'old' at line 2, and numbers in train"):
        dataset(tmp_path, base(), test)


def test_words_under_a_type_of_numbers_are_refused(tmp_path):
    train = base().assign(town=np.array(["Ulm", "Bonn", "Kiel"])[np.arange(N) % 3])
    for kind in ("continuous", "binary"):
        with pytest.raises(UserError, match=f"column 'town' is declared {kind} and holds the words Bonn, Kiel, Ulm"):
            dataset(tmp_path, train, types={"town": kind})


def test_of_equal_columns_the_first_stays(tmp_path):
    train = base()
    train = train.assign(original_measurement=train["age"] * 2, a=train["age"] * 2, age=np.arange(N) % 2)
    train = train.assign(b=train["age"], c=np.arange(N) % 5, d=np.arange(N) % 5)
    for frame in (train, train.drop(columns="original_measurement"), train[["age", "b", "y"]]):
        table = dataset(tmp_path, frame)
        pairs = {"a": "original_measurement", "b": "age", "d": "c"}
        expected = {(copy, f"equal to {first}") for copy, first in pairs.items() if {copy, first} <= set(frame)}
        assert {(item.name, item.words) for item in table.dropped} == {("y", "target"), *expected}


def test_the_test_table_may_have_other_columns_of_any_kind(tmp_path):
    extra = {"note": [f"note {i}" for i in range(N)], "mess": ["1", "x"] * (N // 2), "blob": [b"\x00"] * N}
    test = base(1).assign(**extra)
    table = dataset(tmp_path, base(), test)
    np.testing.assert_array_equal(table.test_target > 0, test["y"] == 1)
    base().to_parquet(tmp_path / "a.parquet", index=False)
    test.to_parquet(tmp_path / "b.parquet", index=False)
    again = read_dataset(Source(str(tmp_path / "a.parquet"), "y", str(tmp_path / "b.parquet")))
    np.testing.assert_array_equal(again.features([0], "test"), table.features([0], "test"))


ROW_NUMBERS = {
    "counted": lambda rng: np.arange(1, N + 1),
    "shuffled": lambda rng: rng.permutation(N),
    "downwards": lambda rng: 5000 - 7 * np.arange(N),
    "with gaps": lambda rng: np.cumsum(rng.integers(1, 9, N)),
}


@pytest.mark.parametrize("name", ROW_NUMBERS)
def test_row_numbers_are_warned_of(tmp_path, name):
    rng = np.random.default_rng(8)
    table = dataset(tmp_path, base().assign(**{name: ROW_NUMBERS[name](rng)}))
    (warning,) = table.warnings
    assert warning.startswith(f"{name}: row numbers or identifiers?")
    prepared.save(table, tmp_path / "data")
    assert prepared.load(tmp_path / "data").warnings == table.warnings


LEAKS = {
    "copy": lambda y, rng: y,
    "opposite": lambda y, rng: 1 - y,
    "words": lambda y, rng: np.where(y == 1, "ill", "well"),
    "recoded": lambda y, rng: 5 * y - 2,
    "finer": lambda y, rng: 3 * y + rng.integers(0, 3, len(y)),
    "dated": lambda y, rng: np.where(y == 1, rng.uniform(3, 9, len(y)), 0.0).round(3),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_of_the_target_is_warned_of(tmp_path, name):
    train = base()
    leaked = train.assign(leak=LEAKS[name](train["y"].to_numpy(), np.random.default_rng(9)))
    (warning,) = dataset(tmp_path, leaked).warnings
    assert warning.startswith("leak: a leak of the target 'y'?")


def test_honest_columns_are_not_warned_of(tmp_path):
    rng = np.random.default_rng(10)
    train = base()
    strong = np.where(np.arange(N) == 7, 1 - train["y"], train["y"])
    counts = {"count": rng.integers(0, 500, N), "grade": rng.integers(0, 4, N), "id": rng.normal(size=N)}
    honest = train.assign(strong=strong, **counts)
    assert dataset(tmp_path, honest).warnings == []
    few = pd.DataFrame(rng.normal(size=(8, 300)), columns=[f"g{i}" for i in range(300)]).assign(y=[0, 1] * 4)
    assert dataset(tmp_path, few).warnings == []


@pytest.mark.parametrize("listed", [["y"], [2], ["2"], ["age", 2]])
def test_the_target_is_no_manipulated_variable(tmp_path, listed):
    table = dataset(tmp_path, base().assign(b=np.arange(N) % 7))
    with pytest.raises(UserError, match=r"the target 'y' can't be manipulated; take it \(column 2\) out of"):
        manipulated_columns(listed, table)
    assert manipulated_columns(["b", 1], table) == [2, 0]
    (tmp_path / "truth.csv").write_text("from,to\nage,2\n")
    assert read_truth(tmp_path / "truth.csv", table.file_columns(), "y").tolist() == [[0, -1]]


def test_labels_are_the_same_however_they_were_read(tmp_path):
    train = base().assign(y=np.array(["1", "x"])[np.arange(N) % 2])
    table = dataset(tmp_path, train, base(1).assign(y=1))
    assert table.labels == {-1: "1", 1: "x"} and set(table.test_target.tolist()) == {-1}
    table = dataset(tmp_path, base().assign(y=FLAGS), base(1).assign(y=np.where(FLAGS == "True", 1, 0)))
    np.testing.assert_array_equal(table.test_target, table.target)
    ids = [str(LARGE + i % 2) for i in range(N)]
    assert dataset(tmp_path, base().assign(y=ids)).labels == {-1: ids[0], 1: ids[1]}
