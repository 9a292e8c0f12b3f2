"""Tests of conditional independence behind one interface.

A test object knows its data (or, for the oracle, its graph) and answers two calls:

``test(x, y, z)``
    one `Result` for the variables ``x`` and ``y`` given the tuple ``z``;
``many(x, candidates, z)``
    the same for ``x`` against each of an array of candidates, as arrays: this is where the time goes, and what the
    compiled kernels serve.

Variables are numbered 0 to ``n_variables - 1``; by custom the target is the last one. Strength of association is the
logarithm of the p-value, never the p-value, because strong links underflow to p = 0 and would tie.
"""

from himation.independence.base import IndependenceTest, Many, Result
from himation.independence.fisher import FisherZ
from himation.independence.gsquare import GSquare
from himation.independence.oracle import Oracle

__all__ = ["FisherZ", "GSquare", "IndependenceTest", "Many", "Oracle", "Result"]
