"""Apply the Y-test to every quadruple of the region: which edges are causal, not confounded.

Writes every quadruple that passed with its weights: the p-score (the smallest p-value of the independencies it relies
on), the p-value of the dependence that shows C to be a common effect (the smaller, the better), and the log ratio of
the score of the structure to that of an empty graph (BDeu for discrete tables, BIC of Gaussian data otherwise); the
colliders found on the way; and for each edge how often it was found causal in each direction, with the best weights, by
the Y-test and by the original Y-structure of Mani, Spirtes and Cooper.

example:
  python scripts/test_confounding.py --data results/lucas0/data --region results/lucas0/region.tsv \\
      --separations results/lucas0/separations.tsv --output y_tests.tsv --colliders colliders.tsv --edges y_edges.tsv
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
    parser.add_argument("--alpha", type=float, default=0.05, help="level of the tests")
    cli.add_rows_argument(parser)
    parser.add_argument("--equivalent-sample-size", type=float, default=10, help="of BDeu")
    parser.add_argument("--output", required=True, metavar="FILE", help="Y-tests to write")
    parser.add_argument("--colliders", required=True, metavar="FILE", help="colliders to write")
    parser.add_argument("--edges", metavar="FILE", help="summary by edge to write")
    return parser


@cli.command
def main(args):
    from himation.confounding.y_edges import summarise, with_ratios
    from himation.confounding.y_structure import y_structures
    from himation.confounding.ytest import find_colliders, y_tests
    from himation.files.nodes import Nodes
    from himation.files.region_files import read_region
    from himation.files.ytest_table import write_y_edges, write_y_tests
    from himation.table_tests import test_for

    table = cli.load_table(args)
    nodes = Nodes(table)
    region = read_region(args.region, args.separations, nodes)
    test = test_for(table, args.independence, rows=args.rows)
    colliders = find_colliders(region, test, args.alpha)
    passed = with_ratios(y_tests(region, colliders), region, _score(table, region, args.equivalent_sample_size))
    write_y_tests(args.output, args.colliders, nodes, passed, colliders)
    structures = y_structures(region, colliders, test, args.alpha)
    if args.edges:
        write_y_edges(args.edges, nodes, summarise(region.edges, passed, structures))
    at_target = sum(nodes.target in (test.c, test.d) for test in passed)
    told = f"{len(colliders)} colliders, {len(passed)} Y-tests passed, {at_target} at the target"
    cli.log.info("test_confounding: %s; %d original Y-structures", told, len(structures))


def _score(table, region, equivalent_sample_size: float):
    """What the ratio is computed with: BDeu where all is discrete, otherwise the BIC of Gaussian data."""
    from dataclasses import replace

    from himation.confounding.y_edges import nodes_to_score
    from himation.orientation.averaging import region_sample
    from himation.orientation.scores.by_name import score_maker

    sample = region_sample(table, replace(region, nodes=nodes_to_score(region)))
    if sample.all_discrete:
        return score_maker(sample, "bdeu", equivalent_sample_size=equivalent_sample_size)(None)
    return score_maker(sample, "degenerate-gaussian")(None)


if __name__ == "__main__":
    sys.exit(main())
