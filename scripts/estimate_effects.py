"""Estimate for every variable what setting it would do to the target: the change of P(positive), with an interval.

Averaged over the sampled networks, and in each over the parameters of a regression that adjusts for the variable's
parents (himation/posterior/effects.py). Numbers are moved from their 10th to their 90th percentile, words from the
commonest to each other one. With --variable, --from and --to one change of your own is worked out, and printed.

example:
  python scripts/estimate_effects.py --data results/x/data --networks results/x/networks.npz --output effects.tsv
  python scripts/estimate_effects.py --data results/x/data --networks results/x/networks.npz \\
      --variable dose --from 10 --to 25
"""

import sys

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--networks", required=True, metavar="FILE", help="networks of sample_networks.py")
    parser.add_argument("--seed", type=int, default=1, help="of the draws")
    parser.add_argument("--variable", metavar="NAME", help="name or 1-based column of one variable")
    parser.add_argument("--from", dest="before", metavar="VALUE", help="with --variable: the value it has")
    parser.add_argument("--to", dest="after", metavar="VALUE", help="with --variable: the value it is set to")
    parser.add_argument("--output", metavar="FILE", help="effects of all variables to write")
    return parser


@cli.command
def main(args):
    from himation.files.effects_table import write_effects
    from himation.files.networks_file import read_networks
    from himation.files.nodes import Nodes
    from himation.files.results import one_effect
    from himation.posterior.effects import effects

    if bool(args.output) == bool(args.variable):
        raise UserError("give --output for all variables, or --variable with --from and --to for one change")
    if args.variable and None in (args.before, args.after):
        raise UserError("--variable goes with --from and --to")
    table = cli.load_table(args)
    nodes = Nodes(table)
    networks = read_networks(args.networks, nodes)
    if args.variable:
        found = one_effect(table, networks, args.variable, args.before, args.after, args.seed)
        print(
            f"{found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f}); a cause in {found.p_cause:.0%} of the networks"
        )
        return
    changes = effects(table, networks, args.seed, cli.Progress("estimate_effects"))
    write_effects(args.output, nodes, changes)
    for change in changes[:3]:
        found = change.effect
        moved = f"{nodes.name(change.variable)} from {change.before} to {change.after}"
        cli.log.info("estimate_effects: %s: %+.3f (%+.3f to %+.3f)", moved, found.mean, found.low, found.high)


if __name__ == "__main__":
    sys.exit(main())
