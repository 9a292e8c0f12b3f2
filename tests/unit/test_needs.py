"""Estimated memory: sizes from the first lines of files, peaks within a factor of two of measured ones, refusals."""

import numpy as np
import pytest
from conftest import PROJECT

from himation.errors import UserError
from himation.files import needs
from himation.files.configuration import load_schema, resolve_configuration
from himation.files.entries import places
from himation.files.memory import peaks, total
from himation.files.needs import (
    BINARY,
    DIGITS,
    NUMBERS,
    Size,
    estimated_peaks,
    family,
    mem_mb,
    peak,
    runtime,
    size_of,
    table_size,
)

# Peaks of whole processes in MB as the scripts' logs gave them: step, table, measured.
SIDO, MARTI = Size(4932, 12678, 10000, BINARY), Size(1024, 500, 20000)
WIDE, CENSUS = Size(3000, 2000, 5000), Size(132, 16033, 10000)
TALL, BROAD = Size(700, 4000, 3000, sample=4000), Size(2500, 3500, 8000, BINARY, sample=4000)
MIXED = Size(92, 1500, 2000, sample=1000)
DEEP, DEEP_BINARY = Size(250, 9000, 3000), Size(1500, 9000, 3000, BINARY)
MEASURED = [
    ("simulate_data", SIDO, 452),
    ("simulate_data", MARTI, 504),
    ("simulate_data", WIDE, 331),
    ("simulate_data", CENSUS, 183),
    ("prepare_data", SIDO, 453),
    ("prepare_data", MARTI, 1154),
    ("prepare_data", WIDE, 1036),
    ("prepare_data", CENSUS, 205),
    ("prepare_data", Size(1001, 2000, text=19e6), 181),
    ("prepare_data", Size(10000, 2000, cell=BINARY, text=40e6), 140),
    ("constraint", SIDO, 281),
    ("constraint", MARTI, 201),
    ("constraint", WIDE, 490),
    ("feature_space", SIDO, 3212),
    ("feature_space", MARTI, 292),
    ("feature_space", WIDE, 662),
    ("feature_space", CENSUS, 731),
    ("kernel", BROAD, 412),
    ("mixture", BROAD, 506),
    ("feature_space", TALL, 795),
    ("constraint", MIXED, 517),
    ("find_region", MIXED, 523),
    ("find_region", TALL, 223),
    ("test_confounding", TALL, 220),
    ("search_folds", Size(11, 2000, 10000, BINARY), 305),
    ("search_folds", Size(300, 500, 5000), 341),
    ("compare_blankets", Size(11, 2000, 10000, BINARY), 173),
    ("compare_blankets", Size(300, 500, 5000), 187),
    ("estimate_auc", Size(11, 2000, 10000, BINARY), 169),
    ("estimate_auc", Size(300, 500, 5000), 202),
    ("sample_networks", DEEP, 225),
    ("sample_networks", DEEP_BINARY, 565),
    ("sample_networks", Size(60, 800, 1000), 172),
    ("sample_networks", MARTI, 213),
    ("infer_manipulation", Size(999, 500, 20_000), 528),
    ("select_variables", TALL, 191),
    ("build_model", MIXED, 196),
    ("build_model", TALL, 311),
    ("build_model", BROAD, 90),
    ("build_model", DEEP, 262),
    ("build_model", DEEP_BINARY, 221),
    ("predict", TALL, 116),
    ("predict", BROAD, 77),
    ("predict", DEEP, 110),
    ("score", Size(300, 1500, 2000, BINARY, sample=1000), 221),
    ("score", Size(484, 300, 2000, sample=1000), 238),
    ("score", TALL, 527),
    ("score", BROAD, 329),
    ("score", DEEP, 325),
    ("score", Size(11, 300, 200, BINARY), 47),
]


@pytest.mark.parametrize(("step", "size", "measured"), MEASURED)
def test_within_a_factor_of_two(step, size, measured):
    assert measured / 2 <= peak(step, size) / 1e6 <= measured * 2


def resolved(tmp_path, **entry):
    config = {"datasets": [{"id": "a", **entry}], "methods": [{"id": "mmmb"}, {"id": "rfe"}]}
    return resolve_configuration(config, load_schema(PROJECT / "workflow/schemas/config.schema.yaml"), [tmp_path])


def test_sizes_of_files(tmp_path):
    rng = np.random.default_rng(1)
    (tmp_path / "a.data").write_text("".join(" ".join(map(str, row)) + "\n" for row in rng.integers(0, 2, (50, 7))))
    (tmp_path / "b.csv").write_text("u,v,w\n" + "3,4,5\n" * 40)
    (tmp_path / "c.tsv").write_text("u\tv\n" + "0.25\t-1.5\n" * 30)
    found = [table_size(str(tmp_path / name)) for name in ("a.data", "b.csv", "c.tsv")]
    assert [(size.variables, size.train, size.cell) for size in found] == [
        (7, 50, BINARY),
        (3, 40, DIGITS),
        (2, 30, NUMBERS),
    ]
    import pandas as pd
    from scipy.sparse import csr_matrix, save_npz

    pd.DataFrame({"a": [1.5, 2.5, 3.5], "b": [1.0, 2.0, 4.0]}).to_parquet(tmp_path / "d.parquet")
    save_npz(tmp_path / "e.npz", csr_matrix(np.eye(4, 9)))
    found = [table_size(str(tmp_path / name)) for name in ("d.parquet", "e.npz")]
    assert [(size.variables, size.train) for size in found] == [(2, 3), (9, 4)]
    (tmp_path / "f.npz").write_bytes(b"not a zip")
    assert table_size(str(tmp_path / "f.npz")) == Size(0, 0)


def test_more_at_every_attempt(tmp_path):
    size = size_of(resolved(tmp_path, simulate={"network": "sido"})["datasets"][0])
    asked = [mem_mb(family("rfe"), size, attempt=attempt) for attempt in (1, 2, 3)]
    assert asked[0] * 1e6 > peak("feature_space", SIDO) and asked == sorted(set(asked))
    assert runtime("feature_space", size, 2) > runtime("feature_space", size, 1) >= 15


def test_what_cannot_fit_is_refused_with_the_figure(tmp_path, monkeypatch):
    made = resolved(tmp_path, simulate={"network": "sido"})
    needs.refuse_what_cannot_fit(made) if total() > 8e9 else None
    monkeypatch.setattr(needs, "total", lambda: 2e9)
    with pytest.raises(
        UserError, match=r"'a': search_folds would need [34]\.\d GB for 12678 x 4932, this computer has 2\.0"
    ):
        needs.refuse_what_cannot_fit(made)


def test_every_step_has_an_estimate(tmp_path):
    config = resolved(tmp_path, simulate={"network": "lucas"})
    listed = estimated_peaks(config, places(config["datasets"])["a"])
    assert {"simulate_data", "prepare_data", "find_blanket mmmb", "find_blanket rfe", "score"} <= set(listed)
    assert all(5e7 < value < 1e9 for value in listed.values())


def test_the_peak_of_this_process_grows_with_what_it_holds():
    before = peaks()[0]
    held = np.ones(int(before / 8) + 10_000_000)
    assert peaks()[0] >= before + 0.5 * held.nbytes
