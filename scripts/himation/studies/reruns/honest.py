"""Whether the expected AUC is what fresh rows give: on noise, on problems with signal, and under known manipulations.

Each sample draws one table of noise of every shape of `NOISE`, with labels that nothing goes with, and one random
problem of every size of `SIZES`. Numbers, 0/1, and tables that mix them with categories take turns, and so do shares of
positive labels (`SHARES`); where these are not the problem's own, rows of training and fresh ones are drawn by their
label alike, and only nature is looked at. All steps run as in the workflow with its defaults (`whole`). What was
expected is compared with the AUC on 2,000 fresh rows.

Nothing was published on this; the column of published figures stays empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from himation.evaluate import auc
from himation.nested.measuring import INTERVAL, Estimate
from himation.selection.rules import KNOWN, NATURAL
from himation.studies.reruns import Line, mean_of
from himation.studies.reruns.whole import answer, learned, table_of
from himation.studies.simulate.random_network import STYLES, make_random_network
from himation.studies.simulate.random_problem import KINDS, make_random_problem

NOISE = ((40, 20), (60, 300), (100, 500), (200, 200), (200, 2000))
SIZES = (
    (60, 10),
    (60, 40),
    (60, 300),
    (100, 20),
    (100, 100),
    (200, 40),
    (200, 200),
    (200, 2000),
    (500, 10),
    (500, 100),
    (1000, 40),
    (2000, 100),
)
SHARES = (0.5, 0.25, 0.1)  # of positive labels, in noise
OWN = (None, None, None, 0.25, 0.1)  # and of problems; None: the problem's own
OF_NOISE = ("numbers", "coins", "both")
LEAST_OF_A_KIND = 30  # variables from which a problem may be a `random_problem`
FRESH = 2_000


@dataclass(frozen=True)
class Outcome:
    """What was expected of one model, what it achieved, and whether the verdict would be that nothing was found."""

    case: str
    expected: Estimate
    achieved: float
    nothing: bool

    @property
    def excess(self) -> float:
        return self.expected.auc - self.achieved

    @property
    def covered(self) -> bool:
        return abs(self.excess) <= INTERVAL * self.expected.error


def tasks(samples: int, seed: int) -> list[tuple]:
    """What `measure` takes: size, kind, share of positive labels and seed of every problem."""
    found: list[tuple] = []
    for k in range(samples):
        for i, shape in enumerate(NOISE):
            found.append((shape, OF_NOISE[(i + k) % len(OF_NOISE)], SHARES[(i + 2 * k) % len(SHARES)], seed + k))
        for i, size in enumerate(SIZES):
            kinds = STYLES if size[1] < LEAST_OF_A_KIND else (*(one for one in KINDS if one != "noisy"), *STYLES)
            found.append((size, kinds[(3 * i + k) % len(kinds)], OWN[(i + 2 * k) % len(OWN)], seed + k))
    return found


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Means over tables of noise, problems in nature, and problems under a known manipulation."""
    from himation.processes import share_out

    every = share_out(lambda task: measure(*task), tasks(samples, seed), threads, progress)
    return lines([one for some in every for one in some])


def lines(outcomes: Sequence[Outcome]) -> list[Line]:
    """Of each case, in the order in which they come."""
    return [line for case in dict.fromkeys(one.case for one in outcomes) for line in _lines(case, outcomes)]


def _lines(case: str, outcomes: Sequence[Outcome]) -> list[Line]:
    own = [one for one in outcomes if one.case == case]
    figures = {
        "mean expected AUC": ([one.expected.auc for one in own], ""),
        "mean of expected minus achieved AUC": ([one.excess for one in own], ""),
        "share within two standard errors": ([float(one.covered) for one in own], "high"),
        "share with the verdict that nothing was found": ([float(one.nothing) for one in own], ""),
    }
    note = f"{len(own)} tables"
    return [mean_of(values, case, measure, None, better, note) for measure, (values, better) in figures.items()]


def measure(size: tuple[int, int], kind: str, share: float | None, seed: int) -> list[Outcome]:
    """One table of noise, or one problem in nature and, with labels as they come, under its known manipulation."""
    n, p = size
    if kind in OF_NOISE:
        rng = np.random.default_rng([seed, n, p])
        labels = rng.permutation(np.where(np.arange(n) < round(share * n), 1, -1))
        fresh = np.where(rng.random(FRESH) < share, 1, -1)
        table = table_of(_noise(rng, kind, n, p), labels, _noise(rng, kind, FRESH, p), fresh)
        return [_outcome("noise", table, learned(table), NATURAL)]
    problem = (make_random_network if kind in STYLES else make_random_problem)(seed, kind, p)
    train, fresh = (_of_share(draw, rows, share) for draw, rows in ((problem.train, n), (_natural(problem), FRESH)))
    table = table_of(*train, *fresh)
    known = learned(table)
    found = [_outcome("signal, in nature", table, known, NATURAL)]
    if share is None:
        test = problem.test(1, FRESH)
        manipulated = [i + 1 for i, name in enumerate(problem.names) if name in problem.version(1)]
        table = table_of(*train, test.values, test.target)
        found.append(_outcome("signal, known manipulation", table, known, KNOWN, manipulated))
    return found


def _outcome(case: str, table, known, kind: str, manipulated: Sequence[int] = ()) -> Outcome:
    found = answer(table, known, kind, manipulated)
    return Outcome(case, found.expected, auc(table.test_target, found.values), found.nothing)


def _noise(rng: np.random.Generator, kind: str, n: int, p: int) -> np.ndarray:
    values = rng.normal(size=(n, p))
    coins = {"numbers": 0, "coins": p, "both": p // 2}[kind]
    values[:, :coins] = values[:, :coins] > 0.5
    return values


def _natural(problem):
    return lambda rows: problem.test(0, rows)


def _of_share(draw, rows: int, share: float | None) -> tuple[np.ndarray, np.ndarray]:
    """So many rows, of which a share is positive: the first of either class among as many as it takes."""
    if share is None:
        sample = draw(rows)
        return sample.values, sample.target
    positive, drawn = round(share * rows), rows
    while True:
        drawn *= 2
        sample = draw(drawn)
        of_class = [np.flatnonzero(sample.target == label) for label in (1, -1)]
        if len(of_class[0]) >= positive and len(of_class[1]) >= rows - positive:
            use = np.sort(np.concatenate([of_class[0][:positive], of_class[1][: rows - positive]]))
            return sample.values[use], sample.target[use]
