"""From a ranking of all variables to the set that a finder returns."""

from collections.abc import Collection, Sequence

import numpy as np

from himation.errors import UserError
from himation.finders import Context, Found, require_two_classes
from himation.rankings.cuts import auc_cut, gap_cut
from himation.table import Table

RANKED_NAMES = 1_000  # of the ranking that go into the details


def found_from(
    table: Table, order: Sequence[int], losses: np.ndarray, size: int, details: dict, path: Sequence = ()
) -> Found:
    """The best ``size`` variables, scored by rank; the whole ranking and the losses are details."""
    scores = tuple(float(len(order) - rank) for rank in range(size))
    more = {"ranking": [table.names[x] for x in order[:RANKED_NAMES]], "losses": losses[:RANKED_NAMES].tolist()}
    return Found(tuple(order[:size]), scores, {**details, **more, **({"path": list(path)} if path else {})})


def simple_cut(table: Table, order: Sequence[int], losses: np.ndarray, rule: str, context: Context) -> tuple[int, list]:
    """Size of the set by the rules that need the ranking alone: gap or auc; and the path of the latter."""
    if rule == "gap":
        return gap_cut(losses, table.train.n), []
    if rule == "auc":
        size, path = auc_cut(order, lambda members: nested_auc(table, members, context))
        return size, [list(step) for step in path]
    raise UserError(f"cut {rule!r} is not for this method: write gap or auc")


def fixed_size(settings: dict, n_variables: int) -> int | None:
    """The setting ``size``, if any, at most the number of variables."""
    size = settings.get("size")
    if size is not None and size < 1:
        raise UserError(f"size is {size}; it must be at least 1")
    return None if size is None else min(int(size), n_variables)


def nested_auc(table: Table, members: Collection[int], context: Context) -> float:
    """Cross-validated AUC of a few SVMs, on the same folds for every set of variables; a half without variables."""
    from himation.models.svm import Grid, search

    require_two_classes(table)
    if not members:
        return 0.5
    grid = Grid(degrees=(1, 2), gaussian_gamma=(), costs=(1e-2, 1.0))
    examples = table.features(sorted(members))
    return search(examples, table.target, grid, seed=context.seed, threads=context.threads).best.auc
