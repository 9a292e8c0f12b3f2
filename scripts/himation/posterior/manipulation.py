"""What was manipulated in the test table, by its inputs alone (its labels are not needed).

Under a network and a set of manipulated variables the test table has a likelihood: the mechanisms of the others are
those of training (`himation.posterior.mechanisms`). Away from the target each variable is judged by itself, given its
parents. The effects of the target hang together because of it, and nobody sees it in the test table: their states are
drawn together, by Gibbs sampling, with the target summed out. The share of variables in each state is learned from the
table, starting from a share that the user may know. Networks under which the test table is likely count for more, as
what still goes with a variable that was set is its effect; they are compared within their chain, where all have the
same variables.

A variable that is in no network is judged by its strongest companion in them, in the place of its parents.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import numpy as np
from numba import njit

from himation.posterior.averages import left_over
from himation.posterior.mechanisms import FOLLOWS, ROUNDS, SAME, SHIFTED, Mechanisms, Rows, drifting_rows
from himation.posterior.networks import Networks
from himation.posterior.reaching import reaches
from himation.table import Table

EACH = 5  # networks of a chain
DRAWS = 4  # sets of manipulated variables in each network that are used
SWEEPS, BURN_IN = 16, 6
TURNS = 3  # of judging the effects of the target, and of learning their shares
STRENGTH = 1.0  # variables that the prior share counts as: at one half this is Jeffreys's prior
SOFT = 0.5  # of the manipulated are shifted, before the table is seen
WEIGHTS = 10_000  # of all panels together, about
RELATED = 4.0  # z-score from which a companion says something
LIKELY = 0.5  # share of the networks from which a cause is named
_MOST_ODDS, _LARGE = 300.0, 1e30  # a row's log odds by one state, and by all others; their product is a number yet
_CHUNK = 1024


@dataclass(frozen=True)
class Chance:
    """That a variable was set, and that it was shifted; ``networks`` is the share of the networks that hold it and
    ``companion`` its likeliest cause, or what it goes with most."""

    set: float
    shifted: float
    networks: float = 0.0
    companion: int | None = None


@dataclass
class Told:
    """One network as the test table sees it.

    The target is the last node of the graph. ``chances`` are those of being the same, set and shifted, by variable;
    ``drawn`` says, draw by draw, which ``effects`` of the target were cut off from it: set, or effects of another
    effect; ``kept`` says of every variable with causes, none of which is the target, how likely the test rows are by
    its mechanism, beside one fitted to them.
    """

    graph: np.ndarray
    variables: tuple[int, ...]
    place: tuple[int, int]  # the number of its chain, and its own in it
    effects: np.ndarray
    chances: np.ndarray
    drawn: np.ndarray
    weight: float = 1.0
    kept: np.ndarray = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class Inferred:
    """Chances by variable, the shares of the same, set and shifted, how far the table decides, and how steady
    mechanisms are: the part of the rows that counts beside their drift. Both are from 0 to 1."""

    chances: dict[int, Chance]
    shares: tuple[float, float, float]
    told: float
    steady: float = 1.0
    networks: tuple[Told, ...] = field(default=(), repr=False)


def infer(table: Table, networks: Networks, share: float = 0.5, seed: int = 1) -> Inferred:
    """Ask the test part of a table; ``share`` is that of manipulated variables before anything is seen."""
    members = sorted({x for chain in networks.chains for x in chain.variables})
    rows = Rows.of(table, members)
    place = {x: i + 1 for i, x in enumerate(members)}
    spread = list(_spread(networks))
    prior = np.array([1 - share, share * (1 - SOFT), share * SOFT])
    plain, rows = rows, rows.counting(_drift(Mechanisms(rows), spread, place, prior))
    mechanisms = Mechanisms(rows)
    likely = [_Likely.of(mechanisms, one, place) for one in spread]
    far = _learn(likely, prior)
    near = far
    for turn in range(TURNS):
        sweeps = (SWEEPS, BURN_IN) if turn == TURNS - 1 else (BURN_IN, 2)
        for k, one in enumerate(likely):
            one.judge(far, near, sweeps, seed * 100_003 + TURNS * k + turn)
        near = _near(likely, prior)
    _weigh(likely)
    found = [one.told for one in likely]
    chances = _averaged(found, rows, members)
    chances |= _outside(table, rows, members, chances, far)
    steady = rows.counts_for / plain.counts_for
    return Inferred(chances, tuple(far.tolist()), _decided(found), steady, tuple(found))


def _spread(networks: Networks) -> Iterator[Told]:
    for number, chain in enumerate(networks.chains):
        last = len(chain.graphs) - 1
        for k in np.unique(np.linspace(0, last, min(EACH, last + 1)).round().astype(int)).tolist():
            graph = chain.graphs[k]
            effects = np.flatnonzero(graph[-1, :-1])
            chances, drawn = np.zeros((len(chain.variables), 3)), np.zeros((0, len(effects)), dtype=bool)
            yield Told(graph, chain.variables, (number, k), effects, chances, drawn)


@dataclass
class _Likely:
    """A network with its log-likelihoods: by variable and state of those that are no effects of the target, and of
    these together what `_gibbs` takes; what a row counts for; and the present states of the effects."""

    told: Told
    local: np.ndarray
    block: tuple[np.ndarray, ...]
    share: float
    states: np.ndarray
    refitted: np.ndarray
    total: float = 0.0

    @classmethod
    def of(cls, mechanisms: Mechanisms, told: Told, place) -> _Likely:
        local = np.zeros((len(told.variables), 3))
        refitted = np.full(len(told.variables), np.nan)
        for i in np.setdiff1d(np.arange(len(told.variables)), told.effects).tolist():
            family = _family(told, i, place)
            local[i] = mechanisms.states(*family)
            if family[1]:
                refitted[i] = mechanisms.refitted(*family)
        states = np.zeros(len(told.effects) + 1, dtype=np.int64)
        block: tuple[np.ndarray, ...] = ()
        if len(told.effects):
            families = [_family(told, i, place) for i in told.effects.tolist()]
            logs, start, costs = mechanisms.effects(families, _family(told, -1, place)[1])
            block = (logs[..., 1] - logs[..., 0]).astype(np.float32), logs[..., 0].sum(axis=2), start, costs
        return cls(told, local, block, mechanisms.rows.counts_for / len(mechanisms.rows.test), states, refitted)

    @property
    def judged(self) -> np.ndarray:
        """Variables with a parent and without the target among them."""
        has = np.asarray(self.told.graph[:-1, :-1].any(axis=0))
        has[self.told.effects] = False
        return has

    def judge(self, far: np.ndarray, near: np.ndarray, sweeps: tuple[int, int], seed: int) -> None:
        """The chances of all variables and the log-likelihood of the network, given the shares of the states."""
        told = self.told
        told.chances = _posterior(self.local, far)
        told.kept = far[0] * np.exp(np.minimum(self.local[:, 0] - self.refitted, 0.0)) + 1 - far[0]
        others = np.delete(self.local, told.effects, axis=0)
        self.total = float(np.logaddexp.reduce(others + np.log(far), axis=1).sum())
        if not self.block:
            return
        odds, negative, start, costs = self.block
        ways = odds.shape[1] - SHIFTED
        of_set = SHIFTED - FOLLOWS - 1
        prior = np.log(np.array([near[0], near[0], *[near[1] / of_set] * of_set, *[near[2] / ways] * ways])) - costs
        others = odds.shape[1] - 1
        prior[-1] = np.log([far[0], *[(1 - far[0]) / others] * others])
        states, joint = _gibbs(start, odds, negative, prior, self.share, self.states, *sweeps, seed % 2**31)
        of_effects = states[:, :-1]
        told.drawn = (of_effects > SAME) & (of_effects < SHIFTED)
        parts = (of_effects <= FOLLOWS, told.drawn & (of_effects > FOLLOWS), of_effects >= SHIFTED)
        told.chances[told.effects] = np.array([part.mean(axis=0) for part in parts]).T
        self.states, self.total = states[-1], self.total + float(joint.mean())


def _drift(mechanisms: Mechanisms, spread: list[Told], place, prior: np.ndarray) -> float:
    """Of the mechanisms that the hidden target has no part in. One whose link with its causes is lost was set, which
    says nothing of drift; those without causes count by the share of links that were kept."""
    families = [
        _family(told, i, place)
        for told in spread
        for i in np.setdiff1d(np.arange(len(told.variables)), told.effects).tolist()
    ]
    kept = {one: 1 - float(_posterior(mechanisms.states(*one), prior)[1]) for one in set(families) if one[1]}
    linked = [kept[one] for one in families if one[1]]
    each = len(linked) / max(1, len(spread))  # in a network
    share = (each * float(np.mean(linked)) + 0.5) / (each + 1) if linked else 0.5
    known = {one: mechanisms.changes(*one) for one in set(families)}
    changes = np.array([change for one in families for change in known[one]])
    weights = np.array([kept.get(one, share) for one in families for _ in known[one]]) / max(1, len(spread))
    return drifting_rows(changes, weights, mechanisms.rows.counts_for)


def _family(told: Told, i: int, place) -> tuple[int, tuple[int, ...]]:
    """A variable of a network and its parents, the target not among them; -1 is the target."""
    parents = sorted(place[told.variables[j]] for j in np.flatnonzero(told.graph[:-1, i]))
    return place[told.variables[i]] if i >= 0 else -1, tuple(parents)


def _learn(likely: list[_Likely], prior: np.ndarray) -> np.ndarray:
    """Shares of the three states: the fixed point of the mean of their chances, with the prior."""
    logs = np.concatenate([one.local[one.judged] for one in likely]) if likely else np.empty((0, 3))
    shares = prior
    for _ in range(ROUNDS):
        counted = _posterior(logs, shares).sum(axis=0) / max(1, len(likely))
        shares = (counted + STRENGTH * prior) / (counted.sum() + STRENGTH)
    return shares


def _near(likely: list[_Likely], prior: np.ndarray) -> np.ndarray:
    """Shares of the three states among the effects of the target, which are what an adversary would choose."""
    seen = [one.told.chances[one.told.effects] for one in likely if one.block]
    each = sum(map(len, seen)) / max(1, len(seen))
    counted = np.concatenate(seen).mean(axis=0) * each if seen else np.zeros(3)
    return (counted + STRENGTH * prior) / (counted.sum() + STRENGTH)


def _posterior(logs: np.ndarray, shares: np.ndarray) -> np.ndarray:
    joint = logs + np.log(shares)
    chances = np.exp(joint - joint.max(axis=-1, keepdims=True))
    return chances / chances.sum(axis=-1, keepdims=True)


@njit(cache=True)
def _gibbs(start, odds, negative, prior, share, state, sweeps, burn_in, seed):
    """States of the effects by kept sweep, and their log joint. ``start`` has the target's log chances by row and
    value; ``odds`` are by effect, state and row what a state adds to its log odds, and ``negative`` by effect and state
    what the negative value has, over all rows.

    A row has log(1 + exp(odds)) beside that: a product over rows needs a logarithm only where it has grown large.
    """
    np.random.seed(seed)
    n_effects, n_states, n_rows = odds.shape
    ratio, state = np.empty(odds.shape), state.copy()
    for c in range(n_effects):
        for s in range(n_states):
            _raise(ratio[c, s], odds[c, s])
    whole, others, base = np.empty(n_rows), np.empty(n_rows), 0.0
    for row in range(n_rows):
        whole[row] = start[row, 1] - start[row, 0]
        base += start[row, 0]
    for c in range(n_effects):
        _add(whole, odds[c, state[c]], 1.0)
        base += negative[c, state[c]]
    kept, joints = np.empty((sweeps - burn_in, n_effects), np.int64), np.zeros(sweeps - burn_in)
    values, shape = np.empty(n_states), np.empty(n_states)
    for sweep in range(sweeps):
        chosen = 0
        for c in range(n_effects):
            _add(whole, odds[c, state[c]], -1.0)
            base -= negative[c, state[c]]
            _raise(others, whole)
            highest, every = -np.inf, 0.0
            for s in range(n_states):
                value, product = base + negative[c, s], 1.0
                for row in range(n_rows):
                    product *= 1.0 + others[row] * ratio[c, s, row]
                    if product > _LARGE:
                        value += math.log(product)
                        product = 1.0
                values[s] = share * (value + math.log(product)) + prior[c, s]
                highest = max(highest, values[s])
            for s in range(n_states):
                shape[s] = math.exp(values[s] - highest)
                every += shape[s]
            left, chosen = np.random.random() * every, 0
            while chosen < n_states - 1 and left >= shape[chosen]:
                left -= shape[chosen]
                chosen += 1
            state[c] = chosen
            _add(whole, odds[c, chosen], 1.0)
            base += negative[c, chosen]
        if sweep >= burn_in:
            for c in range(n_effects):
                kept[sweep - burn_in, c] = state[c]
                joints[sweep - burn_in] += prior[c, state[c]] if c < n_effects - 1 else values[chosen]
    return kept, joints


@njit(cache=True)
def _add(numbers, more, times):
    for row in range(len(numbers)):
        numbers[row] += times * more[row]


@njit(cache=True)
def _raise(numbers, exponents):
    for row in range(len(numbers)):
        numbers[row] = math.exp(min(max(exponents[row], -_MOST_ODDS), _MOST_ODDS))


def _weigh(likely: list[_Likely]) -> None:
    """Weights within each chain by log-likelihood for one variable: no network is right about all of a hundred, and
    what the wrong ones miss far from the target must not decide among them."""
    for chain in sorted({one.told.place[0] for one in likely}):
        own = [one for one in likely if one.told.place[0] == chain]
        logs = np.array([one.total / max(1, len(one.told.variables)) for one in own])
        weights = np.exp(logs - logs.max())
        for one, weight in zip(own, (weights / weights.sum()).tolist(), strict=True):
            one.told.weight = weight


def _averaged(found: list[Told], rows: Rows, members) -> dict[int, Chance]:
    """Where a variable has causes other than the target, networks in which its mechanism is what it was tell more of
    it: the mechanism of wrong causes changes with whatever else was manipulated. If the variable itself was, it is what
    it was in no network, and all tell the same."""
    sums = {x: np.zeros(3) for x in members}
    held = dict.fromkeys(members, 0.0)
    causes: dict[int, dict[int, float]] = {x: {} for x in members}
    linked: dict[int, list[tuple[float, float, np.ndarray]]] = {x: [] for x in members}
    for one in found:
        for x, chances, kept in zip(one.variables, one.chances, one.kept.tolist(), strict=True):
            held[x] += one.weight
            if np.isnan(kept):
                sums[x] += one.weight * chances
            else:
                linked[x].append((one.weight, kept, chances))
        for i, j in np.argwhere(one.graph[:-1, :-1]).tolist():
            cause, x = one.variables[i], one.variables[j]
            causes[x][cause] = causes[x].get(cause, 0.0) + one.weight
    for x, several in linked.items():
        if several:
            weights = np.array([weight for weight, _, _ in several])
            local = weights * np.array([kept for _, kept, _ in several])
            sums[x] += weights.sum() / local.sum() * (local @ np.array([chances for _, _, chances in several]))
    total = sum(one.weight for one in found)
    partners = {x: members[i] for x, i in zip(members, rows.partners().tolist(), strict=True) if len(members) > 1}
    averaged = {}
    for x in members:
        likeliest = max(causes[x], key=lambda cause: (causes[x][cause], -cause), default=None)
        companion = likeliest if likeliest is not None and causes[x][likeliest] >= LIKELY * held[x] else partners.get(x)
        averaged[x] = Chance(*(*(sums[x][1:] / held[x]).tolist(), held[x] / total, companion))
    return averaged


def _decided(found: list[Told]) -> float:
    """1 less the mean entropy, in bits, of whether a variable with causes was set."""
    parts = []
    for one in found:
        p = one.chances[one.graph[:, :-1].any(axis=0), 1].clip(1e-12, 1 - 1e-12)
        parts.append((len(p), float(-(p * np.log2(p) + (1 - p) * np.log2(1 - p)).sum())))
    count = sum(n for n, _ in parts)
    return 1 - sum(bits for _, bits in parts) / count if count else 0.0


def _outside(table: Table, rows: Rows, members, known: dict[int, Chance], shares: np.ndarray) -> dict[int, Chance]:
    """Of variables in no network: given the strongest of those companions that were rather not set."""
    steady = np.array([known[x].set < 0.5 for x in members], dtype=bool)
    others = np.setdiff1d(np.arange(table.n_variables), members)
    found = {}
    for start in range(0, len(others), _CHUNK):
        some = others[start : start + _CHUNK].tolist()
        here = Rows.of(table, some)
        r = here.correlations(rows) * steady if len(members) else np.zeros((len(some), 0))
        best = np.abs(r).argmax(axis=1) if len(members) else np.zeros(len(some), dtype=int)
        for i, x in enumerate(some):
            companion = len(members) > 0 and abs(r[i, best[i]]) * np.sqrt(len(rows.labels)) > RELATED
            pair = Mechanisms(here.beside(i + 1, rows, int(best[i]) + 1 if companion else 0))
            chances = _posterior(pair.states(1, (2,) if companion else ()), shares)
            found[x] = Chance(*(*chances[1:].tolist(), 0.0, members[best[i]] if companion else None))
    return found


def manipulated(inferred: Inferred) -> Iterator[tuple[Told, np.ndarray, float]]:
    """Networks with sets of variables that were set, True by variable, and weights; those of a chain sum to 1."""
    for one in inferred.networks:
        for number in range(DRAWS):
            was_set = one.chances[:, 1] > (number + 0.5) / DRAWS
            if len(one.drawn):
                was_set[one.effects] = one.drawn[round(number * (len(one.drawn) - 1) / (DRAWS - 1))]
            yield one, was_set, one.weight / DRAWS


def panels(inferred: Inferred, natural: Collection[int], widest: Collection[int] = ()) -> dict[tuple[int, ...], int]:
    """Variables to predict with, and weights: of every network the blanket of the target once those effects that were
    set have lost their causes, with what else of the natural set the manipulation leaves as it was.

    As far as the table does not decide, the parents alone are used, as without a test table, if there are too few rows
    to say; the widest set, or else the natural one, if mechanisms drift: then nothing was cut, everything has changed a
    little, and many variables are safer than a few.
    """
    left, steady, widest = 1 - inferred.told, inferred.steady, tuple(widest or natural)
    found: dict[tuple[int, ...], float] = {}
    for k, (one, was_set, weight) in enumerate(manipulated(inferred)):
        level = (k % DRAWS + 0.5) / DRAWS
        kept = {x for x in natural if x not in one.variables and inferred.chances[x].set <= level}
        for x, blanket, stays in zip(one.variables, *_usable(one.graph, was_set), strict=True):
            if blanket or (stays and x in natural):
                kept.add(x)
        parents = [x for x, is_parent in zip(one.variables, one.graph[:-1, -1], strict=True) if is_parent]
        for members, part in ((kept, inferred.told), (parents, left * steady), (widest, left * (1 - steady))):
            panel = tuple(sorted(members))
            found[panel] = found.get(panel, 0.0) + weight * part
    if not any(found.get(members) for members in found if members):
        return {tuple(sorted(widest)): 1} if widest else {}
    scale = WEIGHTS / max(1, len({one.place[0] for one in inferred.networks}))
    weights = {panel: round(weight * scale) for panel, weight in sorted(found.items()) if panel}
    return {panel: weight for panel, weight in weights.items() if weight}


def _usable(graph: np.ndarray, was_set: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Who is in the target's blanket after the manipulation; and who was not before it, and is left as it was: neither
    set, unless above the target, nor below an effect that was set, nor cut off from the target."""
    after, tainted = left_over(graph, was_set)
    before, _ = left_over(graph, np.zeros_like(was_set))
    cut = graph.copy()
    cut[:, :-1][:, was_set] = False
    above = reaches(graph, len(graph) - 1)[:-1] > 0
    below, still = (reaches(one.T, len(graph) - 1)[:-1] > 0 for one in (graph, cut))
    return after, ~before & ~tainted & (above | ~was_set) & (below == still)
