"""Put results of whole runs with the preset `thesis` beside published ones, as rerun_table.py does with experiments.

Tables V-1 and V-2 take two runs on the challenge's simulated tasks, one as the preset is and one with the rule
`natural`; figure V-4 takes one run on REGED's own training table.

example:
  python scripts/collect_whole_runs.py --thesis thesis/results --natural natural/results --output results/reruns
  python scripts/collect_whole_runs.py --reged reged/results --output results/reruns
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--thesis", metavar="FOLDER", help="results of the preset on the simulated tasks")
    parser.add_argument("--natural", metavar="FOLDER", help="results with the natural blanket everywhere")
    parser.add_argument("--reged", metavar="FOLDER", help="results on REGED's own training table")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where rerun_table.py leaves .tsv and .json")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_tsv, write_json, write_tsv
    from himation.files.provenance import versions
    from himation.studies.reproduction import whole
    from himation.studies.reruns import COLUMNS, rows_of

    if not (args.thesis or args.reged) or (args.natural and not args.thesis):
        raise UserError("give --thesis, with --natural for table V-2, or --reged")
    made = {}
    if args.thesis:
        natural = _scores(args.natural, read_tsv) if args.natural else {}
        made["thesis-challenge"] = whole.of_challenge(_scores(args.thesis, read_tsv), natural)
    if args.reged:
        scores = _scores(args.reged, read_tsv)
        made["thesis-reged"] = whole.of_reged(scores, read_tsv(Path(args.reged) / "reged0/thesis.tsv"))
    facts = {"samples": 1, "seed": 1, "date": str(datetime.now(UTC).date()), "versions": versions()}
    for name, lines in made.items():
        write_tsv(Path(args.output) / f"{name}.tsv", COLUMNS, rows_of(lines))
        write_json(Path(args.output) / f"{name}.json", facts)
        cli.log.info("collect_whole_runs: %d figures of %s", len(lines), name)


def _scores(run: str, read) -> dict[str, list[dict[str, str]]]:
    """The rows of scores.tsv of every data set."""
    found = {path.parent.name: read(path) for path in sorted(Path(run).glob("*/scores.tsv"))}
    if not found:
        raise UserError(f"{run}: has no data set with scores.tsv")
    return found


if __name__ == "__main__":
    sys.exit(main())
