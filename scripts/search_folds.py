"""Repeat finders, networks and models without some of the rows, and predict these: what fresh rows would give.

The rows are divided into folds. For each fold every step that looks at labels runs on the other rows, as in the
workflow but with fewer chains and models, and a model on every set that competes in nature predicts the rows held
out. compare_blankets.py and estimate_auc.py read the folder that is written.

--permutations repeats all that with permuted labels, which says what would be found in a table of this shape by luck.

example:
  python scripts/search_folds.py --data results/x/data --finders '[{"id": "mmmb"}, {"id": "rfe"}]' --output folds
"""

import sys

from himation import cli
from himation.models.grid_options import add_kind_arguments, add_model_arguments
from himation.nested.options import fitting_from
from himation.nested.search_options import add_fold_arguments, search_from


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    add_fold_arguments(parser)
    add_kind_arguments(parser)
    add_model_arguments(parser)
    parser.add_argument("--permutations", type=int, default=0, help="tables with permuted labels to search as well")
    parser.add_argument(
        "--chunk", type=cli.chunk, default=(1, 1), metavar="I/N", help="only the I-th of N parts of the work"
    )
    parser.add_argument("--output", required=True, metavar="FOLDER", help="folds to write")
    return parser


@cli.command
def main(args):
    from himation.files.folds_folder import write_folds
    from himation.nested.folds import plan_folds
    from himation.nested.permuting import permuted_auc
    from himation.nested.searching import search_fold
    from himation.processes import share_out

    table = cli.load_table(args)
    how, fitting = search_from(args), fitting_from(args, table.train.n)
    folds = plan_folds(table.target, args.seed, args.folds, args.divisions)
    tasks = [*folds, *range(1, args.permutations + 1)] if folds else []
    part, parts = args.chunk
    tasks = tasks[part - 1 :: parts]

    def work(task):
        if isinstance(task, int):
            return permuted_auc(table, task, args.folds, args.divisions, how, fitting)
        return search_fold(table, task, how, fitting)

    done = share_out(work, tasks, args.threads, cli.Progress("search_folds"))
    searched = [one for one in done if not isinstance(one, float)]
    write_folds(args.output, searched, [one for one in done if isinstance(one, float)])
    held = sum(len(one.fold.held) for one in searched)
    cli.log.info("search_folds: %d of %d folds, %d rows held out of %d", len(searched), len(folds), held, table.train.n)
    if not folds:
        cli.log.warning("search_folds: no folds: nothing can be held out, and nothing is measured")


if __name__ == "__main__":
    sys.exit(main())
