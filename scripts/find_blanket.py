"""Find the Markov blanket of the target by one method.

Writes the members with score and rank (1 is best) as a table. The methods:

METHODS
examples:
  python scripts/find_blanket.py --train train.csv --target outcome --method mmmb --output blanket.tsv
  python scripts/find_blanket.py --data results/lucas0/data --method fsmb --degree 2 --output blanket.tsv
  python scripts/find_blanket.py --data results/lucas0/data --method kiamb --runs 100 --details all.json --output b.tsv
"""

import sys

from himation import cli
from himation.methods import METHODS, PARAMETERS, finder
from himation.test_names import TESTS


def arguments():
    about = "".join(f"  {name:13s} {method.about}\n" for name, method in METHODS.items())
    parser = cli.parser(__doc__.replace("METHODS\n", about + "\n"))
    cli.add_table_arguments(parser)
    parser.add_argument("--method", required=True, metavar="NAME", help="which finder: " + ", ".join(METHODS))
    parser.add_argument("--independence", default="auto", help="test of independence: " + ", ".join(TESTS))
    group = parser.add_argument_group("parameters of methods; what is absent is the method's own")
    for key, parameter in PARAMETERS.items():
        takers = ", ".join(name for name, method in METHODS.items() if key in method.parameters)
        about = f"{parameter.about} ({takers})".replace("%", "%%")
        name, choices = f"--{key.replace('_', '-')}", parameter.choices or None
        group.add_argument(name, type=parameter.kind, choices=choices, help=about)
    parser.add_argument("--seed", type=int, default=1, help="seed of folds and held-out parts")
    parser.add_argument("--threads", type=int, default=1, help="threads to use; the answer is the same")
    parser.add_argument("--output", required=True, metavar="FILE", help="table of members to write")
    parser.add_argument("--details", metavar="FILE", help="parameters, features and other details to write, as JSON")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import write_json
    from himation.files.blanket_table import write_blanket
    from himation.files.nodes import Nodes
    from himation.finders import Context, check_settings

    find = finder(args.method)
    settings = {key: getattr(args, key) for key in PARAMETERS if getattr(args, key) is not None}
    check_settings(args.method, settings)
    table = cli.load_table(args, any_target=True)
    context = Context(args.independence, args.seed, args.threads, cli.Progress(f"find_blanket {args.method}"))
    found = find(table, settings, context)
    for said in ("starts", "rows"):
        if said in found.details:
            cli.log.info("find_blanket %s: %s", args.method, found.details[said])
    if "warning" in found.details:
        cli.log.warning("find_blanket %s: %s", args.method, found.details["warning"])
    nodes = Nodes(table)
    write_blanket(args.output, nodes, found.members, found.scores)
    if args.details:
        features = [[[nodes.column(x), power] for x, power in feature] for feature in found.features]
        details = {"method": args.method, "settings": settings, "features": features, **found.details}
        write_json(args.details, details)
    names = ", ".join(nodes.name(x) for x in found.members[:10])
    more = ", ..." if len(found.members) > 10 else ""
    cli.log.info("find_blanket %s: %d members: %s%s", args.method, len(found.members), names or "none", more)


if __name__ == "__main__":
    sys.exit(main())
