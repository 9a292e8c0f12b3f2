"""Columns by name or by 1-based number; an unknown one gets a suggestion."""

import re
from difflib import get_close_matches

from himation.errors import UserError


def resolve(entries, names, where: str) -> list[int]:
    """Positions of variables given by name or by 1-based number; an unknown one gets a suggestion."""
    index = {name: i for i, name in enumerate(names)}
    return [position_of(str(entry), names, where, index) for entry in entries]


def position_of(entry, names, where, index=None) -> int:
    if index is not None and entry in index:
        return index[entry]
    if index is None and entry in names:
        return names.index(entry)
    if re.fullmatch(r"[0-9]{1,9}", entry) and 1 <= int(entry) <= len(names):
        return int(entry) - 1
    close = get_close_matches(entry, names, n=1) if len(names) < 20_000 else []
    hint = f"; did you mean {close[0]!r}?" if close else f"; give a name or a number from 1 to {len(names)}"
    raise UserError(f"{where}: {entry!r} is not a variable of the table{hint}")
