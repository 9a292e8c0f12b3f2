"""What the unlabelled test table is worth: unknown manipulations, asked and not asked; and how right its answer is.

The problems are those of `studies.reruns.manipulation`: one of each kind for each sample, in three versions. In each
version the manipulation counts as unknown and the test table is asked; beside it stands what the user would get who
knows: that nothing was manipulated (version 0), or the list (1 and 2); and what unknown means without a test table.
The model is logistic regression in all cases; Tscores are relative to a model that knows the truth.

Soft manipulations change the variables of version 2 and leave their causes in force: half the strength, a moved mean, a
doubled residual (`studies.simulate.random_problem.SOFTLY`). Asking is compared with all variables and with the natural
blanket by their plain AUCs.

P(manipulated) is compared with the truth in test tables of several sizes, over the variables that the sampled networks
hold, and over all variables that have a parent or a child in the true network: its AUC, and the share of manipulated
variables in each fifth of the probabilities. A root that was set to its usual values shows nowhere.
"""

from itertools import pairwise

import numpy as np

from himation.evaluate import auc, relative_tscore
from himation.posterior.manipulation import infer
from himation.posterior.networks import draw
from himation.selection.rules import KNOWN, NATURAL, UNKNOWN, Situation, select
from himation.studies.reruns import Line
from himation.studies.reruns import manipulation as problems
from himation.studies.simulate.random_problem import SOFTLY

WAYS = ("who knows", "asked", "not asked", "all variables")
SOFT_WAYS = ("asked", "all variables", "natural blanket")
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
    for how in SOFTLY:
        soft = [one[2][how] for one in found if how in one[2]]
        for way in SOFT_WAYS if soft else ():
            mean = float(np.mean([one[way] for one in soft]))
            lines.append(Line(how, f"AUC, {way}", None, mean, "high", f"{len(soft)} problems"))
    for size in SIZES:
        chances, truth, held = (np.concatenate([one[1][size][part] for one in found]) for part in (0, 1, 2))
        lines += _reliability(f"{size} test rows, variables in networks", chances[held], truth[held])
        lines += _reliability(f"{size} test rows, all linked variables", chances, truth)
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
    """Relative Tscores by version and way; by size of the test table, P(manipulated), the truth, and whether networks
    hold the variable; and AUCs under soft manipulations by way."""
    problem = problems.make_problem(kind, seed)
    examples = problems.EXAMPLES.get(kind, 500)
    natural = problems.table_of(problem, 0, examples)
    networks, blanket = draw(natural), problems.natural_blanket(natural)
    tscores, answers = [], {size: ([], [], []) for size in SIZES}
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
                    answers[size][2].append(chance.networks > 0)
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
        tscores.append({way: relative_tscore(problems.tested_auc(table, one), best) for way, one in sets.items()})
    soft = {}
    for how in SOFTLY if kind in problems.KINDS else ():
        table = problems.table_of(problem, 2, examples, how=SOFTLY[how])
        situation = Situation(blanket, {}, networks, UNKNOWN, frozenset(), inferred=infer(table, networks))
        selection = select("posterior", situation)
        sets = (selection.panels or {selection.used: 1}, {tuple(range(table.n_variables)): 1}, {blanket: 1})
        soft[how] = {way: problems.tested_auc(table, one) for way, one in zip(SOFT_WAYS, sets, strict=True)}
    told = {size: (np.array(p), *(np.array(y, dtype=bool) for y in rest)) for size, (p, *rest) in answers.items()}
    return tscores, told, soft
