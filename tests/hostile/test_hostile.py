"""Hostile input gets one line: no traceback, no file elsewhere, nothing executed, nothing unescaped in the page."""

import importlib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import inputs
import numpy as np
import pytest
import yaml
from conftest import PROJECT

ALL, FEW = 1000, 60  # inputs; FEW in the ordinary run
SHIPPED = yaml.safe_load((PROJECT / "config.yaml").read_text())


def main(name):
    return importlib.import_module(name).main


@cache
def sound_model() -> bytes:
    """A model of build_model.py for a table with the columns a and b."""
    from himation.files.models import Saved, save_model
    from himation.models.calibration import Platt
    from himation.models.encoding import Encoding, Variable
    from himation.models.kinds import Options, create
    from himation.models.svm import Grid

    X = np.random.default_rng(1).normal(size=(40, 2))
    model = create("svm", Options(Grid((2,), (), (1.0,)), machines=3)).fit(X, np.where(X[:, 0] > 0, 1, -1), 1)
    encoding = Encoding(tuple(Variable(n, c, "continuous", None, 0.0, 1.0, 0.0) for n, c in (("a", 1), ("b", 2))), 4)
    with TemporaryDirectory() as folder:
        save_model(Path(folder, "m.npz"), Saved("svm", model, encoding, platt=Platt(1.0, 0.0)))
        return Path(folder, "m.npz").read_bytes()


def case(number, folder):
    """Write the input of a number into ``folder``; the script and its words."""
    rng = np.random.default_rng(number)
    kind = number % 6
    if kind in (0, 1):
        ending, content = inputs.table(rng)
        (folder / f"t.{ending}").write_bytes(content)
        target = "y" if rng.random() < 0.7 else "labels.txt"
        (folder / "labels.txt").write_bytes(inputs.labels(rng))
        words = ["--train", f"t.{ending}", "--target", target, "--output", "out/data"]
        words += ["--missing", inputs.pick(rng, ["error", "drop", "impute"])]
        words += [
            "--types",
            inputs.pick(rng, ["auto", "auto", "continuous", "binary", "discrete", "mixed", "labels.txt"]),
        ]
        if rng.random() < 0.3:
            ending, content = inputs.table(rng)
            (folder / f"test.{ending}").write_bytes(content)
            words += ["--test", f"test.{ending}"]
        return "prepare_data", words
    (folder / "t.csv").write_text("a,b,=c,y\n" + "".join(f"{i % 3},{i * 0.5},{i % 7},{i % 2}\n" for i in range(20)))
    if kind == 2:
        (folder / "c.yaml").write_bytes(inputs.configuration(rng, SHIPPED))
        return "check_config", ["--configfile", "c.yaml"]
    if kind == 3:
        (folder / "list.txt").write_bytes(inputs.manipulation(rng))
        entry = {"id": "a", "train": "t.csv", "target": "y", "manipulation": "list.txt"}
        if rng.random() < 0.5:
            entry["manipulation"] = [inputs.scalar(rng) for _ in range(2)]
        if rng.random() < 0.3:
            (folder / "truth.csv").write_bytes(b"from,to\n" + inputs.manipulation(rng))
            entry["truth"] = "truth.csv"
        (folder / "c.yaml").write_text(yaml.safe_dump({"datasets": [entry]}, allow_unicode=True), errors="replace")
        return "check_config", ["--configfile", "c.yaml"]
    if kind == 5:
        (folder / "m.npz").write_bytes(inputs.model(rng, sound_model()))
        return "predict", ["--model", "m.npz", "--table", "t.csv", "--output", "out/p.tsv"]
    (folder / "s.zip").write_bytes(inputs.submission(rng))
    return "check_submission", ["--submission", "s.zip"]


def attempt(script, words, folder, monkeypatch, capsys):
    """Run a script in a folder of its own; what it said, after the checks that hold for every input."""
    monkeypatch.chdir(folder)
    before = set(folder.rglob("*"))
    status = main(script)([*words, "--log", "out/log"])
    said = capsys.readouterr().err
    assert status in (0, 1)
    if "Traceback" in said or "a fault of the program" in said:
        raise AssertionError(said)
    assert (status == 0) or said.count("\n") >= 1
    assert not [line for line in said.split("\n") if len(line) > 6000]
    strays = [path for path in folder.rglob("*") if path not in before and path.relative_to(folder).parts[0] != "out"]
    assert strays == []
    return status, said


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.slow)], ids=[str(FEW), str(ALL)])
def test_fuzzed_inputs(few, tmp_path, monkeypatch, capsys):
    failed, outcomes = [], []
    for number in range(FEW if few else ALL):
        place = tmp_path / "outer" / str(number)
        place.mkdir(parents=True)
        script, words = case(number, place)
        try:
            outcomes.append(attempt(script, words, place, monkeypatch, capsys)[0])
        except Exception as error:
            failed.append(f"{number} {script}: {type(error).__name__} {str(error)[:300]}")
        except SystemExit as error:
            failed.append(f"{number} {script}: exit {error.code}")
    assert failed == [], f"{len(failed)} of {len(outcomes) + len(failed)}:\n" + "\n".join(failed[:40])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["outer"]
    assert {0, 1} == set(outcomes)


class Page(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self):
        super().__init__()
        self.tags, self.handlers = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.handlers += [name for name, _ in attributes if name.startswith("on")]
        self.handlers += [value for name, value in attributes if name in ("src", "href") and "script:" in (value or "")]


def test_hostile_names_reach_the_page_as_text(snakemake, tmp_path):
    rng = np.random.default_rng(3)
    names = [name for name in inputs.NAMES if name.strip() == name != "" and "\x07" not in name and len(name) < 100]
    names = [name for name in dict.fromkeys(names) if name not in ("y", "target")][:30]
    x = rng.normal(size=(200, len(names)))
    y = (x[:, 4] + x[:, 5] + rng.normal(size=200) > 0).astype(int)
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    lines = [",".join(f"{value:.4f}" for value in row) + f",{label}" for row, label in zip(x, y, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join([",".join([*quoted, "y"]), *lines]) + "\n", encoding="utf-8")
    config = {
        "datasets": [{"id": "bad", "train": "t.csv", "target": "y", "manipulation": [names[4], names[8]]}],
        "methods": [{"id": "mmmb"}],
        "orientation": {"bootstraps": 0, "sigma": [1.0]},
        "model": {"degrees": [1], "gammas": [], "costs": [0.1], "machines": 4},
    }
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(tmp_path, "--configfile", "c.yaml", "--cores", 2)
    assert done.returncode == 0, done.stderr
    page = Page()
    text = (tmp_path / "results/report.html").read_text(encoding="utf-8")
    page.feed(text)
    assert "<script>alert(1)" not in text and page.handlers == [] and "img" not in page.tags
    assert "&lt;script&gt;alert(1)" in text
    assert {path.name for path in tmp_path.iterdir()} == {"t.csv", "c.yaml", "results", ".snakemake"}
    assert not (PROJECT / "stray").exists()
