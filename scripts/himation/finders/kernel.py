"""K-CDM and BAHSIC on a prepared table: rankings by kernel measures, cut to a set.

Every variable has variance 1 in the kernel, a variable of words by its indicators together, so that binary, discrete
and continuous ones count alike. A target of two or more values has the Gaussian kernel on its indicators, in which all
pairs of different values are equally far apart; with a linear kernel, their inner products.
"""

import numpy as np

from himation.finders import Context, Found
from himation.finders.ranked import fixed_size, found_from, simple_cut
from himation.rankings.cuts import CUTS, permutation_cut
from himation.rankings.kcdm import RANK, Ranking, rank_variables
from himation.rankings.kernel_measures import target_factor
from himation.table import CONTINUOUS, DISCRETE, Table

ALPHA = 0.05
ONE_BY_ONE = {"gaussian": 100, "linear": 2_000}  # more variables than that: a share of them goes in each step
SHARE = 0.1


def find_kcdm(table: Table, settings: dict, context: Context) -> Found:
    return _find(table, settings, context, settings.get("measure", "m1"), settings.get("direction", "backward"))


def find_bahsic(table: Table, settings: dict, context: Context) -> Found:
    return _find(table, settings, context, "hsic", "backward")


def _find(table: Table, settings: dict, context: Context, which: str, direction: str) -> Found:
    from himation.files.memory import require

    require(24.0 * table.n_variables * table.train.n, "this table as a matrix of numbers")
    kernel, rank = settings.get("kernel", "gaussian"), int(settings.get("landmarks", RANK))
    X, groups = scaled_columns(table)
    V = target_factor(target_columns(table), kernel)
    many = table.n_variables > ONE_BY_ONE[kernel]
    share = float(settings.get("share", SHARE if many else 0.0))
    ranking = rank_variables(
        X,
        V,
        which,
        kernel,
        settings.get("epsilon"),
        direction,
        share,
        rank,
        groups,
        threads=context.threads,
        progress=context.progress,
    )
    rule = settings.get("cut", CUTS[0])
    size, path = _cut(table, X, V, groups, ranking, rule, settings, context, rank)
    details = {"measure": which, "kernel": kernel, "direction": direction, "share": share, "landmarks": rank}
    details |= {"cut": "size" if "size" in settings else rule, "values": list(ranking.values[:1001])}
    return found_from(table, ranking.order, ranking.losses, size, details, path)


def _cut(table, X, V, groups, ranking: Ranking, rule: str, settings, context, rank) -> tuple[int, list]:
    size = fixed_size(settings, table.n_variables)
    if size is not None:
        return size, []
    if rule == "permutation":
        alpha = settings.get("alpha", ALPHA)
        return permutation_cut(X, V, ranking, groups, alpha, context.seed, rank, context.progress), []
    return simple_cut(table, ranking.order, ranking.losses, rule, context)


def scaled_columns(table: Table) -> tuple[np.ndarray, list[list[int]]]:
    """Examples by columns, and the columns of each variable, whose variances add up to 1."""
    columns: list[np.ndarray] = []
    groups = []
    for i in range(table.n_variables):
        own = table.features([i]) if table.kinds[i] == DISCRETE and table.is_text(i) else table.numbers(i)[:, None]
        spread = float(np.sqrt(own.var(axis=0).sum()))
        groups.append(list(range(len(columns), len(columns) + own.shape[1])))
        columns += list((own - own.mean(axis=0)).T / (spread if spread > 0 else 1.0))
    return (np.column_stack(columns) if columns else np.empty((table.train.n, 0))), groups


def target_columns(table: Table) -> np.ndarray:
    """The target as numbers, or as indicators of its values."""
    if table.target_kind == CONTINUOUS:
        return np.asarray(table.target, dtype=float)[:, None]
    codes = table.target_codes()
    return (codes[:, None] == np.unique(codes)).astype(float)
