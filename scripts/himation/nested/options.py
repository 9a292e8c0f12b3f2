"""The option that scripts with models of folds share: fewer machines than the model itself has."""

LEAST_MACHINES, MACHINES_SHARE = 10, 5  # a fold has a fifth of the machines; half of them where rows are few


def fitting_from(args, rows: int):
    """The model of a fold, with fewer machines than the model itself."""
    from dataclasses import replace

    from himation.models.grid_options import options_from
    from himation.nested.competing import Fitting
    from himation.nested.folds import FEW

    share = 2 if rows <= FEW else MACHINES_SHARE
    machines = max(LEAST_MACHINES, args.machines // share)
    return Fitting(args.kind, replace(options_from(args), machines=min(machines, args.machines), threads=1), args.seed)
