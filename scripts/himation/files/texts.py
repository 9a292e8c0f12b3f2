"""Read what a user wrote: bytes that fit into memory, and text."""

import codecs
import gzip
import re
import zlib
from collections import Counter
from pathlib import Path

from himation.errors import UserError
from himation.files.memory import available, require

# What counts as no value, in every format that can hold words.
MISSING_WORDS = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA")
) | {"NULL", "NaN", "None", "n/a", "nan", "null"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_AHEAD = 4096
_SHOWN, _NAMES = 40, 5  # letters of a name, names of a list


def read_utf8(path) -> str:
    """The text of a file, without a byte order mark; what is not UTF-8 is refused."""
    return decoded(Path(path).read_bytes(), path).removeprefix("\ufeff")


def decoded(content: bytes, path) -> str:
    """UTF-8 as text; anything else is refused with what it looks like."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse_utf16(content, path)
        line = content.count(b"\n", 0, error.start) + 1
        letter = content[error.start : error.start + 1].decode("cp1252", "replace")
        raise UserError(
            f"{path}: not UTF-8 text (byte {error.start}, line {line}; it looks like Latin-1 or Windows-1252 with "
            f"{letter!r} there); save it as UTF-8"
        ) from None


def _refuse_utf16(content: bytes, path) -> None:
    """Every other byte of plain text in UTF-16 is zero, with or without a mark in front."""
    ahead = content[:_AHEAD]
    if content.startswith(_UTF16) or (len(ahead) > 3 and ahead.count(b"\0") * 5 > len(ahead) * 2):
        raise UserError(f"{path}: not UTF-8 text (it looks like UTF-16, as Excel's 'Unicode text'); save it as UTF-8")


def read_bytes(path: Path) -> bytes:
    """The content of a text file, unpacked if it is compressed, without a byte order mark."""
    try:
        if path.name.endswith(".gz"):
            with gzip.open(path) as stream:
                content = _bounded(stream, path)
        else:
            require(3 * path.stat().st_size, f"{path}")
            content = path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path}: can't be read ({error})") from None
    _refuse_utf16(content, path)
    return content.removeprefix(codecs.BOM_UTF8)


def first_lines(path: Path, n: int) -> list[bytes]:
    """The first lines of a text file, without reading the rest."""
    try:
        with (gzip.open if path.name.endswith(".gz") else open)(path, "rb") as stream:
            lines = [line for line in (stream.readline() for _ in range(n)) if line]
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path}: can't be read ({error})") from None
    _refuse_utf16(lines[0] if lines else b"", path)
    return [lines[0].removeprefix(codecs.BOM_UTF8), *lines[1:]] if lines else []


def _bounded(stream, path) -> bytes:
    """All of a compressed text, unless it swells beyond a third of the memory."""
    most = available() / 3
    blocks, size = [], 0
    while block := stream.read(1 << 24):
        blocks.append(block)
        size += len(block)
        if size > most:
            require(3.0 * size, f"{path}, unpacked as far as it was,")
    return b"".join(blocks)


def check_names(path, names: list[str]) -> None:
    """Names of columns: none empty, none over several lines, none twice."""
    broken = next((name for name in names if re.search(r"[\r\n]", name)), None)
    if broken is not None:
        raise UserError(
            f"{path}: the header's name {broken[:_SHOWN]!r} goes over more than one line; take the line break out of it"
        )
    if not names or not all(names):
        at = names.index("") + 1 if names else 1
        hint = ": a table written with its row numbers? Write it with index=False (in R, row.names=FALSE)"
        raise UserError(f"{path}: the header has an empty name at column {at}{hint if at == 1 < len(names) else ''}")
    if len(set(names)) < len(names):
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        raise UserError(f"{path}: the header has the same name twice: {listed(twice)}")


def listed(names) -> str:
    """The first few of many names, for an error message."""
    names = [str(name) for name in names]
    shown = ", ".join(names[:_NAMES])
    return shown if len(names) <= _NAMES else f"{shown} and {len(names) - _NAMES} more"
