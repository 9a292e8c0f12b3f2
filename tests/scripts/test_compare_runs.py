"""Scores of several runs side by side."""


def write_scores(folder, name, **values):
    path = folder / "results" / name / "scores.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["score\tof\tvalue\terror\tnote"]
    lines += [f"{score}\tselected variables\t{value}\t\t" for score, value in values.items()]
    path.write_text("\n".join([*lines, "Tscore\tnatural blanket\t0.1\t\t"]) + "\n")


def test_runs_stand_beside_each_other(run_script, tmp_path):
    ours, thesis = tmp_path / "ours", tmp_path / "thesis"
    write_scores(ours, "reged1", Fnum=14.0, Tscore=0.98)
    write_scores(thesis, "reged1", Fnum=9.0, Tscore=0.96, Fscore=0.8)
    write_scores(ours, "cina0", Fnum=3.0)
    words = ["--runs", ours / "results", thesis / "results", "--output", tmp_path / "beside.tsv"]
    done = run_script("compare_runs", *words, cwd=tmp_path)
    assert done.returncode == 0 and "not in every run: cina0" in done.stderr
    assert (tmp_path / "beside.tsv").read_text().splitlines() == [
        "data_set\tscore\tours\tthesis",
        "reged1\tFnum\t14.0\t9.0",
        "reged1\tTscore\t0.98\t0.96",
    ]


def test_runs_with_nothing_in_common_are_refused(run_script, tmp_path):
    write_scores(tmp_path / "a", "x", Fnum=1.0)
    done = run_script("compare_runs", "--runs", "a/results", "b/results", "--output", "o.tsv", cwd=tmp_path)
    assert done.returncode == 1 and "no data set with scores is in all of" in done.stderr
