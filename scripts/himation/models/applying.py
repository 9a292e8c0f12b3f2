"""A fitted model for a further table that has a manipulation of its own.

What survives depends on what was manipulated, and that differs from table to table. The networks, blankets and evidence
of training stay; the new, unlabelled table takes the place of the test table and is asked what was manipulated, the
rule of the fitted model selects variables for that, and a model of the same kind and settings is fitted to training
again. Where the user knows what was manipulated, the answer of the table is given and not used.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Collection
from dataclasses import dataclass

from himation.files.fitted import Fitted
from himation.files.nodes import Nodes
from himation.files.tables import RawTable
from himation.models.building import Built, build
from himation.models.constructed import usable
from himation.models.encoding import with_test
from himation.models.grid_options import options_from
from himation.posterior.manipulation import Inferred, infer
from himation.selection.rules import UNKNOWN, Selection, Situation, select
from himation.table import Table


@dataclass(frozen=True)
class Applied:
    """The training table with the new table as its test part, what that says was manipulated, what was selected for
    it, and the model."""

    table: Table
    inferred: Inferred
    selection: Selection
    built: Built


def apply(
    fitted: Fitted, raw: RawTable, kind: str, manipulated: Collection[int] = (), missing: str = "error"
) -> Applied:
    """A model for the table ``raw``; ``kind`` is none, unknown or known, which goes with the variables manipulated."""
    table = with_test(fitted.table, raw, missing)
    settings = fitted.building
    inferred = infer(table, fitted.networks, fitted.share, settings["seed"])
    situation = Situation(
        fitted.blanket,
        fitted.evidence,
        fitted.networks,
        kind,
        frozenset(manipulated),
        Nodes(table).name,
        fitted.selecting,
        inferred if kind == UNKNOWN else None,
        fitted.best,
        fitted.widest,
    )
    selection = select(fitted.rule, situation)
    features = usable(fitted.features, selection.used)
    options = options_from(Namespace(**settings, threads=1))
    panels = list(selection.panels.items())
    built = build(
        table, selection.used, features, settings["kind"], settings["seed"], options, panels, len(selection.chosen)
    )
    return Applied(table, inferred, selection, built)
