"""The book of reproduced tables: what it judges, that it names every published table, and that it is up to date."""

import doctest
import re

import pytest
import yaml
from conftest import PROJECT

from himation.files.atomic import read_tsv
from himation.rerun_list import RERUNS, WHOLE
from himation.studies.reproduction import pages, tables, verdicts
from himation.studies.reproduction.tables import TABLES, Published

BOOK = PROJECT / "docs/reproduction"
KEPT = sorted(path.stem for path in BOOK.glob("*.tsv") if path.stem != "runs")
PRINTED = {
    "thesis": [
        *(f"ii-{k}" for k in range(1, 12)),
        *(f"iii-{k}" for k in range(1, 12)),
        *(f"iv-{k}" for k in range(1, 4)),
        *("v-1", "v-2", "a-1", *(f"b-{k}" for k in range(1, 9)), "c-1", "c-2"),
    ],
    "pena": ["6", "7"],
    "hiton": ["2", "3"],
    "saeed": ["1", "2", "3", "4"],
    "strobl": ["1-2", "3", "4"],
}


def test_examples_in_the_documentation():
    for module in (verdicts, pages, tables):
        results = doctest.testmod(module)
        assert results.attempted and not results.failed


def test_every_published_table_has_its_line():
    assert {f"{source}-{number}" for source, numbers in PRINTED.items() for number in numbers} <= set(TABLES)
    index = (BOOK / "README.md").read_text(encoding="utf-8")
    for table in TABLES.values():
        start = f"| [{table.printed}]({table.name}.md) |" if table.name in KEPT else f"| {table.printed} |"
        assert f"{start} {table.about} |" in index


def test_every_transcribed_table_has_its_line(real_data):
    """The transcriptions beside the data, where they are at hand, are all of tables that are listed."""
    if not (real_data.parent / "published").is_dir():
        pytest.skip("no transcriptions at hand")
    for path in (real_data.parent / "published").glob("*_*_*.csv"):
        source, kind, number = path.stem.split("_", 2)
        if kind in ("table", "figure"):
            words = number.split("_")
            prefix = f"{source}-figure" if (source, kind) == ("thesis", "figure") else source
            names = {f"{prefix}-{'-'.join(words[:count])}" for count in (1, 2)}
            assert names & set(TABLES), path.name


def test_every_table_has_a_rerun_or_the_reason_why_not():
    for table in TABLES.values():
        assert table.reruns or table.reason
        assert set(table.reruns) <= set(RERUNS) | set(WHOLE)
    preset = yaml.safe_load((PROJECT / "workflow/presets/reproduction.yaml").read_text())["reruns"]
    named = {name for table in TABLES.values() for name in table.reruns}
    assert {entry["id"] for entry in preset} == named - set(WHOLE) and set(WHOLE) <= named


@pytest.mark.parametrize(
    "figures, expected",
    [
        ((0.80, 0.81, 0.01, "high", 10), "agrees"),
        ((0.80, 0.821, 0.01, "high", 10), "can't tell"),  # 2.1 errors, where ten samples give 2.26 by chance
        ((0.80, 0.83, 0.01, "high", 10), "better"),
        ((0.80, 0.83, 0.01, "low", 10), "worse"),
        ((0.80, 0.83, 0.01, "", 10), "differs"),
        ((0.80, 0.83, 0.01, "high", 3), "can't tell"),
        ((0.80, 0.85, 0.01, "high", 3), "better"),
        ((0.80, 0.90, None, "high", 1), "can't tell"),
        ((0.80, 0.81, 0.01, "high", 1), "can't tell"),  # the error is that over other things than samples
        ((0.80, 1.00, 0.0, "high", 3), "can't tell"),  # three samples alike are no proof that all are
        ((0.80, 1.00, 0.0, "high", 10), "better"),
        ((0.80, 0.8004, 0.0, "high", 10), "agrees"),  # rounding
        ((37.0, 38.0, 0.0, "", None), "differs"),  # no chance in it
        ((None, 0.5, 0.1, "high", 10), ""),
    ],
)
def test_verdicts(figures, expected):
    published, rerun, error, better, samples = figures
    assert verdicts.verdict(published, rerun, error, better, samples, unit=0.001) == expected


def test_chance_alone_rarely_gives_more_than_one_disagreement_in_ten():
    """Means of four samples of the published distribution itself are called better or worse in 5 % of all cases."""
    import numpy as np

    rng = np.random.default_rng(3)
    drawn = rng.normal(size=(4000, 4))
    errors = drawn.std(axis=1, ddof=1) / 2
    words = [verdicts.verdict(0.0, m, e, "high", 4) for m, e in zip(drawn.mean(axis=1), errors, strict=True)]
    assert np.mean([word in ("better", "worse") for word in words]) == pytest.approx(0.05, abs=0.012)


def test_a_table_takes_its_own_lines_and_does_not_judge_ours():
    table = Published("thesis-x", "Table X", "", ("a",), ("X: ",), ("auc",), ours=("with screen",))
    row = {"case": "X: FSMB", "measure": "auc", "published": "0.5", "rerun": "0.9", "error": "0.01", "better": "high"}
    rows = [
        {**row, "note": ""},
        {**row, "case": "X: FSMB with screen", "note": ""},
        {**row, "case": "Y: FSMB", "note": ""},
    ]
    found = pages.judged(table, rows, 5, "x")
    assert [(figures["case"], figures["verdict"]) for figures in found] == [
        ("X: FSMB", "better"),
        ("X: FSMB with screen", "ours"),
    ]
    assert pages.called(table, found) == "better"
    assert pages.called(Published("thesis-x", "Table X", "", given=True), found) == "by construction"
    assert pages.called(Published("thesis-x", "Table X", "", simulated=True), found) == "other data"
    assert pages.counted(found) == "1 better" and verdicts.summary(figures["verdict"] for figures in found) == "better"


def test_the_index_says_what_is_not_rerun_and_why():
    text = pages.index({}, [])
    assert "0 are rerun" in text and "not rerun" in text
    assert "| not run yet | `pena-6` |" in text and TABLES["thesis-ii-9"].reason in text


@pytest.mark.parametrize("name", KEPT)
def test_verdicts_of_the_book_follow_from_its_figures(name):
    table, figures = TABLES[name], read_tsv(BOOK / f"{name}.tsv")
    runs = [run for run in read_tsv(BOOK / "runs.tsv") if run["table"] == name]
    assert {run["rerun"] for run in runs} <= set(table.reruns) and runs
    samples = {run["rerun"]: None if table.exact else int(run["samples"]) for run in runs}
    for row in figures:
        expected = verdicts.of_row(row, samples[row["run"]], table.unit)
        assert row["verdict"] == (expected if table.judges(row) else pages.OURS)
    assert {row["run"] for row in figures} == set(samples)
    assert (BOOK / f"{name}.md").read_text(encoding="utf-8") == pages.page(table, figures, runs), "make reproduction"


def test_figures_whose_constants_were_chosen_by_looking_at_print_say_so_in_their_own_line():
    rows = [row for name in KEPT for row in read_tsv(BOOK / f"{name}.tsv")]
    chosen = [row for row in rows if "redundant mechanism" in row["case"] or "SIDO" in row["case"]]
    ours = [row for row in chosen if "simulated" in row["note"] or "redundant" in row["case"]]
    assert len(ours) > 100 and all("chosen by looking at the published figures" in row["note"] for row in ours)


def test_the_index_is_that_of_the_tables_beside_it():
    figures = {name: read_tsv(BOOK / f"{name}.tsv") for name in TABLES if name in KEPT}
    assert len(figures) == len(KEPT)
    runs = read_tsv(BOOK / "runs.tsv")
    assert (BOOK / "README.md").read_text(encoding="utf-8") == pages.index(figures, runs), "run `make reproduction`"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", run["date"]) and "numpy" in run["versions"] for run in runs)
