"""Every format gives the same table; what is wrong is said in one line that names the place."""

import gzip

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from himation.bits import unpack_bits
from himation.errors import UserError
from himation.files import prepared
from himation.files.dataset import Source, read_dataset, read_list, read_truth, resolve
from himation.files.tables import column_names, read_table
from himation.table import BINARY, CONTINUOUS, DISCRETE


@pytest.fixture
def numbers():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "height": rng.normal(170, 10, 60).round(3),
            "smokes": rng.integers(0, 2, 60),
            "grade": rng.integers(1, 5, 60),
            "ill": rng.integers(0, 2, 60),
        }
    )


def written(frame, path):
    if path.name.endswith(".data"):
        path.write_text("".join(" ".join(map(repr, row)) + " \n" for row in frame.to_numpy().tolist()))
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".gz":
        with gzip.open(path, "wt") as stream:
            frame.to_csv(stream, index=False)
    elif path.suffix == ".npz":
        sparse.save_npz(path, sparse.csr_matrix(frame.to_numpy(dtype=float)))
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet", "t.csv.gz", "t.data", "t.npz"])
def test_formats_agree(tmp_path, numbers, name):
    table = read_table(written(numbers, tmp_path / name))
    np.testing.assert_allclose(table.values, numbers.to_numpy(dtype=float).T)
    headerless = name.endswith((".data", ".npz"))
    assert table.names == (["x1", "x2", "x3", "x4"] if headerless else list(numbers))
    assert column_names(tmp_path / name) == ([] if headerless else list(numbers))


@pytest.mark.parametrize("name", ["t.data", "t.npz"])
def test_zeros_and_ones_become_bits_at_once(tmp_path, name):
    frame = pd.DataFrame(np.random.default_rng(1).integers(0, 2, (70, 9)))
    table = read_table(written(frame, tmp_path / name))
    assert table.values is None and table.bits.shape == (9, 2)
    target = tmp_path / "y.targets"
    target.write_text("".join(f"{1 if i % 3 else -1}\n" for i in range(70)))
    made = read_dataset(Source(str(tmp_path / name), str(target)))
    for i, column in enumerate(made.columns):
        np.testing.assert_array_equal(made.numbers(i), frame.iloc[:, column - 1])


def test_types_scaling_and_the_way_back_from_disk(tmp_path, numbers):
    source = Source(str(written(numbers, tmp_path / "t.csv")), "ill", test=str(tmp_path / "t.csv"))
    table = read_dataset(source)
    prepared.save(table, tmp_path / "data")
    again = prepared.load(tmp_path / "data")
    kinds = dict(zip(again.names, again.kinds, strict=True))
    assert kinds == {"height": CONTINUOUS, "smokes": BINARY, "grade": DISCRETE}
    assert again.kind == "mixed" and again.labels == {-1: "0", 1: "1"}
    np.testing.assert_array_equal(again.target, np.where(numbers["ill"] == 1, 1, -1))
    np.testing.assert_array_equal(again.test_target, again.target)
    height = again.numbers(again.names.index("height"))
    expected = (numbers["height"] - numbers["height"].mean()) / numbers["height"].std(ddof=0)
    np.testing.assert_allclose(height, expected)
    for part in ("train", "test"):
        np.testing.assert_array_equal(again.features(range(3), part), table.features(range(3), part))


@pytest.mark.parametrize("types", ["continuous", "discrete", "mixed"])
def test_types_can_be_overridden(tmp_path, numbers, types):
    frame = numbers.assign(height=numbers["height"].round(-1))
    table = read_dataset(Source(str(written(frame, tmp_path / "t.csv")), "ill", types=types))
    kinds = dict(zip(table.names, table.kinds, strict=True))
    assert kinds["grade"] == {"continuous": CONTINUOUS, "discrete": DISCRETE, "mixed": CONTINUOUS}[types]
    assert kinds["smokes"] == {"continuous": CONTINUOUS, "discrete": BINARY, "mixed": BINARY}[types]


def test_words_are_taken_where_they_are_plain_or_declared(tmp_path, numbers):
    frame = numbers.assign(town=["Ulm", "Bonn", "Kiel"] * 20, ill=["yes", "no"] * 30)
    path, types = written(frame, tmp_path / "t.csv"), tmp_path / "types.csv"
    plain = read_dataset(Source(str(path), "ill"))
    assert plain.levels[plain.names.index("town")] == ["Bonn", "Kiel", "Ulm"]
    stray = written(frame.assign(town=["Ulm", "7", "Kiel"] * 20), tmp_path / "s.csv")
    with pytest.raises(UserError, match="column 'town' holds the text 'Ulm' at line 2"):
        read_dataset(Source(str(stray), "ill"))
    notes = written(frame.assign(town=[f"note{i % 40}" for i in range(60)]), tmp_path / "n.csv")
    with pytest.raises(UserError, match=r"column 'town' holds the text 'note0' at line 2.*ignore: \[town\]"):
        read_dataset(Source(str(notes), "ill"))
    types.write_text("variable,type\ntown,discrete\n")
    table = read_dataset(Source(str(path), "ill", types=str(types)))
    town = table.names.index("town")
    assert table.levels[town] == ["Bonn", "Kiel", "Ulm"] and table.labels == {-1: "no", 1: "yes"}
    assert table.features([town]).sum(axis=1).tolist() == [1.0] * 60


def test_words_that_only_the_test_table_has_are_named(tmp_path, numbers):
    frame = numbers.assign(town=["Ulm", "Bonn", "Kiel"] * 20)
    test = frame.assign(town=["Ulm", "BONN", "Kiel"] * 20)
    source = Source(str(written(frame, tmp_path / "a.csv")), "ill", test=str(written(test, tmp_path / "b.csv")))
    assert "column 'town' has values outside training that the model can't know: BONN" in read_dataset(source).warnings


def test_order_of_columns_does_not_matter(tmp_path, numbers):
    one = read_dataset(Source(str(written(numbers, tmp_path / "a.csv")), "ill"))
    other = read_dataset(Source(str(written(numbers[numbers.columns[::-1]], tmp_path / "b.csv")), "ill"))
    assert one.names == other.names
    np.testing.assert_array_equal(one.matrix(), other.matrix())


def test_test_columns_are_matched_by_name(tmp_path, numbers):
    test = numbers[["grade", "height", "smokes"]]
    source = Source(str(written(numbers, tmp_path / "a.csv")), "ill", test=str(written(test, tmp_path / "b.csv")))
    table = read_dataset(source)
    np.testing.assert_array_equal(table.features(range(3), "test"), table.features(range(3)))
    assert table.test_target is None


def test_constant_and_equal_columns_are_dropped_and_named(tmp_path, numbers):
    frame = numbers.assign(flat=7, same=numbers["height"])
    table = read_dataset(Source(str(written(frame, tmp_path / "t.csv")), "ill"))
    assert [(d.name, d.words) for d in table.dropped] == [
        ("ill", "target"),
        ("flat", "constant"),
        ("same", "equal to height"),
    ]
    assert any("constant" in warning for warning in table.warnings)


def test_missing_values_are_an_error_unless_there_is_a_rule(tmp_path, numbers):
    frame = numbers.astype(float)
    frame.loc[[4, 9], "height"] = np.nan
    frame.loc[7, "smokes"] = np.nan
    path = str(written(frame, tmp_path / "t.csv"))
    with pytest.raises(UserError, match=r"height, smokes \(first at line 6\); set 'missing: drop'"):
        read_dataset(Source(path, "ill"))
    imputed = read_dataset(Source(path, "ill", missing="impute"))
    filled = imputed.numbers(imputed.names.index("height"))
    assert imputed.train.n == 60 and filled[4] == filled[9]
    dropped = read_dataset(Source(path, "ill", missing="drop"))
    assert dropped.train.n == 57 and dropped.left_out.n == 3 and dropped.left_out_rows == (4, 7, 9)


def test_lists_and_truth_go_by_name_or_number(tmp_path):
    (tmp_path / "l").write_text("b, 1\n3")
    assert resolve(read_list(tmp_path / "l"), ["a", "b", "c"], "l") == [1, 0, 2]
    with pytest.raises(UserError, match="did you mean 'Smoking'"):
        resolve(["Smokin"], ["Smoking", "Age"], "list")
    (tmp_path / "t").write_text("from,to\na,0\n2,c\nill,c\n")
    assert read_truth(tmp_path / "t", ["a", "b", "c"], "ill").tolist() == [[0, -1], [1, 2], [-1, 2]]


def test_a_header_is_needed_for_lists_of_edges(tmp_path):
    (tmp_path / "t").write_text("a,b\n")
    with pytest.raises(UserError, match="first line must be 'from,to'"):
        read_truth(tmp_path / "t", ["a", "b"], "ill")


BAD_TABLES = {
    "ragged.data": ("1 2 3\n4 5\n", "line 2 has 2 values, line 1 has 3"),
    "text.data": ("1 2\n3 four\n", "line 2, column 2 holds 'four', which is not a number"),
    "empty.data": ("", "the file is empty"),
    "blank.data": (" \n\n", "the file is empty"),
    "ragged.csv": ("a,b\n1,2\n3\n", "line 3 has 1 values, the header has 2"),
    "twice.csv": ("a,a\n1,2\n", "same name twice: a"),
    "noname.csv": ("a,\n1,2\n", "empty name at column 2"),
    "norows.csv": ("a,b\n", "a header and no rows"),
    "strange.xlsx": ("x", "unknown kind of table '.xlsx'"),
    "broken.parquet": ("x", "can't be read as Parquet"),
    "broken.npz": ("x", "can't be read as a SciPy sparse matrix"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_tables_are_named(tmp_path, name):
    text, message = BAD_TABLES[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError) as caught:
        read_table(tmp_path / name)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_pickle_is_never_loaded(tmp_path):
    np.savez(tmp_path / "x.npz", indices=np.array([{}], dtype=object), indptr=0, shape=0, data=0, format=0)
    with pytest.raises(UserError, match="can't be read"):
        read_table(tmp_path / "x.npz")


@pytest.mark.parametrize("highest", [1, 2])
def test_a_frame_of_bytes_becomes_bits_only_where_all_are_0_and_1(tmp_path, highest):
    import pandas as pd

    values = np.random.default_rng(1).integers(0, 2, size=(70, 300)).astype(np.uint8)
    values[3, 299] = highest
    pd.DataFrame(values, columns=[f"c{i}" for i in range(300)]).to_parquet(tmp_path / "t.parquet")
    raw = read_table(tmp_path / "t.parquet")
    assert raw.names[:2] == ["c0", "c1"] and raw.n == 70
    if highest == 1:
        assert raw.values is None
        assert np.array_equal(unpack_bits(raw.bits, 70), values.T)
    else:
        assert raw.bits is None and np.array_equal(raw.values, values.T)


def test_a_sparse_table_that_claims_a_billion_columns_is_refused_before_it_is_made(tmp_path, monkeypatch):
    from himation.files import memory

    monkeypatch.setattr(memory, "available", lambda: 20e9)
    arrays = {"indices": np.array([0, 5]), "indptr": np.array([0, 1, 2]), "data": np.ones(2)}
    np.savez(tmp_path / "t.npz", **arrays, shape=np.array([2, 10**9]), format=np.array(b"csr"))
    with pytest.raises(UserError, match=r"t.npz as a dense table needs 204.0 GB and 20.0 GB are free"):
        read_table(tmp_path / "t.npz")
