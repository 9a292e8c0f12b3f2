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
    assert "3 are rerun: 1 agree, 1 worse, 1 mixed" in index
    assert "| [Table 6](pena-6.md) | IAMB and PCMB on Alarm and Pigs | **agrees** | 1 agree | 3 of 10 |" in index
