"""A hidden copy of the target: found where there is one and not elsewhere, and taken together with the target."""

import doctest

import networkx as nx
import numpy as np
import pytest
from scipy.stats import multivariate_normal

from himation.files.networks_file import read_networks, write_networks
from himation.files.nodes import Nodes
from himation.files.tables import RawTable
from himation.posterior import averages, copies, nodes, target
from himation.posterior.networks import Options, draw
from himation.posterior.orders import correlation_matrix
from himation.posterior.scoring import Sampling
from himation.prepare.preparing import prepare

SHORT = Options(chains=4, sampling=Sampling(sweeps=160, burn_in=80))
CAUSES, EFFECTS = 2, 14


def problem(seed, flips, helping=1.0, n=1500):
    """Yes-or-no causes of yes-or-no labels, whose effects see them with some flipped, and each has another cause
    besides: causes come first."""
    rng = np.random.default_rng(seed)
    causes = rng.integers(0, 2, size=(n, CAUSES))
    labels = np.where(rng.logistic(size=n) < 3.0 * (causes.sum(axis=1) - 1.0), 1, -1)
    seen = np.where(rng.random(n) < flips, -labels, labels)
    others = rng.integers(0, 2, size=(n, 4))
    helped = others[:, rng.integers(0, 4, size=EFFECTS)] * 2.0 - 1.0
    links = rng.uniform(0.6, 1.6, size=(2, EFFECTS))
    effects = rng.logistic(size=(n, EFFECTS)) < links[0] * seen[:, None] + helping * links[1] * helped
    return np.column_stack([causes, effects, others]).astype(float), labels


def table_of(columns, labels):
    names = [f"x{i}" for i in range(columns.shape[1])]
    return prepare(RawTable("table", names, len(labels), values=np.ascontiguousarray(columns.T)), labels)


def test_doctests():
    assert doctest.testmod(copies).failed == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_effects_of_a_copy_are_told_from_causes(seed):
    columns, labels = problem(seed, flips=0.1)
    table = table_of(columns, labels)
    networks = draw(table, SHORT)
    truth = 1 - 2 * 0.1  # of labels that are about as often yes as no
    assert networks.reliability.copy == pytest.approx(truth, abs=0.1)
    found = {table.names[x]: one for x, one in averages.shares(networks).items()}
    causes = [f"x{i}" for i in range(CAUSES)]
    effects = [f"x{i}" for i in range(CAUSES, CAUSES + EFFECTS) if f"x{i}" in found]
    assert min(found[x].parent for x in causes) > 0.5
    assert np.mean([found[x].parent for x in effects]) < 0.1 and np.mean([found[x].child for x in effects]) > 0.8


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_there_is_no_copy_where_effects_see_the_labels(seed):
    columns, labels = problem(seed, flips=0.0, helping=0.3)
    assert draw(table_of(columns, labels), SHORT).reliability.copy == 0.0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_cause_that_effects_share_is_no_copy(seed):
    """What goes more with a group of effects than with the target gets no more than a copy could have."""
    columns, labels = problem(seed, flips=0.0)
    correlations = correlation_matrix(np.column_stack([columns, labels]))
    for group in copies.effects_of_copies(correlations, len(labels)):
        beside = copies.hidden(correlations, group)
        assert np.all(np.abs(beside[:-1]) <= np.abs(correlations[:-1, -1]) / beside[-1] + 1e-9)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_something_hidden_behind_an_effect_is_no_copy(seed):
    """labels -> seen -> hidden -> many: what these share is the product of their correlations with the labels, too."""
    rng = np.random.default_rng(seed)
    cause = rng.normal(size=600)
    labels = np.where(2.0 * cause + rng.logistic(size=600) > 0, 1, -1)
    seen = labels + rng.normal(size=600)
    hidden = seen + rng.normal(size=600)
    many = hidden[:, None] + rng.normal(size=(600, EFFECTS))
    columns = np.column_stack([cause, seen, many])
    correlations = correlation_matrix(np.column_stack([columns, labels]))
    groups = copies.effects_of_copies(correlations, len(labels))
    assert any(set(range(2, 2 + EFFECTS)) <= set(group.tolist()) for group in groups)
    beside = [copies.hidden(correlations, group) for group in groups]
    found, best = target.judge(correlations, len(labels), SHORT.sampling, beside)
    assert best is None and found.copy == 0.0


def test_the_one_factor_model_is_found_again():
    """Correlations made from it, without chance."""
    rng = np.random.default_rng(5)
    loadings, of_labels, of_cause = rng.uniform(0.2, 0.8, size=8), 0.7, 0.4
    r = np.concatenate([loadings, [of_cause * of_labels, of_labels]])  # of effects, a cause, and the labels
    exact = np.outer(r, r)
    exact[8, 9] = exact[9, 8] = of_cause  # the cause goes with the labels, and through them with the copy
    np.fill_diagonal(exact, 1.0)
    (group,) = copies.effects_of_copies(exact, 10_000)
    assert group.tolist() == list(range(8))
    assert copies.hidden(exact, group) == pytest.approx(r, abs=1e-4)


def test_a_copy_has_no_cause_but_the_target(monkeypatch):
    drawn = []
    monkeypatch.setattr(copies, "together", lambda graph: drawn.append(graph) or graph[:-1, :-1])
    columns, labels = problem(1, flips=0.1)
    draw(table_of(columns, labels), SHORT)
    assert len(drawn) > 50
    assert all(np.flatnonzero(graph[:, -2]).tolist() == [len(graph) - 1] for graph in drawn)


@pytest.mark.parametrize("seed", range(5))
def test_target_and_copy_together(seed):
    """No circle arises, effects of either are children, and all else stays."""
    rng = np.random.default_rng(seed)
    others = rng.permutation(7)
    order = [*others[:4], 8, 7, *others[4:]]  # causes, target, copy, effects
    upper = np.triu(rng.random((9, 9)) < 0.35, 1)
    graph = upper[np.ix_(np.argsort(order), np.argsort(order))]
    graph[:, 7] = False
    graph[8, 7] = True
    found = copies.together(graph)
    assert nx.is_directed_acyclic_graph(nx.from_numpy_array(found, create_using=nx.DiGraph))
    assert np.array_equal(found[:-1, :-1], graph[:7, :7]) and np.array_equal(found[:-1, -1], graph[:7, 8])
    assert np.array_equal(found[-1, :-1], graph[7, :7] | graph[8, :7])


def test_evidence_is_the_posterior_of_what_the_table_shows():
    """Against scipy's normal density, up to what does not depend on the model."""
    rng = np.random.default_rng(6)
    n, sampling = 400, Sampling()
    a, b = rng.normal(size=(2, n))
    values = np.column_stack([a, a + b, a + b + rng.normal(size=n)])
    found = correlation_matrix(values)
    graphs = np.zeros((2, 3, 3), dtype=bool)
    graphs[0, 0, 1] = graphs[0, 1, 2] = True
    graphs[1, 0, 1] = graphs[1, 0, 2] = graphs[1, 1, 2] = True
    effective = sampling.effective(n)

    def by_hand(graph):
        covariance, size = np.eye(3), graph.sum(axis=0)
        for i in range(1, 3):  # the order of the nodes is a causal one
            parents = np.flatnonzero(graph[:, i])
            weights = np.linalg.solve(found[np.ix_(parents, parents)], found[parents, i])
            covariance[i, :i] = covariance[:i, i] = covariance[:i][:, parents] @ weights
        standard = (values - values.mean(axis=0)) / values.std(axis=0)
        density = multivariate_normal(np.zeros(3), covariance).logpdf(standard).sum() * effective / n
        prior = sum(target.log_prior(3, sampling)[k] - 0.5 * k * np.log(effective) for k in size)
        return density + prior

    ours = [target._log_posterior(graph, found, found, np.asarray, n, sampling) for graph in graphs]
    assert ours[0] - ours[1] == pytest.approx(by_hand(graphs[0]) - by_hand(graphs[1]), abs=1e-4)


def test_effects_of_the_copy_leave_the_room_to_others():
    """Of hundreds of effects a chain has a few, and weaker variables that go with the labels are not crowded out."""
    rng = np.random.default_rng(7)
    labels = rng.normal(size=900)
    copy = 0.7 * labels + 0.7 * rng.normal(size=900)
    effects = copy[:, None] + 0.6 * rng.normal(size=(900, 600))
    others = 0.3 * labels[:, None] + rng.normal(size=(900, 40))
    values = np.column_stack([effects, others])
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    room = nodes.Room(40, 28, 8, 5)
    crowded = nodes.choose(lambda some: values[:, some], 640, labels / labels.std(), room)
    pool = nodes.choose(lambda some: values[:, some], 640, labels / labels.std(), room, copy / copy.std())
    chains = [set(pool.of_chain(k)) for k in range(12)]
    assert not set(crowded.related) & set(range(600, 640))
    assert set(range(600, 640)) <= set(pool.related) and set(pool.related[:8]) <= set(range(600, 640))
    assert all(1 <= len(chain & set(range(600))) <= 10 for chain in chains)
    assert set(range(600, 640)) <= set().union(*chains)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_network_settles_what_the_copy_goes_with(seed):
    """From a wrong guess, by correlations without chance and the network that they come from."""
    rng = np.random.default_rng(seed)
    effects, copy, target_node = range(3, 9), 9, 10
    graph = np.zeros((11, 11), dtype=bool)
    graph[:2, target_node] = graph[target_node, copy] = graph[copy, effects] = graph[2, 3:6] = True
    weights = np.where(graph, rng.uniform(0.5, 1.0, size=(11, 11)), 0.0)
    onward = np.linalg.inv(np.eye(11) - weights)
    covariance = onward.T @ onward
    scale = np.sqrt(np.diag(covariance))
    truth = covariance / np.outer(scale, scale)
    assert copies.implied(graph, truth) == pytest.approx(truth)
    shown = copies.without_copy(truth)
    guess = copies.with_copy(shown, 0.8 * np.delete(truth[copy], copy) + 0.05)
    settled = copies.settled(guess, shown, lambda model, number: graph, 1e-7)
    assert settled == pytest.approx(truth, abs=0.01)
    fit = [copies.misfit(copies.without_copy(copies.implied(graph, model)), shown) for model in (guess, settled, truth)]
    assert fit[0] > fit[1] + 0.001 and fit[1] == pytest.approx(fit[2], abs=1e-4)


def test_written_and_read_again(tmp_path):
    columns, labels = problem(1, flips=0.1)
    table = table_of(columns, labels)
    networks = draw(table, SHORT)
    write_networks(tmp_path / "networks.npz", Nodes(table), networks)
    assert read_networks(tmp_path / "networks.npz", Nodes(table)).reliability == networks.reliability
