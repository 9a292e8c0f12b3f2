"""What the unlabelled test table is worth: unknown manipulations, asked and not asked; and how right its answer is.

The problems are those of `himation.reruns.manipulation`: one of each kind for each sample, in three versions. In each
version the manipulation counts as unknown and the test table is asked; beside it stands what the user would get who
knows: that nothing was manipulated (version 0), or the list (1 and 2); and what unknown means without a test table.
The model is logistic regression in all cases; Tscores are relative to a model that knows the truth.

P(manipulated) is compared with the truth over all variables that have a parent or a child in the true network, in test
tables of several sizes: its AUC, and the share of manipulated variables in each fifth of the probabilities.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from himation.evaluate import auc, relative_tscore
from himation.posterior.manipulation import infer
from himation.posterior.networks import draw
from himation.reruns import Line
from himation.reruns import manipulation as problems
from himation.selection.rules import KNOWN, NATURAL, UNKNOWN, Situation, select

WAYS = ("who knows", "asked", "not asked", "all variables")
SIZES = (50, 200, 1000, 5000)
FIFTHS = np.linspace(0, 1, 6)


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Relative Tscores by kind and version, then the reliability of P(manipulated) by size of the test table."""
    from himation.processes import share_out

    tasks = [(kind, seed + k) for kind in problems.PROBLEMS for k in range(samples)]
    found = share_out(lambda task: measure(*task), tasks, threads, progress)
    lines = []
    for version in (0, 1, 2):
        for kind in ("all kinds", *problems.PROBLEMS):
            chosen = [one[0][version] for task, one in zip(tasks, found, strict=True) if kind in ("all kinds", task[0])]
            for way in WAYS:
                values = [one[way] for one in chosen]
                note = f"lowest {min(values):.3f}"
                mean = float(np.mean(values))
                lines.append(Line(f"{kind}, version {version}", f"relative Tscore, {way}", None, mean, "high", note))
    for size in SIZES:
        chances, truth = (np.concatenate([one[1][size][part] for one in found]) for part in (0, 1))
        lines += _reliability(f"{size} test rows", chances, truth)
    return lines


def _reliability(case: str, chances: np.ndarray, truth: np.ndarray) -> list[Line]:
    note = f"{truth.sum()} of {len(truth)} variables"
    lines = [Line(case, "AUC of P(manipulated)", None, auc(np.where(truth, 1, -1), chances), "high", note)]
    for low, high in pairwise(FIFTHS):
        here = (chances >= low) & (chances < high if high < 1 else chances <= high)
        if here.any():
            note = f"{here.sum()} variables, mean probability {chances[here].mean():.3f}"
            lines.append(
                Line(case, f"manipulated at P {low:.1f} to {high:.1f}", None, float(truth[here].mean()), "", note)
            )
    return lines


def measure(kind: str, seed: int):
    """Relative Tscores by version and way; and by size of the test table, P(manipulated) and the truth."""
    problem = problems.make_problem(kind, seed)
    examples = problems.EXAMPLES.get(kind, 500)
    natural = problems.table_of(problem, 0, examples)
    networks, blanket = draw(natural), problems.natural_blanket(natural)
    tscores, answers = [], {size: ([], []) for size in SIZES}
    linked = {number for edge in problem.numbered_edges for number in edge if number}
    for version in (0, 1, 2):
        for size in SIZES:
            table = problems.table_of(problem, version, examples, test_examples=size)
            inferred = infer(table, networks)
            truth = set(problem.version(version))
            for x, name in enumerate(table.names):
                if name in problem.names and problem.names.index(name) + 1 in linked:
                    chance = inferred.chances[x]
                    answers[size][0].append(min(1.0, chance.set + chance.shifted))
                    answers[size][1].append(name in truth)
        told = frozenset(x for x, name in enumerate(table.names) if name in truth)
        knows = Situation(blanket, {}, networks, KNOWN if version else NATURAL, told)
        worst = Situation(blanket, {}, networks, UNKNOWN, frozenset())
        asked = Situation(blanket, {}, networks, UNKNOWN, frozenset(), inferred=inferred)
        best = problems.tested_auc(table, {tuple(problems.true_blanket(problem, version, table)): 1})
        sets = {}
        for way, situation in zip(WAYS, (knows, asked, worst), strict=False):
            selection = select("posterior", situation)
            sets[way] = selection.panels or {selection.used: 1}
        sets[WAYS[-1]] = {tuple(range(table.n_variables)): 1}
        tscores.append({way: relative_tscore(problems.tested_auc(table, panels), best) for way, panels in sets.items()})
    return tscores, {size: (np.array(p), np.array(y, dtype=bool)) for size, (p, y) in answers.items()}
