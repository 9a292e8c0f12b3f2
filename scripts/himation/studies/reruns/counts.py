"""What the thesis computed without drawing a sample: tables II-1 and II-2, and the weights of figure II-2.

The numbers of table II-2 are counted here by listing the monomials, for a few sizes. Figure II-2 gives six support
vectors with their multipliers, and the weights of all features as shares of the largest. The printed multipliers are
none of an SVM, as they do not sum to 0; but six examples on the margin decide them and the bias: y_j f(x_j) = 1 for all
six, and the sum. Weights from the multipliers as printed stand beside.
"""

from math import comb, floor, log10

import numpy as np

from himation.studies.reruns import Line, published

COUNTED = ((5, 3, 2), (8, 4, 3), (12, 3, 3))  # variables, degree, level
_HALF_DIGIT = 0.0005  # of the printed coordinates
_ROUNDINGS = 1000  # draws of what they may have been
_FEATURES = {"X2^2": ((1, 2),), "X1^2": ((0, 2),), "X1*X2": ((0, 1), (1, 1)), "X2": ((1, 1),), "X1": ((0, 1),)}


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """The same for any number of samples, and any seed."""
    return [*numbers_of_features(), *numbers_of_terms(), *weights_of_figure_ii_2()]


def numbers_of_features() -> list[Line]:
    from himation.feature_space.polynomial import count_products

    lines = []
    for row in published("thesis_ii_1"):
        printed, m, degree = float(row["value"]), int(row["variables"]), int(row["degree"])
        power = floor(log10(printed) + 1e-9)
        count = (1 + count_products(m, degree)) / 10**power
        case = f"II-1: {m:,} variables, degree {degree}"
        lines.append(Line(case, f"features / 10^{power}", round(printed / 10**power, 2), count, error=0.0))
    return lines


def numbers_of_terms() -> list[Line]:
    from himation.feature_space.monomials import all_products

    lines = []
    for m, degree, level in COUNTED:
        listed = [all_products(np.ones((1, m)), np.ones(1), size)[0] for size in range(degree + 1)]
        with_first = [int((index == 0).any(axis=1).sum()) for index in listed]
        case = f"II-2: {m} variables, degree {degree}, level {level}"
        for measure, formula, count in (
            ("terms with a variable", comb(m + degree - 1, degree - 1), sum(with_first)),
            ("terms of a level", comb(m + level - 1, level), len(listed[level])),
            ("terms of a level with a variable", comb(m + level - 2, level - 1), with_first[level]),
        ):
            lines.append(Line(case, measure, float(formula), float(count), error=0.0))
    return lines


def weights_of_figure_ii_2() -> list[Line]:
    rows = published("thesis_figure_ii_2")
    printed = {row["quantity"]: float(row["value"]) for row in rows if row["item"] == "weight"}
    vectors = [row for row in rows if row["item"] != "weight"]
    X = np.array([[float(row["x1"]), float(row["x2"])] for row in vectors])
    alpha = np.array([float(row["value"]) for row in vectors])
    solved = _solved(X, np.sign(alpha))
    rng = np.random.default_rng(0)
    rounded = [_solved(X + rng.uniform(-_HALF_DIGIT, _HALF_DIGIT, X.shape), np.sign(alpha)) for _ in range(_ROUNDINGS)]
    spread = np.std([list(one.values()) for one in rounded], axis=0).tolist()
    note = "the error is what rounding of the printed vectors gives"
    lines = [
        Line("Figure II-2", f"weight of {name} / largest", printed[name], solved[name], "", note, error)
        for name, error in zip(solved, spread, strict=True)
    ]
    note = "without a verdict: no SVM has multipliers that don't sum to 0"
    for name, value in _shares(X, alpha).items():
        lines.append(Line("Figure II-2, multipliers as printed", f"weight of {name} / largest", None, value, "", note))
    return lines


def _solved(X: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """The weights of the machine of degree 2 on whose margin these examples lie, and its bias."""
    n = len(X)
    system = np.zeros((n + 1, n + 1))
    system[:n, :n] = (X @ X.T + 1) ** 2
    system[:n, n] = system[n, :n] = 1
    *alpha, bias = np.linalg.solve(system, [*y, 0.0]).tolist()
    return _shares(X, np.array(alpha), bias)


def _shares(X: np.ndarray, alpha: np.ndarray, bias: float | None = None) -> dict[str, float]:
    """Weights, and the bias if it is known, as shares of the largest; that of x2 squared is positive."""
    from himation.feature_space.polynomial import brute_force

    weight = dict(brute_force(X, alpha, 2).features)
    unit = np.sign(weight[_FEATURES["X2^2"]]) * max(map(abs, weight.values()))
    found = {name: float(weight[monomial] / unit) for name, monomial in _FEATURES.items()}
    return found if bias is None else found | {"b": float(bias / unit)}
