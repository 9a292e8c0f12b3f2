"""The options of scripts that train models; apart from cli.py so that other scripts don't depend on the SVM."""

import argparse

from himation.models.svm import SEARCHES, Grid

_SETTINGS = (
    "kind",
    "machines",
    "degrees",
    "gammas",
    "costs",
    "search",
    "class_weight",
    "most_rows",
    "seed",
    "mixture",
    "rows",
)


def add_model_arguments(made: argparse.ArgumentParser) -> None:
    """The SVM grid of V.2.7."""
    group = made.add_argument_group("grid of the SVM")
    group.add_argument("--degrees", nargs="+", type=int, default=[1, 2, 3, 4], help="of the polynomial kernel")
    group.add_argument("--gammas", nargs="*", type=float, default=[1e-4, 1e-3, 0.01, 0.1, 1], help="Gaussian widths")
    group.add_argument("--costs", nargs="+", type=float, default=[1e-4, 1e-3, 0.01, 0.1, 1, 10], help="values of C")
    group.add_argument("--search", choices=SEARCHES, default=SEARCHES[0], help="how the grid is searched")
    group.add_argument(
        "--class-weight", choices=["balanced", "none"], default="balanced", help="of an svm: what its classes weigh"
    )
    group.add_argument("--most-rows", type=int, default=2000, help="larger tables are searched on a sample")
    group.add_argument("--seed", type=int, default=1, help="seed of the folds")
    group.add_argument("--threads", type=int, default=1, help="threads to use; the answer is the same")


def add_kind_arguments(made: argparse.ArgumentParser) -> None:
    """The kind of model."""
    from himation.models.kinds import DEFAULT, KINDS

    made.add_argument("--kind", choices=list(KINDS), default=DEFAULT, help="kind of model")
    made.add_argument(
        "--mixture", choices=["odds", "networks"], default="odds", help="what reads the posteriors of mixtures"
    )
    made.add_argument("--machines", type=int, default=50, help="members of a bagged ensemble")
    made.add_argument(
        "--rows", type=int, default=5000, help="of a long table, that kernel members of an ensemble learn from; 0: all"
    )


def grid_from(args):
    return Grid(tuple(args.degrees), tuple(args.gammas), tuple(args.costs))


def options_from(args, progress=None):
    from himation.models.kinds import Options

    weight = None if args.class_weight == "none" else args.class_weight
    grid = grid_from(args), args.search, args.most_rows
    return Options(*grid, args.machines, args.threads, progress, (), weight, args.mixture, rows=args.rows)


def settings_from(args) -> dict:
    """What `options_from` needs to make the same options again, with the kind and the seed; as JSON has it."""
    return {key: getattr(args, key) for key in _SETTINGS}
