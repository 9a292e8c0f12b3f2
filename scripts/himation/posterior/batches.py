"""Groups of rows of which nobody knows what is different in them: experiments of unknown manipulation, and batches.

A group is held against the natural rows, if these are batches against the largest, as a test table is
(`himation.posterior.mechanisms`), with the target among its variables: under networks drawn without the group, was each
mechanism kept, replaced or shifted? Where it was not kept, the group's rows say nothing about what causes that
variable, as if somebody had set it. A mechanism whose links with its causes were kept drifts from group to group; that
is learned from the group itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from himation.knowledge import TARGET
from himation.posterior.mechanisms import MOST_ROWS, ROUNDS, Mechanisms, Rows, drifting_rows
from himation.posterior.networks import Networks
from himation.prepare.assembling import rows_of
from himation.table import Environment, Table

PRIOR = np.array([0.5, 0.25, 0.25])  # of the same, set and shifted
EACH = 10  # networks of a chain
CHANGED = 0.5  # chance from which a mechanism counts as changed
CERTAIN = 0.95  # from which the data speak against what is said
LEAST = 10  # rows of a group that can be told about
MOST_NAMED = 5


@dataclass(frozen=True)
class Group:
    """The rows of one name, how many, and the chance of each variable, by column, that its mechanism is another."""

    name: str
    natural: bool
    rows: int
    chances: dict[int, float]

    @property
    def changed(self) -> tuple[int, ...]:
        return tuple(sorted(column for column, chance in self.chances.items() if chance >= CHANGED))

    def words(self, name_of: Callable[[int], str]) -> str:
        """One sentence."""
        what = f"batch {self.name!r}" if self.natural else f"rows of unknown manipulation {self.name!r}"
        than = "the largest batch" if self.natural else "natural rows"
        if not self.chances:
            return f"{what}: {self.rows} rows are too few to say what is different in them; networks go without them"
        found = sorted(self.changed, key=lambda column: -self.chances[column])
        if not found:
            return f"{what} ({self.rows} rows): no mechanism differs from that of {than}"
        named = ", ".join(f"{name_of(column)} ({self.chances[column]:.0%})" for column in found[:MOST_NAMED])
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        return f"{what} ({self.rows} rows): the mechanisms of {named}{more} differ from those of {than}"


def usual(table: Table) -> Table:
    """The table whose environment leaves to networks only the largest batch, and experiments that are known."""
    of_set, every = _environment(table), (TARGET, *table.columns.tolist())
    others = tuple(() if k == _largest(of_set) else every for k in range(len(of_set.batches)))
    return replace(table, environment=replace(of_set, unknown=(), batches=(), others=others))


def resolved(table: Table, networks: Networks) -> tuple[Table, list[Group]]:
    """The table whose environment says what changed in each group, and the groups."""
    of_set, groups = _environment(table), []
    settings: list[tuple[int, ...]] = list(of_set.settings)
    others: list[tuple[int, ...]] = [() for _ in of_set.batches]
    for name, natural, number, one in _apart(table):
        labels = np.asarray(one.test_target)
        chances = _chances(one, labels, networks) if networks.chains and min(len(labels), one.train.n) >= LEAST else {}
        group = Group(name, natural, len(labels), chances)
        groups.append(group)
        unseen = (column for column in (TARGET, *table.columns.tolist()) if column not in chances)
        (others if natural else settings)[number] = (*group.changed, *unseen)
    of_set = replace(of_set, settings=tuple(settings), unknown=(), batches=(), others=tuple(others))
    return replace(table, environment=of_set), groups


def followed(table: Table, networks: Networks, name_of: Callable[[int], str]) -> tuple[str, ...]:
    """Sentences about variables that are said to have been set, and go with their causes in these rows as in natural
    ones by the networks in which they have causes, which are most. Networks should be drawn from natural rows alone."""
    of_set, told = _environment(table), []
    members = sorted({x for chain in networks.chains for x in chain.variables})
    families, _ = _families(networks, members)
    for k, setting in enumerate(of_set.settings[: of_set.certain]):
        here = of_set.groups == k
        if table.experiments is None or here.sum() < LEAST:
            continue
        one = replace(table, test=rows_of(table.experiments, here))
        rows = Mechanisms(_with_target(Rows.of(one, members), np.asarray(table.target), of_set.target[here]))
        for i, x in enumerate(members, 1):
            if int(table.columns[x]) not in setting:
                continue
            own = [parents for node, parents in families if node == i]
            not_set = [1 - _posterior(rows.states(i, parents), PRIOR)[1] for parents in own if parents]
            if 2 * len(not_set) >= len(own) and np.mean(not_set) > CERTAIN:
                name = name_of(int(table.columns[x]))
                told.append(
                    f"the data speak against {name!r} having been set in {here.sum()} rows: it goes with its causes "
                    f"there as in natural rows; where it was only acted on, write '~{name}'"
                )
    return tuple(told)


def _environment(table: Table) -> Environment:
    assert table.environment is not None
    return table.environment


def _largest(of_set: Environment) -> int:
    return int(np.bincount(of_set.batch, minlength=len(of_set.batches)).argmax()) if of_set.batches else -1


def _apart(table: Table) -> Iterator[tuple[str, bool, int, Table]]:
    """Each group, with its number among settings or batches, as the test part, labels included, of a table of the
    largest batch, which is no group itself."""
    of_set, y = _environment(table), np.asarray(table.target)
    largest = _largest(of_set)
    use = of_set.batch == largest if of_set.batches else np.ones(len(y), dtype=bool)
    rest = replace(table, train=rows_of(table.train, use), target=y[use])
    for k, name in enumerate(of_set.unknown, of_set.certain):
        own = of_set.groups == k
        assert table.experiments is not None
        yield name, False, k, replace(rest, test=rows_of(table.experiments, own), test_target=of_set.target[own])
    for k, name in enumerate(of_set.batches):
        if k != largest:
            own = of_set.batch == k
            yield name or "without a name", True, k, replace(rest, test=rows_of(table.train, own), test_target=y[own])


def _chances(table: Table, labels: np.ndarray, networks: Networks) -> dict[int, float]:
    """Of every variable in a network, and of the target, the last column of the rows."""
    members = sorted({x for chain in networks.chains for x in chain.variables})
    rows = _with_target(Rows.of(table, members), np.asarray(table.target), labels)
    families, number = _families(networks, members)
    plain, known = Mechanisms(rows), set(families)
    kept = {one: 1 - float(_posterior(plain.states(*one), PRIOR)[1]) for one in known}
    changes = {one: plain.changes(*one) for one in known}
    size = max(1.0, len(families) / (len(members) + 1))  # networks
    linked = np.array([kept[one] / size for one in families for _ in changes[one]])
    drifted = drifting_rows(np.array([c for one in families for c in changes[one]]), linked, rows.counts_for)
    steady = Mechanisms(rows.counting(drifted))
    logs = np.array([steady.states(*one) for one in families])
    shares = PRIOR
    for _ in range(ROUNDS):
        counted = _posterior(logs, shares).sum(axis=0) / size
        shares = (counted + PRIOR) / (counted.sum() + 1)
    other, weights = 1 - _posterior(logs, shares)[:, 0], _weights(logs + np.log(shares), np.array(number))
    nodes, columns = np.array([i for i, _ in families]), [*table.columns[members].tolist(), TARGET]
    return {
        column: float(np.average(other[nodes == i], weights=weights[nodes == i])) for i, column in enumerate(columns, 1)
    }


def _families(networks: Networks, members: list[int]) -> tuple[list[tuple[int, tuple[int, ...]]], list]:
    """Every node with its parents in some of each chain's networks, as columns of `Rows`, and which network it is."""
    place, families, number = {x: i + 1 for i, x in enumerate(members)}, [], []
    for at, chain in enumerate(networks.chains):
        own = [*(place[x] for x in chain.variables), len(members) + 1]
        last = len(chain.graphs) - 1
        for k in np.unique(np.linspace(0, last, min(EACH, last + 1)).round().astype(int)):
            for i, parents in enumerate(chain.graphs[k].T):
                families.append((own[i], tuple(sorted(own[j] for j in np.flatnonzero(parents)))))
                number.append((at, int(k)))
    return families, number


def _weights(joint: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Of each family the weight of its network within the chain: by how likely it makes the group. Where directions are
    right a manipulation changes few mechanisms, where they are wrong many."""
    likely, found = np.logaddexp.reduce(joint, axis=1), np.zeros(len(joint))
    for at in np.unique(number[:, 0]):
        here = number[:, 0] == at
        names, network = np.unique(number[here, 1], return_inverse=True)
        totals = np.bincount(network, likely[here], len(names))
        shares = np.exp(totals - totals.max())
        found[here] = (shares / shares.sum())[network]
    return found


def _posterior(logs: np.ndarray, shares: np.ndarray) -> np.ndarray:
    joint = logs + np.log(shares)
    chances = np.exp(joint - joint.max(axis=-1, keepdims=True))
    return chances / chances.sum(axis=-1, keepdims=True)


def _with_target(rows: Rows, inside: np.ndarray, outside: np.ndarray) -> Rows:
    """The target as one more column of both. Training counts as certain: networks are weighed by their likelihoods, and
    one in which a mechanism counted for fewer rows than in others would be the likelier for that."""

    def more(whole: np.ndarray, labels: np.ndarray) -> np.ndarray:
        y = labels[:: max(1, -(-len(labels) // MOST_ROWS))] > 0
        return np.column_stack([whole, y.astype(float)])

    binary = np.append(rows.binary, True)
    return replace(rows, trained=np.inf, train=more(rows.train, inside), test=more(rows.test, outside), binary=binary)
