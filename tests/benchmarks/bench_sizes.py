"""Time and memory of the whole pipeline, and of each of its steps, on tables of the shapes that users have.

    python tests/benchmarks/bench_sizes.py --sizes sparse-500x20000 mixed-50000x30 --output results/bench_sizes.tsv

A size is SHAPE-ROWSxCOLUMNS, of the shapes of `shapes.py`. Each is drawn into --folder, and run
there with the configuration as it is shipped. A line for each job says its seconds by the clock and of computing on
all cores together, and the most memory that it or one of its children took; the line "whole" has the clock from the
first to the last of it, the computing of all, and the most memory of all its processes together, sampled twice a
second. Of several sizes of one shape it says by which power of the rows or of the columns the computing grows.
"""

import argparse
import csv
import math
import os
import re
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import library_path
import yaml
from shapes import blocks

DEFAULT = (
    *("sparse-500x20000", "factors-500x20000", "sparse-60x50000", "mixed-50000x30"),
    *("scores-699x10", "visits-699x10"),
)
COLUMNS = ("size", "step", "seconds", "computing", "peak_mb", "note")
_SIZE = re.compile(r"([a-z]+)-(\d+)x(\d+)$")
_PEAK = re.compile(r"done in ([\d.]+) s, ([\d.]+) of computing; peak (\d+) MB, child (\d+) MB")
_PAUSE = 0.5


def parsed(size: str) -> tuple[str, int, int]:
    found = _SIZE.match(size)
    if not found:
        raise SystemExit(f"{size}: not of the form SHAPE-ROWSxCOLUMNS")
    return found[1], int(found[2]), int(found[3])


def write_table(path: Path, size: str, seed: int) -> None:
    import pandas

    shape, rows, variables = parsed(size)
    with open(path, "w", encoding="utf-8") as file:
        for i, (columns, target) in enumerate(blocks(shape, rows, variables, seed)):
            frame = pandas.DataFrame({**columns, "outcome": target})
            frame.to_csv(file, index=False, header=not i, float_format="%.5f")


def run(size: str, folder: Path, seed: int, cores: str, limit: float, overlay: dict) -> list[dict]:
    """The lines of one size."""
    place = folder / size
    place.mkdir(parents=True, exist_ok=True)
    table, configuration = place / "table.csv", place / "config.yaml"
    if not table.exists():
        write_table(table, size, seed)
    given = {**overlay, "datasets": [{"id": "table", "train": str(table.resolve()), "target": "outcome"}]}
    configuration.write_text(yaml.safe_dump(given))
    words = [sys.executable, "-m", "snakemake", "--snakefile", str(library_path.ROOT / "Snakefile")]
    words += ["--directory", str(place), "--configfile", str(configuration), "--cores", cores]
    words += ["--workflow-profile", str(library_path.ROOT / "profiles/default"), "--nocolor"]
    began, so_far = time.monotonic(), os.times()
    before = so_far.children_user + so_far.children_system
    with open(place / "run.log", "w") as said:
        process = subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT)
        watch = Watch(process.pid)
        try:
            status = process.wait(limit)
            note = "" if status == 0 else last_line(place / "run.log")
        except subprocess.TimeoutExpired:
            note = f"stopped after {limit:.0f} s"
            stop(process)
        watch.stop()
    of_children = os.times()
    whole = {
        "step": "whole",
        "seconds": time.monotonic() - began,
        "computing": of_children.children_user + of_children.children_system - before,
        "peak_mb": watch.peak / 1e6,
        "note": note,
    }
    lines = [whole, *steps(place / "results")]
    for line in lines:
        line["size"] = size
    return lines


def last_line(path: Path) -> str:
    said = [line.strip() for line in path.read_text(errors="replace").splitlines() if line.strip()]
    return said[-1][:300] if said else "ended without a word"


def stop(process) -> None:
    import psutil

    family = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    process.wait()


class Watch:
    """The most memory that a process and all below it take together; what they share counts once."""

    def __init__(self, pid: int):
        self.peak, self._pid, self._ended = 0.0, pid, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        import psutil

        while not self._ended.wait(_PAUSE):
            try:
                parent = psutil.Process(self._pid)
                total = sum(map(_share, [parent, *parent.children(recursive=True)]))
            except psutil.NoSuchProcess:
                continue
            self.peak = max(self.peak, total)


def _share(process) -> float:
    import psutil

    try:
        return float(process.memory_full_info().pss)
    except (psutil.Error, AttributeError):
        return 0.0


def steps(results: Path) -> list[dict]:
    """What the logs say of each job that ended."""
    found = {}
    for path in sorted(results.rglob("logs/*.log"), key=lambda path: path.stat().st_mtime):
        if path.is_symlink() or any(parent.is_symlink() for parent in path.parents):
            continue
        said = _PEAK.findall(path.read_text(errors="replace"))
        if said:
            seconds, computing, own, child = (float(figure) for figure in said[-1])
            found[path.stem.replace(".", " ")] = {
                "seconds": seconds,
                "computing": computing,
                "peak_mb": max(own, child),
            }
    return [{"step": step, "note": "", **figures} for step, figures in found.items()]


def cells(line: dict) -> list[str]:
    return [
        f"{value:.1f}" if isinstance(value, float) else str(value) for value in (line.get(name, "") for name in COLUMNS)
    ]


def growth(lines: list[dict]) -> list[str]:
    """By which power of rows and of columns the clock grows from each size to the next of its shape."""
    whole = [
        (*parsed(line["size"]), line["computing"]) for line in lines if line["step"] == "whole" and not line["note"]
    ]
    said = []
    for (shape, rows, columns, seconds), (other, more_rows, more_columns, longer) in pairwise(whole):
        for what, before, after in (("rows", rows, more_rows), ("columns", columns, more_columns)):
            fixed = (columns, more_columns) if what == "rows" else (rows, more_rows)
            if shape == other and fixed[0] == fixed[1] and after > before:
                power = math.log(longer / seconds) / math.log(after / before)
                said.append(
                    f"{shape}: {before:,} to {after:,} {what}: {seconds:.0f} s to {longer:.0f} s, power {power:.2f}"
                )
    return said


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", default=list(DEFAULT), metavar="SIZE", help="SHAPE-ROWSxCOLUMNS")
    parser.add_argument("--output", required=True, metavar="FILE", help="table to write, after every size")
    parser.add_argument("--folder", default="results/sizes", metavar="FOLDER", help="for tables and results")
    parser.add_argument("--seed", type=int, default=1, help="of the tables")
    parser.add_argument("--cores", default=str(os.cpu_count()), help="for each run")
    parser.add_argument("--limit", type=float, default=1800, help="seconds after which a run is stopped")
    parser.add_argument("--configfile", metavar="FILE", help="settings beside those that are shipped")
    options = parser.parse_args(argv)
    overlay = yaml.safe_load(Path(options.configfile).read_text()) if options.configfile else {}
    lines: list[dict] = []
    for size in options.sizes:
        lines += run(size, Path(options.folder), options.seed, options.cores, options.limit, overlay)
        print("\n".join("\t".join(cells(line)) for line in lines if line["size"] == size), flush=True)
        with open(options.output, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerows([COLUMNS, *map(cells, lines)])
    print("\n".join(growth(lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
