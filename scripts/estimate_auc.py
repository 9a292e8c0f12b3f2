"""Say how well the model should predict: its expected AUC on fresh rows, with a standard error, and how stable the
selection is.

Each fold of search_folds.py selects for the manipulation at hand by its own networks, fits, and predicts the rows that
it never saw, moved as its networks say where something was manipulated. What was manipulated: --manipulation none,
unknown or the path of a list; or --manipulated and the names. With --ask-test the unlabelled test table may be looked
at: its inputs say how far the manipulation changed what the model sees.

example:
  python scripts/estimate_auc.py --data results/x/data --folds results/x/folds/1-of-1 \\
      --association results/x/association.json --manipulation unknown --ask-test --output expected.json \\
      --stability stability.tsv --held-out held_out.tsv
"""

import sys

from himation import cli
from himation.models.grid_options import add_kind_arguments, add_model_arguments
from himation.nested.options import fitting_from


def arguments():
    from himation.selection.rule_names import DEFAULT, RULES, Settings

    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--folds", nargs="+", required=True, metavar="FOLDER", help="folders of search_folds.py")
    parser.add_argument("--association", required=True, metavar="FILE", help="association.json of compare_blankets.py")
    cli.add_manipulation_arguments(parser)
    parser.add_argument("--ask-test", action="store_true", help="look at the unlabelled test table")
    parser.add_argument("--prior", type=float, default=0.5, help="share of manipulated variables, before it is asked")
    parser.add_argument("--rule", choices=RULES, default=DEFAULT, help="how to select (himation/selection/rules.py)")
    parser.add_argument("--one-machine", action="store_true", help="the model will be no ensemble, and have one set")
    parser.add_argument(
        "--least-share", type=float, default=Settings.least_share, help="of networks that use a variable"
    )
    add_kind_arguments(parser)
    add_model_arguments(parser)
    parser.add_argument("--output", required=True, metavar="FILE", help="what to expect, to write (.json)")
    parser.add_argument("--stability", metavar="FILE", help="how often each variable was selected, to write")
    parser.add_argument("--held-out", metavar="FILE", help="values of rows by models that did not see them, to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_json, write_json, write_tsv
    from himation.files.folds_folder import read_folds
    from himation.files.nodes import Nodes
    from himation.nested.manipulated import Task, expect_rules
    from himation.nested.telling import facts_of
    from himation.selection.rule_names import Settings

    table = cli.load_table(args)
    kind, manipulated = cli.manipulation_from(args, table, by_column=True)
    anything = read_json(args.association)["found"]
    searched, permuted = read_folds(args.folds, table)
    settings = Settings(least_share=args.least_share, one_machine=args.one_machine)
    task = Task(kind, manipulated, args.rule, settings, table if args.ask_test else None, args.prior)
    found = expect_rules(searched, task, fitting_from(args, table.train.n), anything, args.seed)
    expected = found[args.rule]
    facts = facts_of(args.rule, found, searched, permuted, kind)
    write_json(args.output, facts)
    nodes = Nodes(table)
    if args.stability:
        rows = [[nodes.name(nodes.at(column)), column, share] for column, share in expected.stability.items()]
        write_tsv(args.stability, ("variable", "column", "share"), rows)
    if args.held_out:
        write_tsv(args.held_out, ("row", "value"), [[row + 1, value] for row, value in sorted(expected.values.items())])
    cli.log.info("estimate_auc: %.4f +- %.4f, %s", facts["expected_auc"], facts["standard_error"], facts["measured"])


if __name__ == "__main__":
    sys.exit(main())
