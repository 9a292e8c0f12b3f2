"""All scores of one data set, and the reference models that know the truth."""

from dataclasses import dataclass

import numpy as np

from himation import graphs, svm
from himation.evaluate import auc, fscore_sorted, fscore_unsorted, relative_tscore, tscore_error_bar
from himation.table import Table

OURS = "selected variables"
_TARGET = 0


@dataclass(frozen=True)
class Facts:
    """What there is to score. ``edges`` are pairs of columns with 0 for the target; so are the manipulated columns.

    With unknown manipulations and no list of what was really done, all variables count as manipulated: only the
    parents are then relevant, as in the challenge's second versions.
    """

    columns: list[int]
    train_predictions: np.ndarray
    test_predictions: np.ndarray | None
    edges: np.ndarray | None
    manipulation: str
    manipulated: frozenset[int]


def score_all(table: Table, facts: Facts, grid: svm.Grid, seed: int, most_rows: int, threads: int) -> list[list]:
    """Rows of (score, of what, value, error bar, note)."""
    rows = []
    signs = np.delete(facts.train_predictions, list(table.left_out_rows))
    rows.append(["Dscore", OURS, auc(table.target, signs), tscore_error_bar(table.target, signs), "AUC on training"])
    rows.append(["Fnum", OURS, float(len(facts.columns)), None, f"of {table.n_file_columns} columns"])
    sets = true_sets(table, facts) if facts.edges is not None else {}
    if sets:
        rows += _fscores(table, facts, sets["manipulated blanket"])
    y = table.test_target
    if y is None or facts.test_predictions is None:
        return rows
    ours = auc(y, facts.test_predictions)
    rows.append(["Tscore", OURS, ours, tscore_error_bar(y, facts.test_predictions), "AUC on test"])
    references = {name: _reference(table, columns, grid, seed, most_rows, threads) for name, columns in sets.items()}
    for name, values in references.items():
        if values is not None:
            note = f"{len(sets[name])} variables, chosen by knowing the truth"
            rows.append(["Tscore", f"true {name}", auc(y, values), tscore_error_bar(y, values), note])
    best = max((auc(y, values) for values in references.values() if values is not None), default=0.5)
    if best > 0.5:
        rows.append(["relative Tscore", OURS, relative_tscore(ours, best), None, f"best reference {best:.4f}"])
    everything = [int(column) for column in table.columns]
    values = _reference(table, everything, grid, seed, most_rows, threads)
    rows.append(["Tscore", "all variables", auc(y, values), tscore_error_bar(y, values), "no selection"])
    return rows


def true_sets(table: Table, facts: Facts) -> dict[str, list[int]]:
    """Columns of the true parents, natural blanket and blanket under the manipulation."""
    size = table.n_file_columns + 1
    dag = graphs.from_edges(size, [tuple(edge) for edge in facts.edges.tolist()])
    manipulated = facts.manipulated
    if facts.manipulation == "unknown":
        manipulated = frozenset(range(1, size))
    return {
        "parents": sorted(graphs.parents(dag, _TARGET)),
        "natural blanket": sorted(graphs.markov_blanket(dag, _TARGET)),
        "manipulated blanket": sorted(graphs.manipulated_blanket(dag, _TARGET, manipulated)),
    }


def _fscores(table: Table, facts: Facts, relevant: list[int]) -> list[list]:
    total = table.n_file_columns
    hits = len(set(facts.columns) & set(relevant))
    note = f"{hits} of {len(relevant)} relevant, {len(facts.columns) - hits} false"
    return [
        ["Fscore", OURS, fscore_sorted(facts.columns, relevant, total), None, note],
        ["Fscore unsorted", OURS, fscore_unsorted(facts.columns, relevant, total), None, note],
    ]


def _reference(table, columns, grid, seed, most_rows, threads):
    where = {int(column): i for i, column in enumerate(table.columns)}
    variables = [where[column] for column in columns if column in where]
    if not variables:
        return None
    X = table.features(variables)
    best = svm.search(X, table.target, grid, seed=seed, max_rows=most_rows, threads=threads).best
    model = svm.fit(X, table.target, best.kernel, best.cost)
    return model.decision_function(table.features(variables, "test"))
