"""Orient the edges of a region under several settings of a score, and say how often each direction is compelled.

Discrete tables are scored by BDeu, others by the kernel generalised variance of Bach and Jordan (2002).

example:
  python scripts/orient_region.py --data results/lucas0/data --region results/lucas0/region.tsv \\
      --output orientation.tsv --pdags pdags.tsv
"""

import sys

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--region", required=True, metavar="FILE", help="edges written by find_region.py")
    parser.add_argument("--score", choices=["auto", "bdeu", "kernel"], default="auto", help="what to maximise")
    parser.add_argument(
        "--equivalent-sample-size", nargs="+", type=float, default=[1, 5, 10, 20], help="settings of BDeu"
    )
    parser.add_argument("--sigma", nargs="+", type=float, default=[0.5, 1, 2], help="widths of the Gaussian kernel")
    parser.add_argument("--kappa", nargs="+", type=float, default=[0.01], help="regularisation of the kernel score")
    parser.add_argument("--patience", type=int, default=100, help="steps without improvement that end the search")
    parser.add_argument("--output", required=True, metavar="FILE", help="share of settings for each direction")
    parser.add_argument("--pdags", required=True, metavar="FILE", help="the graph of each setting to write")
    return parser


@cli.command
def main(args):
    from himation.files.nodes import Nodes
    from himation.files.orientation_table import write_orientation
    from himation.files.region_table import read_region
    from himation.orientation import edge_shares, orient, settings_for

    table = cli.load_table(args)
    nodes = Nodes(table)
    region = read_region(args.region, None, nodes)
    settings = settings_for(table.kind, args.score, args.equivalent_sample_size, args.sigma, args.kappa)
    oriented = orient(table, region, settings, args.patience, cli.Progress("orient_region"))
    shares = edge_shares(region, oriented)
    write_orientation(args.output, args.pdags, nodes, region, oriented, shares)
    sure = sum(max(edge.forward, edge.backward) == 1 for edge in shares)
    cli.log.info(
        "orient_region: %d variables, %d settings; %d of %d edges directed alike in all",
        len(region.nodes) - 1,
        len(oriented),
        sure,
        len(shares),
    )


if __name__ == "__main__":
    sys.exit(main())
