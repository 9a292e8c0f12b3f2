"""Each blanket finder on a prepared table: the same call for all of them.

``find(table, settings)`` takes the parameters of the method as a dictionary and returns members in order of rank.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from himation.errors import UserError
from himation.independence import FisherZ, GSquare, IndependenceTest
from himation.table import Table

TESTS = ("auto", "g2", "fisherz")


@dataclass(frozen=True)
class Found:
    """Members (positions of variables), best first, with the score that ranks them; details for the report.

    ``features`` are products of variables that a feature-space method constructed, as tuples of (variable, power).
    """

    members: tuple[int, ...]
    scores: tuple[float, ...]
    details: dict = field(default_factory=dict)
    features: tuple[tuple[tuple[int, int], ...], ...] = ()


@dataclass(frozen=True)
class Context:
    """What finders share: the independence test by name, the seed, threads and how to report progress."""

    test: str = "auto"
    seed: int = 1
    threads: int = 1
    progress: Callable[[int, int], None] | None = None


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
            return GSquare(table.train.n, np.full(len(bits), 2), bits=bits)
        codes, arities = table.codes(range(table.n_variables))
        return GSquare.from_codes(np.vstack([codes, positive.astype(np.uint8)]), np.append(arities, 2))
    if name == "fisherz":
        from himation.files.memory import require

        require(16.0 * table.n_variables * table.train.n, "Fisher's z test on this table")
        return FisherZ(np.vstack([table.matrix(), table.target.astype(np.float64)]))
    raise UserError(f"unknown independence test {name!r}; known are {', '.join(TESTS)}")


def neighbours_for(table: Table, context: Context, settings: dict):
    from himation.blanket.mmpc import ALPHA, MAX_CONDITIONING, Neighbours

    return Neighbours(
        test_for(table, context.test),
        settings.get("alpha", ALPHA),
        settings.get("max_conditioning", MAX_CONDITIONING),
        settings.get("symmetry", "and"),
    )


def find_mmmb(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.mmmb import mmmb

    found = mmmb(neighbours_for(table, context, settings), table.n_variables, settings.get("spouses", "strict"))
    details = {"neighbours": [table.names[x] for x in found.neighbours]}
    return Found(found.members, found.strength, details)


def find_mmpc(table: Table, settings: dict, context: Context) -> Found:
    neighbours = neighbours_for(table, context, settings)
    members = neighbours.of(table.n_variables)
    log_p = neighbours.plain(table.n_variables).log_p
    members = tuple(sorted(members, key=lambda x: (log_p[x], x)))
    return Found(members, tuple(-float(log_p[x]) for x in members))


def check_settings(method: str, settings: dict) -> None:
    """Refuse parameters that a method does not take."""
    from himation.methods import METHODS

    strange = sorted(set(settings) - set(METHODS[method].parameters))
    if strange:
        raise UserError(f"method {method!r} has no parameter {strange[0]!r}; it takes {', '.join(METHODS[method].parameters)}")
    alpha = settings.get("alpha", 0.5)
    if not 0 < alpha < 1:
        raise UserError(f"alpha is {alpha}; it must lie between 0 and 1")
