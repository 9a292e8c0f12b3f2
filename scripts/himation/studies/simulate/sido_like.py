"""Problems like the real part of SIDO: thousands of sparse binary variables that describe molecules, and a rare target.

SIDO's real variables say whether a molecule has some structure; the target, activity against HIV, is positive in 3.6 %
of the training examples. The molecules can't be redistributed. This generator draws a new problem for every seed with
the traits that matter to a method:

* low base rates, from a few in a thousand to four in ten, most of them low;
* strong dependence: large structures contain smaller ones, so a variable is on because another is (a noisy OR of one to
  three earlier variables), and many are nearly copies of each other;
* one-hot groups: a tenth of the variables are indicators of a category (a count, a class of weight), exactly one of
  which is 1, with chances that depend on another variable;
* the target is a logistic function of some of the variables (`CAUSES`) and has no effects among them.

There are no hidden variables. Indicators of one group are related without a mechanism between them; in the list of
edges each earlier one points to the later ones.

>>> problem = make_sido_like(seed=1, variables=200)
>>> values, target = problem.sample(2000, np.random.default_rng(1))
>>> values.shape, values.dtype.name, bool(0.02 < (target > 0).mean() < 0.06)
((200, 2000), 'uint8', True)
>>> bool((values[list(problem.groups[0])].sum(axis=0) == 1).all())
True
"""

from dataclasses import dataclass, replace

import numpy as np

from himation.errors import UserError

FEWEST_VARIABLES = 40
PREVALENCE = 452 / 12678  # as published
GROUPED = 0.1  # part of the variables that are indicators of a group
GROUP_SIZES = (3, 8)
ROOTS = 0.06  # part of the variables without causes
ROOT_RATE = (0.005, 0.25)
LEAK = (0.0002, 0.006)  # chance of a variable without any cause that is on
STRENGTH = (0.7, 0.99)  # chance that a cause that is on brings its effect about
MORE_CAUSES = 0.35  # chance of each further cause, up to MOST_CAUSES
MOST_CAUSES = 3
CAUSES = 12  # of the target
WEIGHT = (0.8, 2.0)  # of a cause, in log-odds
LOWERING = 0.35  # part of the causes that make the target less likely
CAUSE_RATE = (0.02, 0.5)  # base rates that causes of the target have
CALIBRATION_SIZE = 4096


@dataclass(frozen=True)
class SidoLike:
    """One problem. `causes[j]` and `strengths[j]` make variable j; a group's first member carries the whole group."""

    names: tuple[str, ...]
    causes: tuple[tuple[int, ...], ...]
    strengths: tuple[tuple[float, ...], ...]
    leaks: tuple[float, ...]
    groups: tuple[tuple[int, ...], ...]
    chances: tuple[np.ndarray, ...]  # of a group's indicators, where its cause is off and where it is on
    target_causes: tuple[int, ...]
    weights: tuple[float, ...]
    intercept: float = 0.0

    @property
    def edges(self) -> list[tuple[int, int]]:
        """(cause, effect) by row; -1 is the target."""
        found = [(cause, j) for j, causes in enumerate(self.causes) for cause in causes]
        for group in self.groups:
            found += [(group[i], group[j]) for j in range(len(group)) for i in range(j)]
        return sorted(found) + [(cause, -1) for cause in self.target_causes]

    def variables(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """A row of 0 and 1 for each variable."""
        table = np.zeros((len(self.names), n), dtype=np.uint8)
        leader = {group[0]: k for k, group in enumerate(self.groups)}
        members = {j for group in self.groups for j in group}
        for j, causes in enumerate(self.causes):
            if j in leader:
                group, chances = self.groups[leader[j]], self.chances[leader[j]]
                cause = table[causes[0]]
                drawn = rng.random(n)
                category = np.where(cause > 0, *(np.searchsorted(np.cumsum(row)[:-1], drawn) for row in chances[::-1]))
                table[list(group)] = category[None, :] == np.arange(len(group))[:, None]
            elif j not in members:
                spared = np.full(n, 1.0 - self.leaks[j])
                for cause, strength in zip(causes, self.strengths[j], strict=True):
                    spared[table[cause] > 0] *= 1.0 - strength
                table[j] = rng.random(n) >= spared
        return table

    def log_odds(self, table: np.ndarray) -> np.ndarray:
        weights = np.array(self.weights)
        return weights @ table[list(self.target_causes)] + self.intercept

    def sample(self, n: int, rng: np.random.Generator, positives: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Variables (a row for each) and target, +1 or -1; exactly so many `positives` if that is given."""
        table = self.variables(n, rng)
        return table, signs(self.log_odds(table) + rng.logistic(size=n), positives)


def signs(propensity: np.ndarray, positives: int | None = None) -> np.ndarray:
    """+1 where the propensity is above 0, else -1; or +1 for exactly as many as asked for, the highest.

    >>> signs(np.array([0.5, -1.0, 2.0])).tolist(), signs(np.array([0.5, -1.0, 2.0]), 1).tolist()
    ([1, -1, 1], [-1, -1, 1])
    """
    if positives is None:
        return np.where(propensity > 0, 1, -1).astype(np.int8)
    found = np.full(len(propensity), -1, dtype=np.int8)
    found[np.argsort(-propensity, kind="stable")[:positives]] = 1
    return found


def make_sido_like(seed: int, variables: int = 1644) -> SidoLike:
    """A new problem; the same arguments give the same one."""
    if variables < FEWEST_VARIABLES:
        raise UserError(f"{variables} variables are too few for a problem like SIDO; take at least {FEWEST_VARIABLES}")
    rng = np.random.default_rng(np.random.SeedSequence([seed, variables]))
    n_roots = max(4, round(ROOTS * variables))
    groups = _groups(rng, n_roots, variables)
    members = {j for group in groups for j in group}
    causes, strengths, leaks = [], [], []
    for j in range(variables):
        chosen = [] if j < n_roots else _causes(rng, j, 1 if j in members else MOST_CAUSES)
        causes.append(tuple(chosen))
        strengths.append(tuple(float(s) for s in rng.uniform(*STRENGTH, len(chosen))))
        bounds = ROOT_RATE if j < n_roots else LEAK
        leaks.append(float(np.exp(rng.uniform(*np.log(bounds)))))
    for group in groups:  # the members share the cause of the first
        for j in group[1:]:
            causes[j] = causes[group[0]]
    chances = tuple(rng.dirichlet(np.full(len(group), 0.7), size=2) for group in groups)
    names = tuple(f"real{j + 1}" for j in range(variables))
    problem = SidoLike(names, tuple(causes), tuple(strengths), tuple(leaks), groups, chances, (), ())
    return _with_target(problem, rng)


def _groups(rng, n_roots: int, variables: int) -> tuple[tuple[int, ...], ...]:
    """Runs of neighbouring variables, in one-hot groups, until a tenth of the variables is in one."""
    groups, start = [], n_roots
    left = round(GROUPED * variables)
    gap = max(1, (variables - n_roots - left) // max(1, 2 * left // sum(GROUP_SIZES)))
    while left > 1 and start + GROUP_SIZES[1] < variables:
        size = min(int(rng.integers(GROUP_SIZES[0], GROUP_SIZES[1] + 1)), max(2, left))
        groups.append(tuple(range(start, start + size)))
        left -= size
        start += size + gap
    return tuple(groups)


def _causes(rng, j: int, most: int) -> list[int]:
    """One to `most` earlier variables; early ones, the large structures, have more effects."""
    n = 1
    while n < most and rng.random() < MORE_CAUSES:
        n += 1
    return sorted({int(j * rng.random() ** 2) for _ in range(n)})


def _with_target(problem: SidoLike, rng) -> SidoLike:
    """Choose the target's causes and place its intercept, on a natural sample."""
    table = problem.variables(CALIBRATION_SIZE, rng)
    rate = table.mean(axis=1)
    fit = np.flatnonzero((rate > CAUSE_RATE[0]) & (rate < CAUSE_RATE[1]))
    chosen = np.sort(rng.choice(fit, min(CAUSES, max(3, len(fit) // 3)), replace=False))
    signs = np.where(rng.random(len(chosen)) < LOWERING, -1.0, 1.0)
    weights = signs * rng.uniform(*WEIGHT, len(chosen))
    problem = replace(problem, target_causes=tuple(map(int, chosen)), weights=tuple(map(float, weights)))
    low, high = -50.0, 50.0
    odds = problem.log_odds(table)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if (1 / (1 + np.exp(-odds - middle))).mean() > PREVALENCE else (middle, high)
    return replace(problem, intercept=(low + high) / 2)
