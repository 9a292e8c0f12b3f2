"""Read a table and its target, check and type the columns, and keep them in a compact folder.

Continuous columns are standardised, binary ones become bits, discrete ones bytes; constant and duplicate columns are
dropped and reported; with calibrants, spatially correlated noise is removed from the training table first.

example:
  python scripts/prepare_data.py --train train.csv --target outcome --test test.csv --output prepared
"""

import sys

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    cli.add_source_arguments(parser, required=True)
    parser.add_argument("--output", metavar="FOLDER", required=True, help="where the prepared data set goes")
    return parser


@cli.command
def main(args):
    from himation.files import prepared
    from himation.files.dataset import read_dataset

    table = read_dataset(cli.source_from(args))
    prepared.save(table, args.output)
    positive = int((table.target > 0).sum())
    examples = f"{table.train.n} examples ({positive} labelled {table.labels[1]})"
    test = f", {table.test.n} test examples" if table.test else ""
    cli.log.info("prepare_data: %s, %d %s variables%s", examples, table.n_variables, table.kind, test)
    for warning in table.warnings:
        cli.log.warning("prepare_data: %s", warning)


if __name__ == "__main__":
    sys.exit(main())
