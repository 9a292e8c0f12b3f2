"""Orient a region under several settings and on several samples, and say how often each direction is compelled.

Discrete tables are scored by BDeu, others by the kernel generalised variance of Bach and Jordan (2002); the search is
greedy equivalence search (ges) or the thesis's hill-climbing. Each setting sees all examples, and each resample.

example:
  python scripts/orient_region.py --data results/lucas0/data --region results/lucas0/region.tsv \\
      --output orientation.tsv --pdags pdags.tsv

The work can be spread over several jobs, with the same answer: --chunk 2/5 --part FILE does the second fifth of it, and
--parts FILE ... puts all parts together.
"""

import sys

from himation import cli
from himation.errors import UserError
from himation.orientation.group_options import add_group_arguments, factors_from


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    add_group_arguments(parser)
    parser.add_argument("--region", required=True, metavar="FILE", help="edges written by find_region.py")
    from himation.orientation.averaging import RESAMPLES, SEARCHES
    from himation.orientation.scores.by_name import SCORES

    parser.add_argument("--score", choices=["auto", *SCORES], default="auto", help="what to maximise")
    parser.add_argument("--search", choices=SEARCHES, default="ges", help="how to maximise it")
    parser.add_argument("--prior", choices=["sparse", "uniform"], default="sparse", help="of the graphs (bdeu and bic)")
    parser.add_argument("--equivalent-sample-size", nargs="+", type=float, default=[1, 5, 10], help="settings of BDeu")
    parser.add_argument("--sigma", nargs="+", type=float, default=[1, 2], help="widths of the Gaussian kernel")
    parser.add_argument("--kappa", nargs="+", type=float, default=[0.01], help="regularisation of the kernel score")
    parser.add_argument(
        "--dimension", choices=["smooth", "counted"], default="smooth", help="what the kernel score charges for"
    )
    parser.add_argument("--patience", type=int, default=100, help="idle steps that end hill-climbing")
    parser.add_argument("--bootstraps", type=int, default=0, help="resamples beside the sample itself")
    parser.add_argument(
        "--resample", choices=RESAMPLES, default="bootstrap", help="all with, or half without repetition"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the resamples")
    parser.add_argument("--threads", type=int, default=1, help="processes to use; the answer is the same")
    parser.add_argument("--output", metavar="FILE", help="share of settings for each direction")
    parser.add_argument("--pdags", metavar="FILE", help="the graph of each setting to write")
    cli.add_chunk_arguments(parser, "graphs")
    return parser


@cli.command
def main(args):
    from himation.files.nodes import Nodes
    from himation.files.orientation_table import read_parts, write_orientation, write_part
    from himation.files.region_files import read_region
    from himation.orientation.averaging import Averaging, assemble, edge_shares, orient, settings_for

    if not args.part and not (args.output and args.pdags):
        raise UserError("give --output FILE and --pdags FILE, or --part FILE")
    table = cli.load_table(args)
    nodes = Nodes(table)
    region = read_region(args.region, None, nodes)
    factors = factors_from(args, table)
    searched, small = (factors.table, factors.contract(region)) if factors else (table, region)
    kind = "mixed" if table.target_kind == "continuous" else searched.kind
    sizes, widths = args.equivalent_sample_size, args.sigma
    settings = settings_for(kind, args.score, sizes, widths, args.kappa, args.prior, args.dimension)
    averaging = Averaging(args.search, args.patience, args.bootstraps, args.resample, args.seed)
    if args.parts:
        oriented = assemble(settings, averaging, read_parts(args.parts, len(small.nodes)))
    else:
        progress = cli.Progress("orient_region")
        oriented = orient(searched, small, settings, averaging, args.threads, progress, args.chunk)
    if args.part:
        write_part(args.part, oriented)
        cli.log.info("orient_region: %d graphs, part %d of %d", len(oriented), *args.chunk)
        return
    oriented = factors.expand_settings(small, region, oriented) if factors else oriented
    shares = edge_shares(region, oriented)
    write_orientation(args.output, args.pdags, nodes, region, oriented, shares)
    sure = sum(max(edge.forward, edge.backward) == 1 for edge in shares)
    what = f"{len(region.nodes) - 1} variables, {len(settings)} settings on {args.bootstraps + 1} samples"
    cli.log.info("orient_region: %s; %d of %d edges directed alike in all", what, sure, len(shares))


if __name__ == "__main__":
    sys.exit(main())
