"""Whatever is killed, cut off, overwritten or full on the way: the next run ends with an undisturbed run's bytes.

`python -m pytest tests/workflow/test_faults.py` runs all injections, `make test` the few that are quick.
"""

import shutil

import pytest
import yaml
from conftest import PROJECT, digests
from injections import DATASETS, INJECTIONS, TABLES, at_work, place_of, run, set_aside

from himation.steps import all_files

SMALL = {
    "datasets": DATASETS,
    "methods": [{"id": "mmmb"}],
    "orientation": {"bootstraps": 2, "equivalent_sample_size": [1, 10]},
    "networks": {"chains": 4, "sweeps": 40},
    "model": {"degrees": [1], "gammas": [], "costs": [0.1], "machines": 4},
    "scatter": 2,
}
QUICK = ("region cut off",)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "c.yaml").write_text(yaml.safe_dump(SMALL))
    done = run(folder)
    assert done.returncode == 0, done.stderr
    return folder, results(folder)


@pytest.fixture
def finished(undisturbed, tmp_path):
    """A copy of a finished run, to disturb, and what it should hold in the end."""
    folder, expected = undisturbed
    shutil.copytree(folder, tmp_path / "run", symlinks=True)
    return tmp_path / "run", expected


def results(folder):
    """Digests of all results but what was set aside, and the parts of a step and of a simulation, which are used up."""
    passing = (".damaged", "/searches/", "/orientation/", "/simulated/")
    return {place: value for place, value in digests(folder).items() if not any(word in place for word in passing)}


def heal(folder, expected):
    """The same command again: all results as they were."""
    if any((folder / ".snakemake/locks").glob("*")):
        assert run(folder, "--unlock").returncode == 0
    found = set_aside(folder)
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert results(folder) == expected
    return found


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in INJECTIONS]
)
def test_the_next_run_ends_as_if_nothing_had_happened(finished, name):
    folder, expected = finished
    INJECTIONS[name](folder)
    said = heal(folder, expected)
    is_damaged = any(word in name for word in ("cut off", "one bit", "empty", "garbage"))
    noted = "notes" not in name and "records" not in name
    assert ("not as it was written" in said) == (is_damaged and noted), said


def test_a_killed_job_is_explained_and_other_data_sets_go_on(finished):
    folder, expected = finished
    one, two = (place_of(name) for name in ("one", "two"))
    (folder / two / "evidence.tsv").unlink()
    with at_work(folder, "find_region") as (snake, job):
        job.kill()
        said = snake.communicate()[1]
    assert snake.returncode == 1
    table = one.removeprefix("results/training/")
    assert f"find_region of training table '{table}' (the skeleton around the target) failed: killed or" in said
    assert f"to repeat it: python {PROJECT / 'scripts/find_region.py'} --data {one}/data" in said
    assert (folder / two / "evidence.tsv").is_file()
    heal(folder, expected)


def test_a_finished_run_is_left_alone(finished):
    """The copies that are disturbed are themselves in order: nothing would be made again."""
    folder, _ = finished
    assert "Nothing to be done" in run(folder, "--dry-run").stdout


def test_every_result_is_asked_for_by_name(undisturbed):
    """Or one that is lost would not be missed as long as what depends on it is there."""
    _, made = undisturbed
    asked = all_files(TABLES, {"tested": TABLES, "scored": TABLES}, ["mmmb"], SMALL["scatter"])
    whole = [place for place in asked if place.endswith("/data") or "/folds/" in place]  # folders
    lost = [place for place in made if f"results/{place}" not in asked]
    assert [place for place in lost if not any(f"results/{place}".startswith(f"{folder}/") for folder in whole)] == []
