"""What tests share: the project's place, the real data where they are, and small tables with a known answer."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def real_data():
    """Folder of the public data sets: HIMATION_DATA, or shared/data beside the project."""
    folder = Path(os.environ.get("HIMATION_DATA", PROJECT.parent / "shared/data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}; set HIMATION_DATA to run this test")
    return folder


@pytest.fixture(scope="session")
def run_script():
    """Run a script as a user would; gives the finished process."""

    def run(name, *words, cwd=None):
        command = [sys.executable, str(PROJECT / "scripts" / f"{name}.py"), *map(str, words)]
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True)

    return run


@pytest.fixture(scope="session")
def snakemake():
    """Run snakemake on the project from another folder; gives the finished process."""

    def run(folder, *words, environment=None):
        command = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile", "--directory", folder]
        variables = {**os.environ, **(environment or {})}
        return subprocess.run(
            list(map(str, [*command, *words])), cwd=folder, capture_output=True, text=True, env=variables
        )

    return run


@pytest.fixture
def challenge_files(tmp_path):
    """A small data set in the challenge's format: LUCAS, 300 training and 120 test examples."""
    write_challenge(tmp_path, 300, 120, seed=5)
    return tmp_path


def write_challenge(folder, n_train, n_test, seed):
    from himation.studies.simulate.networks import simulate_lucas

    for name, n, rng in (("train", n_train, seed), ("test", n_test, seed + 1)):
        sample = simulate_lucas(n, np.random.default_rng(rng))
        lines = (" ".join(map(str, row)) + " \n" for row in sample.values.tolist())
        (folder / f"toy_{name}.data").write_text("".join(lines))
        (folder / f"toy_{name}.targets").write_text("".join(f"{label}\n" for label in sample.target.tolist()))


def digests(folder):
    """Digest of every result but logs, timings and the page that shows timings."""
    found = {}
    for path in sorted((folder / "results").rglob("*")):
        place = path.relative_to(folder / "results").as_posix()
        hidden = any(part.startswith(".") for part in place.split("/"))
        if path.is_file() and "logs/" not in place and "benchmarks/" not in place and not hidden:
            found[place] = sha256(_without_timings(path)).hexdigest()
    return found


def _without_timings(path: Path) -> bytes:
    if path.name != "report.html":
        return path.read_bytes()
    before, _, rest = path.read_text().partition('<section id="time">')
    assert rest
    return (before + rest.partition("</section>")[2]).encode()
