"""Whole structures and regions: exact under the oracle, close on Alarm, and the further region keeps separations."""

import numpy as np
import pytest
from graph_tools import random_dag, v_structures

from himation.blanket.mmpc import Neighbours
from himation.blanket.pcmb import get_pcd
from himation.graphs import distances, region
from himation.independence import GSquare, Oracle
from himation.orientation.pdags import cpdag, shd
from himation.orientation.region import expand_region, find_region
from himation.orientation.scores.by_name import Sample
from himation.orientation.structures import Scoring, algorithm_gpc, mmhc, region_mmhc
from himation.studies.reruns.random_networks import random_network


@pytest.mark.parametrize("seed", range(100))
def test_region_and_its_v_structures_are_exact_under_the_oracle(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(30, rng, expected_degree=2.0, max_parents=3)
    target, depth = 29, 3
    found = find_region(Neighbours(Oracle(dag, seed), max_conditioning=6), target, depth)
    away = distances(dag | dag.T, target)
    assert set(found.nodes) == set(np.flatnonzero(away <= depth + 1).tolist())
    inside = np.flatnonzero(away <= depth)
    graph = np.zeros_like(dag)
    graph[np.ix_(found.nodes, found.nodes)] = found.pattern()
    graph = graph[np.ix_(inside, inside)]
    true = dag[np.ix_(inside, inside)]
    assert np.array_equal(graph | graph.T, true | true.T)
    assert set(v_structures(true)) == set(v_structures(graph))
    assert not (graph & ~graph.T & ~true).any()  # nothing is directed the wrong way
    assert np.array_equal(found.within(depth).skeleton().sum(), (true | true.T).sum())


@pytest.mark.parametrize("seed", range(10))
def test_algorithm_gpc_under_the_oracle(seed):
    dag = random_dag(15, np.random.default_rng(seed), expected_degree=2.0, max_parents=3)
    neighbours = Neighbours(Oracle(dag, seed), max_conditioning=6, search=get_pcd)
    found = algorithm_gpc(neighbours, 14, depth=2).matrix(15)
    assert np.array_equal(found | found.T, region(dag | dag.T, 14, 2))


def test_expands_until_the_targets_edges_are_oriented():
    dag = np.zeros((8, 8), dtype=bool)
    for i in range(5):
        dag[i + 1, i] = True  # 5 -> 4 -> ... -> 0, the target
    dag[6, 5] = dag[7, 5] = True  # only this collider, five edges out, directs the chain
    found, depth = expand_region(Neighbours(Oracle(dag), max_conditioning=3), 0, depth=1, most_depth=6)
    assert depth == 5 and found.pattern()[1, 0] and not found.pattern()[0, 1]
    assert expand_region(Neighbours(Oracle(dag), max_conditioning=3), 0, depth=1, most_depth=2)[1] == 2


def small_network(n_variables, n, seed):
    network = random_network(n_variables, np.random.default_rng(seed), most_parents=2)
    codes = network.sample(n, np.random.default_rng(seed + 100))
    return network.dag(), GSquare.from_codes(codes, network.arities), Sample(tuple(codes), tuple(network.arities))


def test_a_region_is_what_the_whole_structure_has_there():
    dag, test, sample = small_network(12, 20_000, 0)
    neighbours = Neighbours(test)
    whole = mmhc(neighbours, sample).pdag
    target = int(np.argmax(dag.sum(axis=0)))
    local = region_mmhc(neighbours, sample, target, 1).matrix(12)
    truth = region(cpdag(dag), target, 1)
    assert shd(local, truth) <= 2 and shd(region(whole, target, 1), truth) <= 2


def test_the_region_for_separations_joins_what_the_outside_joins():
    """0 - 1 - ... of figure IV-7: two nodes of the rim that meet further out are joined in it."""
    rng = np.random.default_rng(0)
    n = 4000
    top = rng.integers(0, 2, n)
    noisy = lambda x: np.where(rng.random(n) < 0.85, x, 1 - x)  # noqa: E731
    middle = noisy(top), noisy(top)
    inner = [noisy(x) for x in middle]
    target = ((inner[0] + inner[1] + (rng.random(n) < 0.3)) >= 2).astype(int)
    codes = np.array([target, *inner, *middle, top], dtype=np.uint8)
    sample, neighbours = Sample(tuple(codes), (2,) * 6), Neighbours(GSquare.from_codes(codes))
    plain = region_mmhc(neighbours, sample, 0, 1)
    wide = region_mmhc(neighbours, sample, 0, 1, separations=True).matrix(6)
    assert set(plain.nodes) == {0, 1, 2}
    assert wide[3, 4] or wide[4, 3]


def test_candidates_and_published_choices():
    dag, test, sample = small_network(8, 5000, 3)
    assert Scoring.published() == Scoring("bdeu", "hill-climbing", "uniform", 15, 10.0)
    everything = mmhc(Neighbours(test), sample, candidates="all").pdag
    assert shd(everything, cpdag(dag)) <= shd(np.zeros_like(dag), cpdag(dag))
    with pytest.raises(ValueError, match="'skeleton' or 'all'"):
        mmhc(Neighbours(test), sample, candidates="some")


def test_alarm():
    pytest.importorskip("pgmpy")
    from himation.studies.reruns.tiling import load

    network = load("alarm")
    arities = np.array([table.shape[-1] for table in network.tables])
    ours, published = [], []
    for seed in range(9):  # columns in a new order each time: the published search depends on it
        order = np.random.default_rng([seed, 1]).permutation(len(arities))
        codes = np.ascontiguousarray(network.sample(5000, np.random.default_rng(seed)).T[order])
        sample = Sample(tuple(codes), tuple(arities[order].tolist()))
        neighbours = Neighbours(GSquare.from_codes(codes, arities[order]))
        truth = cpdag(network.dag[np.ix_(order, order)])
        ours.append(shd(mmhc(neighbours, sample).pdag, truth))
        published.append(shd(mmhc(neighbours, sample, Scoring.published()).pdag, truth))
    assert np.median(ours) <= 5 and max(published) <= 22
