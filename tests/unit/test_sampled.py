"""Networks drawn around the target: which variables they hold, what their shares mean, and how far they are trusted."""

import numpy as np
import pytest

from himation.files.tables import RawTable
from himation.graphs import ancestors, from_edges
from himation.prepare.preparing import prepare
from himation.selection.ancestry import MOST_RELATED, Ancestry, judge
from himation.selection.clues import standardised
from himation.selection.reported_roles import with_networks
from himation.selection.roles import Evidence
from himation.selection.sampled import MOST_NODES, Network, Shares, choose_nodes, shares


def _networks(edges, size, count=400):
    """The same graph many times; the last node is the target."""
    dag = from_edges(size, edges)
    return [Network(tuple(range(size)), np.repeat(dag[None], count, axis=0))]


def test_shares_of_a_known_graph():
    """0 -> 1 -> 2 -> T -> 3, and 0 -> 3: who is above, below, a parent, and intact with chance 1, 1/2, 1/4."""
    found = shares(_networks([(0, 1), (1, 2), (2, 4), (4, 3), (0, 3)], 5))
    assert [found[x].above for x in range(4)] == [1, 1, 1, 0]
    assert [found[x].below for x in range(4)] == [0, 0, 0, 1]
    assert [found[x].parent for x in range(4)] == [0, 0, 1, 0]
    assert [found[x].child for x in range(4)] == [0, 0, 0, 1]
    assert found[2].intact == 1 and found[3].intact == 0
    assert found[1].intact == pytest.approx(0.5, abs=0.05)
    assert found[0].intact == pytest.approx(0.25, abs=0.05)


def test_above_is_ancestry_in_random_graphs():
    rng = np.random.default_rng(1)
    for _ in range(20):
        order = rng.permutation(9)
        edges = [(int(order[i]), int(order[j])) for j in range(9) for i in range(j) if rng.random() < 0.25]
        found = shares(_networks(edges, 9, 2))
        assert {x for x in found if found[x].above == 1} == set(ancestors(from_edges(9, edges), 8)) - {8}


def _table(n=600, seed=7, order=None):
    """W0 -> X1 -> T and U -> X1, T -> X3 <- W2, T -> X4, X5 -> T, and noise."""
    rng = np.random.default_rng(seed)
    w0, w2, x5, u = rng.normal(size=(4, n))
    x1 = w0 + u + 0.7 * rng.normal(size=n)
    t = np.where(x1 + 1.3 * x5 + 0.7 * rng.normal(size=n) > 0, 1, -1)
    x3 = t + w2 + 0.5 * rng.normal(size=n)
    x4 = t + 1.2 * rng.normal(size=n)
    values = np.column_stack([w0, x1, w2, x3, x4, x5, u, rng.normal(size=(n, 5))])
    names = ["W0", "X1", "W2", "X3", "X4", "X5", "U", *(f"N{i}" for i in range(5))]
    order = np.arange(12) if order is None else order
    raw = RawTable("training", [names[i] for i in order], n, values=np.ascontiguousarray(values[:, order].T))
    return prepare(raw, t)


def test_causes_effects_and_what_is_between_are_told():
    table = _table()
    found = {table.names[x]: item for x, item in judge(table).shares.items()}
    assert min(found["X1"].parent, found["X5"].parent) > 0.9
    assert min(found["X3"].child, found["X4"].child) > 0.9
    assert found["W0"].above > 0.9 and found["W0"].parent < 0.1
    assert 0.3 < found["W0"].intact < 0.7
    assert found["W2"].above < 0.1  # unrelated to the target, and needed to know that X3 is an effect


def test_the_order_of_the_columns_does_not_matter():
    table = _table()
    plain = {table.names[x]: item for x, item in judge(table).shares.items()}
    for seed in range(3):
        other = _table(order=np.random.default_rng(seed).permutation(12))
        assert {other.names[x]: item for x, item in judge(other).shares.items()} == plain


def test_nodes_are_the_strongest_and_their_partners():
    rng = np.random.default_rng(3)
    n, p = 400, 300
    hidden = rng.normal(size=n)
    X = rng.normal(size=(n, p))
    X[:, :60] += hidden[:, None] * np.linspace(1.5, 0.5, 60)
    X[:, 200] += X[:, 0] - hidden * 1.5  # goes with X0 and not with the target
    Z = standardised(X)
    y = standardised((hidden + 0.3 * rng.normal(size=n))[:, None])[:, 0]
    r = Z.T @ y / n
    found = choose_nodes(lambda variables: Z[:, variables], r, n)
    assert len(found) == len(set(found)) <= MOST_NODES
    assert found[0] == int(np.argmax(np.abs(r)))
    assert set(range(60)) <= set(found) and 200 in found
    assert np.all(np.diff(np.abs(r[found[:60]])) <= 1e-6)
    crowded = choose_nodes(lambda variables: Z[:, variables], 10 * r, n)  # where nearly all count as related
    assert MOST_RELATED <= len(crowded) <= MOST_NODES
    assert choose_nodes(lambda variables: Z[:, variables], np.zeros(p), n) == []


@pytest.mark.parametrize(
    ("related", "variables", "examples", "trust"),
    [
        (40, 100, 500, 1.0),
        (140, 200, 500, 1.0),
        (60, 100, 10_000, 0.0),
        (20, 100, 10_000, 1.0),
        (140, 1000, 9_000, 0.25),
    ],
)
def test_in_long_tables_networks_count_less_where_they_see_a_part_or_all_is_related(
    related, variables, examples, trust
):
    judged = dict.fromkeys(range(related), 0.5)
    assert Ancestry(judged, {}, {}, variables, examples).network_trust == pytest.approx(trust)


def test_roles_are_those_of_the_networks_as_far_as_they_are_trusted():
    evidence = {0: Evidence(0, neighbour=True, p_child=0.8, p_parent=0.2, role="child"), 1: Evidence(1, p_spouse=0.7)}
    drawn = {0: Shares(0.9, 0.1, 0.9, 0.1, 0.9), 2: Shares(0.6, 0.1, 0.6, 0.1, 0.6), 1: Shares(0.0, 0.9, 0.0, 0.6, 0.0)}
    found = with_networks(evidence, Ancestry(dict.fromkeys(range(3), 0.5), {}, {}, 10, 500, drawn))
    assert [found[x].role for x in range(3)] == ["parent", "child", "parent"]
    assert (found[0].p_parent, found[0].p_child) == pytest.approx((0.9, 0.1))
    assert found[1].p_spouse == pytest.approx(0.4)  # what parent and child leave
    assert evidence[0].role == "child"  # rules that go by PDAGs keep what they had
    half = with_networks(evidence, Ancestry(dict.fromkeys(range(50), 0.5), {}, {}, 100, 10_000, drawn))
    assert half[0].role == "child" and half[0].p_parent == pytest.approx(0.2)
