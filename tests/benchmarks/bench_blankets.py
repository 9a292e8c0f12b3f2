"""Time our blanket finders against the packages from PyPI that are installed, on the same data, in one run.

    python tests/benchmarks/bench_blankets.py --quick

Seconds are those of computing: imports, and bringing the data into the tool's own form, are left out for every tool
(the second is in the table as "loading"). The fastest of up to five runs counts; "first" is the first run, in which
our kernels are compiled or loaded. Ratios are to our fastest method with the same kind of answer. Precision, recall and
distance are means over all targets; an empty answer has precision 1. "cpu" counts all threads: on a busy machine it is
the better figure. Threads of the peers wait without spinning, which made one of them a hundred times slower there.

A tool that did not finish a problem isn't tried on the next larger one of its kind.
"""

import argparse
import os
import sys

import library_path  # noqa: F401
import numpy as np
import ours
import peers
from limits import measure
from networks import accuracy
from problems import WIDE_COLUMNS, published, wide

TOOLS = ours.TOOLS + peers.TOOLS
MOST_COLUMNS_WHOLE = 1000  # tools that learn the network of all columns aren't tried on more
MEASURED = ("seconds", "ratio", "cpu", "first", "loading", "precision", "recall", "distance")
COLUMNS = ("problem", "tool", "version", "method", "answers", *MEASURED, "note")
_THREADED = ("MMMB, 2 threads", "PCMB, 2 threads")


def problems(quick: bool):
    """One after the other: the wide ones are large."""
    yield lambda: published("alarm", 5000)
    yield lambda: published("pigs", 200 if quick else 500)
    if not quick:
        yield lambda: published("pigs", 5000)
    yield lambda: wide(200 if quick else MOST_COLUMNS_WHOLE)
    yield lambda: wide(10_000 if quick else WIDE_COLUMNS)


def row(tool, key: int, problem, limit: float) -> dict:
    base = {"problem": problem.name, "tool": tool.name, "method": tool.method, "answers": tool.answers}
    base["version"] = "" if tool in ours.TOOLS else tool.version
    if tool.whole and len(problem.codes) > MOST_COLUMNS_WHOLE:
        return {**base, "note": f"not tried: it learns the network of all {len(problem.codes):,} columns"}
    outcome = measure(key, problem, limit)
    if not outcome.runs:
        return {**base, "note": outcome.note}
    best = min(outcome.runs, key=lambda run: run.seconds)
    true = problem.true(tool.answers)
    precision, recall, distance = np.mean([accuracy(a, b) for a, b in zip(best.found, true, strict=True)], axis=0)
    measured = {"seconds": best.seconds, "cpu": best.cpu, "first": outcome.runs[0].seconds, "loading": best.loading}
    return {**base, **measured, "precision": precision, "recall": recall, "distance": distance, "note": outcome.note}


def rows_of(problem, limit: float, unfinished: set) -> list[dict]:
    """All tools on one problem; ``unfinished`` remembers which tool did not finish which kind."""
    kind = problem.name.split()[0]
    rows = []
    for key, tool in enumerate(TOOLS):
        if tool.version is None or (tool.method in _THREADED and len(problem.targets) == 1):
            continue
        print(f"{problem.name}: {tool.label}", file=sys.stderr, flush=True)
        if (kind, tool.label) in unfinished:
            names = {"problem": problem.name, "tool": tool.name, "method": tool.method, "answers": tool.answers}
            rows.append({**names, "note": "not tried: no answer to a smaller one"})
            continue
        rows.append(row(tool, key, problem, limit))
        if "seconds" not in rows[-1]:
            unfinished.add((kind, tool.label))
    return rows


def with_ratios(rows: list[dict]) -> list[dict]:
    """Seconds over those of our fastest method with the same kind of answer on the same problem."""
    fastest: dict[tuple, float] = {}
    for r in rows:
        if r["tool"] == "Himation" and "seconds" in r:
            kind = r["problem"], r["answers"]
            fastest[kind] = min(fastest.get(kind, np.inf), r["seconds"])
    return [
        {**r, "ratio": r["seconds"] / fastest[r["problem"], r["answers"]]}
        if "seconds" in r and (r["problem"], r["answers"]) in fastest
        else r
        for r in rows
    ]


def text(column: str, value) -> str:
    if not isinstance(value, float):
        return "" if value is None else str(value)
    return f"{value:.4f}" if column in ("seconds", "cpu", "first", "loading") else f"{value:.3g}"


def print_table(rows: list[dict]) -> None:
    shown = [column for column in COLUMNS if column != "version"]
    cells = [shown] + [[text(column, r.get(column)) for column in shown] for r in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(shown))]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def write_table(rows: list[dict], path: str) -> None:
    lines = ["\t".join(COLUMNS)] + ["\t".join(text(column, r.get(column)) for column in COLUMNS) for r in rows]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller problems")
    parser.add_argument("--seconds-per-peer", type=float, default=60, help="limit for one tool on one problem")
    parser.add_argument("--only", help="only the problems whose name begins so, for instance Alarm")
    parser.add_argument("--output", help="also write the table here, tab-separated")
    options = parser.parse_args(argv)
    for package in sorted({tool.package for tool in TOOLS if tool.version is None}):
        print(f"{package} is not installed and left out (envs/bench-requirements.txt has it)")
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    rows: list[dict] = []
    unfinished: set = set()
    for make in problems(options.quick):
        problem = make()
        if not options.only or problem.name.startswith(options.only):
            rows += rows_of(problem, options.seconds_per_peer, unfinished)
    rows = with_ratios(rows)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; limit {options.seconds_per_peer:g} s for each tool")
    print_table(rows)
    if options.output:
        write_table(rows, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
