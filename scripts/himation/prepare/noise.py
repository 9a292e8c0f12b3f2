"""Removal of spatially correlated noise from variables that were measured side by side on a grid.

MARTI, the challenge's microarray task, is REGED's model on a chip of 32 x 32 spots: every training example comes with
its own smooth noise field, far larger than the signal, and 25 spots are *calibrants* that would read zero without it.
The test examples are free of noise. Three ways to estimate an example's field and subtract it:

* ``spline``: a smooth surface through the calibrants (Brown's thesis, V.2.1, by a cubic spline). The surface here is
  the thin-plate spline, the two-dimensional cubic spline for points in any layout. It can't see anything that happens
  between the calibrants.
* ``smooth``: all other spots are readings of the field too, if poor ones: their own signal, which varies from variable
  to variable without order, counts as error. The field is estimated by Gaussian process regression (kriging), with the
  error of a spot the variance of its variable. A signal that all variables have in common can't be told from a field
  that is high everywhere, and is lost.
* ``both``: the same regression with the calibrants, as nearly exact readings, and the other spots together. Variables
  that vary together are known as such from the data already cleaned: the strongest common factors of the signal are
  part of the model of the error. The default, for it was the best in measurement: on REGED-like data with fields of
  amplitude 2 to 6 and length scale 6 to 8, what is left of the noise is a fifth to a half of what ``spline`` leaves.

The field's amplitude, length scale and nugget are fitted to the calibrants by maximum likelihood, the variables' means
and variances are estimated in turn with the fields. Given these, a field is a linear function of an example's values:
all examples together are one matrix product.

>>> rng = np.random.default_rng(0)
>>> calibrants = [c - 1 for c in MARTI_CALIBRANTS]
>>> signal = with_calibrants(rng.normal(size=(60, 999)), calibrants, rng)
>>> noisy = signal + simulate_noise_field(60, (32, 32), rng)
>>> clean = remove_noise(noisy, calibrants, (32, 32))
>>> bool(np.var(clean - signal) < 0.2 < 3 < np.var(noisy - signal))
True
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError

METHODS = ("spline", "smooth", "both")
# The published calibrants of MARTI, as columns counted from 1.
MARTI_CALIBRANTS = (
    *(34, 44, 54, 64, 199, 209, 219, 354, 364, 374, 384, 519, 529, 539),
    *(674, 684, 694, 704, 839, 849, 859, 994, 1004, 1014, 1024),
)
MARTI_GRID = (32, 32)
MIN_CALIBRANTS = 4
MIN_EXAMPLES = 10  # below this the variables' variances are not worth estimating
N_ITERATIONS = 5
N_PLAIN = 2  # iterations before common factors are looked for; sooner, what is left of the noise would look like one
N_FACTORS = 10  # common factors of the signal that "both" models
WINSOR = 3.0  # readings further than this from a variable's mean, in standard deviations, count as this far
N_REFINEMENTS = 3
LENGTHS = np.geomspace(1.0, 64.0, 37)  # length scales tried, in grid cells
NUGGETS = 10.0 ** np.arange(-6, 1.0)  # calibrants' own variance tried, as a part of the field's


@dataclass(frozen=True)
class NoiseField:
    """A Gaussian field of covariance amplitude^2 exp(-distance^2 / (2 length^2)); calibrants add variance `nugget`."""

    amplitude: float
    length: float
    nugget: float

    def covariance(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Between the field at positions a and at positions b."""
        return self.amplitude**2 * _bell(a, b, self.length)


def grid_positions(n_columns: int, grid: tuple[int, int]) -> np.ndarray:
    """Row and column on the grid of each variable; the first `grid[0]` variables are the first column of the grid.

    >>> grid_positions(5, (3, 2)).tolist()
    [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]]
    """
    rows, cols = _checked_grid(grid)
    if n_columns > rows * cols:
        raise UserError(f"a grid of {rows} x {cols} has {rows * cols} places, too few for {n_columns} variables")
    number = np.arange(n_columns)
    return np.column_stack([number % rows, number // rows])


def simulate_noise_field(
    n: int, grid: tuple[int, int], rng: np.random.Generator, amplitude: float = 2.0, length: float = 8.0
) -> np.ndarray:
    """n fresh fields (n x places, in the order of the variables), of mean 0 and standard deviation `amplitude`."""
    rows, cols = _checked_grid(grid)
    row_factor, col_factor = _half_covariance(rows, length), _half_covariance(cols, length)
    white = rng.standard_normal((n, cols, rows))
    return amplitude * np.einsum("ij,njk,lk->nil", col_factor, white, row_factor, optimize=True).reshape(n, -1)


def with_calibrants(
    values: np.ndarray, calibrants: Sequence[int], rng: np.random.Generator, sd: float = 0.05
) -> np.ndarray:
    """The table with calibrant columns, zero plus small noise, inserted so that they stand at the indices named."""
    n, width = len(values), values.shape[1] + len(calibrants)
    is_calibrant = np.zeros(width, dtype=bool)
    is_calibrant[_checked_calibrants(calibrants, width)] = True
    table = np.empty((n, width))
    table[:, ~is_calibrant] = values
    table[:, is_calibrant] = sd * rng.standard_normal((n, len(calibrants)))
    return table


def remove_noise(X: np.ndarray, calibrants: Sequence[int], grid: tuple[int, int], method: str = "both") -> np.ndarray:
    """X (examples x variables on the grid) without each example's noise field; `calibrants` are indices from 0.

    The calibrants' columns are cleaned like the others and stay in the table.
    """
    X = np.asarray(X, dtype=float)
    if method not in METHODS:
        raise UserError(f"no method {method!r} to remove noise; write one of {', '.join(METHODS)}")
    positions = grid_positions(X.shape[1], grid)
    index = _checked_calibrants(calibrants, X.shape[1])
    if len(index) < MIN_CALIBRANTS:
        raise UserError(f"{len(index)} calibrants can't carry a surface; name at least {MIN_CALIBRANTS}")
    if not np.isfinite(X).all():
        raise UserError("noise can't be removed from a table with missing or infinite values; fill or drop them first")
    if method != "spline" and len(X) < MIN_EXAMPLES:
        raise UserError(f"method {method!r} needs {MIN_EXAMPLES} examples or more, found {len(X)}; use method 'spline'")
    surface = _spline(X, index, positions)
    if method == "spline" or not X[:, index].any():
        return X - surface
    model = fit_noise_field(X[:, index], positions[index])
    return X - _kriging(X, index, positions, model, surface, with_calibrants=method == "both")


def removal_example(before: np.ndarray, after: np.ndarray, calibrants: Sequence[int], grid: tuple[int, int]) -> dict:
    """What was removed, for the eye: the example of middling noise before and after, and the calibrants' spread.

    ``before`` and ``after`` are examples x variables. Spread is the root mean square of all calibrants' readings.
    """
    noise = ((before - after) ** 2).mean(axis=1)
    example = int(np.argsort(noise, kind="stable")[len(noise) // 2])
    index = _checked_calibrants(calibrants, before.shape[1])

    def spread(table: np.ndarray) -> float:
        return float(np.sqrt((table[:, index] ** 2).mean()))

    return {
        "example": example + 1,
        "grid": list(_checked_grid(grid)),
        "calibrants": (index + 1).tolist(),
        "before": np.round(before[example], 3).tolist(),
        "after": np.round(after[example], 3).tolist(),
        "sd_before": spread(before),
        "sd_after": spread(after),
    }


def fit_noise_field(values: np.ndarray, positions: np.ndarray) -> NoiseField:
    """Maximum likelihood from the calibrants (examples x calibrants), over a grid of length scales and nuggets."""
    n, k = values.shape
    scatter = values.T @ values / n
    best, answer = np.inf, (0.0, 0.0, 0.0)
    lengths, nuggets = LENGTHS, NUGGETS
    for _ in range(N_REFINEMENTS):  # each finer around the best of the one before
        for length in lengths:
            bell = _bell(positions, positions, length)
            for nugget in nuggets:
                factor = np.linalg.cholesky(bell + nugget * np.eye(k))
                half = np.linalg.solve(factor, scatter)
                variance = np.trace(np.linalg.solve(factor, half.T)) / k  # the best amplitude^2, given the rest
                cost = k * np.log(max(variance, 1e-300)) + 2 * np.log(np.diag(factor)).sum()
                if cost < best:
                    best, answer = cost, (float(variance), float(length), float(nugget))
        lengths = answer[1] * (lengths[1] / lengths[0]) ** np.linspace(-1, 1, 9)
        nuggets = answer[2] * (nuggets[1] / nuggets[0]) ** np.linspace(-1, 1, 9)
    variance, length, nugget = answer
    return NoiseField(math.sqrt(variance), length, nugget * variance)


def _spline(X: np.ndarray, calibrants: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Thin-plate splines through the calibrants, at every place: one operator for all examples."""
    from scipy.interpolate import RBFInterpolator

    try:
        weights = RBFInterpolator(positions[calibrants], np.eye(len(calibrants)), kernel="thin_plate_spline")(positions)
    except np.linalg.LinAlgError:
        raise UserError("the calibrants lie on one line of the grid; a surface needs some beside it") from None
    return X[:, calibrants] @ weights.T


def _kriging(X, calibrants, positions, model: NoiseField, field, with_calibrants: bool) -> np.ndarray:
    """In turn: the variables' means, variances and common factors given the fields; the fields given those."""
    place_covariance = model.covariance(positions, positions)
    is_calibrant = np.zeros(X.shape[1], dtype=bool)
    is_calibrant[calibrants] = True
    for iteration in range(N_ITERATIONS):
        signal = X - field
        mean = np.where(is_calibrant, 0.0, signal.mean(axis=0))
        sd = np.maximum(signal.std(axis=0), 1e-9 * model.amplitude + 1e-300)
        error = _error_covariance((signal - mean) / sd, sd, with_calibrants and iteration >= N_PLAIN)
        error[is_calibrant, :] = error[:, is_calibrant] = 0.0
        error[calibrants, calibrants] = max(model.nugget, 1e-9 * model.amplitude**2)
        used = np.ones(X.shape[1], dtype=bool) if with_calibrants else ~is_calibrant
        total = (place_covariance + error)[np.ix_(used, used)]
        weights = np.linalg.solve(total, place_covariance[used])
        readings = field + np.clip(signal - mean, -WINSOR * sd, WINSOR * sd)
        field = readings[:, used] @ weights
    return field


def _error_covariance(z: np.ndarray, sd: np.ndarray, with_factors: bool) -> np.ndarray:
    """Covariance of the variables' own signal: independent, or strong common factors plus an independent rest."""
    if not with_factors:
        return np.diag(sd**2)
    n_factors = min(N_FACTORS, len(z) // 4)
    _, strength, loading = np.linalg.svd(z / np.sqrt(len(z)), full_matrices=False)
    common = loading[:n_factors].T * strength[:n_factors]
    rest = np.maximum(1 - (common**2).sum(axis=1), 0.05)
    return np.outer(sd, sd) * (common @ common.T + np.diag(rest))


def _bell(a: np.ndarray, b: np.ndarray, length: float) -> np.ndarray:
    squared = ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-squared / (2 * length**2))


def _half_covariance(size: int, length: float) -> np.ndarray:
    """A matrix whose product with its transpose is the covariance along one side of the grid."""
    line = np.arange(size)[:, None].astype(float)
    value, vector = np.linalg.eigh(_bell(line, line, length))
    return vector * np.sqrt(np.maximum(value, 0.0))


def _checked_grid(grid: tuple[int, int]) -> tuple[int, int]:
    if len(grid) != 2 or any(int(side) != side or side < 1 for side in grid):
        raise UserError(f"grid is {list(grid)}; write two positive whole numbers, rows and columns, such as [32, 32]")
    return int(grid[0]), int(grid[1])


def _checked_calibrants(calibrants: Sequence[int], n_columns: int) -> np.ndarray:
    index = np.asarray(list(calibrants), dtype=int)
    outside = index[(index < 0) | (index >= n_columns)]
    if len(outside):
        raise UserError(
            f"calibrant column {outside[0] + 1} is outside the table's {n_columns} columns (counted from 1)"
        )
    if len(set(index.tolist())) != len(index):
        raise UserError("a calibrant is listed twice; list every calibrant once")
    return index
