"""Sample networks around the target from their posterior: roles, selection and expectations are averages over them.

Several chains draw, each over its own part of the variables that matter (himation/posterior/networks.py). What the
chains don't agree about is named, and how to make them longer. What is known of causes (prepare_data.py --knowledge) is
obeyed, and held against networks that are drawn without it.

example:
  python scripts/sample_networks.py --data results/x/data --seed 1 --output networks.npz
"""

import sys

from himation import cli


def arguments():
    from himation.posterior.settings import Settings

    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument(
        "--chains", type=int, default=Settings.chains, help="chains, each over its own part of the variables"
    )
    parser.add_argument(
        "--sweeps", type=int, default=Settings.sweeps, help="length of a chain; the first half is not used"
    )
    parser.add_argument("--nodes", type=int, default=Settings.nodes, help="variables of a chain")
    parser.add_argument("--seed", type=int, default=1, help="of the chains")
    parser.add_argument("--output", required=True, metavar="FILE", help="networks to write (.npz)")
    return parser


@cli.command
def main(args):
    from dataclasses import replace

    from himation.files.networks_file import write_networks
    from himation.files.nodes import Nodes
    from himation.posterior.averages import agreement, shares
    from himation.posterior.networks import Options, draw

    table = cli.load_table(args)
    nodes = Nodes(table)
    options = replace(Options.of(args.chains, args.sweeps, args.nodes, args.seed), with_doubts=True)
    networks = draw(table, options, cli.Progress("sample_networks"))
    write_networks(args.output, nodes, networks)
    found = shares(networks)
    likely = sum(one.ancestor >= 0.5 for one in found.values())
    told = f"{len(networks.chains)} chains, {len(found)} variables, {likely} of them likely ancestors of the target"
    cli.log.info("sample_networks: %s, its reliability %.2f", told, 1 / networks.reliability.mean)
    if networks.reliability.copy:
        cli.log.info("sample_networks: effects see a hidden copy of the target, r = %.2f", networks.reliability.copy)
    for doubt in networks.doubts:
        cli.log.warning("sample_networks: %s", doubt)
    agree = agreement(found)
    if not agree.converged:
        cli.log.warning("sample_networks: %s", agree.words(nodes.name))


if __name__ == "__main__":
    sys.exit(main())
