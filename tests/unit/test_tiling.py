"""Networks as pgmpy reads them; tiles that keep their distribution; connected wholes."""

import doctest
import gzip
from pathlib import Path

import networkx
import numpy as np
import pytest
from scipy.stats import chi2_contingency

from himation.errors import UserError
from himation.studies.reruns import tiling, wide_tiling
from himation.studies.reruns.tiling import Network, linked_table, load, tile


def test_examples_in_the_documentation():
    assert doctest.testmod(tiling).failed == 0
    assert doctest.testmod(wide_tiling).failed == 0


@pytest.mark.parametrize("name", ["alarm", "child", "insurance"])
def test_networks_are_read_as_pgmpy_reads_them(name):
    import pgmpy
    from pgmpy.readwrite import BIFReader

    path = Path(pgmpy.__file__).parent / "utils/example_models" / f"{name}.bif.gz"
    cpds = BIFReader(string=gzip.decompress(path.read_bytes()).decode()).get_model().get_cpds()
    network = load(name)
    assert len(cpds) == len(network.names)
    for cpd in cpds:
        j = network.names.index(cpd.variable)
        given = [network.names[x] for x in network.parents[j]]
        assert set(given) == set(cpd.variables[1:])
        order = [cpd.variables.index(word) for word in (*given, cpd.variable)]
        np.testing.assert_allclose(network.tables[j], np.transpose(cpd.values, order), atol=1e-6)


def test_margins_equal_pgmpys_inference():
    from pgmpy.inference import VariableElimination
    from pgmpy.utils import get_example_model

    network, query = load("alarm"), VariableElimination(get_example_model("alarm"))
    for name in ("CATECHOL", "HRBP", "LVFAILURE"):
        expected = query.query([name], show_progress=False).values
        np.testing.assert_allclose(network.margin(network.names.index(name)), expected, atol=1e-6)


def test_linked_table_averages_to_the_old_one():
    rng = np.random.default_rng(0)
    for _ in range(20):
        parent, child = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(4))
        table = linked_table(parent, child)
        np.testing.assert_allclose(parent @ table, child)
        np.testing.assert_allclose(table.sum(axis=1), 1)
        assert (table >= 0).all() and np.abs(table - child).max() > 0.01


def test_each_tile_keeps_its_joint_distribution():
    """Exactly, by enumeration of a small network with a collider, chained three times."""
    rng = np.random.default_rng(1)
    tables = (
        rng.dirichlet([1, 1]),
        rng.dirichlet([1, 1, 1]),
        rng.dirichlet([1, 1], size=(2, 3)),
        rng.dirichlet([1, 1], size=2),
    )
    small = Network(("a", "b", "c", "d"), ((), (), (0, 1), (2,)), tables)
    whole = tile([small, small, small], n_edges=2, seed=3)
    assert sum(map(len, whole.parents)) == 3 * 3 + sum(len(whole.parents[j]) for j in (4, 5, 8, 9)) >= 11

    def joint(network, wanted):
        operands = []
        for j, table in enumerate(network.tables):
            operands += [table, [*network.parents[j], j]]
        return np.einsum(*operands, wanted, optimize="greedy")

    alone = joint(small, [0, 1, 2, 3])
    for k in range(3):
        np.testing.assert_allclose(joint(whole, [4 * k + j for j in range(4)]), alone, atol=1e-12)


def test_tiled_alarm_is_connected_and_deterministic():
    alarm = load("alarm")
    whole = tile([alarm] * 4, n_edges=2, seed=5)
    graph = networkx.from_numpy_array(whole.dag.astype(int), create_using=networkx.DiGraph)
    assert networkx.is_directed_acyclic_graph(graph) and networkx.is_weakly_connected(graph)
    assert len(whole.names) == 4 * 37 and whole.dag.sum() == 4 * 46 + 3 * 2
    assert (tile([alarm] * 4, n_edges=2, seed=5).dag == whole.dag).all()
    assert (tile([alarm] * 4, n_edges=2, seed=6).dag != whole.dag).any()


def test_samples_have_the_tables_frequencies():
    whole = tile([load("alarm")] * 2, seed=0)
    codes = whole.sample(20_000, np.random.default_rng(0))
    linked = next(j for j in range(37, 74) if whole.parents[j] and whole.parents[j][0] < 37)
    parent = whole.parents[linked][0]
    shown = np.zeros(whole.tables[linked].shape)
    np.add.at(shown, (codes[:, parent], codes[:, linked]), 1)
    keep = shown.sum(axis=1) > 200
    frequencies = shown[keep] / shown[keep].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(frequencies, whole.tables[linked][keep], atol=0.04)
    assert chi2_contingency(shown[keep][:, shown[keep].sum(axis=0) > 0]).pvalue < 1e-6  # the copies do depend


def test_unknown_network():
    with pytest.raises(UserError, match="no network 'alarms'"):
        load("alarms")


@pytest.mark.parametrize(("name", "copies", "links", "edges"), [("alarm", 10, 110, 570), ("insurance", 10, 36, 556)])
def test_wide_tiles_have_the_published_number_of_edges(name, copies, links, edges):
    whole = wide_tiling.tile_widely(load(name), copies, links, seed=8)
    graph = networkx.DiGraph(whole.dag.astype(int))
    assert graph.number_of_edges() == edges
    assert networkx.is_directed_acyclic_graph(graph) and networkx.is_weakly_connected(graph)


def test_each_wide_tile_keeps_its_joint_distribution():
    rng = np.random.default_rng(1)
    tables = (rng.dirichlet([1, 1]), rng.dirichlet([1, 1, 1]), rng.dirichlet([1, 1], size=(2, 3)))
    small = Network(("a", "b", "c"), ((), (), (0, 1)), tables)
    whole = wide_tiling.tile_widely(small, 4, 10, seed=3)
    assert max(len(whole.parents[j]) for j in (3, 4, 6, 7, 9, 10)) > 1
    alone = wide_tiling.joint(small, (0, 1, 2))
    for k in range(4):
        np.testing.assert_allclose(wide_tiling.joint(whole, (3 * k, 3 * k + 1, 3 * k + 2)), alone, atol=1e-12)
