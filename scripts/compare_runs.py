"""Put the scores of several runs on the same data sets side by side: one line for each data set and score.

A run is a folder of results. Data sets that only some of the runs have are left out, and said to be.

example:
  snakemake --directory ours --configfile workflow/presets/beside.yaml
  snakemake --directory thesis --configfile workflow/presets/thesis.yaml workflow/presets/beside.yaml
  python scripts/compare_runs.py --runs ours/results thesis/results --output beside.tsv
"""

import sys
from pathlib import Path

from himation import cli
from himation.errors import UserError

SCORES = ("Fnum", "Fscore", "Dscore", "Tscore")
OF = "selected variables"


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--runs", nargs="+", required=True, metavar="FOLDER", help="folders of results, two or more")
    parser.add_argument(
        "--names", nargs="+", metavar="NAME", help="their names in the table; else those of the folders"
    )
    parser.add_argument("--output", required=True, metavar="FILE", help="table to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_tsv, write_tsv

    names = args.names or [str(Path(run).parent.name or run) for run in args.runs]
    if len(args.runs) < 2 or len(names) != len(args.runs) or len(set(names)) < len(names):
        raise UserError("give two runs or more, each with a name of its own (--names)")
    found = [_scores(Path(run), read_tsv) for run in args.runs]
    shared = [name for name in found[0] if all(name in one for one in found)]
    if not shared:
        raise UserError(f"no data set with scores is in all of {', '.join(args.runs)}")
    alone = sorted({name for one in found for name in one} - set(shared))
    if alone:
        cli.log.warning("compare_runs: not in every run: %s", ", ".join(alone))
    rows = [
        [name, score, *(one[name][score] for one in found)]
        for name in shared
        for score in SCORES
        if all(score in one[name] for one in found)
    ]
    write_tsv(args.output, ("data_set", "score", *names), rows)
    cli.log.info("compare_runs: %d data sets in %s", len(shared), args.output)


def _scores(run: Path, read) -> dict[str, dict[str, float]]:
    """The scores of the selected variables of every data set."""
    found = {}
    for path in sorted(run.glob("*/scores.tsv")):
        rows = [row for row in read(path) if row["of"] == OF and row["score"] in SCORES]
        found[path.parent.name] = {row["score"]: float(row["value"]) for row in rows}
    return found


if __name__ == "__main__":
    sys.exit(main())
