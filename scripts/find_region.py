"""Find the region around the target: its neighbours, their neighbours, and so on to a given depth.

MMPC runs breadth-first, one edge further than the depth asked for, so that the outermost v-structures can be seen.
Writes the edges, and for every pair without an edge the set that separated it.

example:
  python scripts/find_region.py --data results/lucas0/data --depth 3 --output region.tsv --separations separations.tsv
"""

import sys

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    cli.add_independence_arguments(parser)
    parser.add_argument("--depth", type=int, default=3, help="edges from the target")
    parser.add_argument("--most-variables", type=int, default=400, help="stop, with a warning, at this many")
    parser.add_argument("--threads", type=int, default=1, help="threads to use; the answer is the same")
    parser.add_argument("--output", required=True, metavar="FILE", help="edges to write")
    parser.add_argument("--separations", required=True, metavar="FILE", help="separating sets to write")
    return parser


@cli.command
def main(args):
    from himation.files.nodes import Nodes
    from himation.files.region_table import write_region
    from himation.region import find_region
    from himation.table_tests import neighbours_for

    table = cli.load_table(args)
    settings = {"alpha": args.alpha, "max_conditioning": args.max_conditioning, "symmetry": args.symmetry}
    neighbours = neighbours_for(table, args.independence, settings, threads=args.threads)
    progress = cli.Progress("find_region")
    region = find_region(neighbours, table.n_variables, args.depth, args.most_variables, progress)
    write_region(args.output, args.separations, Nodes(table), region)
    if not region.complete:
        cli.log.warning("find_region: cut off at %d variables; a smaller alpha or depth helps", args.most_variables)
    layers = [region.depth.count(level) for level in range(1, args.depth + 2)]
    cli.log.info("find_region: %d edges; variables by depth: %s", len(region.edges), ", ".join(map(str, layers)))


if __name__ == "__main__":
    sys.exit(main())
