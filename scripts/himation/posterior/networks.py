"""Networks around the target, drawn from their posterior: the one object that every answer is an average over.

Several chains (`himation.posterior.orders`), each over its own part of the variables (`himation.posterior.nodes`) and
with its own factor for the target's reliability, or with a hidden copy of the target (`himation.posterior.target`);
where something is known of causes, or rows come from experiments, copies are not looked for. Numbers are squashed a
little, since a few extreme values decide a correlation. Where every variable is discrete and the target is what its
neighbours see, networks are scored by tables of counts; otherwise all variables are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from himation.knowledge import TARGET
from himation.posterior import copies
from himation.posterior import nodes as choosing
from himation.posterior import target as reliability
from himation.posterior.doubts import doubts
from himation.posterior.experiments import SQUASH, with_experiments
from himation.posterior.orders import correlation_matrix, sample_graphs
from himation.posterior.scoring import Evidence, Sampling
from himation.posterior.settings import Settings
from himation.prepare.scaling import unit_columns
from himation.table import CONTINUOUS, Table

MOST_EXAMPLES = 20_000
LEAST_FREE = 4  # chains that are drawn without what is known
ROUNDS = 2  # of holding groups of rows against networks, which then know more


@dataclass(frozen=True)
class Chain:
    """Variables, without the target, which is the last node of every graph; graphs by node by node."""

    variables: tuple[int, ...]
    graphs: np.ndarray
    log_posterior: np.ndarray
    factor: float = 1.0


@dataclass(frozen=True)
class Networks:
    """The chains, the target's reliability, and in words what of the user's knowledge the data speak against, and what
    is different in groups of rows."""

    chains: tuple[Chain, ...]
    reliability: reliability.Reliability
    doubts: tuple[str, ...] = ()


NO_NETWORKS = Networks((), reliability.Reliability())


@dataclass(frozen=True)
class Options:
    """How many chains, how long, and which parts of the model are in use (all, but for an ablation)."""

    chains: int = Settings.chains
    sampling: Sampling = field(default_factory=Sampling)
    room: choosing.Room = field(default_factory=choosing.Room)
    with_reliability: bool = True
    with_doubts: bool = False  # whether what is known is held against networks that are drawn without it

    @classmethod
    def of(cls, chains: int, sweeps: int, nodes: int, seed: int) -> Options:
        """By the user's settings; half of a chain is burnt in."""
        room = choosing.Room(nodes, round(0.7 * nodes), round(0.2 * nodes))
        return cls(chains, Sampling(sweeps=sweeps, burn_in=sweeps // 2, seed=seed), room)


@dataclass(frozen=True)
class _Seen:
    """What the natural rows, and all rows, say of the variables that may take part; the target is the last node."""

    members: list[int]
    values: np.ndarray
    correlations: np.ndarray
    evidence: Evidence

    def nodes(self, variables: Iterable[int]) -> np.ndarray:
        """Their places among the nodes."""
        place = {x: i for i, x in enumerate(self.members)}
        return np.array([place[x] for x in variables], dtype=np.int64)


def draw(table: Table, options: Options | None = None, progress: Callable[[int, int], None] | None = None) -> Networks:
    """Sample networks around the table's target. Groups of rows of which it is not known what is different in them are
    held against networks that are drawn without them."""
    options = options or Options()
    told: tuple[str, ...] = ()
    if table.environment is not None and (table.environment.unknown or table.environment.batches):
        from himation.posterior.batches import resolved, usual

        so_far = usual(table)
        for _ in range(ROUNDS):
            so_far, groups = resolved(table, draw(so_far, _few(options)))
        table = so_far
        told = tuple(group.words(_names(table)) for group in groups)
    rows = slice(None, None, max(1, -(-table.train.n // MOST_EXAMPLES)))
    labels = unit_columns(np.where(np.asarray(table.target) > 0, 1.0, -1.0)[rows, None])[:, 0]
    known, place_of = table.knowledge, {int(column): x for x, column in enumerate(table.columns)}
    always = [place_of[column] for column in (known.to_target() if known else ()) if column in place_of]

    def columns(variables):
        return unit_columns(np.column_stack([table.numbers_for_target(int(x))[rows] for x in variables]))

    def chosen(copy: np.ndarray | None = None):
        pool = choosing.choose(columns, table.n_variables, labels, options.room, copy)
        members = list(dict.fromkeys([*pool.members(), *always]))
        return pool, _look(table, members, rows, columns, labels) if members else None

    pool, seen = chosen()
    if seen is None:
        return NO_NETWORKS
    found, of_copy = reliability.Reliability(), None
    if options.with_reliability:
        may_copy = known is None and table.environment is None
        found, group = _judge(pool, seen, options.sampling, may_copy)
        if group:
            pool, seen = chosen(copies.proxy(seen.correlations, seen.values, seen.nodes(group)))
            of_copy = copies.hidden(seen.correlations, seen.nodes(x for x in group if x in set(seen.members)))
    chains = []
    for number in range(options.chains):
        if progress:
            progress(number, options.chains)
        own = list(dict.fromkeys([*pool.of_chain(number), *always]))
        factor = found.of_chain(number, options.chains)
        use = [*seen.nodes(own), len(seen.members)]
        of_chain = seen.evidence.of_nodes(use, partial(reliability.scaled, factor=factor), factor == 1.0)
        limits = known.constraints([*table.columns[own].tolist(), TARGET]) if known else None
        sampling = replace(options.sampling, seed=options.sampling.seed * 10_000 + number)
        if of_copy is not None:
            n = len(seen.values)
            of_chain = Evidence(reliability.model_of_copy(of_chain.correlations, of_copy[use], n, sampling, 1), n)
            limits = copies.of_target_alone(len(use) + 1)
        drawn = sample_graphs(of_chain, len(of_chain.correlations) - 1, sampling, limits)
        graphs = drawn.graphs if of_copy is None else np.array([copies.together(graph) for graph in drawn.graphs])
        chains.append(Chain(tuple(own), graphs, drawn.log_posterior, factor))
    if known and options.with_doubts:
        free = draw(replace(table, knowledge=None), _few(options))
        told += doubts(known, _by_column(free, table), _names(table))
    if table.environment is not None and table.environment.certain and options.with_doubts:
        from himation.posterior.batches import followed

        natural = draw(replace(table, experiments=None, environment=None), _few(options))
        told += followed(table, natural, _names(table))
    return Networks(tuple(chains), found, told)


def _few(options: Options) -> Options:
    """A sample of few chains, to hold something against."""
    return replace(options, chains=max(LEAST_FREE, options.chains // 6), with_doubts=False)


def _look(table: Table, members: list[int], rows: slice, columns, labels: np.ndarray) -> _Seen:
    """Codes only where no variable is a number."""
    values = np.column_stack([SQUASH * np.tanh(columns(members) / SQUASH), labels])
    codes = None
    if not any(table.kinds[x] == CONTINUOUS for x in members):
        codes = np.vstack([table.codes(members)[0][:, rows], labels > 0]).astype(np.int64)
    correlations = correlation_matrix(values)
    evidence = Evidence(correlations, len(values), codes)
    if table.environment is not None:
        evidence = with_experiments(table, members, rows, values, codes)
    return _Seen(members, values, correlations, evidence)


def _judge(pool: choosing.Pool, seen: _Seen, sampling: Sampling, may_copy: bool):
    """What the labels are to the target's neighbours; and effects of a hidden copy, if there is one."""
    related, n = np.array([*seen.nodes(pool.related), len(seen.members)]), len(seen.values)
    groups = copies.effects_of_copies(seen.correlations[np.ix_(related, related)], n) if may_copy else []
    hidden = [copies.hidden(seen.correlations, related[group]) for group in groups]
    use = np.array([*related[: pool.always], related[-1]])
    correlations = seen.correlations[np.ix_(use, use)]
    found, best = reliability.judge(correlations, n, sampling.pilot(), [one[use] for one in hidden])
    return found, [] if best is None else [pool.related[k] for k in groups[best]]


def _by_column(networks: Networks, table: Table) -> list[tuple[np.ndarray, list[int]]]:
    """Every other graph, with the columns of its nodes."""
    return [
        (graph, [*table.columns[list(chain.variables)].tolist(), TARGET])
        for chain in networks.chains
        for graph in chain.graphs[::2]
    ]


def _names(table: Table) -> Callable[[int], str]:
    names = [table.target_name, *table.file_columns()]
    return lambda column: names[column]
