"""write_report.py as a command."""

import json

import pytest
import write_report
from unit.test_report import Page, make_results


@pytest.fixture
def results(tmp_path):
    make_results(tmp_path / "results", "one")
    make_results(tmp_path / "results", "two", optional=False, manipulation="none")
    (tmp_path / "results/run.json").write_text('{"versions": {"himation": "9.9"}, "configuration": {"seed": 5}}')
    return tmp_path / "results"


def command(results, *ids):
    words = ["--results", results, "--run", results / "run.json", "--ids", *ids]
    return list(map(str, [*words, "--output", results / "report.html", "--log", results / "logs/write_report.log"]))


def test_writes_a_page_of_all_data_sets(results, capsys):
    assert write_report.main(command(results, "two", "one")) == 0
    page = (results / "report.html").read_text(encoding="utf-8")
    assert page.index('<section id="two"') < page.index('<section id="one"')
    assert {"one", "two", "summary", "time", "run"} <= set(Page(page).ids)
    assert "Himation 9.9" in page and "seed 5" in page
    assert "write_report.py --results" in (results / "logs/write_report.log").read_text()
    assert "report.html" in capsys.readouterr().err


def test_same_bytes_twice(results):
    write_report.main(command(results, "one"))
    first = (results / "report.html").read_bytes()
    write_report.main(command(results, "one"))
    assert (results / "report.html").read_bytes() == first


def test_unknown_data_set_leaves_the_page_as_it_was(results, capsys):
    (results / "report.html").write_text("earlier")
    assert write_report.main(command(results, "one", "three")) == 1
    assert "three" in capsys.readouterr().err
    assert (results / "report.html").read_text() == "earlier"


def test_broken_run_file_is_named(results, capsys):
    (results / "run.json").write_text("{")
    assert write_report.main(command(results, "one")) == 1
    assert "run.json" in capsys.readouterr().err.strip().splitlines()[-1]


def test_help_teaches(capsys):
    with pytest.raises(SystemExit) as stop:
        write_report.main(["--help"])
    assert stop.value.code == 0
    assert "example:" in capsys.readouterr().out


@pytest.mark.parametrize("entry", [{"truth": "edges.csv"}, {"simulate": {"network": "lucas"}}])
def test_truth_of_the_run_is_shown(results, entry, monkeypatch):
    monkeypatch.chdir(results.parent)
    edges = results / "one/simulated/truth.csv" if "simulate" in entry else results.parent / "edges.csv"
    configuration = {"seed": 5, "datasets": [{"id": "one", **entry}, {"id": "two"}]}
    (results / "run.json").write_text(json.dumps({"versions": {}, "configuration": configuration}))
    assert write_report.main(command(results, "one")) == 0
    assert 'id="trust"' not in (results / "report.html").read_text(encoding="utf-8")
    edges.parent.mkdir(exist_ok=True)
    edges.write_text("from,to\n1,0\n0,3\n")
    assert write_report.main(command(results, "one", "two")) == 0
    assert "Of 2 variables called parent, 1 is right" in (results / "report.html").read_text(encoding="utf-8")
