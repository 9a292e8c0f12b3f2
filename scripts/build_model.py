"""Build the model on the selected variables, fit it to the training table, and say how well it should predict.

Two kinds: svm is the thesis's one SVM, its setting found by a cross-validated grid; bagged is an ensemble of kernel
models and boosted trees on random shares of the examples. Both give decision values, and probabilities calibrated on
values that were predicted without the example itself.

How well it should predict comes from estimate_auc.py (--expected, --held-out). Without these the AUC is that of the
model alone, on examples that it did not see but that may have chosen its variables.

Writes the model (arrays only; scripts/predict.py applies it), what was tried, the facts about it (the AUC to expect
with its standard error), the feature list in order of trust, the training predictions in the challenge's format, and a
table of all predictions.

example:
  python scripts/build_model.py --data results/x/data --selection results/x/selection.json --model model.npz \\
      --facts model.json --grid-table grid.tsv --features x_feat.slist --predictions x_train.predict
"""

import sys

from himation import cli
from himation.errors import UserError
from himation.models.grid_options import add_kind_arguments, add_model_arguments, options_from, settings_from


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--selection", metavar="FILE", help="selection.json of select_variables.py")
    parser.add_argument("--columns", nargs="+", type=int, metavar="N", help="1-based columns instead of a selection")
    parser.add_argument(
        "--constructed", metavar="FILE", help="features.tsv of compare_blankets.py: products to use as well"
    )
    parser.add_argument(
        "--networks", metavar="FILE", help="networks of sample_networks.py, which say what experiments teach the model"
    )
    parser.add_argument("--expected", metavar="FILE", help="expected.json of estimate_auc.py")
    parser.add_argument("--held-out", metavar="FILE", help="values of rows held out, of estimate_auc.py")
    add_kind_arguments(parser)
    add_model_arguments(parser)
    parser.add_argument("--model", required=True, metavar="FILE", help="fitted model to write (.npz)")
    parser.add_argument("--facts", metavar="FILE", help="facts about the model to write (.json)")
    parser.add_argument("--grid-table", metavar="FILE", help="table of the settings tried to write")
    parser.add_argument("--features", metavar="FILE", help="list of 1-based columns to write, surest first")
    parser.add_argument("--predictions", metavar="FILE", help="decision values of the training examples to write")
    parser.add_argument("--table", metavar="FILE", help="table of all predictions to write, with probabilities")
    return parser


def chosen(args) -> dict:
    """The selection: its columns, surest first, and the sets of them that members of an ensemble take."""
    if args.columns:
        return {"columns": args.columns}
    if not args.selection:
        raise UserError("give --selection FILE or --columns N ...")
    from himation.files.atomic import read_json

    return read_json(args.selection)


@cli.command
def main(args):
    from himation.files.atomic import write_json, write_text, write_tsv
    from himation.files.expected_file import read_expected
    from himation.files.features_table import read_features
    from himation.files.models import save_model, write_predictions
    from himation.files.networks_file import read_networks
    from himation.files.nodes import Nodes
    from himation.models.building import PREDICTED, build, prediction_rows
    from himation.models.constructed import usable
    from himation.posterior.networks import NO_NETWORKS
    from himation.prepare import cautions

    table = cli.load_table(args)
    nodes = Nodes(table)
    selection = chosen(args)
    columns, also = selection["columns"], selection.get("also", [])
    sets = [([nodes.at(c) for c in one["columns"]], one["networks"]) for one in selection.get("panels", [])]
    variables = [nodes.at(column) for column in (*columns, *also)]
    features = usable(read_features(args.constructed, nodes), variables) if args.constructed else ()
    options = options_from(args, cli.Progress("build_model"))
    expected, honest = read_expected(args.expected, args.held_out, table)
    networks = read_networks(args.networks, nodes) if args.networks else NO_NETWORKS
    how = (args.kind, args.seed, options, sets, len(columns), honest, networks)
    built = build(table, variables, features, *how)
    save_model(args.model, built.saved)
    converged = selection.get("networks", {}).get("converged", True)
    warnings = [*table.warnings, *cautions.of_table(table), *cautions.of_variables(table, variables)]
    facts = built.facts() | {"settings": settings_from(args) | {"constructed": bool(args.constructed)}}
    everything = len(variables) == table.n_variables
    facts |= expected | {"warnings": warnings + cautions.of_estimate(expected, converged, everything)}
    if args.facts:
        write_json(args.facts, facts)
    if args.grid_table:
        write_tsv(args.grid_table, *built.settings())
    if args.features:
        write_text(args.features, " ".join(map(str, columns)) + "\n")
    values = built.saved.training_values(table) if args.predictions or args.table else None
    if args.predictions:
        write_predictions(args.predictions, values)
    if args.table:
        write_tsv(args.table, PREDICTED, prediction_rows(table, built, values))
    cli.log.info("build_model: %d variables, %s", len(variables), facts["words"])
    cli.log.info(
        "build_model: expected AUC %.4f +- %.4f (%s)", facts["expected_auc"], facts["standard_error"], facts["measured"]
    )
    for warning in facts["warnings"]:
        cli.log.warning("build_model: %s", warning)
    if features:
        cli.log.info("build_model: and %d constructed features: %s", len(features), ", ".join(f.name for f in features))


if __name__ == "__main__":
    sys.exit(main())
