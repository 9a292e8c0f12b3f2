"""Sampled networks: averages against plain graph code, the target's reliability, who takes part, and the file."""

import numpy as np
import pytest

from himation import graphs
from himation.files.networks_file import read_networks, write_networks
from himation.files.nodes import Nodes
from himation.files.tables import RawTable
from himation.posterior import averages, nodes
from himation.posterior.networks import Chain, Networks, Options, draw
from himation.posterior.scoring import Sampling
from himation.posterior.target import Reliability, judge
from himation.prepare.preparing import prepare

SHORT = Options(chains=4, sampling=Sampling(sweeps=160, burn_in=80))


def random_dag(rng, size=8):
    order = rng.permutation(size)
    upper = np.triu(rng.random((size, size)) < 0.3, 1)
    return upper[np.ix_(np.argsort(order), np.argsort(order))]


@pytest.fixture
def sample():
    """Two chains over different variables, random graphs of eight nodes, the target last."""
    rng = np.random.default_rng(4)
    drawn = [np.array([random_dag(rng) for _ in range(30)]) for _ in range(2)]
    chains = [
        Chain(own, g, np.arange(30.0))
        for own, g in zip(((0, 2, 3, 4, 5, 6, 7), (9, 1, 2, 3, 4, 5, 8)), drawn, strict=True)
    ]
    return Networks(tuple(chains), Reliability((1.0, 1.2), (0.0, -1.0), (0.7, 0.3)))


def test_roles_are_shares_of_the_graphs(sample):
    found = averages.shares(sample)
    for x in (0, 2, 9):
        expected = []
        for chain in sample.chains:
            if x not in chain.variables:
                continue
            i = chain.variables.index(x)
            rows = []
            for dag in chain.graphs:
                children = np.flatnonzero(dag[7])
                neighbour = dag[i, 7] or dag[7, i]
                spouse = not neighbour and any(dag[i, c] for c in children)
                above, below = i in graphs.ancestors(dag, 7), 7 in graphs.ancestors(dag, i)
                rows.append([above, below, dag[i, 7], dag[7, i], spouse])
            expected.append(np.mean(rows, axis=0))
        one = found[x]
        values = [one.ancestor, one.descendant, one.parent, one.child, one.spouse]
        assert values == pytest.approx(np.mean(expected, axis=0).tolist())
    both = [chain.graphs[:, chain.variables.index(2), 7].mean() for chain in sample.chains]
    assert found[2].error == pytest.approx(abs(both[0] - both[1]) / 2)


def without_what_set_effects_act_on(dag, cut, target=7):
    """Where the target does not act on what is below an effect that was set (theorem V.1)."""
    mutilated = dag.copy()
    mutilated[:, cut] = False
    below = {y for c in cut if dag[target, c] for y in range(target) if c in graphs.ancestors(mutilated, y)}
    found = dag.copy()
    found[target, sorted(below - set(cut))] = False
    return found


def test_panels_are_the_blankets_of_the_manipulated_graphs(sample):
    manipulated = {2, 5, 9}
    found = averages.panels(sample, manipulated.__contains__)
    expected, holds = {}, {}
    for chain in sample.chains:
        cut = [i for i, x in enumerate(chain.variables) if x in manipulated]
        for dag in chain.graphs:
            left = without_what_set_effects_act_on(dag, cut)
            panel = tuple(sorted(chain.variables[i] for i in graphs.manipulated_blanket(left, 7, cut)))
            expected[panel] = expected.get(panel, 0) + 1
            for x in chain.variables:
                holds.setdefault(x, []).append(x in panel)
    expected.pop((), None)
    assert found == expected
    share = averages.inclusion(sample, manipulated.__contains__)
    assert share == pytest.approx({x: np.mean(there) for x, there in holds.items() if any(there)})


def test_descendants_of_a_child(sample):
    found = averages.below_child(sample, 2)
    chain = sample.chains[0]
    i, j = chain.variables.index(2), chain.variables.index(7)
    counts = [dag[7, i] and i in graphs.ancestors(dag, j) for dag in chain.graphs]
    assert found[7] == pytest.approx(np.mean(counts))


def test_chains_that_disagree_are_named():
    always, never = np.zeros((2, 10, 2, 2), dtype=bool)
    always[:, 0, 1] = True
    same = Networks((Chain((3,), always, np.zeros(10)),) * 4, Reliability())
    assert averages.agreement(averages.shares(same)).converged
    halves = Networks((Chain((3,), always, np.zeros(10)), Chain((3,), never, np.zeros(10))) * 2, Reliability())
    agree = averages.agreement(averages.shares(halves))
    assert not agree.converged and agree.least_sure == (3,)
    assert "whether X3 cause the target" in agree.words(lambda x: f"X{x}") and "chains: 64" in agree.words(str)


def table_of(columns, target, names=None):
    names = names or [f"X{i}" for i in range(columns.shape[1])]
    raw = RawTable("training", names, len(target), values=np.ascontiguousarray(columns.T))
    return prepare(raw, np.where(target > 0, 1, -1))


def cut_problem(seed, n=1500, flip=0.0):
    """Two causes of a number, five effects of it, noise; the labels say whether it is above its median."""
    rng = np.random.default_rng(seed)
    causes = rng.normal(size=(n, 2))
    finer = causes @ [0.6, 0.6] + rng.normal(size=n)
    effects = 0.7 * finer[:, None] + rng.normal(size=(n, 5))
    labels = np.where(finer > np.median(finer), 1, -1)
    labels = np.where(rng.random(n) < flip, -labels, labels)
    return np.column_stack([causes, effects, rng.normal(size=(n, 6))]), labels


@pytest.mark.parametrize("flip", [0.0, 0.1])
def test_effects_of_what_the_labels_copy_are_no_parents(flip):
    columns, labels = cut_problem(7, flip=flip)
    table = table_of(columns, labels)
    found = averages.shares(draw(table, SHORT))
    parents = {table.names[x] for x, one in found.items() if one.parent > 0.5}
    assert parents == {"X0", "X1"}
    plain = averages.shares(draw(table, Options(4, SHORT.sampling, with_reliability=False)))
    assert sum(one.parent for x, one in plain.items() if table.names[x] in {f"X{i}" for i in range(2, 7)}) > 1


def test_a_target_that_its_neighbours_see_as_it_is_has_factor_one():
    rng = np.random.default_rng(8)
    causes = rng.normal(size=(2000, 2))
    labels = np.where(causes @ [1.0, 1.0] + rng.logistic(size=2000) > 0, 1, -1)
    effects = 0.8 * labels[:, None] + rng.normal(size=(2000, 5))
    networks = draw(table_of(np.column_stack([causes, effects]), labels), SHORT)
    assert networks.reliability.mean < 1.05


def test_the_evidence_of_a_factor_needs_a_parameter_more():
    """Where nothing tells factors apart, as with one neighbour, factor 1 is the likeliest."""
    correlations = np.array([[1.0, 0.5], [0.5, 1.0]])
    found, _ = judge(correlations, 1000, Sampling(sweeps=40, burn_in=20))
    assert max(found.weights) == found.weights[0]


def test_chains_share_out_the_factors_by_weight():
    found = Reliability((1.0, 1.2, 1.4), (0.0, 0.0, 0.0), (0.5, 0.25, 0.25))
    assert [found.of_chain(k, 8) for k in range(8)] == [1.0] * 4 + [1.2] * 2 + [1.4] * 2


def test_every_related_variable_has_its_turn():
    rng = np.random.default_rng(9)
    n, size = 400, 120
    labels = rng.normal(size=n)
    X = 0.5 * labels[:, None] + rng.normal(size=(n, size))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    labels = (labels - labels.mean()) / labels.std()
    pool = nodes.choose(lambda v: X[:, v], size, labels, nodes.Room(40, 28, 8))
    chains = [pool.of_chain(k) for k in range(16)]
    held = np.array([[x in chain for x in pool.related] for chain in chains])
    assert all(len(chain) == len(set(chain)) <= 40 for chain in chains)
    assert held[:, :8].all() and held.any(axis=0).all()
    assert held[:, 8:].mean(axis=0).max() < 0.9  # as a related variable, or as a partner of one


def test_order_of_columns_and_seed(tmp_path):
    columns, labels = cut_problem(11, 400)
    table = table_of(columns, labels)
    shuffled = np.random.default_rng(1).permutation(columns.shape[1])
    other = table_of(columns[:, shuffled], labels, [f"X{i}" for i in shuffled])
    first, second = draw(table, SHORT), draw(other, SHORT)
    found, again = (
        {t.names[x]: one for x, one in averages.shares(n).items()} for t, n in ((table, first), (other, second))
    )
    assert found == again
    other_seed = draw(table, Options(4, Sampling(sweeps=160, burn_in=80, seed=2)))
    assert averages.shares(other_seed) != averages.shares(first)


def test_written_networks_are_read_back(tmp_path, sample):
    columns, labels = cut_problem(12, 300)
    table = table_of(columns, labels)
    path = tmp_path / "networks.npz"
    write_networks(path, Nodes(table), sample)
    found = read_networks(path, Nodes(table))
    assert found.reliability == sample.reliability
    for one, two in zip(found.chains, sample.chains, strict=True):
        assert one.variables == two.variables and np.array_equal(one.graphs, two.graphs)
        assert np.array_equal(one.log_posterior, two.log_posterior)
    write_networks(path, Nodes(table), Networks((), Reliability()))
    assert read_networks(path, Nodes(table)).chains == ()


def test_a_table_in_which_nothing_goes_with_the_target_has_no_networks():
    rng = np.random.default_rng(13)
    assert draw(table_of(rng.normal(size=(60, 4)), np.sign(rng.normal(size=60))), SHORT).chains == ()
