"""The challenge's own LUCAS training set beside a simulated one: the same variables are selected."""

import csv
import json

import yaml

MANIPULATED = ["Yellow_Fingers", "Smoking", "Fatigue", "Attention_Disorder"]
KNOWLEDGE = ["none", MANIPULATED, "unknown"]


def selected(folder, name):
    """Names of the variables that were selected for a data set."""
    columns = json.loads((folder / f"results/{name}/selection.json").read_text())["columns"]
    with open(folder / f"results/{name}/roles.tsv", encoding="utf-8") as file:
        names = {int(row["column"]): row["variable"] for row in csv.DictReader(file, delimiter="\t")}
    return [names[column] for column in columns]


def run(snakemake, folder, entries):
    config = {"datasets": entries, "methods": [{"id": "mmmb", "alpha": 0.01, "symmetry": "or"}]}
    (folder / "c.yaml").write_text(yaml.safe_dump(config))
    wanted = [f"results/{entry['id']}/selection.json" for entry in entries]
    done = snakemake(folder, "--configfile", "c.yaml", "--cores", 2, *wanted)
    assert done.returncode == 0, done.stderr


def test_lucas(real_data, snakemake, tmp_path):
    source = {"train": str(real_data / "lucas/lucas0_train.csv"), "target": "Lung_cancer"}
    drawn = {"network": "lucas", "train": 2000, "test": 100}
    entries = [{"id": f"real{v}", **source, "manipulation": what} for v, what in enumerate(KNOWLEDGE)]
    entries += [{"id": f"drawn{v}", "simulate": {**drawn, "version": v}} for v in range(3)]
    run(snakemake, tmp_path, entries)
    for version in range(3):
        assert set(selected(tmp_path, f"real{version}")) == set(selected(tmp_path, f"drawn{version}"))
    assert set(selected(tmp_path, "real0")) == {"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}
