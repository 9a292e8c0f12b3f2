"""Before the first job: what can't be written gets one line, planning changes nothing, any folder will do."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml
from conftest import PROJECT, digests, write_challenge
from forked import commands
from injections import mounted

ODD = "a b'c ü"
SMALL = {
    "datasets": [{"id": "toy0", "train": "toy_train.data", "target": "toy_train.targets", "test": "toy_test.data"}],
    "methods": ["mmmb"],
    "orientation": {"bootstraps": 2, "equivalent_sample_size": [1]},
    "networks": {"chains": 4, "sweeps": 40},
    "model": {"degrees": [1], "gammas": [], "costs": [0.1], "machines": 4},
}


@pytest.fixture(scope="module")
def run():
    with commands() as forked:
        yield forked


@pytest.fixture
def folder(tmp_path):
    write_challenge(tmp_path, 60, 20, seed=5)
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(SMALL))
    return tmp_path


def one_line(run, folder, *words):
    """The last line of a start that is refused, before which Snakemake has said no more than where it is."""
    done = run(folder, "snakemake", "--configfile", "c.yaml", "--cores", 1, *words)
    assert done.status == 1
    assert "Traceback" not in done.err + done.out and "rror" not in "".join(done.lines[:-1])
    assert done.lines[:-1] == [] or done.lines[-2] == "Building DAG of jobs..."
    return done.lines[-1]


@pytest.mark.parametrize("words", [[], ["--dry-run"]], ids=["run", "dry"])
def test_results_that_are_no_folder(run, folder, words):
    (folder / "results").write_text("mine\n")
    assert one_line(run, folder, *words).startswith("results: not a folder")
    assert (folder / "results").read_text() == "mine\n"
    (folder / "results").unlink()
    (folder / "results").symlink_to(folder / "gone")
    assert one_line(run, folder, *words).startswith("results: not a folder")


def test_results_that_are_read_only(run, folder):
    place = folder / "results"
    place.mkdir()
    with mounted(place, "--bind", place):
        subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
        assert one_line(run, folder).startswith("results: can't be written")


def test_a_full_disk(run, folder, tmp_path_factory):
    place = tmp_path_factory.mktemp("disk")
    with mounted(place, "-t", "tmpfs", "-o", "size=256k", "tmpfs"):
        for path in folder.iterdir():
            shutil.copy(path, place)
        free = os.statvfs(place)
        (place / "fill").write_bytes(b"x" * (free.f_bavail * free.f_frsize - 4096))
        assert "the disk is full" in one_line(run, place)


def test_planning_changes_nothing_on_disk(run, folder):
    """Twice, whatever is asked, and with a damaged result there, which only check_results.py looks for."""
    made = folder / "results/toy0"
    (made / ".digests").mkdir(parents=True)
    (made / "roles.tsv").write_text("cut o")
    (made / ".digests/roles.tsv").write_text("5:1 0123\n")
    before = contents(folder)
    for words in (["--dry-run"], ["--dry-run"], ["--list-rules"], ["--summary"], ["--dag"], ["--lint"]):
        done = run(folder, "snakemake", "--configfile", "c.yaml", *words)
        assert done.status == 0, done.err
        assert contents(folder) == before


def test_damaged_results_are_found_and_set_aside_by_a_command(run_script, folder):
    made = folder / "results/toy0"
    (made / ".digests").mkdir(parents=True)
    (made / "roles.tsv").write_text("cut o")
    (made / ".digests/roles.tsv").write_text("5:1 0123\n")
    done = run_script("check_results", cwd=folder)
    assert done.returncode == 1 and "results/toy0/roles.tsv: not as it was written" in done.stderr
    (folder / ".snakemake/locks").mkdir(parents=True)
    (folder / ".snakemake/locks/0.output.lock").write_text("results/toy0/roles.tsv\n")
    done = run_script("check_results", "--set-aside", cwd=folder)
    assert done.returncode == 1 and "snakemake is at work here" in done.stderr and (made / "roles.tsv").is_file()
    (folder / ".snakemake/locks/0.output.lock").unlink()
    done = run_script("check_results", "--set-aside", cwd=folder)
    assert done.returncode == 0 and "now roles.tsv.damaged" in done.stderr, done.stderr
    assert not (made / "roles.tsv").exists() and (made / "roles.tsv.damaged").read_text() == "cut o"
    done = run_script("check_results", cwd=folder)
    assert done.returncode == 0 and "0 damaged" in done.stderr


def contents(folder):
    paths = [path for path in sorted(folder.rglob("*")) if ".snakemake" not in path.parts]
    return {path: path.read_bytes() if path.is_file() else None for path in paths}


def copy_of_the_project(place):
    place.mkdir(parents=True)
    for name in ("Snakefile", "config.yaml", "workflow", "scripts", "profiles", "envs"):
        copy = shutil.copytree if (PROJECT / name).is_dir() else shutil.copy
        copy(PROJECT / name, place / name)
    return place


def started(project, folder, *words):
    command = [sys.executable, "-m", "snakemake", "--snakefile", project / "Snakefile", "--directory", folder, *words]
    return subprocess.run(list(map(str, command)), cwd=project, capture_output=True, text=True)


@pytest.mark.parametrize(
    "ending, why",
    [
        ("os.kill(os.getpid(), 9)", "not started, or killed at once"),
        ("main()\nos.kill(os.getpid(), 9)", "stopped when it was done"),
    ],
)
def test_a_job_that_is_killed_at_either_end_of_its_log_is_named(folder, ending, why):
    project = copy_of_the_project(folder / "project")
    script = project / "scripts/prepare_data.py"
    begun, _, _ = script.read_text().rpartition('if __name__ == "__main__":')
    script.write_text(f"{begun}import os\n{ending}\n")
    done = started(project, folder, "--configfile", folder / "c.yaml", "--cores", 1)
    assert done.returncode == 1
    assert f"prepare_data of data set 'toy0' (reading and typing the table) failed: {why}" in done.stderr
    assert "to repeat it: python " in done.stderr and "scripts/prepare_data.py --train toy_train.data" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def whole_run(project, folder, *words):
    """Digests of all results; of those that show the configuration, without the lines that name the data's files."""
    done = started(project, folder, *words)
    assert done.returncode == 0, done.stderr + done.stdout[-3000:]
    for name in ("report.html", "run.json"):
        path = folder / "results" / name
        text, entries = re.subn(r"\{[^{}]*\bid\b[^{}]*toy0.*?\}", "", path.read_text(), count=1, flags=re.DOTALL)
        assert entries == 1
        path.write_text(text)
    return digests(folder)


def test_odd_names_of_project_results_and_data_change_no_byte(tmp_path):
    odd = tmp_path / ODD
    apart = (copy_of_the_project(odd / "project"), odd / "run", odd / "data $(touch PWNED)")
    found = []
    for project, folder, data in ((PROJECT, tmp_path / "run", tmp_path / "data"), apart):
        data.mkdir()
        folder.mkdir()
        write_challenge(data, 150, 40, seed=5)
        (data / "c.yaml").write_text(yaml.safe_dump(SMALL))
        found.append(whole_run(project, folder, "--configfile", data / "c.yaml", "--cores", 2))
    assert found[0] == found[1] and len(found[0]) > 20
    assert not list(tmp_path.rglob("PWNED"))


@pytest.mark.slow
def test_the_default_run_gives_the_same_bytes_in_a_folder_of_an_odd_name(tmp_path):
    """As shipped, and with a table in a folder of an odd name inside the project."""
    found = []
    for place, name in ((tmp_path / "plain", "data"), (tmp_path / ODD, ODD)):
        project = copy_of_the_project(place)
        (project / name).mkdir()
        write_challenge(project / name, 300, 120, seed=5)
        config = yaml.safe_load((project / "config.yaml").read_text())
        files = {key: f"{name}/{value}" for key, value in SMALL["datasets"][0].items() if key != "id"}
        config["datasets"].append({"id": "toy0", **files})
        (project / "config.yaml").write_text(yaml.safe_dump(config))
        found.append(whole_run(project, project, "--cores", 2))
    assert found[0] == found[1] and len(found[0]) > 100


def test_a_key_of_the_configuration_may_stand_in_the_command(run, folder):
    """``--config`` is a word of its own, and no short form of ``--configfile``."""
    done = run(folder, "snakemake", "--dry-run", "--configfile", "c.yaml", "--config", "seed=7")
    assert done.status == 0 and "--seed 7" in done.out + done.err


def test_configurations_with_a_folder_each_leave_each_others_results_alone(run, folder):
    """The same name of a data set in both, and in one without a folder; ``--directory`` comes before the key."""
    for name, rows in (("one", 60), ("two", 80), (None, 100)):
        entry = {"id": "toy", "simulate": {"network": "lucas", "version": 0, "train": rows, "test": 10}}
        settings = {**({"folder": f"runs/{name}"} if name else {}), "datasets": [entry]}
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(settings))
        done = run(folder, "snakemake", "results/checked.tsv", "--cores", 1, "--configfile", f"{name}.yaml")
        assert done.status == 0, done.err
    made = [folder / place / "results/checked.tsv" for place in ("runs/one", "runs/two", ".")]
    assert len({path.read_bytes() for path in made}) == 3
    done = started(PROJECT, folder / "given", "results/checked.tsv", "--cores", 1, "--configfile", folder / "one.yaml")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (folder / "given").iterdir() if path.name[0] != "."] == ["results"]
    assert (folder / "given/results/checked.tsv").read_bytes() == made[0].read_bytes()


def test_with_a_folder_named_paths_begin_where_the_command_was_given(run, folder):
    """Not where the jobs work, also if the configuration lies elsewhere."""
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere/c.yaml").write_text(yaml.safe_dump({**SMALL, "folder": "runs/one"}))
    words = ("results/checked.tsv", "--cores", 1, "--configfile", "elsewhere/c.yaml")
    done = run(folder, "snakemake", *words)
    assert done.status == 0 and (folder / "runs/one/results/checked.tsv").is_file(), done.err


@pytest.mark.parametrize("value, why", [(5, "must be a text, not 5"), ("toy_train.data/x", "Not a directory")])
def test_a_folder_that_can_t_be_is_refused_in_a_line(run, folder, value, why):
    (folder / "c.yaml").write_text(yaml.safe_dump({**SMALL, "folder": value}))
    assert why in one_line(run, folder)


def test_every_preset_has_a_folder_of_its_own():
    presets = sorted((PROJECT / "workflow/presets").glob("*.yaml"))
    folders = [yaml.safe_load(path.read_text(encoding="utf-8"))["folder"] for path in presets]
    assert folders == [f"runs/{path.stem}" for path in presets]
