"""Thrombin by the methods of the thesis and of HITON: tables II-7, II-8, III-10, III-11, and HITON's figure 3.

The training part of KDD Cup 2001 (1,909 molecules, 42 of which bind) is split 70 to 30, stratified, anew for every
sample: methods select on the larger part, models learn on it, and the AUC is that on the other. SVMs have degree 1 to 4
and C from 1e-8 to 1e3 by cross-validation. RFE is linear and halves; UAF ranks variables by their correlation with the
target and takes the best of all halvings; HITON tests by G-square at 0.05 given up to three; the heaviest hundred
features are those of a model of degree 2, as are the ones that FSMB gives to HITON. The nearest neighbours' number
and the neural network's hidden units are chosen on a held-out fifth.
"""

from functools import partial
from math import comb

import numpy as np

from himation.processes import share_out
from himation.studies.reruns import Line, mean_of, published, real

HELD = 0.3
COSTS = tuple(10.0**k for k in range(-8, 4))
DEGREE, KEEP = 2, 100  # of the features in tables II-7, II-8 and III-10
NEIGHBOURS = (1, 3, 5, 10, 20, 50, 100, 200)
HIDDEN = (2, 5, 10, 30)
NOTE = "splits of the training part of the data"
OVERLAPS = {  # table II-8: what, and how many are published
    "of the published 20 features, among our 100": 20,
    "of the published 16 variables, among ours": 16,
    "variables in 100 features": 16,
    "of these also of RFE": 3,
    "of these also of HITON": 0,
}


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    X, y = real.load_thrombin()
    answers = share_out(partial(one_split, X, y, seed), list(range(samples)), threads, progress)
    lines = []
    for row in published("thrombin"):
        figures = [answer[row["method"], row["measure"]] for answer in answers]
        better = "high" if "auc" in row["measure"] else ""
        case = f"{row['table']}: Thrombin, {row['method']}"
        lines.append(mean_of(figures, case, row["measure"], float(row["value"]), better, NOTE))
    for measure, known in OVERLAPS.items():
        figures = [answer["II-8", measure] for answer in answers]
        lines.append(mean_of(figures, "II-8: Thrombin", measure, float(known), note=NOTE))
    return lines


def one_split(X, y, seed: int, number: int) -> dict[tuple[str, str], float]:
    """Every figure of one split, by method and measure."""
    from himation.rankings.rfe import held_out_rows

    held = held_out_rows(y, HELD, int(np.random.SeedSequence([seed, number]).generate_state(1)[0]))
    varying = np.flatnonzero(np.ptp(X[~held].toarray().astype(np.uint8), axis=0))
    A, B = X[~held][:, varying], X[held][:, varying]
    data = A, y[~held], B, y[held]
    sets = selections(A, y[~held], seed)
    found = {}
    for method, members in sets.items():
        count = X.shape[1] if method == "None" else len(members)
        found[method, "variables"] = float(count)
        found[method, "features of the model"] = float(comb(count + DEGREE, DEGREE))
        found |= performances(method, A[:, members], *data[1:2], B[:, members], data[3], seed)
    return found | of_features(*data, sets, varying, seed)


def selections(X, y, seed: int) -> dict[str, np.ndarray]:
    """Columns by method."""
    from himation.blanket.hiton import hiton_mb, hiton_pc
    from himation.blanket.mmpc import Neighbours
    from himation.independence import GSquare
    from himation.rankings.rfe import rfe
    from himation.studies.reruns.comparison import best_of_ranking
    from himation.studies.reruns.pena_thrombin import packed

    planes = packed(X, y)
    test = GSquare(X.shape[0], np.full(len(planes), 2), planes)
    blanket = hiton_mb(Neighbours(test, symmetry="none", search=hiton_pc), X.shape[1])
    return {
        "None": np.arange(X.shape[1]),
        "UAF": np.array(best_of_ranking(X, y, correlations, 0.5, seed)),
        "RFE": np.sort(rfe(X, y, 1, 1.0, seed=seed).subset),
        "HITON": np.sort(blanket.members).astype(int),
    }


def correlations(X, y) -> np.ndarray:
    """Absolute correlation of each binary column with the target; 0 for one that does not vary."""
    share = np.asarray(X.mean(axis=0)).ravel()
    together = np.asarray(X.T @ (y - y.mean())).ravel() / len(y)
    spread = np.sqrt(share * (1 - share))
    return np.abs(together) / np.where(spread > 0, spread, np.inf) / y.std()


def performances(method: str, A, y, B, truth, seed: int) -> dict[tuple[str, str], float]:
    """AUCs of the three classifiers, and their mean as percent; networks are too large without selection."""
    if not A.shape[1]:
        names = ("auc", "percent auc, SVM", "percent auc, KNN", "percent auc, NN", "percent auc, average")
        return {(method, name): 50.0 if "percent" in name else 0.5 for name in names}
    area = svm(A, y, B, truth, seed)
    percent = {"SVM": 100 * area, "KNN": 100 * neighbours(A, y, B, truth, seed)}
    if method in ("RFE", "HITON"):
        percent["NN"] = 100 * network(A.toarray(), y, B.toarray(), truth, seed)
    percent["average"] = float(np.mean(list(percent.values())))
    return {(method, "auc"): area, **{(method, f"percent auc, {name}"): value for name, value in percent.items()}}


def svm(A, y, B, truth, seed: int, degrees=(1, 2, 3, 4)) -> float:
    from himation.evaluate import auc
    from himation.models.svm import Grid, fit, search

    best = search(A, y, Grid(degrees, (), COSTS), seed=seed, n_folds=5).best
    return auc(truth, fit(A, y, best.kernel, best.cost).decision_function(B))


def neighbours(A, y, B, truth, seed: int) -> float:
    from sklearn.neighbors import KNeighborsClassifier

    choices = [k for k in NEIGHBOURS if k <= len(y) // 2]
    return _tuned(lambda k: KNeighborsClassifier(k), choices, A, y, B, truth, seed)


def network(A, y, B, truth, seed: int) -> float:
    from sklearn.neural_network import MLPClassifier

    def make(hidden):
        return MLPClassifier((hidden,), max_iter=200, early_stopping=False, tol=1e-3, random_state=seed)

    return _tuned(make, HIDDEN, A, y, B, truth, seed)


def _tuned(make, choices, A, y, B, truth, seed: int) -> float:
    """The AUC with the choice that is best on a held-out fifth; the first of equals."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    from himation.evaluate import auc
    from himation.rankings.rfe import held_out_rows

    held = held_out_rows(y, 0.2, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        scores = [auc(y[held], make(c).fit(A[~held], y[~held]).predict_proba(A[held])[:, 1]) for c in choices]
        best = choices[int(np.argmax(scores))]
        return auc(truth, make(best).fit(A, y).predict_proba(B)[:, 1])


def of_features(A, y, B, truth, sets, varying: np.ndarray, seed: int) -> dict[tuple[str, str], float]:
    """The heaviest features alone, by FSMB, and how they overlap with what others have."""
    from himation.feature_space.fsmb import fsmb
    from himation.feature_space.monomials import feature_values
    from himation.finders.feature_space import ACCIDENTS, blanket_of_features
    from himation.models.svm import Grid, search

    cost = search(A, y, Grid((DEGREE,), (), COSTS), seed=seed, n_folds=5).best.cost
    found = fsmb(
        A, y, lambda F, t: blanket_of_features(F, t, {}), DEGREE, cost, r=KEEP, screen=ACCIDENTS, method="heur2"
    )
    figures = {}
    heaviest = [monomial for monomial, _ in found.candidates.features]
    for method, chosen in (("Top 100 features", heaviest), ("FSMB", [monomial for monomial, _ in found.features])):
        variables = {v for monomial in chosen for v, _ in monomial}
        area = 0.5
        if chosen:
            area = svm(feature_values(A, chosen), y, feature_values(B, chosen), truth, seed, degrees=(1,))
        figures |= {(method, "variables"): float(len(variables)), (method, "auc"): area}
        figures |= {(method, name): float(len(chosen)) for name in ("features", "features of the model")}
    rows = published("thesis_ii_8")
    ours = {frozenset(int(varying[v]) + 1 for v, _ in monomial) for monomial in heaviest}
    members = {v for monomial in heaviest for v, _ in monomial}
    numbers = {int(varying[v]) + 1 for v in members}
    theirs = {frozenset(int(x[1:]) for x in row["name"].split("*")) for row in rows if row["kind"] == "feature"}
    listed = {int(row["name"][1:]) for row in rows if row["kind"] == "variable"}
    shared = (
        len(ours & theirs),
        len(numbers & listed),
        len(numbers),
        *(len(members & set(sets[m].tolist())) for m in ("RFE", "HITON")),
    )
    return figures | {("II-8", measure): float(count) for measure, count in zip(OVERLAPS, shared, strict=True)}
