"""The schema is closed, defaults are filled in, and every mistake gets one line with a hint."""

import re
import shutil
import time
from pathlib import Path

import pytest
import yaml

from himation.errors import UserError
from himation.files.checking import check_datasets
from himation.files.config_file import read_config_file
from himation.files.configuration import load_schema, resolve_configuration
from himation.files.entries import places, training_places
from himation.files.provenance import code_digest
from himation.methods import METHODS
from himation.rerun_list import RERUNS, rerun_digest, samples_of

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
    "seed with a point": ({"datasets": [SIMULATED], "seed": 1.0}, "1.0 at seed should be a whole number; write 1"),
    "size with a point": (
        {"datasets": [{"id": "a", "simulate": {"network": "lucas", "train": 100.0}}]},
        "should be a whole number; write 100",
    ),
    "seed too large": ({"datasets": [SIMULATED], "seed": 2**70}, "is too large"),
    "true for a number": ({"datasets": [SIMULATED], "seed": True}, "True at seed should be a whole number"),
    "alpha not a number": ({"datasets": [SIMULATED], "independence": {"alpha": float("nan")}}, "nan at independence"),
    "cost infinite": ({"datasets": [SIMULATED], "model": {"costs": [float("inf")]}}, "inf at model, costs, entry 1"),
    "groups misspelt": ({"datasets": [SIMULATED], "region": {"groups": "foun"}}, "did you mean 'found'?"),
    "groups of no file": ({"datasets": [SIMULATED], "region": {"groups": "x.txt"}}, "groups: 'x.txt': no such file"),
    "id of two lines": ({"datasets": [{**SIMULATED, "id": "a\nb"}]}, "id has a control character"),
    "id that ends in a line": ({"datasets": [{**SIMULATED, "id": "a\n"}]}, "id has a control character"),
    "id of a folder in use": ({"datasets": [{**SIMULATED, "id": "logs"}]}, "results/logs is taken"),
    "empty text": ({"datasets": [{"id": "a", "train": "", "target": "y"}]}, "train is empty"),
    "half a character": ({"datasets": [{"id": "a", "train": "\ud800", "target": "y"}]}, "half a character"),
    "a very long name": ({"datasets": [{"id": "a", "train": "x" * 5000, "target": "y"}]}, "...: no such file"),
    "a list too long": ({"datasets": [{**SIMULATED, "manipulation": ["x" * 90] * 2000}]}, "put long lists into files"),
    "probes by name": (
        {"datasets": [{"id": "a", "simulate": {"network": "lucap", "manipulate": ["x"]}}]},
        "write version: 1 or 2",
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
    entries = resolved(yaml.safe_load((PROJECT / "config.yaml").read_text()))["datasets"]
    tables = list(training_places(entries).values())
    assert [tables.index(table) for table in tables] == [0, 0, 0, 3, 3, 3]
    assert set(places(entries)) == {*tables, *(entry["id"] for entry in entries)}
    assert places(entries[:1])[tables[0]] == places(entries[1:2])[tables[0]]  # the table's own, whoever has it
    assert "test" not in places(entries)[tables[0]] and "manipulation" not in places(entries)[tables[0]]
    assert [entry["manipulation"] for entry in entries[:3]] == ["none", "known", "unknown"]
    other = [SIMULATED, {"id": "b", "simulate": {"network": "lucas", "seed": 2}}]
    assert len(set(training_places(resolved({"datasets": other})["datasets"]).values())) == 2


def test_files_with_the_same_training_table_share_their_analysis(tmp_path):
    for name in ("t.csv", "u.csv", "one.csv", "two.csv"):
        (tmp_path / name).write_text("a,y\n1,0\n")
    base = {"train": "t.csv", "target": "y"}
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/t.csv").write_text("a,y\n0,1\n")
    others = [{"train": "sub/t.csv"}, {"types": "binary"}, {"missing": "drop"}, {"target": "a"}, {"train": "u.csv"}]
    entries = [{**base, "test": "one.csv"}, {**base, "test": "two.csv", "manipulation": "unknown"}]
    entries += [{**base, **other} for other in others]
    entries = [{"id": f"d{i}", **entry} for i, entry in enumerate(entries)]
    tables = list(training_places(resolved({"datasets": entries}, tmp_path)["datasets"]).values())
    assert tables[0] == tables[1] and len(set(tables)) == 6


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


def test_a_message_is_the_same_whoever_read_the_file(tmp_path):
    """Snakemake hands over ordered mappings, check_config plain ones."""
    from collections import OrderedDict

    with pytest.raises(UserError, match=r"\{'a': \{'b': \[\]\}\} at datasets"):
        resolved({"datasets": [{"id": "x", "train": OrderedDict(a=OrderedDict(b=[]))}]}, tmp_path)


def test_knowledge_is_checked_as_far_as_it_can_be_without_the_table(tmp_path):
    def resolved(known):
        entry = {"id": "a", "train": "t.csv", "target": "y", "knowledge": known}
        return resolve_configuration({"datasets": [entry]}, SCHEMA, [tmp_path])["datasets"][0]["knowledge"]

    (tmp_path / "t.csv").write_text("a,y\n1,0\n")
    (tmp_path / "k.yaml").write_text("causes: [a]\n")
    assert resolved({"causes": ["a", 2], "edges": [["a", 3]]}) == {"causes": ["a", 2], "edges": [["a", 3]]}
    assert resolved("k.yaml") == "k.yaml"
    for known, message in (
        ({"cause": ["a"]}, "unknown key 'cause' at datasets, entry 1 (a), knowledge; did you mean 'causes'?"),
        ("l.yaml", "knowledge: 'l.yaml': no such file"),
        ({"edges": [["a"]]}, "too short"),
        ({"causes": "a"}, "should be a list"),
    ):
        with pytest.raises(UserError) as refused:
            resolved(known)
        assert message in str(refused.value)


@pytest.mark.parametrize(
    ("module", "affected"),
    [
        ("confounding/ytest", {"test_confounding", "combine_evidence", "select_variables", "estimate_auc"}),
        (
            "orientation/region",
            {
                *("find_region", "orient_region", "test_confounding", "combine_evidence", "select_variables"),
                "estimate_auc",
            },
        ),
        ("rankings/kcdm", {"find_blanket", "search_folds"}),
        ("selection/rules", {"select_variables", "estimate_auc"}),
        (
            "posterior/orders",
            {
                *("sample_networks", "infer_manipulation", "select_variables", "search_folds", "compare_blankets"),
                *("estimate_auc", "estimate_effects", "export_network", "build_model"),
            },
        ),
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
    after = {"predict"} if "select_variables" in affected else set()  # it can select for another table
    assert changed == affected | after and len(steps) > 15


def test_an_edit_repeats_the_affected_published_experiments_only(tmp_path):
    """Table 6 of Pena et al. needs IAMB, Saeed's table 2 does not; neither needs the module of the other."""

    def digests():
        return rerun_digest(tmp_path / "scripts", "pena-6"), rerun_digest(tmp_path / "scripts", "saeed-2")

    for folder in ("scripts", "workflow"):
        shutil.copytree(PROJECT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = digests()
    with (tmp_path / "scripts/himation/blanket/iamb.py").open("a") as stream:
        stream.write("# an edit\n")
    after = digests()
    assert before[0] != after[0] and before[1] == after[1] == digests()[1]


def test_all_reruns_are_scaled_down_at_once():
    reruns = ["pena-6", {"id": "strobl-networks", "samples": 1}]
    few, many = (resolved({"reruns": reruns, "datasets": [], "most_samples": most}) for most in (2, 99))
    assert [samples_of(entry, few) for entry in few["reruns"]] == [2, 1]
    assert [samples_of(entry, many) for entry in many["reruns"]] == [RERUNS["pena-6"].samples, 1]


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


def test_plain_words_are_methods_and_reruns():
    plain = resolved({"datasets": [SIMULATED], "methods": ["mmmb", {"id": "iamb"}], "reruns": ["pena-6"]})
    full = {"methods": [{"id": "mmmb"}, {"id": "iamb"}], "reruns": [{"id": "pena-6"}]}
    assert plain == resolved({"datasets": [SIMULATED], **full})


@pytest.mark.parametrize("name", ["{0}.csv", "a{b", "}.csv", "{wildcards.id}.csv"])
def test_names_that_snakemake_would_read_as_wildcards(tmp_path, name):
    (tmp_path / name).write_text("a,y\n1,0\n")
    with pytest.raises(UserError, match="takes braces for wildcards"):
        resolved({"datasets": [{"id": "a", "train": name, "target": "y"}]}, tmp_path)


def test_data_do_not_stand_where_results_are_made(tmp_path):
    (tmp_path / "results/a").mkdir(parents=True)
    (tmp_path / "results/a/t.csv").write_text("a,y\n1,0\n")
    with pytest.raises(UserError, match="in a folder this run makes"):
        resolved({"datasets": [{"id": "a", "train": "results/a/t.csv", "target": "y"}]}, tmp_path)
    resolved({"datasets": [{"id": "b", "train": "results/a/t.csv", "target": "y"}]}, tmp_path)


@pytest.mark.parametrize(
    "simulate, message",
    [
        ({"network": "lucas", "manipulate": ["nobody"]}, "no variable named 'nobody'"),
        ({"network": "reged", "variables": 64, "manipulate": ["nobody"]}, "no variable named 'nobody'"),
        ({"network": "marti", "variables": 256, "manipulate": ["nobody"]}, "no variable named 'nobody'"),
        ({"network": "marti", "variables": 64}, "write for instance variables: 256"),
        ({"network": "sido", "variables": 60}, "are too few"),
        ({"network": "sido", "variables": 150, "train": 10}, "of one class; write a larger 'train'"),
        ({"network": "cina", "adult": "short.csv"}, "no column 'age'"),
        ({"network": "cina", "adult": "empty.csv"}, "can't be read as the table of UCI Adult"),
    ],
)
def test_simulations_that_fail_are_refused_before_a_job(tmp_path, monkeypatch, simulate, message):
    monkeypatch.chdir(tmp_path)
    Path("short.csv").write_text("x,y\n1,2\n")
    Path("empty.csv").write_text("")
    config = resolved({"datasets": [{"id": "a", "simulate": simulate}]}, tmp_path)
    with pytest.raises(UserError, match=f"data set 'a': .*{re.escape(message)}"):
        check_datasets(config["datasets"], config["seed"])


SWELLING = "l0: &l0 [x, x]\n" + "".join(f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]\n" for i in range(1, 30))
UNREADABLE = {
    "broken": (b"seed: 1\nregion: [3\n", "line 3, column 1: not YAML"),
    "tab": (b"seed: 1\n\tx: 2\n", "line 2"),
    "a day that is none": (b"seed: 2026-01-40\n", "line 1, column 7: not YAML (day is out of range"),
    "control character": (b"seed: 1\nx: \x01\n", "line 2: not YAML"),
    "UTF-16": ("seed: 1\n".encode("utf-16"), "not UTF-8 text"),
    "a list": (b"- 1\n", "should hold keys and values"),
    "nothing": (b"", "should hold keys and values"),
    "itself": (b"a: &a [*a]\n", "line 1: *a contains itself"),
    "deep": (b"seed: " + b"[" * 2000 + b"]" * 2000, "more than 50 lists or maps inside each other"),
    "deep, in JSON": (b'{"seed": ' + b"[" * 100_000, "more than 50 lists or maps inside each other"),
    "bomb": (SWELLING.encode(), "stands for more than 100000 values"),
    "code": (b"seed: !!python/object/apply:os.getcwd []\n", "line 1, column 7: not YAML"),
    "a template": (b"__use_yte__: true\nseed: ?1 + 1\n", "let the file run code"),
    "large": (b"# " + b"x" * 400_000, "larger than 300 kB"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_files_that_are_no_configuration(tmp_path, name):
    content, message = UNREADABLE[name]
    (tmp_path / "c.yaml").write_bytes(content)
    began = time.monotonic()
    with pytest.raises(UserError) as caught:
        read_config_file(tmp_path / "c.yaml")
    assert str(caught.value).startswith(str(tmp_path / "c.yaml")) and message in str(caught.value)
    assert "\n" not in str(caught.value) and time.monotonic() - began < 5


def test_a_folder_or_nothing_is_no_configuration(tmp_path):
    for path, message in ((tmp_path, "not a file"), (tmp_path / "gone", "no such file")):
        with pytest.raises(UserError, match=message):
            read_config_file(path)
