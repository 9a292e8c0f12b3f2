"""FSMB and RFE: finders that read the weights of a polynomial SVM."""

import numpy as np

from himation.finders import Context, Found, require_two_classes
from himation.independence import FisherZ, GSquare
from himation.table import Table


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

    require_two_classes(table)
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
