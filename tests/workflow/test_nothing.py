"""Tables in which no variable goes with the target, by itself or at all: every run ends in a report that says so."""

import html
import json
import re

import numpy as np
import pytest
import yaml

pytestmark = pytest.mark.xdist_group("nothing")  # one run for all tests
NOISE = ["noise-60x300", "noise-100x500", "noise-200x20", "noise-40x20", "rows8", "rare"]
XOR = ["xor-binary", "xor-numbers"]


def tables():
    """Examples by variables, a label for each example, and what was manipulated, by the name of the data set."""
    rng = np.random.default_rng(5)
    for n, p in ((60, 300), (100, 500), (200, 20), (40, 20)):
        labels = rng.permutation(np.arange(n) % 2)
        yield f"noise-{n}x{p}", rng.normal(size=(n, p)), labels, "unknown" if n in (40, 60) else "none"
    yield "rows8", rng.normal(size=(8, 6)), np.arange(8) % 2, "none"
    yield "rare", rng.normal(size=(300, 10)), (np.arange(300) % 100 == 7).astype(int), [1, 2, 3]
    bits, numbers = rng.integers(0, 2, size=(200, 8)), rng.normal(size=(300, 8))
    yield "xor-binary", bits, bits[:, 0] ^ bits[:, 1], "unknown"
    yield "xor-numbers", numbers, (numbers[:, 0] * numbers[:, 1] > 0).astype(int), "none"


@pytest.fixture(scope="module")
def results(snakemake, tmp_path_factory):
    folder = tmp_path_factory.mktemp("nothing")
    entries = []
    for name, X, y, manipulation in tables():
        head = ",".join([*(f"v{i + 1}" for i in range(X.shape[1])), "y"])
        np.savetxt(folder / f"{name}.csv", np.column_stack([X, y]), "%.6g", ",", header=head, comments="")
        entries.append({"id": name, "train": f"{name}.csv", "target": "y", "manipulation": manipulation})
    config = {
        "datasets": entries,
        "methods": [{"id": "mmmb"}, {"id": "fsmb"}],
        "region": {"depth": 1},
        "orientation": {"bootstraps": 1},
        "model": {"degrees": [1, 2], "gammas": [0.1], "costs": [0.1, 1]},
    }
    (folder / "c.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(folder, "--configfile", "c.yaml", "--cores", 2)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / "results"


def verdict(results, name):
    page = (results / "report.html").read_text(encoding="utf-8")
    section = page.partition(f'<section id="{name}"')[2]
    return html.unescape(re.search(r'<p class="verdict">(.*?)</p>', section)[1])


@pytest.mark.parametrize("name", NOISE)
def test_noise_is_called_noise(results, name):
    association = json.loads((results / name / "association.json").read_text())
    assert not association["found"] and association["p_value"] > association["level"]
    assert [part["part"] for part in association["parts"]] == ["single", "pair", "together"]
    said = verdict(results, name)
    assert said.startswith("Nothing in this table goes with y: ")
    assert "should not be relied on" in said and "expected AUC" not in said
    selection = json.loads((results / name / "selection.json").read_text())
    assert selection["columns"]  # a model and a submission there are in any case
    used = json.loads((results / name / "model.json").read_text())["columns"]
    assert used == selection["columns"] + selection["also"]


@pytest.mark.parametrize("name", XOR)
def test_xor_is_found_in_feature_space_and_used_by_the_model(results, name):
    association = json.loads((results / name / "association.json").read_text())
    assert association["found"] and association["parts"][-1]["variables"] == ["v1", "v2"]
    for table in ("blanket/fsmb.tsv", "natural_blanket.tsv"):
        assert {"v1", "v2"} <= {line.split("\t")[0] for line in (results / name / table).read_text().splitlines()[1:]}
    model = json.loads((results / name / "model.json").read_text())
    assert {"v1", "v2"} <= set(model["variables"]) and model["expected_auc"] > 0.95
    said = verdict(results, name)
    assert "Nothing" not in said and "v1" in said and "v2" in said


def test_the_summary_does_not_show_the_auc_of_a_set_that_was_chosen_by_luck(results):
    page = (results / "report.html").read_text(encoding="utf-8")
    cards = page.partition('<div class="cards">')[2].partition("</section>")[0].split("<article")[1:]
    shown = {re.search(r'href="#([^"]+)"', card)[1]: "no better than chance" in card for card in cards}
    assert shown == {**dict.fromkeys(NOISE, True), **dict.fromkeys(XOR, False)}
