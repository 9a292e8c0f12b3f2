"""Names that a table gives its rows: an id, as it is written there."""

import csv
import io
from pathlib import Path

from himation.errors import UserError
from himation.files.separated import read_layout
from himation.files.tables import column_names, listed
from himation.files.texts import read_bytes
from himation.prepare.identifiers import looks_like_an_id


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
