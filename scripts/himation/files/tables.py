"""Read a table in any format that users bring into one form: a row of numbers for each variable; and names of rows.

Formats go by the file's ending: ``.data`` (the challenge's matrix: no header, values separated by spaces), ``.csv`` and
``.tsv`` with a header, ``.parquet``, and SciPy's sparse ``.npz``; text may be compressed (``.gz``).

Headerless columns are called x1, x2, ... A table of zeros and ones is kept as bits from the start: 139,351 columns of
1,909 examples take 33 MB that way.
"""

import csv
import io
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.digits import digits_of_sparse, digits_of_text
from himation.files.frames import from_frame, large_columns, read_parquet, refuse_rounding
from himation.files.memory import require
from himation.files.raw import RawTable
from himation.files.separated import header, read_frame, read_header, read_layout, read_words, separator_of
from himation.files.texts import listed, read_bytes
from himation.prepare.identifiers import ROW_NAMES, looks_like_an_id

ENDINGS = (".data", ".csv", ".tsv", ".txt", ".parquet", ".npz")
_NAME = 200  # bytes that a column takes whatever its length
__all__ = ["ENDINGS", "RawTable", "column_names", "from_frame", "listed", "parse_numbers", "read_table"]


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
        return _read_challenge(path, text_columns)
    if ending == ".npz":
        return _read_sparse(path, text_columns)
    if ending == ".parquet":
        return read_parquet(path, text_columns)
    if separator_of(path):
        return _read_separated(path, text_columns)
    raise UserError(f"{path}: unknown kind of table {ending!r}; known endings are {', '.join(ENDINGS)}")


def column_names(path) -> list[str]:
    """The header of a table without reading the rest; empty for formats that have none."""
    path = Path(path)
    if separator_of(path):
        return read_header(path)
    if path.name.lower().endswith(".parquet"):
        import pyarrow.parquet as parquet

        try:
            return [name.strip() for name in parquet.read_schema(path).names]
        except Exception as error:  # pyarrow raises its own family
            raise UserError(f"{path}: can't be read as Parquet ({str(error).splitlines()[0]})") from None
    return []


def _read_challenge(path: Path, text_columns) -> RawTable:
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
    table = RawTable(str(path), _numbered(values.shape[1]), len(values), values=np.ascontiguousarray(values.T))
    for i in large_columns(table) if text_columns is not None else ():
        refuse_rounding(table, i, (line.split()[i].decode() for line in text.splitlines() if line.strip()), ())
    return table


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


def _read_sparse(path: Path, text_columns) -> RawTable:
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
    require(2.0 * n * p + _NAME * p, f"{path} as a dense table")
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
    table = RawTable(str(path), _numbered(p), n, values=values)
    for i in large_columns(table) if text_columns is not None and data.dtype.kind in "iu" else ():
        refuse_rounding(table, i, data[columns == i], ())
    return table


def _check_sparse(path, form, indices, indptr, data, n, p) -> None:
    lines, across = (n, p) if form == "csr" else (p, n)
    sound = len(indptr) == lines + 1 and indptr[0] == 0 and indptr[-1] <= len(indices) == len(data)
    if not sound or (np.diff(indptr) < 0).any():
        raise UserError(f"{path}: its row or column pointers don't fit its shape {n} x {p}")
    if len(data) and (indices.max() >= across or indices.min() < 0):
        raise UserError(f"{path}: has entries outside its own shape {n} x {p}")


def _read_separated(path, text_columns) -> RawTable:
    text = read_bytes(path)
    names, layout = header(path, text)
    digits = digits_of_text(text, text.find(b"\n") + 1, layout.separator.encode())
    if digits is not None and len(digits) == len(names) and ROW_NAMES not in names:
        return RawTable(str(path), names, digits.shape[1], digits=digits, first_line=2)
    frame = read_frame(path, text, layout, names)
    return from_frame(path, frame, text_columns, 2, lambda i: read_words(path, i, len(names)))


def id_column(path, used, wanted: str | None = None) -> str | None:
    """The column that names the rows: the one wanted, or the first called an id that is no variable (``used``)."""
    names = column_names(path)
    if wanted is None:
        return next((name for name in names if name not in used and looks_like_an_id(name)), None)
    if wanted not in names:
        raise UserError(f"{path}: has no column {wanted!r} to name its rows; it has {listed(names) or 'no names'}")
    return wanted


def read_ids(path, column: str) -> list[str]:
    """The cells of one column, as text."""
    path = Path(path)
    if path.name.endswith(".parquet"):
        import pyarrow.parquet as parquet

        values = parquet.read_table(path, columns=[column]).column(0).to_pylist()
        return ["" if value is None else str(value) for value in values]
    place = column_names(path).index(column)
    reader = csv.reader(
        io.StringIO(read_bytes(path).decode("utf-8"), newline=""), delimiter=read_layout(path).separator
    )
    next(reader)
    return [line[place] for line in reader if line]
