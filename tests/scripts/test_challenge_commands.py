"""The commands of the challenge's rerun: simulate a task with probes or on a chip, score, board, check a submission."""

import zipfile

import pytest

SIMULATE = (
    "--train train.parquet --target t --test test.parquet --test-target tt --truth truth.csv --manipulated m.txt"
    " --real r.txt --calibrants c.txt --seed 2"
)


@pytest.mark.parametrize(
    "task, variables, kind", [("lucap", 60, "binary"), ("cina", 92, "mixed"), ("sido", 150, "binary")]
)
def test_a_task_with_probes(run_script, tmp_path, task, variables, kind):
    sizes = f"--network {task} --version 1 --variables {variables} --train-size 300 --test-size 100"
    done = run_script("simulate_data", *f"{sizes} {SIMULATE}".split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    real, moved = ((tmp_path / name).read_text().split() for name in ("r.txt", "m.txt"))
    assert len(real) + len(moved) == variables and (tmp_path / "c.txt").read_text() == ""
    words = "--train train.parquet --target t --test test.parquet --test-target tt --output data"
    done = run_script("prepare_data", *words.split(), cwd=tmp_path)
    assert done.returncode == 0 and f" {kind} variables, 100 test examples" in done.stderr


def test_noise_is_removed_from_a_chip(run_script, tmp_path):
    sizes = "--network marti --version 0 --variables 256 --train-size 100 --test-size 50"
    done = run_script("simulate_data", *f"{sizes} {SIMULATE}".split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    calibrants = (tmp_path / "c.txt").read_text().split()
    assert len(calibrants) == 5
    words = "--train train.parquet --target t --test test.parquet --calibrants c.txt --grid 16 16 --output data"
    done = run_script("prepare_data", *words.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "251 continuous variables" in done.stderr


def test_cina_from_adult(run_script, tmp_path, real_data):
    sizes = f"--network cina --adult {real_data}/adult/adult.csv.gz --version 2 --train-size 16033 --test-size 10000"
    done = run_script("simulate_data", *f"{sizes} {SIMULATE}".split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "132 variables, 16033 examples (3939 positive) and 10000 (2518), 88 manipulated" in done.stderr


@pytest.fixture
def submission(tmp_path):
    def write(**changes):
        files = {"mine_feat.slist": "2 1 3", "mine_train.predict": "1 2 3\n", "mine_test.predict": "0 0 1\n", **changes}
        with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)

    return write


def test_a_submission_is_checked(run_script, tmp_path, submission):
    submission()
    done = run_script("check_submission", "--submission", "s.zip", cwd=tmp_path)
    assert done.returncode == 0 and "3 files in order" in done.stderr
    submission(**{"mine_feat.slist": "2 1 2", "mine_test.predict": "0\n"})
    done = run_script("check_submission", "--submission", "s.zip", cwd=tmp_path)
    lines = done.stderr.strip().splitlines()
    assert done.returncode == 1 and len(lines) == 2
    assert "listed twice" in lines[0] and "mine_train.predict has 3" in lines[1]


def test_crafted_submissions(run_script, tmp_path):
    """Two files of one name, sizes that no submission has, more files than it has, and bytes that are no archive."""

    def check(**files):
        with zipfile.ZipFile(tmp_path / "s.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return lines()

    def lines():
        done = run_script("check_submission", "--submission", "s.zip", cwd=tmp_path)
        assert done.returncode == 1 and "Traceback" not in done.stderr
        return done.stderr.strip().splitlines()

    mine = {"mine_feat.slist": "2 1 3", "mine_train.predict": "1\n", "mine_test.predict": "0\n"}
    (line,) = check(**mine, **{"old/mine_feat.slist": "3"})
    assert "'mine_feat.slist': two files of this name" in line
    packed = zipfile.ZipFile(tmp_path / "s.zip", "w", zipfile.ZIP_DEFLATED)
    with packed as archive, archive.open("mine_test.predict", "w") as stream:
        for _ in range(51):
            stream.write(b"0 " * 5_000_000)
    (line,) = lines()
    assert "unpacked it is larger than 500 MB" in line
    assert len(check(**mine, **{f"f{i}": "" for i in range(900)})) == 40
    (line,) = check(**mine, **{f"f{i}": "" for i in range(1_100)})
    assert "1103 files" in line
    good = (tmp_path / "s.zip").read_bytes()
    for content in (b"", b"no zip", good[: len(good) // 2], good[:35] + b"\xff" * 20 + good[55:]):
        (tmp_path / "s.zip").write_bytes(content)
        assert len(lines()) == 1


def test_two_files_of_one_name_are_not_packaged(run_script, tmp_path):
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "t.slist").write_text("1")
    for files, why in (
        ("a/t.slist b/t.slist", "a/t.slist and b/t.slist: two files of one name"),
        ("c", "no such file"),
    ):
        done = run_script("package_submission", "--files", *files.split(), "--output", "s.zip", cwd=tmp_path)
        assert done.returncode == 1 and why in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "s.zip").exists()


BAD = {
    "check_submission": ("--submission none.zip", "none.zip: no such file"),
    "write_scoreboard": ("--results . --ids mine --output o", "'mine' is not a task and version of the challenge"),
    "simulate_data": (f"--network cina --adult none.csv {SIMULATE}", "none.csv: no such file"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line(run_script, tmp_path, name):
    words, message = BAD[name]
    done = run_script(name, *words.split(), cwd=tmp_path)
    assert done.returncode == 1
    assert message in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_the_scoreboard_of_one_task(run_script, tmp_path):
    for version in range(3):
        (tmp_path / f"sido{version}").mkdir()
        line = f"Tscore\tselected variables\t0.{9 - version}\t0.01\tAUC on test\n"
        (tmp_path / f"sido{version}/scores.tsv").write_text("score\tof\tvalue\terror\tnote\n" + line)
    words = "--results . --ids sido0 sido1 sido2 --output board.tsv"
    done = run_script("write_scoreboard", *words.split(), cwd=tmp_path)
    assert done.returncode == 0 and "sido, mean Tscore 0.8000" in done.stderr
    header, *rows = (line.split("\t") for line in (tmp_path / "board.tsv").read_text().splitlines())
    assert [row[header.index("version")] for row in rows] == ["0", "1", "2", "mean"]
    assert float(rows[1][header.index("Brown")]) == 0.6073
