"""Keep a fitted model, and predictions in the challenge's format."""

from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.atomic import replacing, write_text
from himation.machine import Model
from himation.table import Table


def save_model(path, model: Model, columns) -> None:
    """Arrays only: reading a model back runs no code."""
    if not str(path).endswith(".npz"):
        raise UserError(f"{path}: a model is written as .npz")
    with replacing(path) as draft:
        np.savez(draft, columns=np.array(columns, dtype=np.int64), **model.to_arrays())


def load_model(path) -> tuple[Model, list[int]]:
    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    with np.load(path, allow_pickle=False) as arrays:
        return Model.from_arrays(arrays), [int(column) for column in arrays["columns"]]


def predict_training(table: Table, model: Model, variables) -> np.ndarray:
    """Decision values in the order of the training file, examples that were left out included."""
    values = model.decision_function(table.features(variables))
    if table.left_out is None:
        return values
    everything = np.empty(len(values) + len(table.left_out_rows))
    left_out = np.zeros(len(everything), dtype=bool)
    left_out[list(table.left_out_rows)] = True
    everything[~left_out] = values
    everything[left_out] = model.decision_function(table.features(variables, "left_out"))
    return everything


def write_predictions(path, values: np.ndarray) -> None:
    """One decision value a line."""
    write_text(path, "".join(f"{value:.8g}\n" for value in values))


def read_predictions(path) -> np.ndarray:
    return np.array([float(line) for line in Path(path).read_text(encoding="utf-8").split()])
