"""Judge how likely each variable related to the target is an ancestor of it, from correlations alone.

Oriented graphs see the region around the target; this step sees all variables, and weighs marginal clues by what they
meant in simulated problems with known graphs (himation/selection/ancestry.py).

example:
  python scripts/judge_ancestry.py --data results/x/data --output ancestry.tsv
"""

import sys

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--output", required=True, metavar="FILE", help="probabilities and clues to write")
    return parser


@cli.command
def main(args):
    from himation.files.ancestry_table import write_ancestry
    from himation.files.nodes import Nodes
    from himation.selection.ancestry import judge

    table = cli.load_table(args)
    found = judge(table)
    write_ancestry(args.output, Nodes(table), found)
    likely = sum(p >= 0.5 for p in found.probability.values())
    cli.log.info(
        "judge_ancestry: %d variables judged, %d likely ancestors of the target", len(found.probability), likely
    )


if __name__ == "__main__":
    sys.exit(main())
