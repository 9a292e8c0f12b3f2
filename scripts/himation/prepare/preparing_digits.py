"""Tables of single digits, prepared all columns at once: as `himation.prepare.preparing` does it column by column.

>>> digits = np.array([[0, 2, 2, 0], [5, 5, 5, 5], [1, 2, 3, 1]], dtype=np.uint8)
>>> coded = code_digits(digits, None, most=3)
>>> coded.levels, coded.train.tolist()
([[0, 2], None, [1, 2, 3]], [[0, 1, 1, 0], [0, 0, 0, 0], [0, 1, 2, 0]])
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from himation.bits import pack_bits
from himation.files.digits import MOST
from himation.files.raw import RawTable
from himation.prepare.assembling import by_content, no_blocks, require_variables, warnings
from himation.prepare.target_codes import MOST_LEVELS, most_levels
from himation.table import BINARY, DISCRETE, Dropped, Part, Table

_BLOCK = 4096


@dataclass(frozen=True)
class Coded:
    """Codes of all columns, in training and in test; the levels of each, None for a constant one."""

    train: np.ndarray
    test: np.ndarray | None
    levels: list[list[int] | None]


def code_digits(train: np.ndarray, test: np.ndarray | None, most: float) -> Coded | None:
    """Levels in order, those only the test has after them. None if a column needs to be looked at by itself: with more
    than ``most`` values, or with two in training and another one in test."""
    here = _present(train)
    count = here.sum(axis=1)
    there = here if test is None else here | _present(test)
    if (count > most).any() or ((count == 2) & (there.sum(axis=1) > 2)).any():
        return None
    first = np.cumsum(here, axis=1) - 1
    later = count[:, None] + np.cumsum(there & ~here, axis=1) - 1
    codes = np.where(here, first, later).clip(0).astype(np.uint8)
    levels: list[list[int] | None] = [None] * len(train)
    for places in _alike(here, there):
        known = np.flatnonzero(here[places[0]]).tolist()
        new = np.flatnonzero(there[places[0]] & ~here[places[0]]).tolist()
        for i in places.tolist():
            levels[i] = known + new if len(known) > 1 else None
    return Coded(_coded(train, codes, there), None if test is None else _coded(test, codes, there), levels)


def _present(digits: np.ndarray) -> np.ndarray:
    """Which digits occur in each row."""
    found = np.empty((len(digits), MOST + 1), dtype=bool)
    for begin in range(0, len(digits), _BLOCK):
        bits = np.bitwise_or.reduce(np.uint16(1) << digits[begin : begin + _BLOCK].astype(np.uint16), axis=1)
        found[begin : begin + _BLOCK] = (bits[:, None] >> np.arange(MOST + 1, dtype=np.uint16)) & 1
    return found


def _alike(here, there):
    """Rows with the same digits, together."""
    weights = 1 << np.arange(MOST + 1)
    keys = (here @ weights) * (1 << (MOST + 1)) + there @ weights
    patterns, inverse = np.unique(keys, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    ends = np.cumsum(np.bincount(inverse, minlength=len(patterns)))
    return np.split(order, ends[:-1])


def _coded(digits: np.ndarray, codes: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Digits by codes; where the levels are 0, 1, ... they are the codes already."""
    moved = np.flatnonzero((there & (codes != np.arange(MOST + 1))).any(axis=1))
    if not len(moved):
        return digits
    found = digits.copy()
    for begin in range(0, len(moved), _BLOCK):
        rows = moved[begin : begin + _BLOCK]
        found[rows] = np.take_along_axis(codes[rows], digits[rows].astype(np.intp), axis=1)
    return found


def moments(digits: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of some rows."""
    centre, scale = np.zeros(len(rows)), np.ones(len(rows))
    for begin in range(0, len(rows), _BLOCK):
        numbers = digits[rows[begin : begin + _BLOCK]].astype(np.float64)
        centre[begin : begin + _BLOCK] = numbers.mean(axis=1)
        scale[begin : begin + _BLOCK] = numbers.std(axis=1)
    return centre, scale


def from_digits(
    raw: RawTable,
    signs: np.ndarray,
    target_name: str,
    labels: dict[int, str],
    test: RawTable | None,
    matched: Mapping[int, int] | None,
    test_target: np.ndarray | None,
    types: str | dict[str, str],
    exclude: Mapping[int, str],
) -> Table | None:
    """The prepared table, or None where some column must be looked at by itself."""
    if types not in ("auto", "discrete") or raw.digits is None or (test is not None and test.digits is None):
        return None
    kept = np.array([i for i in range(len(raw.names)) if i not in exclude], dtype=np.int64)
    there = (
        None
        if test is None or test.digits is None or matched is None
        else test.digits[[matched[i] for i in kept.tolist()]]
    )
    train = raw.digits if len(kept) == len(raw.names) else raw.digits[kept]
    coded = code_digits(train, there, most_levels(raw.n) if types == "auto" else MOST_LEVELS)
    if coded is None:
        return None
    place = {int(i): at for at, i in enumerate(kept)}
    dropped = [Dropped(raw.names[i], i + 1, why) for i, why in exclude.items()]
    dropped += [Dropped(raw.names[i], i + 1, "constant") for i in kept.tolist() if coded.levels[place[i]] is None]
    variables = [i for i in kept.tolist() if coded.levels[place[i]] is not None]

    def content(i: int) -> bytes:
        codes = coded.train[place[i]]
        return (pack_bits(codes[None]) if len(coded.levels[place[i]] or ()) == 2 else codes).tobytes()

    order, twins = by_content(variables, raw.names, content)
    dropped += twins
    require_variables(raw, order, dropped)
    rows = np.array([place[i] for i in order], dtype=np.int64)
    levels = [coded.levels[at] for at in rows.tolist()]
    binary = np.array([len(found) == 2 for found in levels])
    centre, scale = np.zeros(len(rows)), np.ones(len(rows))
    centre[~binary], scale[~binary] = moments(train, rows[~binary])
    return Table(
        names=[raw.names[i] for i in order],
        columns=np.array(order, dtype=np.int64) + 1,
        kinds=np.where(binary, BINARY, DISCRETE).astype(object),
        row=np.where(binary, np.cumsum(binary), np.cumsum(~binary)) - 1,
        levels=levels,
        centre=centre,
        scale=scale,
        fills=_most_frequent(coded.train, rows, levels),
        target=signs,
        target_name=target_name,
        labels=labels,
        train=_part(coded.train, rows, binary),
        test=None if coded.test is None else _part(coded.test, rows, binary),
        test_target=test_target,
        dropped=sorted(dropped, key=lambda d: d.column),
        warnings=warnings(dropped),
        n_file_columns=len(raw.names),
    )


def _most_frequent(codes: np.ndarray, rows: np.ndarray, levels: list[list[int]]) -> list[int]:
    """The level that most examples have; the first of several."""
    found = []
    for begin in range(0, len(rows), _BLOCK):
        block = codes[rows[begin : begin + _BLOCK]]
        counts = np.column_stack([(block == code).sum(axis=1) for code in range(MOST + 1)])
        found += counts.argmax(axis=1).tolist()
    return [levels[i][code] for i, code in enumerate(found)]


def _part(codes: np.ndarray, rows: np.ndarray, binary: np.ndarray) -> Part:
    n = codes.shape[1]
    bits, few, values = no_blocks(n)
    if binary.any():
        bits = pack_bits(codes[rows[binary]])
    if not binary.all():
        few = codes[rows[~binary]]
    return Part(n, bits, few, values)
