"""Read a table in any format that users bring into one form: a row of numbers for each variable.

Formats go by the file's ending: ``.data`` (the challenge's matrix: no header, values separated by spaces), ``.csv`` and
``.tsv`` with a header, ``.parquet``, and SciPy's sparse ``.npz``; text may be compressed (``.gz``).

Headerless columns are called x1, x2, ... A table of zeros and ones is kept as bits from the start: 139,351 columns of
1,909 examples take 33 MB that way.
"""

import gzip
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.digits import digits_of_sparse, digits_of_text
from himation.files.memory import require
from himation.files.texts import read_bytes

ENDINGS = (".data", ".csv", ".tsv", ".txt", ".parquet", ".npz")
_SHOWN = 5
_MOST_WORDS = 30  # a column with more different words is more likely a name or a note than a category
_COLUMNS_AT_ONCE = 256


@dataclass
class RawTable:
    """What a file holds. ``values`` has one row of floats for each variable (NaN where missing), or ``bits`` one row of
    64-bit words, or ``digits`` one row of bytes from 0 to 9; ``texts`` has the columns that are words, by position."""

    path: str
    names: list[str]
    n: int
    values: np.ndarray | None = None
    bits: np.ndarray | None = None
    digits: np.ndarray | None = None
    texts: dict[int, np.ndarray] = field(default_factory=dict)
    first_line: int = 1

    def column(self, i: int) -> np.ndarray:
        """One variable as numbers."""
        if self.bits is not None:
            from himation.bits import unpack_bits

            return unpack_bits(self.bits[i : i + 1], self.n)[0].astype(np.float64)
        return self.values[i] if self.digits is None else self.digits[i].astype(np.float64)

    def dense(self) -> np.ndarray:
        """All variables as numbers."""
        if self.values is not None:
            return self.values
        require(8.0 * self.n * len(self.names), self.path)
        if self.bits is not None:
            from himation.bits import unpack_bits

            return unpack_bits(self.bits, self.n).astype(np.float64)
        return self.digits.astype(np.float64)

    @property
    def headerless(self) -> bool:
        return Path(self.path).name.removesuffix(".gz").endswith((".data", ".npz"))


def read_table(path, text_columns=frozenset(), digits=False) -> RawTable:
    """Read any supported table. ``text_columns`` names the columns that may hold words (None: all of them);
    ``digits`` keeps a table of single digits as such, which takes an eighth of the memory."""
    table = _read(Path(path), text_columns)
    if table.digits is not None and not digits:
        table.values, table.digits = table.dense(), None
    return table


def _read(path: Path, text_columns) -> RawTable:
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    if path.stat().st_size == 0:
        raise UserError(f"{path}: the file is empty")
    ending = Path(path.name.removesuffix(".gz")).suffix.lower()
    if ending == ".data":
        return _read_challenge(path)
    if ending == ".npz":
        return _read_sparse(path)
    if ending == ".parquet":
        return from_frame(path, _read_parquet(path), text_columns, first_line=1)
    if ending in (".csv", ".tsv", ".txt"):
        return _read_separated(path, "," if ending == ".csv" else "\t", text_columns)
    raise UserError(f"{path}: unknown kind of table {ending!r}; known endings are {', '.join(ENDINGS)}")


def column_names(path) -> list[str]:
    """The header of a table without reading the rest; empty for formats that have none."""
    path = Path(path)
    plain = path.name.removesuffix(".gz")
    if plain.endswith((".csv", ".tsv", ".txt")):
        import csv

        with (gzip.open if path.name.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig", newline="") as lines:
            return [name.strip() for name in next(csv.reader(lines, delimiter="," if ".csv" in plain else "\t"), [])]
    if plain.endswith(".parquet"):
        import pyarrow.parquet as parquet

        return parquet.read_schema(path).names
    return []


def listed(names) -> str:
    """The first few of many names, for an error message."""
    names = [str(name) for name in names]
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _read_challenge(path: Path) -> RawTable:
    text = read_bytes(path)
    if not text.strip():
        raise UserError(f"{path}: the file is empty")
    if not text.translate(None, b"01 \r\n"):
        table = _zeros_and_ones(path, text)
        if table is not None:
            return table
    digits = digits_of_text(text, 0, b" ")
    if digits is not None:
        return RawTable(str(path), _numbered(len(digits)), digits.shape[1], digits=digits)
    values = parse_numbers(path, text)
    return RawTable(str(path), _numbered(values.shape[1]), len(values), values=np.ascontiguousarray(values.T))


def _numbered(p: int) -> list[str]:
    return [f"x{i + 1}" for i in range(p)]


def _zeros_and_ones(path, text) -> RawTable | None:
    """The fast way for single 0 and 1 in rows of one length; None if the layout is another one."""
    from himation.bits import pack_bits

    symbols = np.frombuffer(text, dtype=np.uint8)
    width = text.find(b"\n") + 1
    if width < 2 or len(symbols) % width:
        return None
    rows = symbols.reshape(-1, width)
    digits = np.flatnonzero(rows[0] >= ord("0"))
    if len(digits) < 1 or (np.diff(digits) == 1).any():
        return None
    values = rows[:, digits]
    rest = np.delete(rows, digits, axis=1)
    if values.min() < ord("0") or rest.max() >= ord("0"):
        return None
    bits = pack_bits(np.ascontiguousarray((values == ord("1")).T))
    return RawTable(str(path), [f"x{i + 1}" for i in range(len(digits))], len(rows), bits=bits)


def parse_numbers(path, text: bytes) -> np.ndarray:
    """A matrix from lines of numbers separated by white space; trailing spaces and a last empty line are fine."""
    import io
    import warnings

    lines = [line for line in text.splitlines() if line.strip()]
    width = len(lines[0].split())
    require(8.0 * len(lines) * width, f"{path}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            matrix = np.loadtxt(io.BytesIO(b"\n".join(lines)), dtype=np.float64, ndmin=2, comments=None)
        except (ValueError, UserWarning):
            raise _bad_number(path, lines) from None
    return matrix


def _bad_number(path, lines) -> UserError:
    """Find what is wrong with lines that don't parse, and name the line."""
    width = len(lines[0].split())
    for number, line in enumerate(lines, start=1):
        words = line.split()
        for position, word in enumerate(words, start=1):
            try:
                float(word)
            except ValueError:
                shown = word.decode("utf-8", "replace")[:40]
                return UserError(f"{path}: line {number}, column {position} holds {shown!r}, which is not a number")
        if len(words) != width:
            return UserError(f"{path}: line {number} has {len(words)} values, line 1 has {width}")
    return UserError(f"{path}: can't be read as numbers separated by spaces")


def _read_sparse(path: Path) -> RawTable:
    from zipfile import BadZipFile

    try:
        with np.load(path, allow_pickle=False) as arrays:
            if not {"indices", "indptr", "shape", "data", "format"} <= set(arrays.files):
                raise UserError(f"{path}: not a matrix saved by scipy.sparse.save_npz in CSR or CSC form")
            form = arrays["format"].item()
            form = form.decode() if isinstance(form, bytes) else str(form)
            n, p = (int(size) for size in arrays["shape"])
            indices, indptr, data = arrays["indices"], arrays["indptr"], arrays["data"]
    except (ValueError, OSError, KeyError, TypeError, EOFError, BadZipFile) as error:
        raise UserError(f"{path}: can't be read as a SciPy sparse matrix ({error})") from None
    if form not in ("csr", "csc"):
        raise UserError(f"{path}: sparse format {form!r}; save it with scipy.sparse.csr_matrix")
    _check_sparse(path, form, indices, indptr, data, n, p)
    require(2.0 * n * p, f"{path} as a dense table")
    digits = digits_of_sparse(form, indices, indptr, data, n, p)
    if digits is not None and digits.max(initial=0) <= 1:
        from himation.bits import pack_bits

        return RawTable(str(path), _numbered(p), n, bits=pack_bits(digits))
    if digits is not None:
        return RawTable(str(path), _numbered(p), n, digits=digits)
    require(8.0 * n * p, f"{path} as a dense table")
    major = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    rows, columns = (major, indices) if form == "csr" else (indices, major)
    values = np.zeros((p, n))
    np.add.at(values, (columns, rows), data.astype(np.float64))
    return RawTable(str(path), _numbered(p), n, values=values)


def _check_sparse(path, form, indices, indptr, data, n, p) -> None:
    lines, across = (n, p) if form == "csr" else (p, n)
    sound = len(indptr) == lines + 1 and indptr[0] == 0 and indptr[-1] <= len(indices) == len(data)
    if not sound or (np.diff(indptr) < 0).any():
        raise UserError(f"{path}: its row or column pointers don't fit its shape {n} x {p}")
    if len(data) and (indices.max() >= across or indices.min() < 0):
        raise UserError(f"{path}: has entries outside its own shape {n} x {p}")


def _read_parquet(path):
    import pandas as pd

    try:
        return pd.read_parquet(path)
    except Exception as error:  # pyarrow raises its own family
        raise UserError(f"{path}: can't be read as Parquet ({str(error).splitlines()[0]})") from None


def _read_separated(path, separator, text_columns) -> RawTable:
    import io

    text = read_bytes(path)
    names = _header(path, text, separator)
    digits = digits_of_text(text, text.find(b"\n") + 1, separator.encode())
    if digits is not None and len(digits) == len(names):
        return RawTable(str(path), names, digits.shape[1], digits=digits, first_line=2)
    import pandas as pd

    _check_widths(path, text, separator, len(names))
    try:
        frame = pd.read_csv(io.BytesIO(text), sep=separator, encoding="utf-8-sig", index_col=False, low_memory=False)
    except (ValueError, pd.errors.ParserError) as error:
        raise UserError(f"{path}: {str(error).splitlines()[0]}") from None
    frame.columns = names
    return from_frame(path, frame, text_columns, first_line=2)


def _header(path, text: bytes, separator) -> list[str]:
    import csv

    try:
        first = text[: text.find(b"\n") % (len(text) + 1)] if text.isascii() else text
        head = first.decode("utf-8-sig").split("\n", 1)[0]
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    try:
        names = [name.strip() for name in next(csv.reader([head.rstrip("\r")], delimiter=separator), [])]
    except csv.Error as error:
        raise UserError(f"{path}: can't read its header ({str(error).split(' - ')[0]})") from None
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise UserError(f"{path}: the header has the same name twice: {listed(twice)}")
    if not names or not all(names):
        raise UserError(f"{path}: the header has an empty name at column {names.index('') + 1 if names else 1}")
    return names


def _check_widths(path, text, separator, width):
    """Every line has as many fields as the header; pandas would fill a short line without a word."""
    if b'"' in text:
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line and line.count(separator.encode()) != width - 1:
            found = line.count(separator.encode()) + 1
            raise UserError(f"{path}: line {number} has {found} values, the header has {width}")


def from_frame(path, frame, text_columns, first_line) -> RawTable:
    import pandas as pd

    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise UserError(f"{path}: has the same column name twice: {listed(twice)}")
    if not len(frame):
        raise UserError(f"{path}: has a header and no rows")
    if {str(kind) for kind in frame.dtypes} <= {"bool", "uint8"}:
        bits = _bits_of_frame(frame)
        if bits is not None:
            return RawTable(str(path), names, len(frame), bits=bits, first_line=first_line)
    require(8.0 * frame.shape[0] * frame.shape[1], f"{path}")
    if all(isinstance(kind, np.dtype) and kind.kind in "iuf" for kind in frame.dtypes):
        values = np.ascontiguousarray(frame.to_numpy(dtype=np.float64).T)
        return RawTable(str(path), names, len(frame), values=values, first_line=first_line)
    values = np.empty((len(names), len(frame)))
    texts = {}
    for i, name in enumerate(names):
        column = frame.iloc[:, i]
        if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
            values[i] = column.to_numpy(dtype=np.float64, na_value=np.nan)
            continue
        missing = column.isna().to_numpy()
        words = column.astype(str).to_numpy(dtype=object)
        numbers = pd.to_numeric(pd.Series(words), errors="coerce").to_numpy(dtype=np.float64)
        is_text = np.isnan(numbers) & ~missing
        if is_text.any():
            if text_columns is not None and name not in text_columns and not _is_category(words, is_text | missing):
                where = int(np.flatnonzero(is_text)[0])
                raise UserError(
                    f"{path}: column {name!r} holds the text {str(words[where])[:40]!r} at line {where + first_line}; "
                    "write numbers or words only, leave the column out, or declare it discrete in 'types'"
                )
            texts[i] = np.where(missing, None, words)
            numbers = np.where(missing, np.nan, 0.0)
        values[i] = numbers
    return RawTable(str(path), names, len(frame), values=values, texts=texts, first_line=first_line)


def _is_category(words: np.ndarray, no_number: np.ndarray) -> bool:
    """Whether a column that nobody declared is plainly one of words: no number in it, and few different words."""
    return bool(no_number.all()) and len(set(words.tolist())) <= _MOST_WORDS


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
