"""From selected variables to a finished model: fitted, honestly measured, calibrated, with nested subsets.

A ranked list of variables has nested subsets, the first 1, 2, 4, 8, ... of it; the challenge asked for predictions
with each. Their models keep the settings that were found with all variables and see at most 2,000 examples.

A selection may divide its variables among the members of an ensemble in panels, each with a weight; a product of
variables is in a panel if all of them are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.files.models import Saved, in_file_order
from himation.files.nodes import Nodes
from himation.models.constructed import Constructed
from himation.models.encoding import Encoding
from himation.models.fitting import fit, panels_of_columns
from himation.models.kinds import (
    MOST_NESTED,
    NESTED_ROWS,
    Honest,
    Options,
    again,
    describe,
    honest_values,
    nested_sizes,
)
from himation.models.svm import stratified_sample
from himation.posterior.networks import NO_NETWORKS, Networks
from himation.table import Table

PREDICTED = ("part", "row", "decision_value", "probability", "honest_value", "honest_probability")


@dataclass(frozen=True)
class Built:
    """The model as it is saved, and the values of the training examples by models that did not see them."""

    saved: Saved
    honest: Honest

    def facts(self) -> dict:
        """What there is to tell about the model."""
        model = self.saved.model
        found = getattr(model, "found_", None)
        return {
            "kind": self.saved.kind,
            "words": describe(self.saved.kind, model),
            "variables": [variable.name for variable in self.saved.encoding.variables],
            "columns": self.saved.columns,
            "constructed_features": len(self.saved.products),
            "expected_auc": self.honest.auc,
            "standard_error": self.honest.error,
            "measured": self.honest.how,
            "examples": len(self.honest.values),
            "examples_searched": found.rows_searched if found else len(self.honest.values),
            "calibration": {"slope": self.saved.platt.slope, "offset": self.saved.platt.offset},
            "versions": self.saved.versions,
        }

    def settings(self) -> tuple[tuple[str, ...], list[list]]:
        """Header and rows of what was tried."""
        model = self.saved.model
        return model.settings_table() if hasattr(model, "settings_table") else (("kind",), [[self.saved.kind]])


def build(
    table: Table,
    variables,
    features: tuple[Constructed, ...],
    kind: str,
    seed: int,
    options: Options,
    panels: Sequence[tuple[Sequence[int], float]] = (),
    listed: int | None = None,
    honest: Honest | None = None,
    networks: Networks = NO_NETWORKS,
) -> Built:
    """Fit a model of a kind on some variables, surest first, and on products of them; ``panels`` are of variables.
    Nested subsets are those of the first ``listed``. Where ``honest`` values are known, of a search without each
    example, they are not made here. The networks say which experiments may be learned from."""
    from himation.files.provenance import versions

    nodes = Nodes(table)
    products = tuple((f.coding, tuple((nodes.column(v), power) for v, power in f.monomial)) for f in features)
    encoding = Encoding.of(table, variables)
    facts = {"target": table.target_name, "labels": table.labels, "versions": versions()}
    draft = Saved(kind, None, encoding, products)
    X, y = draft.inputs(table), np.asarray(table.target)
    model, options = fit(table, variables, features, kind, seed, options, panels, networks)
    honest = honest or honest_values(kind, model, X, y, seed, options)
    rows = np.arange(len(y)) if len(y) <= NESTED_ROWS else stratified_sample(y, NESTED_ROWS, seed)
    nested = {}
    for size in nested_sizes(listed or len(encoding.variables)) if len(y) <= MOST_NESTED else ():
        fewer = replace(options, panels=panels_of_columns(table, variables[:size], features, panels))
        nested[size] = again(kind, model, draft.inputs(table, size=size)[rows], y[rows], seed, fewer)
    return Built(Saved(kind, model, encoding, products, nested, honest.calibrated(y), **facts), honest)


def prediction_rows(table: Table, built: Built, training_values: np.ndarray) -> list[list]:
    """Rows of PREDICTED for the training table, of which the values are known, and the test table, numbered as in the
    user's files."""
    saved, platt = built.saved, built.saved.platt
    fitted = training_values[:, -1]
    apart = saved.values(table, "left_out")[:, -1] if table.left_out else None  # never seen: honest as they are
    honest = in_file_order(table, built.honest.values, apart)
    chances, honest_chances = platt.probability(fitted), platt.probability(honest)
    held = [[None, None] if np.isnan(v) else [float(v), float(p)] for v, p in zip(honest, honest_chances, strict=True)]
    rows = [["train", i + 1, float(fitted[i]), float(chances[i]), *held[i]] for i in range(len(fitted))]
    if table.test is None:
        return rows
    values = saved.values(table, "test")[:, -1]
    chances = platt.probability(values)
    return rows + [
        ["test", i + 1, float(v), float(p), None, None] for i, (v, p) in enumerate(zip(values, chances, strict=True))
    ]
