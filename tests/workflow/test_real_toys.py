"""The challenge's own LUCAS and LUCAP training sets beside simulated ones: the same variables are selected."""

import csv
import json

import numpy as np
import pandas
import yaml

REAL = {143: "Smoking", 5: "Yellow_Fingers", 142: "Anxiety", 32: "Peer_Pressure", 26: "Genetics"}
REAL |= {
    110: "Attention_Disorder",
    16: "Born_an_Even_Day",
    46: "Car_Accident",
    6: "Fatigue",
    4: "Allergy",
    85: "Coughing",
}
MANIPULATED = ["Yellow_Fingers", "Smoking", "Fatigue", "Attention_Disorder"]
KNOWLEDGE = ["none", MANIPULATED, "unknown"]


def selected(folder, name):
    """Names of the variables that were selected for a data set."""
    columns = json.loads((folder / f"results/{name}/selection.json").read_text())["columns"]
    with open(folder / f"results/{name}/roles.tsv", encoding="utf-8") as file:
        names = {int(row["column"]): row["variable"] for row in csv.DictReader(file, delimiter="\t")}
    return [names[column] for column in columns]


def run(snakemake, folder, entries, **more):
    rules = {"selection": {"test_inputs": "never"}, "estimate": {"folds": 1}}  # of the challenge; sets alone are wanted
    config = {"datasets": entries, "methods": [{"id": "mmmb", "alpha": 0.01, "symmetry": "or"}], **rules, **more}
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


def test_lucap(real_data, snakemake, tmp_path):
    """Among 132 probes: the whole blanket of LUCAS in nature, its causes where anything may be manipulated."""
    target = np.loadtxt(real_data / "lucas/lucap0_train.targets", dtype=int)
    values = np.loadtxt(real_data / "lucas/lucap0_train.data", dtype=int)
    names = [REAL.get(column, f"probe{column}") for column in range(1, 144)]
    table = pandas.DataFrame(values, columns=names).assign(Lung_cancer=target)
    table.to_csv(tmp_path / "real.csv", index=False)
    source = {"train": "real.csv", "target": "Lung_cancer"}
    entries = [{"id": f"real{v}", **source, "manipulation": what} for v, what in enumerate(("none", "unknown"))]
    entries += [{"id": f"drawn{v}", "simulate": {"network": "lucap", "version": v, "test": 100}} for v in range(2)]
    search = {"independence": {"alpha": 0.01, "max_conditioning": 2}, "region": {"most_variables": 150}}  # as challenge
    run(snakemake, tmp_path, entries, **search)
    assert set(selected(tmp_path, "real1")) == set(selected(tmp_path, "drawn1")) == {"Smoking", "Genetics"}
    known = [set(selected(tmp_path, name)) & set(REAL.values()) for name in ("real0", "drawn0")]
    assert known == [{"Smoking", "Genetics", "Coughing", "Fatigue", "Allergy"}] * 2
