"""Groups of indicators: found among other columns, checked when declared, and one factor in region and orientation."""

import doctest

import numpy as np
import pytest

from himation.errors import UserError
from himation.files.tables import RawTable
from himation.orientation import groups
from himation.orientation.averaging import Averaging, edge_shares, orient, settings_for
from himation.orientation.groups import Factors, check_groups, find_groups
from himation.orientation.region import find_region
from himation.prepare.preparing import prepare
from himation.table_tests import neighbours_for


def colours(n=3000, seed=0):
    """shade -> colour (4 values, as indicators) -> target <- dose; unrelated binary columns around."""
    rng = np.random.default_rng(seed)
    shade = rng.integers(0, 2, n)
    colour = np.where(rng.random(n) < 0.8, 2 * shade, 2 * (1 - shade)) + rng.integers(0, 2, n)
    dose = rng.integers(0, 2, n)
    risk = np.array([0.0, 0.1, 0.25, 0.4])[colour]
    target = rng.random(n) < 0.05 + risk + 0.2 * dose + risk * dose * 0.8
    columns = {f"is_{k}": (colour == k).astype(float) for k in range(4)} | {"shade": shade, "dose": dose}
    columns |= {f"coin{k}": rng.integers(0, 2, n) for k in range(5)}
    return columns, np.where(target, 1, -1)


def table_of(columns, target, names=None):
    names = list(names if names is not None else columns)
    values = np.array([columns[name] for name in names], dtype=float)
    return prepare(RawTable("t.csv", names, values.shape[1], values=values), target)


def named(table, found):
    return [{table.names[v] for v in group} for group in found]


def test_found_among_other_columns_in_any_order():
    columns, target = colours()
    rng = np.random.default_rng(1)
    for _ in range(5):
        table = table_of(columns, target, rng.permutation(list(columns)))
        assert named(table, find_groups(table)) == [{"is_0", "is_1", "is_2", "is_3"}]


def test_two_groups_and_none():
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 3, 200), rng.integers(0, 5, 200)
    columns = {f"a{k}": first == k for k in range(3)} | {f"b{k}": second == k for k in range(5)}
    table = table_of(columns, rng.choice([-1, 1], 200))
    assert sorted(map(len, find_groups(table))) == [3, 5]
    apart = table_of({f"c{k}": rng.integers(0, 2, 200) for k in range(6)}, rng.choice([-1, 1], 200))
    assert find_groups(apart) == []


def test_one_factor_in_the_region_and_its_orientation():
    columns, target = colours()
    table = table_of(columns, target)
    factors = Factors.of(table, find_groups(table))
    merged = factors.table
    assert merged.n_variables == table.n_variables - 3 and merged.arity(merged.n_variables - 1) == 4
    small = find_region(neighbours_for(merged, "auto", {}), merged.n_variables, 2)
    region = factors.expand(small)
    names = {frozenset(table.names[v] if v < table.n_variables else "target" for v in pair) for pair in region.edges}
    assert {frozenset((f"is_{k}", "target")) for k in range(4)} <= names
    assert not any(pair <= {f"is_{k}" for k in range(4)} for pair in names)
    again = factors.contract(region)
    assert (again.nodes, again.edges, again.depth) == (small.nodes, small.edges, small.depth)
    settings = settings_for(merged.kind, "auto", (1,))
    oriented = factors.expand_settings(again, region, orient(merged, again, settings, Averaging()))
    shares = {
        table.names[edge.a]: (edge.forward, edge.backward, edge.undirected)
        for edge in edge_shares(region, oriented)
        if edge.b == table.n_variables and table.names[edge.a].startswith("is_")
    }
    assert len(shares) == 4 and len(set(shares.values())) == 1
    assert next(iter(shares.values()))[0] == 1.0


def test_separations_name_all_columns_of_a_factor():
    columns, target = colours()
    table = table_of(columns, target)
    factors = Factors.of(table, find_groups(table))
    region = factors.expand(find_region(neighbours_for(factors.table, "auto", {}), factors.table.n_variables, 2))
    shade, end = table.names.index("shade"), table.n_variables
    given = {table.names[v] for v in region.separations[shade, end][0]}
    assert given >= {f"is_{k}" for k in range(4)}


def test_declared_groups_are_checked():
    columns, target = colours(100)
    columns["x"] = np.random.default_rng(0).normal(size=100)
    table = table_of(columns, target)
    at = table.names.index
    part = (at("is_0"), at("is_1"))
    assert check_groups(table, [part]) == [part]
    assert Factors.of(table, [part]).table.arity(table.n_variables - 2) == 3  # neither is a value of its own
    for bad, words in (
        ([part, part], "listed twice"),
        ([(at("x"), at("is_0"))], "two values"),
        ([(at("shade"), at("dose"))], "in row"),
    ):
        with pytest.raises(UserError, match=words):
            check_groups(table, bad)


def test_the_worked_example():
    assert doctest.testmod(groups).failed == 0
