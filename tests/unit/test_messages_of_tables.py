"""What a table looks like that can't be read, and what to do about it, in one line."""

import gzip

import numpy as np
import pandas as pd
import pytest

from himation.errors import UserError
from himation.files.dataset import Source, read_dataset, read_list, read_target
from himation.files.tables import column_names, read_table

ROWS = "".join(f"{i % 7},{(i * 5) % 11},{i % 2}\n" for i in range(30))
PLAIN = "a,b,y\n" + ROWS
SHIFTED = "".join(f"{i % 2},{i % 7},5,{i % 5},25\n" for i in range(30))

DECIMALS = "line 2 has 5 values, the header has 3; decimal commas"
STRAY = "column 'a' holds the text '1,5' at line 2; decimal commas"

TEXTS = {
    "a value more than the header": ("t.csv", "y,a\n" + "1,2,5\n2,3,1\n" * 9, "no names of rows .line 4 has one again"),
    "quoted header, decimal commas": ("t.csv", '"y","a","b"\n' + SHIFTED, DECIMALS),
    "decimal commas": ("t.csv", "y,a,b\n" + SHIFTED, DECIMALS),
    "quoted rows too long": ("t.csv", 'y,a\n"0","1"\n"1","2","3"\n', "line 3 has 3 values, the header has 2"),
    "quoted rows too short": ("t.csv", 'y,a\n"0","1"\n"1"\n', "line 3 has 1 values, the header has 2"),
    "decimal commas in .tsv": ("t.tsv", "y\ta\n" + "0\t1,5\n1\t2,5\n" * 9, STRAY),
    "quoted decimal commas": ("t.csv", "y,a\n" + '0,"1,5"\n1,"2"\n' * 9, STRAY),
    "line break in a name": ("t.csv", '"a\nb",y\n1,0\n2,1\n', "goes over more than one line"),
    "open quotation mark": ("t.csv", '"a,y\n1,0\n2,1\n', "close its quotation mark"),
    "only the target": ("t.csv", "y\n0\n1\n0\n1\n", "has no column but the target"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_that_is_no_table(tmp_path, name):
    file, text, message = TEXTS[name]
    for path in (tmp_path / file, tmp_path / (file + ".gz")):
        path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
        with pytest.raises(UserError, match=message) as caught:
            read_dataset(Source(str(path), "y"))
        assert "\n" not in str(caught.value) and path.name in str(caught.value)


@pytest.mark.parametrize("file", ["t.csv", "t.tsv", "t.data"])
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16(tmp_path, codec, file):
    (tmp_path / file).write_bytes(PLAIN.encode(codec))
    with pytest.raises(UserError, match=r"looks like UTF-16.*save it as UTF-8"):
        read_table(tmp_path / file)


@pytest.mark.parametrize("codec", ["latin-1", "cp1252"])
def test_latin_1(tmp_path, codec):
    (tmp_path / "t.csv").write_bytes(PLAIN.replace("a,b", "größe,b").encode(codec))
    for read in (read_table, column_names):
        with pytest.raises(UserError, match=r"line 1; it looks like Latin-1.*'ö' there.; save it as UTF-8"):
            read(tmp_path / "t.csv")


def test_a_byte_order_mark_is_no_part_of_anything(tmp_path):
    mark = b"\xef\xbb\xbf"
    (tmp_path / "t.csv").write_bytes(mark + PLAIN.encode())
    assert read_table(tmp_path / "t.csv").names == column_names(tmp_path / "t.csv") == ["a", "b", "y"]
    (tmp_path / "t.data").write_bytes(mark + b"0 1\n1 0\n")
    assert read_table(tmp_path / "t.data").column(0).tolist() == [0, 1]
    (tmp_path / "labels").write_bytes(mark + b"1\n-1\n1\n")
    assert read_target(tmp_path / "labels").tolist() == [1, -1, 1]
    (tmp_path / "list").write_bytes(mark + b"a b\n")
    assert read_list(tmp_path / "list") == ["a", "b"]


@pytest.mark.parametrize("read", [read_target, read_list])
def test_lists_and_labels_of_another_encoding(tmp_path, read):
    for codec in ("latin-1", "utf-16"):
        (tmp_path / "l").write_bytes("größe\nb\n".encode(codec))
        with pytest.raises(UserError, match=r"not UTF-8 text \(.*looks like .*; save it as UTF-8"):
            read(tmp_path / "l")


@pytest.mark.parametrize(("value", "what"), [(b"\x00\x01", "bytes"), ([1, 2], "lists"), ({"k": 1}, "records")])
@pytest.mark.parametrize("types", ["auto", "discrete"])
def test_columns_of_parquet_that_hold_neither_numbers_nor_words(tmp_path, value, what, types):
    frame = pd.DataFrame({"a": np.arange(20) % 3, "odd": [value] * 20, "y": np.arange(20) % 2})
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    with pytest.raises(UserError, match=f"column 'odd' holds {what}, neither numbers nor words; convert it, or leave"):
        read_dataset(Source(str(tmp_path / "t.parquet"), "y", types=types))


@pytest.mark.parametrize(("name", "message"), [("a\nb", "more than one line"), ("", "index=False")])
def test_names_in_parquet_go_by_the_same_rules(tmp_path, name, message):
    pd.DataFrame({name: [1, 2], "y": [0, 1]}).to_parquet(tmp_path / "t.parquet", index=False)
    with pytest.raises(UserError, match=message):
        read_table(tmp_path / "t.parquet")


def test_quoted_tables_in_order_are_read(tmp_path):
    (tmp_path / "t.csv").write_text('"a, b",y\n"two\nlines",0\n"x ""y""",1\n\n"two\nlines",1\n')
    table = read_table(tmp_path / "t.csv")
    assert table.names == ["a, b", "y"] and table.texts[0].tolist() == ["two\nlines", 'x "y"', "two\nlines"]
    assert table.column(1).tolist() == [0, 1, 1]


def test_an_empty_line_in_a_table_of_one_column_is_a_missing_value(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1.5\n\n2.5\n\n")
    np.testing.assert_array_equal(read_table(tmp_path / "t.csv").column(0), [1.5, np.nan, 2.5])


def test_words_without_the_white_space_around_them(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\nx , 1\n x,2\n  ,3\nNA,4\n")
    table = read_table(tmp_path / "t.csv")
    assert table.texts[0].tolist() == ["x", "x", None, None] and table.column(1).tolist() == [1, 2, 3, 4]
