"""Check every table that data sets name, and all lists and truths, before any long work.

Ends in one line that names the place and the fix if something is wrong, with exit status 1; writes where the results
of each data set's training table are. scripts/check_config.py does the same for a configuration that has not been run.

example:
  python scripts/check_tables.py --output checked.tsv --datasets '[{"id": "a", "train": "a.csv", "target": "y",
      "types": "auto", "missing": "error", "manipulation": "none"}]'
"""

import json
import sys

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--datasets", required=True, metavar="JSON", help="data sets as the configuration lists them")
    parser.add_argument("--seed", type=int, default=1, help="seed of those that are simulated")
    parser.add_argument("--output", required=True, metavar="FILE", help="table of data sets to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import write_tsv
    from himation.files.checking import check_datasets
    from himation.files.entries import training_places

    try:
        entries = json.loads(args.datasets)
    except json.JSONDecodeError as error:
        raise UserError(f"--datasets: not JSON ({error})") from None
    check_datasets(entries, args.seed)
    write_tsv(args.output, ("dataset", "training"), training_places(entries).items())
    cli.log.info("check_tables: %d data sets in order", len(entries))


if __name__ == "__main__":
    sys.exit(main())
