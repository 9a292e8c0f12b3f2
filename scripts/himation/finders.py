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


def find_rfe(table: Table, settings: dict, context: Context) -> Found:
    """Polynomial elimination with the machine that FSMB would use (thesis, V.2.2)."""
    from himation.rfe import rfe

    X = _examples(table)
    degree, cost = _machine(X, table, settings, context)
    found = rfe(X, table.target, degree, cost, seed=context.seed, progress=context.progress)
    scores = tuple(float(len(found.ranking) - rank) for rank in range(len(found.subset)))
    path = [[step.size, step.auc] for step in found.path]
    return Found(found.subset, scores, {"degree": degree, "cost": cost, "path": path})


def find_fsmb(table: Table, settings: dict, context: Context) -> Found:
    from himation.fsmb import fsmb

    X = _examples(table)
    degree, cost = _machine(X, table, settings, context)
    found = fsmb(
        X,
        table.target,
        lambda F, y: _blanket_of_features(F, y, settings),
        degree,
        cost,
        p=settings.get("construct", 20_000),
        r=settings.get("keep", 50),
        names=table.names,
        seed=context.seed,
        threads=context.threads,
        progress=context.progress,
    )
    weight: dict[int, float] = {}
    for monomial, value in found.features:
        for x, _ in monomial:
            weight[x] = max(weight.get(x, 0.0), abs(float(value)))
    details = {
        "degree": degree,
        "cost": cost,
        "feature_names": list(found.names),
        "weights": [float(value) for _, value in found.features],
        "proven": bool(found.candidates.proven),
    }
    features = tuple(monomial for monomial, _ in found.features)
    return Found(found.variables, tuple(weight[x] for x in found.variables), details, features)


def _examples(table: Table) -> np.ndarray:
    from himation.files.memory import require

    require(16.0 * table.n_variables * table.train.n, "this table as a matrix of numbers")
    return np.ascontiguousarray(table.matrix().T)


def _machine(X, table: Table, settings: dict, context: Context) -> tuple[int, float]:
    """Degree and cost as given, or by cross-validation: the same for FSMB and RFE."""
    from himation.fsmb import choose_machine, machine_grid

    degree, cost = settings.get("degree"), settings.get("cost")
    if degree is None or cost is None:
        grid = machine_grid(degree, cost)
        best = choose_machine(X, table.target, seed=context.seed, threads=context.threads, grid=grid).best
        degree, cost = best.kernel.degree, best.cost
    return int(degree), float(cost)


def _blanket_of_features(F: np.ndarray, y: np.ndarray, settings: dict) -> tuple[int, ...]:
    """MMMB among constructed features: G-square if all of them have two values, Fisher's z otherwise."""
    from himation.blanket.mmmb import mmmb
    from himation.blanket.mmpc import ALPHA, MAX_CONDITIONING, Neighbours

    rows = np.vstack([F.T, y])
    low, high = rows.min(axis=1, keepdims=True), rows.max(axis=1, keepdims=True)
    two_valued = bool(((rows == low) | (rows == high)).all())
    test = GSquare.from_codes((rows == high).astype(np.uint8)) if two_valued else FisherZ(rows)
    alpha, most = settings.get("alpha", ALPHA), settings.get("max_conditioning", MAX_CONDITIONING)
    # products of the same variables are nearly collinear, and the correction for symmetry would empty the answer
    return mmmb(Neighbours(test, alpha, most, symmetry="none"), F.shape[1]).members


def check_settings(method: str, settings: dict) -> None:
    """Refuse parameters that a method does not take."""
    from himation.methods import METHODS

    strange = sorted(set(settings) - set(METHODS[method].parameters))
    if strange:
        known = ", ".join(METHODS[method].parameters)
        raise UserError(f"method {method!r} has no parameter {strange[0]!r}; it takes {known}")
    alpha = settings.get("alpha", 0.5)
    if not 0 < alpha < 1:
        raise UserError(f"alpha is {alpha}; it must lie between 0 and 1")
