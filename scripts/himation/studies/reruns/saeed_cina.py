"""Saeed's tables 3 and 4 for CINA: two ways to select variables, an ensemble of neural networks to predict.

The challenge's CINA is simulated at its size (`studies.simulate.census`, probes included), one training table for the
three versions of the test. Entry 1 selects forward by the accuracy that naive Bayes has on the training examples
(normal for continuous variables). Entry 2 takes six continuous variables in that way, and then binary ones in the order
of the filter by Bernoulli mixtures with K = 3, 21 in all. Models are built on the first 1, 2, 4, ... variables, and the
number that is best on the test counts, as the organisers chose it. The Fscore is that of the variables in their order.

The networks have one hidden layer of 2 to 20 units and see at most 5,000 standardised examples; their mean counts. The
paper says no more than that there were at most ten.
"""

from collections.abc import Callable

import numpy as np

from himation.evaluate import auc, fscore_sorted
from himation.processes import share_out
from himation.studies.reruns import TUNED, Line, mean_of, published

VARIABLES, EXAMPLES, TEST = 132, 16033, 10_000
VERSIONS = (0, 1, 2)
MOST_VARIABLES, CONTINUOUS, K = 32, 6, 3
ALL_OF_ENTRY_2 = 21
HIDDEN = (2, 5, 10, 15, 20)
MOST_EXAMPLES = 5_000


def run(samples: int, seed: int, threads: int = 1, progress: Callable[[int, int], None] | None = None) -> list[Line]:
    """Means over simulations, beside the published figures."""
    found = share_out(one_simulation, [seed + i for i in range(samples)], threads, progress)
    lines = []
    for row in published("saeed_3"):
        for measure, better in (("fnum", ""), ("fscore", "high"), ("tscore", "high")):
            figures = [answer[row["entry"], row["task"], measure] for answer in found]
            case = f"entry {row['entry']}, {row['task']}"
            lines.append(mean_of(figures, case, measure, float(row[measure]), better, TUNED))
    return lines


def one_simulation(
    seed: int, sizes: tuple[int, int, int] = (VARIABLES, EXAMPLES, TEST), hidden=HIDDEN
) -> dict[tuple[str, str, str], float]:
    """By entry, task and measure; ``sizes`` are variables, training and test examples."""
    from himation.studies.reruns.saeed import relevant_columns
    from himation.studies.simulate.tasks import simulate

    problems = [simulate("cina", seed, version, sizes[1], sizes[2], sizes[0]) for version in VERSIONS]
    X, y = problems[0].train.values.astype(float), problems[0].train.target
    binary = np.array([len(np.unique(column)) <= 2 for column in X.T])
    found = {}
    for entry, order in (("1", forward(X, y, binary, MOST_VARIABLES)), ("2", filtered(X, y, binary, seed))):
        counts = sorted({2**k for k in range(6) if 2**k <= len(order)} | {len(order)})
        tests = [problem.test.values.astype(float) for problem in problems]
        scores = {count: networks(X, y, order[:count], tests, hidden, seed) for count in counts}
        for version, problem in zip(VERSIONS, problems, strict=True):
            areas = {count: auc(problem.test.target, values[version]) for count, values in scores.items()}
            best = max(areas, key=areas.__getitem__)
            figures = (best, fscore_sorted(order, relevant_columns(problem), sizes[0]), areas[best])
            for measure, figure in zip(("fnum", "fscore", "tscore"), figures, strict=True):
                found[entry, f"CINA{version}", measure] = float(figure)
    return found


def forward(X, y, binary: np.ndarray, most: int, among=None) -> list[int]:
    """Columns in the order in which they raise the training accuracy of naive Bayes most, or lower it least.

    >>> X = np.array([[0, 5.0], [0, 6.0], [1, 5.5], [1, 6.5]] * 9)
    >>> forward(X, np.array([-1, -1, 1, 1] * 9), np.array([True, False]), 1)
    [0]
    """
    ratios = log_ratios(X, y, binary)
    total = np.full(len(y), np.log(np.mean(y > 0) / np.mean(y <= 0)))
    left = list(range(X.shape[1])) if among is None else list(among)
    order: list[int] = []
    while left and len(order) < most:
        right = ((total[:, None] + ratios[:, left] > 0) == (y > 0)[:, None]).mean(axis=0)
        order.append(left.pop(int(np.argmax(right))))
        total += ratios[:, order[-1]]
    return order


def log_ratios(X, y, binary: np.ndarray) -> np.ndarray:
    """log P(x | positive) - log P(x | negative) of every value: Laplace's correction, or a normal distribution."""
    logs = []
    for members in (X[y > 0], X[y <= 0]):
        low = X.min(axis=0)
        share = ((members > low).sum(axis=0) + 1) / (len(members) + 2)
        spread = np.maximum(members.std(axis=0), 1e-6)
        normal = -0.5 * ((X - members.mean(axis=0)) / spread) ** 2 - np.log(spread)
        logs.append(np.where(binary, np.where(low < X, np.log(share), np.log1p(-share)), normal))
    return logs[0] - logs[1]


def filtered(X, y, binary: np.ndarray, seed: int) -> list[int]:
    """Six continuous variables selected forward, then binary ones in the order of the filter."""
    from scipy.sparse import csr_matrix

    from himation.bits import pack_bits
    from himation.models.bernoulli_mixture import class_mixtures
    from himation.rankings.markov_filter import binary_correlation
    from himation.rankings.mixture_filter import mixture_filter
    from himation.studies.reruns.saeed import binary_relevance

    columns = np.flatnonzero(binary)
    codes = (X[:, columns] > X[:, columns].min(axis=0)).T.astype(np.uint8)
    mixtures = class_mixtures(csr_matrix(codes.T.astype(float)), y, seed=seed)
    correlation = binary_correlation(pack_bits(codes), len(y))
    order = mixture_filter(*mixtures, correlation, binary_relevance(codes, y), K).order
    numbers = forward(X, y, binary, CONTINUOUS, np.flatnonzero(~binary))
    return numbers + columns[list(order)].tolist()[: ALL_OF_ENTRY_2 - len(numbers)]


def networks(X, y, columns, tests, hidden, seed: int) -> list[np.ndarray]:
    """The mean prediction of the networks for each test table."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    middle, spread = X[:, columns].mean(axis=0), X[:, columns].std(axis=0)
    spread[spread == 0] = 1.0
    rows = np.random.default_rng(seed).permutation(len(y))[:MOST_EXAMPLES]
    train = (X[rows][:, columns] - middle) / spread
    inputs = [(test[:, columns] - middle) / spread for test in tests]
    total = [np.zeros(len(test)) for test in tests]
    for units in hidden:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = MLPClassifier((units,), max_iter=100, tol=1e-3, random_state=seed).fit(train, y[rows])
        for sums, given in zip(total, inputs, strict=True):
            sums += model.predict_proba(given)[:, 1] / len(hidden)
    return total
