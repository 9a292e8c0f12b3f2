"""Networks around the target, drawn from their posterior: the one object that every answer is an average over.

Several chains (`himation.posterior.orders`), each over its own part of the variables (`himation.posterior.nodes`) and
with its own factor for the target's reliability (`himation.posterior.target`). Numbers are squashed a little, since a
few extreme values decide a correlation. Where every variable is discrete and the target is what its neighbours see,
networks are scored by tables of counts; otherwise all variables are numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from himation.posterior import nodes as choosing
from himation.posterior import target as reliability
from himation.posterior.orders import Sampling, correlation_matrix, sample_graphs
from himation.posterior.settings import Settings
from himation.table import CONTINUOUS, Table

SQUASH = 3.0  # standard deviations: numbers stay below
MOST_EXAMPLES = 20_000


@dataclass(frozen=True)
class Chain:
    """Variables, without the target, which is the last node of every graph; graphs by node by node."""

    variables: tuple[int, ...]
    graphs: np.ndarray
    log_posterior: np.ndarray
    factor: float = 1.0


@dataclass(frozen=True)
class Networks:
    """The chains, and the target's reliability."""

    chains: tuple[Chain, ...]
    reliability: reliability.Reliability


NO_NETWORKS = Networks((), reliability.Reliability())


@dataclass(frozen=True)
class Options:
    """How many chains, how long, and which parts of the model are in use (all, but for an ablation)."""

    chains: int = Settings.chains
    sampling: Sampling = field(default_factory=Sampling)
    room: choosing.Room = field(default_factory=choosing.Room)
    with_reliability: bool = True

    @classmethod
    def of(cls, chains: int, sweeps: int, nodes: int, seed: int) -> Options:
        """By the user's settings; half of a chain is burnt in."""
        room = choosing.Room(nodes, round(0.7 * nodes), round(0.2 * nodes))
        return cls(chains, Sampling(sweeps=sweeps, burn_in=sweeps // 2, seed=seed), room)


def draw(table: Table, options: Options | None = None, progress: Callable[[int, int], None] | None = None) -> Networks:
    """Sample networks around the table's target."""
    options = options or Options()
    rows = slice(None, None, max(1, -(-table.train.n // MOST_EXAMPLES)))
    labels = standardised(np.where(np.asarray(table.target) > 0, 1.0, -1.0)[rows, None])[:, 0]
    n = len(labels)

    def columns(variables):
        return standardised(np.column_stack([table.numbers_for_target(int(x))[rows] for x in variables]))

    pool = choosing.choose(columns, table.n_variables, labels, options.room)
    members = pool.members()
    if not members:
        return Networks((), reliability.Reliability())
    squashed = SQUASH * np.tanh(columns(members) / SQUASH)
    correlations = correlation_matrix(np.column_stack([squashed, labels]))
    codes = None
    if not any(table.kinds[x] == CONTINUOUS for x in members):
        codes = np.vstack([table.codes(members)[0][:, rows], labels > 0]).astype(np.int64)
    place = {x: i for i, x in enumerate(members)}
    found = reliability.Reliability()
    if options.with_reliability:
        use = [*(place[x] for x in pool.related[: pool.always]), len(members)]
        found = reliability.judge(correlations[np.ix_(use, use)], n, options.sampling.pilot())
    chains = []
    for number in range(options.chains):
        if progress:
            progress(number, options.chains)
        own = pool.of_chain(number)
        factor = found.of_chain(number, options.chains)
        use = [*(place[x] for x in own), len(members)]
        here = reliability.scaled(correlations, factor)
        drawn = sample_graphs(
            here[np.ix_(use, use)],
            n,
            len(own),
            codes[use] if codes is not None and factor == 1.0 else None,
            replace(options.sampling, seed=options.sampling.seed * 10_000 + number),
        )
        chains.append(Chain(tuple(own), drawn.graphs, drawn.log_posterior, factor))
    return Networks(tuple(chains), found)


def standardised(X: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and variance 1; constant ones are 0."""
    centred = X - X.mean(axis=0)
    scale = centred.std(axis=0)
    return centred / np.where(scale > 0, scale, 1.0)
