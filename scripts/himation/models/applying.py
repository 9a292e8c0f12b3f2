"""A fitted model for a further table that has a manipulation of its own.

What survives depends on what was manipulated, and that differs from table to table. The networks, blankets and evidence
of training stay; the new, unlabelled table takes the place of the test table and is asked what was manipulated, the
rule of the fitted model selects variables for that, and a model of the same kind and settings is fitted to training
again. Where the user knows what was manipulated, the answer of the table is given and not used.
"""

from argparse import Namespace
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from himation.files.fitted import Fitted
from himation.files.nodes import Nodes
from himation.files.tables import RawTable
from himation.models.building import Built, build
from himation.models.constructed import Constructed, usable
from himation.models.encoding import with_test
from himation.models.grid_options import options_from
from himation.nested.competing import Fitting
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
    options = options_from(Namespace(**settings, threads=1))
    fitting = Fitting(settings["kind"], options, settings["seed"])
    selection, built = select_and_build(table, fitted.rule, situation, fitted.features, fitting)
    return Applied(table, inferred, selection, built)


def select_and_build(
    table: Table, rule: str, situation: Situation, features: Sequence[Constructed], fitting: Fitting
) -> tuple[Selection, Built]:
    """The variables that survive a manipulation, and a model on them fitted to the training part."""
    selection = select(rule, situation)
    products = usable(features, selection.used)
    panels = list(selection.panels.items())
    made = (fitting.kind, fitting.seed, fitting.options)
    listed = len(selection.chosen)
    return selection, build(table, selection.used, products, *made, panels, listed, networks=situation.networks)
