"""How a column becomes a variable: decided once, from the training table, and applied to every table that comes later.

>>> raw = RawTable("t.csv", ["dose"], 4, values=np.array([[1.0, 2.0, np.nan, 2.0]]))
>>> dose = decide(raw, 0, np.ones(4, dtype=bool), "auto")
>>> dose.kind, dose.levels, dose.fill
('binary', [1, 2], 2)
>>> complete(dose, raw, 0, "impute").values.tolist()
[1.0, 2.0, 2.0, 2.0]
"""

from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.files.raw import RawTable, number_word, plain_number
from himation.files.texts import listed
from himation.prepare.scaling import median, moments, standardised
from himation.prepare.target_codes import MOST_CODES, most_levels
from himation.table import BINARY, CONTINUOUS, DISCRETE

FARTHEST = 1e15  # standard deviations from the mean beyond which a value can't be the variable's


@dataclass(frozen=True)
class Variable:
    """One variable: where it stood in the training file, and how its values become numbers."""

    name: str
    column: int
    kind: str
    levels: list | None
    centre: float
    scale: float
    fill: float | str  # what a missing value counts as, where that is allowed

    @property
    def is_words(self) -> bool:
        return self.levels is not None and any(isinstance(level, str) for level in self.levels)


@dataclass(frozen=True)
class Complete:
    """A column without gaps, and what it has that training does not have."""

    values: np.ndarray
    strange: tuple = ()


def decide(raw: RawTable, position: int, used: np.ndarray, asked: str) -> Variable | None:
    """Type, levels, scale and filling of one column, from the examples ``used``; None if it is constant."""
    name = raw.names[position]
    if position in raw.texts:
        return _of_words(raw, position, raw.texts[position][used], asked)
    values = raw.column(position)[used]
    known = values[~np.isnan(values)]
    levels, counts = np.unique(known, return_counts=True)
    if len(levels) < 2:
        return None
    kind = _kind(raw, name, levels, len(values), asked)
    most = plain_number(levels[counts.argmax()])
    if kind == BINARY:
        return Variable(name, position + 1, kind, [plain_number(level) for level in levels], 0.0, 1.0, most)
    fill = median(known) if kind == CONTINUOUS else most
    centre, scale = moments(np.where(np.isnan(values), fill, values))
    if kind == DISCRETE:
        return Variable(name, position + 1, kind, [plain_number(level) for level in levels], centre, scale, fill)
    _refuse_lost(raw, position, levels, centre, scale)
    return Variable(name, position + 1, kind, None, centre, scale, fill)


def _kind(raw, name, levels, n, asked) -> str:
    if asked == "mixed":
        return BINARY if len(levels) == 2 else CONTINUOUS
    if asked == "binary" and len(levels) != 2:
        shown = listed(map(number_word, levels))
        raise UserError(f"{raw.path}: column {name!r} is declared binary and has {len(levels)} values ({shown})")
    if asked == "discrete":
        if len(levels) > MOST_CODES:
            raise UserError(f"{raw.path}: column {name!r} is declared discrete and has {len(levels)} values")
        return BINARY if len(levels) == 2 else DISCRETE
    if asked != "auto":
        return asked
    if len(levels) == 2:
        return BINARY
    few = len(levels) <= most_levels(n)
    return DISCRETE if few and np.all(levels == np.round(levels)) else CONTINUOUS


def _of_words(raw, position, words, asked) -> Variable | None:
    """Levels in alphabetical order."""
    name = raw.names[position]
    levels, counts = np.unique([word for word in words if word is not None], return_counts=True)
    levels = levels.tolist()
    if len(levels) < 2:
        return None
    if asked == CONTINUOUS or (asked == BINARY and len(levels) != 2):
        raise UserError(f"{raw.path}: column {name!r} is declared {asked} and holds the words {listed(levels)}")
    if len(levels) > MOST_CODES:
        raise UserError(
            f"{raw.path}: column {name!r} has {len(levels)} different texts; at most {MOST_CODES} are taken"
        )
    kind = BINARY if len(levels) == 2 else DISCRETE
    return Variable(name, position + 1, kind, levels, 0.0, 1.0, levels[int(counts.argmax())])


def _refuse_lost(raw, position, levels, centre, scale) -> None:
    """A value so far from the others that, measured in standard deviations, they are all the same."""
    left = len(np.unique(standardised(levels, centre, scale)))
    if 2 * left >= len(levels):
        return
    values = raw.column(position)
    row = int(np.nanargmax(np.abs(values)))
    raise UserError(
        f"{raw.path}: column {raw.names[position]!r} has the value {values[row]:g} at line {row + raw.first_line}, so "
        "far from the others that they can't be told apart beside it; put it right, write logarithms, or leave the "
        "column out"
    )


def complete(variable: Variable, raw: RawTable, place: int, missing: str) -> Complete:
    """A column of any table as training has it, numbers or words, with gaps filled where ``missing`` allows it.

    A value that a binary variable can't take counts as missing; other values that training does not have stay.
    """
    given = raw.words(place) if variable.is_words else _numbers(variable, raw, place)
    absent = np.array([value is None for value in given], bool) if variable.is_words else np.isnan(given)
    if missing == "error" and absent.any():
        raise UserError(
            f"{raw.path}: a missing value in column {variable.name!r} (first at line {_line(raw, absent)}); "
            "fill it in, or allow it with --missing impute"
        )
    strange = ()
    if variable.levels is not None:
        strange = tuple(sorted(set(given[~absent].tolist()) - set(variable.levels)))
    if strange and variable.kind == BINARY:
        other = np.isin(given, np.array(strange, dtype=given.dtype))
        if missing == "error":
            shown = listed(strange if variable.is_words else map(number_word, strange))
            raise UserError(
                f"{raw.path}: column {variable.name!r} holds {shown} (first at line {_line(raw, other)}) and has only "
                f"{listed(variable.levels)} in training; put it right, let such values count as missing (impute), or "
                "declare the column continuous in 'types' if they are numbers"
            )
        absent = absent | other
    if absent.any():
        given = given.copy()
        given[absent] = variable.fill
    return Complete(given, strange)


def _numbers(variable, raw, place) -> np.ndarray:
    if place in raw.texts:
        words = raw.texts[place]
        line, word = next((at, word) for at, word in enumerate(words) if word is not None and not _is_number(word))
        raise UserError(
            f"{raw.path}: column {variable.name!r} holds the text {word[:40]!r} at line {line + raw.first_line}, and "
            "numbers in training; write numbers"
        )
    values = raw.column(place)
    if np.isinf(values).any():
        raise UserError(f"{raw.path}: infinite values in column {variable.name!r}")
    return values


def coded(variable: Variable, values: np.ndarray, raw: RawTable, levels: list | None = None) -> np.ndarray:
    """Booleans, codes of ``levels``, or standardised numbers."""
    if variable.kind == BINARY:
        _, high = variable.levels or (None, None)
        return values == high
    if not variable.is_words:
        numbers = scaled(variable, values, raw)
        if variable.kind == CONTINUOUS:
            return numbers
    every = np.array(levels, dtype=object if variable.is_words else np.float64)
    order = np.argsort(every, kind="stable")
    return order[np.searchsorted(every, values, sorter=order)].astype(np.min_scalar_type(max(len(every) - 1, 1)))


def scaled(variable: Variable, values: np.ndarray, raw: RawTable) -> np.ndarray:
    """Numbers in standard deviations from the mean of training."""
    found = standardised(values, variable.centre, variable.scale)
    far = ~(np.abs(found) < FARTHEST)
    if far.any():
        raise UserError(
            f"{raw.path}: column {variable.name!r} holds {values[far][0]:g} at line {_line(raw, far)}, beyond anything "
            f"that training has (mean {variable.centre:g}, standard deviation {variable.scale:g}); put it right"
        )
    return found


def _line(raw, where: np.ndarray) -> int:
    return int(np.flatnonzero(where)[0]) + raw.first_line


def _is_number(word) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
