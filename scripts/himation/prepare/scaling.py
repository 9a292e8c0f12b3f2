"""Standardising; mean, median and standard deviation of numbers of any size: no square overflows or vanishes.

Numbers are brought near 1 by a power of two, which rounds nothing: for ordinary numbers the results are the same bits
as without it.

>>> centre, scale = moments(np.array([1e200, 3e200]))
>>> standardised(np.array([1e200, 2e200, 3e200]), centre, scale).tolist()
[-1.0, 0.0, 1.0]
"""

import numpy as np

_ORDINARY = 2.0**400


def moments(values: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation."""
    power = _power(np.abs(values).max(initial=0.0))
    near = np.ldexp(values, -power) if power else values
    return float(np.ldexp(near.mean(), power)), float(np.ldexp(near.std(), power))


def median(values: np.ndarray) -> float:
    power = _power(np.abs(values).max(initial=0.0))
    return float(np.ldexp(np.median(np.ldexp(values, -power) if power else values), power))


def standardised(values: np.ndarray, centre: float, scale: float) -> np.ndarray:
    """Distances from the centre, in units of the scale; infinite where they are beyond all numbers."""
    power = _power(max(abs(centre), scale))
    if power:
        values = np.ldexp(values, -power)
        centre, scale = float(np.ldexp(centre, -power)), float(np.ldexp(scale, -power))
    with np.errstate(over="ignore"):
        return (values - centre) / scale + 0.0


def unit_columns(X: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and variance 1; constant ones are 0.

    >>> unit_columns(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    centred = X - X.mean(axis=0)
    spread = centred.std(axis=0)
    return centred / np.where(spread > 0, spread, 1.0)


def _power(largest: float) -> int:
    return 0 if 1 / _ORDINARY < largest < _ORDINARY else int(np.frexp(largest)[1])
