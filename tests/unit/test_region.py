"""Regions under the oracle, and that they survive being written and read."""

import numpy as np
import pytest
from graph_tools import d_separated, random_dag

from himation.blanket.mmpc import Neighbours
from himation.files.nodes import Nodes
from himation.files.region_files import read_region, read_searches, write_region, write_searches
from himation.files.tables import RawTable
from himation.graphs import distances
from himation.independence import Oracle
from himation.orientation.region import find_region
from himation.prepare.preparing import prepare
from himation.table_tests import neighbours_for


@pytest.mark.parametrize("seed", range(15))
def test_exact_under_the_oracle(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(20, rng, expected_degree=2.2, max_parents=3)
    target, depth = 19, 2
    region = find_region(Neighbours(Oracle(dag, seed), max_conditioning=6), target, depth)
    away = distances(dag | dag.T, target)
    near = {int(v) for v in np.flatnonzero(away <= depth + 1)}
    assert set(region.nodes) == near
    assert dict(zip(region.nodes, region.depth, strict=True)) == {v: int(away[v]) for v in near}
    true = {(min(i, j), max(i, j)) for i, j in zip(*dag.nonzero(), strict=True) if i in near and j in near}
    assert set(region.edges) == true
    for (a, b), (z, _) in region.separations.items():
        assert d_separated(dag, a, b, z)


def test_a_region_can_be_cut_off():
    dag = np.triu(np.ones((12, 12), dtype=bool), 1)
    region = find_region(Neighbours(Oracle(dag), max_conditioning=2), 11, 3, most_variables=6)
    assert len(region.nodes) == 6 and not region.complete


def test_an_isolated_target_has_a_region_of_one():
    region = find_region(Neighbours(Oracle(np.zeros((4, 4), dtype=bool))), 3)
    assert region.nodes == (3,) and region.edges == ()


@pytest.mark.parametrize("symmetry", ["and", "or", "none"])
@pytest.mark.parametrize("kind", ["continuous", "mixed"])
def test_searches_made_elsewhere_change_nothing(tmp_path, kind, symmetry):
    rng = np.random.default_rng(2)
    values = rng.normal(size=(12, 300))
    for i in range(1, 12):
        values[i] += 0.7 * values[i // 2]
    values[4:6] = values[4:6] > 0 if kind == "mixed" else values[4:6]
    raw = RawTable("t.data", [f"x{i + 1}" for i in range(12)], 300, values=values)
    table = prepare(raw, np.where(values[2] + rng.normal(size=300) > 0, 1, -1))
    settings, target = {"symmetry": symmetry, "either": (12,)}, 12
    expected = find_region(neighbours_for(table, "auto", settings), target)
    for n in (1, 2, 5):
        for i in range(n):
            job = neighbours_for(table, "auto", settings)
            runs = [job.plain(x) for x in job.surely_wanted(target)[i::n]]
            write_searches(tmp_path / f"{i}.npz", runs, job.test.n_variables)
        last = neighbours_for(table, "auto", settings)
        last.remember(read_searches([tmp_path / f"{i}.npz" for i in range(n)], last.test))
        assert last.n_searches > 4
        found = find_region(last, target)
        assert found == expected and repr(found) == repr(expected)


def test_written_and_read_back(tmp_path):
    rng = np.random.default_rng(0)
    values = np.cumsum(rng.normal(size=(8, 200)), axis=0)
    raw = RawTable("t.data", [f"x{i + 1}" for i in range(8)], 200, values=values)
    table = prepare(raw, np.where(values[3] + rng.normal(size=200) > 0, 1, -1))
    region = find_region(neighbours_for(table, "auto", {}), table.n_variables)
    nodes = Nodes(table)
    write_region(tmp_path / "r.tsv", tmp_path / "s.tsv", nodes, region)
    again = read_region(tmp_path / "r.tsv", tmp_path / "s.tsv", nodes)
    assert len(region.edges) > 3
    assert (again.nodes, again.edges, again.depth) == (region.nodes, region.edges, region.depth)
    assert {pair: (tuple(sorted(z)), p) for pair, (z, p) in region.separations.items()} == again.separations
    assert again.log_p == region.log_p
