"""Whether what a model file holds is a model: its facts are of the right kind, its parts fit, and it can predict.

Checked is what a decoded model (`himation.files.models.Saved`) would do with an example whose every value is the one
that a missing value counts as. A ValueError says what is wrong.
"""

import math

import numpy as np

from himation.models.encoding import Encoding
from himation.models.kinds import nested_sizes
from himation.table import BINARY, CONTINUOUS, DISCRETE

_MOST_POWER = 100


def check_model(saved) -> None:
    _check_variables(saved.encoding)
    _check_facts(saved)
    for _, pairs in saved.products:
        if not pairs or any(len(pair) != 2 or not 0 < pair[1] <= _MOST_POWER for pair in pairs):
            raise ValueError("a constructed feature is no product of variables")
        if not {column for column, _ in pairs} <= set(saved.columns):
            raise ValueError("a constructed feature has a variable that the model has not")
    with np.errstate(all="ignore"):
        values = saved.values(_typical(saved.encoding), "test")
    if values.shape != (1, len(saved.nested) + 1) or not np.isfinite(values).all():
        raise ValueError("it gives no finite decision value")


def _check_facts(saved) -> None:
    platt = saved.platt
    if platt is None or not (_is_number(platt.slope) and _is_number(platt.offset)):
        raise ValueError("its calibration is not two finite numbers")
    sizes = sorted(saved.nested)
    if sizes != nested_sizes(len(saved.columns))[: len(sizes)]:
        raise ValueError("its nested models are not those of the first 1, 2, 4, ... variables")
    texts = [saved.target, *saved.labels.values()]
    if set(saved.labels) != {-1, 1} or not all(isinstance(text, str) for text in texts):
        raise ValueError("its target and the labels of the two classes are not texts")


def _check_variables(encoding: Encoding) -> None:
    variables = encoding.variables
    if not variables or len({v.name for v in variables}) < len(variables):
        raise ValueError("it has no variables, or two of one name")
    if not _is_whole(encoding.n_file_columns) or len({v.column for v in variables}) < len(variables):
        raise ValueError("its columns are not numbered, each once")
    for v in variables:
        if not (isinstance(v.name, str) and _is_whole(v.column) and 1 <= v.column <= encoding.n_file_columns):
            raise ValueError("a variable has no name or no column")
        if not (_is_number(v.centre) and _is_number(v.scale) and v.scale > 0):
            raise ValueError(f"the scale of {v.name[:40]!r} is not a finite number above 0")
        if not _knows_values(v):
            raise ValueError(f"the type and the values of {v.name[:40]!r} don't fit together")


def _knows_values(v) -> bool:
    if v.kind == CONTINUOUS:
        return v.levels is None and _is_number(v.fill)
    if v.kind not in (BINARY, DISCRETE) or not isinstance(v.levels, list):
        return False
    sound = all(isinstance(level, str) or _is_number(level) for level in v.levels)
    enough = len(v.levels) == 2 if v.kind == BINARY else len(v.levels) >= 1
    return sound and enough and len(set(v.levels)) == len(v.levels) and v.fill in v.levels


def _typical(encoding: Encoding):
    """A table of one example."""
    from himation.files.tables import RawTable

    names = [v.name for v in encoding.variables]
    words = {i: np.array([v.fill], dtype=object) for i, v in enumerate(encoding.variables) if v.is_words}
    values = np.array([[0.0 if i in words else v.fill] for i, v in enumerate(encoding.variables)], dtype=float)
    return encoding.read(RawTable("a table", names, 1, values=values, texts=words))


def _is_number(value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf


def _is_whole(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
