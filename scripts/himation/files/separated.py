"""Tables of text with a header: fields separated by commas (.csv) or tabs (.tsv, .txt), quoted where need be.

Spreadsheets that write decimal commas put semicolons between fields, and R gives every row a name: both are read,
whatever the ending. What pandas would read in a wrong way in silence (lines longer than the header, a line
break in a name) is refused here, with what the file looks like.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from himation.errors import UserError
from himation.files.texts import MISSING_WORDS, check_names, decoded, first_lines, read_bytes
from himation.prepare.identifiers import ROW_NAMES

COMMA, TAB = ",", "\t"
_OTHERS = (";", ",", "\t", "|", " ")  # what may separate the fields of a table whose ending says another
_SHOWN = 40
_COMMA_NUMBER = re.compile(rb'(?:^|;)"?[+-]?\d+,\d+(?:[eE][+-]?\d+)?"?\r?(?=;|$)', re.MULTILINE)


@dataclass(frozen=True)
class Layout:
    """How a table is written: what stands between fields, and whether each line begins with a name of its own that the
    header doesn't count, as R writes it."""

    separator: str
    row_names: bool = False


def separator_of(path) -> str | None:
    """What the ending of a file's name says; None if it is no table of separated fields."""
    plain = Path(path).name.removesuffix(".gz").lower()
    if plain.endswith(".csv"):
        return COMMA
    return TAB if plain.endswith((".tsv", ".txt")) else None


def layout_of(path, start: list[str]) -> Layout:
    """From the first three lines. A separator other than the ending's counts where the ending's is not in the header,
    and the other is as often in the header as in the next line, or once less."""
    own = separator_of(path)
    width = len(_split(start[0], own)) if start else 0
    if width == 1 and len(start) > 1:
        for other in _OTHERS:
            there = len(_split(start[0], other))
            if there > 1 and len(_split(start[1], other)) in (there, there + 1):
                own, width = other, there
                break
    lines = [_split(line, own) for line in start[1:3] if line.strip()]
    names = [line[0] for line in lines if len(line) == width + 1]
    named = len(names) == len(lines) == 2 and names[0] != names[1] and (names == ["1", "2"] or not _all_whole(names))
    return Layout(own, named)


def _split(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line.rstrip("\r\n")], delimiter=separator), [])
    except csv.Error:
        return [line]


def read_layout(path) -> Layout:
    """The layout of a file, from its beginning alone."""
    return layout_of(path, [decoded(line, path) for line in first_lines(Path(path), 3)])


def read_header(path) -> list[str]:
    """The names in the first line alone; what is wrong with them shows when the table is read."""
    start = [decoded(line, path) for line in first_lines(Path(path), 3)]
    layout = layout_of(path, start)
    try:
        names = next(csv.reader([start[0].rstrip("\r\n")], delimiter=layout.separator), []) if start else []
    except csv.Error as error:
        raise UserError(f"{path}: can't read its header ({str(error).split(' - ')[0]})") from None
    return _named(names, layout)


def _named(names: list[str], layout: Layout) -> list[str]:
    """Names without white space around them; a first column without one holds the names of the rows."""
    names = [name.strip() for name in names]
    if layout.row_names:
        return [ROW_NAMES, *names]
    return [ROW_NAMES, *names[1:]] if len(names) > 1 and not names[0] and ROW_NAMES not in names else names


def header(path, text: bytes) -> tuple[list[str], Layout]:
    """The checked names of a table, and how it is written."""
    if not text.isascii():
        decoded(text, path)
    lines = (line.decode("utf-8") for line in io.BytesIO(text))
    start = list(islice(lines, 3))
    layout = layout_of(path, start)
    reader = csv.reader(chain(start, lines), delimiter=layout.separator)
    try:
        names = next(reader, [])
    except csv.Error as error:
        raise UserError(f"{path}: can't read its header ({str(error).split(' - ')[0]})") from None
    if reader.line_num > 1:
        raise UserError(
            f"{path}: a name in the header goes over more than one line, from {start[0].strip()[-_SHOWN:]!r} on; take "
            "the line break out of it, or close its quotation mark"
        )
    names = _named(names, layout)
    check_names(path, names)
    return names, layout


def check_widths(path, text: bytes, layout: Layout, names: list[str]) -> None:
    """Every line has as many fields as the header; pandas would fill a short line, or cut a long one."""
    width = len(names)
    for number, size, line in _records(path, text, layout.separator):
        if size != width - (layout.row_names and number == 1):
            commas = size > width and _all_whole(_split(line.decode("utf-8"), layout.separator))
            hint = "; decimal commas? Write decimal points" if commas else ""
            shown = f"{width}, the names of the rows included" if layout.row_names else f"{width}"
            raise UserError(f"{path}: line {number} has {size} values, the header has {shown}{hint}")


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


def _all_whole(fields) -> bool:
    return all(re.fullmatch(r"\s*[+-]?\d+([eE][+-]?\d+)?\s*", field) for field in fields)


def read_frame(path, text: bytes, layout: Layout, names: list[str]):
    """All columns as pandas reads them."""
    check_widths(path, text, layout, names)
    frame = _parsed(path, text, layout, len(names))
    frame.columns = names
    if layout.row_names and frame[ROW_NAMES].duplicated().any():
        at = int(frame[ROW_NAMES].duplicated().to_numpy().argmax()) + 2
        raise UserError(
            f"{path}: every line has a value more than the header, and the first ones are no names of rows (line {at} "
            "has one again); name all columns, or write decimal points"
        )
    return frame


def read_words(path, position: int, width: int):
    """One column again, each value as it is written; None where there is none."""
    from himation.files.frames import words_of

    path = Path(path)
    column = _parsed(path, read_bytes(path), read_layout(path), width, usecols=[position], dtype=str).iloc[:, 0]
    return words_of(column.to_numpy(dtype=object), column.isna().to_numpy())


def _parsed(path, text, layout, width, **options):
    import pandas as pd

    if width == 1:  # an empty line is a missing value, except at the end
        text = text.rstrip(b"\r\n")
    if layout.row_names:
        text = text[text.find(b"\n") + 1 :]
    commas = layout.separator == ";" and _COMMA_NUMBER.search(text) is not None
    try:
        return pd.read_csv(
            io.BytesIO(text),
            sep=layout.separator,
            header=None if layout.row_names else 0,
            names=range(width) if layout.row_names else None,
            decimal="," if commas else ".",
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
