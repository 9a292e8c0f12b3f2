"""Networks that people built, as problems in three versions from the configuration alone: each run ends in a report."""

import json
from pathlib import Path

import networkx
import pgmpy
import pytest
import yaml

TARGETS = {"child": ("LungParench", "Abnormal"), "insurance": ("DrivQuality", "Poor"), "alarm": ("CATECHOL", "HIGH")}


def configuration(name: str) -> dict:
    """Three versions of one network."""
    file = str(Path(pgmpy.__file__).parent / "utils/example_models" / f"{name}.bif.gz")
    target, positive = TARGETS[name]
    simulate = {"network": file, "target": target, "positive": positive, "train": 300, "test": 500}
    return {
        "datasets": [{"id": f"{name}{k}", "simulate": {**simulate, "version": k}} for k in range(3)],
        "methods": [{"id": "mmmb"}],
        "networks": {"chains": 4, "sweeps": 100},
        "estimate": {"folds": 2, "divisions": 1},
        "model": {"machines": 10},
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", [*TARGETS])
def test_a_network_that_people_built_is_a_problem_in_three_versions(snakemake, tmp_path, name):
    config = configuration(name)
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(tmp_path, "--cores", 2, "--configfile", "c.yaml")
    assert done.returncode == 0, done.stderr
    results = tmp_path / "results"
    page = (results / "report.html").read_text()
    for entry in config["datasets"]:
        folder = results / entry["id"]
        assert entry["id"] in page and 0.4 < json.loads((folder / "model.json").read_text())["expected_auc"] <= 1
        assert (folder / "scores.tsv").read_text().count("\n") > 1
        graph = networkx.read_graphml(folder / "graph.graphml")
        assert TARGETS[name][0] in {data.get("label", node) for node, data in graph.nodes(data=True)}
