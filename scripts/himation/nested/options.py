"""The option that scripts with models of folds share: fewer members than the model itself has."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from himation.nested.competing import Fitting

LEAST_MACHINES, MACHINES_SHARE = 10, 5  # a fold has a fifth of the members; half of them where rows are few


def machines_of(machines: int, rows: int) -> int:
    """Of a fold's ensemble, where the model has so many.

    >>> machines_of(50, 100), machines_of(50, 5000), machines_of(8, 100)
    (25, 10, 8)
    """
    from himation.nested.folds import FEW

    share = 2 if rows <= FEW else MACHINES_SHARE
    return min(machines, max(LEAST_MACHINES, machines // share))


def fitting_from(args: argparse.Namespace, rows: int) -> Fitting:
    """The model of a fold."""
    from dataclasses import replace

    from himation.models.grid_options import options_from
    from himation.nested.competing import Fitting

    options = replace(options_from(args), machines=machines_of(args.machines, rows), threads=1)
    return Fitting(args.kind, options, args.seed)
