"""Tables of text with a header: fields separated by commas (.csv) or tabs (.tsv, .txt), quoted where need be.

What pandas would read in a wrong way without a word (lines longer than the header, a line break in a name) is refused
here, with what the file looks like.
"""

import csv
import io
import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from himation.errors import UserError
from himation.files.texts import MISSING_WORDS, check_names, decoded, first_line, read_bytes

COMMA, TAB = ",", "\t"
_WORDS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "upright bars"}
_SHOWN = 40


def separator_of(path) -> str | None:
    """What the ending of a file's name says; None if it is no table of separated fields."""
    plain = Path(path).name.removesuffix(".gz").lower()
    if plain.endswith(".csv"):
        return COMMA
    return TAB if plain.endswith((".tsv", ".txt")) else None


def read_header(path) -> list[str]:
    """The names in the first line alone; what is wrong with them shows when the table is read."""
    line = decoded(first_line(Path(path)), path)
    try:
        return [name.strip() for name in next(csv.reader([line.rstrip("\r\n")], delimiter=separator_of(path)), [])]
    except csv.Error as error:
        raise UserError(f"{path}: can't read its header ({str(error).split(' - ')[0]})") from None


def header(path, text: bytes, separator: str) -> list[str]:
    """The checked names of a table."""
    if not text.isascii():
        decoded(text, path)
    lines = (line.decode("utf-8") for line in io.BytesIO(text))
    start = list(islice(lines, 2))
    reader = csv.reader(chain(start, lines), delimiter=separator)
    try:
        names = [name.strip() for name in next(reader, [])]
    except csv.Error as error:
        raise UserError(f"{path}: can't read its header ({str(error).split(' - ')[0]})") from None
    if reader.line_num > 1:
        raise UserError(
            f"{path}: a name in the header goes over more than one line, from {start[0].strip()[-_SHOWN:]!r} on; take "
            "the line break out of it, or close its quotation mark"
        )
    if len(names) == 1:
        _refuse_other_separator(path, start, separator)
    check_names(path, names)
    return names


def _refuse_other_separator(path, start: list[str], separator: str) -> None:
    """One name in the header, and another separator as often in the first line as in the second."""
    for other in _WORDS:
        counts = {line.count(other) for line in start}
        if other != separator and len(start) == 2 and len(counts) == 1 and counts != {0}:
            fix = {TAB: "name it .tsv", COMMA: "name it .csv"}.get(other, f"save it with {_WORDS[separator]}")
            points = " and decimal points" if other == ";" else ""
            raise UserError(
                f"{path}: looks separated by {_WORDS[other]}, where its ending stands for {_WORDS[separator]}; "
                f"{fix}{points}"
            )


def check_widths(path, text: bytes, separator: str, names: list[str]) -> None:
    """Every line has as many fields as the header; pandas would fill a short line, or cut a long one."""
    width = len(names)
    for number, size, line in _records(path, text, separator):
        if size != width:
            start = [_fields(line, separator) for _, _, line in islice(_records(path, text, separator), 1, 3)]
            hint = _why_longer(_fields(line, separator), width, start) if size > width else ""
            raise UserError(f"{path}: line {number} has {size} values, the header has {width}{hint}")


def _records(path, text: bytes, separator: str) -> Iterator[tuple[int, int, bytes]]:
    """Number, number of fields, and text of every line; of a record over several lines, those of the first."""
    mark = separator.encode()
    lines = enumerate(text.splitlines(keepends=True), start=1)
    for number, line in lines:
        if b'"' in line:
            following = (more.decode("utf-8") for _, more in lines)
            try:
                fields = next(csv.reader(chain([line.decode("utf-8")], following), delimiter=separator))
            except csv.Error as error:
                raise UserError(f"{path}: can't read line {number} ({str(error).split(' - ')[0]})") from None
            yield number, len(fields), line
        elif line.strip(b"\r\n"):
            yield number, line.count(mark) + 1, line


def _fields(line: bytes, separator: str) -> list[str]:
    return next(csv.reader([line.decode("utf-8")], delimiter=separator))


def _why_longer(fields: list[str], width: int, first: list[list[str]]) -> str:
    names = [line[0] for line in first if len(line) == width + 1]
    if len(names) == len(first) == 2 and names[0] != names[1] and (names == ["1", "2"] or not _all_whole(names)):
        return "; row names that the header doesn't count? Write it with index=False (in R, row.names=FALSE)"
    if _all_whole(fields):
        return "; decimal commas? Write decimal points"
    return ""


def _all_whole(fields) -> bool:
    return all(re.fullmatch(r"\s*[+-]?\d+([eE][+-]?\d+)?\s*", field) for field in fields)


def read_frame(path, text: bytes, separator: str, names: list[str]):
    """All columns as pandas reads them."""
    check_widths(path, text, separator, names)
    frame = _parsed(path, text, separator, len(names))
    frame.columns = names
    return frame


def read_words(path, position: int, width: int):
    """One column again, each value as it is written; None where there is none."""
    from himation.files.frames import words_of

    path = Path(path)
    column = _parsed(path, read_bytes(path), separator_of(path), width, usecols=[position], dtype=str).iloc[:, 0]
    return words_of(column.to_numpy(dtype=object), column.isna().to_numpy())


def _parsed(path, text, separator, width, **options):
    import pandas as pd

    if width == 1:  # an empty line is a missing value, except at the end
        text = text.rstrip(b"\r\n")
    try:
        return pd.read_csv(
            io.BytesIO(text),
            sep=separator,
            encoding="utf-8",
            index_col=False,
            low_memory=False,
            keep_default_na=False,
            na_values=sorted(MISSING_WORDS),
            skip_blank_lines=width > 1,
            **options,
        )
    except (ValueError, pd.errors.ParserError) as error:
        raise UserError(f"{path}: {str(error).splitlines()[0]}") from None
