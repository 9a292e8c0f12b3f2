"""Read what the test table says of the manipulation, and the numbers behind its pictures.

The values of a few variables are read from the prepared table, in the user's units. A difference between training and
test counts as one if chance would make it less often than once in a hundred times: of distributions by the test of
Kolmogorov and Smirnov, of correlations by Fisher's transformation. That decides words alone; what is set or shifted is
decided by `himation.posterior`.
"""

from dataclasses import replace
from math import atanh, isfinite, log, sqrt
from pathlib import Path

import numpy as np

from himation.files.atomic import read_json, tsv_rows
from himation.files.nodes import Nodes
from himation.posterior.settings import LIKELY
from himation.report.values import SAME, UNSURE, Changed, Changes, Distribution, Link
from himation.table import BINARY, CONTINUOUS, Table

MOST_SHOWN = 10
LEAST_SHOWN = 3  # where nothing has changed: those that come nearest to it
RANGES = 24  # of a distribution
GROUPS = 8  # of the companion's values
MOST_WORDS, MOST_NUMBERS = 5, 10  # different values that have a place each
FEW = 5  # examples in a group that has a mean
_KS = sqrt(-log(0.01 / 2) / 2)  # of Kolmogorov and Smirnov, at one in a hundred
_NORMAL = 2.576  # standard errors, at one in a hundred


def read_changes(folder: Path, table: Table, selection: dict, selected) -> Changes | None:
    """What infer_manipulation.py wrote; None where there is no test table. ``selected`` are columns."""
    paths = folder / "manipulated.tsv", folder / "manipulated.json"
    if table.test is None or not all(path.is_file() for path in paths):
        return None
    facts = read_json(paths[1])
    names = {int(column): name for name, column in zip(table.names, table.columns, strict=True)}
    listed, everyone, partner = set(selection["manipulated"]), [], {}
    for row in tsv_rows(paths[0]):
        column, companion = int(row["column"]), row["companion_column"]
        partner[column] = companion
        everyone.append(
            Changed(
                name=row["variable"],
                column=column,
                **_became(row),
                networks=float(row["networks"]),
                listed=column in listed,
                selected=column in selected,
                hardly=column in selection.get("also", ()),
                companion=names[int(companion)] if companion else "",
                r_train=_number(row["r_train"]),
                r_test=_number(row["r_test"]),
            )
        )
    shown = [row for row in everyone if row.verdict != SAME][:MOST_SHOWN] or everyone[:LEAST_SHOWN]
    nodes = Nodes(table)
    return Changes(
        **{key: facts[key] for key in ("why", "words", "told", "test_rows")},
        **{key: facts[key] for key in ("share_set", "share_shifted", "prior_share")},
        used=bool(facts["used"]) and selection["manipulation"] == "unknown" and selection["rule"] == "posterior",
        rows=tuple(row for row in everyone if row.verdict != SAME or row.listed),
        shown=tuple(_with_pictures(row, table, nodes, partner[row.column]) for row in shown),
    )


def _number(text: str) -> float | None:
    return float(text) if text and isfinite(float(text)) else None


def _with_pictures(row: Changed, table: Table, nodes: Nodes, companion: str) -> Changed:
    x = nodes.at(row.column)
    parts = [_units(table, x, part) for part in ("train", "test")]
    means, spreads = (tuple(float(measure(part)) for part in parts) for measure in (np.mean, np.std))
    link = None
    if companion:
        link = _link(table, x, nodes.at(companion), _correlation_moved(row, table.train.n, table.test.n))
    measured = table.kinds[x] != BINARY and not table.is_text(x)
    return replace(
        row,
        means=means if measured else None,
        spreads=spreads if measured else None,
        distribution=_distribution(table, x),
        link=link,
    )


def _units(table: Table, x: int, part: str) -> np.ndarray:
    """The variable as the user has it; of two values, and of words, the codes."""
    return table.numbers(x, part) * table.scale[x] + table.centre[x]


def _codes(table: Table, x: int, part: str) -> np.ndarray:
    return np.asarray(getattr(table, part).codes[table.row[x]]) if table.kinds[x] != BINARY else table.numbers(x, part)


def _by_level(table: Table, x: int) -> bool:
    """Whether a picture has a place for each value; numbers with many values are drawn as ranges."""
    return table.kinds[x] != CONTINUOUS and (table.is_text(x) or len(table.levels[x]) <= MOST_NUMBERS)


def _places(table: Table, x: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Labels of the values, and which of them each training and test example has; rare ones share the last."""
    train, test = (_codes(table, x, part).astype(np.int64) for part in ("train", "test"))
    levels = [str(level) for level in table.levels[x]]
    if table.is_text(x) and len(levels) > MOST_WORDS:
        counts = np.bincount(np.concatenate([train, test]), minlength=len(levels))
        order = np.argsort(-counts, kind="stable")[: MOST_WORDS - 1]
        place = np.full(len(levels), MOST_WORDS - 1)
        place[order] = np.arange(MOST_WORDS - 1)
        return [*(levels[k] for k in order), "others"], place[train], place[test]
    return levels, train, test


def _distribution(table: Table, x: int) -> Distribution:
    if _by_level(table, x):
        labels, train, test = _places(table, x)
        shares = [np.bincount(part, minlength=len(labels)) / max(1, len(part)) for part in (train, test)]
        edges = ()
    else:
        train, test = (_units(table, x, part) for part in ("train", "test"))
        ends = np.concatenate([np.quantile(part, [0.005, 0.995]) for part in (train, test)])
        if ends.min() == ends.max():
            ends = np.concatenate([train, test])
        edges = np.linspace(ends.min(), ends.max(), RANGES + 1)
        inside = [np.clip(part, edges[0], edges[-1]) for part in (train, test)]
        shares = [np.histogram(part, edges)[0] / max(1, len(part)) for part in inside]
        labels, edges = (), tuple(edges.tolist())
    return Distribution(*(tuple(part.tolist()) for part in shares), _moved(train, test), edges, tuple(labels))


def _moved(train: np.ndarray, test: np.ndarray) -> bool:
    """Whether two samples differ by more than chance (Kolmogorov and Smirnov)."""
    train, test = np.sort(train), np.sort(test)
    at = np.concatenate([train, test])
    parts = [np.searchsorted(part, at, side="right") / len(part) for part in (train, test)]
    return bool(np.abs(parts[0] - parts[1]).max() > _KS * sqrt(1 / len(train) + 1 / len(test)))


def _correlation_moved(row: Changed, n_train: int, n_test: int) -> bool:
    if row.r_train is None or row.r_test is None or min(n_train, n_test) <= 3:
        return False
    before, after = (atanh(max(-0.999999, min(0.999999, r))) for r in (row.r_train, row.r_test))
    return abs(before - after) > _NORMAL * sqrt(1 / (n_train - 3) + 1 / (n_test - 3))


def _link(table: Table, x: int, companion: int, moved: bool) -> Link:
    """Means of the variable in groups of the companion's values, the same in training and in test."""
    of = f"mean of {table.names[x]}"
    values = [_units(table, x, part) for part in ("train", "test")]
    if table.kinds[x] == BINARY or table.is_text(x):
        codes = [_codes(table, x, part).astype(np.int64) for part in ("train", "test")]
        level = 1 if table.kinds[x] == BINARY else int(np.argmax(np.bincount(codes[0])))  # of words the commonest
        values = [(part == level).astype(float) for part in codes]
        of = f"share of {table.levels[x][level]}"
    if _by_level(table, companion):
        labels, *groups = _places(table, companion)
        at = groups
    else:
        at = [_units(table, companion, part) for part in ("train", "test")]
        cuts = np.unique(np.quantile(np.concatenate(at), np.arange(1, GROUPS) / GROUPS))
        labels, groups = (), [np.searchsorted(cuts, part, side="right") for part in at]
    points = [_means(*part) for part in zip(groups, at, values, strict=True)]
    return Link(*points, of, moved, tuple(labels))


def _means(groups: np.ndarray, at: np.ndarray, values: np.ndarray) -> tuple[tuple[float, float, float], ...]:
    found = []
    for group in range(int(groups.max(initial=-1)) + 1):
        inside = groups == group
        n = int(inside.sum())
        if n >= FEW:
            here = values[inside]
            found.append((float(at[inside].mean()), float(here.mean()), float(here.std() / sqrt(n))))
    return tuple(found)


def _became(row) -> dict:
    """The chances of a variable's states, and which has most of the probability, if one has."""
    p_set, p_shifted = float(row["p_set"]), float(row["p_shifted"])
    p_same = 1 - float(row["p_manipulated"])
    if max(p_set, p_shifted, p_same) < LIKELY:
        verdict = UNSURE
    else:
        verdict = SAME if row["kind"] == "none" else row["kind"]
    return {"verdict": verdict, "p_set": p_set, "p_shifted": p_shifted, "p_same": p_same}
