"""What the thesis computed without drawing a sample: tables II-1 and II-2, and the weights of figure II-2.

The numbers of table II-2 are counted here by listing the monomials, for a few sizes. Figure II-2 gives six support
vectors with their multipliers, and the weights of all features as shares of the largest; the bias, which is listed
among them, does not follow from the multipliers alone.
"""

from math import comb, floor, log10

import numpy as np

from himation.studies.reruns import Line, published

COUNTED = ((5, 3, 2), (8, 4, 3), (12, 3, 3))  # variables, degree, level
_WRONG, _RIGHT = "4.884", 44.884  # of the second support vector
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
    from himation.feature_space.polynomial import brute_force

    rows = published("thesis_figure_ii_2")
    printed = {row["quantity"]: row["value"] for row in rows if row["item"] == "weight"}
    vectors = [row for row in rows if row["item"] != "weight"]
    X = np.array([[float(row["x1"]), float(row["x2"])] for row in vectors])
    lines = []
    for case, mended in (("Figure II-2", False), ("Figure II-2, multiplier of x2 corrected", True)):
        wrong = [row["value"] == _WRONG and mended for row in vectors]
        alpha = [_RIGHT if put else float(row["value"]) for row, put in zip(vectors, wrong, strict=True)]
        weight = dict(brute_force(X, alpha, 2).features)
        largest = max(map(abs, weight.values()))
        sign = np.sign(weight[_FEATURES["X2^2"]])
        for name, monomial in _FEATURES.items():
            ours = float(sign * weight[monomial] / largest)
            lines.append(Line(case, f"weight of {name} / largest", float(printed[name]), ours, error=0.0))
    return lines
