"""Saeed's table 2: Markov blanket filtering by Bernoulli mixtures on SIDO, by the size K of the conditioning sets.

The molecules of SIDO can't be redistributed; the data are simulated at the published size
(`studies.simulate.sido_like`, probes included), one training table for the three versions of the test. As in the
paper, a mixture of at most ten components for each class ranks the variables (algorithm 2, unweighted), models are
built on the best 1, 2, 4, ... variables, and the number that is best on the test counts, as the organisers chose it.
The model is the mixtures' likelihood ratio in place of the ensemble of neural networks; naive Bayes is a mixture of one
component, and takes the sizes above 1,024. The Fscore is the AUC of the ranking for the relevant variables: the real
ones and the blanket in version 0, the real ones in versions 1 and 2, where probes are manipulated. The same ranking
with the terms of algorithm 2 weighted by their probability (ours), and Koller and Sahami's own for K = 2, stand beside.
"""

from collections.abc import Callable
from time import process_time

import numpy as np

from himation.evaluate import auc, fscore_sorted
from himation.processes import share_out
from himation.studies.reruns import TUNED, Line, mean_of, published

VERSIONS = (0, 1, 2)
KS = (10, 15, 20, 25, 30, 40)
VARIABLES, EXAMPLES, TEST = 4932, 12678, 10_000
MIXTURE_SIZES = tuple(2**k for k in range(0, 11))
NAIVE_SIZES = (2048, 4096)
PUBLISHED_COMPONENTS = {"components, positive": 4, "components, negative": 7}


def run(samples: int, seed: int, threads: int = 1, progress: Callable[[int, int], None] | None = None) -> list[Line]:
    """Means over simulations, beside the published figures."""
    found = share_out(one_simulation, [seed + i for i in range(samples)], threads, progress)
    known = {}
    for row in published("saeed_2"):
        for measure in ("fnum", "fscore", "tscore"):
            known[f"K = {row['k']}, {row['task']}", measure] = float(row[measure])
    better = {"fscore": "high", "tscore": "high"}
    lines = []
    for case, measure in found[0]:
        figures = [answer[case, measure] for answer in found]
        value = known.get((case, measure), PUBLISHED_COMPONENTS.get(measure))
        lines.append(mean_of(figures, case, measure, value, better.get(measure, ""), TUNED))
    return lines


def one_simulation(
    seed: int, sizes: tuple[int, int, int] = (VARIABLES, EXAMPLES, TEST), ks=KS
) -> dict[tuple[str, str], float]:
    """Every figure of one simulation; ``sizes`` are variables, training and test examples."""
    from himation.bits import pack_bits
    from himation.models.bernoulli_mixture import class_mixtures
    from himation.rankings.koller_sahami import koller_sahami
    from himation.rankings.markov_filter import binary_correlation
    from himation.rankings.mixture_filter import mixture_filter

    variables, n, n_test = sizes
    tasks = [_task(seed, version, variables, n, n_test) for version in VERSIONS]
    X, y, codes = tasks[0].X, tasks[0].y, tasks[0].codes
    began = process_time()
    positive, negative = class_mixtures(X, y, seed=seed)
    correlation = binary_correlation(pack_bits(codes), n)
    relevance = binary_relevance(codes, y)
    found = {
        ("mixtures", "components, positive"): float(len(positive.weights)),
        ("mixtures", "components, negative"): float(len(negative.weights)),
        ("mixtures", "seconds, mixtures and correlations"): process_time() - began,
    }
    orders = {}
    for k in ks:
        for name, weighted in ((f"K = {k}", False), (f"K = {k}, weighted", True)):
            began = process_time()
            orders[name] = mixture_filter(positive, negative, correlation, relevance, k, weighted).order
            found[name, "seconds, filter"] = process_time() - began
    began = process_time()
    target = (y > 0).astype(np.int64)
    orders["Koller-Sahami, K = 2"] = koller_sahami(codes, [2] * variables, target, 2, 2, correlation).order
    found["Koller-Sahami, K = 2", "seconds, filter"] = process_time() - began
    for name, order in orders.items():
        scores = {size: _decisions(order[:size], tasks, seed) for size in _sizes(variables)}
        for version, task in zip(VERSIONS, tasks, strict=True):
            areas = {size: auc(task.y_test, values[version]) for size, values in scores.items()}
            best = max(areas, key=areas.__getitem__)
            case = f"{name}, SIDO{version}"
            found[case, "fnum"] = float(best)
            found[case, "fscore"] = fscore_sorted(order, task.relevant, variables)
            found[case, "tscore"] = areas[best]
    return found


def _sizes(variables: int) -> list[int]:
    return [size for size in (*MIXTURE_SIZES, *NAIVE_SIZES) if size <= variables]


class _task:
    """Training and test tables of one version as sparse matrices, and the relevant variables."""

    def __init__(self, seed: int, version: int, variables: int, n: int, n_test: int):
        from scipy.sparse import csr_matrix

        from himation.studies.simulate.tasks import simulate

        problem = simulate("sido", seed, version, n, n_test, variables)
        self.codes = np.ascontiguousarray(problem.train.values.T.astype(np.uint8)) if version == 0 else None
        self.X = csr_matrix(problem.train.values.astype(float)) if version == 0 else None
        self.y = problem.train.target
        self.X_test, self.y_test = csr_matrix(problem.test.values.astype(float)), problem.test.target
        self.relevant = relevant_columns(problem)


def relevant_columns(problem) -> set[int]:
    """The real variables, and the blanket of the manipulated network, by column."""
    from himation import graphs

    names = (problem.target, *problem.train.names)
    number = {name: i for i, name in enumerate(names)}
    dag = graphs.from_edges(len(names), [(number[a], number[b]) for a, b in problem.edges])
    gone = [number[name] for name in problem.manipulated]
    relevant = graphs.manipulated_blanket(dag, 0, gone) | {number[name] for name in problem.real}
    return {column - 1 for column in relevant}


def binary_relevance(codes: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Absolute correlation of binary variables, rows of codes, with the target."""
    spread, label = codes.std(axis=1), (y > 0) - np.mean(y > 0)
    return np.abs(codes @ label) / len(y) / (np.where(spread > 0, spread, 1.0) * label.std())


def _decisions(columns, tasks, seed: int) -> list[np.ndarray]:
    """Decision values for the test of each version, by a model of these columns."""
    from himation.models.bernoulli_mixture import COMPONENTS, MixtureClassifier

    columns = sorted(columns)
    components = COMPONENTS if len(columns) <= MIXTURE_SIZES[-1] else 1
    model = MixtureClassifier(components).fit(tasks[0].X[:, columns], tasks[0].y, seed)
    return [model.decision_function(task.X_test[:, columns]) for task in tasks]
