"""Select the variables that survive the manipulation, and say of every variable what it is and why it is in or out.

What was manipulated: --manipulation none, unknown or the path of a list; or --manipulated and the names. The sets of
all rules are compared by the AUC that can be expected of them under that manipulation; --rule says whose is taken.

example:
  python scripts/select_variables.py --data results/x/data --evidence results/x/evidence.tsv \\
      --ancestry results/x/ancestry.tsv --orientation results/x/orientation.tsv --pdags results/x/pdags.tsv \\
      --blanket results/x/natural_blanket.tsv --manipulated Smoking 9 --output roles.tsv --selection selection.json
"""

import json
import sys

from himation import cli


def arguments():
    from himation.selection.rule_names import DEFAULT, RULES
    from himation.selection.rules import CHILD_P_SCORE, CONSISTENT, MOST_CHILD_TESTS

    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--evidence", required=True, metavar="FILE", help="table of combine_evidence.py")
    parser.add_argument("--ancestry", required=True, metavar="FILE", help="table of judge_ancestry.py")
    parser.add_argument("--orientation", required=True, metavar="FILE", help="table of orient_region.py")
    parser.add_argument("--pdags", required=True, metavar="FILE", help="graphs of orient_region.py")
    parser.add_argument("--blanket", required=True, metavar="FILE", help="natural blanket of compare_blankets.py")
    cli.add_manipulation_arguments(parser)
    parser.add_argument("--rule", choices=RULES, default=DEFAULT, help="how to select (himation/selection/rules.py)")
    parser.add_argument("--one-machine", action="store_true", help="the model will be no ensemble: hedged is expected")
    parser.add_argument("--draws", type=int, default=80, help="manipulated worlds to draw")
    parser.add_argument("--unknown-share", type=float, default=1.0, help="P(manipulated), where that is unknown")
    parser.add_argument("--use-test-inputs", action="store_true", help="look there for what was manipulated")
    parser.add_argument("--consistent", type=float, default=CONSISTENT, help="share that is 'in every PDAG' (thesis)")
    parser.add_argument("--child-p-score", type=float, default=CHILD_P_SCORE, help="evidence of a child (thesis)")
    parser.add_argument("--most-child-tests", type=int, default=MOST_CHILD_TESTS, help="cut of the list (thesis)")
    parser.add_argument("--seed", type=int, default=1, help="of the worlds")
    parser.add_argument("--output", required=True, metavar="FILE", help="roles of all variables to write")
    parser.add_argument("--selection", required=True, metavar="FILE", help="chosen columns and warnings to write")
    return parser


@cli.command
def main(args):
    from himation.files.ancestry_table import read_ancestry
    from himation.files.atomic import write_text
    from himation.files.blanket_table import read_blanket
    from himation.files.nodes import Nodes
    from himation.files.orientation_table import read_orientation, read_pdags
    from himation.files.roles_table import read_evidence, write_roles
    from himation.files.selection_table import facts
    from himation.selection.expected_rule import Graphs, candidates, select_expected
    from himation.selection.reported_roles import with_networks
    from himation.selection.rule_names import BY_EXPECTATION, HEDGED
    from himation.selection.rules import Situation, in_order_of_trust, select, theorem_v1_warnings

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
        args.consistent,
    )
    region, pdags = read_pdags(args.pdags, nodes)
    ancestry = read_ancestry(args.ancestry, nodes, table.train.n)
    needed = sorted({*candidates(situation, ancestry), *region} - {nodes.target})
    columns = {x: table.numbers_for_target(x) for x in needed}
    edges = read_orientation(args.orientation, nodes)
    chance, seen = _chances(args, table, situation, columns, edges)
    choice = select_expected(
        situation,
        columns,
        table.target,
        Graphs(region, pdags, nodes.target),
        chance,
        args.seed,
        args.draws,
        ancestry,
        cli.Progress("select_variables"),
        hedged=args.rule == HEDGED and not args.one_machine,
    )
    selection, chosen = choice.selection, choice.selection.chosen
    if args.rule not in BY_EXPECTATION:
        selection = select(args.rule, situation)
        chosen = in_order_of_trust(selection, situation)
    warnings = [*selection.warnings, *theorem_v1_warnings(situation, chosen, edges, nodes.target), *seen]
    write_roles(args.output, table, with_networks(situation.evidence, ancestry), selection)
    found = facts(args.rule, situation, choice, chosen, warnings, nodes)
    write_text(args.selection, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    cli.log.info(
        "select_variables: manipulation %s, %d variables, expected AUC %.3f: %s",
        kind,
        len(chosen),
        found["expected_auc"],
        ", ".join(nodes.name(x) for x in chosen),
    )
    for warning in warnings:
        cli.log.warning("select_variables: %s", warning)


def _chances(args, table, situation, columns, edges):
    """P(manipulated) as a function of the variable, and what to tell the user of how it was found."""
    from himation.errors import UserError
    from himation.selection.rules import KNOWN, NATURAL

    if situation.kind == NATURAL:
        return (lambda x: 0.0), []
    if situation.kind == KNOWN:
        return (lambda x: float(x in situation.manipulated)), []
    if not args.use_test_inputs:
        return (lambda x: args.unknown_share), []
    if table.test is None:
        raise UserError("selection: use_test_inputs needs a test table; give test: or leave the option off")
    import numpy as np

    from himation.selection.test_inputs import chances, may_be_below

    test = np.column_stack([table.numbers(x, "test") for x in columns])
    train = np.column_stack([table.numbers(x) for x in columns])
    found = chances(train, test, may_be_below(list(columns), edges))
    known = dict(zip(columns, found.tolist(), strict=True))
    count = int((found == 1).sum())
    told = f"the unlabelled test inputs were used: {count} of {len(known)} variables near the target look manipulated"
    return (lambda x: known.get(x, args.unknown_share)), [told]


if __name__ == "__main__":
    sys.exit(main())
