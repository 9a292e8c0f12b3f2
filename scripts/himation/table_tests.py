"""The test of independence that a prepared table calls for, and parents and children found with it."""

import numpy as np

from himation.errors import UserError
from himation.independence import FisherZ, GSquare, IndependenceTest
from himation.table import Table

TESTS = ("auto", "g2", "fisherz")


def test_for(table: Table, name: str = "auto") -> IndependenceTest:
    """The independence test on the variables of a table, with the target as the last one."""
    discrete = table.kind in ("binary", "discrete")
    if name == "auto":
        name = "g2" if discrete else "fisherz"
    if name == "g2":
        if not discrete:
            raise UserError("the g2 test needs discrete variables, this table is " + table.kind + "; use fisherz")
        positive = table.target > 0
        if table.kind == "binary":
            from himation.bits import pack_bits

            bits = np.concatenate([table.train.bits[table.row], pack_bits(positive[None, :])])
            return GSquare(table.train.n, np.full(len(bits), 2), bits)
        codes, arities = table.codes(range(table.n_variables))
        return GSquare.from_codes(np.vstack([codes, positive.astype(np.uint8)]), np.append(arities, 2))
    if name == "fisherz":
        from himation.files.memory import require

        require(16.0 * table.n_variables * table.train.n, "Fisher's z test on this table")
        return FisherZ(np.vstack([table.matrix(), table.target.astype(np.float64)]))
    raise UserError(f"unknown independence test {name!r}; known are {', '.join(TESTS)}")


def neighbours_for(table: Table, test: str, settings: dict, search: str = "mmpc"):
    """Parents and children of any variable, by the search of that name, with the test that the table calls for."""
    from himation.blanket.mmpc import ALPHA, MAX_CONDITIONING, Neighbours

    return Neighbours(
        test_for(table, test),
        settings.get("alpha", ALPHA),
        settings.get("max_conditioning", MAX_CONDITIONING),
        settings.get("symmetry", "and"),
        _searches()[search],
    )


def _searches() -> dict:
    from himation.blanket.hiton import hiton_pc, si_hiton_pc
    from himation.blanket.mmpc import mmpc
    from himation.blanket.pcmb import get_pcd

    return {"mmpc": mmpc, "hiton-pc": hiton_pc, "si-hiton-pc": si_hiton_pc, "get-pcd": get_pcd}
