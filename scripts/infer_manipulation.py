"""Ask the unlabelled test table what was manipulated in it: for every variable the chance that somebody set it, or that
it was shifted, and weights of the networks as the test table sees them.

A variable was set if it no longer goes with its causes, and shifted if its mean, scale or strength changed and it still
does. Labels of the test table are not used. --prior is the share of manipulated variables before anything is seen; the
table then says better. Whether the selection acts on the answer is for the configuration (selection.test_inputs).

example:
  python scripts/infer_manipulation.py --data results/x/data --networks results/x/networks.npz --seed 1 \\
      --output manipulated.tsv --facts manipulated.json --of-networks manipulated.npz
"""

import sys

from himation import cli
from himation.errors import UserError


def arguments():
    from himation.posterior.settings import Settings

    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--networks", required=True, metavar="FILE", help="networks of sample_networks.py")
    parser.add_argument(
        "--prior", type=float, default=Settings.manipulated_share, help="share of variables that are manipulated"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the states that are drawn")
    parser.add_argument(
        "--why-not-used", default="", metavar="TEXT", help="why the selection doesn't act on the answer"
    )
    parser.add_argument("--output", required=True, metavar="FILE", help="table of all variables to write")
    parser.add_argument("--facts", required=True, metavar="FILE", help="facts on the whole to write (.json)")
    parser.add_argument("--of-networks", required=True, metavar="FILE", help="what each network says, to write (.npz)")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import write_json
    from himation.files.manipulated_file import facts, write_inferred, write_manipulated
    from himation.files.networks_file import read_networks
    from himation.files.nodes import Nodes
    from himation.posterior.manipulation import infer

    if not 0 < args.prior < 1:
        raise UserError(f"--prior {args.prior:g}: the share of manipulated variables lies between 0 and 1")
    table = cli.load_table(args)
    if table.test is None:
        raise UserError(f"{args.data}: the data set has no test table to ask")
    nodes = Nodes(table)
    inferred = infer(table, read_networks(args.networks, nodes), args.prior, args.seed)
    found = facts(table, inferred, not args.why_not_used, args.why_not_used or "the test table was asked", args.prior)
    write_manipulated(args.output, table, inferred)
    write_inferred(args.of_networks, nodes, inferred)
    write_json(args.facts, found)
    cli.log.info("infer_manipulation: %s", found["words"])
    for state in ("set", "shifted"):
        named = ", ".join(nodes.name(nodes.at(column)) for column in found[state][:10])
        more = f" and {len(found[state]) - 10} more" if len(found[state]) > 10 else ""
        cli.log.info("infer_manipulation: %s: %s%s", state, named or "none", more)


if __name__ == "__main__":
    sys.exit(main())
