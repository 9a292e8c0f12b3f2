"""What a user should know before relying on a model: one plain sentence for each caution, with what to do about it.

Identifiers and exact copies of the target are named when a table is prepared (`himation.prepare.suspects`).
"""

from collections.abc import Sequence

import numpy as np

from himation.files.texts import listed
from himation.table import CONTINUOUS, Table

FEW_ROWS = 100
WIDE = 10  # times more variables than rows
RARE = 20  # rows of the rarer class
NEAR_TARGET = 0.95  # correlation with the target
NEAR_COPY = 0.98  # correlation of two variables
MOST_COMPARED = 300  # variables of the model, then those that go most with the target, whose copies are looked for
OUTSIDE = 0.05  # share of the test rows beyond all training rows, above that of fresh rows


def of_table(table: Table) -> list[str]:
    """Of the size of the training table, and of its target."""
    n, p = table.train.n, table.n_variables
    rare = int(min((table.target > 0).sum(), (table.target < 0).sum()))
    found = []
    if n < FEW_ROWS:
        found.append(f"few rows: {n} are too few to tell a modest effect from luck; the standard error says how far")
    if p > WIDE * n:
        found.append(
            f"many more variables than rows ({p:,} and {n:,}): some go with the target by luck alone; leave out what "
            "can't matter, or add rows"
        )
    if rare < RARE:
        found.append(f"a rare class: {rare} rows have it, and every number rests on these; add rows of that class")
    near = [x for x, strength in enumerate(table.strengths()) if strength >= NEAR_TARGET]
    if near:
        found.append(
            f"{listed(_names(table, near))}: nearly a copy of the target {table.target_name!r}; leave out what is not "
            "known before the target is"
        )
    return found


def of_variables(table: Table, variables: Sequence[int]) -> list[str]:
    """Near-copies among the variables of a model and those that go most with the target; a test table beyond the range
    of training."""
    found = []
    strength = table.strengths()
    others = sorted(set(range(table.n_variables)) - set(variables), key=lambda x: (-strength[x], table.columns[x]))
    pairs = near_copies(table, [*variables, *others][:MOST_COMPARED])
    if pairs:
        shown = [f"{table.names[a]} and {table.names[b]}" for a, b in pairs]
        found.append(
            f"{listed(shown)}: nearly copies of each other; either makes the other look superfluous, and which of "
            "them is called a parent or child is chance, so keep the one that you trust"
        )
    outside = beyond_training(table, variables)
    if outside:
        worst = max(outside.values())
        found.append(
            f"{listed(_names(table, list(outside)))}: the test table lies outside the training range (in up to "
            f"{worst:.0%} of its rows), where no model was tested; add training rows from there"
        )
    return found


def of_estimate(expected: dict, converged: bool, everything: bool = False) -> list[str]:
    """A selection that gains nothing, and networks that don't agree; ``expected`` is what estimate_auc.py wrote. Where
    all variables are used (``everything``), there is no gain to speak of."""
    found = []
    gain = None if everything else expected.get("gain_over_all")
    if gain and gain["expected_auc"] <= gain["standard_error"] and expected["above_chance"]:
        found.append(
            f"the selection gains nothing over all variables ({gain['expected_auc']:+.3f} of AUC, standard error "
            f"{gain['standard_error']:.3f}): it is of use for understanding, not for predicting"
        )
    if not converged:
        found.append(
            "the sampled networks have not converged, so roles are less sure than they look: set networks: "
            "{chains: 64, sweeps: 800} in config.yaml"
        )
    return found


def near_copies(table: Table, variables: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of variables, the first of them among those given, that are nearly the same, in the order of the file."""
    own = list(variables)
    if not own:
        return []
    mine = _standardised(table, own)
    pairs = set()
    for start in range(0, table.n_variables, 1024):
        others = list(range(start, min(start + 1024, table.n_variables)))
        r = np.abs(mine @ _standardised(table, others).T) / table.train.n
        for i, j in np.argwhere(r >= NEAR_COPY).tolist():
            if own[i] != others[j]:
                first, second = sorted((own[i], others[j]), key=lambda x: table.columns[x])
                pairs.add((first, second))
    return sorted(pairs, key=lambda pair: [table.columns[x] for x in pair])


def _standardised(table: Table, variables: Sequence[int]) -> np.ndarray:
    rows = np.array([table.numbers_for_target(x) for x in variables])
    rows -= rows.mean(axis=1, keepdims=True)
    scale = rows.std(axis=1, keepdims=True)
    return rows / np.where(scale > 0, scale, 1.0)


def beyond_training(table: Table, variables: Sequence[int]) -> dict[int, float]:
    """Variables of numbers, and the share of the test rows beyond all training rows where that is not small.

    Of fresh rows like those of training 2 / (n + 1) lie beyond them; that, and two errors of it, are no caution."""
    if table.test is None:
        return {}
    found = {}
    chance = 2 / (table.train.n + 1)
    most = OUTSIDE + chance + 2 * (chance * (1 - chance) / table.test.n) ** 0.5
    for x in variables:
        if table.kinds[x] == CONTINUOUS:
            train, test = table.numbers(x), table.numbers(x, "test")
            share = float(np.mean((test < train.min()) | (test > train.max())))
            if share > most:
                found[x] = share
    return found


def _names(table: Table, variables: Sequence[int]) -> list[str]:
    return [table.names[x] for x in sorted(variables, key=lambda x: table.columns[x])]
