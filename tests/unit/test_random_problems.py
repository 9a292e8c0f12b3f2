"""Random problems: repeatable, as their graphs say, and with nothing in variances or R2 that tells causes."""

import networkx as nx
import numpy as np
import pytest

from himation.errors import UserError
from himation.graphs import from_edges
from himation.studies.reruns.sorting import BY_R2, BY_VARIANCE, sortability
from himation.studies.simulate.balance import explained_shares, offset, slope
from himation.studies.simulate.random_network import STYLES, make_random_network
from himation.studies.simulate.random_problem import KINDS, make_random_problem


@pytest.mark.parametrize("kind", KINDS)
def test_random_problem(kind):
    problem = make_random_problem(4, kind, 60)
    natural, _, _ = check_problem(problem, make_random_problem(4, kind, 60), "X", 0.2)
    if kind == "noisy":
        calibrants = np.array(problem.calibrants) - 1
        assert problem.train(50).values[:, calibrants].std() > 1 and natural.values[:, calibrants].std() < 0.1
    if kind == "binary":
        assert set(np.unique(natural.values)) == {0, 1}


@pytest.mark.parametrize("style", STYLES)
def test_random_network(style):
    problem = make_random_network(4, style, 60)
    natural, manipulated, graph = check_problem(problem, make_random_network(4, style, 60), "V", 0.15)
    touched = {problem.names.index(name) + 1 for name in problem.version(2)}
    touched |= {x for start in touched & set(graph) for x in nx.descendants(graph, start)}
    alone = [x - 1 for x in range(1, 61) if x not in touched]
    one, two = natural.values[:, alone], manipulated.values[:, alone]
    assert alone and np.all(np.abs(one.mean(axis=0) - two.mean(axis=0)) < 5 * np.sqrt((one.var(0) + two.var(0)) / 3000))
    with pytest.raises(UserError, match="style of a random network"):
        make_random_network(1, "wild")


def check_problem(problem, again, letter, least):
    """Repeatable, acyclic, roles as in the graph; a strong effect (at least so correlated) is silenced in version 2."""
    natural, manipulated = problem.test(0, 3000), problem.test(2, 3000)
    np.testing.assert_array_equal(natural.values, again.test(0, 3000).values)
    graph = nx.DiGraph(problem.numbered_edges)
    assert nx.is_directed_acyclic_graph(graph)
    assert {f"{letter}{x}" for x in graph.predecessors(0)} == set(problem.causes)
    assert {f"{letter}{x}" for x in graph.successors(0)} == set(problem.effects)
    assert set(problem.effects) <= set(problem.version(2)) and problem.version(0) == ()
    strong = max(problem.effects, key=lambda name: abs(correlation(natural, name)))
    assert abs(correlation(natural, strong)) > least and abs(correlation(manipulated, strong)) < 0.1
    return natural, manipulated, graph


def correlation(sample, name):
    return np.corrcoef(sample.values[:, sample.names.index(name)], sample.target)[0, 1]


@pytest.mark.parametrize("make, kind", [(make_random_problem, "continuous"), (make_random_network, "linear")])
def test_a_target_with_a_number_behind(make, kind):
    """The table says which half an example is in; to the effects it is a number, so the halves are not all they see."""
    problem = make(4, kind, 60, number_behind=True)
    sample = problem.test(0, 4000)
    assert abs(sample.target.mean()) < 0.1
    strong = sorted(problem.effects, key=lambda name: -abs(correlation(sample, name)))[:2]
    pair = sample.values[:, [sample.names.index(name) for name in strong]]
    within = [abs(np.corrcoef(pair[sample.target == half].T)[0, 1]) for half in (-1, 1)]
    assert max(within) > 0.1


def test_shares_explained_grow_with_depth():
    chain = np.eye(21, k=1, dtype=bool)[::-1, ::-1]  # 20 -> 19 -> ... -> 0, the target
    shares = explained_shares(np.random.default_rng(1), chain, 0.6)
    assert shares[0] == 0.8 and shares[1:6].min() > shares[15:20].max()
    flat = explained_shares(np.random.default_rng(1), chain, 0.0)
    assert abs(flat[1:] - 0.5).max() <= 0.1


def test_coins_have_the_share_they_were_drawn_for():
    rng = np.random.default_rng(2)
    push = slope(0.7) * rng.standard_normal(20_000)
    logit = push + offset(push, 0.3)
    assert np.mean(rng.random(20_000) < 1 / (1 + np.exp(-logit))) == pytest.approx(0.3, abs=0.02)
    latent = push + rng.logistic(size=20_000)
    assert push.var() / latent.var() == pytest.approx(0.7, abs=0.02)


@pytest.mark.parametrize("kind", ("continuous", "binary"))
def test_sorting_tells_nothing(kind):
    """Means of a few problems; with the same share everywhere R2 gives less than 0.35."""
    found = []
    for seed in range(11, 19):
        problem = make_random_problem(seed, kind, 60)
        sample = problem.test(0, 2000)
        values = np.column_stack([sample.target, sample.values])
        found.append(sortability(values, from_edges(61, problem.numbered_edges)))
    for way in (BY_VARIANCE, BY_R2):
        assert np.mean([one[way] for one in found]) == pytest.approx(0.5, abs=0.08)
