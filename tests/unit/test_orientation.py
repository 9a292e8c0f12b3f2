"""Averaged orientation: any number of processes, any order of the columns, and the scores by name."""

import numpy as np
import pytest

from himation.errors import UserError
from himation.files.nodes import Nodes
from himation.files.orientation_table import read_orientation, read_parts, write_orientation, write_part
from himation.files.tables import RawTable
from himation.orientation.averaging import (
    Averaging,
    assemble,
    edge_shares,
    find_pdag,
    orient,
    orient_sample,
    settings_for,
)
from himation.orientation.region import find_region
from himation.orientation.scores.by_name import SCORES, Sample, score_maker
from himation.prepare.preparing import prepare
from himation.processes import share_out
from himation.table_tests import neighbours_for


def collider(rng, n=600, discrete=False):
    """a -> t <- b, t -> c -> d: the middle is compelled."""
    a, b = rng.normal(size=(2, n))
    if discrete:
        a, b = (a > 0).astype(float), (b > 0).astype(float)
        t = ((a + b + 0.6 * rng.normal(size=n)) > 1).astype(float)
        c = np.where(rng.random(n) < 0.9, t, 1 - t)
        d = np.where(rng.random(n) < 0.9, c, 1 - c)
    else:
        t = (a + b + 0.5 * rng.normal(size=n) > 0).astype(float)
        c = 1.5 * t + rng.normal(size=n)
        d = c + rng.normal(size=n)
    return {"a": a, "b": b, "c": c, "d": d}, t


def table_of(columns, target, names):
    values = np.array([columns[name] for name in names])
    return prepare(RawTable("t.csv", list(names), values.shape[1], values=values), np.where(target > 0, 1, -1))


def shares_by_name(table, averaging, threads=1):
    region = find_region(neighbours_for(table, "auto", {}), table.n_variables, 2)
    settings = settings_for(table.kind, "auto", (1, 10), (0.5, 1), (0.01,), "sparse")
    nodes = Nodes(table)
    found = {}
    for edge in edge_shares(region, orient(table, region, settings, averaging, threads)):
        ends = (nodes.name(edge.a), nodes.name(edge.b))
        numbers = (edge.forward, edge.backward, edge.undirected)
        found[ends if ends[0] < ends[1] else ends[::-1]] = (
            numbers if ends[0] < ends[1] else (numbers[1], numbers[0], numbers[2])
        )
    return found


@pytest.mark.parametrize("discrete", [True, False])
def test_a_collider_and_its_tail(discrete):
    columns, target = collider(np.random.default_rng(0), 2000, discrete)
    found = shares_by_name(table_of(columns, target, "abcd"), Averaging(bootstraps=4))
    assert found["a", "target"][0] > 0.9 and found["b", "target"][0] > 0.9 and found["c", "target"][1] > 0.9


@pytest.mark.parametrize("discrete", [True, False])
def test_twenty_orders_of_the_columns(discrete):
    rng = np.random.default_rng(1)
    columns, target = collider(rng, 400, discrete)
    for k in range(6):
        source = columns["abcd"[k % 4]]
        noise = rng.normal(size=400)
        columns[f"e{k}"] = np.where(rng.random(400) < 0.85, source, 1 - source) if discrete else source + noise
    names = sorted(columns)
    answers = {
        tuple(
            sorted(shares_by_name(table_of(columns, target, rng.permutation(names)), Averaging(bootstraps=2)).items())
        )
        for _ in range(20)
    }
    assert len(answers) == 1 and len(next(iter(answers))) > 4


@pytest.mark.parametrize("discrete", [True, False])
def test_the_search_itself_does_not_depend_on_the_order(discrete):
    rng = np.random.default_rng(2)
    columns, target = collider(rng, 500, discrete)
    data = [*columns.values(), target]
    arities = [2] * 5 if discrete else [0, 0, 0, 0, 2]
    expected = None
    for _ in range(20):
        order = rng.permutation(5)
        sample = Sample(
            tuple(data[v].astype(int) if arities[v] else data[v] for v in order), tuple(arities[v] for v in order)
        )
        score = score_maker(sample, "bdeu" if discrete else "kernel")(None)
        found = np.zeros((5, 5), dtype=bool)
        found[np.ix_(order, order)] = find_pdag(score, ~np.eye(5, dtype=bool))
        expected = found if expected is None else expected
        assert np.array_equal(found, expected)


def test_the_same_bytes_for_any_number_of_processes(tmp_path):
    columns, target = collider(np.random.default_rng(4))
    table = table_of(columns, target, "abcd")
    region = find_region(neighbours_for(table, "auto", {}), table.n_variables, 2)
    settings = settings_for(table.kind, "auto", (), (0.5, 1), (0.01,))
    written = []
    for threads in (1, 2, 3):
        graphs = orient(table, region, settings, Averaging(bootstraps=5, seed=7), threads)
        place = tmp_path / f"{threads}.tsv"
        write_orientation(place, tmp_path / f"{threads}.p", Nodes(table), region, graphs, edge_shares(region, graphs))
        written.append(place.read_bytes() + (tmp_path / f"{threads}.p").read_bytes())
    assert written[0] == written[1] == written[2]
    assert sum(e.forward + e.backward + e.undirected <= 1 + 1e-9 for e in read_orientation(place, Nodes(table))) > 0


@pytest.mark.parametrize("chunks", [1, 3, 12, 40])
def test_the_same_graphs_in_any_number_of_chunks(tmp_path, chunks):
    columns, target = collider(np.random.default_rng(4))
    table = table_of(columns, target, "abcd")
    region = find_region(neighbours_for(table, "auto", {}), table.n_variables, 2)
    settings, averaging = settings_for(table.kind, "auto", (), (0.5, 1), (0.01,)), Averaging(bootstraps=5, seed=7)
    whole = orient(table, region, settings, averaging)
    paths = [tmp_path / f"{i}.tsv" for i in range(chunks)]
    for i, path in enumerate(paths, start=1):
        write_part(path, orient(table, region, settings, averaging, chunk=(i, chunks)))
    parts = assemble(settings, averaging, read_parts(paths[::-1], len(region.nodes)))
    assert [part.name for part in parts] == [graph.name for graph in whole]
    assert all(np.array_equal(part.pdag, graph.pdag) for part, graph in zip(parts, whole, strict=True))
    with pytest.raises(UserError, match="make the parts again"):
        assemble(settings, averaging, read_parts(paths[1:], len(region.nodes)))


def test_resamples_differ_and_are_seeded():
    half, full = Averaging(bootstraps=2, resample="half"), Averaging(bootstraps=2)
    assert half.rows(0, 11) is None
    assert len(half.rows(1, 11)) == 6 == len(set(half.rows(1, 11).tolist()))
    assert len(full.rows(1, 11)) == 11
    assert np.array_equal(half.rows(2, 11), half.rows(2, 11)) and not np.array_equal(half.rows(1, 99), half.rows(2, 99))


@pytest.mark.parametrize("name", SCORES)
def test_every_score_on_rows_is_the_score_of_those_rows(name):
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 2, (3, 200))
    codes[2] = codes[0] ^ (rng.random(200) < 0.2)
    sample = Sample(tuple(codes), (2, 2, 2))
    rows = rng.integers(0, 200, 200)
    there = score_maker(sample, name)(rows)
    alone = score_maker(sample.rows(rows), name)(None)
    assert there.local(2, (0,)) - there.local(2, ()) == pytest.approx(
        alone.local(2, (0,)) - alone.local(2, ()), rel=1e-9
    )
    assert there.local(2, (0,)) - there.local(2, ()) > there.local(2, (1,)) - there.local(2, ())


def test_the_sparse_prior_charges_each_parent():
    sample = Sample(tuple(np.random.default_rng(0).integers(0, 2, (4, 50))), (2,) * 4)
    uniform, sparse = (score_maker(sample, "bdeu", prior)(None) for prior in ("uniform", "sparse"))
    assert uniform.local(0, (1, 2)) - sparse.local(0, (1, 2)) == pytest.approx(2 * np.log(4))


def test_what_a_name_can_not_mean():
    numbers = Sample((np.arange(5.0), np.arange(5.0)), (0, 0))
    with pytest.raises(UserError, match="needs discrete"):
        score_maker(numbers, "bdeu")
    with pytest.raises(UserError, match="unknown score"):
        score_maker(numbers, "aic")
    with pytest.raises(UserError, match="search is ges or hill-climbing"):
        Averaging(search="tabu")


def test_the_thesis_search_is_kept_by_name():
    columns, target = collider(np.random.default_rng(6), 1500, discrete=True)
    sample = Sample(tuple(np.array([*columns.values(), target]).astype(int)), (2,) * 5)
    settings = settings_for("discrete", "bdeu", (1, 10))
    graphs = orient_sample(sample, ~np.eye(5, dtype=bool), settings, Averaging(search="hill-climbing", patience=15))
    assert [graph.name for graph in graphs] == ["bdeu ess=1", "bdeu ess=10"]


def test_share_out_keeps_the_order():
    seen = []
    assert share_out(lambda task: task**2, range(7), 3, lambda done, total: seen.append((done, total))) == [
        k**2 for k in range(7)
    ]
    assert seen[-1] == (7, 7)


@pytest.mark.slow
def test_the_edges_at_reged_s_target(real_data):
    """The real set, by the default choices: 13 of 15 parents and children or more, 10 of them oriented rightly."""
    from himation.files.dataset import Source, read_dataset, read_truth

    folder = real_data / "reged"
    table = read_dataset(Source(str(folder / "reged0_train.data"), str(folder / "reged0_train.targets")))
    truth = {
        tuple(pair) for pair in read_truth(folder / "reged_truth_edges.csv", table.file_columns(), "target").tolist()
    }
    region = find_region(neighbours_for(table, "auto", {}), table.n_variables, 3)
    graphs = orient(table, region, settings_for(table.kind, "auto", (), (1, 2)), Averaging(bootstraps=20), threads=2)
    right = wrong = found = false = 0
    for edge in edge_shares(region, graphs):
        if edge.b == table.n_variables:
            x = int(table.columns[edge.a]) - 1
            parent, child = (x, -1) in truth, (-1, x) in truth
            found, false = found + (parent or child), false + (not parent and not child)
            right += (parent and edge.forward >= 0.8) or (child and edge.backward >= 0.8)
            wrong += (parent and edge.backward >= 0.8) or (child and edge.forward >= 0.8)
    assert found >= 13 and false <= 2 and right >= 10 and wrong <= 1
