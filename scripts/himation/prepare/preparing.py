"""From raw numbers to a typed `Table`: detect types, refuse or mend what is missing, drop what says nothing.

The rules, all of them reported with the result:

- two values: binary (the smaller becomes 0); at most ten whole numbers with five examples each on average: discrete;
  anything else: continuous, standardised to mean 0 and standard deviation 1 (thesis, V.2.1). ``types`` overrides.
  Types, levels and scales are decided from training alone (`himation.prepare.coding`) and hold for every later table.
- a constant column is dropped; of equal columns the first in the file stays.
- missing values are an error unless ``missing`` says otherwise: ``impute`` fills in the median, or the most frequent
  level; ``drop`` leaves incomplete examples out of training, and predicts them with the values imputed.
- the target's two labels become -1 and +1 in their own order, or as ``positive`` says.
- columns that look like row numbers, or like the target itself, are warned of (`himation.prepare.suspects`).
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from himation.bits import count_bits, pack_bits
from himation.errors import UserError
from himation.files.raw import RawTable, plain_number
from himation.files.texts import listed
from himation.prepare.assembling import by_content, no_blocks, require_variables, warnings
from himation.prepare.coding import Variable, coded, complete, decide
from himation.prepare.preparing_digits import from_digits
from himation.prepare.suspects import suspicions
from himation.prepare.target_codes import any_kind_of_target, code_target
from himation.table import BINARY, CONTINUOUS, DISCRETE, KINDS, Dropped, Part, Table

TYPES = ("auto", "continuous", "binary", "discrete", "mixed")
MISSING = ("error", "drop", "impute")
BIT_TYPES = ("auto", "binary", "discrete", "mixed")  # all of which make zeros and ones binary


@dataclass
class _Column:
    """One variable on its way into the table, in training and in test."""

    variable: Variable
    train: np.ndarray
    test: np.ndarray | None
    levels: list | None  # those only later examples have come last
    strange: tuple = ()

    @property
    def kind(self) -> str:
        return self.variable.kind

    def content(self, used: np.ndarray) -> bytes:
        """What is compared with other columns; of zeros and ones, the bits."""
        return (pack_bits(self.train[None, used]) if self.kind == BINARY else self.train[used]).tobytes()


def prepare(
    raw: RawTable,
    target: np.ndarray,
    target_name: str = "target",
    test: RawTable | None = None,
    test_target: np.ndarray | None = None,
    types: str | dict[str, str] = "auto",
    missing: str = "error",
    exclude: dict[int, str] | None = None,
    any_target: bool = False,
    positive: str | None = None,
) -> Table:
    """Build the table. ``exclude`` maps positions of columns to why they are left out. The target must have two labels,
    or ``positive`` says how it becomes two classes, unless ``any_target`` admits several labels or numbers."""
    exclude = exclude or {}
    if len(exclude) == len(raw.names):
        require_variables(raw, [], [Dropped(raw.names[i], i + 1, why) for i, why in exclude.items()])
    if any_target and positive is None:
        target_kind, signs, labels = any_kind_of_target(target, target_name)
    else:
        target_kind, (signs, labels) = BINARY, code_target(target, target_name, positive)
    if len(signs) != raw.n:
        raise UserError(f"{raw.path}: has {raw.n} rows and the target {target_name!r} has {len(signs)} values")
    matched = match_columns(raw, test, exclude) if test is not None else None
    check_finite(raw, missing, exclude)
    if test is not None and matched is not None:
        others = set(range(len(test.names))) - {j for i, j in matched.items() if i not in exclude}
        check_finite(test, missing, exclude=others, may_be_empty=True)
    if raw.bits is not None and (test is None or test.bits is not None) and types in BIT_TYPES:
        table = _from_bits(raw, signs, target_name, labels, test, matched, test_target, exclude)
    else:
        given = (raw, signs, target_name, labels, test, matched, test_target)
        table = from_digits(*given, types, exclude) or _from_columns(*given, types, missing, exclude)
    table = table if target_kind == BINARY else replace(table, target_kind=target_kind)
    return replace(table, warnings=[*table.warnings, *suspicions(table)])


def match_columns(raw: RawTable, test: RawTable, exclude: Collection[int]) -> dict[int, int]:
    """Position in the test table of every training column: by name where both have names, else by position."""
    if raw.headerless or test.headerless:
        if len(test.names) != len(raw.names):
            raise UserError(f"{test.path}: has {len(test.names)} columns, the training table has {len(raw.names)}")
        return {i: i for i in range(len(raw.names))}
    where = {name: j for j, name in enumerate(test.names)}
    absent = [name for i, name in enumerate(raw.names) if name not in where and i not in exclude]
    if absent:
        raise UserError(f"{test.path}: lacks {len(absent)} of the training table's columns: {listed(absent)}")
    return {i: where[name] for i, name in enumerate(raw.names) if name in where}


def check_finite(raw: RawTable, missing: str, exclude: Collection[int], may_be_empty: bool = False) -> None:
    """No infinite values ever; no missing ones unless there is a rule for them."""
    if raw.values is None or np.isfinite(raw.values).all():
        return
    infinite = [raw.names[i] for i in range(len(raw.names)) if i not in exclude and np.isinf(raw.values[i]).any()]
    if infinite:
        raise UserError(f"{raw.path}: infinite values in column {listed(infinite)}")
    absent = [i for i in range(len(raw.names)) if i not in exclude and np.isnan(raw.values[i]).any()]
    if absent and missing == "error":
        row = int(np.flatnonzero(np.isnan(raw.values[absent[0]]))[0]) + raw.first_line
        raise UserError(
            f"{raw.path}: missing values in column {listed(raw.names[i] for i in absent)} (first at line {row}); "
            "set 'missing: drop' or 'missing: impute' for this data set"
        )
    empty = [raw.names[i] for i in absent if np.isnan(raw.values[i]).all()]
    if empty and not may_be_empty:
        raise UserError(f"{raw.path}: no value at all in column {listed(empty)}; remove it from the table")


def _from_bits(raw, signs, target_name, labels, test, matched, test_target, exclude) -> Table:
    """The short way for tables of zeros and ones: no float is ever made."""
    ones = count_bits(raw.bits)
    constant = (ones == 0) | (ones == raw.n)
    dropped = [Dropped(raw.names[i], i + 1, why) for i, why in exclude.items()]
    dropped += [Dropped(raw.names[i], i + 1, "constant") for i in np.flatnonzero(constant).tolist() if i not in exclude]
    kept = [i for i in np.flatnonzero(~constant).tolist() if i not in exclude]
    order, twins = by_content(kept, raw.names, lambda i: raw.bits[i].tobytes())
    dropped += twins
    part = Part(raw.n, np.ascontiguousarray(raw.bits[order]), *no_blocks(raw.n, bits=False))
    test_part = None
    if test is not None:
        there = [matched[i] for i in order]
        test_part = Part(test.n, np.ascontiguousarray(test.bits[there]), *no_blocks(test.n, bits=False))
    require_variables(raw, order, dropped)
    p = len(order)
    return Table(
        names=[raw.names[i] for i in order],
        columns=np.array(order, dtype=np.int64) + 1,
        kinds=np.full(p, BINARY, dtype=object),
        row=np.arange(p),
        levels=[[0, 1]] * p,
        centre=np.zeros(p),
        scale=np.ones(p),
        fills=(2 * ones[order] > raw.n).astype(int).tolist(),
        target=signs,
        target_name=target_name,
        labels=labels,
        train=part,
        test=test_part,
        test_target=test_target,
        dropped=sorted(dropped, key=lambda d: d.column),
        warnings=warnings(dropped),
        n_file_columns=len(raw.names),
    )


def _from_columns(raw, signs, target_name, labels, test, matched, test_target, types, missing, exclude) -> Table:
    used = np.ones(raw.n, dtype=bool)
    if missing == "drop" and raw.values is not None:
        for i in range(len(raw.names)):
            if i not in exclude:
                used &= ~np.isnan(raw.values[i])
        if len(np.unique(signs[used])) < 2:
            raise UserError(f"{raw.path}: 'missing: drop' leaves no example of one class; use 'missing: impute'")
    dropped = [Dropped(raw.names[i], i + 1, why) for i, why in exclude.items()]
    columns = {}
    for i, name in enumerate(raw.names):
        if i in exclude:
            continue
        variable = decide(raw, i, used, types.get(name, "auto") if isinstance(types, dict) else types)
        if variable is None:
            dropped.append(Dropped(name, i + 1, "constant"))
        else:
            columns[i] = _column(variable, raw, i, test, matched[i] if test is not None else -1, missing)
    order, twins = by_content(list(columns), raw.names, lambda i: columns[i].content(used))
    dropped += twins
    require_variables(raw, order, dropped)
    chosen = [columns[i] for i in order]
    variables = [column.variable for column in chosen]
    row = np.zeros(len(chosen), dtype=np.int64)
    for kind in KINDS:
        same = [j for j, column in enumerate(chosen) if column.kind == kind]
        row[same] = np.arange(len(same))
    left_out = np.flatnonzero(~used)
    return Table(
        names=[variable.name for variable in variables],
        columns=np.array(order, dtype=np.int64) + 1,
        kinds=np.array([variable.kind for variable in variables], dtype=object),
        row=row,
        levels=[column.levels for column in chosen],
        centre=np.array([variable.centre for variable in variables]),
        scale=np.array([variable.scale for variable in variables]),
        fills=[variable.fill for variable in variables],
        target=signs[used],
        target_name=target_name,
        labels=labels,
        train=_part(chosen, "train", used),
        test=_part(chosen, "test", np.ones(test.n, dtype=bool)) if test is not None else None,
        test_target=test_target,
        left_out=_part(chosen, "train", ~used) if len(left_out) else None,
        left_out_rows=tuple(int(i) for i in left_out),
        dropped=sorted(dropped, key=lambda d: d.column),
        warnings=[*warnings(dropped, len(left_out)), *_unseen(chosen)],
        n_file_columns=len(raw.names),
    )


def _column(variable: Variable, raw, position, test, place, missing) -> _Column:
    """The variable's values in training and in test, by what was decided from training."""
    here = complete(variable, raw, position, missing)
    there = complete(variable, test, place, missing) if test is not None else None
    strange = sorted({*here.strange, *(there.strange if there else ())})
    strange = strange if variable.is_words else [plain_number(value) for value in strange]
    levels = [*(variable.levels or ()), *strange] if variable.kind == DISCRETE else variable.levels
    train = coded(variable, here.values, raw, levels)
    later = coded(variable, there.values, test, levels) if there else None
    return _Column(variable, train, later, levels, tuple(strange))


def _unseen(columns: list[_Column]) -> list[str]:
    """Values that training does not have, except numbers on a scale."""
    found = []
    for column in sorted(columns, key=lambda column: column.variable.column):
        if not column.strange:
            continue
        name, values = column.variable.name, listed(column.strange)
        if column.kind == BINARY:
            found.append(f"column {name!r} has values outside training that count as missing: {values}")
        elif column.variable.is_words:
            found.append(f"column {name!r} has values outside training that the model can't know: {values}")
    return found


def _part(columns, which, rows) -> Part:
    n = int(rows.sum())
    bits, codes, values = no_blocks(n)

    def block(kind):
        return [getattr(column, which)[rows] for column in columns if column.kind == kind]

    if block(BINARY):
        bits = pack_bits(np.array(block(BINARY)))
    if block(DISCRETE):
        codes = np.array(block(DISCRETE))
        codes = codes.astype(
            np.min_scalar_type(codes.max(initial=0))
        )  # a byte, unless a test table has many new levels
    if block(CONTINUOUS):
        values = np.array(block(CONTINUOUS))
    return Part(n, bits, codes, values)
