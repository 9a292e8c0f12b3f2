"""The target's labels as codes: two classes become -1 and +1, and several, where that is allowed, 0, 1, 2 and so on."""

import operator
import re
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
from numpy.typing import ArrayLike

from himation.errors import UserError
from himation.files.raw import number_word
from himation.files.texts import listed
from himation.prepare.scaling import moments, standardised
from himation.table import BINARY, CONTINUOUS, DISCRETE

MOST_LEVELS = 10
MOST_CODES = 250
EXAMPLES_PER_LEVEL = 5
_SIDES = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
_OTHER_SIDE = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_SIDE = re.compile(r"\s*(>=|<=|>|<)\s*(median|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*", re.ASCII)
_WORDS_OF_TRUTH = {"true": ("yes", "y", "on", "t"), "false": ("no", "n", "off", "f")}


def most_levels(n: int) -> float:
    """How many whole numbers a column of ``n`` examples may have to count as discrete."""
    return min(MOST_LEVELS, n / EXAMPLES_PER_LEVEL)


@dataclass(frozen=True)
class Classes:
    """Which values of a target are its positive class: some labels of several (``positives``), or the numbers on one
    side of a ``cut``."""

    name: str
    labels: dict[int, str]
    known: tuple[str, ...] = ()
    positives: frozenset[str] = frozenset()
    cut: tuple[str, float] | None = None

    def signs(self, values: np.ndarray) -> np.ndarray:
        """+1 for the positive class, -1 for all else; labels that training does not have are refused."""
        if self.cut:
            side, at = self.cut
            return np.where(_SIDES[side](np.asarray(values, dtype=np.float64), at), 1, -1).astype(np.int8)
        words = label_words(values)
        strange = sorted(str(word) for word in set(words) - set(self.known))
        if strange:
            raise UserError(f"test target: has the label {listed(strange)}, training has {listed(self.known)}")
        return np.array([1 if word in self.positives else -1 for word in words], dtype=np.int8)


def code_target(values: np.ndarray, name: str, positive: str | None = None) -> tuple[np.ndarray, dict[int, str]]:
    """Signs and what they stand for."""
    classes = classes_of(values, name, positive)
    return classes.signs(values), classes.labels


def classes_of(values: np.ndarray, name: str, positive: str | None = None) -> Classes:
    """The two classes of a training target: two labels in their own order, the second is +1; or what ``positive`` says,
    a label against all others, or a side of a number (or of the median) such as ``> 3.5``.

    >>> classes_of(np.array(["c", "a", "b", "a"], dtype=object), "y", "a").labels
    {-1: 'not a', 1: 'a'}
    >>> classes_of(np.array([1.0, 2.0, 4.0, 8.0]), "y", "> median").labels
    {-1: '<= 3', 1: '> 3'}
    """
    values = np.asarray(values)
    absent = [value is None or value != value for value in values.tolist()]
    if any(absent):
        more = f" and {sum(absent) - 1} more" if sum(absent) > 1 else ""
        raise UserError(
            f"the target {name!r} is missing in row {absent.index(True) + 1}{more}; every example needs a label: "
            "delete these rows, or put them into a test table to be predicted"
        )
    kinds = np.unique(values.astype(str) if values.dtype == object else values)
    words = tuple(str(word) for word in label_words(kinds))
    side = _SIDE.fullmatch(positive) if positive else None
    if side and positive not in words:
        return _cut(values, name, side[1], side[2], positive)
    if len(words) < 2:
        raise UserError(f"the target {name!r} has only the value {words[0]}; it needs two classes")
    if positive is None and len(words) > 2:
        raise UserError(f"the target {name!r} has {len(words)} values ({listed(words)}){_how_to_say(kinds, words)}")
    chosen = words[1] if positive is None else _label_meant(positive, words, name)
    others = [word for word in words if word != chosen]
    labels = {-1: others[0] if len(others) == 1 else f"not {chosen}", 1: chosen}
    return Classes(name, labels, words, frozenset([chosen]))


def _cut(values, name, side, at, written) -> Classes:
    if values.dtype == object:
        raise UserError(f"positive: {written!r} cuts a target of numbers, and {name!r} has words; name one of them")
    number = float(np.median(values)) if at == "median" else float(at)
    shown = number_word(float(f"{number:.6g}"))
    classes = Classes(name, {-1: f"{_OTHER_SIDE[side]} {shown}", 1: f"{side} {shown}"}, cut=(side, number))
    found = len(set(classes.signs(values).tolist()))
    if found < 2:
        raise UserError(
            f"positive: {written!r} has all examples on one side; {name!r} goes from {number_word(values.min())} to "
            f"{number_word(values.max())}"
        )
    return classes


def _how_to_say(kinds, words) -> str:
    """The line to write for a target of more than two values."""
    one = f"positive: {words[0]!r}"
    if kinds.dtype == object or kinds.dtype.kind in "US":
        return f"; it needs two classes: name the one that counts, such as {one}, against all others"
    return (
        "; it needs two classes: cut the numbers in two, such as positive: '> median' or positive: "
        f"'> {number_word(float(np.median(kinds)))}', or name a value against all others, such as {one}"
    )


def _label_meant(positive: str, words, name: str) -> str:
    """The label that ``positive`` names; YAML reads a plain yes as true, and 1 may be written 1.0."""
    for same in (str, str.casefold, _as_number):
        found = [word for word in words if same(word) == same(positive)]
        if len(found) == 1:
            return found[0]
    meant = [word for word in words if word.casefold() in _WORDS_OF_TRUTH.get(positive.casefold(), ())]
    if len(meant) == 1:
        return meant[0]
    close = get_close_matches(positive, words, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"it has {listed(words)}"
    raise UserError(f"positive: the target {name!r} has no value {positive!r}; {hint}")


def _as_number(word: str):
    try:
        return float(word)
    except ValueError:
        return word


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


def label_words(values: ArrayLike) -> list[str | None]:
    """Labels as they are called, whether they were read as numbers or as words; None where missing."""
    return [None if value is None or value != value else _label(value) for value in np.asarray(values).tolist()]


def _label(value) -> str:
    return value if isinstance(value, str) else number_word(value)
