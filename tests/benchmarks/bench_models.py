"""How long the grid of SVMs and the final model take at the sizes of the challenge, and what a full search would gain.

    python tests/benchmarks/bench_models.py --sizes reged cina sido --output results/bench_models.tsv

Ours is what the workflow does with its defaults: a search of the 54 settings of the thesis (V.2.7) by halving on at
most 2,000 examples, then one machine on all of them; beside it the workflow's default kind of model, `bagged`.
Against it:

* 500 examples: every setting in all ten folds, by our search and by scikit-learn's GridSearchCV on the same folds;
* more: every setting trained on three quarters and tried on the fourth, by default for each quarter in turn, and the
  best trained again on all examples;
* the best of all 54 on the test sample, each trained on all examples: what no choice can exceed, and none can know.

Every AUC is that on the same test sample. "cpu" counts all threads and bounds what an idle machine takes on the
clock; on a busy one it is the better figure. What is finished is kept in OUTPUT.cache, a line for each machine: a run
that was stopped goes on from there, and --report makes the table of what there is so far.
"""

import argparse
import os
import sys
from dataclasses import asdict

import library_path  # noqa: F401
import model_runs
from machine_cache import Cache
from model_problems import SIZES, Wanted, draw

from himation.svm import MAX_ITERATIONS

COLUMNS = ("problem", "way", "setting", "seconds", "cpu", "cpu_search", "cpu_final", "auc", "below_exhaustive", "note")
PROMISED_AUC = 0.002
QUICK = 0.1


def table(cache: Cache, title: str, key: str, quarters: int) -> list[dict]:
    """Lines of one problem; differences are to the choice of the exhaustive search."""
    lines = [asdict(line) for line in model_runs.lines(cache, key, quarters)]
    chosen = next((line["auc"] for line in lines if line["way"] == model_runs.EXHAUSTIVE), None)
    for line in lines:
        if chosen is not None and line["auc"] is not None:
            line["below_exhaustive"] = chosen - line["auc"]
    return [{"problem": title, **line} for line in lines]


def verdict(rows: list[dict], title: str, limit: float) -> str:
    """The claim, held against what was measured."""
    found = next((row for row in rows if row["way"] == model_runs.OURS), None)
    if found is None:
        return f"{title}: not measured yet"
    time = f"{found['cpu']:.0f} s of the processor, {found['seconds']:.0f} s on this clock, promised {limit:.0f} s"
    held = "held" if found["cpu"] < limit else "held on this clock" if found["seconds"] < limit else "FAILED"
    below = found.get("below_exhaustive")
    if below is None:
        return f"{title}: {time}: {held}; exhaustive search not finished"
    close = "held" if below <= PROMISED_AUC else "FAILED"
    return f"{title}: {time}: {held}; AUC {below:+.4f} below exhaustive, promised {PROMISED_AUC}: {close}"


def text(value) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) and abs(value) < 1 else str(value)


def cells(row: dict) -> list[str]:
    long = {column: row[column] for column in ("seconds", "cpu", "cpu_search", "cpu_final") if row[column] is not None}
    return [f"{long[column]:.1f}" if column in long else text(row.get(column)) for column in COLUMNS]


def show(rows: list[dict], output: str) -> None:
    lines = [list(COLUMNS), *map(cells, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    with open(output, "w", encoding="utf-8") as file:
        file.write("".join("\t".join(line) + "\n" for line in lines))


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", choices=list(SIZES), default=list(SIZES), help="problems to run")
    parser.add_argument("--output", required=True, metavar="FILE", help="table to write; FILE.cache keeps what is done")
    parser.add_argument("--seed", type=int, default=1, help="of the simulation and of the folds")
    parser.add_argument("--test-rows", type=int, default=20_000, help="examples of the test sample")
    parser.add_argument("--threads", type=int, default=2, help="of our search, as in the workflow")
    parser.add_argument("--max-iterations", type=int, default=MAX_ITERATIONS, help="cap for a machine of the full grid")
    parser.add_argument("--quarters", type=int, choices=(1, 2, 3, 4), default=4, help="how many are held out in turn")
    parser.add_argument("--quick", action="store_true", help="a tenth of the examples, to see it work")
    parser.add_argument("--report", action="store_true", help="the table of what is finished; nothing is run")
    options = parser.parse_args(argv)
    cache = Cache(f"{options.output}.cache")
    rows, verdicts = [], []
    for name in options.sizes:
        part = QUICK if options.quick and name != "reged" else 1.0
        wanted = Wanted(name, options.seed, part, options.test_rows)
        if not options.report:
            model_runs.run(draw(wanted), cache, options.threads, options.max_iterations, options.quarters)
        rows += (found := table(cache, wanted.title, wanted.key, options.quarters))
        verdicts.append(verdict(found, wanted.title, wanted.size.seconds))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; iterations capped at {options.max_iterations:,}")
    show(rows, options.output)
    print(*verdicts, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
