"""predict.py for a further table with a manipulation of its own: what it selects, writes and refuses."""

import re
import shutil

import pandas as pd
import pytest


@pytest.fixture(scope="module")
def home(run_script, tmp_path_factory):
    """Results of LUCAS, manipulation unknown, in the folder `results`; some effects of the target are set in test."""
    folder = tmp_path_factory.mktemp("lucas")
    (folder / "results").mkdir()
    evidence = (
        *("variable", "column", "neighbour", "forward", "backward", "undirected", "parent_p_score", "child_p_score"),
        *("child_p_dependent", "parent_tests", "child_tests", "arrow_at_target", "arrow_at_variable", "spouse_through"),
    )
    (folder / "results/evidence.tsv").write_text("\t".join(evidence) + "\n")
    data = "--data results/data"
    for words in (
        "simulate_data --network lucas --manipulate Coughing Fatigue --train-size 600 --test-size 400"
        " --train train.parquet --target y --test test.parquet --test-target ty --truth truth.csv --manipulated list",
        "prepare_data --train train.parquet --target y --test test.parquet --output results/data",
        f"find_blanket {data} --method mmmb --output results/natural_blanket.tsv",
        f"sample_networks {data} --chains 6 --sweeps 200 --output results/networks.npz",
        f"infer_manipulation {data} --networks results/networks.npz --output results/manipulated.tsv"
        " --facts results/manipulated.json --of-networks results/manipulated.npz",
        f"select_variables {data} --evidence results/evidence.tsv --networks results/networks.npz"
        " --manipulated-networks results/manipulated.npz"
        " --blanket results/natural_blanket.tsv --natural-set results/natural_set.tsv"
        " --widest-set results/widest_set.tsv --manipulation unknown --output results/roles.tsv"
        " --selection results/selection.json",
        f"build_model {data} --selection results/selection.json --machines 10 --model results/model.npz"
        " --facts results/model.json",
    ):
        done = run_script(*words.split(), cwd=folder)
        assert done.returncode == 0, done.stderr
        if words.startswith("find_blanket"):
            for name in ("natural_set", "widest_set"):  # what compare_blankets settles on, here the blanket
                shutil.copy(folder / "results/natural_blanket.tsv", folder / f"results/{name}.tsv")
    pd.read_parquet(folder / "test.parquet").to_csv(folder / "new.csv", index=False)
    return folder


@pytest.fixture
def predict(run_script, home):
    def run(words, output="o.tsv"):
        done = run_script("predict", "--model", "results/model.npz", *words.split(), "--output", output, cwd=home)
        return done.stderr, (home / output).read_bytes() if done.returncode == 0 else None

    return run


def used(said):
    """What was selected, without what few members of an ensemble use besides."""
    return set(re.search(r"\d+ variables: (.*)", said)[1].split(", and ")[0].split(", "))


def test_the_manipulation_of_the_data_set_gives_the_predictions_of_its_model(predict, home):
    _, known = predict("--table new.csv")
    said, found = predict("--table new.csv --manipulation unknown --manipulated m.tsv", "u.tsv")
    assert found == known and "predict: manipulation unknown" in said and "Coughing" not in used(said)
    told = home / "results/manipulated.tsv"
    assert (home / "m.tsv").read_bytes() == told.read_bytes()  # the same table, the same answer
    assert {line.split("\t")[0] for line in told.read_text().splitlines() if "\tset\t" in line} >= {"Coughing"}


def test_another_manipulation_has_other_variables(predict):
    said, natural = predict("--table new.csv --manipulation none")
    assert used(said) >= {"Smoking", "Genetics", "Coughing", "Fatigue"}
    said, listed = predict("--table new.csv --manipulation Coughing,Fatigue")
    assert used(said) >= {"Smoking", "Genetics"} and not used(said) & {"Coughing", "Fatigue"}
    assert natural != listed and len(natural.splitlines()) == len(listed.splitlines()) == 401
    assert predict("--table new.csv --manipulation list")[1] == listed  # a file
    assert predict("--table new.csv --manipulation 11,9")[1] == listed  # columns


def test_the_order_of_the_columns_does_not_matter(predict, home):
    frame = pd.read_csv(home / "new.csv")
    frame[[*frame][::-1]].assign(Patient_ID=range(len(frame))).to_csv(home / "turned.csv", index=False)
    _, known = predict("--table new.csv --manipulation Coughing")
    _, turned = predict("--table turned.csv --manipulation Coughing", "t.tsv")
    assert known != turned
    found = pd.read_csv(home / "t.tsv", sep="\t", dtype=str)
    assert list(found)[1] == "id" and found.drop(columns="id").equals(pd.read_csv(home / "o.tsv", sep="\t", dtype=str))


def test_what_is_wrong_gets_one_line(run_script, predict, home):
    def refused(words, message, model="results/model.npz"):
        done = run_script("predict", "--model", model, *words.split(), "--output", "no.tsv", cwd=home)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and message in done.stderr, done.stderr
        assert not (home / "no.tsv").exists()

    refused(
        "--table new.csv --manipulation Coffing", "'Coffing' is not a variable of the table; did you mean 'Coughing'?"
    )
    refused("--data results/data --manipulation none", "--manipulation goes with --table")
    refused("--table new.csv --manipulated m.tsv", "--manipulated goes with --manipulation")
    (home / "alone").mkdir(exist_ok=True)
    shutil.copy(home / "results/model.npz", home / "alone/model.npz")
    message = (
        "alone: has no data/facts.json, networks.npz, natural_blanket.tsv, natural_set.tsv, widest_set.tsv, "
        "evidence.tsv, selection.json, model.json;"
    )
    refused("--table new.csv --manipulation none", message, "alone/model.npz")
    pd.read_csv(home / "new.csv").drop(columns="Anxiety").to_csv(home / "short.csv", index=False)
    refused("--table short.csv --manipulation none", "short.csv: lacks 1 of the model's columns: ")
