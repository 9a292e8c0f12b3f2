"""Tables of the shapes that users have, to measure time and memory on: wide ones of numbers, long mixed ones.

``sparse``    numbers; every variable has one to three causes among the sixty before it: gene expression;
``factors``   numbers; every variable is a sum of three of twenty hidden factors and noise: all correlate with many;
``mixed``     numbers, coins, ordered values and words side by side, with one to three causes each: a registry;
``scores``    whole scores from 1 to 10 that hang on one hidden severity, and a number for each row: a clinic's list;
``visits``    the same with a number for each patient, some of whom come twice, so that it is no name of the rows.

The target is a coin that three variables push and that pushes three others, in ``factors`` two hidden factors push it.
Rows are drawn one block after the other: a million of them need no more memory than a block.

>>> columns, target = next(blocks("mixed", rows=5, variables=30, seed=1))
>>> len(columns), sorted(columns)[:2], len(target), WORDS[:2]
(30, ['B02', 'B04'], 5, ('amber', 'beige'))
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError

SHAPES = ("sparse", "factors", "mixed", "scores", "visits")
WORDS = ("amber", "beige", "coral", "denim", "ebony", "flax", "green", "hazel")
BLOCK_CELLS = 20_000_000
FACTORS, LOADINGS = 20, 3
REACH = 60  # a cause stands at most so many places before its effect
PLACES = 24  # of the many-valued word of ``mixed``
_MIDST = 0.5  # where, in the order of causes, the target stands


@dataclass(frozen=True)
class _Network:
    """Causes of every variable, all before it, and their weights; which ones push the target, which it pushes."""

    causes: list[np.ndarray]
    weights: list[np.ndarray]
    of_target: np.ndarray
    by_target: np.ndarray


def blocks(shape: str, rows: int, variables: int, seed: int) -> Iterator[tuple[dict[str, np.ndarray], np.ndarray]]:
    """Columns by name and the target, 0 or 1, some rows at a time; the same arguments give the same rows."""
    if shape not in SHAPES:
        raise UserError(f"shape of a table: {', '.join(SHAPES)}, not {shape!r}")
    step = max(1, BLOCK_CELLS // variables)
    draw = {"sparse": _sparse, "factors": _factors, "mixed": _mixed}.get(shape, _scores)
    maker = draw(np.random.default_rng([seed, SHAPES.index(shape), 0]), variables)
    for start in range(0, rows, step):
        rng = np.random.default_rng([seed, SHAPES.index(shape), 1 + start])
        columns, target = maker(rng, min(step, rows - start))
        if shape in ("scores", "visits"):
            columns["code"] = _numbers(rng, start, len(target), shape == "visits")
        yield columns, target


def _sparse(rng, variables: int):
    network = _network(rng, variables)

    def make(rng, n):
        values, target = _linear(rng, network, n)
        return {f"G{i + 1:05d}": values[i] for i in range(variables)}, target

    return make


def _factors(rng, variables: int):
    loading = np.zeros((variables, FACTORS))
    for row in loading:
        row[rng.choice(FACTORS, LOADINGS, replace=False)] = rng.choice([-1, 1], LOADINGS) * rng.uniform(
            0.4, 0.8, LOADINGS
        )

    def make(rng, n):
        factors = rng.standard_normal((FACTORS, n))
        values = loading @ factors + 0.6 * rng.standard_normal((variables, n))
        target = rng.random(n) < _chance(1.5 * factors[0] + factors[1])
        return {f"G{i + 1:05d}": values[i] for i in range(variables)}, target.astype(int)

    return make


def _mixed(rng, variables: int):
    network = _network(rng, variables)
    kind = np.arange(variables) % 10  # four of ten are numbers, three coins, one ordered, two words

    def make(rng, n):
        values, target = _linear(rng, network, n)
        columns = {}
        for i, row in enumerate(values):
            if kind[i] in (0, 4, 5, 8):
                columns[f"N{i + 1:02d}"] = row
            elif kind[i] in (1, 3, 6):
                columns[f"B{i + 1:02d}"] = (row > 0.3).astype(int)
            elif kind[i] == 2:
                columns[f"O{i + 1:02d}"] = np.digitize(row, [-1.0, 0.0, 1.0])
            elif kind[i] == 7 and i < 10:
                places = np.clip(np.digitize(row, np.linspace(-2, 2, PLACES - 1)), 0, PLACES - 1)
                columns[f"P{i + 1:02d}"] = np.array([f"place{place:02d}" for place in range(PLACES)])[places]
            else:
                columns[f"C{i + 1:02d}"] = np.array(WORDS)[np.digitize(row, np.linspace(-1.5, 1.5, len(WORDS) - 1))]
        return columns, target

    return make


def _scores(rng, variables: int):
    loading, shift = rng.uniform(0.6, 1.4, variables - 1), rng.normal(0, 0.3, variables - 1)

    def make(rng, n):
        severity = rng.standard_normal(n)
        target = (rng.random(n) < _chance(4 * (severity - 0.4))).astype(int)
        values = loading[:, None] * (severity + target) + shift[:, None] + 0.7 * rng.standard_normal((variables - 1, n))
        whole = np.clip(np.round(1 + 2.2 * np.maximum(values, 0)), 1, 10).astype(int)
        return {f"score{i + 1}": whole[i] for i in range(variables - 1)}, target

    return make


def _numbers(rng, start: int, n: int, twice: bool) -> np.ndarray:
    """A number of seven digits for each row; some come again where people do."""
    codes = 1_000_000 + 7 * (start + rng.permutation(n)) + rng.integers(0, 7, n)
    if twice:
        again = rng.choice(n, n // 10, replace=False)
        codes[again] = codes[(again + 1) % n]
    return codes


def _network(rng, variables: int) -> _Network:
    middle = int(_MIDST * variables)
    causes, weights = [], []
    for i in range(variables):
        near = np.arange(max(0, i - REACH), i)
        chosen = np.sort(rng.choice(near, min(len(near), int(rng.integers(1, 4))), replace=False))
        causes.append(chosen)
        weights.append(rng.choice([-1, 1], len(chosen)) * rng.uniform(0.4, 0.9, len(chosen)))
    before, after = np.arange(max(0, middle - REACH), middle), np.arange(middle, min(variables, middle + REACH))
    return _Network(causes, weights, rng.choice(before, 3, replace=False), rng.choice(after, 3, replace=False))


def _linear(rng, network: _Network, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of numbers, one for each variable, of variance one about; and the target."""
    size = len(network.causes)
    values = rng.standard_normal((size, n))
    target, middle = None, int(_MIDST * size)
    for i in range(size):
        if i == middle:
            target = (rng.random(n) < _chance(1.2 * values[network.of_target].sum(axis=0))).astype(int)
        push = network.weights[i] @ values[network.causes[i]]
        if i in network.by_target:
            push = push + 1.6 * (target - 0.5)
        spread = 1 + float(np.square(network.weights[i]).sum())
        values[i] = (values[i] + push) / np.sqrt(spread)
    return values, target


def _chance(log_odds: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-log_odds))
