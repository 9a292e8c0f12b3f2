"""Any network of discrete variables, and the prediction problem that it is once one variable is the target.

The problem has a natural training table and three test tables, as the challenge's: version 0 manipulates nothing;
version 1 half of the target's effects, one cause and a tenth of the variables that are neither causes, effects nor
spouses, and tells which; version 2 all effects, one cause and others, and does not tell.

Variables are drawn causes first, each from the row of its table that its causes' values choose. A manipulated variable
takes its value from another natural example, so it keeps its distribution and depends on nothing else.

>>> rain = Network(("rain", "wet"), ((), (0,)), (np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.1, 0.9]])))
>>> problem = make_problem(rain, (("no", "yes"), ("dry", "wet")), "rain", seed=1)
>>> problem.effects, problem.version(1), problem.train(3).values.tolist()
(('wet',), ('wet',), [['wet'], ['wet'], ['dry']])
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np

from himation.errors import UserError
from himation.files.texts import listed
from himation.graphs import ancestors, from_edges, markov_blanket, topological_order
from himation.prepare.target_codes import classes_of
from himation.studies.simulate.networks import Sample, check_manipulated
from himation.studies.simulate.random_problem import of_version


@dataclass(frozen=True)
class Network:
    """A discrete network; ``tables[j]`` has an axis for each of ``parents[j]`` and, last, for j."""

    names: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[np.ndarray, ...]

    @cached_property
    def dag(self) -> np.ndarray:
        edges = [(parent, j) for j, parents in enumerate(self.parents) for parent in parents]
        return from_edges(len(self.names), edges)

    def blanket(self, name: str) -> frozenset[str]:
        """The true Markov blanket of a variable, by name."""
        return frozenset(self.names[x] for x in markov_blanket(self.dag, self.names.index(name)))

    def sample(self, n: int, rng: np.random.Generator, given: Mapping[int, np.ndarray] | None = None) -> np.ndarray:
        """Codes from 0, examples by variables; those of ``given`` are set, whatever their causes are."""
        given = given or {}
        most = max(table.shape[-1] for table in self.tables)
        codes = np.empty((n, len(self.names)), dtype=np.min_scalar_type(most))
        for j in topological_order(self.dag):
            drawn = rng.random(n)
            if j in given:
                codes[:, j] = given[j]
                continue
            cumulated = np.cumsum(self.tables[j], axis=-1)
            rows = cumulated[tuple(codes[:, parent] for parent in self.parents[j])]
            codes[:, j] = (drawn[:, None] >= np.broadcast_to(rows, (n, rows.shape[-1]))[:, :-1]).sum(axis=1)
        return codes

    def margin(self, x: int) -> np.ndarray:
        """The exact distribution of one variable with at most 51 ancestors."""
        wanted = sorted({x} | ancestors(self.dag, x))
        letter = {node: i for i, node in enumerate(wanted)}
        operands = []
        for node in wanted:
            operands += [self.tables[node], [letter[v] for v in (*self.parents[node], node)]]
        return np.einsum(*operands, [letter[x]], optimize="greedy")


@dataclass(frozen=True)
class NetworkProblem:
    """A network of which one variable is to be predicted; ``words`` are the values of each variable, ``signs`` the
    target's classes by value. Roles are in an order drawn with the seed."""

    network: Network
    words: tuple[tuple[str, ...], ...]
    target: str
    signs: np.ndarray
    seed: int
    causes: tuple[str, ...]
    effects: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.network.names if name != self.target)

    @property
    def edges(self) -> list[tuple[str, str]]:
        """All (cause, effect) pairs by name, by effect."""
        named = self.network.names
        return [(named[cause], named[j]) for j, causes in enumerate(self.network.parents) for cause in causes]

    def version(self, k: int) -> tuple[str, ...]:
        """What test version k manipulates, in the order of the columns."""
        chosen = of_version(k, self.names, self.causes, self.effects, self.others)
        if k and not chosen:
            raise UserError(
                f"nothing to manipulate in version {k}: the target {self.target} has no causes and no effects; "
                "write version: 0, or manipulate with names"
            )
        return chosen

    def train(self, n: int) -> Sample:
        """The training sample, the same n examples whichever test is asked for."""
        return self._sample(self.network.sample(n, np.random.default_rng([self.seed, 0])))

    def test(self, n: int, manipulated: Iterable[str] = ()) -> Sample:
        """n examples of the system in which some variables are manipulated."""
        manipulated = check_manipulated(manipulated, self.names, self.target)
        natural, rng = (np.random.default_rng([self.seed, part]) for part in (1, 2))
        places = [j for j, name in enumerate(self.network.names) if name in manipulated]
        values = self.network.sample(n, natural) if places else None
        # each manipulated variable from examples of its own, so that they are independent of each other
        given = {j: values[natural.permutation(n), j] for j in places}
        return self._sample(self.network.sample(n, rng, given))

    def _sample(self, codes: np.ndarray) -> Sample:
        place = self.network.names.index(self.target)
        columns = [j for j in range(len(self.network.names)) if j != place]
        values = np.empty((len(codes), len(columns)), dtype=object)
        for k, j in enumerate(columns):
            values[:, k] = np.array(self.words[j], dtype=object)[codes[:, j]]
        return Sample(values, self.signs[codes[:, place]], self.names)


def make_problem(
    network: Network, words: Sequence[Sequence[str]], target: str, positive: str | None = None, seed: int = 1
) -> NetworkProblem:
    """The problem of predicting ``target``, whose values are made two classes by ``positive`` as a table's are."""
    if target not in network.names:
        close = get_close_matches(target, network.names, n=1, cutoff=0.5)
        advice = f"did you mean {close[0]!r}?" if close else f"known are {listed(network.names)}"
        raise UserError(f"no variable named {target!r} to be the target; {advice}")
    place = network.names.index(target)
    states = np.array(words[place], dtype=object)
    signs = classes_of(states, target, positive).signs(states)
    rng = np.random.default_rng([seed, 3])
    dag, blanket = network.dag, network.blanket(target)
    causes, effects = np.flatnonzero(dag[:, place]), np.flatnonzero(dag[place])
    others = [j for j, name in enumerate(network.names) if j != place and name not in blanket]
    named = [tuple(network.names[j] for j in rng.permutation(part).tolist()) for part in (causes, effects, others)]
    return NetworkProblem(network, tuple(map(tuple, words)), target, signs, seed, *named)
