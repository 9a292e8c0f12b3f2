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
from dataclasses import asdict, dataclass, replace

import numpy as np

from himation.bits import pack_bits
from himation.errors import UserError
from himation.files.raw import plain_number
from himation.files.tables import RawTable, listed
from himation.prepare.assembling import no_blocks
from himation.prepare.coding import Variable, coded, complete, scaled
from himation.table import BINARY, CONTINUOUS, DISCRETE, Part, Table

UNKNOWN_LEVEL = 255


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
        """The new table with the model's variables alone, as the part called test; warnings name unseen words."""
        places = self.places(raw)
        blocks = {BINARY: [], DISCRETE: [], CONTINUOUS: []}
        kinds, row, unseen = [], [], []
        for variable, place in zip(self.variables, places, strict=True):
            kind = variable.kind if variable.kind == BINARY or variable.is_words else CONTINUOUS
            kinds.append(kind)
            row.append(len(blocks[kind]))
            column = complete(variable, raw, place, missing)
            blocks[kind].append(_coded(variable, column.values, raw))
            if column.strange and kind != CONTINUOUS:
                unseen.append(f"column {variable.name!r} has values outside training: {listed(column.strange)}")
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
            warnings=unseen,
        )

    def places(self, raw: RawTable) -> list[int]:
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


def with_test(table: Table, raw: RawTable, missing: str = "error") -> Table:
    """A prepared table with another test table in the place of its own, coded as training decided.

    It must have all variables of the training table; levels that only it has come last.
    """
    encoding = Encoding.of(table, range(table.n_variables))
    blocks: dict[str, dict[int, np.ndarray]] = {BINARY: {}, DISCRETE: {}, CONTINUOUS: {}}
    levels = list(table.levels)
    for i, (variable, place) in enumerate(zip(encoding.variables, encoding.places(raw), strict=True)):
        column = complete(variable, raw, place, missing)
        if variable.kind == DISCRETE:
            strange = column.strange if variable.is_words else [plain_number(value) for value in column.strange]
            levels[i] = [*levels[i], *(level for level in strange if level not in levels[i])]
        values = coded(variable, column.values, raw, levels[i])
        blocks[variable.kind][int(table.row[i])] = pack_bits(values[None])[0] if variable.kind == BINARY else values
    bits, codes, values = no_blocks(raw.n)
    found = {kind: [rows[row] for row in sorted(rows)] for kind, rows in blocks.items()}
    part = Part(
        raw.n,
        np.array(found[BINARY]) if found[BINARY] else bits,
        np.array(found[DISCRETE]) if found[DISCRETE] else codes,
        np.array(found[CONTINUOUS]) if found[CONTINUOUS] else values,
    )
    return replace(table, levels=levels, test=part, test_target=None)


def _variable(table: Table, i: int) -> Variable:
    kind, levels = str(table.kinds[i]), table.levels[i]
    levels = None if levels is None else list(levels)[: table.arity(i)]
    place, scale = int(table.columns[i]), (float(table.centre[i]), float(table.scale[i]))
    return Variable(table.names[i], place, kind, levels, *scale, table.fills[i])


def _coded(variable: Variable, values: np.ndarray, raw: RawTable) -> np.ndarray:
    """One column of the new table: booleans, codes of words, or standardised numbers."""
    if variable.kind == DISCRETE and variable.is_words:
        known = {level: code for code, level in enumerate(variable.levels)}
        return np.array([known.get(word, UNKNOWN_LEVEL) for word in values], dtype=np.uint8)
    return scaled(variable, values, raw) if variable.kind == DISCRETE else coded(variable, values, raw)
