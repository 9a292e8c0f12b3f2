"""How far the Tscore moves if a tenth of the training examples is missing: problems like REGED, in three versions.

Each sample draws one problem of 300 variables and 500 examples, and three times 90 % of the examples at random. All
steps run anew on each part, as in `himation.reruns.manipulation`; the test tables stay. A move is the difference of the
Tscores with all examples and with a part.
"""

from __future__ import annotations

import numpy as np

from himation.reruns import Line, manipulation

RULES = ("thesis", "expected", "hedged")
PARTS = 3  # of each problem
SHARE = 0.9
EXAMPLES = 500
LITTLE = 0.01  # a move below this is wanted


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """The mean and the largest move by version and rule, and the share of small ones."""
    from himation.processes import share_out

    tasks = [(seed + k, part) for k in range(samples) for part in range(PARTS + 1)]
    found = np.array(share_out(lambda task: tscores(*task), tasks, threads, progress))
    found = found.reshape(samples, PARTS + 1, 3, len(RULES))
    moves = np.abs(found[:, 1:] - found[:, :1])
    lines = []
    for version in (0, 1, 2):
        for i, rule in enumerate(RULES):
            case, ours = f"version {version}, {rule}", moves[:, :, version, i]
            note = f"Tscore {found[:, 0, version, i].mean():.3f} with all examples"
            lines.append(Line(case, "mean move of the Tscore", None, float(ours.mean()), "low", note))
            lines.append(Line(case, "largest move of the Tscore", None, float(ours.max()), "low", note))
            lines.append(
                Line(case, f"share of moves below {LITTLE}", None, float((ours < LITTLE).mean()), "high", note)
            )
    return lines


def tscores(seed: int, part: int) -> list[list[float]]:
    """Tscores by version and rule; part 0 is the whole sample."""
    problem = manipulation.make_problem("reged", seed, manipulation.VARIABLES["reged"])
    rng = np.random.default_rng([seed, part])
    kept = EXAMPLES if part == 0 else round(SHARE * EXAMPLES)
    rows = np.sort(rng.permutation(EXAMPLES)[:kept])
    tables = [manipulation.table_of(problem, version, EXAMPLES, rows) for version in (0, 1, 2)]
    learned = manipulation.learn(tables[0])
    found = []
    for version, table in enumerate(tables):
        panels = manipulation.panels_by_rule(problem, version, table, learned)
        found.append([manipulation.tested_auc(table, panels[rule]) for rule in RULES])
    return found
