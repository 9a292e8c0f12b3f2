"""Tables that pandas has read: which columns are numbers, which are words, and which can't be used."""

import re

import numpy as np

from himation.errors import UserError
from himation.files.memory import require
from himation.files.raw import EXACT, RawTable
from himation.files.texts import MISSING_WORDS, check_names
from himation.prepare.identifiers import MANY_WORDS, is_date, looks_like_an_id

_COLUMNS_AT_ONCE = 256
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.ASCII | re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?", re.ASCII)
_BOOLEANS = {"true": 1.0, "false": 0.0}
_ODD = {bytes: "bytes", bytearray: "bytes", list: "lists", tuple: "lists", dict: "records", np.ndarray: "lists"}


def from_frame(path, frame, text_columns, first_line, exactly=None) -> RawTable:
    """The columns of a frame. ``text_columns`` names those that may hold words without further ado; None admits
    anything, for tables in which only some columns will be looked at. ``exactly`` gives a column of large numbers by
    position as the file has it."""
    names = [str(name).strip() for name in frame.columns]
    check_names(path, names)
    if not len(frame):
        raise UserError(f"{path}: has a header and no rows")
    if {str(kind) for kind in frame.dtypes} <= {"bool", "uint8"}:
        bits = _bits_of_frame(frame)
        if bits is not None:
            written = {i: frame.iloc[:, i].astype(str).to_numpy(dtype=object) for i in _booleans(frame, text_columns)}
            return RawTable(str(path), names, len(frame), bits=bits, first_line=first_line, written=written)
    require(8.0 * frame.shape[0] * frame.shape[1], f"{path}")
    table = RawTable(str(path), names, len(frame), first_line=first_line)
    if all(isinstance(kind, np.dtype) and kind.kind in "iuf" for kind in frame.dtypes):
        table.values = np.ascontiguousarray(frame.to_numpy(dtype=np.float64).T)
    else:
        table.values = np.empty((len(names), len(frame)))
        for i in range(len(names)):
            _add_column(table, i, frame.iloc[:, i], text_columns)
    if text_columns is not None:
        for i in large_columns(table):
            given = table.written.get(i, frame.iloc[:, i])
            given = exactly(i) if exactly and frame.dtypes.iloc[i].kind == "f" else given
            refuse_rounding(table, i, given, text_columns)
    return table


def _booleans(frame, text_columns) -> list[int]:
    """Columns of True and False whose words may be asked for: in tables that are read for what training decided."""
    return [i for i, kind in enumerate(frame.dtypes) if str(kind) == "bool"] if text_columns is None else []


def large_columns(table: RawTable) -> list[int]:
    """Columns with numbers so large that whole ones may have been rounded."""
    largest = [np.nanmax(np.abs(row), initial=0.0) for row in table.values]
    return [i for i, most in enumerate(largest) if most >= EXACT]


def refuse_rounding(table: RawTable, i: int, given, text_columns) -> None:
    """Whole numbers that a float can't hold are words where the column may have them; else they are refused."""
    lost = next((value for value in given if is_rounded(value)), None)
    if lost is None:
        return
    name = table.names[i]
    if name not in text_columns:
        raise UserError(
            f"{table.path}: column {name!r} holds the whole number {str(lost)[:40]}, beyond what is exact (2^53): "
            "different numbers would become equal; leave the column out if it is an identifier, or write fewer digits"
        )
    gone = np.isnan(table.values[i])
    table.texts[i] = words_of(given, gone)
    table.values[i] = np.where(gone, np.nan, 0.0)


def is_rounded(value) -> bool:
    """Whether a whole number, or the word for one, is no float.

    >>> [is_rounded(value) for value in ("9007199254740993", 2**53 + 1, 2**60, "1e300", 0.5, "x")]
    [True, True, False, False, False, False]
    """
    if isinstance(value, str):
        if len(value) < 16 or not _WHOLE.fullmatch(value):
            return False
        if len(value) > 310:
            return True
        value = int(value)
    return isinstance(value, int | np.integer) and int(float(value)) != int(value)


def _add_column(table: RawTable, i: int, column, text_columns) -> None:
    import pandas as pd

    if pd.api.types.is_bool_dtype(column) and isinstance(column.dtype, np.dtype):
        table.values[i] = column.to_numpy(dtype=np.float64)
        table.written[i] = column.astype(str).to_numpy(dtype=object)
        return
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        table.values[i] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return
    gone = column.isna().to_numpy()
    given = column.to_numpy(dtype=object)
    if text_columns is not None:
        _refuse_odd(table, i, given[~gone])
    words = words_of(given, gone)
    missing = np.array([word is None for word in words])
    numbers = numbers_of(words)
    if numbers is not None:
        table.values[i], table.written[i] = numbers, words
        return
    if text_columns is not None and table.names[i] not in text_columns:
        _refuse_stray_text(table, i, words)
    table.texts[i] = words
    table.values[i] = np.where(missing, np.nan, 0.0)


def words_of(given, gone) -> np.ndarray:
    """Words without white space around them; None where there is none, or one that stands for nothing."""
    words = (None if no else str(value).strip() for value, no in zip(given, gone, strict=True))
    return np.array([None if word in MISSING_WORDS else word for word in words], dtype=object)


def numbers_of(words) -> np.ndarray | None:
    """Words as numbers, True as 1 and False as 0; None if one of them is neither or they are mixed."""
    known = {word for word in words if word is not None}
    if known and {word.lower() for word in known} <= set(_BOOLEANS):
        return np.array([np.nan if word is None else _BOOLEANS[word.lower()] for word in words])
    if all(_NUMBER.fullmatch(word) for word in known):
        return np.array([np.nan if word is None else float(word) for word in words])
    return None


def is_number(word: str) -> bool:
    """Whether a word is read as a number."""
    return _NUMBER.fullmatch(word) is not None


def _refuse_odd(table: RawTable, i: int, given) -> None:
    what = next((_ODD[type(value)] for value in given if type(value) in _ODD), None)
    if what:
        raise UserError(
            f"{table.path}: column {table.names[i]!r} holds {what}, neither numbers nor words; convert it, or leave "
            "it out"
        )


def _refuse_stray_text(table: RawTable, i: int, words) -> None:
    """Words that nobody declared are taken only where the column is plainly one of words: no number in it, and few
    different ones, or one for each row; dates are judged when the table is whole."""
    known = [word for word in words.tolist() if word is not None]
    if known and (all(map(is_date, known)) or (looks_like_an_id(table.names[i]) and len(set(known)) == len(known))):
        return
    numbers = [word is not None and bool(_NUMBER.fullmatch(word)) for word in words]
    commas = [word is not None and bool(_DECIMAL_COMMA.fullmatch(word)) for word in words]
    if not any(numbers) and not any(commas) and (len(set(known)) <= MANY_WORDS or len(set(known)) == len(known)):
        return
    where = next(k for k, word in enumerate(words) if word is not None and not numbers[k])
    fix = f"write numbers or words only, leave it out by ignore: [{table.names[i]}], or declare it discrete in 'types'"
    if commas[where]:
        fix = "decimal commas? Write decimal points"
    raise UserError(
        f"{table.path}: column {table.names[i]!r} holds the text {words[where][:40]!r} at line "
        f"{where + table.first_line}; {fix}"
    )


def _bits_of_frame(frame) -> np.ndarray | None:
    """The columns as bits, some at a time; None where one of them holds more than 0 and 1."""
    from himation.bits import pack_bits

    blocks = []
    for start in range(0, frame.shape[1], _COLUMNS_AT_ONCE):
        block = np.ascontiguousarray(frame.iloc[:, start : start + _COLUMNS_AT_ONCE].to_numpy(dtype=np.uint8).T)
        if block.max() > 1:
            return None
        blocks.append(pack_bits(block))
    return np.concatenate(blocks)


def read_parquet(path, text_columns) -> RawTable:
    """A table of Parquet's format."""
    import pandas as pd
    import pyarrow.parquet as parquet

    try:
        frame = pd.read_parquet(path)
    except Exception as error:  # pyarrow raises its own family
        raise UserError(f"{path}: can't be read as Parquet ({str(error).splitlines()[0]})") from None

    def exactly(i: int):
        return parquet.read_table(path, columns=[frame.columns[i]]).column(0).to_pylist()

    return from_frame(path, frame, text_columns, first_line=1, exactly=exactly)
