"""What setting a variable would do to the target: the change of P(positive), over networks and their parameters.

The idea (BIDA: Pensar, Talvitie, Hyttinen and Koivisto 2020). In one network the effect of setting X is had by
adjusting for the parents of X: the target is regressed on X and them, and P(positive) is averaged over the parents as
they are in the table, once with X at one value and once at another. Where X is no ancestor of the target the effect is
nought. Every sampled network gives an effect in this way, and in each the parameters of the regression are drawn from
their posterior as well. So an interval covers what is not known of the network and what is not known of the strength.

The regression is a table of counts where X and its parents are discrete and the rows suffice for it: in each cell a
Beta distribution whose prior counts as one example, with the share of positives of the whole table. Otherwise it is
logistic, its posterior taken as normal around its mode.

Numbers move from their 10th to their 90th percentile, two values from one to the other, and words from the commonest to
each of the others.

>>> from himation.files.raw import RawTable
>>> from himation.posterior.networks import Chain, Networks
>>> from himation.posterior.target import Reliability
>>> from himation.prepare.preparing import prepare
>>> x = np.repeat([0.0, 1.0], 500)
>>> y = np.where(np.arange(1000) % 10 < 2 + 6 * x, 1, -1)  # positive in a fifth, and in four fifths
>>> table = prepare(RawTable("t", ["x"], 1000, values=x[None]), y)
>>> graph = np.array([[[False, True], [False, False]]])  # x causes the target
>>> found = effect(table, Networks((Chain((0,), graph, np.zeros(1)),), Reliability()), 0, 0, 1)
>>> found.p_cause, round(found.mean, 1), 0.5 < found.low < found.high < 0.7
(1.0, 0.6, True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.posterior.networks import MOST_EXAMPLES, Networks
from himation.posterior.reaching import reaches
from himation.table import BINARY, CONTINUOUS, DISCRETE, Table

LOW, HIGH = 0.1, 0.9  # percentiles between which a number is moved
INTERVAL = (0.05, 0.95)
MOST_NETWORKS = 100  # in which a variable is a cause, and the effect is worked out
DRAWS = 400  # of a variable's effect, shared out among its networks
ROWS_A_CELL = 5  # on average, for a table of counts
MOST_AVERAGED = 2_000  # rows over which a logistic regression is averaged
SPREAD = 2.5  # of the prior of a logistic weight; variables are standardised
SPREAD_OF_CONSTANT = 10.0
NEWTON_STEPS = 30

Value = float | str


@dataclass(frozen=True)
class Effect:
    """The probability that the variable is a cause, and the mean and the interval of the change of P(positive)."""

    p_cause: float
    mean: float = 0.0
    low: float = 0.0
    high: float = 0.0


@dataclass(frozen=True)
class Change:
    """A variable, moved from one value to another."""

    variable: int
    before: Value
    after: Value
    effect: Effect


@dataclass(frozen=True)
class _Ways:
    """In what share of the networks a variable is a cause, and its parents there, with how often."""

    p_cause: float
    parents: tuple[tuple[tuple[int, ...], int], ...]


def effects(
    table: Table, networks: Networks, seed: int = 1, progress: Callable[[int, int], None] | None = None
) -> list[Change]:
    """The effects of all variables, the largest first."""
    ways = _ways(networks)
    causes = [x for x in range(table.n_variables) if x in ways and ways[x].p_cause > 0]
    done, regressions = {}, _Regressions(table)
    for k, x in enumerate(causes):
        if progress:
            progress(k, len(causes))
        done[x] = [(move, _effect(regressions, ways[x], x, move, seed)) for move in moves(table, x)]
    found = [
        Change(x, *move, one)
        for x in range(table.n_variables)
        for move, one in done.get(x) or [(move, Effect(0.0)) for move in moves(table, x)]
    ]
    return sorted(found, key=lambda c: (-abs(c.effect.mean), -c.effect.p_cause, c.variable, str(c.after)))


def effect(table: Table, networks: Networks, x: int, before: Value, after: Value, seed: int = 1) -> Effect:
    """The effect of moving one variable from one value to another."""
    for value in (before, after):
        _check(table, x, value)
    return _effect(_Regressions(table), _ways(networks).get(x, _Ways(0.0, ())), x, (before, after), seed)


def moves(table: Table, x: int) -> list[tuple[Value, Value]]:
    """From which value to which others a variable is moved, in the user's units."""
    levels = table.levels[x]
    if table.kinds[x] == BINARY:
        return [(levels[0], levels[1])]
    if table.is_text(x):
        counts = np.bincount(table.train.codes[table.row[x]], minlength=len(levels))
        usual = int(counts.argmax())
        return [(levels[usual], levels[k]) for k in np.flatnonzero(counts).tolist() if k != usual]
    if table.kinds[x] == DISCRETE:
        values = np.array(levels, dtype=float)[np.asarray(table.train.codes[table.row[x]])]
    else:
        values = table.numbers(x) * table.scale[x] + table.centre[x]
    ends = np.quantile(values, [LOW, HIGH], method="nearest")
    low, high = ends if ends[0] < ends[1] else (values.min(), values.max())
    return [(float(low), float(high))]


def _check(table: Table, x: int, value: Value) -> None:
    """Levels must be known, and numbers be numbers."""
    levels, name = table.levels[x], table.names[x]
    if table.kinds[x] == CONTINUOUS or (table.kinds[x] == DISCRETE and not table.is_text(x)):
        if isinstance(value, str) or not np.isfinite(value):
            raise UserError(f"{name!r} is a number and can't be set to {value!r}")
    elif value not in levels:
        raise UserError(f"{name!r} has no value {value!r}; it has {', '.join(map(repr, levels))}")


def _ways(networks: Networks) -> dict[int, _Ways]:
    """Of every variable in a network: how often a cause, and with which parents, in networks spread evenly."""
    held: dict[int, int] = {}
    parents: dict[int, list[tuple[int, ...]]] = {}
    for chain in networks.chains:
        for x in chain.variables:
            held[x] = held.get(x, 0) + len(chain.graphs)
        for graph in chain.graphs:
            for i in np.flatnonzero(reaches(graph, len(graph) - 1)[:-1]).tolist():
                own = sorted(chain.variables[j] for j in np.flatnonzero(graph[:-1, i]))
                parents.setdefault(chain.variables[i], []).append(tuple(own))
    found = {}
    for x, times in held.items():
        every = parents.get(x, [])
        chosen = np.unique(np.linspace(0, len(every) - 1, min(MOST_NETWORKS, len(every))).round().astype(int))
        counted = Counter(every[k] for k in chosen)
        found[x] = _Ways(len(every) / times, tuple(sorted(counted.items())))
    return found


def _effect(regressions: _Regressions, ways: _Ways, x: int, move: tuple[Value, Value], seed: int) -> Effect:
    """Pooled draws of all networks, noughts from those in which x is no cause."""
    if not ways.parents:
        return Effect(ways.p_cause)
    whole = sum(count for _, count in ways.parents)
    values, weights = [np.zeros(1)], [np.array([1 - ways.p_cause])]
    for parents, count in ways.parents:
        draws = -(-DRAWS * count // whole)
        rng = np.random.default_rng([seed, x, *parents])
        values.append(regressions.draws(x, parents, move, draws, rng))
        weights.append(np.full(draws, ways.p_cause * count / whole / draws))
    pooled, shares = np.concatenate(values), np.concatenate(weights)
    order = np.argsort(pooled, kind="stable")
    reached = np.cumsum(shares[order])
    low, high = (pooled[order[min(np.searchsorted(reached, q), len(order) - 1)]] for q in INTERVAL)
    return Effect(ways.p_cause, float(pooled @ shares), float(low), float(high))


class _Regressions:
    """Draws of an effect in one network; columns of the table are made ready once."""

    def __init__(self, table: Table):
        self.table = table
        self.rows = np.arange(0, table.train.n, max(1, -(-table.train.n // MOST_EXAMPLES)))
        self.positive = np.asarray(table.target)[self.rows] > 0
        self.columns: dict[int, np.ndarray] = {}
        self.codes: dict[int, np.ndarray] = {}

    def draws(self, x: int, parents: tuple[int, ...], move, draws: int, rng) -> np.ndarray:
        """Changes of P(positive), one for each draw of the parameters."""
        family = (x, *parents)
        if all(self.table.kinds[i] != CONTINUOUS for i in family):
            cells = float(np.prod([float(self.table.arity(i)) for i in family]))
            known = all(value in self.table.levels[x] for value in move)
            if known and cells * ROWS_A_CELL <= len(self.rows):
                return self._counted(x, parents, move, draws, rng)
        return self._logistic(x, parents, move, draws, rng)

    def _codes(self, i: int) -> np.ndarray:
        if i not in self.codes:
            self.codes[i] = self.table.codes([i])[0][0][self.rows].astype(np.int64)
        return self.codes[i]

    def _features(self, i: int) -> np.ndarray:
        if i not in self.columns:
            self.columns[i] = self.table.features([i])[self.rows]
        return self.columns[i]

    def _counted(self, x, parents, move, draws, rng) -> np.ndarray:
        place = np.zeros(len(self.rows), dtype=np.int64)
        for parent in parents:
            place = place * self.table.arity(parent) + self._codes(parent)
        strata, place = np.unique(place, return_inverse=True)
        shape, own = (len(strata), self.table.arity(x)), self._codes(x)
        counts = np.zeros((2, *shape))
        np.add.at(counts, (self.positive.astype(np.int64), place, own), 1)
        share = float(self.positive.mean())
        ends = [self.table.levels[x].index(value) for value in move]
        weights = rng.dirichlet(counts.sum(axis=(0, 2)), size=draws)
        before, after = (
            rng.beta(counts[1, :, k] + share, counts[0, :, k] + 1 - share, (draws, len(strata))) for k in ends
        )
        return ((after - before) * weights).sum(axis=1)

    def _logistic(self, x, parents, move, draws, rng) -> np.ndarray:
        own = self._features(x)
        beside = [np.ones((len(self.rows), 1)), *(self._features(i) for i in parents)]
        design = np.column_stack([*beside, own])
        precision = np.full(design.shape[1], SPREAD**-2)
        precision[0] = SPREAD_OF_CONSTANT**-2
        mode, factor = fit_logistic(design, self.positive.astype(float), precision)
        weights = mode[:, None] + np.linalg.solve(factor.T, rng.standard_normal((len(mode), draws)))
        some = slice(None, None, max(1, -(-len(self.rows) // MOST_AVERAGED)))
        others = design[some, : -own.shape[1]] @ weights[: -own.shape[1]]
        shares = rng.standard_exponential(others.shape)  # which rows there are is a draw as well
        shares /= shares.sum(axis=0)
        before, after = (
            (_chance(others + self._set(x, value) @ weights[-own.shape[1] :]) * shares).sum(axis=0) for value in move
        )
        return after - before

    def _set(self, x: int, value: Value) -> np.ndarray:
        """The features of a variable that has a value."""
        if self.table.kinds[x] == BINARY:
            return np.array([float(self.table.levels[x].index(value))])
        if self.table.is_text(x):
            return (np.arange(self.table.arity(x)) == self.table.levels[x].index(value)).astype(float)
        return np.array([(value - self.table.centre[x]) / self.table.scale[x]])


def fit_logistic(design: np.ndarray, y: np.ndarray, precision: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mode of the weights under independent normal priors, and the Cholesky factor of the curvature there."""
    weights = np.zeros(design.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = _chance(design @ weights)
        slope = design.T @ (y - chance) - precision * weights
        curvature = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(precision)
        step = np.linalg.solve(curvature, slope)
        weights = weights + step * min(1.0, 5.0 / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-8:
            break
    chance = _chance(design @ weights)
    curvature = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(precision)
    return weights, np.linalg.cholesky(curvature)


def _chance(logit: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(logit, -40, 40)))
