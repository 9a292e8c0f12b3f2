"""FSMB, RFE and Relief: finders that see what pairs of variables don't show.

Binary variables are -1/+1 for them unless the setting ``coding`` says zero_one. With 0/1 an XOR is x1 + x2 - 2 x1*x2,
and the product is associated with the target much less: FSMB's sensitivity falls from 1.0 to 0.7 on double noisy-XOR
(500 examples), to 0.2 on noisy 3-parity (60 variables, 500 examples), to 0 on the redundant mechanism (1,500 examples).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from himation.bits import unpack_bits
from himation.finders import Context, Found, require_two_classes
from himation.gram import Matrix, is_sparse
from himation.independence import FisherZ, GSquare, IndependenceTest
from himation.table import BINARY, Table

if TYPE_CHECKING:
    from himation.blanket.search import Blanket

CODINGS = ("plus_minus", "zero_one")
GUARDS = ("screen", "honest", "none")
FINDERS = ("hiton", "mmmb")
ACCIDENTS = 1.0  # features that the screen lets through by chance, on average
MOST_DENSE_CELLS = 100_000_000  # of a binary table; larger ones are sparse matrices
_SPARSE_ROWS = 4_096  # variables unpacked at a time


def find_rfe(table: Table, settings: dict, context: Context) -> Found:
    """Polynomial elimination with the model that FSMB would use (thesis, V.2.2)."""
    X = examples(table, settings)
    return _eliminate(X, table, *_svm(X, table, settings, context), settings, context)


def find_linear_rfe(table: Table, settings: dict, context: Context) -> Found:
    """Linear elimination, for wide tables; C is 1 unless given."""
    return _eliminate(examples(table, settings), table, 1, float(settings.get("cost", 1.0)), settings, context)


def _eliminate(X, table: Table, degree: int, cost: float, settings: dict, context: Context) -> Found:
    from himation.feature_space.fsmb import OURS, class_weight_of
    from himation.rankings.rfe import rfe

    weight = class_weight_of(settings.get("svm", OURS))
    found = rfe(X, table.target, degree, cost, seed=context.seed, class_weight=weight, progress=context.progress)
    return _nested(found, {"degree": degree, "cost": cost})


def find_relief(table: Table, settings: dict, context: Context) -> Found:
    """ReliefF with the backward wrapper."""
    from himation.rankings.relief import NEIGHBOURS, relief_wrapper

    X = np.asarray(_dense(table, settings))
    degree, cost = _svm(X, table, settings, context)
    k = settings.get("neighbours", NEIGHBOURS)
    nominal = [table.is_text(i) for i in range(table.n_variables)]
    found = relief_wrapper(X, table.target, degree, cost, k, nominal, seed=context.seed, progress=context.progress)
    return _nested(found, {"degree": degree, "cost": cost, "neighbours": k})


def _nested(found, details: dict) -> Found:
    """The chosen set of a nested sequence, scored by rank."""
    scores = tuple(float(len(found.ranking) - rank) for rank in range(len(found.subset)))
    return Found(found.subset, scores, {**details, "path": [[step.size, step.auc] for step in found.path]})


def find_fsmb(table: Table, settings: dict, context: Context) -> Found:
    """The blanket in feature space. As in the thesis: guard none, search heur2, redundant struck, svm published."""
    from himation.feature_space.fsmb import fsmb

    X = examples(table, settings)
    degree, cost = _svm(X, table, settings, context)
    guard = settings.get("guard", GUARDS[0])
    found = fsmb(
        X,
        table.target,
        lambda F, y: blanket_of_features(F, y, settings),
        degree,
        cost,
        p=settings.get("construct", 20_000),
        r=settings.get("keep", 50),
        names=table.names,
        method=settings.get("search", "auto"),
        svm=settings.get("svm", "ours"),
        redundant=settings.get("redundant", "skipped"),
        honest=guard == "honest",
        screen=settings.get("accidents", ACCIDENTS) if guard == "screen" else None,
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
        "guard": guard,
        "coding": "zero_one" if is_sparse(X) else settings.get("coding", CODINGS[0]),
        "feature_names": list(found.names),
        "weights": [float(value) for _, value in found.features],
        "proven": bool(found.candidates.proven),
        "neighbour_columns": sorted(int(table.columns[x]) for x in found.neighbours),
    }
    features = tuple(monomial for monomial, _ in found.features)
    return Found(found.variables, tuple(weight[x] for x in found.variables), details, features)


def examples(table: Table, settings: dict) -> Matrix:
    """Examples by variables, binary ones coded as the setting ``coding`` says; wide binary tables are sparse (0/1)."""
    require_two_classes(table)
    if table.kind == BINARY and table.n_variables * table.train.n > MOST_DENSE_CELLS:
        return sparse_examples(table)
    return _dense(table, settings)


def _dense(table: Table, settings: dict) -> np.ndarray:
    from himation.files.memory import require

    require_two_classes(table)
    require(16.0 * table.n_variables * table.train.n, "this table as a matrix of numbers")
    X = np.ascontiguousarray(table.matrix().T)
    if settings.get("coding", CODINGS[0]) == "plus_minus":
        binary = table.kinds == BINARY
        X[:, binary] = 2.0 * X[:, binary] - 1.0
    return X


def sparse_examples(table: Table) -> Matrix:
    """A table of binary variables as a sparse matrix of 0 and 1."""
    from scipy.sparse import csr_matrix, vstack

    parts = []
    for start in range(0, table.n_variables, _SPARSE_ROWS):
        rows = table.row[start : start + _SPARSE_ROWS]
        parts.append(csr_matrix(unpack_bits(table.train.bits[rows], table.train.n).astype(np.float64)))
    return vstack(parts).T.tocsr()


def _svm(X, table: Table, settings: dict, context: Context) -> tuple[int, float]:
    """Degree and cost as given, or by cross-validation: the same for FSMB, RFE and Relief."""
    from himation.feature_space.fsmb import OURS, choose_svm

    degree, cost = settings.get("degree"), settings.get("cost")
    if degree is None or cost is None:
        svm = settings.get("svm", OURS)
        best = choose_svm(X, table.target, context.seed, context.threads, degree, cost, svm).best
        degree, cost = best.kernel.degree, best.cost
    return int(degree), float(cost)


def test_among(F: np.ndarray, y: np.ndarray) -> IndependenceTest:
    """The test of columns and labels, the last variable: G-square if all of them have two values, else Fisher's z."""
    rows = np.vstack([F.T, y])
    low, high = rows.min(axis=1, keepdims=True), rows.max(axis=1, keepdims=True)
    two_valued = bool(((rows == low) | (rows == high)).all())
    return GSquare.from_codes((rows == high).astype(np.uint8)) if two_valued else FisherZ(rows)


def blanket_of_features(F: np.ndarray, y: np.ndarray, settings: dict) -> Blanket:
    """HITON or MMMB among constructed features."""
    from himation.blanket.hiton import hiton_mb, hiton_pc
    from himation.blanket.mmmb import mmmb
    from himation.blanket.mmpc import ALPHA, MAX_CONDITIONING, Neighbours, mmpc
    from himation.blanket.search import Blanket

    if not F.shape[1]:
        return Blanket((), ())
    test = test_among(F, y)
    alpha, most = settings.get("alpha", ALPHA), settings.get("max_conditioning", MAX_CONDITIONING)
    hiton = settings.get("finder", FINDERS[0]) == "hiton"
    # products of the same variables are nearly collinear, and the correction for symmetry would empty the answer
    neighbours = Neighbours(test, alpha, most, symmetry="none", search=hiton_pc if hiton else mmpc)
    return (hiton_mb if hiton else mmmb)(neighbours, F.shape[1])
