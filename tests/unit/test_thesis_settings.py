"""Choices of the thesis that stand beside ours: each against brute force, or against ours where they must agree."""

from itertools import combinations

import numpy as np
import pytest
from graph_tools import d_separated, random_dag

from himation.blanket.mmpc import Neighbours
from himation.feature_space.fsmb import PUBLISHED_GRID, choose_svm, fsmb
from himation.feature_space.monomials import binary_coding
from himation.feature_space.polynomial import heur2
from himation.files.tables import RawTable
from himation.finders import Context
from himation.finders.feature_space import find_fsmb
from himation.independence import FisherZ, GSquare, Oracle
from himation.orientation.region import find_region, outer_layer
from himation.orientation.scores.kernel_score import KernelFactors, indicators
from himation.orientation.separations import weakest_set
from himation.prepare.preparing import prepare
from himation.table_tests import test_for as independence_test


def correlated(n_variables=9, n=250, seed=0):
    """A chain with shortcuts: every variable depends on two earlier ones."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n_variables, n))
    for i in range(1, n_variables):
        rows[i] += 0.6 * rows[i - 1] + 0.4 * rows[i // 2]
    return rows


@pytest.mark.parametrize("kind", [FisherZ, lambda rows: GSquare.from_codes((rows > 0).astype(np.uint8))])
def test_the_weakest_separating_set_is_that_of_all_subsets(kind):
    test = kind(correlated())
    neighbours = Neighbours(test, max_conditioning=3)
    tried = 0
    for x, y in combinations(range(9), 2):
        pool = [z for z in neighbours.plain(x).members if z != y]
        given = {z: test.test(x, y, z) for size in range(4) for z in combinations(pool, size)}
        expected = max(one.log_p for one in given.values() if one.reliable)
        found, log_p = weakest_set(neighbours, x, y)
        assert log_p == pytest.approx(expected, rel=1e-6, abs=1e-9)
        assert test.test(x, y, found).log_p == pytest.approx(expected, rel=1e-6, abs=1e-9)
        tried += len(given)
    assert tried > 200


def test_weakest_sets_of_a_region_separate_at_least_as_well_as_the_first():
    first, weakest = (
        find_region(Neighbours(FisherZ(correlated(14, seed=3))), 6, 1, separating_sets=which)
        for which in ("first", "weakest")
    )
    assert first.edges == weakest.edges and first.separations.keys() == weakest.separations.keys()
    gains = [weakest.separations[pair][1] - first.separations[pair][1] for pair in first.separations]
    assert min(gains) >= 0 and max(gains) > 0.1


def test_the_outer_layer_is_kept_pruned_or_joined():
    dag = random_dag(30, np.random.default_rng(5), expected_degree=2.4, max_parents=3)
    neighbours = Neighbours(Oracle(dag), max_conditioning=6)
    region = find_region(neighbours, 29, 2)
    assert outer_layer(neighbours, region, 2, "kept") is region
    pruned = outer_layer(neighbours, region, 2, "pruned")
    assert max(pruned.depth) == 2 and pruned.nodes == tuple(
        x for x, away in zip(region.nodes, region.depth, strict=True) if away <= 2
    )
    assert set(pruned.edges) == {pair for pair in region.edges if set(pair) <= set(pruned.nodes)}
    joined = outer_layer(neighbours, region, 2, "joined")
    rim = {x for x, away in zip(region.nodes, region.depth, strict=True) if away == 3}
    added = set(joined.edges) - set(region.edges)
    assert added and all(set(pair) <= rim for pair in added)
    for a, b in added:  # nothing among the rim separates them
        others = sorted(rim - {a, b})
        assert not any(d_separated(dag, a, b, z) for size in range(3) for z in combinations(others, size))


def test_redundant_products_may_be_skipped_or_struck_out():
    rng = np.random.default_rng(0)
    SV, alpha = rng.choice([-1.0, 1.0], size=(40, 7)), rng.normal(size=40)
    coding = binary_coding(SV)
    skipped, struck = (heur2(SV, alpha, 3, 10_000, 20, coding, redundant=how) for how in ("skipped", "struck"))
    assert [q for q, _ in skipped.features] == [q for q, _ in struck.features]
    assert np.allclose([w for _, w in skipped.features], [w for _, w in struck.features])
    assert struck.constructed == 7 + 28 + 84 and skipped.constructed == 7 + 21 + 35  # with and without powers


def test_the_published_svm_has_the_thesiss_ranges():
    assert PUBLISHED_GRID.degrees == (1, 2, 3, 4) and PUBLISHED_GRID.gaussian_gamma == ()
    assert np.allclose(np.log10(PUBLISHED_GRID.costs), np.arange(-8, 4))
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=80) > 0.8, 1, -1)
    found = choose_svm(X, y, seed=1, svm="published")
    assert len(found.settings) == 48 and found.n_folds == 10 and found.class_weight is None
    assert choose_svm(X, y, seed=1).class_weight == "balanced"


def test_fsmb_says_which_variables_are_neighbours():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 2, size=(500, 6)).astype(float)
    y = np.where((X[:, 1] != X[:, 4]) ^ (rng.random(500) < 0.1), 1, -1)
    table = prepare(RawTable("t.csv", [f"v{i}" for i in range(6)], 500, values=X.T), y)
    found = find_fsmb(table, {"degree": 2, "cost": 1.0, "guard": "none"}, Context())
    assert set(found.details["neighbour_columns"]) == {2, 5}
    assert set(found.details["neighbour_columns"]) <= {int(table.columns[x]) for x in found.members}


def test_a_finder_may_say_which_features_are_neighbours():
    from himation.blanket.search import Blanket

    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.where(X[:, 0] > 0, 1, -1)
    found = fsmb(X, y, lambda F, labels: Blanket((0, 1), (), (1,)), degree=1, cost=1.0)
    assert len(found.variables) == 2 and found.neighbours == (found.variables[1],)


@pytest.mark.parametrize("kinds, expected", [("bb", GSquare), ("cc", FisherZ), ("cb", FisherZ)])
def test_mixed_tables_may_have_fishers_z(kinds, expected):
    rng = np.random.default_rng(0)
    values = np.array([rng.normal(size=90) if k == "c" else rng.integers(0, 2, 90) for k in kinds], dtype=float)
    table = prepare(RawTable("t.csv", ["a", "b"], 90, values=values), np.where(values[0] > 0, 1, -1))
    assert type(independence_test(table, "g2-or-fisherz")) is expected


def test_the_counted_dimension_is_the_number_of_eigenvalues_above_the_regularisation():
    rng = np.random.default_rng(4)
    x, kappa = rng.normal(size=120), 0.05
    z = (x - x.mean()) / x.std()
    gram = np.exp(-((z[:, None] - z) ** 2) / 2)
    centring = np.eye(120) - 1 / 120
    codes = rng.integers(0, 3, 120)
    dummies = indicators(codes)
    expected = [
        (np.linalg.eigvalsh(centring @ g @ centring) > 120 * kappa / 2).sum() for g in (gram, dummies.T @ dummies)
    ]
    factors = KernelFactors([x, codes], [False, True], kappa, dimension="counted")
    assert factors.features(None)[1] == expected and expected[1] == 2


def test_saeeds_networks_are_reached_by_name():
    from argparse import Namespace

    from himation.models.grid_options import options_from
    from himation.models.kinds import create

    shared = {"degrees": [1], "gammas": [], "costs": [1.0], "search": "halving"}
    shared |= {"most_rows": 100, "machines": 5, "rows": 0}
    X = np.random.default_rng(0).integers(0, 2, (120, 4)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] > 1, 1, -1)
    for mixture, layers in (("odds", 0), ("networks", 10)):
        options = options_from(Namespace(**shared, threads=1, class_weight="balanced", mixture=mixture))
        model = create("mixture", options).fit(X, y)
        assert len(model.layers_) == layers and model.describe().endswith(f"by {mixture}")
