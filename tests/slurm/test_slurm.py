"""The workflow on a real Slurm of two nodes: the bytes of a local run, whatever is killed, cancelled or lost."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from conftest import PROJECT, digests

CLUSTER = Path(__file__).parent / "cluster.sh"
CANNOT = 77  # its exit status where Slurm can't be installed
QUICK, LONG = 600, 4 * 3600  # seconds after which a run counts as hanging
TINY = {
    "datasets": [
        {"id": f"lucas{version}", "simulate": {"network": "lucas", "version": version, "train": 300, "test": 200}}
        for version in (0, 2)
    ],
    "methods": [{"id": "mmmb"}],
    "orientation": {"bootstraps": 3, "equivalent_sample_size": [1, 10]},
    "networks": {"chains": 4, "sweeps": 40},
    "model": {"degrees": [1], "gammas": [], "costs": [0.1], "machines": 4},
    "scatter": 2,
}
pytestmark = [
    pytest.mark.slurm,
    pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="a real Slurm is started by root only"),
    pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="a real Slurm is installed on Debian only"),
]


@pytest.fixture(scope="module")
def slurm():
    """A cluster for these tests, gone with this process at the latest; one that is there already is left alone."""
    ours = subprocess.run(["scontrol", "ping"], capture_output=True).returncode if _installed() else 1
    if ours:
        status = subprocess.run([CLUSTER, "up", str(os.getpid())]).returncode
        if status == CANNOT:
            pytest.skip("Slurm can't be installed here; what cluster.sh said stands above")
        assert status == 0
    yield
    if ours:
        subprocess.run([CLUSTER, "down"], check=True)


def _installed():
    return any(Path(folder, "scontrol").exists() for folder in os.environ["PATH"].split(":"))


def command(folder, *words):
    made = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile", "--directory", folder]
    made += ["--profile", PROJECT / "profiles/slurm", "--slurm-init-seconds-before-status-checks", 3]
    return [str(word) for word in [*made, "--configfile", folder / "c.yaml", *words]]


@contextmanager
def started(folder, *words):
    """A snakemake at work, which does not outlive the test; what it says goes to a file beside the folder."""
    with (folder.parent / "said.txt").open("w") as said:
        process = subprocess.Popen(command(folder, *words), cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def finish(process, folder, seconds=QUICK):
    """Its exit status and what it said."""
    process.wait(seconds)
    return process.returncode, (folder.parent / "said.txt").read_text()


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.1)


def queue(*words):
    return subprocess.run(["squeue", "-h", *words], capture_output=True, text=True).stdout.split()


def running(what):
    """The running jobs, or their nodes, as soon as there is one."""
    wait_for(lambda: queue("-t", "RUNNING"))
    return queue("-t", "RUNNING", "-o", what)


def complete(folder):
    """Logs of steps that came to their end, with the time at which each was written."""
    logs = [log for place in ("*", "training/*") for log in (folder / "results").glob(f"{place}/logs/*.log")]
    return {log: log.stat().st_mtime_ns for log in logs if " done in " in log.read_text()}


def local(snakemake, folder):
    done = snakemake(folder, "--configfile", folder / "c.yaml", "--cores", 2)
    assert done.returncode == 0, done.stderr
    return digests(folder)


def two_folders(tmp_path, configuration):
    for name in ("local", "slurm"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "c.yaml").write_text(configuration)
    return tmp_path / "local", tmp_path / "slurm"


def test_killed_and_cancelled_and_a_lost_node_and_the_same_bytes(slurm, snakemake, tmp_path):
    here, there = two_folders(tmp_path, yaml.safe_dump(TINY))
    with started(there) as snake:
        wait_for(lambda: any(there.glob("results/training/*/logs/find_region.log")))
        snake.kill()
    expected = local(snakemake, here)
    wait_for(lambda: not queue())
    before = complete(there)
    assert before
    subprocess.run(command(there, "--unlock"), cwd=there, check=True, capture_output=True)
    with started(there, "--retries", 0) as snake:
        subprocess.run(["scancel", *running("%A")], check=True)
        status, said = finish(snake, there)
    assert status == 1, said
    between = complete(there)
    with started(there) as snake:
        node = running("%N")[0]
        subprocess.run(["scontrol", "update", f"nodename={node}", "state=down", "reason=lost"], check=True)
        subprocess.run(["scontrol", "update", f"nodename={node}", "state=resume"])  # refused if it came back by itself
        status, said = finish(snake, there)
    assert status == 0, said
    assert "failed due to a node failure" in said
    after = complete(there)
    for earlier in (before, between):
        assert {log: after.get(log) for log in earlier} == earlier
    assert digests(there) == expected


@pytest.mark.skipif(
    os.environ.get("HIMATION_SLURM_PRESET", "tiny") == "tiny", reason="HIMATION_SLURM_PRESET names none"
)
def test_a_preset_gives_the_same_bytes(slurm, snakemake, tmp_path):
    preset = PROJECT / f"workflow/presets/{os.environ['HIMATION_SLURM_PRESET']}.yaml"
    here, there = two_folders(tmp_path, preset.read_text())
    with started(there) as snake:
        status, said = finish(snake, there, LONG)
    assert status == 0, said
    assert digests(there) == local(snakemake, here)
