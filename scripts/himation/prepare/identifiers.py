"""Columns that are no variables: names and numbers of rows, which are left out, and dates, which are refused.

>>> raw = RawTable("t.csv", ["patient_id", "age"], 5, values=np.array([[7.0, 3, 9, 1, 4], [30.0, 31, 30, 29, 60]]))
>>> identifiers(raw)
{0: 'identifier'}
"""

import re
from collections.abc import Collection

import numpy as np

from himation.errors import UserError
from himation.files.raw import RawTable

FEWEST = 5  # rows below which numbers may all be different by chance
MANY_WORDS = 30  # a column of words with more different ones is more likely a name or a note than a category
ROW_NAMES = "row names"  # a first column without a name
_NAMES = re.compile(
    r"(.*[^a-z])?(id|ids|identifier|index|idx|key|uuid|row[ ._]?names?)|id[^a-z].*|unnamed: ?\d+", re.IGNORECASE
)
_COUNTERS = re.compile(r"x|rows?|nr|no", re.IGNORECASE)  # identifiers if they count the rows one by one
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(\d{4}|\d{2}))([ T]\d{1,2}:\d{2}.*)?", re.ASCII
)


def looks_like_an_id(name: str) -> bool:
    """By its name alone.

    >>> [looks_like_an_id(name) for name in ("id", "Patient_ID", "row id", "id.2", "acid", "idle", "Unnamed: 0")]
    [True, True, True, True, False, False, True]
    """
    return bool(_NAMES.fullmatch(name))


def identifiers(raw: RawTable, kept: Collection[str] = frozenset()) -> dict[int, str]:
    """Positions of columns in which every row has a name or a whole number of its own, but those declared (``kept``).

    Numbers must be called so as well: a measurement may be different in every row.
    """
    if raw.headerless or raw.n < FEWEST:
        return {}
    found = {}
    for i, name in enumerate(raw.names):
        if name in kept:
            continue
        if name == ROW_NAMES or _names_rows(raw, i):
            found[i] = "identifier"
    return found


def _names_rows(raw: RawTable, i: int) -> bool:
    name = raw.names[i]
    if i in raw.texts:
        words = [word for word in raw.texts[i].tolist() if word is not None]
        few = FEWEST - 1 if looks_like_an_id(name) else MANY_WORDS
        return len(words) > few and len(set(words)) == len(words)
    counter = bool(_COUNTERS.fullmatch(name))
    if raw.values is None or not (counter or looks_like_an_id(name)):
        return False
    values = raw.values[i]
    if not np.isfinite(values).all() or (values != np.round(values)).any() or len(np.unique(values)) < len(values):
        return False
    return not counter or values.max() - values.min() == len(values) - 1


def refuse_dates(raw: RawTable, left_out: Collection[int]) -> None:
    """Dates are neither numbers nor categories; what they mean for the target only the user knows."""
    for i, words in raw.texts.items():
        known = [word for word in words.tolist() if word is not None]
        if i not in left_out and known and all(_DATE.fullmatch(word) for word in known):
            name = raw.names[i]
            raise UserError(
                f"{raw.path}: column {name!r} holds dates ({known[0][:40]}), which are no numbers: write the days "
                f"since an event of each row, or leave it out by ignore: [{name}]"
            )


def is_date(word: str) -> bool:
    """>>> [is_date(word) for word in ("2024-02-29", "29.2.24", "2024-02-29 10:30", "3.5", "1-2-3")]
    [True, True, True, False, False]
    """
    return bool(_DATE.fullmatch(word))
