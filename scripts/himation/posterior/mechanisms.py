"""Whether a mechanism is the same in two tables: replaced, shifted, or neither, and how likely each makes the rows.

A mechanism is a regression of a variable on its parents in a network, learned in training: linear and normal for
numbers, a linear chance for yes-or-no columns. In the test table it is the same; or set: the variable follows a
distribution of its own, whatever its parents say; or shifted, in one of three ways: its mean, its mean and scale, or
all of its strengths are others. What is other is fitted to the test rows and pays half a logarithm of the rows for each
number.

The training rows know a mechanism only so well: n rows against m count as n m / (n + m), the number at which a
difference between the two tables has the error that it really has. Residuals with long tails make variances less
certain; the rows count for less in proportion. And real tables never have quite the same mechanisms: another day,
another batch. Each drifts a little, by an amount that the table itself tells (`drifting_rows`), and however many rows
there are, they can't tell a manipulation from less than that: the drift's variance is added to that of chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.posterior.networks import SQUASH
from himation.posterior.scoring import Sampling
from himation.prepare.scaling import unit_columns
from himation.table import BINARY, Table

Family = tuple[int, tuple[int, ...]]  # a variable and its parents

CLASSES = (-1, 1)
MOST_ROWS = 1_000
# States of an effect: one FOLLOWS another effect; then come ways of being set and, from SHIFTED on, of a shift.
SAME, FOLLOWS, SHIFTED = 0, 1, 5
LEAST_CHANCE = 0.02  # of a yes-or-no mechanism, and 1 minus that at most
LEAST_SPREAD = 1e-3  # of a residual's variance, since numbers are standardised
STRENGTHS = (0.5, 1.5)  # of an effect of the target that was shifted
USUAL = (0.0, False, False)  # set to values as they are in training
RECAST = (0.0, False, True)  # the same, with other shares of the values that it has in the two classes
ANOTHER = (0.0, True, False)  # as its companion, another effect, says, and not the target
WAYS = (  # of an effect: strength of all that acts on it, whether its mean and its scale are fitted to the test rows
    (1.0, False, False),
    ANOTHER,
    (0.0, True, True),
    USUAL,
    RECAST,
    (1.0, True, False),
    (1.0, True, True),
    *((strength, True, True) for strength in STRENGTHS),
)
MOVES = (0.0, -1.0, 1.0, -2.0, 2.0, -4.0, 4.0, -3.0, 3.0)  # of the target's log-odds, as many as there are WAYS
LEAST_LEFT = 0.1  # of an effect's residual variance in training, in test
RIDGE = 1e-6
DRIFTS = 25  # variances that are tried
IMPOSSIBLE = -100.0  # log-likelihood of a row
ROUNDS = 10  # of learning shares


@dataclass(frozen=True)
class Rows:
    """Both tables with a column of ones first, the labels of the training rows, which columns are yes-or-no, and as
    many rows as training and a comparison of the two count for."""

    train: np.ndarray
    labels: np.ndarray
    test: np.ndarray
    binary: np.ndarray
    trained: float
    counts_for: float

    @classmethod
    def of(cls, table: Table, variables: Iterable[int]) -> Rows:
        """Some variables of a table, in at most MOST_ROWS rows of each part."""
        n, m, effective = table.train.n, table.part("test").n, Sampling().effective
        rows = [slice(None, None, max(1, -(-size // MOST_ROWS))) for size in (n, m)]
        parts = [[np.ones(len(range(size)[step]))] for size, step in zip((n, m), rows, strict=True)]
        for x in variables:
            inside, outside = (table.numbers_for_target(x, part) for part in ("train", "test"))
            if table.kinds[x] != BINARY:
                centre, scale = inside.mean(), inside.std() or 1.0
                inside, outside = (SQUASH * np.tanh((values - centre) / scale / SQUASH) for values in (inside, outside))
            parts[0].append(inside[rows[0]])
            parts[1].append(outside[rows[1]])
        labels = np.where(np.asarray(table.target)[rows[0]] > 0, 1.0, -1.0)
        binary = np.array([False, *(table.kinds[x] == BINARY for x in variables)])
        counts_for = effective(n) * effective(m) / (effective(n) + effective(m))
        return cls(np.column_stack(parts[0]), labels, np.column_stack(parts[1]), binary, effective(n), counts_for)

    def counting(self, rows: float) -> Rows:
        """The same, a comparison of which counts for other many rows."""
        return replace(self, counts_for=rows)

    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Second moments of training, with the labels last, and of test."""
        both = np.column_stack([self.train, self.labels])
        return both.T @ both / len(both), self.test.T @ self.test / len(self.test)

    def correlations(self, others: Rows) -> np.ndarray:
        """In training, of all columns with those of other rows."""
        return unit_columns(self.train[:, 1:]).T @ unit_columns(others.train[:, 1:]) / len(self.labels)

    def partners(self) -> np.ndarray:
        """Of each column, without the ones, the other that goes with it most in training."""
        r = np.abs(self.correlations(self))
        np.fill_diagonal(r, -1.0)
        return r.argmax(axis=1) if len(r) else np.empty(0, dtype=int)

    def beside(self, i: int, others: Rows, j: int) -> Rows:
        """One column and, if j is not 0, one of others."""
        use = [j] if j else []
        train, test = (
            np.column_stack([a[:, [0, i]], b[:, use]])
            for a, b in ((self.train, others.train), (self.test, others.test))
        )
        binary = np.array([False, self.binary[i], *others.binary[use]])
        return Rows(train, self.labels, test, binary, self.trained, self.counts_for)


class Mechanisms:
    """Log-likelihoods of the test rows by state, for variables given their parents; columns of `Rows` by number."""

    def __init__(self, rows: Rows):
        self.rows = rows
        self.inside, self.outside = rows.moments()
        self.found: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}

    def states(self, i: int, parents: tuple[int, ...]) -> np.ndarray:
        """Log-likelihoods of all test rows together: the same, set, shifted."""
        key = (i, parents)
        if key not in self.found:
            self.found[key] = self._states(i, [0, *parents])
        return self.found[key]

    def _states(self, i: int, given: list[int]) -> np.ndarray:
        weights = _solve(self.inside, given, i)
        refitted = _solve(self.outside, given, i)
        moved = weights.copy()
        moved[0] += self.outside[0, i] - self.outside[0, given] @ weights
        own, usual = np.zeros_like(weights), np.zeros_like(weights)
        own[0], usual[0] = self.outside[0, i], self.inside[0, i]
        far = self._as_far(given)
        if self.rows.binary[i]:
            chances = [(weights, 0), (own, 1), (usual, 0), (moved, 1), (refitted, len(given))]
            found = [self._of_chances(i, given, w, numbers, far) for w, numbers in chances]
        else:
            spread = _spread(self.inside, given, i, weights)
            part = far * self._tails(i, given, weights, spread)
            scales = [_spread(self.outside, given, i, w) for w in (weights, own, usual, moved, refitted)]
            natural = _spread(self.inside, given, i, usual)
            ways = [
                (scales[0], spread, 0),
                (scales[1], scales[1], 2),
                (scales[2], natural, 0),
                (scales[3], spread, 1),
                (scales[3], scales[3], 2),
                (scales[4], scales[4], len(given) + 1),
            ]
            found = [part * self._of_numbers(*way) for way in ways]
        if len(given) == 1:  # without causes to lose, being set shows in the distribution alone, and so does a shift
            return np.array([found[0], found[1], -np.inf])
        return np.array([found[0], _mean_of(found[1:3]), _mean_of(found[3:])])

    def refitted(self, i: int, parents: tuple[int, ...]) -> float:
        """The log-likelihood of the test rows by the mechanism that fits them best."""
        given = [0, *parents]
        weights, far = _solve(self.outside, given, i), self._as_far(given)
        if self.rows.binary[i]:
            return self._of_chances(i, given, weights, 0, far)
        learned = _solve(self.inside, given, i)
        part = far * self._tails(i, given, learned, _spread(self.inside, given, i, learned))
        spread = _spread(self.outside, given, i, weights)
        return part * self._of_numbers(spread, spread, 0)

    def changes(self, i: int, parents: tuple[int, ...]) -> tuple[float, ...]:
        """By how many residual standard deviations the mean differs in test and, for numbers, by how much the logarithm
        of the scale, in units that have the same error."""
        given = [0, *parents]
        weights = _solve(self.inside, given, i)
        left = self.rows.test[:, i] - self.rows.test[:, given] @ weights
        if self.rows.binary[i]:
            chance = _chances(self.rows.train[:, given] @ weights)
            return (float(left.mean() / np.sqrt(np.mean(chance * (1 - chance)))),)
        spread = _spread(self.inside, given, i, weights)
        part = self._tails(i, given, weights, spread)
        scale = np.log(max(left.var(), LEAST_SPREAD) / spread) * np.sqrt(part / 2)
        return float(left.mean() / np.sqrt(spread)), float(scale)

    def _of_numbers(self, spread: float, claimed: float, numbers: int) -> float:
        rows = self.rows.counts_for
        return -0.5 * rows * (np.log(claimed) + spread / claimed) - 0.5 * numbers * np.log(max(rows, 1.0))

    def _of_chances(self, i: int, given: list[int], weights: np.ndarray, numbers: int, part: float) -> float:
        on, chance = self.rows.test[:, i] > 0.5, _chances(self.rows.test[:, given] @ weights)
        rows = self.rows.counts_for
        mean = float(np.mean(np.log(np.where(on, chance, 1 - chance))))
        return part * rows * mean - 0.5 * numbers * np.log(max(rows, 1.0))

    def _as_far(self, given: list[int]) -> float:
        """What the rows still count for where causes have moved: the errors of their weights grow with the distance."""
        mean = self.outside[0, given]
        away = float(mean @ np.linalg.solve(_ridged(self.inside, given), mean)) - 1
        return 1 / (1 + self.rows.counts_for * max(away, 0.0) / self.rows.trained)

    def _tails(self, i: int, given: list[int], weights: np.ndarray, spread: float) -> float:
        """2 over the variance of squared residuals, at most 1, which it is for normal ones."""
        left = self.rows.train[:, i] - self.rows.train[:, given] @ weights
        return float(min(1.0, 2.0 / max(np.mean(left**4) / spread**2 - 1.0, 1e-9)))

    def target(self, parents: tuple[int, ...], part: np.ndarray) -> np.ndarray:
        """The chance of a positive target in every row, by its causes."""
        given = [0, *parents]
        return _chances((1 + part[:, given] @ _solve(self.inside, given, len(self.inside) - 1)) / 2)

    def effects(self, families: Sequence[Family], of_target: tuple[int, ...]) -> tuple[np.ndarray, ...]:
        """Of the effects of the target, given its parents: log-likelihoods by effect, state, test row and the target's
        two values; logarithms of the chances of these by row; and what each state of an effect pays. The last effect is
        the target itself, which may have become rarer or more frequent: its states are moves of its log-odds.

        A state pays for the numbers that are fitted, and for what it would gain on the training rows, where nothing
        was manipulated: so much is wrong about the mechanism. That an effect follows another effect is no manipulation;
        it pays for what it says worse than the target does on the training rows, labels in hand.
        """
        fitted = [self._fitted(*family) for family in families]
        inside, before = self._by_rows(families, fitted, of_target, self.rows.train)
        outside, start = self._by_rows(families, fitted, of_target, self.rows.test)
        gains = np.array([_gains(before + inside[:, SAME].sum(axis=0) - own[SAME], own) for own in inside])
        numbers = np.array([[_numbers(way, self.rows.binary[i]) for way in WAYS] for i, _ in families])
        rows = self.rows.counts_for
        costs = 0.5 * np.log(max(rows, 1.0)) * numbers + rows * np.maximum(gains, 0.0)
        by_label = inside[:, SAME, np.arange(len(self.rows.labels)), (self.rows.labels > 0).astype(int)].mean(axis=1)
        costs[:, FOLLOWS] = rows * np.maximum(gains[:, FOLLOWS], 0.0) + self.rows.trained * np.maximum(
            by_label - inside[:, FOLLOWS, :, 0].mean(axis=1), 0.0
        )
        return np.concatenate([outside, _moves(start)]), start, np.vstack([costs, np.zeros(len(WAYS))])

    def _fitted(self, i: int, parents: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Weights of the parents and, last, of the target; and the residual variance in each of its classes."""
        rows, given = self.rows, [0, *parents]
        weights = _solve(self.inside, [*given, len(self.inside) - 1], i)
        left = rows.train[:, i] - np.column_stack([rows.train[:, given], rows.labels]) @ weights
        return weights, np.array([max(float(np.mean(left[rows.labels == y] ** 2)), LEAST_SPREAD) for y in CLASSES])

    def _by_rows(self, families, fitted, of_target, part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        chance = self.target(of_target, part)
        found: list[list[np.ndarray]] = []
        effects = [i for i, _ in families]
        for (i, parents), (weights, spreads) in zip(families, fitted, strict=True):
            binary = self.rows.binary[i]
            found.append([])
            for way in WAYS:
                if way == ANOTHER:
                    found[-1].append(self._following(i, parents, self.companion(i, parents, effects), part))
                elif way in (USUAL, RECAST):
                    density = _log_density(part[:, i], self.rows.train[:, i], self.rows.labels, binary, way == RECAST)
                    found[-1].append(np.repeat(density[:, None], 2, axis=1))
                else:
                    values = part[:, i], part[:, list(parents)], chance
                    found[-1].append(_log_rows(way, *values, weights, spreads, binary))
        return np.array(found), np.log(np.column_stack([1 - chance, chance]))

    def companion(self, i: int, parents: tuple[int, ...], effects: Sequence[int]) -> int:
        """The other effect that, beside its parents, says most of an effect in training; 0 if there is none."""
        others = [j for j in effects if j != i and j not in parents]
        left = [
            _spread(self.inside, given, i, _solve(self.inside, given, i))
            for given in ([0, *parents, j] for j in others)
        ]
        return others[int(np.argmin(left))] if others else 0

    def _following(self, i: int, parents: tuple[int, ...], companion: int, part: np.ndarray) -> np.ndarray:
        """Rows, the same for both values of the target, by the companion and the parents."""
        if not companion:
            return np.full((len(part), 2), IMPOSSIBLE)
        given = [0, *parents, companion]
        weights = _solve(self.inside, given, i)
        if self.rows.binary[i]:
            return _coin(part[:, i], part[:, given] @ weights, 0.0)
        return _bell(part[:, i], part[:, given] @ weights, 0.0, np.full(2, _spread(self.inside, given, i, weights)))


def drifting_rows(changes: np.ndarray, weights: np.ndarray, rows: float) -> float:
    """As many rows as a comparison counts for once mechanisms drift: the geometric mean over variances of the drift, by
    how likely they make the changes of all mechanisms, of which a part, as large as fits, was manipulated and may have
    moved by as much as its residuals vary."""
    variances = np.array([0.0, *np.geomspace(0.1 / rows, max(1.0, 0.2 / rows), DRIFTS)])
    found = []
    for variance in variances:
        logs = np.array([-0.5 * (np.log(v) + changes**2 / v) for v in (1 / rows + variance, 1 / rows + 1)])
        share = 0.5
        for _ in range(ROUNDS):
            own = 1 / (1 + np.exp(np.clip(logs[0] - logs[1] + np.log((1 - share) / share), -50, 50)))
            share = float((weights @ own + 0.5) / (weights.sum() + 1))
        found.append(float(weights @ np.logaddexp(logs[0] + np.log(1 - share), logs[1] + np.log(share))))
    likely = np.exp(np.array(found) - max(found))
    likely[0] *= DRIFTS  # no drift is as likely before as any drift
    return float(np.exp(likely / likely.sum() @ np.log(1 / (1 / rows + variances))))


def _moves(start: np.ndarray) -> np.ndarray:
    """What moves of the target's log-odds add to the logarithms of its chances, by move, row and value."""
    odds = start[:, 1] - start[:, 0] + np.array(MOVES)[:, None]
    return np.stack([-np.logaddexp(0.0, odds), -np.logaddexp(0.0, -odds)], axis=2)[None] - start


def _numbers(way, binary: bool) -> int:
    """How many are fitted to the test rows."""
    strength, moves, scales = way
    return int(moves) + int(scales and not binary) + int(strength not in (0, 1))


def _gains(others: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Of each state of an effect against the first, by row, the target summed out."""
    found = np.logaddexp(others[:, 0] + own[:, :, 0], others[:, 1] + own[:, :, 1]).mean(axis=1)
    return found - found[SAME]


def _log_rows(way, x, parents, chance, weights, spreads, binary: bool) -> np.ndarray:
    """Rows by the target's two values, once mean and scale are fitted to the rows where they are free."""
    strength, moves, scales = way
    base, slope, expected = strength * (parents @ weights[1:-1]), strength * weights[-1], 2 * chance - 1
    base = base + (float(np.mean(x - base - slope * expected)) if moves else weights[0])
    if binary:
        return _coin(x, base, slope)
    if scales:
        around = float(np.mean((x - base - slope * expected) ** 2)) - slope**2 * float(np.mean(1 - expected**2))
        if not strength:
            spreads = np.full(2, max(around, LEAST_SPREAD))
        else:
            mean = chance.mean() * spreads[1] + (1 - chance.mean()) * spreads[0]
            spreads = spreads * max(around / mean, LEAST_LEFT)
    return _bell(x, base, slope, spreads)


def _log_density(x, inside, labels, binary: bool, recast: bool) -> np.ndarray:
    """As a variable is distributed in training, a coin or a bell for each class of the target; if ``recast``, with the
    shares of the two that fit best."""
    if binary:
        return _coin(x, np.full(len(x), (x if recast else inside).mean()), 0.0)[:, 0]
    shares = np.array([np.mean(labels == y) for y in CLASSES])
    bells = []
    for y in CLASSES:
        own = inside[labels == y]
        spread = np.full(2, max(own.var(), LEAST_SPREAD))
        bells.append(_bell(x, np.full(len(x), own.mean()), 0.0, spread)[:, 0])
    logs = np.array(bells)
    for _ in range(ROUNDS if recast else 0):
        joint = logs + np.log(shares)[:, None]
        shares = np.clip(np.exp(joint - np.logaddexp(*joint)).mean(axis=1), LEAST_CHANCE, 1)
        shares = shares / shares.sum()
    return np.logaddexp(*(logs + np.log(shares)[:, None]))


def _solve(moments: np.ndarray, given: list[int], i: int) -> np.ndarray:
    return np.linalg.solve(_ridged(moments, given), moments[given, i])


def _ridged(moments: np.ndarray, given: list[int]) -> np.ndarray:
    inner = moments[np.ix_(given, given)].copy()
    inner[np.diag_indices_from(inner)] += RIDGE
    return inner


def _spread(moments: np.ndarray, given: list[int], i: int, weights: np.ndarray) -> float:
    """Mean squared residual."""
    left = moments[i, i] - 2 * weights @ moments[given, i] + weights @ moments[np.ix_(given, given)] @ weights
    return max(float(left), LEAST_SPREAD)


def _chances(values: np.ndarray) -> np.ndarray:
    return np.clip(values, LEAST_CHANCE, 1 - LEAST_CHANCE)


def _mean_of(logs: list[float]) -> float:
    high = max(logs)
    return float(high + np.log(np.mean(np.exp(np.array(logs) - high))))


def _coin(x: np.ndarray, base: np.ndarray, slope: float) -> np.ndarray:
    chances = _chances(np.column_stack([base - slope, base + slope]))
    return np.log(np.where(x[:, None] > 0.5, chances, 1 - chances))


def _bell(x: np.ndarray, base: np.ndarray, slope: float, spreads: np.ndarray) -> np.ndarray:
    left = (x - base)[:, None] - np.array([-slope, slope])
    return -0.5 * np.log(spreads) - 0.5 * left**2 / spreads
