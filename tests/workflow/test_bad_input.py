"""Whatever is wrong with the input: one clear line, exit status 1, before any work, and earlier results as they were.

The configuration is checked before Snakemake plans; tables, lists and truths by the first job.
"""

import pytest
import yaml
from conftest import write_challenge


def table(folder, name, text):
    (folder / name).write_text(text)


def edit(path, old, new):
    path.write_text(path.read_text().replace(old, new, 1))


def csv_table(folder, change=lambda lines: lines):
    """A table with a header, 30 rows, columns a, b, c and the target y."""
    rows = [f"{i % 7},{(i * 5) % 11},{i * 0.5},{i % 2}" for i in range(30)]
    (folder / "t.csv").write_text("\n".join(change(["a,b,c,y", *rows])) + "\n")
    return {"id": "toy0", "train": "t.csv", "target": "y"}


def row(number, text):
    return lambda lines: [*lines[:number], text, *lines[number + 1 :]]


CASES = {
    "labels too few": (lambda f, e: table(f, "toy_train.targets", "1\n-1\n"), "has 2 labels"),
    "ragged row": (lambda f, e: edit(f / "toy_train.data", "0 ", ""), "values, line"),
    "text in a table of numbers": (lambda f, e: edit(f / "toy_train.data", "1", "one"), "'one', which is not a number"),
    "empty table": (lambda f, e: table(f, "toy_train.data", ""), "the file is empty"),
    "empty target": (lambda f, e: table(f, "toy_train.targets", ""), "the file is empty"),
    "unknown key": (lambda f, e: e.update(tets="toy_test.data"), "unknown key 'tets'"),
    "missing file": (lambda f, e: e.update(train="toy_train.dat"), "'toy_train.dat': no such file"),
    "missing test": (lambda f, e: e.update(test="nowhere.data"), "'nowhere.data': no such file"),
    "target neither file nor column": (lambda f, e: e.update(target="cancer"), "neither a file nor a column"),
    "one class": (lambda f, e: table(f, "toy_train.targets", "1\n" * 60), "needs two classes"),
    "three classes": (lambda f, e: table(f, "toy_train.targets", "1\n0\n-1\n" * 20), "3 values"),
    "NaN": (lambda f, e: edit(f / "toy_train.data", "1", "nan"), "missing values in column x"),
    "infinite value": (lambda f, e: edit(f / "toy_train.data", "1", "inf"), "infinite values in column x"),
    "test with fewer columns": (lambda f, e: table(f, "toy_test.data", "1 0 1\n0 1 1\n"), "has 3 columns"),
    "manipulated variable not in the table": (lambda f, e: e.update(manipulation=[99]), "'99' is not a variable"),
    "manipulation list missing": (lambda f, e: e.update(manipulation="list.txt"), "'list.txt': no such file"),
    "calibrants without a grid": (lambda f, e: e.update(calibrants="toy_train.targets"), "go together"),
    "bad id": (lambda f, e: e.update(id="../up"), "must match"),
    "bad types": (lambda f, e: e.update(types="discret"), "did you mean 'discrete'?"),
    "duplicate names": (lambda f, e: e.update(csv_table(f, row(0, "a,a,c,y"))), "same name twice: a"),
    "text in a column": (
        lambda f, e: e.update(csv_table(f, row(3, "x,1,2,1"))),
        "column 'a' holds the text 'x' at line 4",
    ),
    "target in the manipulated list": (
        lambda f, e: e.update(csv_table(f), manipulation=["y"]),
        "the target 'y' can't be manipulated",
    ),
    "target's column in the manipulated list": (
        lambda f, e: e.update(csv_table(f), manipulation=[4]),
        "the target 'y' can't be manipulated; take it (column 4) out of the list",
    ),
    "target misspelt": (lambda f, e: e.update(csv_table(f), target="Y1"), "neither a file nor a column"),
    "declared binary, has more values": (lambda f, e: e.update(csv_table(f), types="binary"), "is declared binary"),
    "truth without a header": (
        lambda f, e: (table(f, "truth.csv", "1,0\n"), e.update(truth="truth.csv")),
        "first line must be 'from,to'",
    ),
    "truth names a stranger": (
        lambda f, e: (table(f, "truth.csv", "from,to\n77,0\n"), e.update(truth="truth.csv")),
        "'77' is not a variable",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_one_line_and_nothing_touched(snakemake, tmp_path, name):
    break_it, message = CASES[name]
    write_challenge(tmp_path, 60, 20, seed=5)
    entry = {"id": "toy0", "train": "toy_train.data", "target": "toy_train.targets", "test": "toy_test.data"}
    break_it(tmp_path, entry)
    if entry["train"] == "t.csv":
        entry.pop("test")
    earlier = tmp_path / "results/toy0/roles.tsv"
    earlier.parent.mkdir(parents=True)
    earlier.write_text("of an earlier run\n")
    (tmp_path / "c.yaml").write_text(yaml.safe_dump({"datasets": [entry]}))
    done = snakemake(tmp_path, "--configfile", "c.yaml", "--cores", 1)
    assert done.returncode == 1
    (said,) = verdict(done.stderr)
    assert message in said and "Traceback" not in done.stderr + done.stdout, done.stderr
    made = {path for path in (tmp_path / "results").rglob("*") if path.is_file() and path.parent.name != "logs"}
    assert made <= {earlier, tmp_path / "results/run.json", tmp_path / "results/.digests/run.json"}
    assert earlier.read_text() == "of an earlier run\n"


def verdict(said: str) -> list[str]:
    """What a user is told last: why check_tables failed, or, before any job, the only line."""
    lines = [line for line in said.splitlines() if line and not line.startswith(("Using workflow", "Config file"))]
    jobs = [line for line in lines if line.startswith("check_tables") and " failed: " in line]
    return jobs or lines


def test_a_bad_method_is_named(snakemake, tmp_path):
    entry = {"id": "a", "simulate": {"network": "lucas"}}
    (tmp_path / "c.yaml").write_text(yaml.safe_dump({"datasets": [entry], "methods": [{"id": "mmpcc"}]}))
    done = snakemake(tmp_path, "--configfile", "c.yaml", "--cores", 1)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "config: unknown method 'mmpcc'; did you mean 'mmpc'?"
