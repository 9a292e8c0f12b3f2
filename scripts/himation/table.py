"""The form in which every step sees the data: typed columns, one row in memory for each variable.

Binary variables are bits, discrete ones bytes, continuous ones standardised floats. The order of the variables is set
by their content (a digest of each column), so that no answer can depend on the order of columns in a file or on their
names; ``columns`` has the 1-based position of each in the user's file.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from himation.bits import unpack_bits
from himation.knowledge import Knowledge
from himation.prepare.scaling import standardised

BINARY, DISCRETE, CONTINUOUS = "binary", "discrete", "continuous"
KINDS = (BINARY, DISCRETE, CONTINUOUS)


@dataclass(frozen=True)
class Part:
    """Some examples of a table. Each block has one row for each variable of its kind."""

    n: int
    bits: np.ndarray
    codes: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Dropped:
    """A column of the file that is no variable of the search, and why; ``twin`` is the equal column that stays."""

    name: str
    column: int
    why: str
    twin: str = ""

    @property
    def words(self) -> str:
        return f"{self.why} to {self.twin}" if self.twin else self.why


@dataclass(frozen=True)
class Environment:
    """Experiments among the training rows: what was set in each, as a number into ``settings``, which has columns of
    the user's file, 0 for the target; and the target there, +1 or -1. Behind the settings that say it stand those of
    ``unknown`` groups, by name: all that may have been set (`himation.posterior.batches`). The last are those in which
    somebody also ``acted`` on something that was not set, as columns.

    Natural rows may be of several ``batches``: ``batch`` has the number of each row's, ``others`` what is different in
    each, as far as that is known.
    """

    groups: np.ndarray
    settings: tuple[tuple[int, ...], ...]
    target: np.ndarray
    unknown: tuple[str, ...] = ()
    batches: tuple[str, ...] = ()
    batch: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    others: tuple[tuple[int, ...], ...] = ()
    acted: tuple[tuple[int, ...], ...] = ()

    @property
    def certain(self) -> int:
        """How many settings say what was set."""
        return len(self.settings) - len(self.unknown) - len(self.acted)

    def groups_of_rows(
        self, columns: Sequence[int] | np.ndarray, n: int, rows: slice
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of some of n natural rows, and of experiments, the number of their group, batches first; and columns by
        groups, in which of these the column's mechanism is another, as if it was set, and where somebody acted on it.
        """
        batch = self.batch if len(self.batch) else np.zeros(n, dtype=np.int64)
        others = self.others or ((),) * max(len(self.batches), 1)
        every = (*others, *self.settings)
        acted = ((),) * (len(every) - len(self.acted)) + self.acted
        own = np.concatenate([batch[rows], len(others) + self.groups[rows]])
        return own, _held(columns, every), _held(columns, acted)

    def was_set(self, columns: Sequence[int] | np.ndarray) -> np.ndarray:
        """Columns by rows: whether somebody set the one in the other."""
        return _held(columns, self.settings)[:, self.groups]


def _held(columns: Sequence[int] | np.ndarray, groups: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Columns by groups: whether the group has the column."""
    held = np.array([[column in group for group in groups] for column in columns], dtype=bool)
    return held.reshape(len(columns), len(groups))


@dataclass(frozen=True)
class Table:
    """A prepared data set.

    ``levels[i]`` lists what the codes of a binary or discrete variable stood for (numbers or words); ``row[i]`` is the
    variable's row within the block of its kind. ``target`` is +1 or -1 for each training example, and ``labels`` says
    what those stood for. A blanket can be found for other targets too: then ``target_kind`` is discrete or continuous,
    and ``target`` holds codes or standardised numbers. ``left_out`` holds training examples with missing values that
    were not used for learning but are still predicted, ``left_out_rows`` their positions. ``fills[i]`` is what a
    missing value of a variable counts as. ``noise`` shows for one example what was removed by means of calibrants
    (`himation.prepare.noise.removal_example`); it is for the eye only. ``knowledge`` is what the user knows of causes.
    ``experiments`` are training rows in which somebody set something, as ``environment`` says: networks learn from
    them, ``train`` does not hold them, and among ``left_out`` they are predicted.
    """

    names: list[str]
    columns: np.ndarray
    kinds: np.ndarray
    row: np.ndarray
    levels: list[list | None]
    centre: np.ndarray
    scale: np.ndarray
    target: np.ndarray
    target_name: str
    labels: dict[int, str]
    train: Part
    test: Part | None = None
    test_target: np.ndarray | None = None
    left_out: Part | None = None
    left_out_rows: tuple[int, ...] = ()
    dropped: list[Dropped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    n_file_columns: int = 0
    fills: list = field(default_factory=list)
    target_kind: str = BINARY
    noise: dict | None = None
    knowledge: Knowledge | None = None
    experiments: Part | None = None
    environment: Environment | None = None

    @property
    def n_variables(self) -> int:
        return len(self.names)

    @property
    def kind(self) -> str:
        """One word for the whole: binary, discrete, continuous or mixed."""
        present = {str(kind) for kind in self.kinds}
        if CONTINUOUS in present:
            return CONTINUOUS if present == {CONTINUOUS} else "mixed"
        return DISCRETE if DISCRETE in present else BINARY

    def file_columns(self) -> list[str]:
        """Names of the columns of the file that the table was made from, in the file's order."""
        names = [""] * self.n_file_columns
        for name, column in zip(self.names, self.columns, strict=True):
            names[column - 1] = name
        for item in self.dropped:
            names[item.column - 1] = item.name
        return names

    def levels_of(self, i: int) -> list:
        """What the codes of a binary or discrete variable stood for; nothing for a continuous one."""
        return self.levels[i] or []

    def part(self, name: str) -> Part:
        """Examples that the caller knows to be there."""
        found = getattr(self, name)
        assert found is not None, name
        return found

    def numbers(self, i: int, part: str = "train") -> np.ndarray:
        """Variable ``i`` as numbers: 0/1, standardised level numbers, or standardised values."""
        block, row = self.part(part), self.row[i]
        if self.kinds[i] == CONTINUOUS:
            return np.asarray(block.values[row], dtype=np.float64)
        if self.kinds[i] == BINARY:
            return unpack_bits(block.bits[row : row + 1], block.n)[0].astype(np.float64)
        levels = self.levels_of(i)
        numbers = levels if not self.is_text(i) else range(len(levels))
        return standardised(np.array(numbers, dtype=np.float64), self.centre[i], self.scale[i])[block.codes[row]]

    def numbers_for_target(self, i: int, part: str = "train") -> np.ndarray:
        """As ``numbers``, but each level of a variable of words counts as the mean target of its examples:
        the one number that says most about the target, whatever the order of the words."""
        if not (self.kinds[i] == DISCRETE and self.is_text(i)):
            return self.numbers(i, part)
        codes, labels = self.train.codes[self.row[i]], np.where(self.target > 0, 1.0, -1.0)
        n_levels = len(self.levels_of(i))
        counts = np.bincount(codes, minlength=n_levels)
        means = np.bincount(codes, labels, minlength=n_levels) / np.maximum(counts, 1)
        spread = means[codes].std()
        here = self.part(part).codes[self.row[i]]
        return (means[here] - means[codes].mean()) / (spread if spread > 0 else 1.0)

    def strengths(self) -> list[float]:
        """The size of every variable's correlation with a target of two classes, in training."""
        y = np.where(np.asarray(self.target) > 0, 1.0, -1.0)
        y = (y - y.mean()) / y.std()
        found = []
        for x in range(self.n_variables):
            numbers = self.numbers_for_target(x)
            scale = float(numbers.std())
            found.append(abs(float(np.mean(numbers * y))) / scale if scale > 0 else 0.0)
        return found

    def is_text(self, i: int) -> bool:
        """Whether the levels of a discrete variable are words, whose order means nothing."""
        return any(isinstance(level, str) for level in self.levels_of(i))

    def features(self, variables: Sequence[int] | np.ndarray, part: str = "train") -> np.ndarray:
        """Examples by features for a model: numbers, and one indicator for each level of a variable of words."""
        block = self.part(part)
        columns = []
        for i in variables:
            if self._by_levels(i):
                codes = block.codes[self.row[i]]
                columns += [(codes == level).astype(np.float64) for level in range(self.arity(i))]
            else:
                columns.append(self.numbers(i, part))
        return np.column_stack(columns) if columns else np.empty((block.n, 0))

    def n_features(self, i: int) -> int:
        """How many columns a variable has among the features."""
        return self.arity(i) if self._by_levels(i) else 1

    def _by_levels(self, i: int) -> bool:
        return bool(self.kinds[i] == DISCRETE and self.is_text(i))

    def target_codes(self) -> np.ndarray:
        """The target of a binary or discrete kind as codes from 0."""
        return (self.target > 0).astype(np.uint8) if self.target_kind == BINARY else self.target

    def matrix(self, variables: Sequence[int] | np.ndarray | None = None) -> np.ndarray:
        """Training data as rows of numbers, one for each variable."""
        chosen = np.arange(self.n_variables) if variables is None else np.asarray(variables, dtype=np.int64)
        rows = np.empty((len(chosen), self.train.n))
        continuous = self.kinds[chosen] == CONTINUOUS
        rows[continuous] = self.train.values[self.row[chosen[continuous]]]
        for position in np.flatnonzero(~continuous):
            rows[position] = self.numbers(chosen[position])
        return rows

    def arity(self, i: int) -> int:
        """Number of values that a binary or discrete variable has in training."""
        return int(self._trained_levels[i])

    @cached_property
    def _trained_levels(self) -> np.ndarray:
        sizes = np.array([0 if levels is None else len(levels) for levels in self.levels], dtype=np.int64)
        if len(self.train.codes):
            discrete = np.flatnonzero(self.kinds == DISCRETE)
            sizes[discrete] = self.train.codes[self.row[discrete]].max(axis=1).astype(np.int64) + 1
        return sizes

    def codes(self, variables: Sequence[int] | np.ndarray, part: str = "train") -> tuple[np.ndarray, np.ndarray]:
        """Codes (one row of bytes for each variable) and arities of variables that are all binary or discrete."""
        chosen, block = np.asarray(variables, dtype=np.int64), self.part(part)
        rows = np.empty((len(chosen), block.n), dtype=np.uint8)
        binary = self.kinds[chosen] == BINARY
        rows[binary] = unpack_bits(block.bits[self.row[chosen[binary]]], block.n)
        rows[~binary] = block.codes[self.row[chosen[~binary]]]
        return rows, self._trained_levels[chosen]
