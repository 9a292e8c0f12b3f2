"""Problems for the benchmark of models: tables of the sizes of the challenge, drawn by the project's own simulators.

The variables are those with the largest absolute correlation with the target in training: causes, effects, and what
hangs together with them, as a blanket finder with a generous threshold would give. Nothing is manipulated in the test
sample. The tables are prepared as the workflow does it: binary variables are 0 and 1, others standardised.

>>> problem = draw(Wanted("reged", part=0.2, test=100))
>>> problem.X.shape, problem.test_X.shape, sorted(set(problem.y.tolist()))
((100, 15), (100, 15), [-1, 1])
"""

from dataclasses import dataclass, field

import library_path  # noqa: F401
import numpy as np

from himation.files.tables import RawTable
from himation.prepare.preparing import prepare
from himation.studies.simulate.tasks import simulate

SPARE = 2  # times the variables wanted are prepared, since columns that are equal to others are left out


@dataclass(frozen=True)
class Size:
    """Examples and variables, all variables of the task that they are chosen from, and the promised seconds."""

    rows: int
    variables: int
    among: int
    seconds: float


SIZES = {
    "reged": Size(500, 15, 999, 20),
    "cina": Size(16_033, 100, 132, 300),
    "sido": Size(12_678, 100, 4_932, 300),
}


@dataclass(frozen=True)
class Wanted:
    """All that it takes to draw a problem: its name, and a part of its examples for a quick look."""

    name: str
    seed: int = 1
    part: float = 1.0
    test: int = 20_000

    @property
    def size(self) -> Size:
        return SIZES[self.name]

    @property
    def rows(self) -> int:
        return round(self.part * self.size.rows)

    @property
    def key(self) -> str:
        return f"{self.name} {self.rows}x{self.size.variables} test {self.test} seed {self.seed}"

    @property
    def title(self) -> str:
        return f"{self.name.upper()}-sized, {self.rows:,} x {self.size.variables}"


@dataclass(frozen=True)
class Problem:
    """Examples by variables, labels -1 and +1, and the same for the test."""

    wanted: Wanted
    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    test_X: np.ndarray = field(repr=False)
    test_y: np.ndarray = field(repr=False)

    @property
    def key(self) -> str:
        return self.wanted.key

    @property
    def title(self) -> str:
        return self.wanted.title

    @property
    def seed(self) -> int:
        return self.wanted.seed


def draw(wanted: Wanted) -> Problem:
    """The sample, its strongest variables, and a test sample."""
    size = wanted.size
    drawn = simulate(wanted.name, wanted.seed, train=wanted.rows, test=wanted.test, variables=size.among)
    y = np.asarray(drawn.train.target)
    ranked = [i for i in _by_correlation(drawn.train.values, y) if drawn.train.names[i] != drawn.target]
    names = [drawn.train.names[i] for i in ranked[: SPARE * size.variables]]
    raw, new = (_raw(sample, ranked[: len(names)], names) for sample in (drawn.train, drawn.test))
    table = prepare(raw, y, test=new)
    place = {known: i for i, known in enumerate(table.names)}
    chosen = [place[known] for known in names if known in place][: size.variables]
    labels = np.asarray(table.target), np.where(np.asarray(drawn.test.target) > 0, 1, -1)
    return Problem(wanted, table.features(chosen), labels[0], table.features(chosen, "test"), labels[1])


def _by_correlation(values: np.ndarray, y: np.ndarray) -> list[int]:
    """Columns, the strongest first; constant ones last."""
    signs = (y - y.mean()) / y.std()
    strength = np.zeros(values.shape[1])
    for i in range(values.shape[1]):
        column = values[:, i].astype(float)
        spread = column.std()
        strength[i] = abs(signs @ (column - column.mean())) / (len(y) * spread) if spread > 0 else 0.0
    return np.argsort(-strength, kind="stable").tolist()


def _raw(sample, columns: list[int], names: list[str]) -> RawTable:
    return RawTable(
        "simulated", names, len(sample.target), values=np.ascontiguousarray(sample.values[:, columns].T, dtype=float)
    )
