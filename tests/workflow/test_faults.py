"""Whatever is killed, cut off, overwritten or full on the way: the next run ends with an undisturbed run's bytes."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
import yaml
from conftest import PROJECT, digests

SMALL = {
    "datasets": [
        {"id": "one", "simulate": {"network": "lucas", "version": 1, "train": 300, "test": 200}},
        {"id": "two", "simulate": {"network": "lucas", "version": 0, "train": 250, "test": 200}},
    ],
    "methods": [{"id": "mmmb"}],
    "orientation": {"bootstraps": 2, "equivalent_sample_size": [1, 10]},
    "selection": {"draws": 10},
    "model": {"degrees": [1], "gammas": [], "costs": [0.1], "machines": 4},
    "scatter": 2,
}


def command(folder):
    words = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile", "--directory", folder]
    return [str(word) for word in [*words, "--configfile", folder / "c.yaml", "--cores", 2]]


def run(folder, **more):
    return subprocess.run(command(folder), cwd=folder, capture_output=True, text=True, **more)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    (folder / "c.yaml").write_text(yaml.safe_dump(SMALL))
    done = run(folder)
    assert done.returncode == 0, done.stderr
    return folder, results(folder)


def heal(folder, expected):
    """The same command again: all results as they were."""
    if any((folder / ".snakemake/locks").glob("*")):
        subprocess.run([*command(folder), "--unlock"], cwd=folder, check=True, capture_output=True)
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert results(folder) == expected
    return done.stderr


def results(folder):
    """Digests of all results but what was set aside, and the parts of a step and of a simulation, which are used up."""
    passing = (".damaged", "/orientation/", "/simulated/")
    return {place: value for place, value in digests(folder).items() if not any(word in place for word in passing)}


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path):
    path.write_bytes(b"")


def flip(path):
    """One bit, with the size and the time as they were."""
    status, content = path.stat(), bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def garbage(path):
    path.write_bytes(os.urandom(path.stat().st_size))


DAMAGES = [
    (cut, "region.tsv"),
    (flip, "region.tsv"),
    (empty, "pdags.tsv"),
    (cut, "orientation/1-of-2.tsv"),
    (flip, "evidence.tsv"),
    (garbage, "natural_blanket.tsv"),
    (cut, "data/facts.json"),
    (flip, "data/train.bits.npy"),
    (empty, "data/target.npy"),
    (cut, "selection.json"),
    (garbage, "model.npz"),
    (flip, "submission/one_train.predict"),
    (cut, "simulated/train.parquet"),
]
QUICKLY = DAMAGES[:1]


@pytest.mark.parametrize(
    ("damage", "name"),
    [pytest.param(*case, marks=[] if case in QUICKLY else pytest.mark.slow) for case in DAMAGES],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_damaged_file_is_made_again(undisturbed, damage, name):
    folder, expected = undisturbed
    damage(folder / "results/one" / name)
    assert "not as it was written" in heal(folder, expected)


def start_and_find(folder, script):
    """Snakemake and the first process of a script that it starts."""
    began = subprocess.Popen(command(folder), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while began.poll() is None:
        for process in psutil.Process(began.pid).children(recursive=True):
            try:
                words = process.cmdline()
            except psutil.Error:
                continue
            if len(words) > 1 and words[1].endswith(f"{script}.py") and "results/one/data" in words:
                return began, process
        time.sleep(0.02)
    raise AssertionError(began.stderr.read())


def remove(folder, *names):
    for name in names:
        (folder / "results/one" / name).unlink()


def test_a_killed_job_is_explained_and_other_data_sets_go_on(undisturbed):
    folder, expected = undisturbed
    remove(folder, "region.tsv")
    (folder / "results/two/evidence.tsv").unlink()
    log = folder / "results/one/logs/find_region.log"
    before = log.stat().st_mtime_ns
    began, job = start_and_find(folder, "find_region")
    while not log.is_file() or log.stat().st_mtime_ns == before:
        time.sleep(0.01)
    job.kill()
    said = began.communicate()[1]
    assert began.returncode == 1
    assert "find_region of data set 'one' failed: stopped without a word" in said
    assert f"to repeat it: python {PROJECT / 'scripts/find_region.py'} --data results/one/data" in said
    assert (folder / "results/two/evidence.tsv").is_file()
    heal(folder, expected)


@pytest.mark.slow
@pytest.mark.parametrize("script", ["find_blanket", "orient_region", "build_model"])
def test_a_killed_snakemake(undisturbed, script):
    folder, expected = undisturbed
    remove(
        folder, {"find_blanket": "blanket/mmmb.tsv", "orient_region": "pdags.tsv", "build_model": "model.npz"}[script]
    )
    began, job = start_and_find(folder, script)
    began.send_signal(signal.SIGKILL)
    began.wait()
    psutil.wait_procs([job], timeout=60)
    heal(folder, expected)


@pytest.mark.slow
@pytest.mark.parametrize("bytes_", [1_000, 6_000])
def test_files_that_may_not_grow(undisturbed, bytes_):
    folder, expected = undisturbed
    remove(folder, "region.tsv", "model.npz")
    words = ["sh", "-c", f'ulimit -f {max(1, bytes_ // 512)}; exec "$@"', "sh", *command(folder)]
    subprocess.run(words, cwd=folder, capture_output=True)
    heal(folder, expected)


@pytest.mark.slow
def test_a_full_disk(undisturbed, tmp_path):
    _, expected = undisturbed
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", disk]).returncode:
        pytest.skip("a small disk is mounted by root only")
    try:
        (disk / "c.yaml").write_text(yaml.safe_dump(SMALL))
        done = run(disk)
        assert done.returncode == 1
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        heal(disk, expected)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)
