"""predict.py by itself: what its table holds, ids of rows, and words that training never had."""

import numpy as np
import pandas as pd
import pytest


@pytest.fixture(scope="module")
def trial(run_script, tmp_path_factory):
    """A model of town, age and smoker, and the folder it is in."""
    folder = tmp_path_factory.mktemp("trial")
    rng = np.random.default_rng(1)
    n = 120
    frame = pd.DataFrame(
        {
            "town": rng.choice(["Leeds", "York", "Bath"], n),
            "age": rng.normal(50, 10, n),
            "smoker": rng.integers(0, 2, n),
        }
    )
    score = (frame.town == "York") + frame.smoker + (frame.age - 50) / 20 + 0.3 * rng.normal(size=n)
    frame["state"] = np.where(score > score.median(), "well", "ill")
    frame[:100].to_csv(folder / "train.csv", index=False)
    test = frame[100:].drop(columns="state")
    test.to_csv(folder / "test.csv", index=False)
    test.assign(town=["Hull", "Hull", "Ayr", *test.town[3:]]).to_csv(folder / "odd.csv", index=False)
    for words in (
        "prepare_data --train train.csv --target state --test odd.csv --output data",
        "build_model --data data --columns 1 2 3 --machines 5 --model m.npz",
    ):
        done = run_script(*words.split(), cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def predict(run_script, trial):
    def run(words, output="o.tsv"):
        done = run_script("predict", "--model", "m.npz", *words.split(), "--output", output, cwd=trial)
        if done.returncode:
            return done.stderr, None
        return done.stderr, pd.read_csv(trial / output, sep="\t", dtype=str)

    return run


def test_a_row_has_its_label_probability_and_the_class_that_it_is_of(predict, trial):
    said, found = predict("--table test.csv")
    assert list(found) == ["row", "predicted", "probability", "positive_class", "decision_value"]
    assert "a probability is that of state = well" in said and "never had" not in said
    assert list(found.row) == [str(i + 1) for i in range(20)] and set(found.positive_class) == {"well"}
    assert set(found.predicted) == {"well", "ill"}
    assert list(found.predicted == "well") == list(found.probability.astype(float) >= 0.5)


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "parquet"])
def test_ids_are_those_of_the_table_as_they_are_written(predict, trial, ending):
    ids = [f"00{i}" for i in range(18)] + ["a, b", "9007199254740993"]
    frame = pd.read_csv(trial / "test.csv").assign(Patient_ID=ids, other=ids)
    if ending == "parquet":
        frame.to_parquet(trial / "new.parquet")
    else:
        frame.to_csv(trial / f"new.{ending}", index=False, sep="\t" if ending == "tsv" else ",")
    _, found = predict(f"--table new.{ending}")
    assert list(found)[:3] == ["row", "id", "predicted"] and list(found.id) == ids
    _, plain = predict("--table test.csv")
    assert found.drop(columns="id").equals(plain)
    _, chosen = predict(f"--table new.{ending} --id other")
    assert chosen.equals(found)


def test_ids_that_are_not_there(predict):
    said, found = predict("--table test.csv --id code")
    assert (
        found is None and said == "predict: test.csv: has no column 'code' to name its rows; it has town, age, smoker\n"
    )
    said, found = predict("--data data --id code")
    assert found is None and "--id goes with --table" in said


def test_words_that_training_never_had_are_named(predict):
    for words in ("--table odd.csv", "--data data"):
        said, found = predict(words)
        lines = [line for line in said.splitlines() if "never had" in line]
        assert len(lines) == 1 and "column 'town'" in lines[0] and lines[0].endswith("'Ayr' (1 rows), 'Hull' (2 rows)")
        assert len(found) == 20


def test_the_challenge_has_values_alone(run_script, trial):
    done = run_script("predict", *["--model", "m.npz", "--table", "odd.csv", "--challenge", "c.predict"], cwd=trial)
    assert done.returncode == 0, done.stderr
    rows = [line.split(" ") for line in (trial / "c.predict").read_text().splitlines()]
    assert len(rows) == 20 and all(len(row) == 3 and np.isfinite([float(v) for v in row]).all() for row in rows)


def test_values_beyond_all_measure_are_refused(predict, trial):
    frame = pd.read_csv(trial / "test.csv")
    frame.loc[4, "age"] = 1e200
    frame.to_csv(trial / "far.csv", index=False)
    said, found = predict("--table far.csv --model m.npz", "far.tsv")
    assert found is None and said.startswith("predict: far.csv: column 'age' holds 1e+200 at line 6, beyond")
    assert said.count("\n") == 1
    assert not (trial / "far.tsv").exists()
