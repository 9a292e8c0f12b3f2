"""MMPC with the correction for symmetry is exactly the parents and children, on 200 random graphs of 8 to 15 nodes."""

import numpy as np
import pytest
from graph_tools import random_dag

from himation.blanket.mmpc import Neighbours
from himation.independence import FisherZ, Oracle


@pytest.mark.parametrize("seed", range(1000, 1200))
def test_exact_under_the_oracle(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(int(rng.integers(8, 16)), rng, expected_degree=2.2)
    found = Neighbours(Oracle(dag, seed), max_conditioning=15)
    for t in range(len(dag)):
        assert set(found.of(t)) == {int(v) for v in np.flatnonzero(dag[t] | dag[:, t])}


def test_one_end_is_enough_at_a_variable_named():
    """Edges at that variable can only be added, both ends agree, and other edges stay as they are."""
    rng = np.random.default_rng(8)
    dag = np.triu(rng.random((9, 9)) < 0.3, 1)
    exact, same = (Neighbours(Oracle(dag), max_conditioning=9, either=either) for either in ((), (4,)))
    assert set(exact.of(4)) <= set(same.of(4))
    assert all(set(exact.of(x)) - {4} == set(same.of(x)) - {4} for x in range(9) if x != 4)
    n = 150
    values = rng.standard_normal((n, 9))
    for cause, effect in np.argwhere(dag):
        values[:, effect] += 0.6 * values[:, cause]
    test = FisherZ(values.T)
    strict, lenient = Neighbours(test), Neighbours(test, either=(4,))
    assert set(strict.of(4)) <= set(lenient.of(4))
    assert all((4 in lenient.of(x)) == (x in lenient.of(4)) for x in range(9) if x != 4)
    assert all(set(strict.of(x)) - {4} == set(lenient.of(x)) - {4} for x in range(9) if x != 4)
