"""The same numbers in every format give the same prepared table, or the same refusal; later tables go by training."""

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from himation.errors import UserError
from himation.files.dataset import Source, read_dataset
from himation.files.prepared import facts_of
from himation.files.tables import read_table
from himation.models.encoding import Encoding

NUMBERS = ["constant", "bit", "two", "digit", "whole", "normal", "huge", "tiny", "copy", "opposite"]
WORDS = ["word", "two_words", "boolean", "mixed", "digit", "normal"]
MEANT = settings(
    max_examples=500, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


def lines(rows, separator):
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def write_csv(frame, path, separator=","):
    frame.to_csv(path, index=False, sep=separator)


def write_quoted(frame, path):
    cells = [[f'"{name}"' for name in frame], *frame.astype(object).where(frame.notna(), "NA").to_numpy().tolist()]
    with gzip.open(path, "wt", compresslevel=1) as stream:
        stream.write(lines(cells, ","))


def write_challenge(frame, path):
    path.write_text(lines(frame.astype(object).where(frame.notna(), "nan").to_numpy().tolist(), " "))


def write_sparse(frame, path):
    made = sparse.csr_matrix(frame.to_numpy(dtype=float)).asformat("csr" if len(frame) % 2 else "csc")
    sparse.save_npz(path, made, compressed=False)


def write_bytes(frame, path):
    """Parquet with the smallest types that hold the numbers."""
    small = {name: smallest(column) for name, column in frame.items()}
    pd.DataFrame(small).to_parquet(path, index=False, compression=None)


def smallest(column):
    if column.notna().all() and column.isin([0, 1]).all():
        return column.astype("bool" if column.sum() % 2 else "uint8")
    if (column.dropna() % 1 == 0).all() and column.abs().max() < 200:
        return column.astype("UInt8" if column.isna().any() and column.min() >= 0 else "Int16")
    return column


FORMATS = {
    "t.csv": write_csv,
    "t.tsv": lambda frame, path: write_csv(frame, path, "\t"),
    "t.csv.gz": write_quoted,
    "t.data": write_challenge,
    "t.npz": write_sparse,
    "t.parquet": write_bytes,
}


def numbers(kind, n, rng, earlier):
    """A column of a kind; the second half of its rows is the test's."""
    if kind in ("copy", "opposite") and earlier:
        original = earlier[int(rng.integers(len(earlier)))]
        return original.copy() if kind == "copy" else original.max() - original
    if kind == "constant":
        return np.full(n, rng.choice([0.0, 1.0, 7.0, 0.5]))
    made = {
        "bit": lambda: rng.integers(0, 2, n),
        "two": lambda: rng.choice([1.0, 2.0], n),
        "digit": lambda: rng.integers(0, int(rng.integers(3, 6)), n),
        "whole": lambda: rng.integers(-3, 40, n),
        "huge": lambda: rng.normal(size=n) * 1e160,
        "tiny": lambda: rng.normal(size=n) * 1e-165,
    }
    return made.get(kind, lambda: rng.normal(size=n))().astype(float)


def tables(kinds, n, rng, gaps, unseen):
    """Training and test table of numbers, with gaps and values that training does not have."""
    columns = []
    for kind in kinds:
        columns.append(numbers(kind, 2 * n, rng, columns))
    values = np.array(columns)
    if gaps:
        values[rng.random(values.shape) < 0.08] = np.nan
    if unseen:
        values[int(rng.integers(len(kinds))), n + int(rng.integers(n))] = rng.choice([0.0, 1.0, 3.0, 9.0, 77.0])
    frame = pd.DataFrame(values.T, columns=[f"x{i + 1}" for i in range(len(kinds))])
    return frame[:n], frame[n:].reset_index(drop=True)


def outcome(source):
    """The prepared table in full, as text and bytes; or the refusal, without the place."""
    try:
        table = read_dataset(source)
    except UserError as error:
        return None, re.sub(r"\S*/", "", re.sub(r"[st]\.[a-z.]+:|line \d+", "", str(error)))
    parts = [getattr(table, name) for name in ("train", "test", "left_out")]
    blocks = [block for part in parts if part for block in (part.bits, part.codes, part.values)]
    blocks = [(block.dtype.str, block.shape, block.tobytes()) for block in blocks]
    return table, (json.dumps(facts_of(table)), table.target.tobytes(), table.test_target.tobytes(), blocks)


def agree(folder: Path, train, test, formats, types, missing, counts):
    labels = np.where(np.arange(len(train)) % 3 == 0, 1, -1)
    for name in ("y.txt", "z.txt"):
        (folder / name).write_text("".join(f"{label}\n" for label in labels))
    outcomes = {}
    for name, write in formats.items():
        (folder / "test").mkdir(exist_ok=True)
        write(train, folder / name)
        write(test, folder / "test" / name)
        files = (str(folder / name), str(folder / "y.txt"), str(folder / "test" / name), str(folder / "z.txt"))
        outcomes[name] = outcome(Source(*files, types, missing))
    (first, (table, expected)), *others = outcomes.items()
    for name, (_, found) in others:
        assert found == expected, f"{name} is not as {first}"
    counts["tables"] += 1
    counts["refused"] += table is None
    if table is None:
        return
    counts["constant"] += any(item.why == "constant" for item in table.dropped)
    counts["equal"] += any(item.why == "equal" for item in table.dropped)
    counts["gaps"] += bool(train.isna().any(axis=None) or test.isna().any(axis=None))
    everything = range(table.n_variables)
    more_levels = any(table.levels[i] and len(table.levels[i]) > table.arity(i) for i in everything)
    counts["unseen"] += more_levels or any("outside training" in text for text in table.warnings)
    encoding = Encoding.from_json(Encoding.of(table, everything).to_json())
    name = list(formats)[counts["tables"] % len(formats)]
    new = encoding.read(read_table(folder / "test" / name, None), "error" if missing == "error" else "impute")
    np.testing.assert_array_equal(new.features(everything, "test"), table.features(everything, "test"))


def test_numbers_in_every_format(tmp_path):
    counts = Counter()

    @MEANT
    @given(
        kinds=st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=6),
        n=st.integers(6, 40),
        seed=st.integers(0, 2**32),
        types=st.sampled_from(["auto", "auto", "auto", "discrete", "mixed", "continuous"]),
        missing=st.sampled_from(["error", "impute", "drop"]),
        gaps=st.booleans(),
        unseen=st.booleans(),
    )
    def check(kinds, n, seed, types, missing, gaps, unseen):
        train, test = tables(kinds, n, np.random.default_rng(seed), gaps and missing != "error", unseen)
        agree(tmp_path, train, test, FORMATS, types, missing, counts)

    check()
    assert counts["tables"] >= 500 and counts["refused"] < counts["tables"] / 2
    assert min(counts[what] for what in ("constant", "equal", "gaps", "unseen")) >= 20, counts


def words(kind, n, rng):
    levels = {"word": ["a", "b", "c"], "two_words": ["no", "yes"], "mixed": ["1", "2", "3", "A"]}
    if kind in levels:
        chosen = rng.choice(levels[kind], n)
        return np.where(np.arange(n) < n // 2, chosen, rng.choice(levels[kind][:3], n)).astype(object)
    if kind == "boolean":
        return rng.choice(["True", "False"], n).astype(object)
    return np.array([repr(value) for value in numbers(kind, n, rng, []).tolist()], dtype=object)


def write_words(frame, path):
    """Parquet as somebody has it who read the numbers: words where a column has any."""
    made = {name: pd.to_numeric(column) if name[0] in "dn" else column for name, column in frame.items()}
    boolean = {
        name: column.map({"True": True, "False": False}).astype("boolean" if column.isna().any() else "bool")
        for name, column in frame.items()
        if name.startswith("boolean")
    }
    pd.DataFrame({**made, **boolean}).to_parquet(path, index=False)


def test_words_in_every_format_that_holds_them(tmp_path):
    counts = Counter()
    formats = {name: FORMATS[name] for name in ("t.csv", "t.tsv")} | {"t.parquet": write_words}
    formats["s.parquet"] = lambda frame, path: frame.to_parquet(path, index=False)

    @settings(MEANT, max_examples=120)
    @given(
        kinds=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
        n=st.integers(15, 40),
        seed=st.integers(0, 2**32),
        missing=st.sampled_from(["error", "impute", "drop"]),
        gaps=st.sampled_from(["none", "train", "test"]),
        unseen=st.booleans(),
    )
    def check(kinds, n, seed, missing, gaps, unseen):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({f"{kind}{i}": words(kind, 2 * n, rng) for i, kind in enumerate(kinds)}, dtype=object)
        train, test = frame[:n].copy(), frame[n:].reset_index(drop=True)
        if gaps != "none" and missing != "error":
            holed = train if gaps == "train" else test
            holed.iloc[int(rng.integers(n)), int(rng.integers(len(kinds)))] = None
        if unseen and not kinds[0].startswith(("b", "d", "n")):
            test.iloc[0, 0] = "new"
        declared = "".join(f"{name},discrete\n" for name in frame if name.startswith("mixed"))
        (tmp_path / "types.csv").write_text("variable,type\n" + declared)
        agree(tmp_path, train, test, formats, str(tmp_path / "types.csv"), missing, counts)

    check()
    assert counts["tables"] >= 120 and counts["refused"] < counts["tables"] / 3, counts
    assert min(counts["gaps"], counts["unseen"]) >= 10, counts


@pytest.mark.parametrize("name", FORMATS)
def test_a_constant_column_among_zeros_and_ones_can_be_saved(tmp_path, name):
    from himation.files import prepared

    frame = pd.DataFrame(np.random.default_rng(3).integers(0, 2, (40, 3)), columns=["x1", "x2", "x3"]).astype(float)
    frame["x2"] = 1.0
    FORMATS[name](frame, tmp_path / name)
    (tmp_path / "y.txt").write_text("0\n1\n" * 20)
    table = read_dataset(Source(str(tmp_path / name), str(tmp_path / "y.txt")))
    prepared.save(table, tmp_path / "data")
    again = prepared.load(tmp_path / "data")
    assert [(item.name, item.column, item.why) for item in again.dropped] == [("x2", 2, "constant")]
    assert again.fills == table.fills and len(table.fills) == 2
