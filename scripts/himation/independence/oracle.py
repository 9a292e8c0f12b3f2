"""An oracle: answers by d-separation on a known graph, behind the interface of a statistical test.

An algorithm that is sound must be exact under it, so the proofs of the papers become tests.
"""

import numpy as np

from himation.independence.base import IndependenceTest, Many

_DEPENDENT = -1000.0


class Oracle(IndependenceTest):
    """d-separation on a directed acyclic graph given as a boolean matrix (``dag[i, j]``: i causes j).

    Dependence is graded so that heuristics have something to rank: directly linked pairs strongest, then by a fixed
    pseudo-random amount of each pair that does not change with the conditioning set.

    >>> dag = np.zeros((3, 3), dtype=bool); dag[0, 1] = dag[2, 1] = True
    >>> oracle = Oracle(dag)
    >>> oracle.test(0, 2).p_value, oracle.test(0, 2, (1,)).p_value < 1e-9
    (1.0, True)
    """

    def __init__(self, dag: np.ndarray, seed: int = 0):
        from himation.graphs import DSeparation

        dag = np.asarray(dag, dtype=bool)
        self.n_variables = len(dag)
        self._separation = DSeparation(dag)
        strength = np.random.default_rng(seed).random(dag.shape)
        self._strength = np.minimum(strength, strength.T) + (dag | dag.T)

    def many(self, x, candidates, z):
        separated = np.array([self._separation.separated(x, int(y), tuple(z)) for y in candidates], dtype=bool)
        statistic = np.where(separated, 0.0, 1.0 + self._strength[x, candidates])
        return Many(statistic, np.ones(len(candidates)), statistic * _DEPENDENT, np.ones(len(candidates), dtype=bool))
