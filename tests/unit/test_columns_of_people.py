"""Tables as people have them: row names, ids, dates, semicolons, targets of several values or of numbers."""

import numpy as np
import pandas as pd
import pytest

from himation.errors import UserError
from himation.files.dataset import Source, read_dataset
from himation.files.tables import column_names, id_column, read_ids, read_table

N = 60


@pytest.fixture
def frame():
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": rng.normal(50, 9, N).round(2),
            "dose": rng.normal(0, 1, N).round(3),
            "town": rng.choice(["Ulm", "Bonn", "Kiel"], N),
            "y": np.where(np.arange(N) % 3 == 0, "ill", "well"),
        }
    )


def facts(table):
    """All that must not depend on how a table was written."""
    return (
        dict(zip(table.names, table.kinds, strict=True)),
        table.labels,
        table.target.tolist(),
        table.features([table.names.index(name) for name in ("age", "dose", "town")]).tolist(),
    )


LAYOUTS = {
    "semicolons.csv": {"sep": ";", "index": False},
    "spreadsheet.csv": {"sep": ";", "decimal": ",", "index": False},
    "spreadsheet_in_quotes.csv": {"sep": ";", "decimal": ",", "index": False, "quoting": 2},
    "tabs.csv": {"sep": "\t", "index": False},
    "commas.tsv": {"index": False},
    "bars.csv": {"sep": "|", "index": False},
    "pandas_index.csv": {},
    "pandas_index_of_a_spreadsheet.csv": {"sep": ";", "decimal": ","},
    "write_csv.csv": {"index_label": "", "quoting": 2},
    "spaces.txt": {"sep": " ", "index": False},
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_same_table_however_it_is_written(tmp_path, frame, name):
    plain, other = tmp_path / "plain.csv", tmp_path / name
    frame.to_csv(plain, index=False)
    frame.to_csv(other, **LAYOUTS[name])
    expected, table = (read_dataset(Source(str(path), "y")) for path in (plain, other))
    assert facts(table) == facts(expected)
    assert set(column_names(other)) - {"row names"} == set(frame.columns)


@pytest.mark.parametrize(("name", "separator"), [("table.txt", " "), ("table.tsv", "\t"), ("table.csv", ",")])
@pytest.mark.parametrize("names", ["numbers", "words"])
def test_a_table_of_r_whose_header_does_not_count_the_row_names(tmp_path, frame, name, separator, names):
    rows = [f"car {i}" if names == "words" else str(i + 1) for i in range(N)]
    lines = [separator.join(f'"{column}"' for column in frame.columns)]
    for row, (age, dose, town, y) in zip(rows, frame.itertuples(index=False), strict=True):
        lines.append(separator.join([f'"{row}"', str(age), str(dose), f'"{town}"', f'"{y}"']))
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    frame.to_csv(tmp_path / "plain.csv", index=False)
    table = read_dataset(Source(str(tmp_path / name), "y"))
    assert facts(table) == facts(read_dataset(Source(str(tmp_path / "plain.csv"), "y")))
    assert ("row names", "identifier") in [(item.name, item.why) for item in table.dropped]
    assert id_column(tmp_path / name, set(table.names), "row names") == "row names"
    assert read_ids(tmp_path / name, "row names") == rows


IDS = {
    "patient_id": lambda rng: rng.choice(100_000, N, replace=False),
    "Unnamed: 0": lambda rng: np.arange(N),
    "X": lambda rng: np.arange(1, N + 1),
    "id": lambda rng: [f"P-{i}" for i in rng.permutation(N)],
    "passenger": lambda rng: [f"Mrs {chr(65 + i % 26)}. No {i}" for i in range(N)],
}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("name", IDS)
def test_what_names_the_rows_is_left_out_with_a_word(tmp_path, frame, name, ending):
    path = tmp_path / f"t.{ending}"
    made = frame.assign(**{name: IDS[name](np.random.default_rng(8))})
    made.to_csv(path, index=False) if ending == "csv" else made.to_parquet(path, index=False)
    table = read_dataset(Source(str(path), "y"))
    assert sorted(table.names) == ["age", "dose", "town"]
    assert [w for w in table.warnings if name in w and w.startswith("left out, since they name or number the rows")]


def test_measurements_stay_though_every_row_has_its_own(tmp_path, frame):
    rng = np.random.default_rng(4)
    made = frame.assign(
        X=rng.choice(10_000, N, replace=False), income=rng.choice(10_000, N, replace=False), id=[1, 2] * 30
    )
    made.to_csv(tmp_path / "t.csv", index=False)
    assert {"X", "income", "id"} < set(read_dataset(Source(str(tmp_path / "t.csv"), "y")).names)
    made = frame.assign(visit_id=rng.choice(10_000, N, replace=False))
    made.to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "types.csv").write_text("variable,type\nvisit_id,continuous\n")
    assert "visit_id" in read_dataset(Source(str(tmp_path / "t.csv"), "y", types=str(tmp_path / "types.csv"))).names


def test_ignored_columns_may_hold_anything_and_be_absent_from_the_test_table(tmp_path, frame):
    odd = ["3", "x", "", "2020-01-01"] * 15
    frame.assign(odd=odd, huge=[2**60 + i for i in range(N)]).to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "new.csv", index=False)
    source = Source(str(tmp_path / "t.csv"), "y", str(tmp_path / "new.csv"), ignore=("odd", "6"))
    table = read_dataset(source)
    assert sorted(table.names) == ["age", "dose", "town"] and table.test.n == N
    assert [(item.name, item.why) for item in table.dropped if item.why != "target"] == [
        ("odd", "ignored"),
        ("huge", "ignored"),
    ]
    with pytest.raises(UserError, match=r"ignore: 'od' is not a variable of the table; did you mean 'odd'"):
        read_dataset(Source(str(tmp_path / "t.csv"), "y", ignore=("od",)))
    with pytest.raises(UserError, match="ignore: the target can't be ignored"):
        read_dataset(Source(str(tmp_path / "t.csv"), "y", ignore=("y", "odd", "huge")))


@pytest.mark.parametrize("style", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y", "%Y-%m-%d %H:%M"])
def test_dates_are_refused_by_name(tmp_path, frame, style):
    made = frame.assign(visit=pd.date_range("2020-01-01", periods=N).strftime(style))
    made.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(UserError, match=r"column 'visit' holds dates .*ignore: \[visit\]"):
        read_dataset(Source(str(tmp_path / "t.csv"), "y"))
    made = frame.assign(visit=pd.to_datetime(["2020-01-01", "2021-05-06"] * 30))
    made.to_parquet(tmp_path / "t.parquet", index=False)
    with pytest.raises(UserError, match="column 'visit' holds dates"):
        read_dataset(Source(str(tmp_path / "t.parquet"), "y"))
    assert "visit" not in read_dataset(Source(str(tmp_path / "t.parquet"), "y", ignore=("visit",))).names


def target_of(tmp_path, frame, values, positive=None, test=None):
    frame.assign(y=values).to_csv(tmp_path / "t.csv", index=False)
    if test is not None:
        frame.assign(y=test).to_csv(tmp_path / "new.csv", index=False)
    new = str(tmp_path / "new.csv") if test is not None else None
    return read_dataset(Source(str(tmp_path / "t.csv"), "y", new, positive=positive))


def test_one_class_against_the_rest(tmp_path, frame):
    kinds = np.array(["Adelie", "Chinstrap", "Gentoo"])[np.arange(N) % 3]
    table = target_of(tmp_path, frame, kinds, "Gentoo", kinds[::-1])
    assert table.labels == {-1: "not Gentoo", 1: "Gentoo"}
    assert (table.target > 0).tolist() == (kinds == "Gentoo").tolist()
    assert (table.test_target > 0).tolist() == (kinds[::-1] == "Gentoo").tolist()
    with pytest.raises(UserError, match=r"3 values .*name the one that counts, such as positive: 'Adelie'"):
        target_of(tmp_path, frame, kinds)
    with pytest.raises(UserError, match="has no value 'Gento'; did you mean 'Gentoo'"):
        target_of(tmp_path, frame, kinds, "Gento")
    with pytest.raises(UserError, match="has the label Rockhopper, training has Adelie, Chinstrap, Gentoo"):
        target_of(tmp_path, frame, kinds, "Gentoo", ["Rockhopper"] * N)


@pytest.mark.parametrize(("given", "label"), [("ill", "ill"), ("ILL", "ill"), ("well", "well"), (None, "well")])
def test_which_of_two_is_positive(tmp_path, frame, given, label):
    table = target_of(tmp_path, frame, frame["y"], given)
    assert table.labels[1] == label and (table.target > 0).tolist() == (frame["y"] == label).tolist()


@pytest.mark.parametrize(("values", "given", "label"), [((1, 2), "1.0", "1"), (("no", "yes"), "False", "no")])
def test_what_yaml_makes_of_a_plain_word_or_number(tmp_path, frame, values, given, label):
    assert target_of(tmp_path, frame, list(values) * 30, given).labels[1] == label


CUTS = {">": np.greater, ">=": np.greater_equal, "<": np.less, "<=": np.less_equal}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("at", ["median", "3.5"])
def test_numbers_on_one_side(tmp_path, frame, cut, at):
    holds = CUTS[cut]
    values = np.random.default_rng(5).normal(3.5, 2, N).round(3)
    values[:3] = 3.5
    number = np.median(values) if at == "median" else 3.5
    table = target_of(tmp_path, frame, values, f"{cut} {at}", values[::-1])
    assert (table.target > 0).tolist() == holds(values, number).tolist()
    assert (table.test_target > 0).tolist() == holds(values[::-1], number).tolist()
    assert table.labels[1].startswith(f"{cut} ")


def test_a_target_of_numbers_that_fits_neither_is_shown_both_ways(tmp_path, frame):
    values = np.arange(N) * 1.5
    with pytest.raises(UserError, match=r"'> median' or positive: '> 44.25', or name a value .* positive: '0'"):
        target_of(tmp_path, frame, values)
    with pytest.raises(UserError, match=r"all examples on one side; 'y' goes from 0 to 88\.5"):
        target_of(tmp_path, frame, values, "> 100")
    with pytest.raises(UserError, match="cuts a target of numbers, and 'y' has words; name one of them"):
        target_of(tmp_path, frame, frame["y"], "> median")


def test_decimal_commas_of_two_tables_are_read_the_same(tmp_path):
    (tmp_path / "a.csv").write_text("a;b\n1,5;x\n-2,25;y\n3;z\n")
    table = read_table(tmp_path / "a.csv")
    assert table.column(0).tolist() == [1.5, -2.25, 3.0] and table.texts[1].tolist() == ["x", "y", "z"]
