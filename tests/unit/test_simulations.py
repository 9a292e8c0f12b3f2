"""The six tasks: sizes, class counts, versions, and the one training table that they share."""

import numpy as np
import pytest

from himation.errors import UserError
from himation.prepare.noise import MARTI_CALIBRANTS
from himation.studies.simulate.census import CATEGORIES, encode_adult, simulate_census, split_adult
from himation.studies.simulate.marti_like import calibrant_places, make_marti_like, side_of
from himation.studies.simulate.sido_like import make_sido_like
from himation.studies.simulate.tasks import simulate
from himation.task_names import DEFAULT_SIZES, TASKS

SMALL = {"lucas": None, "lucap": 60, "reged": 80, "marti": 256, "cina": 92, "sido": 150}


@pytest.mark.parametrize("task", TASKS)
def test_versions_share_their_training_table_and_differ_in_the_test(task):
    versions = [simulate(task, 3, version, 200, 300, SMALL[task]) for version in (0, 1, 2)]
    for problem in versions:
        assert np.array_equal(problem.train.values, versions[0].train.values)
        assert np.array_equal(problem.train.target, versions[0].train.target)
        assert problem.test.values.shape == (300, problem.train.values.shape[1])
        assert {-1, 1} == set(problem.train.target.tolist()) == set(problem.test.target.tolist())
        known = {problem.target, *problem.train.names}
        assert {end for edge in problem.edges for end in edge} <= known
        assert set(problem.manipulated) <= known - {problem.target}
    assert versions[0].manipulated == () and versions[1].manipulated and versions[2].manipulated
    assert not np.array_equal(versions[1].test.values, versions[2].test.values)


@pytest.mark.parametrize("task", ["lucap", "cina", "sido"])
def test_all_probes_and_no_real_variable_are_manipulated(task):
    problem = simulate(task, 3, 1, 200, 300, SMALL[task])
    assert set(problem.manipulated) | set(problem.real) == set(problem.train.names)
    assert not set(problem.manipulated) & set(problem.real)
    assert problem.train.names[: len(problem.real)] != problem.real, "columns are shuffled"
    with pytest.raises(UserError, match="give a version"):
        simulate(task, 3, 1, 200, 300, SMALL[task], manipulate=("all",))


def test_published_sizes():
    assert DEFAULT_SIZES["sido"] == (4932, 12678, 10000) and DEFAULT_SIZES["cina"] == (132, 16033, 10000)
    assert len(simulate("lucap", 1, 0, 100, 100).train.names) == 143
    problem = simulate("cina", 1, 0, 1600, 100)
    assert len(problem.train.names) == 132 and len(problem.real) == 44
    assert (problem.train.target > 0).sum() == round(1600 * 3939 / 16033)


def test_sido_is_sparse_and_strongly_dependent_with_one_hot_groups():
    problem = make_sido_like(2, 600)
    table, target = problem.sample(3000, np.random.default_rng(1), positives=107)
    assert (target > 0).sum() == 107
    rate = table.mean(axis=1)
    assert np.median(rate) < 0.15 and (rate < 0.5).mean() > 0.9
    varied = table[rate > 0]
    strongest = np.sort(np.abs(np.corrcoef(varied) - np.eye(len(varied))), axis=1)[:, -1]
    assert np.median(strongest) > 0.6
    for group in problem.groups:
        assert (table[list(group)].sum(axis=0) == 1).all()
    assert 0.05 < sum(map(len, problem.groups)) / 600 < 0.15
    assert all(cause < effect for cause, effect in problem.edges if effect >= 0), "causes come first"


def test_a_noisy_or_has_the_chances_it_says():
    problem = make_sido_like(2, 200)
    table = problem.variables(20000, np.random.default_rng(1))
    grouped = {j for group in problem.groups for j in group}
    checked = 0
    for j, causes in enumerate(problem.causes):
        if len(causes) == 1 and j not in grouped:
            on = table[causes[0]] > 0
            if on.sum() > 500:
                expected = 1 - (1 - problem.leaks[j]) * (1 - problem.strengths[j][0])
                assert abs(table[j][on].mean() - expected) < 5 * np.sqrt(expected * (1 - expected) / on.sum()) + 1e-9
                checked += 1
    assert checked > 10


def test_census_has_the_columns_of_adult():
    table, target, names = simulate_census(3000, np.random.default_rng(1))
    assert table.shape == (44, 3000) and len(set(names)) == 44
    assert 0.2 < (target > 0).mean() < 0.29
    for group in CATEGORIES:
        members = [i for i, name in enumerate(names) if name.startswith(f"{group}=")]
        assert len(members) > 4 and (table[members].sum(axis=0) == 1).all()


def adult(real_data):
    import pandas as pd

    frame = pd.read_csv(real_data / "adult/adult.csv.gz", keep_default_na=False)
    return {name: frame[name].to_numpy() for name in frame}


def test_adult_gives_cina_as_published(real_data):
    table, target, names = encode_adult(adult(real_data))
    assert table.shape == (44, 46033) and len(names) == 44
    assert set(names) == set(simulate_census(50, np.random.default_rng(0))[2]), "the simulated census has its columns"
    used = []
    for version, positive in enumerate((2425, 2540, 2518)):
        train, test = split_adult(target, (16033, 10000), version, np.random.default_rng(1))
        assert (target[train] > 0).sum() == 3939 and (target[test] > 0).sum() == positive
        used += test.tolist()
    assert len({*used, *train.tolist()}) == 46033, "the parts are disjoint and take everybody"


def test_an_incomplete_adult_table_is_refused():
    with pytest.raises(UserError, match="no column 'age'"):
        encode_adult({"fnlwgt": np.zeros(3)})
    with pytest.raises(UserError, match="16033 training"):
        split_adult(np.ones(10), (20000, 10), 0, np.random.default_rng(0))


def test_marti_is_reged_on_a_chip():
    assert tuple(place + 1 for place in calibrant_places(32)) == MARTI_CALIBRANTS
    problem = make_marti_like(1, 16)
    noisy, clean = problem.train(60), problem.clean_train(60)
    is_calibrant = np.isin(np.arange(256), problem.calibrants)
    assert np.array_equal(clean.values[:, ~is_calibrant], problem.genes.train(60).values)
    assert np.abs(clean.values[:, is_calibrant]).max() < 0.5
    noise = (noisy.values - clean.values).reshape(60, 16, 16)
    assert 4 < noise.std() < 8 and abs(noise.mean()) < 2
    steps = np.diff(noise, axis=2)
    assert steps.std() < 0.3 * noise.std(), "the field is smooth"
    assert np.abs(problem.test(1, 50).values[:, is_calibrant]).max() < 0.5, "no noise in the test"


def test_marti_fills_a_square():
    assert side_of(1024) == 32
    with pytest.raises(UserError, match="variables: 1024"):
        side_of(1000)
