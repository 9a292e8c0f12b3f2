"""Chapter II's comparison of searches for the heaviest features (tables II-3, II-4, II-5).

Quality is the norm of the r weights that a search returns. II-3 has Heur1's over Heur2's, II-4 brute force's over
Heur2's, each averaged over p, r and either sizes or numbers of examples. II-5 has the AUC, on 1,000 fresh examples, of
the whole model over that of Heur2's r features with their weights. Double-XOR is without noise here, as in II.4.1; its
variables are the numbers of their levels, binary ones 0/1 (II.5), and of features that repeat each other one stays.

Tables II-4 and II-5 average over p of 1,000 and 5,000; what comes out with 5,000 alone stands beside. The thesis does
not say how many samples were drawn. Heur2 chooses the level by the normalised maximum (III.6).
"""

from functools import partial
from time import perf_counter

import numpy as np

from himation.processes import share_out
from himation.studies.reruns import Line, mean_of, problems, published

COST = 1e3
EXAMPLES = (50, 100, 500, 1000)
TEST_EXAMPLES = 1_000
HEURISTIC_SIZES = {
    "Circle": (400, 500, 600, 700),
    "Double-XOR": (337, 448, 559, 707),
    "Checkerboard": (70, 80, 100, 125),
}
BRUTE_SIZES = {"Circle": (250, 350, 450), "Double-XOR": (226, 337, 448), "Checkerboard": (50, 70, 80)}
HEURISTIC_P, HEURISTIC_R = (100, 500, 1000, 5000), (50, 100, 500, 1000)
BRUTE_P, BRUTE_R = (1000, 5000), (5, 10, 25, 50, 100)
TIMES = "another machine, compiled code"
LARGER = f", p = {max(BRUTE_P):,} alone"


def draw(problem: str, variables: int, n: int, seed: int) -> problems.Problem:
    """Sizes count predictors: 226 are four of the XORs and six copies of Alarm."""
    if problem == "Circle":
        return problems.circle(n, variables, seed)
    if problem == "Checkerboard":
        return problems.checkerboard(n, variables, seed)
    return problems.double_xor(n, (variables - 4) // 37, seed, flip=0.0)


def _trained(task, seed: int):
    """A trained model, how its columns are coded, and the seed of its examples."""
    from himation.feature_space.monomials import binary_coding
    from himation.gram import Kernel
    from himation.svm import fit

    problem, variables, n, sample = task
    drawn = int(np.random.SeedSequence([seed, sample, n, variables]).generate_state(1)[0])
    data = draw(problem, variables, n, drawn)
    degree = 3 if problem == "Checkerboard" else 2
    model = fit(data.X, data.y, Kernel("poly", degree=degree), COST, class_weight=None)
    return model, binary_coding(data.X), drawn


def norm(features, r: int) -> float:
    """Euclidean norm of the r heaviest weights."""
    return float(np.sqrt(sum(weight**2 for _, weight in features[:r])))


def _heuristics(task, seed: int) -> tuple[float, float]:
    """Mean ratios Heur1 / Heur2 of quality and of time."""
    from himation.feature_space.polynomial import STRUCK, heur1, heur2

    model, coding, _ = _trained(task, seed)
    svm = model.support_vectors, model.dual, model.kernel.degree
    quality, times = [], []
    for p in HEURISTIC_P:
        began = perf_counter()
        first = heur1(*svm, p, min(p, max(HEURISTIC_R)), coding)
        between = perf_counter()
        second = heur2(*svm, p, min(p, max(HEURISTIC_R)), coding, redundant=STRUCK)
        times.append((between - began) / (perf_counter() - between))
        quality += [norm(first.features, r) / norm(second.features, r) for r in HEURISTIC_R if r < p]
    return float(np.mean(quality)), float(np.mean(times))


def _brute(task, seed: int) -> tuple[float, float, float, float, float]:
    """Mean ratios brute force / Heur2 of quality, AUC and time; quality and AUC with the larger p alone."""
    from himation.evaluate import auc
    from himation.feature_space.monomials import feature_values
    from himation.feature_space.polynomial import STRUCK, brute_force, heur2

    model, coding, drawn = _trained(task, seed)
    svm = model.support_vectors, model.dual, model.kernel.degree
    test = draw(task[0], task[1], TEST_EXAMPLES, drawn + 1)
    whole = auc(test.y, model.decision_function(test.X))
    began = perf_counter()
    true = brute_force(*svm, max(BRUTE_R), coding)
    exhaustive = perf_counter() - began
    quality, areas, times = [], [], []
    for p in BRUTE_P:
        began = perf_counter()
        found = heur2(*svm, p, max(BRUTE_R), coding, redundant=STRUCK).features
        times.append(exhaustive / (perf_counter() - began))
        values = feature_values(test.X, [q for q, _ in found], degree=model.kernel.degree)
        weights = np.array([weight for _, weight in found])
        for r in BRUTE_R:
            quality.append(norm(true.features, r) / norm(found, r))
            areas.append(whole / auc(test.y, values[:, :r] @ weights[:r]))
    larger = slice(-len(BRUTE_R), None)
    means = map(np.mean, (quality, areas, times, quality[larger], areas[larger]))
    return tuple(map(float, means))


def _ratios(sizes, function, samples: int, seed: int, threads: int, progress):
    tasks = [(p, m, n, s) for p, some in sizes.items() for m in some for n in EXAMPLES for s in range(samples)]
    return dict(zip(tasks, share_out(partial(function, seed=seed), tasks, threads, progress), strict=True))


def _lines(measures: dict[str, tuple[dict, int]], note: str = "", more: str = "") -> list[Line]:
    """Published rows of these measures beside the mean of our ratios over what the row averages; `more` is a remark."""
    lines = []
    for row in published("thesis_ii"):
        if row["measure"] not in measures:
            continue
        ratios, place = measures[row["measure"]]
        at = 2 if row["by"] == "examples" else 1
        wanted = row["problem"], int(row["level"])
        figures = [r[place] for task, r in ratios.items() if (task[0], task[at]) == wanted]
        case = f"{row['table']}: {row['problem']}, {row['level']} {row['by']}"
        measure = row["measure"].replace("_", " ") + more
        lines.append(mean_of(figures, case, measure, float(row["value"]), note=note))
    return lines


def run(samples: int, seed: int, threads: int, progress=None) -> list[Line]:
    """Quality: tables II-3, II-4 and II-5 without times, and the example of figure II-1."""
    heuristics = _ratios(HEURISTIC_SIZES, _heuristics, samples, seed, threads, progress)
    brute = _ratios(BRUTE_SIZES, _brute, samples, seed, threads, progress)
    ratios = {
        "quality_ratio_heur1_over_heur2": (heuristics, 0),
        "quality_ratio_brute_force_over_heur2": (brute, 0),
        "auc_ratio_brute_force_over_heur2": (brute, 1),
    }
    larger = {
        "quality_ratio_brute_force_over_heur2": (brute, 3),
        "auc_ratio_brute_force_over_heur2": (brute, 4),
    }
    return figure_ii_1(seed) + _lines(ratios) + _lines(larger, more=LARGER)


def run_times(samples: int, seed: int, threads: int, progress=None) -> list[Line]:
    """Time: tables II-3 and II-4, in one process. The figures differ from run to run."""
    heuristics = _ratios(HEURISTIC_SIZES, _heuristics, samples, seed, 1, progress)
    brute = _ratios(BRUTE_SIZES, _brute, samples, seed, 1, progress)
    places = {"time_ratio_heur1_over_heur2": (heuristics, 1), "time_ratio_brute_force_over_heur2": (brute, 2)}
    return _lines(places, TIMES)


def figure_ii_1(seed: int) -> list[Line]:
    """Seventy points, a circle, degree 2: the weights by the largest. Printed for a sample that is not given."""
    from himation.feature_space.monomials import feature_name
    from himation.feature_space.polynomial import brute_force
    from himation.gram import Kernel
    from himation.svm import fit

    printed = {"x2^2": 1.0, "x1^2": 0.993, "x1*x2": 0.080, "x2": 0.018, "x1": 0.018}
    data = problems.circle(70, 2, seed)
    model = fit(data.X, data.y, Kernel("poly", degree=2), COST, class_weight=None)
    weight = {feature_name(q): abs(w) for q, w in brute_force(model.support_vectors, model.dual, 2).features}
    largest = max(weight.values())
    note = "another sample of the same problem; the multipliers printed in II-2 sum to -40, not 0"
    return [
        Line(
            f"Figure II-1: circle, 70 examples, {name}",
            "size of weight / largest",
            value,
            weight[name] / largest,
            "",
            note,
        )
        for name, value in printed.items()
    ]
