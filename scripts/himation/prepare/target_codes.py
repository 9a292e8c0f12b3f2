"""The target's labels as codes: two labels become -1 and +1 in their own order, several become 0, 1, 2 and so on."""

import numpy as np

from himation.errors import UserError
from himation.files.raw import number_word
from himation.files.texts import listed
from himation.prepare.scaling import moments, standardised
from himation.table import BINARY, CONTINUOUS, DISCRETE

MOST_LEVELS = 10
MOST_CODES = 250
EXAMPLES_PER_LEVEL = 5


def most_levels(n: int) -> float:
    """How many whole numbers a column of ``n`` examples may have to count as discrete."""
    return min(MOST_LEVELS, n / EXAMPLES_PER_LEVEL)


def code_target(values: np.ndarray, name: str) -> tuple[np.ndarray, dict[int, str]]:
    """Signs and what they stood for: labels in their own order, the second is +1."""
    values = np.asarray(values)
    absent = [value is None or value != value for value in values.tolist()]
    if any(absent):
        raise UserError(f"the target {name!r} is missing in row {absent.index(True) + 1}; every example needs a label")
    kinds, coded = np.unique(values.astype(str) if values.dtype == object else values, return_inverse=True)
    if len(kinds) != 2:
        found = "only the value " + str(kinds[0]) if len(kinds) == 1 else f"{len(kinds)} values ({listed(kinds)})"
        raise UserError(f"the target {name!r} has {found}; it needs two classes")
    return np.where(coded == 1, 1, -1).astype(np.int8), {-1: _label(kinds[0]), 1: _label(kinds[1])}


def any_kind_of_target(values: np.ndarray, name: str) -> tuple[str, np.ndarray, dict[int, str]]:
    """Kind, coded values and labels of a target that may have several labels or be continuous."""
    values = np.asarray(values)
    if values.dtype == object or len(np.unique(values)) <= MOST_LEVELS or np.isnan(values).any():
        if len(set(map(str, values.tolist()))) == 2 or any(
            value is None or value != value for value in values.tolist()
        ):
            return (BINARY, *code_target(values, name))
        kinds, coded = np.unique(values.astype(str) if values.dtype == object else values, return_inverse=True)
        if len(kinds) < 2 or len(kinds) > MOST_CODES:
            raise UserError(f"the target {name!r} has {len(kinds)} different labels; 2 to {MOST_CODES} can be used")
        return DISCRETE, coded.astype(np.uint8), {code: _label(kind) for code, kind in enumerate(kinds)}
    if not np.isfinite(values).all():
        raise UserError(f"the target {name!r} has infinite values")
    return CONTINUOUS, standardised(values, *moments(values)), {}


def label_words(values) -> list[str | None]:
    """Labels as they are called, whether they were read as numbers or as words; None where missing."""
    return [None if value is None or value != value else _label(value) for value in np.asarray(values).tolist()]


def _label(value) -> str:
    return value if isinstance(value, str) else number_word(value)
