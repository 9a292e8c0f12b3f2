"""Experiments among the training rows: how they are read, what they tell, and what models learn from them."""

from dataclasses import replace

import numpy as np
import pytest
from graph_tools import d_separated, random_dag

from himation.errors import UserError
from himation.evaluate import auc
from himation.files import prepared
from himation.files.dataset import Source, read_dataset
from himation.graphs import from_edges, topological_order
from himation.models import kinds
from himation.models.fitting import fit
from himation.models.svm import Grid
from himation.nested.folds import without
from himation.orientation.scores.bdeu import BDeu
from himation.posterior import experiments
from himation.posterior.averages import shares
from himation.posterior.groups import Groups
from himation.posterior.networks import NO_NETWORKS, Chain, Networks, Options, draw
from himation.posterior.orders import candidate_parents, correlation_matrix, sample_graphs
from himation.posterior.scoring import Evidence, Sampling, counted, linear
from himation.posterior.target import Reliability
from himation.studies.reruns import sachs

SHORT = Options(chains=4, sampling=Sampling(sweeps=200, burn_in=100))


def chain(n, rng, numbers=False, share=0.3):
    """x -> y -> c with x the target; y is set in a share of the rows, and named in the column 'set'."""
    x = rng.random(n) < 0.5
    was_set = rng.random(n) < share
    if numbers:
        y = np.where(was_set, rng.normal(size=n), 1.5 * x + rng.normal(size=n))
        c = y + rng.normal(size=n)
        cells = [f"{a:.4f},{b:.4f}" for a, b in zip(y, c, strict=True)]
    else:
        y = np.where(was_set, rng.random(n) < 0.5, rng.random(n) < np.where(x, 0.85, 0.15))
        c = rng.random(n) < np.where(y, 0.85, 0.15)
        cells = [f"{int(a)},{int(b)}" for a, b in zip(y, c, strict=True)]
    return [
        f"{cell},{int(one)},{'y' if done else ''}" for cell, one, done in zip(cells, x, was_set, strict=True)
    ], was_set


def write(folder, rows, header="y,c,x,set"):
    (folder / "t.csv").write_text("\n".join([header, *rows]) + "\n")
    return Source(train=str(folder / "t.csv"), target="x", environment="set")


@pytest.mark.parametrize("numbers", [False, True])
def test_a_chain_comes_out_right_with_a_third_of_experiments(tmp_path, numbers):
    rows, was_set = chain(1500, np.random.default_rng(1), numbers)
    source = write(tmp_path, rows)
    table = read_dataset(source)
    assert table.train.n == (~was_set).sum() and table.experiments.n == was_set.sum()
    assert sorted(table.names) == ["c", "y"] and table.left_out_rows == tuple(np.flatnonzero(was_set))
    y, c = table.names.index("y"), table.names.index("c")
    options = replace(SHORT, with_reliability=False)
    told = shares(draw(table, options))
    assert told[y].child > 0.95 and told[c].descendant > 0.8 and told[y].ancestor < 0.05
    natural = shares(draw(replace(table, experiments=None, environment=None), options))
    assert natural[y].child < 0.85  # which alone can't tell


def evidence_of(columns, of_row, was_set, acted=None, codes=None):
    """Groups of rows, nodes by groups."""
    scaled = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    groups = Groups.of(scaled, of_row, was_set, np.zeros_like(was_set) if acted is None else acted)
    return Evidence(correlation_matrix(columns), len(columns), codes, groups)


def against_none(tables, i):
    """Of a node's parent sets: the score above that of none."""
    here = slice(tables.starts[i], tables.starts[i + 1])
    return tables.scores[here] - tables.scores[here][tables.masks[here] == 0][0]


def test_pooled_without_a_word_an_experiment_misleads(tmp_path):
    """Scores without the rows in which a node was set are those of the other rows; of other nodes, of all."""
    rng = np.random.default_rng(2)
    columns = rng.normal(size=(300, 3))
    columns[:, 2] += columns[:, 0]
    columns[200:, 2] = rng.normal(size=100)
    for rows in (slice(200), slice(200, None)):  # one level for all
        columns[rows] -= columns[rows].mean(axis=0)
    some, of_row = correlation_matrix(columns[:200]), np.repeat([0, 1], [200, 100])
    was_set = np.array([[False, False], [False, False], [False, True]])
    evidence = evidence_of(columns, of_row, was_set)
    sampling = Sampling()
    candidates = candidate_parents(evidence, 0, sampling)
    mixed = linear(evidence, candidates, 0, sampling)
    whole, part = (
        linear(Evidence(found, n), candidates, 0, sampling) for found, n in ((evidence.correlations, 300), (some, 200))
    )
    assert against_none(mixed, 0) == pytest.approx(against_none(whole, 0), abs=1e-3)
    assert against_none(mixed, 2) == pytest.approx(against_none(part, 2), abs=1e-3)
    assert against_none(mixed, 2) != pytest.approx(against_none(whole, 2), abs=1)


def test_counts_leave_out_the_rows_as_well():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (3, 200))
    was_set, of_row = np.array([[False, False], [True, False], [False, False]]), np.repeat([0, 1], [80, 120])
    sampling = Sampling(temper=1.0)
    candidates = [np.array([j for j in range(3) if j != i]) for i in range(3)]
    tables = counted(evidence_of(codes.T.astype(float), of_row, was_set, None, codes), candidates, 0, sampling)
    for i, rows in ((0, codes), (1, codes[:, 80:])):
        score = BDeu(rows.T.astype(np.uint8), np.full(3, 2), sampling.sample_size)
        here = slice(tables.starts[i], tables.starts[i + 1])
        both = tables.scores[here][tables.masks[here] == 3][0] - tables.scores[here][tables.masks[here] == 0][0]
        assert both == pytest.approx(score.local(i, candidates[i].tolist()) - score.local(i, []), abs=1e-6)


def test_through_a_prepared_folder_and_into_folds(tmp_path):
    rows, was_set = chain(400, np.random.default_rng(4))
    rows = [row.replace(",y", ",?lab2") if k % 10 == 0 else row for k, row in enumerate(rows)]
    rows = [row + "@a" * (k % 2) if row.endswith(",") else row for k, row in enumerate(rows)]
    unknown = sum("?" in row for row in rows)
    table = read_dataset(write(tmp_path, rows))
    assert table.experiments.n == was_set.sum() == len(table.left_out_rows)
    assert any(f"{unknown} training rows are of unknown manipulation" in text for text in table.warnings)
    of_set = table.environment
    assert of_set.unknown == ("?lab2",) and of_set.certain == 1 and (of_set.groups == 1).sum() == unknown
    assert of_set.batches == ("", "@a") and len(of_set.batch) == table.train.n and set(of_set.batch) == {0, 1}
    prepared.save(table, tmp_path / "data")
    again = prepared.load(tmp_path / "data")
    assert np.array_equal(again.experiments.bits, table.experiments.bits) and again.environment.settings[0] == (1,)
    assert np.array_equal(again.environment.batch, of_set.batch) and again.environment.batches == of_set.batches
    assert np.array_equal(again.environment.target, table.environment.target)
    known = again.environment.groups == 0
    assert again.environment.was_set([1, 2])[:, known].mean(axis=1).tolist() == [1.0, 0.0]
    out = np.zeros(table.train.n, dtype=bool)
    out[::5] = True
    fold = without(again, np.flatnonzero(out))
    assert fold.train.n == (~out).sum() and fold.experiments.n == table.experiments.n
    assert shares(draw(fold, SHORT))[fold.names.index("y")].child > 0.8


def test_what_an_experiment_may_teach_a_model_is_a_question_of_separation():
    """Whoever sets a variable is one more cause of it; rows count if the target is separated from all of those."""
    rng = np.random.default_rng(8)
    for _ in range(30):
        graph = random_dag(6, rng, expected_degree=2.5)
        given = rng.random(5) < 0.5
        with_setter = np.zeros((7, 7), dtype=bool)
        with_setter[:6, :6] = graph
        found = experiments._unlike_nature(graph, given)
        for x in range(5):
            one = with_setter.copy()
            one[6, x] = True
            assert found[x] != d_separated(one, 6, 5, np.flatnonzero(given))


def causes_and_effects(n, rng, was_set=""):
    """a and b cause y, c is an effect of it; a row of the table for each example."""
    a, b = rng.normal(size=(2, n))
    a = 2 * rng.normal(size=n) if was_set == "a" else a
    y = rng.random(n) < 1 / (1 + np.exp(-1.2 * a - 0.8 * b))
    c = rng.normal(size=n) + (0 if was_set == "c" else 1.5 * y)
    columns = zip(a, b, c, y, strict=True)
    return np.column_stack([a, b, c]), y, [f"{p:.4f},{q:.4f},{r:.4f},{int(t)},{was_set}" for p, q, r, t in columns]


def model_of(folder, rows, members, kind="bagged", known=True):
    """A model on some variables by the true network, or without one, and the positions of the variables."""
    table = read_dataset(replace(write(folder, rows, "a,b,c,y,set"), target="y"))
    place = {name: i for i, name in enumerate(table.names)}
    graph = from_edges(4, [(place["a"], 3), (place["b"], 3), (3, place["c"])])
    networks = Networks((Chain((0, 1, 2), graph[None], np.zeros(1)),), Reliability()) if known else NO_NETWORKS
    own = [place[name] for name in members]
    options = kinds.Options(machines=10, grid=Grid((1,), (), (0.1,)))
    return fit(table, own, (), kind, 1, options, (), networks)[0], table.centre[own], table.scale[own]


def values_of(fitted, X):
    model, centre, scale = fitted
    return model.decision_function((X - centre) / scale)


@pytest.mark.parametrize("kind", ["bagged", "svm"])
def test_models_learn_from_rows_in_which_a_cause_was_set_and_not_an_effect(tmp_path, kind):
    rng = np.random.default_rng(9)
    (X, _, natural), (_, _, causes), (_, _, effects) = (causes_and_effects(60, rng, name) for name in ("", "a", "c"))
    unknown = [row.replace(",a", ",?drug") for row in causes]
    of_all = values_of(model_of(tmp_path, natural + causes + effects + unknown, "abc", kind), X)
    assert np.allclose(of_all, values_of(model_of(tmp_path, natural + causes, "abc", kind), X))
    assert not np.allclose(of_all, values_of(model_of(tmp_path, natural, "abc", kind), X))
    near = values_of(model_of(tmp_path, natural + causes + effects, "ab", kind), X[:, :2])
    assert not np.allclose(near, values_of(model_of(tmp_path, natural + causes, "ab", kind), X[:, :2]))


def test_experiments_are_worth_rows(tmp_path):
    """Mean AUC on fresh natural rows of three tables: more than without, and more than if all count as natural."""
    found = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        parts = [causes_and_effects(n, rng, name)[2] for n, name in ((40, ""), (200, "a"), (200, "c"))]
        fresh, y, _ = causes_and_effects(4000, rng)
        every = [row for part in parts for row in part]
        pooled = [row[: row.rindex(",") + 1] for row in every]
        fitted = (
            model_of(tmp_path, every, "abc"),
            model_of(tmp_path, parts[0], "abc"),
            model_of(tmp_path, pooled, "abc"),
        )
        found.append([auc(np.where(y, 1, -1), values_of(one, fresh)) for one in fitted])
    with_them, without, as_natural = np.mean(found, axis=0)
    assert with_them > without and with_them > as_natural


def groups_of_a_chain(rng):
    """x -> y -> c in natural rows of two batches, in the second of which y answers otherwise, and in two groups of
    which nobody knows anything; in the first of these y was set."""
    parts = []
    for word, slope, n in (("", 1.5, 700), ("@second", -1.0, 400), ("?drug", 0.0, 300), ("?water", 1.5, 300)):
        x = rng.random(n) < 0.5
        y = slope * x + rng.normal(size=n) + 3 * (word == "?drug")
        c = y + rng.normal(size=n)
        parts += [f"{a:.4f},{b:.4f},{int(t)},{word}" for a, b, t in zip(y, c, x, strict=True)]
    return parts


def test_what_is_different_in_a_group_is_found_out_and_not_assumed_away(tmp_path):
    table = read_dataset(write(tmp_path, groups_of_a_chain(np.random.default_rng(10))))
    networks = draw(table, replace(SHORT, with_reliability=False))
    drug, water, second = networks.doubts
    assert drug.startswith("rows of unknown manipulation '?drug' (300 rows): the mechanisms of y (")
    assert "?water' (300 rows): no mechanism differs" in water
    assert second.startswith("batch '@second' (400 rows): the mechanisms of y (") and "of the largest batch" in second
    found = shares(networks)
    y, c = table.names.index("y"), table.names.index("c")
    assert found[y].child > 0.9 and found[c].descendant > 0.9 and found[y].ancestor < 0.1


def test_drugs_tell_directions_of_protein_signalling(real_data, monkeypatch):
    """On the real cells the consensus graph is nearer if the sampler is told on what each drug acts."""
    monkeypatch.setenv("HIMATION_DATA", str(real_data))
    told = {(line.case, line.measure): line.rerun for line in sachs.run(1, 5)}
    for measure in ("AUC of P(ancestor)", "AUC of P(edge)", "true ones among these"):
        assert told[sachs.ACTED, measure] > max(told[way, measure] for way in sachs.WAYS if way != sachs.ACTED)
    assert max(told[way, "SHD of most networks' edges"] for way in (sachs.ACTED, sachs.SET)) < 20
    assert told[sachs.ALIKE, "SHD of most networks' edges"] > 25


def a_network_and_experiments(seed, how, sides):
    """Rows of a random linear network of eight: natural ones, and groups in which one node was set, or blocked in what
    it does; ``sides`` is the size of what else changed there. Groups, the networks' evidence, and the truth."""
    rng = np.random.default_rng(seed)
    dag = random_dag(8, rng, edges=10, max_parents=3)
    weights = np.where(dag, rng.choice([-1, 1], dag.shape) * rng.uniform(0.5, 1, dag.shape), 0.0)
    order = topological_order(dag)
    parts, named = [], np.zeros((8, 6), dtype=bool)
    for group, on in enumerate([-1, *rng.permutation(8)[:5].tolist()]):
        rows, level = np.zeros((500, 8)), np.zeros(8)
        if on >= 0:
            level[rng.choice(8, 2, replace=False)] = sides * rng.choice([-1, 1], 2)
            named[on, group] = True
        for node in order:
            strength = weights[:, node] * (np.arange(8) != on if how == "blocked" else 1.0)
            rows[:, node] = rows @ strength + rng.normal(size=500) + level[node]
            if node == on and how == "set":
                rows[:, node] = rng.normal(-1, 0.5, 500)
        parts.append(rows)
    return np.vstack(parts), np.repeat(np.arange(6), 500), named, dag


def wrong_edges(evidence, dag):
    """The share of true edges that are missed, and of others that are there, over sampled networks."""
    drawn = [sample_graphs(evidence, 7, Sampling(sweeps=100, burn_in=50, seed=k)).graphs for k in range(2)]
    edges = np.concatenate(drawn).mean(axis=0)
    return float(np.abs(edges - dag).sum() / dag.sum())


@pytest.mark.parametrize(("how", "sides"), [("set", 0.0), ("set", 1.0), ("blocked", 0.0)])
def test_experiments_tell_directions_even_if_more_changed_than_was_named(how, sides):
    """Beside natural rows alone, and beside a wrong word: what was blocked was not set."""
    wrong = np.zeros((6, 3))
    for k in range(6):
        rows, of_row, named, dag = a_network_and_experiments(70 + k, how, sides)
        nothing = np.zeros_like(named)
        right, other = ((named, nothing), (nothing, named))[:: 1 if how == "set" else -1]
        natural = Evidence(correlation_matrix(rows[of_row == 0]), 500)
        every = [experiments.grouped(rows, of_row, *said) for said in (right, other)]
        wrong[k] = [wrong_edges(one, dag) for one in (*every, natural)]
    told, otherwise, without = wrong.mean(axis=0)
    assert told < 0.25 and told < 0.6 * without
    if how == "blocked":
        assert otherwise > 4 * told


def test_what_is_said_to_have_been_set_and_was_not_is_named(tmp_path):
    """Two causes of y, which a natural sample shows to be causes; blocked, y goes on following them."""
    said = {}
    for how in ("blocked", "set"):
        rng, rows = np.random.default_rng(12), []
        for word, n in (("", 600), ("y", 300)):
            a, b = rng.normal(size=(2, n))
            y = rng.normal(size=n) if word and how == "set" else a + b + 0.7 * rng.normal(size=n)
            x = rng.random(n) < 1 / (1 + np.exp(-2 * y * (not word or how == "set")))
            columns = zip(a, b, y, x, strict=True)
            rows += [f"{p:.4f},{q:.4f},{r:.4f},{int(t)},{word}" for p, q, r, t in columns]
        table = read_dataset(write(tmp_path, rows, "a,b,y,x,set"))
        said[how] = draw(table, replace(SHORT, with_reliability=False, with_doubts=True)).doubts
    assert said["set"] == ()
    assert len(said["blocked"]) == 1 and said["blocked"][0].startswith(
        "the data speak against 'y' having been set in 300"
    )
    assert "write '~y'" in said["blocked"][0]


def test_what_cells_say_of_acting_and_of_batches(tmp_path):
    rows, _ = chain(210, np.random.default_rng(8), share=0.0)
    cells = ("", "y", "~y", "y;@lab2", "~y;c", "?drug", "@lab2")
    source = write(tmp_path, [row + cells[k % len(cells)] for k, row in enumerate(rows)])
    table = read_dataset(source)
    of_set = table.environment
    assert (
        of_set.certain == 2
        and of_set.settings == ((1,), (1,), (0, *table.columns), (), (2,))
        and of_set.acted == ((1,), (1,))
    )
    assert of_set.unknown == ("?drug",) and table.experiments.n == 150
    assert any("training rows somebody acted on something: networks alone learn from them" in w for w in table.warnings)
    prepared.save(table, tmp_path / "data")
    again = prepared.load(tmp_path / "data").environment
    assert (again.settings, again.acted, again.certain) == (of_set.settings, of_set.acted, 2)
    of_row, was_set, acted = of_set.groups_of_rows([2, 1, 0], table.train.n, slice(None))
    assert was_set.shape == acted.shape == (3, 7) and acted.sum(axis=1).tolist() == [0, 2, 0]
    assert len(of_row) == 210 and set(of_row) == set(range(7))


def test_a_natural_table_with_the_column_is_a_table_without_it(tmp_path):
    rows, _ = chain(200, np.random.default_rng(5), share=0.0)
    table = read_dataset(write(tmp_path, rows))
    plain = read_dataset(replace(write(tmp_path, [row[: row.rindex(",")] for row in rows], "y,c,x"), environment=None))
    assert table.environment is None and table.names == plain.names
    assert np.array_equal(table.train.bits, plain.train.bits)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("yy", "environment, line 3: 'yy' is not a variable of the table; did you mean 'y'?"),
        ("y;x", "environment: line 3 says that the target 'x' was set; such a row says nothing about what decides it"),
        ("3", "environment: line 3 says that the target 'x' was set"),
        ("~x", "environment: line 3 says that the target 'x' was set"),
        ("~yy", "environment, line 3: 'yy' is not a variable of the table; did you mean 'y'?"),
    ],
)
def test_what_is_wrong_gets_one_line(tmp_path, cell, message):
    rows, _ = chain(60, np.random.default_rng(6), share=0.0)
    rows[1] += cell
    with pytest.raises(UserError) as refused:
        read_dataset(write(tmp_path, rows))
    assert message in str(refused.value)


def test_columns_that_can_t_be_an_environment(tmp_path):
    rows, _ = chain(60, np.random.default_rng(7), share=0.0)
    source = write(tmp_path, rows)
    for other, message in (
        (
            replace(source, environment="sett"),
            "environment: 'sett' is not a variable of the table; did you mean 'set'?",
        ),
        (replace(source, environment="x"), "'x' is the target; name the column that says what was set"),
        (replace(source, missing="drop"), "write 'missing: impute'"),
    ):
        with pytest.raises(UserError) as refused:
            read_dataset(other)
        assert message in str(refused.value)
    write(tmp_path, [row + "y" for row in rows])
    with pytest.raises(UserError, match="environment: 0 rows are natural"):
        read_dataset(source)
