"""The test of independence that a prepared table calls for, and parents and children found with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from himation.errors import UserError, suggestion
from himation.independence import FisherZ, GSquare, IndependenceTest
from himation.rows import TEST_ROWS, limited
from himation.table import CONTINUOUS, Table
from himation.test_names import TESTS

if TYPE_CHECKING:
    from himation.blanket.mmpc import Neighbours

WIDE = 1000  # variables, above which the false discovery rate decides where a search starts
MOST_CANDIDATES = 200
_DISCRETE_TESTS = ("g2", "pearson", "permutation")


def test_for(table: Table, name: str = "auto", seed: int = 1, rows: int = TEST_ROWS) -> IndependenceTest:
    """The independence test on the variables of a table, with the target as the last one. The mixed test uses at most
    so many ``rows``; others need no more than counts or correlations, and use all.

    ``auto`` is g2 where everything is discrete, fisherz where all variables are continuous, mixed otherwise;
    ``g2-or-fisherz``, as in the thesis (V.2.2), fisherz for mixed tables too. A binary target counts as a number for
    fisherz, as in the thesis.
    """
    discrete = table.kind in ("binary", "discrete") and table.target_kind != CONTINUOUS
    if name == "auto":
        numbers = table.kind == CONTINUOUS and table.target_kind != "discrete"
        name = "g2" if discrete else "fisherz" if numbers else "mixed"
    elif name == "g2-or-fisherz":
        name = "g2" if discrete else "fisherz"
    if name not in TESTS:
        raise UserError(f"unknown independence test {name!r}; {suggestion(name, TESTS)}")
    if name in _DISCRETE_TESTS and not discrete:
        raise UserError(f"the test {name!r} needs discrete variables and target, this table is {table.kind}; use mixed")
    if name in ("g2", "pearson"):
        return _g_square(table, statistic=name)
    if name == "permutation":
        from himation.independence.permutation import PermutationG2

        codes, arities = _codes(table)
        return PermutationG2(codes, arities, seed=seed)
    from himation.files.memory import require

    table = limited(table, rows, seed) if name == "mixed" else table
    require(16.0 * table.n_variables * table.train.n, f"the test {name!r} on this table")
    if name == "fisherz":
        if table.target_kind == "discrete":
            raise UserError("the test 'fisherz' needs a target with two values or a continuous one; use mixed")
        return FisherZ(np.vstack([table.matrix(), table.target.astype(np.float64)]))
    return _mixed(table)


def _g_square(table: Table, statistic: str) -> GSquare:
    if table.kind == "binary" and table.target_kind == "binary":
        from himation.bits import pack_bits

        bits = np.concatenate([table.train.bits[table.row], pack_bits(table.target_codes()[None, :])])
        return GSquare(table.train.n, np.full(len(bits), 2), bits, statistic)
    codes, arities = _codes(table)
    return GSquare.from_codes(codes, arities, statistic=statistic)


def _codes(table: Table) -> tuple[np.ndarray, np.ndarray]:
    codes, arities = table.codes(range(table.n_variables))
    target = table.target_codes()
    return np.vstack([codes, target]), np.append(arities, target.max() + 1)


def _mixed(table: Table) -> IndependenceTest:
    from himation.independence.mixed import MixedLikelihoodRatio

    columns, arities = [], []
    for i in range(table.n_variables):
        if table.kinds[i] == CONTINUOUS:
            columns.append(table.numbers(i))
            arities.append(0)
        else:
            codes, arity = table.codes([i])
            columns.append(codes[0])
            arities.append(int(arity[0]))
    if table.target_kind == CONTINUOUS:
        return MixedLikelihoodRatio([*columns, table.target], np.array([*arities, 0]))
    target = table.target_codes()
    return MixedLikelihoodRatio([*columns, target], np.array([*arities, int(target.max()) + 1]))


def most_candidates(asked: str, test: IndependenceTest) -> int | None:
    """How many candidates a search around one variable starts from, by the setting ``candidates``; None is no limit.

    Of 20,000 variables a thousand pass a level of 0.05 by chance, and each costs a search of its own.
    """
    if asked == "auto":
        asked = "alpha" if isinstance(test, GSquare) or test.n_variables <= WIDE else "fdr"
    return MOST_CANDIDATES if asked == "fdr" else None


def starting_points(neighbours: Neighbours) -> str:
    """What a log says of it."""
    most, test = neighbours.test.most_candidates, neighbours.test
    if most is None:
        return f"searches start from all that depends on a variable at {neighbours.alpha:g}"
    return (
        f"{test.n_variables - 1:,} variables: searches start from those that depend on one at a false discovery rate "
        f"of {neighbours.alpha:g}, at most {most} (candidates: fdr)"
    )


def neighbours_for(table: Table, test: str, settings: dict, search: str = "mmpc", threads: int = 1) -> Neighbours:
    """Parents and children of any variable, by the search of that name, with the test that the table calls for."""
    from himation.blanket.mmpc import ALPHA, MAX_CONDITIONING, Neighbours

    of_table = test_for(table, test, rows=settings.get("rows", TEST_ROWS))
    of_table.most_candidates = most_candidates(settings.get("candidates", "auto"), of_table)
    return Neighbours(
        of_table,
        settings.get("alpha", ALPHA),
        settings.get("max_conditioning", MAX_CONDITIONING),
        settings.get("symmetry", "and"),
        _searches()[search],
        threads,
        settings.get("either", ()),
    )


def _searches() -> dict:
    from himation.blanket.hiton import hiton_pc, si_hiton_pc
    from himation.blanket.mmpc import mmpc
    from himation.blanket.pcmb import get_pcd

    return {"mmpc": mmpc, "hiton-pc": hiton_pc, "si-hiton-pc": si_hiton_pc, "get-pcd": get_pcd}
