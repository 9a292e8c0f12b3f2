"""Faults to inject into a finished run: each takes its folder and leaves it disturbed, with no process at work there.

What is damaged belongs to data set ``one``; or to its training table; what is killed is killed in the
middle of making something again.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial

import psutil
import pytest
from conftest import PROJECT

from himation.files.configuration import load_schema, resolve_configuration
from himation.files.entries import training_places

DAY = 86_400
DATASETS = [
    {"id": "one", "simulate": {"network": "lucas", "version": 1, "train": 300, "test": 200}},
    {"id": "two", "simulate": {"network": "lucas", "version": 0, "train": 250, "test": 200}},
]


SCHEMA = load_schema(PROJECT / "workflow/schemas/config.schema.yaml")
TABLES = training_places(resolve_configuration({"datasets": DATASETS}, SCHEMA, [PROJECT])["datasets"])


def place_of(name):
    """Where the results of a data set's training table are."""
    return f"results/{TABLES[name]}"


OWN, SHARED, ALL = "results/one", place_of("one"), "results"
# The script of each step, where its results are, its log, and results that are removed so that it runs again.
STEPS = {
    "simulate_data": ("simulate_data", OWN, "logs/simulate_data.log", "simulated", "data"),
    "prepare_data": ("prepare_data", OWN, "logs/prepare_data.log", "data"),
    "find_blanket": ("find_blanket", SHARED, "logs/find_blanket.mmmb.log", "blanket/mmmb.tsv"),
    "region_chunk": ("find_region", SHARED, "logs/region_chunk.1-of-2.log", "searches/1-of-2.npz", "region.tsv"),
    "find_region": ("find_region", SHARED, "logs/find_region.log", "region.tsv"),
    "orient_chunk": ("orient_region", SHARED, "logs/orient_chunk.2-of-2.log", "orientation/2-of-2.tsv", "pdags.tsv"),
    "orient_region": ("orient_region", SHARED, "logs/orient_region.log", "pdags.tsv"),
    "build_model": ("build_model", OWN, "logs/build_model.log", "model.npz"),
    "write_report": ("write_report", ALL, "logs/write_report.log", "report.html"),
}


def command(folder, *words):
    made = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile", "--directory", folder]
    return [str(word) for word in [*made, "--configfile", folder / "c.yaml", "--cores", 2, *words]]


def set_aside(folder):
    """What the command for damaged results says, and it renames them."""
    script = [sys.executable, PROJECT / "scripts/check_results.py", "--set-aside"]
    return subprocess.run(list(map(str, script)), cwd=folder, capture_output=True, text=True).stderr


def run(folder, *words, limits=()):
    return subprocess.run([*limits, *command(folder, *words)], cwd=folder, capture_output=True, text=True)


# Damaged files


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


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def skew(days):
    """A file of a machine whose clock is wrong."""

    def set_time(path):
        os.utime(path, (path.stat().st_mtime + days * DAY,) * 2)

    return set_time


def on(name, damage, place=OWN):
    return lambda folder: damage(folder / place / name)


# Killed processes


@contextmanager
def at_work(folder, step):
    """Snakemake, and a process that it has started to repeat a step, which has begun to write its log."""
    script, place, log, *made = STEPS[step]
    for name in [*made, log]:
        remove(folder / place / name)
    with subprocess.Popen(
        command(folder), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as snake:
        job = find(snake, script, place)
        while not has_text(folder / place / log):
            assert snake.poll() is None, snake.stderr.read()
            time.sleep(0.01)
        yield snake, job


def has_text(path):
    """Whether a log has begun: between its making and its first line nothing is known of the job."""
    return path.is_file() and path.stat().st_size > 0


def find(snake, script, place):
    """The script's process that works on files of a place."""
    while snake.poll() is None:
        for process in psutil.Process(snake.pid).children(recursive=True):
            try:
                words = process.cmdline()
            except psutil.Error:
                continue
            here = any(word.startswith(f"{place}/") for word in words)
            if len(words) > 1 and words[1].endswith(f"{script}.py") and here:
                return process
        time.sleep(0.02)
    raise AssertionError(snake.stderr.read())


def kill_job(step, folder):
    with at_work(folder, step) as (snake, job):
        job.kill()
        said = snake.communicate()[1]
    assert snake.returncode == 1 and "to repeat it: python" in said, said


def kill_snakemake(step, sent, folder):
    """Jobs of a killed snakemake go on, as orphans; here they are waited for."""
    with at_work(folder, step) as (snake, job):
        snake.send_signal(sent)
        snake.communicate()
        psutil.wait_procs([job], timeout=60)


def kill_all(folder):
    """As when the machine loses its power."""
    with at_work(folder, "orient_chunk") as (snake, job):
        snake.kill()
        job.kill()
        snake.communicate()


def two_at_once(folder):
    """The second is turned away; the first comes to its end."""
    with at_work(folder, "find_region") as (first, _):
        second = run(folder)
        said = first.communicate()[1]
    assert second.returncode == 1 and "cannot be locked" in second.stderr, second.stderr
    assert first.returncode == 0, said


def stale_lock(folder):
    locks = folder / ".snakemake/locks"
    locks.mkdir(exist_ok=True)
    (locks / "0.output.lock").write_text(f"{SHARED}/region.tsv\n")
    remove(folder / SHARED / "region.tsv")
    assert "cannot be locked" in run(folder).stderr


# Disks


def may_not_grow(blocks, folder):
    """No file may have more than so many blocks of 512 bytes."""
    for name in (f"{SHARED}/region.tsv", f"{OWN}/model.npz"):
        remove(folder / name)
    assert run(folder, limits=["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh"]).returncode


@contextmanager
def mounted(place, *options):
    if os.geteuid() or subprocess.run(["mount", *options, place], capture_output=True).returncode:
        pytest.skip("a disk is mounted by root only")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def full_disk(folder):
    """All is made anew on a disk that is too small for it; then the disk grows, as it does by making room."""
    place = folder / "results"
    shutil.rmtree(place)
    place.mkdir()
    aside = folder / "made"
    with mounted(place, "-t", "tmpfs", "-o", "size=300k", "tmpfs"):
        done = run(folder)
        assert done.returncode == 1 and "No space left on device" in done.stderr, done.stderr
        shutil.copytree(place, aside)
    shutil.copytree(aside, place, dirs_exist_ok=True)
    shutil.rmtree(aside)


def read_only(folder):
    place = folder / SHARED
    remove(place / "pdags.tsv")
    remove(folder / place_of("two") / "pdags.tsv")
    with mounted(place, "--bind", place):
        subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
        assert run(folder).returncode == 1


INJECTIONS = {
    "region cut off": on("region.tsv", cut, SHARED),
    "region, one bit, by its link": on("region.tsv", flip),
    "graphs empty": on("pdags.tsv", empty, SHARED),
    "part of the orientation cut off": on("orientation/1-of-2.tsv", cut, SHARED),
    "evidence, one bit": on("evidence.tsv", flip, SHARED),
    "natural blanket garbage": on("natural_blanket.tsv", garbage, SHARED),
    "blanket's details cut off": on("blanket/mmmb.json", cut, SHARED),
    "training table, one bit": on("data/train.bits.npy", flip, SHARED),
    "table's facts cut off": on("data/facts.json", cut),
    "table, one bit": on("data/train.bits.npy", flip),
    "target empty": on("data/target.npy", empty),
    "selection cut off": on("selection.json", cut),
    "model garbage": on("model.npz", garbage),
    "predictions, one bit": on("submission/one_train.predict", flip),
    "simulated table cut off": on("simulated/train.parquet", cut),
    "submission garbage": on("../submission.zip", garbage),
    "page cut off": on("../report.html", cut),
    "list of checked tables cut off": on("../checked.tsv", cut),
    "digest cut off": on(".digests/region.tsv", cut, SHARED),
    "snakemake's records cut off": lambda folder: [cut(p) for p in (folder / ".snakemake/metadata").iterdir()],
    "snakemake's records gone": lambda folder: shutil.rmtree(folder / ".snakemake"),
    "separations gone": on("separations.tsv", remove, SHARED),
    "link gone": on("separations.tsv", remove),
    "table gone": on("data", remove),
    "training table gone": on("data", remove, SHARED),
    "data set gone": on(".", remove),
    "all of the training table gone": on(".", remove, SHARED),
    "region from tomorrow": on("region.tsv", skew(1), SHARED),
    "table of last year": on("simulated/train.parquet", skew(-365)),
    "predictions of last year": on("submission/one_train.predict", skew(-365)),
    **{f"{step} killed": partial(kill_job, step) for step in STEPS},
    **{
        f"snakemake killed during {step}": partial(kill_snakemake, step, signal.SIGKILL)
        for step in ("simulate_data", "find_blanket", "region_chunk", "build_model")
    },
    "snakemake interrupted": partial(kill_snakemake, "orient_region", signal.SIGINT),
    "snakemake asked to end": partial(kill_snakemake, "find_region", signal.SIGTERM),
    "power lost": kill_all,
    "two runs at once": two_at_once,
    "stale lock": stale_lock,
    "files of 1 kB at most": partial(may_not_grow, 2),
    "files of 6 kB at most": partial(may_not_grow, 12),
    "full disk": full_disk,
    "read-only results": read_only,
}
