"""Effects of setting a variable: against adjustment by hand, statsmodels and true effects; what is shown."""

import doctest

import numpy as np
import pytest

import himation
from himation.errors import UserError
from himation.files import prepared
from himation.files.atomic import read_tsv
from himation.files.effects_table import write_effects
from himation.files.networks_file import write_networks
from himation.files.nodes import Nodes
from himation.files.raw import RawTable
from himation.posterior import effects as module
from himation.posterior.effects import Effect, effect, effects, fit_logistic, moves
from himation.posterior.networks import Chain, Networks, Options
from himation.posterior.scoring import Sampling
from himation.posterior.target import Reliability
from himation.prepare.preparing import prepare
from himation.report import effects as shown
from himation.report.svg import drawing_style
from himation.studies.reruns import effects as study


def table_of(values, y, texts=None):
    names = [f"v{k}" for k in range(len(values))]
    return prepare(RawTable("t.csv", names, len(y), values=np.array(values, dtype=float), texts=texts or {}), y)


def networks_of(table, *edges):
    """One chain with a network for each list of edges by name; None is the target."""
    place = {name: i for i, name in enumerate(table.names)} | {None: table.n_variables}
    graphs = np.zeros((len(edges), table.n_variables + 1, table.n_variables + 1), dtype=bool)
    for graph, arrows in zip(graphs, edges, strict=True):
        for cause, result in arrows:
            graph[place[cause], place[result]] = True
    chain = Chain(tuple(range(table.n_variables)), graphs, np.zeros(len(edges)))
    return Networks((chain,), Reliability())


def confounded(n, rng):
    """v1 acts on v0 and on the target, v0 on the target."""
    z = rng.random(n) < 0.5
    x = rng.random(n) < np.where(z, 0.8, 0.2)
    y = rng.random(n) < 0.1 + 0.3 * x + 0.4 * z
    return table_of([x, z], np.where(y, 1, -1)), x, z, y


CONFOUNDED = [("v1", "v0"), ("v1", None), ("v0", None)]


def test_doctests():
    for one in (module, shown):
        assert doctest.testmod(one).failed == 0


def test_discrete_effects_are_adjusted_for_the_parents():
    """By hand: strata of the confounder, weighted by their share; without it in the network, the plain difference."""
    table, x, z, y = confounded(4000, np.random.default_rng(1))
    within = [(y[x & (z == k)].mean() - y[~x & (z == k)].mean(), (z == k).mean()) for k in (False, True)]
    by_hand = sum(change * share for change, share in within)
    place = table.names.index("v0")
    adjusted = effect(table, networks_of(table, CONFOUNDED), place, 0, 1)
    assert adjusted.p_cause == 1 and adjusted.mean == pytest.approx(by_hand, abs=0.005)
    assert adjusted.low < by_hand < adjusted.high and 0.03 < adjusted.high - adjusted.low < 0.08
    plain = effect(table, networks_of(table, [("v0", None)]), place, 0, 1)
    assert plain.mean == pytest.approx(y[x].mean() - y[~x].mean(), abs=0.005) and plain.mean > by_hand + 0.1


def test_networks_without_the_cause_count_as_nought():
    table, *_ = confounded(2000, np.random.default_rng(2))
    place = table.names.index("v0")
    half = effect(table, networks_of(table, CONFOUNDED, [(None, "v0")]), place, 0, 1)
    whole = effect(table, networks_of(table, CONFOUNDED), place, 0, 1)
    assert half.p_cause == 0.5 and half.mean == pytest.approx(whole.mean / 2, abs=0.01)
    assert half.low == 0 and half.high == pytest.approx(whole.high, abs=0.03)
    none = effect(table, networks_of(table, [(None, "v0")]), place, 0, 1)
    assert none == Effect(0.0, 0.0, 0.0, 0.0)


def test_logistic_regression_is_that_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(3)
    design = np.column_stack([np.ones(300), rng.normal(size=(300, 3))])
    y = (rng.random(300) < 1 / (1 + np.exp(-design @ [0.3, 1.0, -0.5, 0.0]))).astype(float)
    mode, factor = fit_logistic(design, y, np.full(4, 1e-12))
    reference = api.Logit(y, design).fit(disp=0)
    assert mode == pytest.approx(reference.params, abs=1e-6)
    assert np.linalg.inv(factor @ factor.T) == pytest.approx(reference.cov_params(), rel=1e-4)


def test_classes_that_a_number_separates_have_a_finite_effect():
    x = np.linspace(-1, 1, 60)
    table = table_of([x], np.where(x > 0, 1, -1))
    found = effects(table, networks_of(table, [("v0", None)]))[0].effect
    assert 0.8 < found.low <= found.mean <= found.high <= 1


def test_intervals_hold_the_true_effect_as_often_as_they_say():
    """A confounded number in a known network: the truth by setting it in many rows; 200 tables of 250 rows."""

    def draw(n, rng, x=None):
        z = rng.normal(size=n)
        own = 0.8 * z + rng.normal(size=n)
        own = own if x is None else np.full(n, x)
        return z, own, rng.random(n) < 1 / (1 + np.exp(-(0.9 * own - 0.7 * z - 0.5)))

    rng = np.random.default_rng(4)
    truth = draw(400_000, rng, 1.0)[2].mean() - draw(400_000, rng, -1.0)[2].mean()
    held = 0
    for _ in range(200):
        z, x, y = draw(250, rng)
        table = table_of([x, z], np.where(y, 1, -1))
        found = effect(table, networks_of(table, CONFOUNDED), table.names.index("v0"), -1.0, 1.0)
        held += found.low <= truth <= found.high
    assert 0.85 <= held / 200 <= 0.98  # the likelihood counts for less than all rows


def test_a_link_that_no_network_has_may_be_too_weak_to_show():
    """The interval holds a weak effect though every network goes without it, and nought where there is none."""
    rng = np.random.default_rng(11)
    held = np.zeros(2)
    for _ in range(60):
        x, z = rng.normal(size=(2, 300))
        chance = 1 / (1 + np.exp(-0.25 * x))
        table = table_of([x, z], np.where(rng.random(300) < chance, 1, -1))
        for k, (name, truth) in enumerate((("v0", 0.124), ("v1", 0.0))):
            found = effect(table, networks_of(table, []), table.names.index(name), -1.0, 1.0)
            assert found.p_cause == found.mean == 0
            held[k] += found.low <= truth <= found.high
    assert (held >= 0.85 * 60).all()


def test_what_is_moved_from_where_to_where():
    n = 200
    rng = np.random.default_rng(5)
    towns = np.array(["a"] * 120 + ["b"] * 50 + ["c"] * 30, dtype=object)
    grades = np.arange(n) % 5
    values = [rng.normal(50, 10, n), np.arange(n) % 2 + 1, np.zeros(n), grades]
    table = table_of(values, np.where(rng.random(n) < 0.5, 1, -1), {2: towns})
    place = {name: i for i, name in enumerate(table.names)}
    [(low, high)] = moves(table, place["v0"])
    assert (low, high) == pytest.approx(tuple(np.quantile(values[0], [0.1, 0.9], method="nearest")))
    assert moves(table, place["v1"]) == [(1, 2)]
    assert moves(table, place["v2"]) == [("a", "b"), ("a", "c")]
    assert moves(table, place["v3"]) == [(0.0, 4.0)]


def test_words_among_numbers_move_by_indicators():
    rng = np.random.default_rng(6)
    towns = rng.choice(["north", "south", "west"], 1500)
    x = rng.normal(size=1500) + (towns == "west")
    chance = np.where(towns == "west", 0.8, np.where(towns == "south", 0.5, 0.2))
    y = np.where(rng.random(1500) < chance, 1, -1)
    table = table_of([x, np.zeros(1500)], y, {1: towns.astype(object)})
    towns_cause = networks_of(table, [("v1", None), ("v0", "v1")])  # v0 is a number: logistic
    place = table.names.index("v1")
    assert effect(table, towns_cause, place, "north", "west").mean == pytest.approx(0.6, abs=0.08)
    assert effect(table, towns_cause, place, "south", "north").mean == pytest.approx(-0.3, abs=0.08)
    with pytest.raises(UserError, match="has no value 'east'; it has 'north', 'south', 'west'"):
        effect(table, towns_cause, place, "north", "east")
    with pytest.raises(UserError, match="'v0' is a number and can't be set to 'high'"):
        effect(table, towns_cause, table.names.index("v0"), 0.0, "high")


def test_the_order_of_columns_does_not_matter():
    rng = np.random.default_rng(7)
    values = rng.normal(size=(4, 300))
    y = np.where(values[0] + values[1] + rng.normal(size=300) > 0, 1, -1)
    found = []
    for order in ([0, 1, 2, 3], [2, 0, 3, 1]):
        names = [f"v{k}" for k in order]
        table = prepare(RawTable("t.csv", names, 300, values=values[order].copy()), y)
        changes = effects(table, networks_of(table, [("v2", "v0"), ("v0", None), ("v1", None)]))
        found.append([(table.names[c.variable], c.effect, c.before) for c in changes])
    assert found[0] == found[1] and {row[0] for row in found[0][:2]} == {"v0", "v1"}
    last = found[0][-1][1]
    assert last.p_cause == last.mean == 0 and last.low < 0 < last.high  # too weak to show, if there is one


@pytest.fixture
def results(tmp_path):
    """Results of a data set as the workflow leaves them, as far as effects need them."""
    table, *_ = confounded(1000, np.random.default_rng(8))
    prepared.save(table, tmp_path / "data")
    write_networks(tmp_path / "networks.npz", Nodes(table), networks_of(table, CONFOUNDED))
    return tmp_path


def test_a_call_on_the_results_of_a_run(results):
    found = himation.effect(results, "v0", 0, 1)
    assert 0.2 < found.low < found.mean < found.high < 0.4
    assert himation.effect(results, 1, "0", "1") == found
    back = himation.effect(results, "v0", 1, 0)
    assert back.mean == pytest.approx(-found.mean, abs=0.01)
    with pytest.raises(UserError, match="'v7' is not a variable of the table"):
        himation.effect(results, "v7", 0, 1)
    with pytest.raises(UserError, match="'v0' has no value 3"):
        himation.effect(results, "v0", 0, 3)


def test_a_call_on_a_fitted_strategy():
    X, y = himation.make_lucas(1000)
    model = himation.Himation(chains=3, sweeps=60, machines=5).fit(X, y)
    found = himation.effect(model, "Smoking", 0, 1)
    place = model.table_.names.index("Smoking")
    assert found == effect(model.table_, model.networks_, place, 0, 1) and found.low > 0.2
    assert himation.network(model).has_node("Coughing")


def test_the_command(results, run_script):
    common = ("--data", "data", "--networks", "networks.npz")
    done = run_script("estimate_effects", *common, "--output", "e.tsv", cwd=results)
    assert done.returncode == 0, done.stderr
    rows = read_tsv(results / "e.tsv")
    assert [row["variable"] for row in rows] == ["v1", "v0"] and rows[0]["from"] == "0" and rows[0]["to"] == "1"
    assert 0 < float(rows[1]["low"]) < float(rows[1]["effect"]) < float(rows[1]["high"])
    done = run_script("estimate_effects", *common, "--variable", "v0", "--from", "0", "--to", "1", cwd=results)
    assert done.returncode == 0 and done.stdout.startswith(f"{himation.effect(results, 'v0', 0, 1).mean:+.3f} (+0.")
    for words, message in (
        ("--variable v0 --from 0", "--variable goes with --from and --to"),
        ("--variable v00 --from 0 --to 1", "did you mean 'v0'?"),
        ("", "give --output for all variables, or --variable"),
    ):
        done = run_script("estimate_effects", *common, *words.split(), cwd=results)
        assert done.returncode == 1 and message in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_section_of_the_page(tmp_path):
    table, *_ = confounded(1000, np.random.default_rng(9))
    half = networks_of(table, CONFOUNDED, CONFOUNDED, [("v1", None), (None, "v0")])
    write_effects(tmp_path / "e.tsv", Nodes(table), effects(table, half))
    rows = shown.read_effects(tmp_path / "e.tsv")
    assert [row.name for row in rows] == ["v1", "v0"] and rows[1].low == 0 < rows[1].effect
    told = shown.sentence(rows, "yes")
    assert told.startswith("Setting v1 to 1 where it is 0 would change P(yes) by +0.") and told.endswith(").")
    assert "No effect on P(yes) is sure" in shown.sentence(rows[1:], "yes")
    assert shown.sentence((), "yes").startswith("No variable is a likely cause")
    with drawing_style():
        drawn = shown.picture(rows, "yes", "effects")
    assert "v0 from 0 to 1: +0." in drawn and drawn.count("<svg") == 1 and "#0" not in drawn.split("<path")[0]


def test_the_study(monkeypatch):
    """True effects by two ways of the simulator, and the lines of the study."""
    monkeypatch.setattr(study, "STYLES", ("linear",))
    monkeypatch.setattr(study, "SIZES", (400,))
    monkeypatch.setattr(study, "PROBES", 4000)
    short = Options(chains=2, sampling=Sampling(sweeps=60, burn_in=30))
    found = study.measure("linear", 400, 3, short)
    assert (
        found.shape == (30, 12) and (found[found[:, 1] == 0, 0] == 0).all() and (found[found[:, 1] == 1, 0] != 0).all()
    )
    assert (found[:, [3, 6, 9]] <= found[:, [5, 8, 11]]).all()
    lines = {line.measure: line.rerun for line in study._lines("case", [found])}
    assert lines["intervals that hold the truth, others, ours"] >= 0.9
    assert lines["mean error of an effect, ours"] < lines["mean error of an effect, all variables"]
