"""Tests of conditional independence behind one interface.

A test object knows its data (or, for the oracle, its graph) and answers four calls:

``test(x, y, z)``
    one `Result` for the variables ``x`` and ``y`` given the tuple ``z``;
``many(x, candidates, z)``
    the same for ``x`` against each of an array of candidates, as arrays;
``screen(x, candidates, log_alpha)``
    which of the candidates depend on ``x`` given nothing, with p-values of those alone;
``weakest(x, candidates, pool, ...)``
    the weakest association over all small subsets of a pool: this is where the time goes, and it is compiled.

Variables are numbered 0 to ``n_variables - 1``; by custom the target is the last one. Strength of association is the
logarithm of the p-value, never the p-value, because strong links underflow to p = 0 and would tie.

Here: G-square and Pearson's chi-square (`GSquare`), Fisher's z (`FisherZ`) and the d-separation oracle (`Oracle`). In
modules of their own, which cost more to import: `mixed.MixedLikelihoodRatio` for tables of numbers and categories, and
`permutation.PermutationG2` for sparse tables.
"""

from himation.independence.base import IndependenceTest, Many, Result, Screened, Weakest
from himation.independence.fisher import FisherZ
from himation.independence.gsquare import GSquare
from himation.independence.oracle import Oracle

__all__ = ["FisherZ", "GSquare", "IndependenceTest", "Many", "Oracle", "Result", "Screened", "Weakest"]
