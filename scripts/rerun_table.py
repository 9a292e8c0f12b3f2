"""Rerun a published experiment and put its figures beside ours.

The experiments:

RERUNS
example:
  python scripts/rerun_table.py --table pena-6 --samples 3 --output pena-6.tsv
"""

import sys
from datetime import UTC, datetime

from himation import cli
from himation.errors import UserError
from himation.rerun_list import RERUNS, runner


def arguments():
    about = "".join(f"  {name:20s} {rerun.about}\n" for name, rerun in RERUNS.items())
    parser = cli.parser(__doc__.replace("RERUNS\n", about + "\n"))
    parser.add_argument("--table", required=True, metavar="NAME", help="which experiment")
    parser.add_argument("--samples", type=int, help="data sets drawn for each case; absent: as many as the paper drew")
    parser.add_argument("--seed", type=int, default=1, help="seed of all samples")
    parser.add_argument("--threads", type=int, default=1, help="processes to use; the answer is the same")
    parser.add_argument("--output", required=True, metavar="FILE", help="table to write")
    parser.add_argument("--facts", metavar="FILE", help="also write samples, seed, date and versions, as JSON")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import write_json, write_tsv
    from himation.files.provenance import versions
    from himation.studies.reruns import COLUMNS, rows_of

    if args.table not in RERUNS:
        raise UserError(f"unknown experiment {args.table!r}; known are {', '.join(RERUNS)}")
    samples = args.samples or RERUNS[args.table].samples
    lines = runner(args.table)(samples, args.seed, args.threads, cli.Progress(f"rerun {args.table}"))
    rows = rows_of(lines)
    write_tsv(args.output, COLUMNS, rows)
    if args.facts:
        facts = {"samples": samples, "seed": args.seed, "date": str(datetime.now(UTC).date()), "versions": versions()}
        write_json(args.facts, facts)
    compared = [line for line in lines if line.published is not None]
    cli.log.info("rerun_table %s: %d figures, %d with a published one", args.table, len(rows), len(compared))


if __name__ == "__main__":
    sys.exit(main())
