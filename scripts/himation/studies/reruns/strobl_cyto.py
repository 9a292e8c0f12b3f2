"""Strobl and Visweswaran's figure 4 on flow cytometry (CYTO: Sachs et al. 2005); its infant mortality is not at hand.

All conditions together, logarithms, standardised; every sample draws rows without replacement. The blankets are those
of the consensus graph. Kernels are Gaussian with the median distance; tests by G-square at 0.05, and Relief-F and
SVM-RFE, which need classes, see each variable cut at its thirds. The paper says of the curves that K-CDM is ahead of
all methods that select subsets, at all sizes; the last lines count at how many sizes that is so here.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from himation.graphs import from_edges, markov_blanket
from himation.prepare.scaling import unit_columns
from himation.processes import share_out
from himation.studies.reruns import Line, real, strobl

SIZES = (50, 100, 200, 500, 1000)
NAMES = ("praf", "pmek", "plcg", "PIP2", "PIP3", "perk", "pakt", "PKA", "PKC", "p38", "pjnk")  # as the columns stand
CONSENSUS = """PKC>praf PKC>pmek PKC>pjnk PKC>p38 PKC>PKA PKA>praf PKA>pmek PKA>perk PKA>pakt PKA>pjnk PKA>p38
praf>pmek pmek>perk perk>pakt plcg>PIP2 plcg>PIP3 PIP3>PIP2"""
LEVELS = 3


def run(samples: int, seed: int, threads: int = 1, progress: Callable[[int, int], None] | None = None) -> list[Line]:
    """Curves, then what the text says of them."""
    tasks = [(n, sample) for n in SIZES for sample in range(samples)]
    answers = share_out(partial(one_sample, load(), seed), tasks, threads, progress)
    lines, means = [], {}
    for at in range(0, len(tasks), samples):
        n = tasks[at][0]
        for measure, method in answers[at]:
            figures = [float(np.mean(answer[measure, method])) for answer in answers[at : at + samples]]
            means[n, measure, method] = float(np.mean(figures))
            lines.append(strobl.curve_line(f"CYTO {n}", measure, method, figures))
    for method in ("Proposed-F", "Proposed-Z"):
        ahead = sum(
            all(means[n, "accuracy", method] > means[n, "accuracy", other] for other in strobl.BY_TESTS) for n in SIZES
        )
        measure = f"of {len(SIZES)} sizes, ahead of all subset selection, {method}"
        lines.append(Line("text", measure, float(len(SIZES)), float(ahead), "high", f"{samples} samples of each size"))
    return lines


def load() -> np.ndarray:
    """Logarithms, one row for each cell."""
    paths = sorted(real.folder_of("sachs").glob("sachs_*.csv.gz"))
    return np.log(np.vstack([np.loadtxt(path, delimiter=",", skiprows=1) for path in paths]))


def blankets() -> list[set[int]]:
    edges = [tuple(map(NAMES.index, edge.split(">"))) for edge in CONSENSUS.split()]
    dag = from_edges(len(NAMES), edges)
    return [set(markov_blanket(dag, t)) for t in range(len(NAMES))]


def one_sample(values: np.ndarray, seed: int, task: tuple[int, int]) -> dict[tuple[str, str], list[float]]:
    """Accuracy of all methods, and mean rank of those that rank, for every variable as the target."""
    n, sample = task
    rows = np.random.default_rng([seed, n, sample]).choice(len(values), n, replace=False)
    drawn = values[rows]
    X = unit_columns(drawn)
    limits = np.quantile(drawn, np.arange(1, LEVELS) / LEVELS, axis=0)
    codes = np.array([np.searchsorted(limits[:, j], drawn[:, j]) for j in range(len(NAMES))], dtype=np.uint8)
    true, targets = blankets(), range(len(NAMES))
    found: dict[tuple[str, str], list[float]] = {}
    for method in strobl.NETWORK_METHODS:
        if method in strobl.BY_TESTS:
            sets = strobl.sets_by_tests(method, codes, [LEVELS] * len(NAMES), targets)
            found["accuracy", method] = [strobl.accuracy(s, truth) for s, truth in zip(sets, true, strict=True)]
            continue
        for t in targets:
            others = np.array([j for j in targets if j != t])
            order = others[list(strobl.ranking(method, X[:, others], X[:, t], codes[t]))].tolist()
            found.setdefault(("accuracy", method), []).append(strobl.accuracy(order[: len(true[t])], true[t]))
            found.setdefault(("mean rank", method), []).append(strobl.mean_rank(order, true[t]))
    return found
