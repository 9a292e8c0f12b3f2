"""Targets that are copies of something finer: what the target's reliability is worth.

Networks of numbers whose target is one of the numbers, of which the table only says whether it is above its median; the
same with a tenth of the labels flipped; and targets that are yes or no to all others, among numbers and among other
coins. Each by the plain model, in which the labels are what the target's neighbours see, and by ours, which judges how
much of it is in the labels (`himation.posterior.target`). Counted are false parents, variables that are parents of the
target in more than half of the networks and not in the true one, and the relative Tscores of the default rule where the
manipulation is unknown (version 2 of `studies.reruns.manipulation`).
"""

from dataclasses import dataclass, replace

import numpy as np

from himation.posterior.averages import shares
from himation.posterior.networks import Options, draw
from himation.selection.rule_names import DEFAULT
from himation.studies.reruns import Line, manipulation
from himation.studies.simulate.random_network import STYLES, make_random_network
from himation.studies.simulate.random_problem import make_random_problem

CUT, FLIPPED, COIN = "cut at the median", "cut, a tenth flipped", "yes or no"
NUMBERS = ("continuous", "linear", "bent", "layered")
CASES = (
    *((CUT, kind) for kind in NUMBERS),
    *((FLIPPED, kind) for kind in NUMBERS),
    *((COIN, kind) for kind in (*NUMBERS, "binary", "tables")),
)
FLIPS = 0.1
MODELS = {"plain": Options(with_reliability=False), "ours": Options()}
MEASURES = {"false parents": "low", "true parents found": "high", "relative Tscore, version 2": "high"}
_SEED_OF_FLIPS = 9


@dataclass(frozen=True)
class Flipped:
    """A problem whose labels are partly wrong."""

    problem: object
    seed: int

    def __getattr__(self, name):
        return getattr(self.problem, name)

    def train(self, n: int):
        return self._wrong(self.problem.train(n), 0)

    def test(self, version: int, n: int):
        return self._wrong(self.problem.test(version, n), 1 + version)

    def _wrong(self, sample, part: int):
        luck = np.random.default_rng([self.seed, _SEED_OF_FLIPS, part]).random(len(sample.target))
        return replace(sample, target=np.where(luck < FLIPS, -sample.target, sample.target))


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Means over the samples, by sort of target, in all and by kind."""
    from himation.processes import share_out

    tasks = [(target, kind, seed + k) for target, kind in CASES for k in range(samples)]
    found = np.array(share_out(lambda task: measure(*task), tasks, threads, progress))
    lines = []
    for target, kind in [*dict.fromkeys((target, "all") for target, _ in CASES), *CASES]:
        ours = found[[task[0] == target and kind in ("all", task[1]) for task in tasks]]
        for i, (name, better) in enumerate(MEASURES.items()):
            for j, model in enumerate(MODELS):
                mean, note = float(ours[:, j, i].mean()), f"mean of {len(ours)} problems"
                lines.append(Line(f"{target}: {kind}", f"{name}, {model}", None, mean, better, note))
    return lines


def make_problem(target: str, kind: str, seed: int):
    """A problem with one sort of target."""
    make = make_random_network if kind in STYLES else make_random_problem
    problem = make(seed, kind, manipulation.VARIABLES.get(kind, 100), number_behind=target != COIN)
    return Flipped(problem, seed) if target == FLIPPED else problem


def measure(target: str, kind: str, seed: int) -> list[list[float]]:
    """Of one problem: MEASURES by model."""
    problem = make_problem(target, kind, seed)
    table = manipulation.table_of(problem, 2, manipulation.EXAMPLES.get(kind, 500))
    blanket, causes = manipulation.natural_blanket(table), set(problem.causes)
    found = []
    for options in MODELS.values():
        networks = draw(table, options)
        likely = [table.names[x] for x, share in shares(networks).items() if share.parent > 0.5]
        learned = manipulation.Learned(blanket, {}, networks)
        tscore = manipulation.relative_tscores(problem, 2, table, learned, [DEFAULT])[DEFAULT]
        found.append([len([x for x in likely if x not in causes]), len(causes & set(likely)), tscore])
    return found
