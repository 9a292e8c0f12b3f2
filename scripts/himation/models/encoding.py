"""What a model must know of its variables to read a new table: names, columns, types, levels, scales.

A model is trained on a prepared table (`himation.prepare.preparing`). An `Encoding` keeps the part of the preparation
that its variables need, as plain text, so that a table in the user's own units can be predicted later without the
training data. Columns are found by name, or by position where the table has no names.

>>> raw = RawTable("t.csv", ["age", "sex"], 4, values=np.array([[20.0, 30.0, 40.0, 50.0], [1.0, 2.0, 2.0, 1.0]]))
>>> from himation.prepare.preparing import prepare
>>> table = prepare(raw, np.array([0, 0, 1, 1]), types={"age": "continuous"})
>>> encoding = Encoding.of(table, [table.names.index("age"), table.names.index("sex")])
>>> new = RawTable("new.csv", ["sex", "age"], 1, values=np.array([[2.0], [35.0]]))
>>> encoding.read(new).features([0, 1], "test").tolist()
[[0.0, 1.0]]
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import numpy as np

from himation.bits import pack_bits, unpack_bits
from himation.errors import UserError
from himation.files.tables import RawTable, listed
from himation.table import BINARY, CONTINUOUS, DISCRETE, Part, Table

UNKNOWN_LEVEL = 255


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
class Encoding:
    """The variables of a model, in the model's order."""

    variables: tuple[Variable, ...]
    n_file_columns: int

    @classmethod
    def of(cls, table: Table, variables) -> Encoding:
        return cls(tuple(_variable(table, i) for i in variables), table.n_file_columns)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Encoding:
        facts = json.loads(text)
        return cls(tuple(Variable(**entry) for entry in facts["variables"]), facts["n_file_columns"])

    def read(self, raw: RawTable, missing: str = "error") -> Table:
        """The new table with the model's variables alone, as the part called test."""
        places = self._places(raw)
        blocks = {BINARY: [], DISCRETE: [], CONTINUOUS: []}
        kinds, row = [], []
        for variable, place in zip(self.variables, places, strict=True):
            kind = variable.kind if variable.kind == BINARY or variable.is_words else CONTINUOUS
            kinds.append(kind)
            row.append(len(blocks[kind]))
            blocks[kind].append(_coded(raw, place, variable, missing))
        p, n = len(kinds), raw.n
        bits = pack_bits(np.array(blocks[BINARY], dtype=bool).reshape(-1, n))
        codes = np.array(blocks[DISCRETE], dtype=np.uint8).reshape(-1, n)
        empty = Part(0, bits[:, :0], codes[:0, :0], np.empty((0, 0)))
        return Table(
            names=[v.name for v in self.variables],
            columns=np.array([v.column for v in self.variables], dtype=np.int64),
            kinds=np.array(kinds, dtype=object),
            row=np.array(row, dtype=np.int64),
            levels=[v.levels for v in self.variables],
            centre=np.zeros(p),
            scale=np.ones(p),
            target=np.empty(0, dtype=np.int8),
            target_name="",
            labels={},
            train=empty,
            test=Part(n, bits, codes, np.array(blocks[CONTINUOUS]).reshape(-1, n)),
            n_file_columns=self.n_file_columns,
        )

    def _places(self, raw: RawTable) -> list[int]:
        """Position of each variable in the new table."""
        where = {name: i for i, name in enumerate(raw.names)}
        absent = [v.name for v in self.variables if v.name not in where]
        if not raw.headerless and not absent:
            return [where[v.name] for v in self.variables]
        unnamed = all(v.name == f"x{v.column}" for v in self.variables)
        if not raw.headerless and not unnamed:
            raise UserError(f"{raw.path}: lacks {len(absent)} of the model's columns: {listed(absent)}")
        if len(raw.names) != self.n_file_columns:
            raise UserError(
                f"{raw.path}: has {len(raw.names)} columns and the model's training table had {self.n_file_columns}; "
                "columns without names must be the same ones in the same order"
            )
        return [v.column - 1 for v in self.variables]


def _variable(table: Table, i: int) -> Variable:
    kind, levels = str(table.kinds[i]), table.levels[i]
    centre, scale = float(table.centre[i]), float(table.scale[i])
    block = table.train
    if kind == CONTINUOUS:
        fill = centre + scale * float(np.median(block.values[table.row[i]]))
        return Variable(table.names[i], int(table.columns[i]), kind, None, centre, scale, fill)
    codes = table.codes([i])[0][0]
    levels = list(levels)[: table.arity(i)]
    fill = levels[int(np.bincount(codes, minlength=len(levels)).argmax())]
    return Variable(table.names[i], int(table.columns[i]), kind, levels, centre, scale, fill)


def _coded(raw: RawTable, place: int, variable: Variable, missing: str) -> np.ndarray:
    """One column of the new table: booleans, codes of words, or standardised numbers."""
    if variable.is_words:
        return _coded_words(raw, place, variable, missing)
    if place in raw.texts:
        word = next(word for word in raw.texts[place] if word is not None and not _is_number(word))
        raise UserError(f"{raw.path}: column {variable.name!r} holds the text {word[:40]!r}, the model needs numbers")
    values = unpack_bits(raw.bits[place : place + 1], raw.n)[0] if raw.values is None else raw.values[place]
    values = np.asarray(values, dtype=np.float64)
    if np.isinf(values).any():
        raise UserError(f"{raw.path}: infinite values in column {variable.name!r}")
    values = np.where(_absent(raw, np.isnan(values), variable, missing), variable.fill, values)
    if variable.kind != BINARY:
        return (values - variable.centre) / variable.scale
    strange = np.setdiff1d(values, variable.levels)
    if len(strange):
        raise UserError(
            f"{raw.path}: column {variable.name!r} holds {listed(f'{v:g}' for v in strange)}; "
            f"the model knows {listed(variable.levels)}"
        )
    return values == variable.levels[1]


def _coded_words(raw, place, variable, missing) -> np.ndarray:
    words = raw.texts.get(place)
    if words is None:
        numbers = raw.values[place] if raw.values is not None else unpack_bits(raw.bits[place : place + 1], raw.n)[0]
        words = [None if v != v else f"{v:g}" for v in np.asarray(numbers, dtype=np.float64)]
    absent = _absent(raw, np.array([word is None for word in words]), variable, missing)
    words = [variable.fill if gone else str(word) for word, gone in zip(words, absent, strict=True)]
    known = {level: code for code, level in enumerate(variable.levels)}
    if variable.kind == DISCRETE:
        return np.array([known.get(word, UNKNOWN_LEVEL) for word in words], dtype=np.uint8)
    strange = sorted(set(words) - set(known))
    if strange:
        raise UserError(
            f"{raw.path}: column {variable.name!r} holds {listed(strange)}; the model knows {listed(variable.levels)}"
        )
    return np.array([known[word] == 1 for word in words])


def _absent(raw, absent: np.ndarray, variable: Variable, missing: str) -> np.ndarray:
    if absent.any() and missing != "impute":
        line = int(np.flatnonzero(absent)[0]) + raw.first_line
        raise UserError(
            f"{raw.path}: a missing value in column {variable.name!r} (first at line {line}); "
            "fill it in, or allow it with --missing impute"
        )
    return absent


def _is_number(word) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
