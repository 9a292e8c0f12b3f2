"""A fitted model for a further table that has a manipulation of its own.

What survives depends on what was manipulated, and that differs from table to table. The networks, blankets and evidence
of training stay; the new, unlabelled table takes the place of the test table, variables are selected for its
manipulation by the rule of the fitted model, and a model of the same kind and settings is fitted to training again.
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
from himation.selection.rules import Selection, Situation, select
from himation.table import Table


@dataclass(frozen=True)
class Applied:
    """The training table with the new table as its test part, what was selected for it, and the model."""

    table: Table
    selection: Selection
    built: Built


def apply(
    fitted: Fitted, raw: RawTable, kind: str, manipulated: Collection[int] = (), missing: str = "error"
) -> Applied:
    """A model for the table ``raw``; ``kind`` is none, unknown or known, which goes with the variables manipulated."""
    table = with_test(fitted.table, raw, missing)
    settings = fitted.building
    situation = Situation(
        fitted.blanket,
        fitted.evidence,
        fitted.networks,
        kind,
        frozenset(manipulated),
        Nodes(table).name,
        fitted.selecting,
    )
    selection = select(fitted.rule, situation)
    features = usable(fitted.features, selection.chosen)
    options = options_from(Namespace(**settings, threads=1))
    panels = list(selection.panels.items())
    built = build(table, selection.chosen, features, settings["kind"], settings["seed"], options, panels)
    return Applied(table, selection, built)
