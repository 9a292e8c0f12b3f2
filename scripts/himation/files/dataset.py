"""Read all that one data set names: training table, target, test table, types, calibrants, lists and truth."""

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.column_names import position_of, resolve
from himation.files.environment_column import check_natural, signs_of, split_rows, with_experiments
from himation.files.frames import is_rounded, numbers_of, words_of
from himation.files.knowledge_file import read_knowledge
from himation.files.tables import RawTable, column_names, read_table
from himation.files.texts import read_utf8
from himation.prepare.identifiers import identifiers, refuse_dates
from himation.prepare.preparing import TYPES, prepare
from himation.prepare.target_codes import classes_of, label_words
from himation.table import KINDS, Table


@dataclass(frozen=True)
class Source:
    """The files of one data set, as its entry in the configuration has them."""

    train: str
    target: str
    test: str | None = None
    test_target: str | None = None
    types: str = "auto"
    missing: str = "error"
    calibrants: str | None = None
    grid: tuple[int, int] | None = None
    noise_method: str | None = None
    ignore: tuple[str, ...] = ()
    positive: str | None = None
    knowledge: str | dict | None = None
    environment: str | None = None


def read_dataset(source: Source, any_target: bool = False) -> Table:
    """Read, check and prepare. ``any_target`` admits targets with several labels, and continuous ones."""
    types = read_types(source.types)
    ignored = _ignored(source)
    raw = read_table(
        source.train,
        _text_columns(types, source) | {source.target, *ignored, *filter(None, [source.environment])},
        digits=not source.calibrants,
    )
    test = read_table(source.test, None, digits=not source.calibrants) if source.test else None
    labels, target_name, exclude = _target(raw, source)
    if isinstance(types, dict):
        _known_types(raw, types, source.types)
    exclude = _no_variables(raw, ignored, types, exclude)
    test_target = None if any_target else _test_target(test, source, target_name, labels)
    removed = None
    if source.calibrants:
        calibrants = resolve(read_list(source.calibrants), raw.names, f"{source.calibrants}")
        removed = _remove_noise(raw, calibrants, source)
        if set(exclude) & set(calibrants):
            raise UserError(f"{source.calibrants}: the target {target_name!r} can't be a calibrant")
        exclude = {**exclude, **dict.fromkeys(calibrants, "calibrant")}
    given = (types, source.missing)
    if source.environment:
        table = _with_environment(raw, labels, target_name, test, test_target, given, exclude, source)
    else:
        table = prepare(raw, labels, target_name, test, test_target, *given, exclude, any_target, source.positive)
    if source.knowledge:
        place = next((item.column for item in table.dropped if item.why == "target"), None)
        table = replace(table, knowledge=read_knowledge(source.knowledge, table.file_columns(), target_name, place))
    return replace(table, noise=removed) if removed else table


def _with_environment(raw, labels, target_name, test, test_target, given, exclude, source: Source) -> Table:
    """The table of the natural rows, with the experiments beside it."""
    position = position_of(source.environment, raw.names, "environment", {name: i for i, name in enumerate(raw.names)})
    if source.missing == "drop":
        raise UserError("environment: rows with missing values can't be dropped beside it; write 'missing: impute'")
    if exclude.get(position) == "target":
        raise UserError(f"environment: {target_name!r} is the target; name the column that says what was set")
    if source.environment in _ignored(source):
        raise UserError(f"environment: the column {source.environment!r} is on the list 'ignore'; take it off")
    target = next((i for i, why in exclude.items() if why == "target"), None)
    kinds = split_rows(raw, position, target_name, target)
    natural = kinds.natural
    check_natural(natural, labels, target_name)
    exclude = {**exclude, position: "environment"}
    common = (raw.rows(natural), labels[natural], target_name)
    table = prepare(*common, test, test_target, *given, exclude, positive=source.positive)
    if natural.all():
        return with_experiments(table, None, kinds, np.empty(0))
    signs = signs_of(labels, natural, target_name, source.positive)
    apart = prepare(*common, raw.rows(~natural), None, *given, exclude, positive=source.positive)
    return with_experiments(table, apart, kinds, signs)


def read_target(path) -> np.ndarray:
    """One label a line."""
    path = Path(path)
    words = [line.strip() for line in read_utf8(path).splitlines()]
    while words and not words[-1]:
        words.pop()
    if not words:
        raise UserError(f"{path}: the file is empty")
    several = [number for number, word in enumerate(words, start=1) if len(word.split()) != 1]
    if several:
        raise UserError(f"{path}: line {several[0]} should hold one label")
    labels = words_of(words, [False] * len(words))
    numbers = numbers_of(labels)
    return labels if numbers is None or any(map(is_rounded, labels)) else numbers


def read_list(path) -> list[str]:
    """Names or 1-based numbers, separated by white space or commas."""
    path = Path(path)
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    return [word for word in re.split(r"[\s,]+", read_utf8(path)) if word]


def read_types(types: str) -> str | dict[str, str]:
    """A word of TYPES, or a table with the columns variable and type."""
    if types in TYPES:
        return types
    if not _is_file(types):
        close = get_close_matches(types, TYPES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"use one of {', '.join(TYPES)}, or the path of a table"
        raise UserError(f"types: {types!r} is neither a known word nor a file; {hint}")
    lines = [re.split(r"[,\t]", line.strip()) for line in read_utf8(types).splitlines() if line]
    if not lines or [word.strip() for word in lines[0][:2]] != ["variable", "type"]:
        raise UserError(f"{types}: the first line must be 'variable,type'")
    found = {}
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != 2 or line[1].strip() not in (*KINDS, "auto"):
            raise UserError(f"{types}: line {number} must be a variable and one of {', '.join(KINDS)}")
        found[line[0].strip()] = line[1].strip()
    return found


def read_truth(path, names, target_name) -> np.ndarray:
    """Directed edges as pairs of positions; -1 is the target. ``names`` are those of the file's columns."""
    import csv

    path = Path(path)
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    try:
        rows = list(csv.reader(read_utf8(path).splitlines()))
    except csv.Error as error:
        raise UserError(f"{path}: not a CSV ({error})") from None
    if not rows or [word.strip() for word in rows[0]] != ["from", "to"]:
        raise UserError(f"{path}: the first line must be 'from,to'")
    edges = []
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != 2:
            raise UserError(f"{path}: line {number} must hold two variables")
        ends = [-1 if word.strip() in ("0", target_name) else position_of(word.strip(), names, path) for word in row]
        edges.append([-1 if end >= 0 and names[end] == target_name else end for end in ends])
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def manipulated_columns(entries, table: Table) -> list[int]:
    """Positions of the variables that a list says are manipulated, which the target can't be."""
    name = table.target_name
    found = resolve([entry for entry in entries if str(entry) != name], table.file_columns(), "manipulation")
    target = next((item.column for item in table.dropped if item.why == "target"), None)
    if name in map(str, entries) or target in [position + 1 for position in found]:
        where = f" (column {target})" if target else ""
        raise UserError(f"manipulation: the target {name!r} can't be manipulated; take it{where} out of the list")
    return found


def _is_file(text) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _text_columns(types, source: Source) -> set[str]:
    """Columns that are declared discrete, and may hold words for it."""
    if types == "discrete":
        return set(column_names(source.train)) if _is_file(source.train) else set()
    return {name for name, kind in types.items() if kind == "discrete"} if isinstance(types, dict) else set()


def _ignored(source: Source) -> list[str]:
    """Names of the columns that the user leaves out; of tables without a header, as their columns are called."""
    if not source.ignore:
        return []
    names = column_names(source.train) or read_table(source.train).names
    return [names[i] for i in resolve(source.ignore, names, "ignore")]


def _no_variables(raw: RawTable, ignored, types, exclude: dict[int, str]) -> dict[int, str]:
    """Positions of all columns that are no variables, and why."""
    if any(raw.names.index(name) in exclude for name in ignored):
        raise UserError("ignore: the target can't be ignored; take it out of the list")
    exclude = {**exclude, **{raw.names.index(name): "ignored" for name in ignored}}
    kept = {*(types if isinstance(types, dict) else ()), *(raw.names[i] for i in exclude)}
    refuse_dates(raw, exclude)
    return {**exclude, **identifiers(raw, kept)}


def _target(raw: RawTable, source: Source):
    """Labels, the target's name, and the columns that are no variables."""
    if not raw.headerless and source.target in raw.names:
        position = raw.names.index(source.target)
        return _column_values(raw, position), source.target, {position: "target"}
    if _is_file(source.target):
        labels = read_target(source.target)
        if len(labels) != raw.n:
            raise UserError(f"{source.target}: has {len(labels)} labels, {source.train} has {raw.n} rows")
        return labels, "target", {}
    close = get_close_matches(source.target, [] if raw.headerless else raw.names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise UserError(f"target: {source.target!r} is neither a file nor a column of {source.train}{hint}")


def _column_values(raw: RawTable, position: int) -> np.ndarray:
    if position in raw.texts:
        return raw.texts[position]
    return raw.column(position)


def _test_target(test, source, target_name, labels):
    """Signs of the test examples, from a file or from the target's column in the test table; None if unknown."""
    if source.test_target:
        if test is None:
            raise UserError("test_target: given without a test table; add 'test'")
        if not _is_file(source.test_target):
            raise UserError(f"{source.test_target}: no such file")
        found = read_target(source.test_target)
        if len(found) != test.n:
            raise UserError(f"{source.test_target}: has {len(found)} labels, {source.test} has {test.n} rows")
    elif test is not None and not test.headerless and target_name in test.names:
        found = _column_values(test, test.names.index(target_name))
        if not any(label_words(found)):
            return None
    else:
        return None
    words = label_words(found)
    if None in words:
        raise UserError(
            f"the target {target_name!r} is missing in row {words.index(None) + 1} of the test table; give all or none"
        )
    return classes_of(labels, target_name, source.positive).signs(found)


def _known_types(raw, types, where) -> None:
    for name in types:
        position_of(name, raw.names, where)


def _remove_noise(raw: RawTable, calibrants: list[int], source: Source) -> dict:
    """Clean the table in place; gives one example before and after."""
    from himation.prepare.noise import removal_example, remove_noise

    if source.grid is None:
        raise UserError("calibrants: need the layout of the columns as well, for instance 'grid: [32, 32]'")
    if raw.values is None or not np.isfinite(raw.values).all():
        raise UserError(f"{source.train}: noise can be removed from complete tables of numbers only")
    options = {"method": source.noise_method} if source.noise_method else {}
    before = raw.values
    raw.values = np.ascontiguousarray(remove_noise(before.T, calibrants, source.grid, **options).T)
    return removal_example(before.T, raw.values.T, calibrants, source.grid)
