"""How far results move: Tscores if a tenth of the training examples is missing, roles with another seed of the sampler.

For Tscores each sample draws one problem like REGED of 300 variables and 500 examples, in three versions, and three
times 90 % of the examples at random. All steps run anew on each part, as in `studies.reruns.manipulation`; the test
tables stay. A move is the difference of the Tscores with all examples and with a part.

For roles each sample draws one problem of every kind, and networks with two seeds. Of the target's neighbours, the
variables that one of the two joins to it in at least a tenth of the networks, P(parent) is compared.
"""

from dataclasses import replace

import numpy as np

from himation.posterior.averages import LITTLE, Shares, shares
from himation.posterior.networks import Options, draw
from himation.studies.reruns import Line, manipulation

RULES = ("thesis", "posterior")
PARTS = 3  # of each problem
SHARE = 0.9
EXAMPLES = 500
SMALL = 0.01  # a move of the Tscore below this is wanted
FAR = 0.1  # a move of P(parent) above this is not


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """The mean and the largest move by version and rule, and the share of small ones; then the moves of roles."""
    from himation.processes import share_out

    parts = [("tscores", seed + k, part) for k in range(samples) for part in range(PARTS + 1)]
    twice = [("roles", kind, seed + k) for kind in manipulation.PROBLEMS for k in range(samples)]
    found = share_out(_measure, [*parts, *twice], threads, progress)
    of_tscores = np.array(found[: len(parts)]).reshape(samples, PARTS + 1, 3, len(RULES))
    return _lines_of_tscores(of_tscores) + _lines_of_roles(twice, found[len(parts) :])


def _measure(task):
    return tscores(*task[1:]) if task[0] == "tscores" else moved_roles(*task[1:])


def _lines_of_tscores(found: np.ndarray) -> list[Line]:
    moves = np.abs(found[:, 1:] - found[:, :1])
    lines = []
    for version in (0, 1, 2):
        for i, rule in enumerate(RULES):
            case, ours = f"version {version}, {rule}", moves[:, :, version, i]
            note = f"Tscore {found[:, 0, version, i].mean():.3f} with all examples"
            lines.append(Line(case, "mean move of the Tscore", None, float(ours.mean()), "low", note))
            lines.append(Line(case, "largest move of the Tscore", None, float(ours.max()), "low", note))
            lines.append(Line(case, f"share of moves below {SMALL}", None, float((ours < SMALL).mean()), "high", note))
    return lines


def _lines_of_roles(tasks, found: list[list[float]]) -> list[Line]:
    lines = []
    for kind in ("all kinds", *manipulation.PROBLEMS):
        chosen = [one for task, one in zip(tasks, found, strict=True) if kind in ("all kinds", task[1])]
        moves = np.concatenate([np.array(one, dtype=float) for one in chosen])
        if len(moves):
            note = f"{len(moves)} neighbours of the target"
            lines.append(Line(kind, "mean move of P(parent)", None, float(moves.mean()), "low", note))
            far = float((moves > FAR).mean())
            lines.append(Line(kind, f"share of moves of P(parent) above {FAR}", None, far, "low", note))
    return lines


def tscores(seed: int, part: int) -> list[list[float]]:
    """Tscores by version and rule; part 0 is the whole sample."""
    problem = manipulation.make_problem("reged", seed)
    rng = np.random.default_rng([seed, part])
    kept = EXAMPLES if part == 0 else round(SHARE * EXAMPLES)
    rows = np.sort(rng.permutation(EXAMPLES)[:kept])
    tables = [manipulation.table_of(problem, version, EXAMPLES, rows) for version in (0, 1, 2)]
    learned = manipulation.learn(tables[0])
    found = []
    for version, table in enumerate(tables):
        sets = [manipulation.sets_of(rule, problem, version, table, learned) for rule in RULES]
        found.append([manipulation.tested_auc(table, one) for one in sets])
    return found


def moved_roles(kind: str, seed: int, options: Options | None = None) -> list[float]:
    """How far P(parent) of each neighbour of the target moves with the seed of the sampler."""
    options = options or Options()
    problem = manipulation.make_problem(kind, seed)
    table = manipulation.table_of(problem, 0, manipulation.EXAMPLES.get(kind, 500))
    seeds = (options.sampling.seed, options.sampling.seed + 1)
    one, two = (shares(draw(table, replace(options, sampling=replace(options.sampling, seed=s)))) for s in seeds)
    pairs = [(one.get(x, Shares()), two.get(x, Shares())) for x in sorted({*one, *two})]
    near = [pair for pair in pairs if max(share.parent + share.child for share in pair) >= LITTLE]
    return [abs(a.parent - b.parent) for a, b in near]
