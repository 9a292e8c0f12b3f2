"""Sizes of the data behind the papers' tables, beside those of what can be had today.

Tables II-6 and III-9 of the thesis and figure 2 of HITON, for the data sets that are public, and Saeed's table 1, for
the simulations of the challenge's SIDO and CINA, of which ``samples`` are drawn.
"""

import numpy as np

from himation.processes import share_out
from himation.studies.reruns import TUNED, Line, mean_of, real

REAL = {  # data: variables and samples as printed, by table
    "Thrombin": (139_351, 2_543, ("II-6", "III-9", "HITON 2")),
    "Hiva": (1_617, 4_229, ("III-9",)),
    "Sylva": (216, 14_394, ("III-9",)),
}
SIMULATED = {  # task: continuous and binary variables, positive and negative examples
    "sido": (0, 4_932, 452, 12_226),
    "cina": (24, 108, 3_939, 12_094),
}
COUNTS = ("continuous variables", "binary variables", "positive examples", "negative examples")


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    lines = []
    for name, (variables, rows, tables) in REAL.items():
        X, _ = real.load(name)
        for table in tables:
            case, note = f"{table}: {name}", "the part that is public"
            lines.append(Line(case, "variables", float(variables), float(X.shape[1]), "", note, 0.0))
            lines.append(Line(case, "samples", float(rows), float(X.shape[0]), "", note, 0.0))
    tasks = [(task, seed + i) for task in SIMULATED for i in range(samples)]
    counts = dict(zip(tasks, share_out(simulated, tasks, threads, progress), strict=True))
    for task, printed in SIMULATED.items():
        drawn = np.array([counts[task, seed + i] for i in range(samples)], dtype=float).T
        for measure, known, figures in zip(COUNTS, printed, drawn.tolist(), strict=True):
            lines.append(mean_of(figures, f"Saeed 1: {task.upper()}", measure, float(known), note=TUNED))
    return lines


def simulated(task: tuple[str, int]) -> tuple[int, int, int, int]:
    """COUNTS of one simulated training table."""
    from himation.studies.simulate.tasks import simulate
    from himation.task_names import DEFAULT_SIZES

    name, seed = task
    variables, rows, _ = DEFAULT_SIZES[name]
    train = simulate(name, seed, 0, rows, 10, variables).train
    binary = int(sum(len(np.unique(column)) == 2 for column in np.asarray(train.values).T))
    positive = int((train.target > 0).sum())
    return variables - binary, binary, positive, rows - positive
