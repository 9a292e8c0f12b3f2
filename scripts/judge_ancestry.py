"""Judge how likely each variable related to the target is a cause of it, from clues and from drawn networks.

Oriented graphs see the region around the target. This step sees all variables, and weighs marginal clues by what they
meant in simulated problems with known graphs (himation/selection/ancestry.py); and it draws networks of up to a hundred
variables from their posterior, and counts how many have each variable above the target (himation/selection/sampled.py).

example:
  python scripts/judge_ancestry.py --data results/x/data --output ancestry.tsv
"""

import sys

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--output", required=True, metavar="FILE", help="probabilities, shares of networks and clues")
    return parser


@cli.command
def main(args):
    from himation.files.ancestry_table import write_ancestry
    from himation.files.nodes import Nodes
    from himation.selection.ancestry import judge

    table = cli.load_table(args)
    found = judge(table, progress=cli.Progress("judge_ancestry"))
    write_ancestry(args.output, Nodes(table), found)
    likely = sum(p >= 0.5 for p in found.probability.values())
    cli.log.info(
        "judge_ancestry: %d variables judged, %d likely ancestors of the target; networks of %d variables count %.2f",
        len(found.probability),
        likely,
        len(found.shares),
        found.network_trust,
    )


if __name__ == "__main__":
    sys.exit(main())
