"""The schema is closed, defaults are filled in, and every mistake gets one line with a hint."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

from himation.errors import UserError
from himation.files.configuration import load_schema, resolve_configuration
from himation.files.plan import Plan
from himation.files.provenance import code_digest
from himation.methods import METHODS

PROJECT = Path(__file__).parents[2]
SCHEMA = load_schema(PROJECT / "workflow/schemas/config.schema.yaml")
SIMULATED = {"id": "a", "simulate": {"network": "lucas"}}


def resolved(config, folder="."):
    return resolve_configuration(config, SCHEMA, [Path(folder)])


def every_key(schema, path=""):
    for key, part in schema.get("properties", {}).items():
        yield f"{path}{key}", part
        yield from every_key(part, f"{path}{key}.")
        yield from every_key(part.get("items", {}), f"{path}{key}[].")


def test_every_key_is_described():
    assert all(part.get("description") for _, part in every_key(SCHEMA))


def test_the_schema_is_closed_at_every_level():
    parts = [SCHEMA, *(part for _, part in every_key(SCHEMA))]
    objects = [part for part in parts + [part.get("items", {}) for part in parts] if part.get("type") == "object"]
    assert len(objects) > 5
    assert all(part["additionalProperties"] is False for part in objects)


def test_what_is_shipped_is_the_default():
    shipped = yaml.safe_load((PROJECT / "config.yaml").read_text())
    assert resolved(shipped) == resolved({"seed": 1, "datasets": shipped["datasets"]})


def test_parameters_of_methods_are_in_the_schema():
    known = SCHEMA["properties"]["methods"]["items"]["properties"]
    assert {key for method in METHODS.values() for key in method.parameters} == set(known) - {"id", "method"}


BAD = {
    "unknown key": ({"datasets": [SIMULATED], "sed": 2}, "unknown key 'sed'; did you mean 'seed'?"),
    "unknown key in a data set": (
        {"datasets": [{**SIMULATED, "trian": "x"}]},
        "unknown key 'trian' at datasets, entry 1 (a); did you mean 'train'?",
    ),
    "no data sets": ({"datasets": []}, "nothing to do"),
    "unknown rerun": ({"datasets": [SIMULATED], "reruns": [{"id": "table-99"}]}, "unknown rerun 'table-99'"),
    "unknown method": ({"datasets": [SIMULATED], "methods": [{"id": "mmbm"}]}, "did you mean 'mmmb'?"),
    "method twice": ({"datasets": [SIMULATED], "methods": [{"id": "rfe"}, {"id": "rfe"}]}, "the id 'rfe' twice"),
    "parameter of another method": (
        {"datasets": [SIMULATED], "methods": [{"id": "rfe", "alpha": 0.1}]},
        "method 'rfe' has no parameter 'alpha'",
    ),
    "data set twice": ({"datasets": [SIMULATED, SIMULATED]}, "the id 'a' twice"),
    "bad id": ({"datasets": [{**SIMULATED, "id": "../a"}]}, "'../a' at datasets, entry 1 (../a), id must match"),
    "no target": ({"datasets": [{"id": "a", "train": "x"}]}, "lacks 'target'"),
    "missing file": ({"datasets": [{"id": "a", "train": "x.csv", "target": "y"}]}, "train: 'x.csv': no such file"),
    "both": ({"datasets": [{**SIMULATED, "train": "x", "target": "y"}]}, "both 'simulate' and 'train'"),
    "bad enum": ({"datasets": [{"id": "a", "simulate": {"network": "lucs"}}]}, "did you mean 'lucas'?"),
    "manipulation misspelt": ({"datasets": [{**SIMULATED, "manipulation": "unkown"}]}, "did you mean 'unknown'?"),
    "alpha too large": ({"datasets": [SIMULATED], "independence": {"alpha": 2}}, "independence, alpha"),
    "not a number": ({"datasets": [SIMULATED], "seed": "one"}, "at seed"),
    "version and manipulate": (
        {"datasets": [{"id": "a", "simulate": {"network": "lucas", "version": 1, "manipulate": ["Smoking"]}}]},
        "exclude each other",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_get_one_line(name):
    config, message = BAD[name]
    with pytest.raises(UserError) as caught:
        resolved(config)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_grid_and_calibrants_go_together(tmp_path):
    for name in ("t.csv", "c"):
        (tmp_path / name).write_text("a,b\n1,2\n")
    entry = {"id": "a", "train": "t.csv", "target": "b", "calibrants": "c"}
    with pytest.raises(UserError, match="go together"):
        resolved({"datasets": [entry]}, tmp_path)


def test_data_sets_with_the_same_training_table_share_their_analysis():
    shipped = yaml.safe_load((PROJECT / "config.yaml").read_text())
    plan = Plan(shipped, PROJECT, [PROJECT])
    assert plan.leaders == ["lucas0", "genes0"]
    assert plan.followers == ["lucas1", "lucas2", "genes1", "genes2"]
    assert plan.manipulation("lucas1") == ["--manipulation", "results/lucas1/simulated/manipulated.txt"]
    assert plan.manipulation("lucas2") == ["--manipulation", "unknown"]
    other = {**shipped, "datasets": [SIMULATED, {"id": "b", "simulate": {"network": "lucas", "seed": 2}}]}
    assert Plan(other, PROJECT, [PROJECT]).followers == []


def library(folder, value):
    (folder / "himation").mkdir(parents=True)
    for name, text in {
        "__init__": "",
        "used": "from himation import deep\n",
        "deep": f"VALUE = {value}\n",
        "unused": f"OTHER = {value}\n",
    }.items():
        (folder / "himation" / f"{name}.py").write_text(text)
    for name in ("used", "unused"):
        (folder / f"with_{name}.py").write_text(f"def main():\n    from himation.{name} import x\n")
    return folder


def test_the_digest_of_a_script_follows_its_imports(tmp_path):
    one, two = library(tmp_path / "one", 1), library(tmp_path / "two", 2)
    assert code_digest(one / "with_used.py") != code_digest(two / "with_used.py")
    (two / "himation/deep.py").write_text("VALUE = 1\n")
    same = library(tmp_path / "three", 1)
    (same / "himation/unused.py").write_text("OTHER = 3\n")
    assert code_digest(one / "with_used.py") == code_digest(same / "with_used.py")
    assert code_digest(one / "with_unused.py") != code_digest(same / "with_unused.py")


def test_the_digest_sees_the_finders_behind_their_names():
    text = (PROJECT / "scripts/himation/methods.py").read_text()
    assert all(method.where.split(":")[0] in text for method in METHODS.values())
    from himation.files.provenance import _imports

    assert "himation.finders.constraint" in _imports(PROJECT / "scripts/himation/methods.py")


@pytest.mark.parametrize(
    ("module", "affected"),
    [
        ("confounding/ytest", {"test_confounding", "combine_evidence", "select_variables"}),
        (
            "orientation/region",
            {"find_region", "orient_region", "test_confounding", "combine_evidence", "select_variables"},
        ),
        ("rankings/kcdm", {"find_blanket"}),
        ("selection/rules", {"select_variables"}),
        ("selection/ancestry.json", {"judge_ancestry", "select_variables"}),
    ],
)
def test_an_edit_runs_the_affected_rules_only(tmp_path, module, affected):
    copy = tmp_path / "scripts"
    shutil.copytree(PROJECT / "scripts", copy, ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / "himation" / (module if "." in module else f"{module}.py")).open("a") as stream:
        stream.write("# an edit\n")
    rules = "".join(path.read_text() for path in (PROJECT / "workflow/rules").glob("*.smk"))
    steps = set(re.findall(r'\bcode\("(\w+)"\)', rules))
    changed = {
        step for step in steps if code_digest(copy / f"{step}.py") != code_digest(PROJECT / f"scripts/{step}.py")
    }
    assert changed == affected | {"rerun_table"} and len(steps) > 15


def test_tasks_have_their_published_sizes_and_nobody_is_told_of_probes():
    entries = [{"id": f"a{v}", "simulate": {"network": "sido", "version": v}} for v in range(3)]
    entries += [{"id": "b1", "simulate": {"network": "marti", "version": 1}}]
    found = resolved({"datasets": entries})["datasets"]
    assert found[0]["simulate"] == {"network": "sido", "version": 0, "variables": 4932, "train": 12678, "test": 10000}
    assert [entry["manipulation"] for entry in found] == ["none", "unknown", "unknown", "known"]
    assert found[3]["simulate"]["variables"] == 1024


@pytest.mark.parametrize(
    "simulate, message",
    [
        ({"network": "marti", "variables": 1000}, "write variables: 1024"),
        ({"network": "reged", "adult": "x.csv"}, "'adult' is the table behind cina"),
        ({"network": "cina", "adult": "x.csv"}, "adult: 'x.csv': no such file"),
    ],
)
def test_bad_simulations(simulate, message):
    with pytest.raises(UserError, match=re.escape(message)):
        resolved({"datasets": [{"id": "a", "simulate": simulate}]})
