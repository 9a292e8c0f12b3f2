"""Build the model: an SVM chosen by a cross-validated grid on the selected variables, fitted to the training table.

Writes the model (arrays only), the table of the grid, the feature list in order of trust, and the training predictions.

example:
  python scripts/build_model.py --data results/x/data --selection results/x/selection.json --model model.npz \\
      --grid-table grid.tsv --features x_feat.slist --predictions x_train.predict
"""

import json
import sys
from pathlib import Path

from himation import cli
from himation.errors import UserError
from himation.grid_options import add_model_arguments, grid_from


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--selection", metavar="FILE", help="selection.json of select_variables.py")
    parser.add_argument("--columns", nargs="+", type=int, metavar="N", help="1-based columns instead of a selection")
    parser.add_argument(
        "--constructed", metavar="FILE", help="features.tsv of compare_blankets.py: products to use as well"
    )
    add_model_arguments(parser)
    parser.add_argument("--model", required=True, metavar="FILE", help="fitted model to write (.npz)")
    parser.add_argument("--grid-table", metavar="FILE", help="cross-validated AUC of every setting to write")
    parser.add_argument("--features", metavar="FILE", help="list of 1-based columns to write, surest first")
    parser.add_argument("--predictions", metavar="FILE", help="decision values of the training examples to write")
    return parser


def chosen_columns(args) -> list[int]:
    if args.columns:
        return args.columns
    if not args.selection:
        raise UserError("give --selection FILE or --columns N ...")
    return json.loads(Path(args.selection).read_text(encoding="utf-8"))["columns"]


@cli.command
def main(args):
    from himation import svm
    from himation.comparing import describe
    from himation.constructed import model_columns, usable
    from himation.files.atomic import write_text, write_tsv
    from himation.files.features_table import read_features
    from himation.files.models import predict_training, save_model, write_predictions
    from himation.files.nodes import Nodes

    table = cli.load_table(args)
    nodes = Nodes(table)
    columns = chosen_columns(args)
    variables = [nodes.at(column) for column in columns]
    features = usable(read_features(args.constructed, nodes), variables) if args.constructed else ()
    X = model_columns(table, variables, features)
    progress = cli.Progress("build_model")
    found = svm.search(
        X,
        table.target,
        grid_from(args),
        seed=args.seed,
        max_rows=args.most_rows,
        threads=args.threads,
        progress=progress,
    )
    model = svm.fit(X, table.target, found.best.kernel, found.best.cost)
    products = [(f.coding, [(nodes.column(v), power) for v, power in f.monomial]) for f in features]
    save_model(args.model, model, columns, products)
    if args.grid_table:
        rows = [
            [s.kernel.kind, s.kernel.degree, s.kernel.gamma, s.cost, s.auc, s.standard_error, s.unconverged]
            for s in found.settings
        ]
        write_tsv(args.grid_table, ("kernel", "degree", "gamma", "cost", "auc", "standard_error", "unconverged"), rows)
    if args.features:
        write_text(args.features, " ".join(map(str, columns)) + "\n")
    if args.predictions:
        write_predictions(args.predictions, predict_training(table, model, variables, features))
    best = found.best
    cli.log.info(
        "build_model: %d variables, %s: AUC %.4f +- %.4f over %d folds",
        len(variables),
        describe(best),
        best.auc,
        best.standard_error,
        found.n_folds,
    )
    if features:
        cli.log.info("build_model: and %d constructed features: %s", len(features), ", ".join(f.name for f in features))
    if found.subsampled:
        cli.log.info("build_model: searched on %d of %d examples, fitted on all", found.rows_searched, found.n_rows)


if __name__ == "__main__":
    sys.exit(main())
