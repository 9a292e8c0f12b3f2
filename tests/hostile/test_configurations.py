"""Generated configurations: check_config and snakemake say the same, in few lines, and a dry run writes nothing.

What is wrong with the tables themselves is said by check_config, and by the job check_tables of a run.

HIMATION_SEED gives other ones; `python -m pytest tests/hostile/test_configurations.py` runs all of them.
"""

import os
import shutil

import configurations
import pytest
from workflow.forked import commands

ALL, FEW = 1000, 40  # configurations; FEW in the ordinary run
MOST_LINES = 12
MOST_SECONDS = 5  # until a refusal
SEED = int(os.environ.get("HIMATION_SEED", "1"))


def snapshot(folder) -> dict:
    """Everything on disk, with sizes and times, but for the folder in which Snakemake keeps its books."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if ".snakemake" not in path.relative_to(folder).parts:
            status = path.lstat()
            found[path] = (status.st_mode, None if path.is_dir() else (status.st_size, status.st_mtime_ns))
    return found


def reasons(done) -> list[str]:
    return [line.removeprefix("check_config: ") for line in done.lines]


def faults(run, folder) -> tuple[list[str], bool]:
    """What is wrong with the two answers, and whether the configuration was accepted."""
    before = snapshot(folder.parent)
    checked = run(folder, "check_config", "--configfile", "c.yaml")
    planned = run(folder, "snakemake", "--dry-run", "--configfile", "c.yaml")
    found = []
    at_work = checked.status == 1 and reasons(checked)[-1].startswith("data set ")  # what the job check_tables refuses
    if checked.status not in (0, 1) or planned.status != (0 if at_work else checked.status):
        found.append(f"check_config ends with {checked.status}, snakemake with {planned.status}")
    if checked.status == 1 and not at_work and reasons(planned) != reasons(checked):
        found.append("they give different reasons")
    for done in (checked, planned):
        said = done.err + ("" if done.status == 0 else done.out)  # if all is well, the jobs are listed as asked
        if len(said.splitlines()) > MOST_LINES:
            found.append(f"{len(said.splitlines())} lines")
        if "Traceback" in done.err + done.out or "a fault of the program" in done.err + done.out:
            found.append("a traceback")
        if done.seconds > MOST_SECONDS:
            found.append(f"{done.seconds:.1f} s")
    if snapshot(folder.parent) != before:
        found.append("something was written")
    return [f"{what}\n{checked.err[-800:]}---\n{planned.err[-1500:]}" for what in found], checked.status == 0


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.slow)], ids=[str(FEW), str(ALL)])
def test_check_config_and_snakemake_agree(few, tmp_path):
    wrong, accepted = [], 0
    numbers = range(FEW if few else ALL)
    with commands() as run:
        for number in numbers:
            folder = tmp_path / str(number) / "inner"
            folder.mkdir(parents=True)
            configurations.case(number, SEED, folder)
            found, good = faults(run, folder)
            wrong += [f"{number} of seed {SEED}: {what}" for what in found]
            accepted += good
            shutil.rmtree(folder.parent)
    assert wrong == [], f"{len(wrong)} faults:\n" + "\n\n".join(wrong[:30])
    assert 0.2 < accepted / len(numbers) < 0.8
