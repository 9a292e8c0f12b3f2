"""MMPC with the correction for symmetry is exactly the parents and children, on 200 random graphs of 8 to 15 nodes."""

import numpy as np
import pytest

from himation.blanket.mmpc import Neighbours
from himation.graphs import random_dag
from himation.independence import Oracle


@pytest.mark.parametrize("seed", range(1000, 1200))
def test_exact_under_the_oracle(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(int(rng.integers(8, 16)), rng, expected_degree=2.2)
    found = Neighbours(Oracle(dag, seed), max_conditioning=15)
    for t in range(len(dag)):
        assert set(found.of(t)) == {int(v) for v in np.flatnonzero(dag[t] | dag[:, t])}
