"""Put together, for every variable near the target, what the thesis's rule goes by: oriented graphs and Y-tests.

example:
  python scripts/combine_evidence.py --data results/x/data --orientation results/x/orientation.tsv \\
      --y-tests results/x/y_tests.tsv --colliders results/x/colliders.tsv --output evidence.tsv
"""

import sys

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--orientation", required=True, metavar="FILE", help="table of orient_region.py")
    parser.add_argument("--y-tests", required=True, metavar="FILE", help="Y-tests of test_confounding.py")
    parser.add_argument("--colliders", required=True, metavar="FILE", help="colliders of test_confounding.py")
    parser.add_argument("--output", required=True, metavar="FILE", help="evidence to write")
    return parser


@cli.command
def main(args):
    from himation.confounding.ytest import arrowheads
    from himation.files.evidence_table import write_evidence
    from himation.files.nodes import Nodes
    from himation.files.orientation_table import read_orientation
    from himation.files.ytest_table import read_y_tests
    from himation.selection.evidence import combine

    nodes = Nodes(cli.load_table(args))
    tests, colliders = read_y_tests(args.y_tests, args.colliders, nodes)
    evidence = combine(nodes.target, read_orientation(args.orientation, nodes), tests, arrowheads(colliders))
    write_evidence(args.output, nodes, evidence)
    near = sum(item.neighbour for item in evidence.values())
    cli.log.info("combine_evidence: %d neighbours of the target, %d possible spouses", near, len(evidence) - near)


if __name__ == "__main__":
    sys.exit(main())
