"""Reruns of chapter IV: networks, published figures, distances of regions, the plot."""

import doctest

import numpy as np
import pytest

from himation.graphs import is_acyclic
from himation.rerun_list import RERUNS, runner
from himation.studies.reruns import plot, published, random_networks, regions, wide
from himation.studies.reruns.random_networks import random_network


def test_a_random_network_draws_what_its_tables_say():
    network = random_network(30, np.random.default_rng(3))
    dag = network.dag()
    assert is_acyclic(dag) and dag.sum(axis=0).max() <= 5 and set(network.arities) == {2, 3}
    codes = network.sample(40_000, np.random.default_rng(4))
    assert (codes.max(axis=1) < network.arities).all()
    j = int(np.flatnonzero(network.fan_in == 2)[0])
    parents = network.parents[j, :2]
    for row, values in enumerate(np.ndindex(*network.arities[parents])):
        chosen = (codes[parents] == np.array(values)[:, None]).all(axis=0)
        if chosen.sum() > 2000:
            first = network.tables[network.first[j] + row * (network.arities[j] - 1)]
            assert (codes[j, chosen] == 0).mean() == pytest.approx(first, abs=0.05)


def test_the_same_seed_draws_the_same():
    one, other = (random_network(200, np.random.default_rng(1)).sample(50, np.random.default_rng(2)) for _ in range(2))
    assert np.array_equal(one, other)


def test_published_figures_are_all_there():
    rows = published("thesis_iv")
    assert {row["table"] for row in rows} == {"IV-2", "IV-3", "C-1", "C-2"}
    assert regions._known("IV-2", "Alarm", 500) == {0: 6.86, 1: 30.8, 2: 40.4, 3: 48.1, 4: 59.0, 5: 70.0}
    assert len(published("thesis_iv_networks")) == 8
    for name in ("thesis-regions", "thesis-wide", "thesis-times-iv"):
        assert callable(runner(name)) and RERUNS[name].samples >= 1


def test_regions_of_alarm_come_closer_with_more_examples():
    pytest.importorskip("pgmpy")
    few, many = (regions.qualities(("Alarm", n, 1)) for n in (500, 5000))
    assert few.shape == (5, 4) and many[0, 0] < few[0, 0] and many[0, 3] < few[0, 3]


def test_a_true_region_has_no_distance_from_itself():
    from himation.graphs import region
    from himation.orientation.pdags import cpdag
    from himation.orientation.structures import Structure

    network = random_network(60, np.random.default_rng(5), most_parents=2)
    dag = network.dag()
    around = wide._neighbours(network)
    nodes = tuple(np.flatnonzero(region(dag | dag.T, 7, 4).any(axis=0)).tolist())
    found = Structure(nodes, cpdag(dag[np.ix_(nodes, nodes)])).within(7, 3)
    assert wide.region_distance(network, around, 7, found) == 0
    nothing = Structure((7,), np.zeros((1, 1), dtype=bool))
    assert wide.region_distance(network, around, 7, nothing) == int((found.pdag | found.pdag.T).sum()) // 2


def test_the_plot(tmp_path):
    rows = [
        {"case": f"{size:,} variables", "measure": "seconds, ours", "rerun": str(size / 1e4), "published": ""}
        for size in (10_000, 100_000)
    ]
    rows[-1]["published"] = "8426"
    found = plot.series(rows)
    assert found == {"ours": [(10_000, 1.0), (100_000, 10.0)], "ours, published": [(100_000, 8426.0)]}
    worked = {"case": "10,000 variables", "measure": "CPU seconds, ours", "rerun": "0.5", "published": ""}
    assert plot.series([*rows, worked]) == {"ours": [(10_000, 0.5)], "ours, published": [(100_000, 8426.0)]}
    plot.growth(found, tmp_path / "a.svg", "svg")
    plot.growth(found, tmp_path / "b.svg", "svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "proportional" in (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize("module", [plot, random_networks])
def test_worked_examples(module):
    assert doctest.testmod(module).failed == 0


def test_sizes_of_the_networks_stand_beside_the_published_ones():
    lines = {(line.case, line.measure): line for line in regions.run_networks(1, 1)}
    for row in published("thesis_iv_networks"):
        assert lines[row["network"], "variables"].rerun == float(row["variables"])
        assert lines[row["network"], "edges"].rerun == pytest.approx(float(row["edges"]), rel=0.06)
    assert lines["Alarm", "edges"].rerun == 46 and lines["Pigs", "diameter"].published == 19
