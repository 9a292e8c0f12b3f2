"""HIVA and SYLVA by the methods of tables B-6 to B-8: variables, percent of variables, and AUC.

Data, splits and the SVM that judges a set are those of `studies.reruns.real`. Of the thesis's 27 methods those that
are part of this project run, Random Forest and the elastic net by scikit-learn; K2MB, BLCD-MB and the L0-norm are left
out. Wrappers take away 50 % or 20 % of the variables in each round and keep the best set on a held-out fifth. Tests are
G-square where all variables are binary (HIVA), and Fisher's z elsewhere (SYLVA). Koller and Sahami's filter, which was
published for SYLVA alone, sees continuous variables cut at their median.

Not stated, and chosen here: RFE has degree 2 and C 0.01, as in table III-10; a forest of 100 trees ranks by impurity,
and the elastic net's strengths of penalty are cross-validated, half of each kind.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from himation.processes import share_out
from himation.studies.reruns import Line, mean_of, published, real

DEGREE, COST = 2, 1e-2
ALPHA = 0.05
TREES = 100
NOTE = "the public part of the data, at most 3,000 examples to learn from"


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    rows = [row for row in published("thesis_b") if row["method"] in METHODS]
    wanted = dict.fromkeys((row["data"], row["method"]) for row in rows)
    tasks = [(*case, sample) for case in wanted for sample in range(samples)]
    answers = dict(zip(tasks, share_out(partial(_measure, seed=seed), tasks, threads, progress), strict=True))
    measures = {"B-6": ("variables", ""), "B-7": ("percent of variables", ""), "B-8": ("auc", "high")}
    lines = []
    for row in rows:
        measure, better = measures[row["table"]]
        drawn = [answers[row["data"], row["method"], sample] for sample in range(samples)]
        figures = [answer[measure] for answer in drawn]
        case = f"{row['table']}: {row['data']}, {row['method']}"
        lines.append(mean_of(figures, case, measure, float(row["value"]), better, NOTE))
    return lines


def _measure(task: tuple[str, str, int], seed: int) -> dict[str, float]:
    name, method, sample = task
    members, _, area, wide = real.judged(name, METHODS[method], sample, seed)
    count = wide if method == "No Variable Selection" else len(members)
    return {"variables": count, "percent of variables": 100 * count / wide, "auc": area}


# --- methods: from examples, labels and a seed to columns and features ------------------------------------------------

Selector = Callable[[np.ndarray, np.ndarray, int], tuple[list[int], list]]


def _as_in_iii_10(method: str) -> Selector:
    return partial(real.select, method)


def _rfe(fraction: float) -> Selector:
    def select(X, y, seed):
        from himation.rankings.rfe import rfe

        found = rfe(X, y, DEGREE, COST, fraction=fraction, seed=seed, max_iterations=20_000)
        return sorted(found.subset), []

    return select


def _relief(k: int, fraction: float) -> Selector:
    def select(X, y, seed):
        from himation.rankings.relief import relief_wrapper

        found = relief_wrapper(X, y, DEGREE, COST, k, fraction=fraction, seed=seed, max_iterations=20_000)
        return sorted(found.subset), []

    return select


def _ranked(scores: Callable, fraction: float) -> Selector:
    def select(X, y, seed):
        return best_of_ranking(X, y, scores, fraction, seed), []

    return select


def best_of_ranking(X, y, scores: Callable, fraction: float, seed: int) -> list[int]:
    """The best of the nested sets of a ranking, as `himation.rankings.rfe` judges them.

    ``scores(X, y)`` gives a number for each column, larger is better; held-out examples take no part in it.
    """
    from himation.evaluate import auc
    from himation.gram import Kernel
    from himation.rankings.rfe import Step, ascending, best_prefix, held_out_rows, keep_count
    from himation.svm import fit

    held = held_out_rows(y, 0.2, seed)
    order = ascending(-scores(X[~held], y[~held]))
    path, size = [], len(order)
    while True:
        members = np.sort(order[:size])
        model = fit(X[~held][:, members], y[~held], Kernel("poly", degree=1), COST, max_iterations=20_000)
        path.append(Step(size, auc(y[held], model.decision_function(X[held][:, members]))))
        if size == 1:
            return sorted(best_prefix(tuple(order.tolist()), path))
        size = keep_count(size, fraction)


def kruskal_wallis(X, y) -> np.ndarray:
    """The statistic for two groups, ties corrected.

    >>> kruskal_wallis(np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([-1, -1, 1, 1])).round(3).tolist()
    [2.4]
    """
    from scipy.stats import rankdata

    n, positive = len(y), y > 0
    ranks = rankdata(X, axis=0)
    away = ranks[positive].mean(axis=0) - (n + 1) / 2
    between = positive.sum() * n / (n - positive.sum()) * away**2
    spread = ranks.var(axis=0)
    return np.where(spread > 0, between * (n - 1) / n / np.where(spread > 0, spread, 1.0), 0.0)


def signal_to_noise(X, y) -> np.ndarray:
    """The distance of the classes' means by the sum of their standard deviations."""
    on, off = X[y > 0], X[y <= 0]
    spread = on.std(axis=0) + off.std(axis=0)
    return np.abs(on.mean(axis=0) - off.mean(axis=0)) / np.where(spread > 0, spread, np.inf)


def forest(X, y, seed: int = 0) -> np.ndarray:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(TREES, random_state=seed).fit(X, y).feature_importances_


def _elastic_net(X, y, seed):
    from sklearn.linear_model import ElasticNetCV

    found = ElasticNetCV(l1_ratio=0.5, alphas=30, cv=5, max_iter=5_000).fit(X, y)
    return np.flatnonzero(found.coef_).tolist(), []


def _koller_sahami(k: int) -> Selector:
    def select(X, y, seed):
        from himation.rankings.koller_sahami import koller_sahami

        middle, low = np.median(X, axis=0), X.min(axis=0)
        at_top = middle == X.max(axis=0)
        codes = (np.where(at_top, low, middle) < X).astype(np.uint8)
        place = np.empty(X.shape[1])
        order = koller_sahami(codes.T, [2] * X.shape[1], y > 0, 2, k).order
        place[list(order)] = -np.arange(len(order))
        return best_of_ranking(X, y, lambda *_: place, 0.2, seed), []

    return select


def _by_tests(find: Callable) -> Selector:
    def select(X, y, seed):
        from himation.finders.feature_space import test_among

        return sorted(find(test_among(X, y), X.shape[1])), []

    return select


def _iamb(test, target):
    from himation.blanket.iamb import iamb

    return iamb(test, target, ALPHA).members


def _neighbours(method: str, most: int):
    def find(test, target):
        from himation.blanket.hiton import hiton_pc
        from himation.blanket.mmpc import Neighbours, mmpc

        search = hiton_pc if method == "HITON-PC" else mmpc
        return Neighbours(test, ALPHA, most, symmetry="none", search=search).of(target)

    return find


def _mmmb(test, target):
    from himation.blanket.mmmb import mmmb
    from himation.blanket.mmpc import Neighbours

    return mmmb(Neighbours(test, ALPHA, symmetry="none"), target, "published").members


METHODS: dict[str, Selector] = {
    "No Variable Selection": _as_in_iii_10("None"),
    "RFE, 50%, best subset selected": _rfe(0.5),
    "RFE, 20%, best subset selected": _rfe(0.2),
    "UAF - KruskalWallis - SVM, 50%": _ranked(kruskal_wallis, 0.5),
    "UAF - KruskalWallis - SVM, 20%": _ranked(kruskal_wallis, 0.2),
    "UAF - Signal2Noise - SVM, 50%": _ranked(signal_to_noise, 0.5),
    "UAF - Signal2Noise - SVM, 20%": _ranked(signal_to_noise, 0.2),
    "Random Forest Var. Selection": _ranked(forest, 0.2),
    "LARS - Elastic Net": _elastic_net,
    "RELIEF, neighbors = 1, 50%": _relief(1, 0.5),
    "RELIEF, neighbors = 1, 20%": _relief(1, 0.2),
    "RELIEF, neighbors = 5, 50%": _relief(5, 0.5),
    "RELIEF, neighbors = 5, 20%": _relief(5, 0.2),
    "Koller-Sahami, k=0": _koller_sahami(0),
    "Koller-Sahami, k=1": _koller_sahami(1),
    "Koller-Sahami, k=2": _koller_sahami(2),
    "IAMB, G^2 test, alpha = 0.05": _by_tests(_iamb),
    "HITON-PC, G^2 test, maxk = 3, alpha = 0.05": _by_tests(_neighbours("HITON-PC", 3)),
    "HITON-PC, G^2 test, maxk = 2, alpha = 0.05": _by_tests(_neighbours("HITON-PC", 2)),
    "MMPC, G^2 test, maxk=3, alpha = 0.05": _by_tests(_neighbours("MMPC", 3)),
    "MMPC, G^2 test, maxk=2, alpha = 0.05": _by_tests(_neighbours("MMPC", 2)),
    "HITON-MB, maxk = 3, alpha = 0.05": _as_in_iii_10("HITON"),
    "MMMB, maxk = 3, alpha = 0.05": _by_tests(_mmmb),
    "FSMB": _as_in_iii_10("FSMB"),
}
