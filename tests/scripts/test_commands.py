"""Every script is a command: help that teaches, the chain from raw files to scores by hand, errors in one line."""

import json

import pytest
from conftest import PROJECT

SCRIPTS = sorted(path.stem for path in (PROJECT / "scripts").glob("*.py"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_help_teaches(run_script, tmp_path, name):
    done = run_script(name, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "example" in done.stdout and f"{name}.py" in done.stdout and "--log" in done.stdout


@pytest.fixture(scope="module")
def chain(run_script, tmp_path_factory):
    """The whole strategy by hand in one folder, one command after the other."""
    folder = tmp_path_factory.mktemp("chain")

    def step(name, words):
        done = run_script(name, *words.split(), "--log", f"{name}.log", cwd=folder)
        assert done.returncode == 0, done.stderr
        return done.stderr

    step(
        "simulate_data",
        "--network lucas --manipulate Smoking Fatigue --train-size 2000 --test-size 500 --train train.parquet"
        " --target y --test test.parquet --test-target ty --truth truth.csv --manipulated list",
    )
    step("prepare_data", "--train train.parquet --target y --test test.parquet --test-target ty --output data")
    grid = "--degrees 1 2 --gammas 0.1 --costs 0.1 1"
    for method in ("mmmb", "rfe"):
        step("find_blanket", f"--data data --method {method} --output {method}.tsv --details {method}.json")
    step("sample_networks", "--data data --output networks.npz")
    finders = '[{"id":"mmmb"},{"id":"rfe"}]'
    for chunk in (1, 2):
        few = f"--folds 3 --machines 10 --chunk {chunk}/2 --permutations 1"
        step("search_folds", f"--data data --finders {finders} {few} --output folds{chunk}")
    step(
        "compare_blankets",
        "--data data --blankets mmmb.tsv rfe.tsv --details mmmb.json rfe.json --networks networks.npz"
        " --folds folds1 folds2 --output blanket.tsv --natural-set natural_set.tsv --widest-set widest_set.tsv"
        " --association association.json"
        " --candidates candidates.tsv",
    )
    for kind in ("none", "unknown", "list"):
        step(
            "estimate_auc",
            f"--data data --folds folds1 folds2 --association association.json --manipulation {kind} --machines 10"
            f" --ask-test --output {kind}.expected.json --stability {kind}.stability.tsv --held-out {kind}.held.tsv",
        )
    step("find_region", "--data data --output region.tsv --separations separations.tsv")
    step("orient_region", "--data data --region region.tsv --output orientation.tsv --pdags pdags.tsv")
    step(
        "test_confounding",
        "--data data --region region.tsv --separations separations.tsv --output y_tests.tsv --colliders colliders.tsv"
        " --edges y_edges.tsv",
    )
    step(
        "combine_evidence",
        "--data data --orientation orientation.tsv --y-tests y_tests.tsv --colliders colliders.tsv"
        " --output evidence.tsv",
    )
    step("export_network", "--data data --networks networks.npz --graphml g.graphml --dot g.dot --bif g.bif")
    step("estimate_effects", "--data data --networks networks.npz --output effects.tsv")
    step(
        "infer_manipulation",
        "--data data --networks networks.npz --output manipulated.tsv --facts manipulated.json --of-networks told.npz",
    )
    step(
        "select_variables",
        "--data data --evidence evidence.tsv --networks networks.npz --blanket blanket.tsv --manipulation unknown"
        " --manipulated-networks told.npz --output asked.roles.tsv --selection asked.json",
    )
    for rule in ("posterior", "thesis", "parents", "natural"):
        step(
            "select_variables",
            "--data data --evidence evidence.tsv --networks networks.npz --blanket blanket.tsv --manipulation list"
            f" --natural-set natural_set.tsv --rule {rule} --output {rule}.roles.tsv --selection {rule}.json",
        )
    step(
        "build_model",
        f"--data data --selection posterior.json --expected list.expected.json --held-out list.held.tsv {grid}"
        " --model model.npz --grid-table grid.tsv --features t.slist"
        " --predictions t.predict --facts model.json --table predictions.tsv",
    )
    step("predict", "--data data --model model.npz --challenge test.predict")
    step("predict", "--table test.parquet --model model.npz --output new.tsv")
    step(
        "score",
        "--data data --roles posterior.roles.tsv --selection posterior.json --train-predictions t.predict"
        f" --test-predictions test.predict --truth truth.csv --manipulation list {grid} --output scores.tsv",
    )
    step("package_submission", "--files t.slist t.predict test.predict --output submission.zip")
    return folder


def names(path):
    return [line.split("\t")[0] for line in path.read_text().splitlines()[1:]]


def selected(path):
    lines = (line.split("\t") for line in path.read_text().splitlines()[1:])
    return {line[0] for line in lines if line[7] == "1"}


def test_the_blanket_of_lucas(chain):
    assert set(names(chain / "mmmb.tsv")) == {"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}
    assert set(names(chain / "blanket.tsv")) >= {"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}


def test_each_rule_selects_what_it_says(chain):
    assert selected(chain / "posterior.roles.tsv") == {"Smoking", "Genetics", "Coughing", "Allergy"}
    assert selected(chain / "thesis.roles.tsv") == {"Smoking", "Genetics", "Coughing", "Allergy"}
    assert selected(chain / "parents.roles.tsv") == {"Smoking", "Genetics"}
    assert selected(chain / "natural.roles.tsv") >= {"Smoking", "Genetics", "Coughing", "Allergy", "Fatigue"}


def test_machines_divide_the_variables_where_nobody_knows(chain, run_script):
    """With the manipulation unknown; a single machine is refused the panels, and spared them by --one-machine."""
    common = (
        "--data data --evidence evidence.tsv --networks networks.npz --blanket blanket.tsv --manipulation unknown"
        " --output r.tsv"
    )

    def run(name, words):
        return run_script(name, *words.split(), cwd=chain)

    found = run("select_variables", f"{common} --selection s.json")
    assert found.returncode == 0, found.stderr
    selection = json.loads((chain / "s.json").read_text())
    assert selection["rule"] == "posterior" and set(selection["columns"]) >= {1, 5}
    selection |= {
        "columns": [1, 5, 11],
        "panels": [{"columns": [1, 5], "networks": 3}, {"columns": [11], "networks": 1}],
    }
    (chain / "s.json").write_text(json.dumps(selection))
    found = run("build_model", "--data data --selection s.json --machines 8 --model m.npz --facts m.json")
    assert found.returncode == 0 and "share 2 sets of variables" in json.loads((chain / "m.json").read_text())["words"]
    found = run("build_model", "--data data --selection s.json --kind svm --model m.npz")
    assert found.returncode == 1 and "--one-machine" in found.stderr and len(found.stderr.splitlines()) == 1
    found = run("select_variables", f"{common} --selection s.json --one-machine")
    assert found.returncode == 0 and json.loads((chain / "s.json").read_text())["panels"] == []


def test_smoking_is_the_largest_cause_of_lucas_and_effects_have_none(chain):
    rows = [line.split("\t") for line in (chain / "effects.tsv").read_text().splitlines()[1:]]
    assert [row[0] for row in rows[:2]] == ["Smoking", "Genetics"] and len(rows) == 11
    low, high = (float(cell) for cell in rows[0][4:6])
    assert 0.4 < low < 0.531 < high < 0.65  # the truth by the published tables
    ends = {row[0]: (float(row[4]), float(row[5])) for row in rows}
    assert ends["Coughing"] == ends["Fatigue"] == (0, 0)
    assert -0.1 < ends["Allergy"][0] < 0 < ends["Allergy"][1] < 0.1  # apart, so an effect could be too weak to show


def test_the_log_begins_with_the_command(chain):
    first = (chain / "find_region.log").read_text().splitlines()[0]
    assert "command: python" in first and "find_region.py --data data --output region.tsv" in first


def test_one_prediction_for_each_example(chain):
    for name, n in (("t.predict", 2000), ("test.predict", 500)):
        lines = (chain / name).read_text().splitlines()
        assert len(lines) == n and {len(line.split()) for line in lines} == {3}  # of the first 1, 2 and all 4
    columns = [int(word) for word in (chain / "t.slist").read_text().split()]
    assert sorted(columns) == [1, 5, 10, 11]


def test_a_new_table_is_predicted_like_the_prepared_one(chain):
    rows = [line.split("\t") for line in (chain / "new.tsv").read_text().splitlines()]
    assert rows[0] == ["row", "predicted", "probability", "positive_class", "decision_value"] and len(rows) == 501
    known = [float(line.split()[-1]) for line in (chain / "test.predict").read_text().splitlines()]
    assert [float(f"{float(row[4]):.8g}") for row in rows[1:]] == known
    everything = [line.split("\t") for line in (chain / "predictions.tsv").read_text().splitlines()[1:]]
    assert [row[0] for row in everything] == ["train"] * 2000 + ["test"] * 500
    assert [row[2:4] for row in everything[2000:]] == [[row[4], row[2]] for row in rows[1:]]
    assert 0.8 < json.loads((chain / "model.json").read_text())["expected_auc"] < 1


def test_the_estimate_holds_for_the_test_table_and_its_parts_are_written(chain):
    from himation.evaluate import auc

    values = [float(line.split()[-1]) for line in (chain / "test.predict").read_text().splitlines()]
    achieved = auc([int(line) for line in (chain / "ty").read_text().split()], values)
    facts = json.loads((chain / "model.json").read_text())
    assert abs(facts["expected_auc"] - achieved) < 2 * facts["standard_error"] + 0.04
    assert facts["folds"] == 3 and facts["rows"] == 2000 and facts["permutations"] == 1 and facts["p_value"] == 0.5
    assert [one["set"] for one in facts["sets"]] == ["posterior", "parents", "natural"]
    shares = {
        row.split("\t")[0]: float(row.split("\t")[2])
        for row in (chain / "list.stability.tsv").open().read().splitlines()[1:]
    }
    assert shares["Smoking"] == shares["Genetics"] == 1.0
    assert len((chain / "none.held.tsv").read_text().splitlines()) == 2001


def test_scores_against_the_truth(chain):
    rows = [line.split("\t") for line in (chain / "scores.tsv").read_text().splitlines()[1:]]
    found = {(row[0], row[1]): float(row[2]) for row in rows}
    assert found["Fscore", "selected variables"] == 1.0
    assert found["Tscore", "selected variables"] > 0.85
    assert found["Tscore", "true manipulated blanket"] == pytest.approx(found["Tscore", "selected variables"], abs=0.01)


def test_details_say_what_was_asked(chain):
    details = json.loads((chain / "rfe.json").read_text())
    assert details["method"] == "rfe" and details["path"][0][0] == 11


BAD = {
    "compare_runs": ("--runs one --output o", "give two runs or more"),
    "check_tables": ("--datasets [{ --output o", "--datasets: not JSON"),
    "check_results": ("--results nowhere", "nowhere: no such folder"),
    "link_training": ("--files a --output b c", "1 files to link to and 2 places"),
    "check_config": ("--configfile none.yaml", "none.yaml: no such file"),
    "prepare_data": ("--train none.csv --target y --output d", "none.csv: no such file"),
    "simulate_data": (
        "--network lucas --manipulate Smokin --train a.csv --target b --test c.csv --test-target d --truth e"
        " --manipulated f",
        "did you mean Smoking?",
    ),
    "find_blanket": ("--method mmbm --output o", "unknown method 'mmbm'; did you mean 'mmmb'?"),
    "search_folds": ("--data nowhere --output a", "not a prepared data set"),
    "compare_blankets": (
        "--blankets a --details d --networks n --folds f --natural-set s --output b --candidates c",
        "give --data FOLDER, or --train FILE",
    ),
    "estimate_auc": ("--data nowhere --folds f --association a --output o", "not a prepared data set"),
    "find_region": ("--data nowhere --output a --separations b", "nowhere: not a prepared data set"),
    "orient_region": ("--data nowhere --region r --output a --pdags b", "not a prepared data set"),
    "test_confounding": (
        "--data nowhere --region r --separations s --output a --colliders b",
        "not a prepared data set",
    ),
    "combine_evidence": (
        "--data nowhere --orientation o --y-tests y --colliders c --output a",
        "not a prepared data set",
    ),
    "sample_networks": ("--data nowhere --output a", "not a prepared data set"),
    "export_network": ("--data nowhere --networks n --dot a", "not a prepared data set"),
    "estimate_effects": ("--data nowhere --networks n --output a", "not a prepared data set"),
    "infer_manipulation": (
        "--data nowhere --networks n --output a --facts f --of-networks o",
        "not a prepared data set",
    ),
    "select_variables": (
        "--data nowhere --evidence e --networks n --blanket b --output a --selection s",
        "not a prepared data set",
    ),
    "build_model": ("--data nowhere --model m.npz", "not a prepared data set"),
    "predict": ("--table nowhere.csv --model m.npz --output o", "no such file"),
    "rerun_table": ("--table table-99 --output o", "unknown experiment 'table-99'"),
    "write_reproduction": ("--reruns none --output o", "none: has no reruns"),
    "collect_whole_runs": ("--output o", "give --thesis, with --natural for table V-2, or --reged"),
    "write_reruns": ("--tables none.tsv --output o", "none.tsv: no such file"),
    "score": (
        "--data nowhere --roles r --selection s --train-predictions p --output o",
        "not a prepared data set",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line(run_script, tmp_path, name):
    words, message = BAD[name]
    done = run_script(name, *words.split(), cwd=tmp_path)
    assert done.returncode == 1
    assert message in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_ours_leaves_its_traceback_in_the_log(run_script, tmp_path):
    (tmp_path / "run.json").write_text("{}")
    done = run_script("record_run", "--configuration", "no json", "--output", "o", "--log", "l", cwd=tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and "the traceback is in l" in done.stderr
    assert "JSONDecodeError" in (tmp_path / "l").read_text()


@pytest.mark.parametrize("method", ["mmmb", "rfe", "fsmb", "mmpc"])
def test_any_finder_runs_on_a_raw_table(run_script, challenge_files, method):
    done = run_script(
        "find_blanket",
        *f"--train toy_train.data --target toy_train.targets --method {method} --output b.tsv".split(),
        cwd=challenge_files,
    )
    assert done.returncode == 0, done.stderr
    lines = (challenge_files / "b.tsv").read_text().splitlines()
    assert lines[0] == "variable\tcolumn\tscore\trank" and lines[1].endswith("\t1")
    assert "x1" in names(challenge_files / "b.tsv")


def test_what_is_suspicious_in_a_table_goes_to_the_log_and_the_prepared_folder(run_script, tmp_path):
    rows = [f"{i + 1},{(i * 7) % 5},{'yes' if i % 3 else 'no'},{int(i % 3 > 0)}" for i in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["number,a,told,y", *rows]) + "\n")
    words = ("--train", "t.csv", "--target", "y", "--output", "data", "--log", "l")
    done = run_script("prepare_data", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    known = json.loads((tmp_path / "data" / "facts.json").read_text())["warnings"]
    assert [text.split("?")[0] for text in known] == [
        "number: row numbers or identifiers",
        "told: a leak of the target 'y'",
    ]
    assert all(text in done.stderr and text in (tmp_path / "l").read_text() for text in known)
