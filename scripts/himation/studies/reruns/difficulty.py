"""How hard the simulated tasks are, beside the challenge's own: linear SVMs on sets of variables that only truth gives.

The organisers measured their tasks by linear SVMs on the true parents, children, both, the blanket and all variables,
and CINA and SIDO by the real variables and the probes (Guyon et al. 2008). The same is measured here on ``samples``
simulations of each task at the published sizes, and the means stand beside the published figures.
"""

import numpy as np

from himation import graphs
from himation.evaluate import auc
from himation.models.linear import linear_scores
from himation.prepare.noise import remove_noise
from himation.studies.reruns import TUNED, Line, mean_of, published
from himation.studies.simulate.tasks import Simulated, simulate
from himation.task_names import DEFAULT_SIZES

COST = {"reged": 0.01, "marti": 0.01}  # few examples: one cost for all sets, as the generator was tuned
SIZES = {**DEFAULT_SIZES, "reged": (999, 500, 20_000)}
BEST = "best"  # of the sets that truth gives


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """One line for each published figure."""
    cases: dict[tuple[str, int], list[tuple[str, float]]] = {}
    for row in published("challenge_difficulty"):
        cases.setdefault((row["task"], int(row["version"])), []).append((row["variables"], float(row["auc"])))
    lines = []
    for done, ((task, version), figures) in enumerate(cases.items()):
        wanted = [name for name, _ in figures]
        found = [measure(task, version, wanted, seed + k) for k in range(samples)]
        for name, figure in figures:
            values = [one[name] for one in found]
            spread = f"{min(values):.3f} to {max(values):.3f} in {samples} simulations; " if samples > 1 else ""
            lines.append(mean_of(values, f"{task}{version}", f"linear SVM, {name}", figure, note=f"{spread}{TUNED}"))
        if progress:
            progress(done + 1, len(cases))
    return lines


def measure(task: str, version: int, wanted: list[str], seed: int, sizes=None) -> dict[str, float]:
    """Test AUC of a linear SVM on each of the wanted sets, in one simulation."""
    variables, n_train, n_test = sizes or SIZES[task]
    problem = simulate(task, seed, version, n_train, n_test, variables)
    sets = variable_sets(problem)
    clean = None
    found = {}
    for name in wanted:
        if name == BEST:
            found[name] = max(_auc(problem, columns, task, seed) for key, columns in sets.items() if key != "probes")
            continue
        key, _, noise = name.partition(", ")
        if noise == "filtered" and clean is None:
            calibrants = [column - 1 for column in problem.calibrants]
            clean = remove_noise(problem.train.values, calibrants, problem.grid)
        found[name] = _auc(problem, sets[key], task, seed, clean if noise == "filtered" else None)
    return found


def variable_sets(problem: Simulated) -> dict[str, list[int]]:
    """Columns, from 0, of the sets by which difficulty is measured; empty ones are left out."""
    names = (problem.target, *problem.train.names)
    number = {name: i for i, name in enumerate(names)}
    dag = graphs.from_edges(len(names), [(number[cause], number[effect]) for cause, effect in problem.edges])
    real = {number[name] for name in problem.real}
    calibrants = set(problem.calibrants)
    everything = set(range(1, len(names))) - calibrants
    parents, children = graphs.parents(dag, 0), graphs.children(dag, 0)
    sets = {
        "parents": parents,
        "children": children,
        "both": parents | children,
        "blanket": graphs.markov_blanket(dag, 0) | real,
        "manipulated blanket": graphs.manipulated_blanket(dag, 0, [number[name] for name in problem.manipulated])
        | real,
        "real": real,
        "probes": everything - real if real else set(),
        "all": everything,
    }
    return {name: sorted(column - 1 for column in columns) for name, columns in sets.items() if columns}


def _auc(problem: Simulated, columns: list[int], task: str, seed: int, training: np.ndarray | None = None) -> float:
    train = problem.train.values if training is None else training
    scores = linear_scores(
        train[:, columns], problem.train.target, problem.test.values[:, columns], seed, COST.get(task)
    )
    return auc(problem.test.target, scores)
