"""Read somebody's polynomial SVM, names for its variables, and draw what was found in it."""

import json
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.feature_space.explain import Explanation, Polynomial
from himation.files.arrays import read_arrays, refuse_what_is_not_finite
from himation.files.atomic import replacing

_OWN = ("support_vectors", "dual_coef", "degree", "gamma", "coef0")
_MOST_BARS = 40
_FOR, _AGAINST = "#2b6ca3", "#c4572c"


def read_svm(path, names: list[str] | None = None) -> tuple[Polynomial, list[str] | None]:
    """A model of build_model.py, or arrays saved from scikit-learn; and names of the SVM's variables.

    ``names`` are those of all columns of the table; a model of build_model.py says which of them it uses.
    """
    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    try:
        arrays = read_arrays(path)
        refuse_what_is_not_finite(arrays)
    except UserError:
        raise
    except Exception as error:  # any file may be given
        why = " ".join(str(error).split())[:200]
        raise UserError(f"{path}: not an .npz file of plain arrays ({why}); write it with np.savez") from None
    if "kernel_kind" not in arrays and "facts" in arrays:
        raise UserError(f"{path}: the model is an ensemble, not one SVM; build it with --kind svm")
    try:
        svm, names = (_ours if "kernel_kind" in arrays else _theirs)(path, arrays, names)
        sound = svm.support_vectors.ndim == 2 and svm.degree >= 1
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError):
        sound = False
    if not sound:
        raise UserError(f"{path}: not an SVM: its support vectors, multipliers and kernel don't fit together")
    wide = svm.support_vectors.shape[1]
    if names is not None and len(names) != wide:
        raise UserError(f"{len(names)} names for the {wide} variables of the SVM {path}")
    return svm, names


def _ours(path, arrays, names) -> tuple[Polynomial, list[str]]:
    if str(arrays["kernel_kind"]) != "poly":
        raise UserError(f"{path}: the model has a Gaussian kernel, which has no list of features; set gammas to []")
    degree, gamma, coef0 = arrays["kernel_numbers"]
    svm = Polynomial(arrays["support_vectors"], arrays["dual"], int(degree), float(gamma), float(coef0))
    columns = [int(column) for column in arrays["columns"]]
    if names is None:
        chosen = [variable["name"] for variable in json.loads(str(arrays["encoding"]))["variables"]]
    elif max(columns, default=0) > len(names):
        raise UserError(f"{len(names)} names, but the model uses column {max(columns)}")
    else:
        chosen = [names[column - 1] for column in columns]
    wide = svm.support_vectors.shape[1]
    if len(chosen) < wide:  # levels of words, and constructed features, are columns of their own
        chosen = [f"column {j + 1} of the model" for j in range(wide)]
    return svm, chosen


def _theirs(path, arrays, names) -> tuple[Polynomial, list[str] | None]:
    if missing := [key for key in _OWN if key not in arrays]:
        raise UserError(f"{path}: has no array {missing[0]!r}; explain_svm.py --help shows how to save an SVM")
    dual = np.asarray(arrays["dual_coef"], dtype=float)
    if dual.ndim == 2 and dual.shape[0] != 1:
        raise UserError(f"{path}: dual_coef has {dual.shape[0]} rows; train one SVM for two classes")
    numbers = float(arrays["gamma"]), float(arrays["coef0"])
    vectors = np.asarray(arrays["support_vectors"], dtype=float)
    svm = Polynomial(vectors, dual.ravel(), int(arrays["degree"]), *numbers)
    if names is None and "names" in arrays:
        names = [str(name) for name in arrays["names"]]
    return svm, names


def read_names(path) -> list[str]:
    """Names from a file with one a line, or from the head line of a .csv, .tsv or .parquet table."""
    from himation.files.tables import column_names

    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    if Path(path).suffix in (".csv", ".tsv", ".parquet"):
        return list(column_names(path))
    return [line.strip() for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]


def draw_features(path, found: Explanation) -> None:
    """Bars of the weights, heaviest on top; the same bytes for the same features."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    shown = found.names[:_MOST_BARS]
    weights = np.array(found.weights[: len(shown)])
    with plt.rc_context({"svg.hashsalt": "himation", "font.size": 9}):
        figure, axes = plt.subplots(figsize=(7, 0.8 + 0.24 * len(shown)), layout="constrained")
        places = np.arange(len(shown))[::-1]
        axes.barh(places, np.abs(weights), color=np.where(weights > 0, _FOR, _AGAINST), height=0.7)
        axes.set_yticks(places, shown)
        axes.set_xlabel("size of the weight (blue: for the positive class, red: against it)")
        axes.set_title("Heaviest features" + ("" if found.proven else " found (not proven)"))
        axes.spines[["top", "right"]].set_visible(False)
        with replacing(path) as draft:
            kind = Path(path).suffix[1:]
            metadata = {"Date": None} if kind == "svg" else {"CreationDate": None} if kind == "pdf" else {}
            figure.savefig(draft, format=kind, dpi=150, metadata=metadata)
        plt.close(figure)
