"""The ratio of scores against pgmpy, and the summary by edge."""

import doctest

import numpy as np
import pandas as pd
import pytest

from himation.confounding import y_edges
from himation.confounding.y_edges import Declared, YEdge, nodes_to_score, summarise, with_ratios, y_graph
from himation.confounding.ytest import Collider, YTest
from himation.files.nodes import Nodes
from himation.files.ytest_table import read_y_edges, read_y_tests, write_y_edges, write_y_tests
from himation.orientation.region import Region
from himation.orientation.scores.bdeu import BDeu
from himation.orientation.scores.gaussian_bic import GaussianBIC

A, B, C, D, Z, OUTSIDE = range(6)
ARITIES = [2, 3, 2, 2, 3, 2]
EDGES = ((A, C), (B, C), (C, D), (A, Z), (B, Z))
REGION = Region(
    nodes=(C, A, B, D, Z),
    depth=(0, 1, 1, 1, 2),
    edges=EDGES,
    log_p=dict.fromkeys(EDGES, -9.0),
    separations={(A, B): ((Z,), -0.2), (A, D): ((C, OUTSIDE), -0.3), (B, D): ((C,), -0.4)},
)
PASSED = YTest(A, B, C, D, 0.5)


def codes():
    rng = np.random.default_rng(3)
    table = rng.integers(0, ARITIES, size=(500, 6))
    table[:, A] = (table[:, Z] > 0) ^ (rng.random(500) < 0.2)
    table[:, C] = (table[:, A] + table[:, B] > 1) ^ (rng.random(500) < 0.1)
    table[:, D] = table[:, C] ^ (rng.random(500) < 0.2)
    return table


def test_the_nodes_of_the_conditioning_sets_are_common_causes_of_what_they_separate():
    assert y_graph(PASSED, REGION) == {A: {Z, OUTSIDE}, B: {Z}, C: {A, B}, D: {C, OUTSIDE}}
    assert nodes_to_score(REGION) == (C, A, B, D, Z, OUTSIDE)


def test_the_ratio_is_that_of_pgmpy():
    from pgmpy.base import DAG
    from pgmpy.structure_score import BDeu as Reference

    table, names = codes(), list("abcdzo")
    states = {name: list(range(r)) for name, r in zip(names, ARITIES, strict=True)}
    reference = Reference(pd.DataFrame(table, columns=names), equivalent_sample_size=10, state_names=states)
    empty = DAG()
    empty.add_nodes_from(names)
    structure = DAG([("z", "a"), ("o", "a"), ("z", "b"), ("a", "c"), ("b", "c"), ("c", "d"), ("o", "d")])
    order = list(nodes_to_score(REGION))
    (test,) = with_ratios([PASSED], REGION, BDeu(table[:, order], np.array(ARITIES)[order], 10))
    assert test.log_ratio == pytest.approx(reference.score(structure) - reference.score(empty))
    assert test.log_ratio > 0
    assert (test.a, test.b, test.c, test.d, test.p_score) == (A, B, C, D, 0.5)


def test_the_ratio_of_numbers_is_a_difference_of_bic():
    rng = np.random.default_rng(4)
    columns = rng.standard_normal((6, 300))
    columns[C] += columns[A] + columns[B]
    columns[D] += columns[C]
    order = list(nodes_to_score(REGION))
    (test,) = with_ratios([PASSED], REGION, GaussianBIC(list(columns[order])))

    def bic(child, parents):
        design = np.vstack([np.ones(300), *columns[list(parents)]]).T
        residual = columns[child] - design @ np.linalg.lstsq(design, columns[child], rcond=None)[0]
        return -150 * np.log(np.mean(residual**2)) - 0.5 * len(parents) * np.log(300)

    graph = {A: (Z, OUTSIDE), B: (Z,), C: (A, B), D: (C, OUTSIDE)}
    expected = sum(bic(child, parents) - bic(child, ()) for child, parents in graph.items())
    assert test.log_ratio == pytest.approx(expected, rel=1e-6)


TESTS = [YTest(A, B, C, D, 0.5, 0.02, 7.0), YTest(A, Z, C, D, 0.8, 0.001, 3.0), YTest(A, B, D, C, 0.1)]
STRUCTURES = [YTest(A, B, C, D, 0.4)]
SUMMARY = [
    YEdge(A, C, Declared(), Declared()),
    YEdge(C, D, Declared(2, 0.8, 0.001, 7.0, 1, 0.4), Declared(1, 0.1)),
]


def test_every_edge_is_counted_both_ways():
    assert summarise([(A, C), (C, D)], TESTS, STRUCTURES) == SUMMARY


class FewColumns:
    """A table whose node 3 is the target; nodes 0 to 2 are the columns 7, 5 and 9."""

    n_variables, names, columns, target_name = 3, ["a", "b", "c"], [7, 5, 9], "y"


def test_tables_read_back_as_they_were_written(tmp_path):
    nodes = Nodes(FewColumns)
    write_y_edges(tmp_path / "edges.tsv", nodes, SUMMARY)
    target, edge = read_y_edges(tmp_path / "edges.tsv", nodes)
    assert target == YEdge(D, C, SUMMARY[1].backward, SUMMARY[1].forward)  # the target's column is the lowest
    assert edge == SUMMARY[0]
    tests, colliders = [YTest(B, A, C, D, 0.5, 0.001, 7.0), YTest(B, A, D, C, 0.4)], [Collider(B, A, C, 0.5, 0.001)]
    write_y_tests(tmp_path / "tests.tsv", tmp_path / "colliders.tsv", nodes, tests, colliders)
    assert read_y_tests(tmp_path / "tests.tsv", tmp_path / "colliders.tsv", nodes) == (tests, colliders)


def test_the_example_holds():
    assert doctest.testmod(y_edges).failed == 0
