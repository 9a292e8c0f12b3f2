"""Keep a fitted model, and predictions in the challenge's format."""

from pathlib import Path

import numpy as np

from himation.constructed import model_columns
from himation.errors import UserError
from himation.files.atomic import replacing, write_text
from himation.machine import Model
from himation.table import Table


def save_model(path, model: Model, columns, features=()) -> None:
    """Arrays only: reading a model back runs no code. ``features`` are (coding, ((column, power), ...))."""
    if not str(path).endswith(".npz"):
        raise UserError(f"{path}: a model is written as .npz")
    with replacing(path) as draft:
        words = [coding + "".join(f" {column}:{power}" for column, power in pairs) for coding, pairs in features]
        constructed = np.array(words, dtype=str)
        np.savez(draft, columns=np.array(columns, dtype=np.int64), constructed=constructed, **model.to_arrays())


def load_model(path) -> tuple[Model, list[int], list[tuple[str, tuple]]]:
    """The model, its columns, and the products that are further columns of it."""
    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    with np.load(path, allow_pickle=False) as arrays:
        features = []
        for words in arrays["constructed"].tolist() if "constructed" in arrays else []:
            coding, *pairs = words.split()
            features.append((coding, tuple(tuple(map(int, pair.split(":"))) for pair in pairs)))
        return Model.from_arrays(arrays), [int(column) for column in arrays["columns"]], features


def predict_training(table: Table, model: Model, variables, features=()) -> np.ndarray:
    """Decision values in the order of the training file, examples that were left out included."""
    values = model.decision_function(model_columns(table, variables, features))
    if table.left_out is None:
        return values
    everything = np.empty(len(values) + len(table.left_out_rows))
    left_out = np.zeros(len(everything), dtype=bool)
    left_out[list(table.left_out_rows)] = True
    everything[~left_out] = values
    everything[left_out] = model.decision_function(model_columns(table, variables, features, "left_out"))
    return everything


def write_predictions(path, values: np.ndarray) -> None:
    """One decision value a line."""
    write_text(path, "".join(f"{value:.8g}\n" for value in values))


def read_predictions(path) -> np.ndarray:
    return np.array([float(line) for line in Path(path).read_text(encoding="utf-8").split()])
