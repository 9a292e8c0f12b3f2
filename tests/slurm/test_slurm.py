"""The workflow on a real Slurm of two nodes: the bytes of a local run, whatever is cancelled or killed on the way."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from conftest import PROJECT, digests

CLUSTER = Path(__file__).parent / "cluster.sh"
TINY = {
    "datasets": [
        {"id": f"lucas{version}", "simulate": {"network": "lucas", "version": version, "train": 300, "test": 200}}
        for version in (0, 2)
    ],
    "methods": [{"id": "mmmb"}],
    "orientation": {"bootstraps": 3, "equivalent_sample_size": [1, 10]},
    "selection": {"draws": 10},
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
    """A cluster for these tests; one that is there already is used and left alone."""
    ours = subprocess.run(["scontrol", "ping"], capture_output=True).returncode if _installed() else 1
    if ours and subprocess.run([CLUSTER, "up"]).returncode:
        pytest.skip("Slurm could not be installed or started here; what cluster.sh said stands above")
    yield
    if ours:
        subprocess.run([CLUSTER, "down"], check=True)


def _installed():
    return any(Path(folder, "scontrol").exists() for folder in os.environ["PATH"].split(":"))


def command(folder, *words):
    made = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile", "--directory", folder]
    made += ["--profile", PROJECT / "profiles/slurm", "--slurm-init-seconds-before-status-checks", 3]
    return [str(word) for word in [*made, "--configfile", folder / "c.yaml", *words]]


def run(folder, *words):
    return subprocess.run(command(folder, *words), cwd=folder, capture_output=True, text=True)


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.1)


def queue(*words):
    return subprocess.run(["squeue", "-h", *words], capture_output=True, text=True).stdout.split()


def complete(folder):
    """Files that steps have finished, by the time at which each was written."""
    logs = [log for log in (folder / "results").glob("*/logs/*.log") if " done in " in log.read_text()]
    return {log: log.stat().st_mtime_ns for log in logs}


def local(snakemake, folder):
    done = snakemake(folder, "--configfile", folder / "c.yaml", "--cores", 2)
    assert done.returncode == 0, done.stderr
    return digests(folder)


def test_cancelled_and_killed_and_the_same_bytes(slurm, snakemake, tmp_path):
    here, there = tmp_path / "local", tmp_path / "slurm"
    for folder in (here, there):
        folder.mkdir()
        (folder / "c.yaml").write_text(yaml.safe_dump(TINY))
    began = subprocess.Popen(command(there), cwd=there, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: (there / "results/lucas0/logs/find_region.log").is_file())
    began.send_signal(signal.SIGKILL)
    began.wait()
    expected = local(snakemake, here)
    wait_for(lambda: not queue())
    finished = complete(there)
    assert run(there, "--unlock").returncode == 0
    again = subprocess.Popen(
        command(there, "--retries", 0), cwd=there, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    wait_for(lambda: queue("-t", "RUNNING"))
    subprocess.run(["scancel", *queue("-t", "RUNNING", "-o", "%A")], check=True)
    said = again.communicate()[1].decode()
    assert again.returncode == 1, said
    assert {log: log.stat().st_mtime_ns for log in finished} == finished
    finished = complete(there)
    done = run(there)
    assert done.returncode == 0, done.stderr
    assert {log: log.stat().st_mtime_ns for log in finished} == finished
    assert digests(there) == expected


@pytest.mark.skipif(
    os.environ.get("HIMATION_SLURM_PRESET", "tiny") == "tiny", reason="HIMATION_SLURM_PRESET names none"
)
def test_a_preset_gives_the_same_bytes(slurm, snakemake, tmp_path):
    preset = PROJECT / f"workflow/presets/{os.environ['HIMATION_SLURM_PRESET']}.yaml"
    here, there = tmp_path / "local", tmp_path / "slurm"
    for folder in (here, there):
        folder.mkdir()
        (folder / "c.yaml").write_text(preset.read_text())
    done = run(there)
    assert done.returncode == 0, done.stderr
    assert digests(there) == local(snakemake, here)
