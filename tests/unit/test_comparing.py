"""When the reference's blanket is accepted, and when FSMB's variables join it (thesis, V.2.2)."""

import numpy as np

from himation.files.tables import RawTable
from himation.finders import Context
from himation.finders.constraint import find_mmmb
from himation.finders.feature_space import find_fsmb
from himation.models.svm import Grid
from himation.prepare.preparing import prepare
from himation.selection.comparing import ALL, Candidate, better, choose, compare


def candidate(name, members, folds):
    return Candidate(name, members, float(np.mean(folds)), 0.01, tuple(folds), "")


REFERENCE = candidate("mmmb", (0, 1), [0.80, 0.82, 0.78, 0.81, 0.79])


def test_better_means_by_more_than_the_noise_of_paired_folds():
    steady = candidate("fsmb", (0, 1, 2), [0.81, 0.83, 0.79, 0.82, 0.80])
    assert better(steady, REFERENCE)
    assert not better(REFERENCE, steady)
    wild = candidate("rfe", (0, 1, 2), [0.90, 0.75, 0.88, 0.74, 0.83])
    assert wild.auc > steady.auc and not better(wild, REFERENCE)
    tiny = candidate("rfe", (0, 1, 2), [fold + 0.004 for fold in REFERENCE.fold_aucs])
    assert not better(tiny, REFERENCE)


def test_sets_measured_on_different_examples_are_compared_by_their_errors():
    sampled = Candidate("rfe", (2,), 0.83, 0.01, (0.82, 0.84), "", rows=2000)
    assert better(Candidate("a", (0,), 0.86, 0.01, (0.86,) * 5, "", rows=16000), sampled)
    assert not better(Candidate("a", (0,), 0.85, 0.01, (0.85,) * 5, "", rows=16000), sampled)


def test_tables_with_few_different_rows_and_samples_have_the_same_number_of_folds():
    rng = np.random.default_rng(0)
    values = np.vstack([rng.integers(0, 2, 900), rng.normal(size=900)])
    y = np.where(values[0] + values[1] + rng.normal(size=900) > 0.5, 1, -1)
    table = prepare(RawTable("t.data", ["x1", "x2"], 900, values=values.astype(float)), y)
    binary = [i for i in (0, 1) if table.kinds[i] == "binary"]
    few, everything = compare(table, {"few": tuple(binary)}, Grid((1,), (), (1.0,)), seed=1, most_rows=300, threads=1)
    assert (few.rows, everything.rows) == (900, 300) and len(few.fold_aucs) == len(everything.fold_aucs)
    assert better(everything, few)


def test_feature_space_joins_only_if_something_was_missed():
    ahead = candidate("rfe", (3, 4), [0.9, 0.92, 0.88, 0.91, 0.89])
    space = candidate("fsmb", (1, 5), [0.8, 0.82, 0.78, 0.81, 0.79])
    assert choose([REFERENCE, space], "mmmb", ["fsmb"]).members == (0, 1)
    assert choose([REFERENCE, ahead, space], "mmmb", ["fsmb"]).members == (0, 1, 5)
    assert choose([REFERENCE, ahead], "mmmb").members == (0, 1)


def test_an_empty_reference_is_replaced():
    nothing = Candidate("mmmb", (), 0.5, 0.0, (), "")
    everything = candidate(ALL, (0, 1, 2), [0.6, 0.62, 0.58, 0.61, 0.59])
    choice = choose([nothing, everything], "mmmb")
    assert choice.members == (0, 1, 2) and "found nothing" in choice.reason


def test_parity_is_found_in_feature_space_and_joins():
    rng = np.random.default_rng(4)
    bits = rng.integers(0, 2, (10, 600))
    y = np.where((bits[2] ^ bits[7]) ^ (rng.random(600) < 0.1), 1, -1)
    table = prepare(RawTable("t.data", [f"x{i + 1}" for i in range(10)], 600, values=bits.astype(float)), y)
    sets = {
        "mmmb": find_mmmb(table, {}, Context()).members,
        "fsmb": find_fsmb(table, {"degree": 2, "cost": 1.0}, Context()).members,
    }
    assert {table.columns[x] for x in sets["fsmb"]} >= {3, 8}
    candidates = compare(table, sets, Grid((1, 2), (), (0.1, 1.0)), seed=1, most_rows=2000, threads=1)
    chosen = choose(candidates, "mmmb", ["fsmb"])
    assert {table.columns[x] for x in chosen.members} >= {3, 8}
