"""What setting a variable would do to the target: the change of P(positive), over networks and their parameters.

The idea (BIDA: Pensar, Talvitie, Hyttinen and Koivisto 2020). In one network the effect of setting X is had by
adjusting for the parents of X: the target is regressed on X and them, and P(positive) is averaged over the parents as
they are in the table, once with X at one value and once at another. Every sampled network gives an effect in this way,
and in each the parameters of the regression are drawn from their posterior as well. So an interval covers what is not
known of the network and what is not known of the strength.

The regression is a table of counts where X and its parents are discrete and the rows suffice for it: in each cell a
Beta distribution whose prior counts as one example, with the share of positives of the whole table. Otherwise it is
logistic, its posterior taken as normal around its mode. It takes the natural rows, and those experiments of which the
network says that they show the same (`himation.posterior.experiments`). The likelihood counts for as much of the rows
as in the networks, since no model is quite right.

Where X is below the target the effect is nought. Where a network links the two in no direction it may be so, or the
link is too weak for these rows to show: the mean counts such a network as nought, the interval as what a straight line
adjusted for the parents of X leaves possible.

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from himation.errors import UserError
from himation.posterior.experiments import Settings
from himation.posterior.networks import MOST_EXAMPLES, Networks
from himation.posterior.reaching import reaches
from himation.posterior.scoring import Sampling
from himation.table import BINARY, CONTINUOUS, DISCRETE, Table

LOW, HIGH = 0.1, 0.9  # percentiles between which a number is moved
INTERVAL = (0.05, 0.95)
MOST_NETWORKS = 100  # in which a variable is a cause, and the effect is worked out
MOST_APART = 10  # in which it is neither above nor below the target
DRAWS = 400  # of a variable's effect, shared out among its networks
ROWS_A_CELL = 5  # on average, for a table of counts
TEMPER = Sampling.temper  # of the likelihood, as in the networks
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
class _Way:
    """The parents of a variable in a network, the settings whose rows count there, and in how many networks so."""

    parents: tuple[int, ...]
    settings: tuple[int, ...]
    count: int = 1


@dataclass(frozen=True)
class _Ways:
    """The shares of the networks in which a variable is a cause, and neither above nor below the target; and how."""

    p_cause: float
    p_apart: float
    above: tuple[_Way, ...]
    apart: tuple[_Way, ...]


_UNSEEN = _Ways(0.0, 1.0, (), (_Way((), ()),))  # of a variable that is in no network


def effects(
    table: Table, networks: Networks, seed: int = 1, progress: Callable[[int, int], None] | None = None
) -> list[Change]:
    """The effects of all variables, the largest first."""
    ways, found, regressions = _ways(table, networks), [], _Regressions(table)
    for x in range(table.n_variables):
        if progress:
            progress(x, table.n_variables)
        for move in moves(table, x):
            found.append(Change(x, *move, _effect(regressions, ways.get(x, _UNSEEN), x, move, seed)))
    return sorted(found, key=lambda c: (-abs(c.effect.mean), -c.effect.p_cause, c.variable, str(c.after)))


def effect(table: Table, networks: Networks, x: int, before: Value, after: Value, seed: int = 1) -> Effect:
    """The effect of moving one variable from one value to another."""
    for value in (before, after):
        _check(table, x, value)
    return _effect(_Regressions(table), _ways(table, networks).get(x, _UNSEEN), x, (before, after), seed)


def moves(table: Table, x: int) -> list[tuple[Value, Value]]:
    """From which value to which others a variable is moved, in the user's units."""
    levels = table.levels_of(x)
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
    levels, name = table.levels_of(x), table.names[x]
    if table.kinds[x] == CONTINUOUS or (table.kinds[x] == DISCRETE and not table.is_text(x)):
        if isinstance(value, str) or not np.isfinite(value):
            raise UserError(f"{name!r} is a number and can't be set to {value!r}")
    elif value not in levels:
        raise UserError(f"{name!r} has no value {value!r}; it has {', '.join(map(repr, levels))}")


def _ways(table: Table, networks: Networks) -> dict[int, _Ways]:
    """Of every variable in a network."""
    held: dict[int, int] = {}
    ways: tuple[dict[int, list[_Way]], ...] = {}, {}
    for chain in networks.chains:
        settings = Settings.of(table, chain.variables)
        for x in chain.variables:
            held[x] = held.get(x, 0) + len(chain.graphs)
        for graph in chain.graphs:
            above, below = reaches(graph, len(graph) - 1), reaches(graph.T, len(graph) - 1)
            for i in np.flatnonzero(below[:-1] == 0).tolist():
                own = graph[:-1, i].copy()
                parents = tuple(sorted(chain.variables[j] for j in np.flatnonzero(own)))
                own[i] = True
                kind = ways[0] if above[i] else ways[1]
                kind.setdefault(chain.variables[i], []).append(_Way(parents, settings.usable(graph, own)))
    found = {}
    for x, times in held.items():
        causes, others = (kind.get(x, []) for kind in ways)
        shares = len(causes) / times, len(others) / times
        found[x] = _Ways(*shares, _some(causes, MOST_NETWORKS), _some(others, MOST_APART))
    return found


def _some(ways: Sequence[_Way], most: int) -> tuple[_Way, ...]:
    """Evenly spread ones, those that are alike counted."""
    chosen = np.unique(np.linspace(0, len(ways) - 1, min(most, len(ways))).round().astype(int))
    counted = Counter((ways[k].parents, ways[k].settings) for k in chosen)
    return tuple(_Way(*one, count) for one, count in sorted(counted.items()))


def _effect(regressions: _Regressions, ways: _Ways, x: int, move: tuple[Value, Value], seed: int) -> Effect:
    """Draws of all networks together."""
    values, weights = [np.zeros(1)], [np.array([max(0.0, 1 - ways.p_cause - ways.p_apart)])]
    mean = 0.0
    for share, some in ((ways.p_cause, ways.above), (ways.p_apart, ways.apart)):
        whole = sum(way.count for way in some)
        for way in some:
            draws = -(-DRAWS * way.count // whole)
            if some is ways.above:
                rng = np.random.default_rng([seed, x, *way.parents])
                values.append(regressions.draws(x, way, move, draws, rng))
                mean += share * way.count / whole * float(values[-1].mean())
            else:
                values.append(regressions.straight(x, way, move, draws))
            weights.append(np.full(draws, share * way.count / whole / draws))
    pooled, shares = np.concatenate(values), np.concatenate(weights)
    order = np.argsort(pooled, kind="stable")
    reached = np.cumsum(shares[order])
    low, high = (pooled[order[min(int(np.searchsorted(reached, q)), len(order) - 1)]] for q in INTERVAL)
    return Effect(ways.p_cause, mean, float(low), float(high))


class _Regressions:
    """Draws of an effect in one network; columns of the table are made ready once, the natural rows first."""

    def __init__(self, table: Table):
        self.table = table
        self.rows = np.arange(0, table.train.n, max(1, -(-table.train.n // MOST_EXAMPLES)))
        self.positive, self.setting = np.asarray(table.target)[self.rows] > 0, np.full(len(self.rows), -1)
        if table.experiments is not None and table.environment is not None:
            self.positive = np.append(self.positive, np.asarray(table.environment.target) > 0)
            self.setting = np.append(self.setting, table.environment.groups)
        self.columns: dict[int, np.ndarray] = {}

    def _counting(self, way: _Way) -> np.ndarray:
        """Which rows do."""
        return (self.setting < 0) | np.isin(self.setting, way.settings)

    def draws(self, x: int, way: _Way, move, draws: int, rng) -> np.ndarray:
        """Changes of P(positive), one for each draw of the parameters."""
        family = (x, *way.parents)
        if all(self.table.kinds[i] != CONTINUOUS for i in family):
            cells = float(np.prod([float(self.table.arity(i)) for i in family]))
            known = all(value in self.table.levels_of(x) for value in move)
            if known and cells * ROWS_A_CELL <= len(self.rows):
                return self._counted(x, way, move, draws, rng)
        return self._logistic(x, way, move, draws, rng)

    def straight(self, x: int, way: _Way, move, draws: int) -> np.ndarray:
        """Quantiles of the change by a straight line."""
        design, own = self._design(x, way.parents)
        use = self._counting(way)
        design, y = design[use], self.positive[use].astype(float)
        products = design.T @ design + np.eye(design.shape[1])
        weights = np.linalg.solve(products, design.T @ y)
        change = np.zeros(design.shape[1])
        change[-own:] = self._set(x, move[1]) - self._set(x, move[0])
        variance = (
            float(np.mean((y - design @ weights) ** 2)) * float(change @ np.linalg.solve(products, change)) / TEMPER
        )
        return float(change @ weights) + np.sqrt(variance) * ndtri((np.arange(draws) + 0.5) / draws)

    def _features(self, i: int) -> np.ndarray:
        if i not in self.columns:
            inside = self.table.features([i])[self.rows]
            if self.table.experiments is not None:
                inside = np.vstack([inside, self.table.features([i], "experiments")])
            self.columns[i] = inside
        return self.columns[i]

    def _design(self, x: int, parents: tuple[int, ...]) -> tuple[np.ndarray, int]:
        """A column of ones, those of the parents, and those of x, with how many these are."""
        own = self._features(x)
        beside = [np.ones((len(own), 1)), *(self._features(i) for i in parents)]
        return np.column_stack([*beside, own]), own.shape[1]

    def _codes(self, i: int) -> np.ndarray:
        found = self.table.codes([i])[0][0][self.rows]
        if self.table.experiments is not None:
            found = np.append(found, self.table.codes([i], "experiments")[0][0])
        return found.astype(np.int64)

    def _counted(self, x, way, move, draws, rng) -> np.ndarray:
        place = np.zeros(len(self.positive), dtype=np.int64)
        for parent in way.parents:
            place = place * self.table.arity(parent) + self._codes(parent)
        strata, place = np.unique(place, return_inverse=True)
        shape, own = (len(strata), self.table.arity(x)), self._codes(x)
        counts, natural, use = np.zeros((2, *shape)), self.setting < 0, self._counting(way)
        np.add.at(counts, (self.positive[use].astype(np.int64), place[use], own[use]), TEMPER)
        share = float(self.positive[natural].mean())
        ends = [self.table.levels_of(x).index(value) for value in move]
        weights = rng.dirichlet(
            np.maximum(TEMPER * np.bincount(place[natural], minlength=len(strata)), 1e-9), size=draws
        )
        before, after = (
            rng.beta(counts[1, :, k] + share, counts[0, :, k] + 1 - share, (draws, len(strata))) for k in ends
        )
        return ((after - before) * weights).sum(axis=1)

    def _logistic(self, x, way, move, draws, rng) -> np.ndarray:
        design, own = self._design(x, way.parents)
        precision = np.full(design.shape[1], SPREAD**-2)
        precision[0] = SPREAD_OF_CONSTANT**-2
        use, natural = self._counting(way), design[self.setting < 0]
        mode, factor = fit_logistic(design[use], self.positive[use].astype(float), precision)
        weights = mode[:, None] + np.linalg.solve(factor.T, rng.standard_normal((len(mode), draws))) / np.sqrt(TEMPER)
        some = slice(None, None, max(1, -(-len(natural) // MOST_AVERAGED)))
        others = natural[some, :-own] @ weights[:-own]
        shares = rng.standard_exponential(others.shape)  # which rows there are is a draw as well
        shares /= shares.sum(axis=0)
        before, after = (
            (_chance(others + self._set(x, value) @ weights[-own:]) * shares).sum(axis=0) for value in move
        )
        return after - before

    def _set(self, x: int, value: Value) -> np.ndarray:
        """The features of a variable that has a value."""
        if self.table.kinds[x] == BINARY:
            return np.array([float(self.table.levels_of(x).index(value))])
        if self.table.is_text(x):
            return (np.arange(self.table.arity(x)) == self.table.levels_of(x).index(value)).astype(float)
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
