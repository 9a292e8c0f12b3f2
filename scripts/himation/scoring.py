"""All scores of one data set, and the reference models that know the truth."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from himation import graphs
from himation.bits import unpack_bits
from himation.evaluate import auc, fscore_sorted, fscore_unsorted, relative_tscore, tscore_error_bar
from himation.models import svm
from himation.models.kinds import Options, create
from himation.models.linear import linear_scores
from himation.table import BINARY, Table
from himation.task_names import OURS, TRUE_BLANKET, TRUE_MANIPULATED, TRUE_PARENTS, TRUE_REAL

NATURAL = "natural blanket found"
ALL = "all variables"
THESIS = "rule thesis"
MOST_ROWS_OF_A_GRID = 4000  # larger tables have linear reference models, with which the challenge measured difficulty
MOST_CELLS_OF_A_GRID = 100_000  # examples times variables
_TARGET = 0


@dataclass(frozen=True)
class Facts:
    """What there is to score. ``edges`` are pairs of columns with 0 for the target; so are the manipulated columns.

    With unknown manipulations and no list of what was really done, all variables count as manipulated: only the
    parents are then relevant, as in the challenge's second versions. ``real`` columns count as relevant whatever the
    graph says: beside probes, nobody knows which of them are causes. ``natural`` is the natural blanket that was found,
    ``rules`` the set that each rule of selection would take.
    """

    columns: list[int]
    train_predictions: np.ndarray
    test_predictions: np.ndarray | None
    edges: np.ndarray | None
    manipulation: str
    manipulated: frozenset[int]
    real: frozenset[int] = frozenset()
    natural: list[int] = field(default_factory=list)
    rules: dict[str, list[int]] = field(default_factory=dict)


def score_all(
    table: Table, facts: Facts, grid: svm.Grid, seed: int, most_rows: int, threads: int, kind: str = "svm"
) -> list[list]:
    """Rows of (score, of what, value, error bar, note); ``kind`` is the kind of model that the references are."""
    options = Options(grid, most_rows=most_rows, threads=threads)
    rows = []
    signs = np.delete(facts.train_predictions, list(table.left_out_rows))
    rows.append(["Dscore", OURS, auc(table.target, signs), tscore_error_bar(table.target, signs), "AUC on training"])
    rows.append(["Fnum", OURS, float(len(facts.columns)), None, f"of {table.n_file_columns} columns"])
    sets = true_sets(table, facts) if facts.edges is not None else {}
    if sets:
        rows += _fscores(table, facts, sets[TRUE_MANIPULATED])
    y = table.test_target
    if y is None or facts.test_predictions is None:
        return rows
    ours = auc(y, facts.test_predictions)
    rows.append(["Tscore", OURS, ours, tscore_error_bar(y, facts.test_predictions), "AUC on test"])
    reference = cache(lambda columns: _reference(table, columns, kind, seed, options))
    references = {name: reference(tuple(columns)) for name, columns in sets.items()}
    for name, values in references.items():
        if values is not None:
            note = f"{len(sets[name])} variables, chosen by knowing the truth"
            rows.append(["Tscore", name, auc(y, values), tscore_error_bar(y, values), note])
    best = max((auc(y, values) for values in references.values() if values is not None), default=0.5)
    if best > 0.5:
        rows.append(["relative Tscore", OURS, relative_tscore(ours, best), None, f"best reference {best:.4f}"])
    everything = [int(column) for column in table.columns]
    found = [(NATURAL, facts.natural, "no thought of manipulation"), (ALL, everything, "no selection")]
    found += [(f"rule {name}", columns, f"{len(columns)} variables") for name, columns in facts.rules.items()]
    for name, columns, note in found:
        values = reference(tuple(sorted(columns)))
        if values is not None:
            rows.append(["Tscore", name, auc(y, values), tscore_error_bar(y, values), note])
    return rows


def true_sets(table: Table, facts: Facts) -> dict[str, list[int]]:
    """Columns of the true parents, natural blanket and blanket under the manipulation; the real ones beside probes."""
    size = table.n_file_columns + 1
    edges = [] if facts.edges is None else facts.edges.tolist()
    dag = graphs.from_edges(size, [(cause, effect) for cause, effect in edges])
    manipulated = facts.manipulated
    if facts.manipulation == "unknown":
        manipulated = frozenset(range(1, size))
    sets = {
        TRUE_PARENTS: graphs.parents(dag, _TARGET),
        TRUE_BLANKET: graphs.markov_blanket(dag, _TARGET) | facts.real,
        TRUE_MANIPULATED: graphs.manipulated_blanket(dag, _TARGET, manipulated) | facts.real,
    }
    if facts.real:
        sets[TRUE_REAL] = facts.real
    return {name: sorted(columns) for name, columns in sets.items()}


def _fscores(table: Table, facts: Facts, relevant: list[int]) -> list[list]:
    total = table.n_file_columns
    hits = len(set(facts.columns) & set(relevant))
    note = f"{hits} of {len(relevant)} relevant, {len(facts.columns) - hits} false"
    return [
        ["Fscore", OURS, fscore_sorted(facts.columns, relevant, total), None, note],
        ["Fscore unsorted", OURS, fscore_unsorted(facts.columns, relevant, total), None, note],
    ]


def _reference(table, columns, kind, seed, options):
    where = {int(column): i for i, column in enumerate(table.columns)}
    variables = [where[column] for column in columns if column in where]
    if not variables:
        return None
    n = len(table.target)
    if n > MOST_ROWS_OF_A_GRID or n * len(variables) > MOST_CELLS_OF_A_GRID:
        X, X_test = (_features(table, variables, part) for part in ("train", "test"))
        return linear_scores(X, table.target, X_test, seed)
    model = create(kind, options).fit(table.features(variables), table.target, seed)
    return model.decision_function(table.features(variables, "test"))


def _features(table: Table, variables, part: str) -> np.ndarray:
    """Examples by features, as bytes where all are binary: a sixteenth of the memory of a large sparse table."""
    if any(table.kinds[i] != BINARY for i in variables):
        return table.features(variables, part)
    block = getattr(table, part)
    return unpack_bits(block.bits[table.row[variables]], block.n).T
