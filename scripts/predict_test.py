"""Predict the test table of a prepared data set, or any table with the same columns, with a fitted model.

examples:
  python scripts/predict_test.py --data results/x/data --model results/x/model.npz --output x_test.predict
  python scripts/predict_test.py --train train.csv --target outcome --test new.csv --model model.npz --output new.txt
"""

import sys

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--model", required=True, metavar="FILE", help="model written by build_model.py")
    parser.add_argument("--output", required=True, metavar="FILE", help="decision values to write, one a line")
    return parser


@cli.command
def main(args):
    from himation.constructed import Constructed, model_columns
    from himation.files.models import load_model, write_predictions
    from himation.files.nodes import Nodes

    table = cli.load_table(args)
    if table.test is None:
        raise UserError("the data set has no test table; give --test FILE")
    model, columns, products = load_model(args.model)
    nodes = Nodes(table)
    features = [
        Constructed("", tuple((nodes.at(column), power) for column, power in pairs), 0.0, coding)
        for coding, pairs in products
    ]
    X = model_columns(table, [nodes.at(column) for column in columns], features, "test")
    write_predictions(args.output, model.decision_function(X))
    cli.log.info("predict_test: %d examples", table.test.n)


if __name__ == "__main__":
    sys.exit(main())
