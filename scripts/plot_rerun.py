"""Plot a rerun experiment: curves with 95 % bands, or the seconds against the number of variables.

example:
  python scripts/plot_rerun.py --table results/reruns/thesis-wide.tsv --output results/reruns/thesis-wide.svg
"""

import sys

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--table", required=True, metavar="FILE", help="table of rerun_table.py")
    parser.add_argument("--output", required=True, metavar="FILE", help="figure to write, .svg or .png")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_tsv, replacing
    from himation.studies.reruns.plot import curves, draw, growth, series

    rows = read_tsv(args.table)
    by_value, by_size, kind = curves(rows), series(rows), args.output.rsplit(".", 1)[-1]
    if not by_value and not by_size:
        raise UserError(f"{args.table}: has no curves and no seconds by number of variables to plot")
    with replacing(args.output) as draft:
        if by_value:
            draw(by_value, draft, kind)
        else:
            growth(by_size, draft, kind)
    cli.log.info("plot_rerun: %s", args.output)


if __name__ == "__main__":
    sys.exit(main())
