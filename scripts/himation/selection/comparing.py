"""Which set of variables is the natural blanket (thesis, V.2.2).

Each candidate set, and all variables together, get a cross-validated SVM on the same folds. The reference is accepted
unless another set is better by more than the noise: the mean of the differences over the folds exceeds twice its
standard error, and half a point of AUC in a hundred. Then something that the reference can't see predicts the target.
Such variables are looked for in feature space, so the variables of FSMB's features join, and the features with them
(`himation.models.constructed`).
"""

from dataclasses import dataclass, replace

import numpy as np

from himation.models.svm import HALVING, Grid, folds_for, search
from himation.table import Table

ALL = "all variables"
STANDARD_ERRORS = 2.0
LEAST_GAIN = 0.005
_MOST_CELLS = 200_000_000


@dataclass(frozen=True)
class Candidate:
    """A set with its cross-validated AUC; ``fold_aucs`` are comparable between sets."""

    name: str
    members: tuple[int, ...]
    auc: float
    standard_error: float
    fold_aucs: tuple[float, ...]
    settings: str
    rows: int = 0  # examples that the AUC was measured on


@dataclass(frozen=True)
class Choice:
    """The natural blanket, surest first, and why it is that."""

    members: tuple[int, ...]
    reason: str
    joined: tuple[str, ...] = ()  # the feature-space sets that join, with the features that they constructed


def compare(
    table: Table,
    sets: dict[str, tuple[int, ...]],
    grid: Grid,
    seed: int,
    most_rows: int,
    threads: int,
    method: str = HALVING,
) -> list[Candidate]:
    """A `Candidate` for each non-empty set and for all variables (where the table is small enough)."""
    known: dict[frozenset[int], Candidate] = {}
    candidates = []
    everything = tuple(range(table.n_variables))
    if table.n_variables * table.train.n <= _MOST_CELLS:
        sets = {**sets, ALL: everything}
    for name, members in sets.items():
        if not members:
            candidates.append(Candidate(name, (), 0.5, 0.0, (), "no variables"))
            continue
        key = frozenset(members)
        if key not in known:
            known[key] = _evaluate(table, sorted(members), grid, seed, most_rows, threads, method)
        same = known[key]
        candidates.append(replace(same, name=name, members=members))
    return candidates


def _evaluate(table, members, grid, seed, most_rows, threads, method) -> Candidate:
    X, n_folds = table.features(members), folds_for(min(table.train.n, most_rows))
    result = search(X, table.target, grid, seed, n_folds, max_rows=most_rows, threads=threads, method=method)
    best = result.best
    facts = best.auc, best.standard_error, best.fold_aucs, describe(best), result.rows_searched
    return Candidate("", tuple(members), *facts)


def describe(setting) -> str:
    """A setting of the grid in words."""
    kernel = setting.kernel
    shape = f"degree {kernel.degree}" if kernel.kind == "poly" else f"gamma {kernel.gamma:g}"
    return f"{shape}, C {setting.cost:g}"


def better(candidate: Candidate, reference: Candidate) -> bool:
    """Whether a set predicts better than the reference by more than the noise of cross-validation."""
    if not candidate.members:
        return False
    if not reference.members:
        return candidate.auc - 0.5 > max(LEAST_GAIN, STANDARD_ERRORS * candidate.standard_error)
    gain = candidate.auc - reference.auc
    if candidate.rows == reference.rows:  # the same folds
        gains = np.subtract(candidate.fold_aucs, reference.fold_aucs)
        noise = float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else 0.0
    else:  # one of them on a sample, the other on few different rows, and so on all
        noise = float(np.hypot(candidate.standard_error, reference.standard_error))
    return gain > max(LEAST_GAIN, STANDARD_ERRORS * noise)


def choose(
    candidates: list[Candidate], reference: str, feature_space=(), strongest: int = 0, anything: bool = True
) -> Choice:
    """The reference's set, with feature-space variables if something was missed; never empty.

    Where the reference is empty, another set takes its place, or, if not ``anything`` in the table goes with the target
    (`himation.independence.overall`) or no set has a member, the variable ``strongest``.
    """
    by_name = {candidate.name: candidate for candidate in candidates}
    base = by_name[reference]
    ahead = [c.name for c in candidates if c.name != reference and better(c, base)]
    members = list(base.members)
    added = []
    if ahead:
        for name in feature_space:
            added += [x for x in by_name[name].members if x not in members and x not in added]
    members += added
    if not members:
        others = [candidate for candidate in candidates if candidate.members]
        if not anything or not others:
            return Choice((strongest,), f"{reference} found nothing: the strongest single variable stands in")
        best = max(others, key=lambda c: (c.auc, -len(c.members)))
        return Choice(best.members, f"{reference} found nothing: the set of '{best.name}' is used")
    joined = tuple(name for name in feature_space if ahead and by_name[name].members)
    if added:
        reason = f"{', '.join(ahead)} predict better, {len(added)} variables of FSMB join"
        return Choice(tuple(members), reason, joined)
    if joined:
        reason = f"as found by {reference}, with FSMB's products of them, as {', '.join(ahead)} predict better"
        return Choice(tuple(members), reason, joined)
    if ahead:
        return Choice(tuple(members), f"as found by {reference}, though {', '.join(ahead)} predict better")
    return Choice(tuple(members), f"as found by {reference}: no other set predicts better by more than the noise")
