"""How well variables are told to be ancestors of the target from marginal clues, on problems with known graphs.

The same module makes the problems to which `scripts/fit_ancestry.py` fits the trees of `himation.selection.ancestry`.
They are of all kinds that this project can simulate, at varied sizes: problems built around a target, targets
anywhere in a random network, networks like REGED, and tables with probes like LUCAP, CINA and SIDO. An example is a
variable that is related to the target; its label says whether it is an ancestor. In CINA and SIDO, where nobody knows
what the real variables are, real ones count as ancestors and probes do not.

The rerun draws problems with other seeds than the fit did. Two figures for each kind: the AUC of the probability among
the variables of that kind, and, of those given 0.7 to 0.9, the share of ancestors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from himation.graphs import ancestors, from_edges
from himation.reruns import Line
from himation.reruns.manipulation import PROBLEMS, make_problem
from himation.selection.ancestry import Model, choose_candidates, load_model, with_kin
from himation.selection.clues import NAMES, Clues, association, find_clues, standardised
from himation.selection.trees import from_boosting

PROBED = {  # task: sizes as (examples, variables), None for the published number
    "lucap": ((1000, 60), (1500, 100), (2000, None)),
    "cina": ((1500, 92), (5000, 110), (16033, None)),
    "sido": ((1500, 300), (4000, 600), (6000, 900), (12678, None)),
}
EXAMPLES = (300, 500, 1000, 2000, 5000, 15000)
VARIABLES = (40, 60, 100, 150)
FOLDS = 4
DEPTH = 4
TREES = 400
RATE = 0.08
SMALLEST_LEAF = 60
FEWER = {"sido 12678": 8}  # so many times fewer problems, which have fifty times more variables
_SEED_OF_FIT = 100_000


@dataclass(frozen=True)
class Examples:
    """Variables of one problem: their clues, and whether each is no ancestor of the target."""

    kind: str
    fold: int
    clues: Clues
    not_ancestor: np.ndarray


def kinds() -> list[str]:
    return [*PROBLEMS, *(f"{task} {n}" for task, sizes in PROBED.items() for n, _ in sizes)]


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """AUC and calibration of the shipped trees, on so many problems of every kind."""
    from himation.evaluate import auc

    model = load_model()
    found = make_examples(samples, seed, threads, progress)
    lines = []
    for kind in kinds():
        ours = [one for one in found if one.kind == kind]
        log_odds = np.concatenate([model.log_odds(one.clues) for one in ours])
        ancestor = ~np.concatenate([one.not_ancestor for one in ours])
        p = 1 / (1 + np.exp(log_odds))
        if 0 < ancestor.sum() < len(ancestor):
            note = f"{ancestor.sum()} ancestors among {len(ancestor)} variables"
            value = auc(np.where(ancestor, 1, -1), -log_odds)
            lines.append(Line(kind, "AUC of P(ancestor)", None, float(value), "high", note))
        sure = (p >= 0.7) & (p < 0.9)
        if sure.any():
            note = f"{sure.sum()} variables, mean probability {p[sure].mean():.2f}"
            lines.append(Line(kind, "ancestors among 0.7 to 0.9", None, float(ancestor[sure].mean()), "none", note))
    return lines


def make_examples(samples: int, seed: int, threads: int = 1, progress=None) -> list[Examples]:
    """So many problems of every kind (fewer of the largest), those of one seed in one fold."""
    from himation.processes import share_out

    tasks = [(kind, seed + k) for kind in kinds() for k in range(-(-samples // FEWER.get(kind, 1)))]
    tasks.sort(key=lambda task: task[0] not in FEWER)  # the long ones first
    return share_out(lambda task: _examples(*task), tasks, threads, progress)


def fit(samples: int, seed: int = _SEED_OF_FIT, threads: int = 1, progress=None) -> Model:
    """Both stages; the second learns from verdicts of the first on problems that the first did not see."""
    found = make_examples(samples, seed, threads, progress)
    X = np.concatenate([one.clues.values for one in found])
    y = np.concatenate([one.not_ancestor for one in found])
    fold = np.concatenate([np.full(len(one.not_ancestor), one.fold) for one in found])
    kind = np.concatenate([[one.kind] * len(one.not_ancestor) for one in found])
    weight = np.zeros(len(y))
    for name in kinds():
        weight[kind == name] = 1000 / max(1, (kind == name).sum())
    blind = np.empty(len(y))
    for k in range(FOLDS):
        out = fold == k
        blind[out] = from_boosting(_boost(X[~out], y[~out], weight[~out]), DEPTH).log_odds(X[out])
    start, second = 0, []
    for one in found:
        second.append(with_kin(one.clues, blind[start : start + len(one.not_ancestor)]))
        start += len(one.not_ancestor)
    boosted = _boost(X, y, weight), _boost(np.concatenate(second), y, weight)
    return Model(*(from_boosting(model, DEPTH) for model in boosted))


def as_numbers(model: Model) -> dict:
    """The contents of ancestry.json."""
    return {"clues": list(NAMES), "first": model.first.as_numbers(), "second": model.second.as_numbers()}


def _boost(X, y, weight):
    from sklearn.ensemble import HistGradientBoostingClassifier

    machine = HistGradientBoostingClassifier(
        max_iter=TREES,
        max_depth=DEPTH,
        learning_rate=RATE,
        min_samples_leaf=SMALLEST_LEAF,
        l2_regularization=1.0,
        early_stopping=False,
    )
    return machine.fit(X, y, sample_weight=weight)


def _examples(kind: str, seed: int) -> Examples:
    values, target, names, ancestors = _problem(kind, seed)
    Z, labels = standardised(np.asarray(values, dtype=float)), np.where(np.asarray(target) > 0, 1.0, -1.0)
    r = association(lambda variables: Z[:, variables], Z.shape[1], labels)
    candidates = choose_candidates(r, len(labels))
    clues = find_clues(lambda variables: Z[:, variables], r, candidates, len(labels))
    not_ancestor = np.array([names[x] not in ancestors for x in candidates], dtype=bool)
    return Examples(kind, seed % FOLDS, clues, not_ancestor)


def _problem(kind: str, seed: int):
    """Training values, target, names, and the names of the ancestors."""
    rng = np.random.default_rng([seed, 5])
    n, variables = int(rng.choice(EXAMPLES)), int(rng.choice(VARIABLES))
    task = kind.split()[0]
    if task in PROBED:
        return _probed(task, seed, *next(size for size in PROBED[task] if kind == f"{task} {size[0]}"))
    problem = make_problem(kind, seed, 2 * variables if kind == "reged" else variables)
    train = problem.train(n)
    values = np.asarray(train.values, dtype=float)
    calibrants = [column - 1 for column in getattr(problem, "calibrants", ())]
    if calibrants:
        from himation.prepare.noise import remove_noise

        values = remove_noise(values, calibrants, problem.grid)
    name = (problem.target, *problem.names)
    edges = [(name[a], name[b]) for a, b in problem.numbered_edges]
    return values, train.target, list(train.names), _above(problem.target, edges)


def _probed(task: str, seed: int, n: int, variables: int | None):
    from himation.simulate.tasks import simulate

    problem = simulate(task, seed, 0, n, 100, variables)
    ancestors = _above(problem.target, problem.edges) if task == "lucap" else set(problem.real)
    return problem.train.values, problem.train.target, list(problem.train.names), ancestors


def _above(target: str, edges) -> set[str]:
    """The names of the target's ancestors."""
    names = sorted({target, *(end for edge in edges for end in edge)})
    number = {name: i for i, name in enumerate(names)}
    dag = from_edges(len(names), [(number[a], number[b]) for a, b in edges])
    return {names[i] for i in ancestors(dag, number[target])}
