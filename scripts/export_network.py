"""Write the sampled networks as one graph for other programs.

GraphML (Gephi, Cytoscape, networkx) and DOT (Graphviz) have every edge that a tenth of the networks have, with its
probability and whether it belongs to the consensus, the edges of most networks; GraphML has the roles too. --bif has
the consensus with its tables of chances, where all variables are discrete: pgmpy and others read it and answer queries.

example:
  python scripts/export_network.py --data results/x/data --networks results/x/networks.npz \\
      --graphml graph.graphml --dot graph.dot --bif graph.bif
"""

import sys

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--networks", required=True, metavar="FILE", help="networks of sample_networks.py")
    for kind in ("graphml", "dot", "bif"):
        parser.add_argument(f"--{kind}", metavar="FILE", help=f"{kind.upper()} to write")
    return parser


@cli.command
def main(args):
    from himation.files.graph_files import Graph, write_bif, write_dot, write_graphml
    from himation.files.networks_file import read_networks
    from himation.files.nodes import Nodes

    if not (args.graphml or args.dot or args.bif):
        raise UserError("give at least one of --graphml, --dot and --bif")
    table = cli.load_table(args)
    graph = Graph(table, read_networks(args.networks, Nodes(table)))
    for path, write in ((args.graphml, write_graphml), (args.dot, write_dot), (args.bif, write_bif)):
        if path:
            write(path, graph)
    sizes = len(graph.members) - 1, len(graph.edges), len(graph.consensus)
    cli.log.info("export_network: %d variables, %d edges, %d of them in the consensus", *sizes)


if __name__ == "__main__":
    sys.exit(main())
