"""Columns that are probably no variables: row numbers, and the target itself under another name."""

import math

import numpy as np

from himation.bits import pack_bits
from himation.files.texts import listed
from himation.table import BINARY, CONTINUOUS, DISCRETE, Table

_FEWEST = 5  # examples below which any column of numbers may rise by chance
_AHEAD = 8  # examples looked at first
_CHANCE = 0.01  # of warning of a column that separates the classes by accident
_COLUMNS_AT_ONCE = 1024


def suspicions(table: Table) -> list[str]:
    """A line for each kind of column that somebody should look at."""
    found = []
    numbers = _names(table, row_numbers(table))
    if numbers:
        found.append(
            f"{listed(numbers)}: row numbers or identifiers? Every example has a whole number of its own; leave such "
            "columns out"
        )
    leaks = _names(table, leaks_of(table))
    if leaks:
        found.append(
            f"{listed(leaks)}: a leak of the target {table.target_name!r}? Every value stands for one value of the "
            "target; leave out what is not known before the target is"
        )
    return found


def _names(table, variables) -> list[str]:
    return [table.names[i] for i in sorted(variables, key=lambda i: table.columns[i])]


def row_numbers(table: Table) -> list[int]:
    """Variables whose whole numbers are all different, and follow each other, or rise or fall all the way.

    Those that are called identifiers as well are no variables any more (`himation.prepare.identifiers`)."""
    if table.train.n < _FEWEST:
        return []
    found = []
    for i in np.flatnonzero(table.kinds == CONTINUOUS).tolist():
        values, centre, scale = table.train.values[table.row[i]], table.centre[i], table.scale[i]
        if scale > 1e12 or not _whole(centre + scale * values[:_AHEAD]):
            continue
        numbers = centre + scale * values
        if not _whole(numbers):
            continue
        steps = np.diff(np.round(numbers))
        between = np.diff(np.sort(np.round(numbers)))
        if between.min() > 0 and (between.max() == between.min() or (steps > 0).all() or (steps < 0).all()):
            found.append(i)
    return found


def _whole(numbers: np.ndarray) -> bool:
    return bool((np.abs(numbers - np.round(numbers)) <= 1e-6 + 1e-12 * np.abs(numbers)).all())


def leaks_of(table: Table) -> list[int]:
    """Variables that tell the target without an error, and not by accident."""
    if table.target_kind == CONTINUOUS:
        rows = np.flatnonzero(table.kinds == CONTINUOUS)
        return [i for i in rows.tolist() if _same_line(table.train.values[table.row[i]], table.target)]
    codes = table.target_codes()
    found = _copies(table, codes) if table.target_kind == BINARY else []
    discrete = np.flatnonzero(table.kinds == DISCRETE)
    pure = [i for i in discrete.tolist() if _pure(table.train.codes[table.row[i]], codes)]
    found += [i for i in pure if _no_accident(table, table.arity(i)) or table.target_kind != BINARY]
    if table.target_kind == BINARY and _no_accident(table, 1):
        found += _separators(table, codes)
    return found


def _copies(table, target: np.ndarray) -> list[int]:
    """Binary variables that are the target, or its opposite."""
    binary = np.flatnonzero(table.kinds == BINARY)
    if not len(binary):
        return []
    both = pack_bits(np.array([target, 1 - target]))
    rows = table.train.bits[table.row[binary]]
    return binary[(rows == both[0]).all(axis=1) | (rows == both[1]).all(axis=1)].tolist()


def _pure(codes: np.ndarray, target: np.ndarray) -> bool:
    """Whether every level goes with one value of the target."""
    for begin, end in ((0, _AHEAD * _AHEAD), (0, len(codes))):
        pairs = np.unique(codes[begin:end].astype(np.int64) * 256 + target[begin:end])
        if len(np.unique(pairs // 256)) < len(pairs):
            return False
    return True


def _separators(table, target: np.ndarray) -> list[int]:
    """Continuous variables of which one class has all the larger values."""
    found, high = [], target.astype(bool)
    continuous = np.flatnonzero(table.kinds == CONTINUOUS)
    for begin in range(0, len(continuous), _COLUMNS_AT_ONCE):
        block = continuous[begin : begin + _COLUMNS_AT_ONCE]
        values = np.asarray(table.train.values[table.row[block]])
        ones, zeros = values[:, high], values[:, ~high]
        apart = (ones.min(axis=1) > zeros.max(axis=1)) | (ones.max(axis=1) < zeros.min(axis=1))
        found += block[apart].tolist()
    return found


def _no_accident(table, levels: int) -> bool:
    """Whether it is unlikely that any of so many variables tells all examples' classes by chance."""
    n, k = table.train.n, int((table.target > 0).sum())
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return levels * math.log(2) + math.log(table.n_variables) - ways < math.log(_CHANCE)


def _same_line(values: np.ndarray, target: np.ndarray) -> bool:
    return bool(np.allclose(values, target, atol=1e-9) or np.allclose(values, -target, atol=1e-9))
