"""The command that writes the book: from reruns to pages, and pages of other reruns are kept."""

import json

HEADER = "case\tmeasure\tpublished\trerun\tdifference\terror\tbetter\tnote\n"


def rerun(folder, name, lines, samples=3):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.tsv").write_text(HEADER + "".join("\t".join(map(str, line)) + "\n" for line in lines))
    facts = {"samples": samples, "seed": 1, "date": "2001-02-03", "versions": {"python": "3.11.0", "numpy": "2.0"}}
    (folder / f"{name}.json").write_text(json.dumps(facts))


def test_pages_and_an_index_that_keeps_what_was_there(run_script, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    rerun(first, "pena-6", [("Alarm 100, IAMB", "precision", 0.85, 0.86, 0.01, 0.02, "high", "")])
    rerun(
        second,
        "saeed-3",
        [
            ("entry 1, CINA0", "fnum", 32, 16, -16, 1, "", ""),
            ("entry 2, CINA0", "tscore", 0.9, 0.8, -0.1, 0.001, "high", ""),
        ],
    )
    for folder in (first, second):
        done = run_script("write_reproduction", "--reruns", folder, "--output", tmp_path / "book")
        assert done.returncode == 0, done.stderr
    book = tmp_path / "book"
    assert {path.name for path in book.glob("*.tsv")} == {"runs.tsv", "pena-6.tsv", "saeed-3.tsv", "saeed-4.tsv"}
    page = (book / "pena-6.md").read_text()
    assert "1 agree" in page and "3 of 10 samples" in page and "2001-02-03" in page and "numpy 2.0" in page
    index = (book / "README.md").read_text()
    assert "3 are rerun: 1 agree, 2 on other data" in index
    assert "| [Table 6](pena-6.md) | IAMB and PCMB on Alarm and Pigs | **agrees** | 1 agree | 3 of 10 |" in index


def test_figures_of_another_rerun_of_a_table_are_kept(run_script, tmp_path):
    parity, xor = "III-7: noisy 3 parity, 60 variables, HITON", "III-7: small double xor, HITON"
    rerun(tmp_path / "a", "thesis-parity", [(parity, "variables selected", 1.33, 1.3, 0, 0.1, "", "")], samples=4)
    rerun(tmp_path / "b", "thesis-xor", [(xor, "variables selected", 0.3, 0.9, 0, 0.1, "", "")], samples=10)
    rerun(tmp_path / "c", "thesis-parity", [(parity, "variables selected", 1.33, 1.4, 0, 0.1, "", "")], samples=5)
    book = tmp_path / "book"
    for folder in ("a", "b", "c"):
        assert run_script("write_reproduction", "--reruns", tmp_path / folder, "--output", book).returncode == 0
    header, *lines = (line.split("\t") for line in (book / "thesis-iii-7.tsv").read_text().splitlines())
    found = [dict(zip(header, line, strict=True)) for line in lines]
    assert [(row["case"], row["rerun"], row["run"]) for row in found] == [
        (xor, "0.9", "thesis-xor"),
        (parity, "1.4", "thesis-parity"),
    ]
    runs = (book / "runs.tsv").read_text().splitlines()[1:]
    assert [line.split("\t")[1:3] for line in runs] == [["thesis-parity", "5"], ["thesis-xor", "10"]]


SCORES = "score\tof\tvalue\terror\tnote\n"
SELECTED = "selected variables"


def run_of(folder, name, **values):
    (folder / name).mkdir(parents=True)
    lines = [f"{score}\t{SELECTED}\t{value}\t{error}\t\n" for score, (value, error) in values.items()]
    (folder / name / "scores.tsv").write_text(SCORES + "".join(lines) + "Tscore\tall variables\t0.5\t\t\n")


def test_whole_runs_become_lines(run_script, tmp_path):
    run_of(tmp_path / "t", "reged1", Fnum=(9, ""), Tscore=(0.9, 0.01))
    run_of(tmp_path / "t", "lucas1", Fnum=(4, ""))  # the thesis has no figures of it
    run_of(tmp_path / "n", "reged1", Fnum=(15, ""))
    run_of(tmp_path / "r", "reged0", Fnum=(26, ""), Fscore=(0.8, ""), Dscore=(1.0, 0.02))
    groups = "variable\tcolumn\tgroup\nx321\t321\tparent\nx7\t7\tparent\nx83\t83\tchild\n"
    (tmp_path / "r/reged0/thesis.tsv").write_text(groups)
    out = tmp_path / "out"
    for words in (("--thesis", "t", "--natural", "n"), ("--reged", "r")):
        done = run_script("collect_whole_runs", *words, "--output", out, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    made = {}
    for name in ("thesis-challenge", "thesis-reged"):
        header, *lines = (line.split("\t") for line in (out / f"{name}.tsv").read_text().splitlines())
        rows = [dict(zip(header, line, strict=True)) for line in lines]
        made |= {(row["case"], row["measure"]): (row["published"], row["rerun"], row["error"]) for row in rows}
    assert made["V-1: REGED1", "Fnum"] == ("9.0", "9.0", "") and made["V-2: REGED1", "Fnum"] == ("15.0", "15.0", "")
    assert made["V-1: REGED1", "Tscore"] == ("0.9673", "0.9", "0.01")
    assert made["V-1: REGED0", "Fscore"] == ("0.8571", "0.8", "0.0")
    assert made["V-1: REGED0", "Dscore"][1:] == ("1.0", "0.02")
    counts = {(case.removeprefix("Figure V-4: "), measure): row[:2] for (case, measure), row in made.items()}
    assert counts["parent", "of the 2 published"] == ("2.0", "1.0") and counts["parent", "others"] == ("0.0", "1.0")
    assert counts["neighbour", "of the 11 published"] == ("11.0", "2.0")
    done = run_script("write_reproduction", "--reruns", out, "--output", tmp_path / "book")
    assert done.returncode == 0, done.stderr
    index = (tmp_path / "book/README.md").read_text()
    assert "| [Table V-1](thesis-v-1.md) |" in index and "| [Figure V-4](thesis-figure-v-4.md) |" in index


def test_runs_without_results_are_refused(run_script, tmp_path):
    done = run_script("collect_whole_runs", "--natural", "n", "--output", "o", cwd=tmp_path)
    assert done.returncode == 1 and "give --thesis" in done.stderr
    done = run_script("collect_whole_runs", "--reged", "nowhere", "--output", "o", cwd=tmp_path)
    assert done.returncode == 1 and "nowhere" in done.stderr
