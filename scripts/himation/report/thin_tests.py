"""Where examples are too few for the tests that a search for neighbours would make."""

import numpy as np

from himation.table import BINARY, DISCRETE, Table
from himation.test_names import EXAMPLES_PER_DF

DEEPEST = 3  # variables in a conditioning set, the default of all searches


def unreliable_tests(table: Table) -> list[str]:
    """A sentence if tests of the target given DEEPEST variables can't be made; nothing for tables with numbers."""
    if table.kind not in (BINARY, DISCRETE) or table.target_kind not in (BINARY, DISCRETE):
        return []
    arity = int(np.median([table.arity(i) for i in range(table.n_variables)]))
    df = (arity - 1) * (len(np.unique(table.target)) - 1)
    reliable = [k for k in range(DEEPEST + 1) if EXAMPLES_PER_DF * df * arity**k <= table.train.n]
    if DEEPEST in reliable:
        return []
    given = f"given more than {reliable[-1]} other{'s' * (reliable[-1] != 1)}" if reliable else "even by itself"
    return [
        f"unreliable tests: {table.train.n} examples are too few for a test of the target and a variable of {arity} "
        f"values {given}; such tests were skipped, so neighbours may be false or missing"
    ]
