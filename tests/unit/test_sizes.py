"""Wide tables: where a search starts, correlations that are not kept, memory that is asked for. Long ones: how many
rows are used. Drawn tables."""

import numpy as np
import pytest
from benchmarks.shapes import SHAPES, blocks

from himation.blanket.mmpc import Neighbours
from himation.files.needs import Size, peak
from himation.files.raw import RawTable
from himation.finders import Context
from himation.independence import FisherZ, GSquare, fisher
from himation.independence.mixed import MixedLikelihoodRatio
from himation.methods import finder
from himation.nested.folds import MOST_OF_A_FOLD, plan_folds
from himation.prepare.preparing import prepare
from himation.rows import limited
from himation.table_tests import MOST_CANDIDATES, WIDE, most_candidates, starting_points


def chain_among_noise(variables=400, n=120):
    """0 - 1 - 2 - 3, each depending on the one before; the rest is noise."""
    rows = np.random.default_rng(5).normal(size=(variables, n))
    for i in range(1, 4):
        rows[i] += rows[i - 1]
    return FisherZ(rows)


def test_a_false_discovery_rate_keeps_noise_out():
    test = chain_among_noise()
    everything = test.candidates(1, np.delete(np.arange(400), 1), np.log(0.05))
    test.most_candidates = 200
    found = test.candidates(1, np.delete(np.arange(400), 1), np.log(0.05))
    names = np.delete(np.arange(400), 1)[found.dependent].tolist()
    assert names[:3] == [0, 2, 3] and len(names) <= 4 and len(everything.dependent) > 12
    gone = np.setdiff1d(everything.dependent, found.dependent)
    assert found.independent[gone].all() and not everything.independent[gone].any()
    assert Neighbours(test).of(1) == (0, 2) or set(Neighbours(test).of(1)) == {0, 2}


def test_of_too_many_the_strongest_stay_and_the_others_do_not_count_as_independent():
    test = chain_among_noise()
    test.most_candidates = 2
    found = test.candidates(1, np.array([0, 2, 3, 7]), np.log(0.05))
    assert found.dependent.tolist() == [1, 2] and found.independent.tolist() == [False, False, False, True]


def test_auto_is_for_wide_tables_that_are_not_all_discrete():
    wide = FisherZ(np.random.default_rng(0).normal(size=(WIDE + 1, 8)))
    narrow = FisherZ(np.random.default_rng(0).normal(size=(WIDE, 8)))
    binary = GSquare(64, np.full(WIDE + 1, 2), np.zeros((WIDE + 1, 1), dtype=np.uint64))
    assert [most_candidates("auto", test) for test in (wide, narrow, binary)] == [MOST_CANDIDATES, None, None]
    assert [most_candidates(asked, narrow) for asked in ("alpha", "fdr")] == [None, MOST_CANDIDATES]
    wide.most_candidates = MOST_CANDIDATES
    assert "1,000 variables" in starting_points(Neighbours(wide)) and "at most 200" in starting_points(Neighbours(wide))


@pytest.mark.parametrize("room", [0, 8 * 60 * 3])
def test_answers_do_not_depend_on_what_is_kept(monkeypatch, room):
    rows = np.cumsum(np.random.default_rng(1).normal(size=(60, 90)), axis=0)
    whole = Neighbours(FisherZ(rows))
    monkeypatch.setattr(fisher, "ROOM", room)
    poor = Neighbours(FisherZ(rows))
    for x in range(0, 60, 7):
        assert poor.of(x) == whole.of(x) and poor.strength(x) == whole.strength(x)
    assert len(poor.test._kept) <= max(1, room // (8 * 60))


def test_tests_that_are_not_reliable_are_not_bounded():
    rng = np.random.default_rng(2)
    columns = [rng.integers(0, 10, 300) for _ in range(4)] + [rng.normal(size=300)]
    test = MixedLikelihoodRatio(columns, [10] * 4 + [0])
    assert not test.may_exceed(0, np.array([1, 4]), (2, 3), np.array([-50.0, -50.0])).any()
    assert not test.many(0, np.array([1, 4]), (2, 3)).reliable.any()


def test_fifty_thousand_columns_of_sixty_rows_fit_into_four_gigabytes():
    for step in ("constraint", "find_region", "search_folds", "test_confounding", "feature_space"):
        assert peak(step, Size(50_000, 60), threads=2) < 4e9


@pytest.mark.parametrize("shape", SHAPES)
def test_drawn_tables_are_the_same_again_and_hang_together(shape):
    (columns, target), *more = blocks(shape, 400, 30, seed=3)
    again, same = next(blocks(shape, 400, 30, seed=3))
    assert not more and len(columns) == 30 and set(target.tolist()) == {0, 1}
    assert (target == same).all() and all((columns[name] == again[name]).all() for name in columns)
    numbers = [column for column in columns.values() if column.dtype.kind in "if"]
    assert max(abs(np.corrcoef(column, target)[0, 1]) for column in numbers) > 0.15


def test_of_a_long_table_some_rows_are_used_and_that_is_said():
    rng = np.random.default_rng(1)
    x, word, y = rng.normal(size=4000), rng.integers(0, 3, 4000), rng.integers(0, 2, 4000)
    raw = RawTable("t", ["x", "w", "u"], 4000, values=np.array([x + y, word, rng.normal(size=4000)]))
    table = prepare(raw, y)
    few, everything = ({"mmmb": {"rows": rows}, "rfe": {"svm_rows": rows}} for rows in (1200, 0))

    def names(members):
        return [table.names[i] for i in members]

    for name in ("mmmb", "rfe"):
        found = finder(name)(table, few[name], Context())
        assert found.details["rows"] == "a random 1,200 of 4,000 rows" and "x" in names(found.members)
        assert "rows" not in finder(name)(table, everything[name], Context()).details
    some = limited(table, 1200)
    assert abs(int((some.target > 0).sum()) - 0.3 * int((table.target > 0).sum())) <= 1
    assert (limited(table, 1200).train.values == some.train.values).all()
    assert set(some.train.values[0]) < set(table.train.values[0])


def test_a_fold_of_a_very_long_table_holds_out_a_part_of_it():
    [fold] = plan_folds(np.tile([1, -1], 40_000), seed=1)
    assert len(fold.held) == MOST_OF_A_FOLD * 4 // 5 and max(fold.held) > 75_000
