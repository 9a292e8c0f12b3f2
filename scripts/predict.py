"""Predict a new table, or the test table of a prepared data set, with a model of build_model.py.

A new table is read as it is, in the units of the training table; the model knows how its variables are coded. Columns
are found by name, in any order, and others may be there; a table without names (.data, .npz) must have the columns of
the training table in their order. A column that the model doesn't need may hold anything.

--output is a table: row, id (where the new table has a column called so, or --id names one), the predicted label, the
probability of the positive class, the name of that class (the second of the training labels in their order), and the
decision value. The label is the likelier of the two. --challenge is the challenge's format: one decision value for each
nested subset of the variables, and nothing else.

A word that training never had is named, with its column; the model has nothing to say of it, and goes by the rest.

With --manipulation a new table has a manipulation of its own: variables are selected for it as the data set's were, and
a model of the same kind is fitted to the training table again. unknown asks the new table itself what was manipulated;
--manipulated writes its answer. That needs the results that the model was made from, beside the model, and a table with
all columns of the training table.

examples:
  python scripts/predict.py --model results/x/model.npz --table new.csv --output predictions.tsv
  python scripts/predict.py --model results/x/model.npz --data results/x/data --challenge x_test.predict
  python scripts/predict.py --model results/x/model.npz --table new.csv --manipulation unknown \\
      --manipulated manipulated.tsv --output predictions.tsv
"""

import sys
from argparse import Namespace

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
    parser.add_argument(
        "--manipulation",
        metavar="WHAT",
        help="of the new table: none, unknown, names or 1-based columns with commas between them, or a file of them",
    )
    parser.add_argument("--id", metavar="COLUMN", help="column of the new table that names its rows")
    parser.add_argument("--output", metavar="FILE", help="table to write: row, id, label, probability, ...")
    parser.add_argument(
        "--challenge", metavar="FILE", help="decision values of nested subsets to write, without header"
    )
    parser.add_argument("--manipulated", metavar="FILE", help="what the new table says of its manipulation, to write")
    return parser


def of_the_model(args):
    """The model; the table to predict, as the part called test; and words in it that training never had."""
    from himation.files.models import load_model
    from himation.files.nodes import Nodes
    from himation.models.unseen import unseen

    saved = load_model(args.model)
    if args.data:
        from himation.files import prepared

        table = prepared.load(args.data)
        if table.test is None:
            raise UserError(f"{args.data}: the data set has no test table")
        nodes = Nodes(table)
        return saved, table, unseen(table, [nodes.at(column) for column in saved.columns])
    from himation.files.tables import read_table

    raw = read_table(args.table, text_columns=None)
    table = saved.encoding.read(raw, args.missing)
    return saved, table, unseen(table, range(table.n_variables), raw)


def of_its_manipulation(args):
    """The same for a new table that has a manipulation of its own."""
    from himation.files.fitted import read_fitted
    from himation.files.manipulated_file import write_manipulated
    from himation.files.tables import read_table
    from himation.models.applying import apply
    from himation.models.unseen import unseen

    fitted = read_fitted(args.model)
    kind, manipulated = manipulation_of(args.manipulation, fitted.table)
    found = apply(fitted, read_table(args.table, text_columns=None), kind, manipulated, args.missing)
    if args.manipulated:
        write_manipulated(args.manipulated, found.table, found.inferred)
    selection = found.selection
    names = ", ".join(found.table.names[x] for x in selection.chosen)
    few = f", and {len(selection.also)} that few members of the ensemble use" if selection.also else ""
    cli.log.info("predict: manipulation %s, %d variables: %s%s", kind, len(selection.chosen), names, few)
    return found.built.saved, found.table, unseen(found.table, selection.used)


def manipulation_of(words: str, table):
    """none, unknown or known, and the variables of a known list: in a file, or with commas between them."""
    from pathlib import Path

    by_name = words not in ("none", "unknown") and not Path(words).is_file()
    listed = [word.strip() for word in words.split(",") if word.strip()] if by_name else []
    return cli.manipulation_from(Namespace(manipulation=words, manipulated=listed), table)


def ids_of(args, table):
    """Names of the rows, where a new table has them."""
    from himation.files.tables import id_column, read_ids

    if args.data:
        return None
    column = id_column(args.table, set(table.names), args.id)
    ids = None if column is None else read_ids(args.table, column)
    if ids is not None and len(ids) != table.test.n:
        raise UserError(f"{args.table}: column {column!r} has {len(ids)} values for {table.test.n} rows")
    return ids


def say_unseen(found) -> None:
    from himation.files.tables import listed

    for name, counts in found.items():
        words = listed(f"{word[:40]!r} ({count} rows)" for word, count in sorted(counts.items()))
        cli.log.warning("predict: column %r holds what training never had, and it counts as nothing: %s", name, words)


@cli.command
def main(args):
    import numpy as np

    from himation.files.atomic import write_tsv
    from himation.files.models import write_predictions

    if not (args.output or args.challenge):
        raise UserError("nothing to write: give --output FILE or --challenge FILE")
    if args.data and (args.id or args.manipulation):
        word = "--id goes with --table: a prepared data set has no ids"
        raise UserError(word if args.id else "--manipulation goes with --table: that of a data set is in config.yaml")
    if args.manipulated and not args.manipulation:
        raise UserError("--manipulated goes with --manipulation: without it the model is applied as it is")
    saved, table, strange = of_its_manipulation(args) if args.manipulation else of_the_model(args)
    ids = ids_of(args, table)
    say_unseen(strange)
    with np.errstate(all="ignore"):
        values = saved.values(table, "test")
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0]) + 1
        raise UserError(
            f"{args.table or args.data}: row {row} lies so far from the training table that its value can't be computed"
        )
    if args.challenge:
        write_predictions(args.challenge, values)
    negative, positive = saved.labels[-1], saved.labels[1]
    if args.output:
        rows = []
        for i, (value, p) in enumerate(zip(values[:, -1], saved.platt.probability(values[:, -1]), strict=True)):
            label = positive if p >= 0.5 else negative
            named = [] if ids is None else [ids[i]]
            rows.append([i + 1, *named, label, float(p), positive, float(value)])
        of_ids = () if ids is None else ("id",)
        head = ("row", *of_ids, "predicted", "probability", "positive_class", "decision_value")
        write_tsv(args.output, head, rows)
    cli.log.info("predict: %d examples; a probability is that of %s = %s", len(values), saved.target, positive)


if __name__ == "__main__":
    sys.exit(main())
