"""A table as a file holds it, before anything is decided about its columns."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from himation.files.memory import require

EXACT = 2**53  # whole numbers beyond are rounded when they become floats


@dataclass
class RawTable:
    """What a file holds. ``values`` has one row of floats for each variable (NaN where missing), or ``bits`` one row of
    64-bit words, or ``digits`` one row of bytes from 0 to 9; ``texts`` has the columns that are words, by position, and
    ``written`` the words of columns that could be read as numbers."""

    path: str
    names: list[str]
    n: int
    values: np.ndarray | None = None
    bits: np.ndarray | None = None
    digits: np.ndarray | None = None
    texts: dict[int, np.ndarray] = field(default_factory=dict)
    first_line: int = 1
    written: dict[int, np.ndarray] = field(default_factory=dict)
    chosen: np.ndarray | None = None  # rows of the file, where it is not all of them

    def rows(self, chosen: np.ndarray) -> "RawTable":
        """Some of the rows, by mask."""
        bits = None
        if self.bits is not None:
            from himation.bits import pack_bits, unpack_bits

            bits = pack_bits(np.ascontiguousarray(unpack_bits(self.bits, self.n)[:, chosen]))
        values, digits = (
            None if block is None else np.ascontiguousarray(block[:, chosen]) for block in (self.values, self.digits)
        )
        texts, written = ({i: words[chosen] for i, words in held.items()} for held in (self.texts, self.written))
        n = int(chosen.sum())
        return RawTable(self.path, self.names, n, values, bits, digits, texts, self.first_line, written, chosen)

    def column(self, i: int) -> np.ndarray:
        """One variable as numbers."""
        if self.bits is not None:
            from himation.bits import unpack_bits

            return unpack_bits(self.bits[i : i + 1], self.n)[0].astype(np.float64)
        return self.values[i] if self.digits is None else self.digits[i].astype(np.float64)

    def words(self, i: int) -> np.ndarray:
        """One variable as words, each as it is written in the file; None where missing."""
        from himation.files.separated import read_words, separator_of

        if i in self.texts or i in self.written:
            return self.texts.get(i, self.written.get(i))
        if separator_of(self.path) and Path(self.path).is_file():
            words = read_words(self.path, i, len(self.names))
            return words if self.chosen is None else words[self.chosen]
        return np.array([None if value != value else number_word(value) for value in self.column(i)], dtype=object)

    def dense(self) -> np.ndarray:
        """All variables as numbers."""
        if self.values is not None:
            return self.values
        require(8.0 * self.n * len(self.names), self.path)
        if self.bits is not None:
            from himation.bits import unpack_bits

            return unpack_bits(self.bits, self.n).astype(np.float64)
        return self.digits.astype(np.float64)

    @property
    def headerless(self) -> bool:
        return Path(self.path).name.lower().removesuffix(".gz").endswith((".data", ".npz"))


def number_word(value: float) -> str:
    """A number as somebody would write it."""
    return str(plain_number(value))


def plain_number(value: float) -> int | float:
    """Whole numbers without a point, as long as they are exact."""
    value = float(value)
    return int(value) if abs(value) <= EXACT and value.is_integer() else value
