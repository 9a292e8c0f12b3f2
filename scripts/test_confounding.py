"""Apply the Y-test to every quadruple of the region: which edges are causal, not confounded.

Writes every quadruple that passed with its p-score (the smallest p-value of the independencies it relies on), and the
colliders found on the way.

example:
  python scripts/test_confounding.py --data results/lucas0/data --region results/lucas0/region.tsv \\
      --separations results/lucas0/separations.tsv --output y_tests.tsv --colliders colliders.tsv
"""

import sys

from himation import cli
from himation.test_names import TESTS


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--region", required=True, metavar="FILE", help="edges written by find_region.py")
    parser.add_argument("--separations", required=True, metavar="FILE", help="separating sets of find_region.py")
    parser.add_argument("--independence", default="auto", help="test of independence: " + ", ".join(TESTS))
    parser.add_argument("--alpha", type=float, default=0.05, help="level of the test of condition 5")
    parser.add_argument("--output", required=True, metavar="FILE", help="Y-tests to write")
    parser.add_argument("--colliders", required=True, metavar="FILE", help="colliders to write")
    return parser


@cli.command
def main(args):
    from himation.files.nodes import Nodes
    from himation.files.region_table import read_region
    from himation.files.ytest_table import write_y_tests
    from himation.table_tests import test_for
    from himation.ytest import find_colliders, y_tests

    table = cli.load_table(args)
    nodes = Nodes(table)
    region = read_region(args.region, args.separations, nodes)
    colliders = find_colliders(region, test_for(table, args.independence), args.alpha)
    passed = y_tests(region, colliders)
    write_y_tests(args.output, args.colliders, nodes, passed, colliders)
    at_target = sum(nodes.target in (test.c, test.d) for test in passed)
    cli.log.info(
        "test_confounding: %d colliders, %d Y-tests passed, %d at the target", len(colliders), len(passed), at_target
    )


if __name__ == "__main__":
    sys.exit(main())
