"""The product stands without its studies: who reaches into that folder is named here, and why."""

import re
from pathlib import Path

import pytest

from himation.files.provenance import _imports

PROJECT = Path(__file__).parents[2]
SCRIPTS = PROJECT / "scripts"
COMMANDS = {  # of the studies themselves
    "simulate_data": "a data set may be a simulation",
    "rerun_table": "",
    "plot_rerun": "",
    "write_reruns": "",
    "write_reproduction": "",
    "collect_whole_runs": "",
    "write_scoreboard": "",
    "package_submission": "the challenge's own format",
    "check_submission": "the challenge's own format",
}
ELSEWHERE = {
    "files/checking.py": "a data set may be a simulation",
    "files/configuration.py": "the challenge's files in place of simulated ones, where they are named",
    "estimators/examples.py": "the toy network, for examples in documentation",
}


def modules():
    return [path for path in SCRIPTS.rglob("*.py") if "studies" not in path.parts]


def reaches(path):
    return any(name.startswith("himation.studies") for name in _imports(path))


def test_few_files_reach_into_the_studies():
    wanted = {f"{name}.py" for name in COMMANDS} | {f"himation/{name}" for name in ELSEWHERE}
    assert {path.relative_to(SCRIPTS).as_posix() for path in modules() if reaches(path)} == wanted


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_the_product_loads_them_only_when_they_are_asked_for(name):
    text = (SCRIPTS / "himation" / name).read_text(encoding="utf-8")
    assert re.findall(r"^(?:from|import) himation\.studies.*", text, flags=re.MULTILINE) == []


def test_no_rule_knows_of_them():
    for path in (PROJECT / "workflow").rglob("*.smk"):
        assert "himation.studies" not in path.read_text(encoding="utf-8"), path.name
