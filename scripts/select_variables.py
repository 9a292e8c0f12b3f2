"""Select the variables that survive the manipulation, and say of every variable what it is and why it is in or out.

What was manipulated: --manipulation none, unknown or the path of a list; or --manipulated and the names.

example:
  python scripts/select_variables.py --data results/x/data --evidence results/x/evidence.tsv \\
      --orientation results/x/orientation.tsv --blanket results/x/natural_blanket.tsv \\
      --manipulated Smoking 9 --output roles.tsv --selection selection.json
"""

import json
import sys

from himation import cli


def arguments():
    from himation.selection import CHILD_P_SCORE, MOST_CHILD_TESTS, RULES

    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--evidence", required=True, metavar="FILE", help="table of combine_evidence.py")
    parser.add_argument("--orientation", required=True, metavar="FILE", help="table of orient_region.py")
    parser.add_argument("--blanket", required=True, metavar="FILE", help="natural blanket of compare_blankets.py")
    cli.add_manipulation_arguments(parser)
    parser.add_argument("--rule", choices=RULES, default="averaged", help="how to select (himation/selection.py)")
    parser.add_argument("--child-p-score", type=float, default=CHILD_P_SCORE, help="evidence of a child (thesis)")
    parser.add_argument("--most-child-tests", type=int, default=MOST_CHILD_TESTS, help="cut of the list (thesis)")
    parser.add_argument("--output", required=True, metavar="FILE", help="roles of all variables to write")
    parser.add_argument("--selection", required=True, metavar="FILE", help="chosen columns and warnings to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import write_text
    from himation.files.blanket_table import read_blanket
    from himation.files.nodes import Nodes
    from himation.files.orientation_table import read_orientation
    from himation.files.roles_table import read_evidence, write_roles
    from himation.selection import Situation, in_order_of_trust, select, theorem_v1_warnings

    table = cli.load_table(args)
    nodes = Nodes(table)
    kind, manipulated = cli.manipulation_from(args, table)
    situation = Situation(
        read_blanket(args.blanket, nodes)[0],
        read_evidence(args.evidence, nodes),
        kind,
        manipulated,
        nodes.name,
        args.child_p_score,
        args.most_child_tests,
    )
    selection = select(args.rule, situation)
    chosen = in_order_of_trust(selection, situation)
    edges = read_orientation(args.orientation, nodes)
    warnings = [*selection.warnings, *theorem_v1_warnings(situation, chosen, edges, nodes.target)]
    write_roles(args.output, table, situation, selection)
    facts = {
        "rule": args.rule,
        "manipulation": kind,
        "manipulated": sorted(nodes.column(x) for x in manipulated),
        "columns": [nodes.column(x) for x in chosen],
        "warnings": warnings,
    }
    write_text(args.selection, json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
    cli.log.info(
        "select_variables: manipulation %s, %d of %d members of the natural blanket kept: %s",
        kind,
        len(chosen),
        len(situation.blanket),
        ", ".join(nodes.name(x) for x in chosen),
    )
    for warning in warnings:
        cli.log.warning("select_variables: %s", warning)


if __name__ == "__main__":
    sys.exit(main())
