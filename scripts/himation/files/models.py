"""Keep a fitted model with all that it needs to predict a new table, and predictions in the challenge's format.

A model file (.npz, arrays and text only: reading it runs no code) holds the kind of model and its arrays, the models on
nested subsets of the variables, how the variables are coded, the calibration, and the versions it was made with.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.arrays import read_arrays, refuse_what_is_not_finite
from himation.files.atomic import replacing, write_text
from himation.files.model_check import check_model
from himation.files.nodes import Nodes
from himation.models.calibration import Platt
from himation.models.constructed import Constructed, model_columns, usable
from himation.models.encoding import Encoding
from himation.models.kinds import model_class
from himation.table import Table

FORMAT = 4
Products = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]  # (coding, ((column, power), ...))


@dataclass(frozen=True)
class Saved:
    """A fitted model and its surroundings. ``nested`` has a model for each size of 1, 2, 4, ... first variables."""

    kind: str
    model: object
    encoding: Encoding
    products: Products = ()
    nested: dict[int, object] = field(default_factory=dict)
    platt: Platt | None = None
    target: str = "target"
    labels: dict[int, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> list[int]:
        return [variable.column for variable in self.encoding.variables]

    def inputs(self, table: Table, part: str = "train", size: int | None = None) -> np.ndarray:
        """The model's columns from a table that has its variables; ``size`` takes the first few variables alone."""
        nodes = Nodes(table)
        variables = [nodes.at(column) for column in self.columns]
        features = [
            Constructed("", tuple((nodes.at(column), power) for column, power in pairs), 0.0, coding)
            for coding, pairs in self.products
        ]
        variables = variables[:size]
        return model_columns(table, variables, usable(features, variables), part)

    def values(self, table: Table, part: str = "train") -> np.ndarray:
        """Decision values, examples by nested subsets; the last column is that of the whole model."""
        found = [model.decision_function(self.inputs(table, part, size)) for size, model in sorted(self.nested.items())]
        return np.column_stack([*found, self.model.decision_function(self.inputs(table, part))])

    def training_values(self, table: Table) -> np.ndarray:
        """The same in the order of the training file, examples that were left out included."""
        return in_file_order(table, self.values(table), self.values(table, "left_out") if table.left_out else None)


def in_file_order(table: Table, used: np.ndarray, left_out: np.ndarray | None) -> np.ndarray:
    """Rows of the examples that were learned from and of those that were not, as they stood in the file."""
    if left_out is None:
        return used
    everything = np.empty((len(used) + len(left_out), *used.shape[1:]))
    apart = np.zeros(len(everything), dtype=bool)
    apart[list(table.left_out_rows)] = True
    everything[~apart], everything[apart] = used, left_out
    return everything


def save_model(path, saved: Saved) -> None:
    if not str(path).endswith(".npz"):
        raise UserError(f"{path}: a model is written as .npz")
    facts = {
        "format": FORMAT,
        "kind": saved.kind,
        "nested": sorted(saved.nested),
        "calibration": None if saved.platt is None else [saved.platt.slope, saved.platt.offset],
        "target": saved.target,
        "labels": {str(sign): label for sign, label in saved.labels.items()},
        "versions": saved.versions,
    }
    words = [coding + "".join(f" {column}:{power}" for column, power in pairs) for coding, pairs in saved.products]
    arrays = dict(saved.model.to_arrays())
    for size, model in saved.nested.items():
        arrays |= {f"nested{size}_{key}": value for key, value in model.to_arrays().items()}
    with replacing(path) as draft:
        np.savez(
            draft,
            facts=np.array(json.dumps(facts, ensure_ascii=False)),
            encoding=np.array(saved.encoding.to_json()),
            columns=np.array(saved.columns, dtype=np.int64),
            constructed=np.array(words, dtype=str),
            **arrays,
        )


def load_model(path) -> Saved:
    """The reverse of `save_model`. Whoever made the file: what comes back predicts, or it is not a model."""
    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    try:
        arrays = read_arrays(path)
        facts = _json(arrays["facts"]) if "facts" in arrays else {}
        if not isinstance(facts, dict) or facts.get("format") != FORMAT:
            raise UserError(f"{path}: not a model of build_model.py of this version; build it again")
        refuse_what_is_not_finite(arrays)
        saved = _decoded(arrays, facts)
        check_model(saved)
        return saved
    except (UserError, MemoryError) as error:
        if str(error).startswith(f"{path}"):
            raise
        why = error
    except Exception as error:  # a file that is no model, or a damaged one, can fail in any way
        why = error
    text = " ".join((str(why) or type(why).__name__).split())[:200]
    raise UserError(f"{path}: not a model of build_model.py ({text})")


def _json(text: np.ndarray):
    """What a text says, NaN and infinity excepted."""

    def refuse(word):
        raise ValueError(f"{word} is not a number to compute with")

    return json.loads(str(text), parse_constant=refuse)


def _decoded(arrays, facts) -> Saved:
    made = model_class(facts["kind"])
    products = []
    for words in arrays["constructed"].tolist():
        coding, *pairs = words.split()
        products.append((coding, tuple(tuple(map(int, pair.split(":"))) for pair in pairs)))
    _json(arrays["encoding"])
    return Saved(
        kind=facts["kind"],
        model=made.from_arrays(arrays),
        encoding=Encoding.from_json(str(arrays["encoding"])),
        products=tuple(products),
        nested={size: made.from_arrays(_under(arrays, f"nested{size}_")) for size in facts["nested"]},
        platt=Platt(*facts["calibration"]) if facts["calibration"] else None,
        target=facts["target"],
        labels={int(sign): label for sign, label in facts["labels"].items()},
        versions=facts["versions"],
    )


def _under(arrays, prefix: str) -> dict[str, np.ndarray]:
    return {key.removeprefix(prefix): value for key, value in arrays.items() if key.startswith(prefix)}


def write_predictions(path, values: np.ndarray) -> None:
    """A line for each example: one decision value for each nested subset, that of all variables last."""
    rows = np.atleast_2d(np.asarray(values).T).T
    write_text(path, "".join(" ".join(f"{value:.8g}" for value in row) + "\n" for row in rows))


def read_predictions(path) -> np.ndarray:
    """The values of the whole model: the last column."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return np.array([float(line.split()[-1]) for line in lines if line.strip()])
