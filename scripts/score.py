"""Score a data set as the challenge did: Fscore of the selected variables, Dscore and Tscore of the predictions.

With the true graph, reference models that know it are built as well (parents, natural blanket, blanket under the
manipulation, all variables), and the Tscore is given relative to the best of them. Beside probes every real variable
counts as relevant (--real). The sets that other rules of selection would have taken get a Tscore by the same kind of
model as the references. Reference models on large tables are linear.

example:
  python scripts/score.py --data results/x/data --roles results/x/roles.tsv --selection results/x/selection.json \\
      --train-predictions x_train.predict --test-predictions x_test.predict --truth truth.csv \\
      --manipulation none --output scores.tsv
"""

import sys

from himation import cli
from himation.models.grid_options import add_kind_arguments, add_model_arguments, grid_from


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--roles", required=True, metavar="FILE", help="table of select_variables.py")
    parser.add_argument("--selection", required=True, metavar="FILE", help="selection.json of select_variables.py")
    parser.add_argument("--train-predictions", required=True, metavar="FILE", help="predictions for training")
    parser.add_argument("--test-predictions", nargs="*", default=[], metavar="FILE", help="predictions for the test")
    parser.add_argument("--truth", metavar="FILE", help="true edges, from,to; 0 is the target")
    parser.add_argument("--real", metavar="FILE", help="list of real variables, where the others are probes")
    parser.add_argument(
        "--natural-blanket", metavar="FILE", help="table of compare_blankets.py, as a further reference"
    )
    cli.add_manipulation_arguments(parser)
    add_kind_arguments(parser)
    add_model_arguments(parser)
    parser.add_argument("--output", required=True, metavar="FILE", help="scores to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_json, read_tsv, write_tsv
    from himation.files.dataset import read_list, read_truth, resolve
    from himation.files.models import read_predictions
    from himation.scoring import Facts, score_all
    from himation.selection.rule_names import DEFAULT

    table = cli.load_table(args)
    kind, manipulated = cli.manipulation_from(args, table, by_column=True)
    truth = read_truth(args.truth, table.file_columns(), table.target_name) if args.truth else None
    real = resolve(read_list(args.real), table.file_columns(), args.real) if args.real else []
    natural = read_tsv(args.natural_blanket) if args.natural_blanket else []
    selection = read_json(args.selection)
    facts = Facts(
        columns=selection["columns"],
        train_predictions=read_predictions(args.train_predictions),
        test_predictions=read_predictions(args.test_predictions[0]) if args.test_predictions else None,
        edges=None if truth is None else truth + 1,
        manipulation=kind,
        manipulated=frozenset(manipulated),
        real=frozenset(position + 1 for position in real),
        natural=[int(row["column"]) for row in natural],
        rules={row["set"]: row["columns"] for row in selection.get("sets", []) if row["set"] != DEFAULT},
    )
    rows = score_all(table, facts, grid_from(args), args.seed, args.most_rows, args.threads, args.kind)
    write_tsv(args.output, ("score", "of", "value", "error", "note"), rows)
    for name, of, value, *_ in rows:
        cli.log.info("score: %s of %s: %.4f", name, of, value)


if __name__ == "__main__":
    sys.exit(main())
