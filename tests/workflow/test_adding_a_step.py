"""The worked example of docs/adding-a-step.md, carried out in a copy of the project."""

import re

import pytest
import yaml
from conftest import PROJECT, write_challenge
from test_starting import copy_of_the_project, started

PAGE = (PROJECT / "docs/adding-a-step.md").read_text(encoding="utf-8")
CONFIG = {
    "datasets": [{"id": "toy0", "train": "toy_train.data", "target": "toy_train.targets"}],
    "methods": ["mmmb", "mmpc"],
}


def carry_out(project):
    """What the page says, step by step."""
    blocks = re.findall(r"`([\w/]+\.(?:py|smk))`[^\n]*(?:\n[^\n`]+)*?:\n\n```\w+\n(.*?)```", PAGE, flags=re.DOTALL)
    assert [place for place, _ in blocks] == [
        "scripts/himation/selection/agreement.py",
        "scripts/count_agreement.py",
        "workflow/rules/blanket.smk",
        "scripts/himation/steps.py",
    ]
    (library, module), (script, command), (rules, rule), (steps, entry) = blocks
    for place, text in ((library, module), (script, command)):
        assert not (project / place).exists()
        (project / place).write_text(text)
    (project / rules).write_text((project / rules).read_text() + "\n\n" + rule)
    before, found, after = (project / steps).read_text().partition('    Step("region_chunk"')
    assert found
    (project / steps).write_text(f"{before}    {entry}{found}{after}")


def contents(project):
    return {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and path.suffix != ".pyc"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("step")
    project = copy_of_the_project(folder / "project")
    before = contents(project)
    carry_out(project)
    touched = {path for path, content in contents(project).items() if before.get(path) != content}
    write_challenge(folder, 80, 20, seed=5)
    (folder / "c.yaml").write_text(yaml.safe_dump(CONFIG))
    return folder, project, touched


def test_four_files_are_touched(made):
    _, project, touched = made
    assert len(touched) == 4, sorted(path.relative_to(project) for path in touched)


def test_the_step_is_part_of_a_run(made):
    folder, project, _ = made
    words = ("--configfile", folder / "c.yaml", "--cores", 2)
    planned = started(project, folder, *words, "--dry-run")
    assert planned.returncode == 0, planned.stderr
    assert re.search(r"^count_agreement +1$", planned.stdout + planned.stderr, flags=re.MULTILINE)
    done = started(project, folder, *words, "--until", "count_agreement")
    assert done.returncode == 0, done.stderr
    (table,) = (folder / "results/training").glob("*/agreement.tsv")
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    assert rows[0] == ["variable", "column", "methods", "which"]
    assert ["2", "mmmb, mmpc"] in [row[2:] for row in rows[1:]]
    planned = started(project, folder, *words, "--dry-run", "results/toy0/agreement.tsv")
    assert "link_training" in planned.stdout + planned.stderr  # it is found beside the data set's own results


def test_a_failure_is_named_with_what_the_step_is_about(made):
    folder, project, _ = made
    library = project / "scripts/himation/selection/agreement.py"
    library.write_text(
        library.read_text().replace("    return sorted(", "    raise OSError(28, 'Full', 'here')\n    return sorted(")
    )
    done = started(project, folder, "--configfile", folder / "c.yaml", "--cores", 2, "--until", "count_agreement")
    assert done.returncode == 1
    assert "(by how many methods each variable was found) failed: can't write here" in done.stderr, done.stderr
