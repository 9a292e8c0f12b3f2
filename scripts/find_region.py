"""Find the region around the target: its neighbours, their neighbours, and so on to a given depth.

MMPC, or another search, runs breadth-first, one edge further than the depth asked for, so that the outermost
v-structures can be seen. Writes the edges, and for every pair without an edge the set that separated it.

example:
  python scripts/find_region.py --data results/lucas0/data --depth 3 --output region.tsv --separations separations.tsv

The searches around the variables that depend on the target, which are most of the work, can be spread over several
jobs: --chunk 2/5 --part FILE does every fifth of them, from the second on, and --parts FILE ... goes on from there.
"""

import sys

from himation import cli
from himation.errors import UserError
from himation.orientation.group_options import add_group_arguments, factors_from
from himation.orientation.region_searches import OUTER_LAYERS, SEARCHES, SEPARATING_SETS


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    cli.add_independence_arguments(parser)
    add_group_arguments(parser)
    parser.add_argument("--at-target", choices=["and", "or"], default="or", help="--symmetry, for the target's edges")
    parser.add_argument("--depth", type=int, default=3, help="edges from the target")
    parser.add_argument("--search", choices=SEARCHES, default="mmpc", help="for parents and children of a variable")
    parser.add_argument("--expand", action="store_true", help="go further until the target's edges are oriented")
    parser.add_argument("--most-depth", type=int, default=6, help="but no further than this, with --expand")
    parser.add_argument("--most-variables", type=int, default=400, help="stop, with a warning, at this many")
    parser.add_argument(
        "--outer-layer", choices=OUTER_LAYERS, default="kept", help="what becomes of variables beyond the depth"
    )
    parser.add_argument(
        "--separating-sets", choices=SEPARATING_SETS, default="first", help="of a pair: the first, or the weakest"
    )
    parser.add_argument("--threads", type=int, default=1, help="threads to use; the answer is the same")
    parser.add_argument("--output", metavar="FILE", help="edges to write")
    parser.add_argument("--separations", metavar="FILE", help="separating sets to write")
    cli.add_chunk_arguments(parser, "searches")
    return parser


@cli.command
def main(args):
    from himation.files.nodes import Nodes
    from himation.files.region_files import read_searches, write_region
    from himation.orientation.region import expand_region, find_region, outer_layer
    from himation.rows import rows_used
    from himation.table_tests import neighbours_for, starting_points

    if not args.part and not (args.output and args.separations):
        raise UserError("give --output FILE and --separations FILE, or --part FILE")
    table = cli.load_table(args)
    settings = {"alpha": args.alpha, "max_conditioning": args.max_conditioning, "symmetry": args.symmetry}
    settings |= {"candidates": args.candidates, "rows": args.rows}
    factors = factors_from(args, table)
    searched = factors.table if factors else table
    settings["either"] = (searched.n_variables,) if args.at_target == "or" else ()
    neighbours = neighbours_for(searched, args.independence, settings, args.search, args.threads)
    cli.log.info("find_region: %s", starting_points(neighbours))
    if 0 < neighbours.test.n < table.train.n:
        cli.log.info("find_region: tests on %s", rows_used(neighbours.test.n, table))
    target, depth = searched.n_variables, args.depth
    if args.part:
        return search_chunk(neighbours, target, args)
    if args.parts:
        neighbours.remember(read_searches(args.parts, neighbours.test))
    progress = cli.Progress("find_region")
    if args.expand:
        limits = args.most_variables, args.most_depth
        region, depth = expand_region(neighbours, target, depth, *limits, progress, args.separating_sets)
    else:
        region = find_region(neighbours, target, depth, args.most_variables, progress, args.separating_sets)
    region = outer_layer(neighbours, region, depth, args.outer_layer)
    region = factors.expand(region) if factors else region
    write_region(args.output, args.separations, Nodes(table), region)
    if not region.complete:
        cli.log.warning("find_region: cut off at %d variables; a smaller alpha or depth helps", args.most_variables)
    layers = [region.depth.count(level) for level in range(1, depth + 2)]
    cli.log.info("find_region: %d edges; variables by depth: %s", len(region.edges), ", ".join(map(str, layers)))


def search_chunk(neighbours, target, args):
    from himation.files.region_files import write_searches

    i, n = args.chunk
    mine = neighbours.surely_wanted(target)[i - 1 :: n]
    neighbours.prefetch(mine)
    write_searches(args.part, map(neighbours.plain, mine), neighbours.test.n_variables)
    cli.log.info("find_region: searched around %d variables, part %d of %d", len(mine), i, n)


if __name__ == "__main__":
    sys.exit(main())
