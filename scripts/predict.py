"""Predict a new table, or the test table of a prepared data set, with a model of build_model.py.

A new table is read as it is, in the units of the training table; the model knows how its variables are coded. Columns
are found by name, in any order, and others may be there; a table without names (.data, .npz) must have the columns of
the training table in their order. A column that the model doesn't need may hold anything.

--output is a table of row, decision value and the probability of the positive class (the second of the training labels
in their order). --challenge is the challenge's format: one decision value for each nested subset of the variables.

examples:
  python scripts/predict.py --model results/x/model.npz --table new.csv --output predictions.tsv
  python scripts/predict.py --model results/x/model.npz --data results/x/data --challenge x_test.predict
"""

import sys

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--model", required=True, metavar="FILE", help="model written by build_model.py")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--table", metavar="FILE", help="new table: .data, .csv, .tsv, .parquet, sparse .npz")
    what.add_argument("--data", metavar="FOLDER", help="folder written by prepare_data.py: its test table")
    parser.add_argument(
        "--missing", choices=["error", "impute"], default="error", help="what to do about missing values"
    )
    parser.add_argument("--output", metavar="FILE", help="table to write: row, decision_value, probability")
    parser.add_argument(
        "--challenge", metavar="FILE", help="decision values of nested subsets to write, without header"
    )
    return parser


def test_table(args, saved):
    """The table to predict, as the part called test."""
    if args.data:
        from himation.files import prepared

        table = prepared.load(args.data)
        if table.test is None:
            raise UserError(f"{args.data}: the data set has no test table")
        return table
    from himation.files.tables import read_table

    return saved.encoding.read(read_table(args.table, text_columns=None), args.missing)


@cli.command
def main(args):
    from himation.files.atomic import write_tsv
    from himation.files.models import load_model, write_predictions

    if not (args.output or args.challenge):
        raise UserError("nothing to write: give --output FILE or --challenge FILE")
    saved = load_model(args.model)
    table = test_table(args, saved)
    try:
        values = saved.values(table, "test")
    except (ValueError, TypeError, IndexError, KeyError) as error:
        raise UserError(f"{args.model}: the model's parts don't fit together ({error}); build it again") from None
    if args.challenge:
        write_predictions(args.challenge, values)
    if args.output:
        chances = saved.platt.probability(values[:, -1])
        rows = [[i + 1, float(v), float(p)] for i, (v, p) in enumerate(zip(values[:, -1], chances, strict=True))]
        write_tsv(args.output, ("row", "decision_value", "probability"), rows)
    cli.log.info(
        "predict: %d examples; a probability is that of %s = %s", len(values), saved.target, saved.labels.get(1, "1")
    )


if __name__ == "__main__":
    sys.exit(main())
