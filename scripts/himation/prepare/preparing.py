"""From raw numbers to a typed `Table`: detect types, refuse or mend what is missing, drop what says nothing.

The rules, all of them reported with the result:

- two values: binary (the smaller becomes 0); at most ten whole numbers with five examples each on average: discrete;
  anything else: continuous, standardised to mean 0 and standard deviation 1 (thesis, V.2.1). ``types`` overrides.
- a constant column is dropped; of equal columns the first by name stays.
- missing values are an error unless ``missing`` says otherwise: ``impute`` fills in the median, or the most frequent
  level; ``drop`` leaves incomplete examples out of training, and predicts them with the values imputed.
- the target's two labels become -1 and +1 in their own order.
"""

from dataclasses import dataclass, replace

import numpy as np

from himation.bits import count_bits, pack_bits
from himation.errors import UserError
from himation.files.tables import RawTable, listed
from himation.prepare.assembling import by_content, no_blocks, require_variables, warnings
from himation.prepare.preparing_digits import from_digits
from himation.prepare.target_codes import MOST_CODES, MOST_LEVELS, any_kind_of_target, code_target, most_levels
from himation.table import BINARY, CONTINUOUS, DISCRETE, KINDS, Dropped, Part, Table

TYPES = ("auto", "continuous", "binary", "discrete", "mixed")
MISSING = ("error", "drop", "impute")


@dataclass
class _Column:
    """One variable on its way into the table, in training and in test."""

    name: str
    position: int
    kind: str
    train: np.ndarray
    test: np.ndarray | None
    levels: list | None
    centre: float = 0.0
    scale: float = 1.0
    unseen: tuple[str, ...] = ()  # words that only the test table has


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
) -> Table:
    """Build the table. ``exclude`` maps positions of columns to why they are left out. The target must have two labels,
    unless ``any_target`` admits several labels or numbers."""
    exclude = exclude or {}
    coded = any_kind_of_target(target, target_name) if any_target else (BINARY, *code_target(target, target_name))
    target_kind, signs, labels = coded
    if len(signs) != raw.n:
        raise UserError(f"{raw.path}: has {raw.n} rows and the target {target_name!r} has {len(signs)} values")
    matched = match_columns(raw, test, exclude) if test is not None else None
    check_finite(raw, missing, exclude)
    if test is not None:
        check_finite(test, missing, exclude={j for j in range(len(test.names)) if j not in set(matched.values())})
    if raw.bits is not None and (test is None or test.bits is not None) and types in ("auto", "binary", "mixed"):
        table = _from_bits(raw, signs, target_name, labels, test, matched, test_target, exclude)
    else:
        given = (raw, signs, target_name, labels, test, matched, test_target)
        table = from_digits(*given, types, exclude) or _from_columns(*given, types, missing, exclude)
    return table if target_kind == BINARY else replace(table, target_kind=target_kind)


def match_columns(raw: RawTable, test: RawTable, exclude) -> dict[int, int]:
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


def check_finite(raw: RawTable, missing: str, exclude) -> None:
    """No infinite values ever; no missing ones unless there is a rule for them."""
    if raw.values is None:
        return
    if np.isfinite(raw.values.sum()) or np.isfinite(raw.values).all():
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
    if empty:
        raise UserError(f"{raw.path}: no value at all in column {listed(empty)}; remove it from the table")


def _from_bits(raw, signs, target_name, labels, test, matched, test_target, exclude) -> Table:
    """The short way for tables of zeros and ones: no float is ever made."""
    ones = count_bits(raw.bits)
    constant = (ones == 0) | (ones == raw.n)
    dropped = [Dropped(raw.names[i], i + 1, why) for i, why in exclude.items()]
    dropped += [Dropped(raw.names[i], i + 1, "constant") for i in np.flatnonzero(constant) if i not in exclude]
    kept = [int(i) for i in np.flatnonzero(~constant) if i not in exclude]
    order, twins = by_content(kept, raw.names, lambda i: raw.bits[i].tobytes())
    dropped += twins
    part = Part(raw.n, np.ascontiguousarray(raw.bits[order]), *no_blocks(raw.n, bits=False))
    test_part = None
    if test is not None:
        there = [matched[i] for i in order]
        test_part = Part(test.n, np.ascontiguousarray(test.bits[there]), *no_blocks(test.n, bits=False))
    require_variables(order, dropped)
    p = len(order)
    return Table(
        names=[raw.names[i] for i in order],
        columns=np.array(order, dtype=np.int64) + 1,
        kinds=np.full(p, BINARY, dtype=object),
        row=np.arange(p),
        levels=[[0, 1]] * p,
        centre=np.zeros(p),
        scale=np.ones(p),
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
    values, test_values = raw.dense(), test.dense() if test is not None else None
    used = np.ones(raw.n, dtype=bool)
    if missing == "drop":
        for i in range(len(raw.names)):
            if i not in exclude:
                used &= ~np.isnan(values[i])
        if len(np.unique(signs[used])) < 2:
            raise UserError(f"{raw.path}: 'missing: drop' leaves no example of one class; use 'missing: impute'")
    dropped = [Dropped(raw.names[i], i + 1, why) for i, why in exclude.items()]
    columns = {}
    for i, name in enumerate(raw.names):
        if i in exclude:
            continue
        there = test_values[matched[i]] if test is not None else None
        words = raw.texts.get(i)
        test_words = test.texts.get(matched[i]) if test is not None else None
        column = _column(raw, i, name, values[i], there, words, test_words, used, types)
        if column is None:
            dropped.append(Dropped(name, i + 1, "constant"))
        else:
            columns[i] = column
    order, twins = by_content(list(columns), raw.names, lambda i: columns[i].train[used].tobytes())
    dropped += twins
    require_variables(order, dropped)
    chosen = [columns[i] for i in order]
    row = np.zeros(len(chosen), dtype=np.int64)
    for kind in KINDS:
        same = [j for j, column in enumerate(chosen) if column.kind == kind]
        row[same] = np.arange(len(same))
    left_out = np.flatnonzero(~used)
    return Table(
        names=[column.name for column in chosen],
        columns=np.array(order, dtype=np.int64) + 1,
        kinds=np.array([column.kind for column in chosen], dtype=object),
        row=row,
        levels=[column.levels for column in chosen],
        centre=np.array([column.centre for column in chosen]),
        scale=np.array([column.scale for column in chosen]),
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


def _column(raw, position, name, train, test, words, test_words, used, types) -> _Column | None:
    """Type, code and scale one column; None if it is constant."""
    if words is not None or test_words is not None:
        return _words(raw, position, name, words, test_words, train, used)
    train = _imputed(train, train[used])
    test = _imputed(test, train[used]) if test is not None else None
    levels = np.unique(train[used])
    if len(levels) < 2:
        return None
    kind = _kind(raw, name, levels, int(used.sum()), types)
    if kind == BINARY:
        _only_two(raw, name, np.concatenate([train, test]) if test is not None else train, levels)
        coded = None if test is None else (test == levels[1])
        return _Column(name, position, kind, (train == levels[1]), coded, _plain(levels))
    centre, scale = float(train[used].mean()), float(train[used].std())
    if kind == CONTINUOUS:
        coded = None if test is None else (test - centre) / scale
        return _Column(name, position, kind, (train - centre) / scale, coded, None, centre, scale)
    elsewhere = train if test is None else np.concatenate([train, test])
    new = np.setdiff1d(elsewhere, levels)
    every = np.concatenate([levels, new])
    order = np.argsort(every)

    def lookup(numbers):
        return order[np.searchsorted(every, numbers, sorter=order)].astype(np.uint8)

    return _Column(
        name, position, kind, lookup(train), None if test is None else lookup(test), _plain(every), centre, scale
    )


def _words(raw, position, name, words, test_words, numbers, used) -> _Column | None:
    """A column of words: levels in alphabetical order, those only the test has after them."""
    if words is None:
        raise UserError(f"{raw.path}: column {name!r} holds numbers in training and text in the test table")
    known = sorted({str(word) for word in words[used] if word is not None})
    if len(known) < 2:
        return None
    if len(known) > MOST_CODES:
        raise UserError(f"{raw.path}: column {name!r} has {len(known)} different texts; at most {MOST_CODES} are taken")
    most = max(known, key=lambda level: (sum(str(w) == level for w in words[used]), level))
    everything = [w for group in (words, test_words) if group is not None for w in group if w is not None]
    unseen = tuple(sorted({str(word) for word in everything} - set(known)))
    every = [*known, *unseen]
    codes = {level: code for code, level in enumerate(every)}

    def coded(group):
        return np.array([codes[most if word is None else str(word)] for word in group], dtype=np.uint8)

    if len(every) == 2:
        test = None if test_words is None else coded(test_words).astype(bool)
        return _Column(name, position, BINARY, coded(words).astype(bool), test, every)
    test = None if test_words is None else coded(test_words)
    return _Column(name, position, DISCRETE, coded(words), test, every, unseen=unseen)


def _unseen(columns: list[_Column]) -> list[str]:
    return [
        f"column {column.name!r} has values outside training that the model can't know: {listed(column.unseen)}"
        for column in columns
        if column.unseen
    ]


def _imputed(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Missing values become the median, or the most frequent value of a column with few values."""
    absent = np.isnan(values)
    if not absent.any():
        return values
    known = known[~np.isnan(known)]
    levels, counts = np.unique(known, return_counts=True)
    fill = levels[counts.argmax()] if len(levels) <= MOST_LEVELS else float(np.median(known))
    return np.where(absent, fill, values)


def _kind(raw, name, levels, n, types) -> str:
    asked = types.get(name, "auto") if isinstance(types, dict) else types
    if asked == "mixed":
        return BINARY if len(levels) == 2 else CONTINUOUS
    if asked == "binary" and len(levels) != 2:
        raise UserError(
            f"{raw.path}: column {name!r} is declared binary and has {len(levels)} values ({listed(levels)})"
        )
    if asked == "discrete":
        if len(levels) > MOST_CODES:
            raise UserError(f"{raw.path}: column {name!r} is declared discrete and has {len(levels)} values")
        return BINARY if len(levels) == 2 else DISCRETE
    if asked != "auto":
        return asked
    if len(levels) == 2:
        return BINARY
    few = len(levels) <= most_levels(n)
    return DISCRETE if few and np.all(levels == np.round(levels)) else CONTINUOUS


def _only_two(raw, name, values, levels) -> None:
    others = np.setdiff1d(values, levels)
    if len(others):
        raise UserError(
            f"{raw.path}: column {name!r} has the values {listed(_plain(levels))} in training and "
            f"{listed(_plain(others))} in the test table; declare it continuous or discrete in 'types'"
        )


def _plain(levels) -> list:
    return [int(level) if float(level).is_integer() else float(level) for level in levels]


def _part(columns, which, rows) -> Part:
    n = int(rows.sum())
    bits, codes, values = no_blocks(n)

    def block(kind):
        return [getattr(column, which)[rows] for column in columns if column.kind == kind]

    if block(BINARY):
        bits = pack_bits(np.array(block(BINARY)))
    if block(DISCRETE):
        codes = np.array(block(DISCRETE), dtype=np.uint8)
    if block(CONTINUOUS):
        values = np.array(block(CONTINUOUS))
    return Part(n, bits, codes, values)
