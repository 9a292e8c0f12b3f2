"""Select the variables that survive the manipulation, and say of every variable what it is and why it is in or out.

What was manipulated: --manipulation none, unknown or the path of a list; or --manipulated and the names. The sets of
all rules are written; --rule says whose is taken.

example:
  python scripts/select_variables.py --data results/x/data --evidence results/x/evidence.tsv \\
      --networks results/x/networks.npz --blanket results/x/natural_blanket.tsv --manipulated Smoking 9 \\
      --output roles.tsv --selection selection.json
"""

import sys

from himation import cli
from himation.errors import UserError


def arguments():
    from himation.selection.rule_names import DEFAULT, RULES, Settings

    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--evidence", required=True, metavar="FILE", help="table of combine_evidence.py")
    parser.add_argument(
        "--networks", nargs="?", metavar="FILE", help="networks of sample_networks.py; the thesis's rule needs none"
    )
    parser.add_argument(
        "--candidates", nargs="+", metavar="FILE", help="details of fsmb: its neighbours are the thesis's candidates"
    )
    parser.add_argument(
        "--manipulated-networks",
        metavar="FILE",
        help="what infer_manipulation.py says of each network; goes with an unknown manipulation",
    )
    parser.add_argument("--blanket", required=True, metavar="FILE", help="natural blanket of compare_blankets.py")
    parser.add_argument("--natural-set", metavar="FILE", help="what predicts in nature, of compare_blankets.py")
    parser.add_argument("--widest-set", metavar="FILE", help="the widest set that predicts no worse in nature")
    cli.add_manipulation_arguments(parser)
    parser.add_argument("--rule", choices=RULES, default=DEFAULT, help="how to select (himation/selection/rules.py)")
    parser.add_argument("--one-machine", action="store_true", help="the model will be no ensemble, and have one set")
    parser.add_argument(
        "--least-share", type=float, default=Settings.least_share, help="of networks that use a variable"
    )
    parser.add_argument(
        "--consistent", type=float, default=Settings.consistent, help="share that is 'in every PDAG' (thesis)"
    )
    parser.add_argument(
        "--child-p-score", type=float, default=Settings.child_p_score, help="evidence of a child (thesis)"
    )
    parser.add_argument(
        "--most-child-tests", type=int, default=Settings.most_child_tests, help="cut of the list (thesis)"
    )
    parser.add_argument(
        "--no-cut-by-graphs", action="store_true", help="undecided variables stay though graphs say child (thesis)"
    )
    parser.add_argument("--thesis", metavar="FILE", help="the thesis's candidates by group to write")
    parser.add_argument("--output", required=True, metavar="FILE", help="roles of all variables to write")
    parser.add_argument("--selection", required=True, metavar="FILE", help="chosen columns and warnings to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import write_json
    from himation.files.blanket_table import read_blanket, read_neighbours
    from himation.files.evidence_table import read_evidence
    from himation.files.manipulated_file import read_inferred
    from himation.files.networks_file import read_networks
    from himation.files.nodes import Nodes
    from himation.files.selection_table import facts, write_groups, write_roles
    from himation.posterior.averages import agreement
    from himation.posterior.networks import NO_NETWORKS
    from himation.selection.rule_names import NEED_NETWORKS, RULES, Settings
    from himation.selection.rules import Situation, select, theorem_v1_warnings

    table = cli.load_table(args)
    nodes = Nodes(table)
    kind, manipulated = cli.manipulation_from(args, table)
    if args.manipulated_networks and kind != "unknown":
        raise UserError("--manipulated-networks goes with --manipulation unknown: here it is known")
    if not args.networks and args.rule in NEED_NETWORKS:
        raise UserError(f"--rule {args.rule} needs --networks FILE (scripts/sample_networks.py writes it)")
    networks = read_networks(args.networks, nodes) if args.networks else NO_NETWORKS
    situation = Situation(
        read_blanket(args.blanket, nodes)[0],
        read_evidence(args.evidence, nodes),
        networks,
        kind,
        manipulated,
        nodes.name,
        Settings(
            args.least_share,
            args.consistent,
            args.child_p_score,
            args.most_child_tests,
            not args.no_cut_by_graphs,
            args.one_machine,
        ),
        read_inferred(args.manipulated_networks, nodes, networks) if args.manipulated_networks else None,
        read_blanket(args.natural_set, nodes)[0] if args.natural_set else (),
        read_blanket(args.widest_set, nodes)[0] if args.widest_set else (),
        read_neighbours(args.candidates, nodes) if args.candidates else None,
    )
    selections = {rule: select(rule, situation) for rule in RULES if args.networks or rule not in NEED_NETWORKS}
    selection, agree = selections[args.rule], agreement(situation.shares)
    warnings = [*selection.warnings, *theorem_v1_warnings(situation, selection.chosen)]
    warnings += networks.doubts
    warnings += [] if agree.converged else [agree.words(nodes.name)]
    write_roles(args.output, table, situation, selection, by_evidence=not args.networks)
    if args.thesis:
        write_groups(args.thesis, situation, nodes)
    found = facts(args.rule, situation, selections, warnings, nodes)
    write_json(args.selection, found)
    names = ", ".join(nodes.name(x) for x in selection.chosen)
    cli.log.info("select_variables: manipulation %s, %d variables: %s", kind, len(selection.chosen), names)
    for warning in warnings:
        cli.log.warning("select_variables: %s", warning)


if __name__ == "__main__":
    sys.exit(main())
