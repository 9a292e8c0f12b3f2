"""Names that a table gives its rows: an id, as it is written there."""

import csv
import io
import re
from pathlib import Path

from himation.errors import UserError
from himation.files.tables import column_names, listed
from himation.files.texts import read_bytes

_AN_ID = re.compile(r"(.*[^a-z])?(id|identifier)|id[^a-z].*", re.IGNORECASE)


def id_column(path, used, wanted: str | None = None) -> str | None:
    """The column that names the rows: the one wanted, or the first that is called an id and is no variable (``used``).

    >>> [bool(_AN_ID.fullmatch(name)) for name in ("id", "Patient_ID", "row id", "id.2", "acid", "idle", "identifier")]
    [True, True, True, True, False, False, True]
    """
    names = column_names(path)
    if wanted is None:
        return next((name for name in names if name not in used and _AN_ID.fullmatch(name)), None)
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
    separator = "," if path.name.removesuffix(".gz").endswith(".csv") else "\t"
    lines = csv.reader(io.StringIO(read_bytes(path).decode("utf-8-sig"), newline=""), delimiter=separator)
    place = [name.strip() for name in next(lines)].index(column)
    return [line[place] for line in lines if line]
