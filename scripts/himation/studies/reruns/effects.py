"""Effects on the target beside the true ones, on random networks: how often the interval holds the truth.

Networks of `studies.simulate.random_network`, linear ones and logistic ones ("tables" have a log-odds for every
combination of causes), whose binary target is any variable in their midst. The true effect of moving a variable from
the 10th to the 90th percentile of its natural values is had by setting it in PROBES rows. Beside our intervals stand
two that people use: a logistic regression on all variables, and one on the target's true blanket; their interval for
a variable is the change of P(positive) by its own weight.
"""

import numpy as np

from himation.files.tables import RawTable
from himation.graphs import ancestors, markov_blanket
from himation.posterior.effects import INTERVAL, effects, fit_logistic, moves
from himation.posterior.networks import Options, draw
from himation.prepare.preparing import prepare
from himation.studies.reruns import Line, mean_of
from himation.studies.simulate.random_network import RandomNetwork, make_random_network

STYLES = ("linear", "assorted", "tables")
SIZES = (500, 2000)
VARIABLES = 30
PROBES = 40_000
WAYS = ("ours", "all variables", "true blanket")
DRAWS = 400
CERTAIN = 0.5  # of P(cause)


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Coverage and errors by style and number of examples."""
    from himation.processes import share_out

    tasks = [(style, n, seed + k) for style in STYLES for n in SIZES for k in range(samples)]
    found = share_out(lambda task: measure(*task), tasks, threads, progress)
    lines = []
    for style in STYLES:
        for n in SIZES:
            here = [one for task, one in zip(tasks, found, strict=True) if task[:2] == (style, n)]
            lines += _lines(f"{style}, {n} examples", here)
    return lines


def _lines(case: str, problems: list[np.ndarray]) -> list[Line]:
    lines = []
    together = np.concatenate(problems)
    for k, way in enumerate(WAYS):
        low, high = together[:, 3 * k + 3], together[:, 3 * k + 5]
        true, is_cause, p_cause = together[:, 0], together[:, 1] > 0, together[:, 2]
        held = (low <= true) & (true <= high)
        groups = [("causes", is_cause), ("others", ~is_cause)]
        if way == "ours":
            groups.insert(1, ("causes where P(cause) is at least 0.5", is_cause & (p_cause >= CERTAIN)))
        for name, group in groups:
            if group.any():
                note = f"{group.sum()} variables of {len(problems)} networks"
                lines.append(
                    Line(
                        case, f"intervals that hold the truth, {name}, {way}", None, float(held[group].mean()), "", note
                    )
                )
        wrong = [float(np.abs(one[:, 3 * k + 4] - one[:, 0]).mean()) for one in problems]
        lines.append(mean_of(wrong, case, f"mean error of an effect, {way}", better="low"))
    return lines


def measure(style: str, n: int, seed: int, options: Options | None = None) -> np.ndarray:
    """A row for each variable: the true effect, whether it is a cause, P(cause), and low, mean, high by each way."""
    problem = make_random_network(seed, style, VARIABLES)
    sample = problem.train(n)
    raw = RawTable(style, list(problem.names), n, values=np.ascontiguousarray(sample.values.T, dtype=float))
    table = prepare(raw, sample.target)
    above, blanket = ancestors(problem.dag, 0), markov_blanket(problem.dag, 0)
    every = list(range(table.n_variables))
    near = [x for x in every if int(table.columns[x]) in blanket]
    by_regression = _weights(table, every), _weights(table, near)
    rows = []
    for change in effects(table, draw(table, options), seed):
        x, one = change.variable, change.effect
        node = int(table.columns[x])
        row = [true_effect(problem, node, change.before, change.after), node in above, one.p_cause]
        row += [one.low, one.mean, one.high]
        for weights in by_regression:
            row += weights.get(x, [0.0, 0.0, 0.0])
        rows.append(row)
    return np.array(rows, dtype=float)


def true_effect(problem: RandomNetwork, node: int, before: float, after: float) -> float:
    """By setting a variable in many rows."""
    if node not in ancestors(problem.dag, 0):
        return 0.0
    return problem.chance_if_set(node, after, PROBES) - problem.chance_if_set(node, before, PROBES)


def _weights(table, variables) -> dict[int, list[float]]:
    """Low, mean and high of the change of P(positive) by a variable's own weight, the others as they are."""
    if not variables:
        return {}
    columns = np.column_stack([table.numbers(x) for x in variables])
    design = np.column_stack([np.ones(len(columns)), columns])
    precision = np.full(design.shape[1], 1e-4)
    mode, factor = fit_logistic(design, (table.target > 0).astype(float), precision)
    rng = np.random.default_rng(0)
    weights = mode[:, None] + np.linalg.solve(factor.T, rng.standard_normal((len(mode), DRAWS)))
    logits, found = design @ weights, {}
    for k, x in enumerate(variables):
        [(before, after)] = moves(table, x)
        ends = [(value - table.centre[x]) / table.scale[x] for value in (before, after)]
        without = logits - np.outer(columns[:, k], weights[k + 1])
        chances = [(1 / (1 + np.exp(-(without + value * weights[k + 1])))).mean(axis=0) for value in ends]
        change = chances[1] - chances[0]
        found[x] = [float(np.quantile(change, q)) for q in (INTERVAL[0], 0.5, INTERVAL[1])]
    return found
