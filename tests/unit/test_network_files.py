"""Problems from networks in files: against pgmpy's exact answers, out and in again, and what is refused."""

import doctest
import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from scipy.stats.contingency import crosstab

from himation.errors import UserError
from himation.files.checking import check_datasets
from himation.files.configuration import load_schema, resolve_configuration
from himation.files.dataset import Source, read_dataset
from himation.files.entries import places, training_places
from himation.files.graph_files import Graph, write_bif, write_graphml
from himation.files.needs import size_of
from himation.files.network_file import FORMATS
from himation.files.raw import RawTable
from himation.posterior.networks import Chain, Networks
from himation.posterior.target import Reliability
from himation.prepare.preparing import prepare
from himation.studies.simulate import discrete, network_files
from himation.studies.simulate.network_files import open_task, read_network
from himation.studies.simulate.tasks import simulate
from himation.task_names import TASKS

PROJECT = Path(__file__).parents[2]
N = 20_000


def test_doctests():
    assert doctest.testmod(discrete).failed == doctest.testmod(network_files).failed == 0


def example(name: str) -> str:
    import pgmpy

    return str(Path(pgmpy.__file__).parent / "utils/example_models" / f"{name}.bif.gz")


@pytest.fixture(scope="module")
def child():
    from pgmpy.utils import get_example_model

    return get_example_model("child")


@pytest.fixture(scope="module")
def problem():
    return open_task(example("child"), 3, "LVH", "yes")


def columns(sample, target, positive="yes") -> dict[str, np.ndarray]:
    drawn = {name: sample.values[:, j].astype(str) for j, name in enumerate(sample.names)}
    return drawn | {target: np.where(sample.target > 0, positive, "no")}


def assert_close(words, expected, states, n=N):
    """Frequencies within five standard errors of exact probabilities."""
    found = Counter(words.tolist())
    for state, p in zip(states, expected, strict=True):
        assert abs(found.pop(state, 0) / n - p) <= 5 * np.sqrt(p * (1 - p) / n) + 1e-12, state
    assert not found


def exact(model, names):
    from pgmpy.inference import VariableElimination

    inference = VariableElimination(model)
    for name in names:
        answer = inference.query([name], show_progress=False)
        yield name, answer.values, network_files.words_in_table(answer.state_names[name])


def test_frequencies_are_pgmpys_exact_marginals(child, problem):
    drawn = columns(problem.train(N), "LVH")
    assert set(drawn) == set(child.nodes)
    for name, expected, states in exact(child, child.nodes):
        assert_close(drawn[name], expected, states)


def test_each_value_follows_its_causes(child, problem):
    drawn = columns(problem.train(N), "LVH")
    for name in ("LVH", "ChestXray", "LungParench"):
        cpd = child.get_cpds(name)
        words = {key: network_files.words_in_table(cpd.state_names[key]) for key in cpd.variables}
        for row in np.ndindex(*cpd.cardinality[1:]):
            here = np.ones(N, dtype=bool)
            for cause, code in zip(cpd.variables[1:], row, strict=True):
                here &= drawn[cause] == words[cause][code]
            if here.sum():
                assert_close(drawn[name][here], cpd.values[(slice(None), *row)], words[name], here.sum())


def test_a_manipulated_variable_keeps_its_distribution_loses_its_causes_and_acts_on(child, problem):
    from pgmpy.factors.discrete import TabularCPD

    natural = {name: (values, states) for name, values, states in exact(child, ["Disease", "LungParench"])}
    set_to = ["LungParench", "LVHreport"]
    drawn = columns(problem.test(N, set_to), "LVH")
    assert_close(drawn["LungParench"], *natural["LungParench"])
    for name, other in (("LungParench", "Disease"), ("LVHreport", "LVH"), ("LVHreport", "LungParench")):
        assert chi2_contingency(crosstab(drawn[name], drawn[other]).count).pvalue > 1e-4
    before = columns(problem.train(N), "LVH")
    assert chi2_contingency(crosstab(before["LungParench"], before["Disease"]).count).pvalue < 1e-100
    cut = child.do(["LungParench"])
    values = natural["LungParench"][0]
    states = {"LungParench": child.get_cpds("LungParench").state_names["LungParench"]}
    cut.remove_cpds("LungParench")
    cut.add_cpds(TabularCPD("LungParench", len(values), values[:, None], state_names=states))
    for name, expected, words in exact(cut, ["ChestXray", "CO2Report", "HypoxiaInO2", "Disease", "LVH"]):
        assert_close(drawn[name], expected, words)


def test_three_versions_share_their_training_table(child, problem):
    versions = [simulate(problem, 3, k, 200, 100) for k in range(3)]
    effects, causes = set(child.get_children("LVH")), set(child.get_parents("LVH"))
    for made in versions:
        assert np.array_equal(made.train.values, versions[0].train.values)
        assert set(made.edges) == set(child.edges) and made.target == "LVH"
    assert versions[0].manipulated == ()
    assert causes & set(versions[1].manipulated) and effects <= set(versions[2].manipulated)
    listed = simulate(problem, 3, 0, 50, 50, manipulate=("Age", "Disease"))
    assert listed.manipulated == ("Age", "Disease")
    assert len(simulate(problem, 3, 0, 50, 50, manipulate=("all",)).manipulated) == 19


def test_version_1_is_half_of_the_effects_one_cause_and_a_tenth_of_the_others():
    problem = open_task(example("alarm"), 1, "HYPOVOLEMIA", "TRUE")
    assert (len(problem.causes), len(problem.effects), len(problem.others)) == (0, 2, 33)
    for k, n_effects in ((1, 1), (2, 2)):
        listed = set(problem.version(k))
        assert len(listed & set(problem.effects)) == n_effects and len(listed & set(problem.others)) == 3
    assert not set(problem.version(1)) & set(problem.version(2)) & set(problem.others)
    other = open_task(example("alarm"), 2, "HYPOVOLEMIA", "TRUE")
    assert set(other.others) == set(problem.others) and other.others != problem.others


def test_states_that_read_as_missing_or_as_numbers_are_words_in_the_table(run_script, tmp_path):
    """Insurance has a state None."""
    words = "--predict Accident --positive None --version 1 --train-size 400 --test-size 100 --train a.parquet"
    words += " --target a.targets --test b.parquet --test-target b.targets --truth t.csv --manipulated m.txt"
    done = run_script("simulate_data", "--network", example("insurance"), *words.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    source = Source(
        str(tmp_path / "a.parquet"), str(tmp_path / "a.targets"), test=str(tmp_path / "b.parquet"), missing="impute"
    )
    table = read_dataset(source)
    assert set(table.kinds) <= {"binary", "discrete"} and table.n_variables >= 24
    own = table.levels[table.names.index("ThisCarDam")]
    assert set(own) == {"state None", "state Mild", "state Moderate", "state Severe"}
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert (
        lines[0] == "from,to"
        and len(lines) == 53
        and "0,ThisCarDam" in lines
        and not any("Accident" in x for x in lines)
    )
    assert (tmp_path / "m.txt").read_text().split()


@pytest.mark.parametrize("ending", FORMATS)
def test_out_and_in_again_is_the_same_network(child, tmp_path, ending):
    """Asia as .xmlbif, because pgmpy's writer of that format changes Child's states."""
    from pgmpy import readwrite
    from pgmpy.readwrite import BIFReader

    name = "asia" if ending == ".xmlbif" else "child"
    if name == "asia":
        with gzip.open(example(name), "rt") as stream:
            child = BIFReader(string=stream.read()).get_model()
    writer = getattr(readwrite, FORMATS[ending].replace("Reader", "Writer"))
    path = str(tmp_path / f"again{ending}")
    (writer(child, round_values=12) if ending == ".bif" else writer(child)).write(path)
    network, states = read_network(path)
    first, words = read_network(example(name))
    assert (network.names, network.parents) == (first.names, first.parents) and states == words
    for table, other in zip(network.tables, first.tables, strict=True):
        np.testing.assert_allclose(table, other, atol=1e-9)
    assert size_of({"simulate": {"network": path, "train": 10, "test": 10}}).variables == len(words)


def test_the_export_of_a_drawn_problem_opens_in_networkx_and_is_read_again(child, problem, tmp_path):
    import networkx

    sample = problem.train(5000)
    raw = RawTable("child", list(sample.names), 5000, values=np.zeros((19, 5000)))
    raw.texts.update({j: sample.values[:, j] for j in range(19)})
    table = replace(prepare(raw, sample.target), target_name="LVH")
    place = {name: i for i, name in enumerate(table.names)} | {"LVH": table.n_variables}
    graphs = np.zeros((1, 20, 20), dtype=bool)
    for cause, result in child.edges:
        graphs[0, place[cause], place[result]] = True
    graph = Graph(table, Networks((Chain(tuple(range(19)), graphs, np.zeros(1)),), Reliability()))
    write_graphml(tmp_path / "g.graphml", graph)
    opened = networkx.read_graphml(tmp_path / "g.graphml")
    called = networkx.get_node_attributes(opened, "name")
    assert {(called[a], called[b]) for a, b in opened.edges} == set(child.edges)
    write_bif(tmp_path / "g.bif", graph)
    network, _ = read_network(str(tmp_path / "g.bif"))
    named = network.names
    assert {(named[a], named[b]) for a, b in np.argwhere(network.dag)} == set(child.edges)
    place = named.index("LVH")
    assert network.margin(place).max() == pytest.approx(
        max(np.mean(sample.target < 0), np.mean(sample.target > 0)), abs=0.01
    )


def resolved(entry, folder="."):
    schema = load_schema(PROJECT / "workflow/schemas/config.schema.yaml")
    return resolve_configuration({"datasets": [entry]}, schema, [Path(folder)])


def test_from_configuration_alone():
    path = example("child")
    entries = [
        {"id": f"child{k}", "positive": True, "simulate": {"network": path, "target": "LVH", "version": k}}
        for k in range(3)
    ]
    schema = load_schema(PROJECT / "workflow/schemas/config.schema.yaml")
    config = resolve_configuration({"datasets": entries}, schema, [Path(".")])
    sets = config["datasets"]
    assert [entry["manipulation"] for entry in sets] == ["none", "known", "unknown"]
    assert all("positive" not in entry and entry["simulate"]["positive"] == "True" for entry in sets)
    assert (sets[0]["simulate"]["train"], sets[0]["simulate"]["test"]) == (500, 5000)
    shared = set(training_places(sets).values())
    assert len(shared) == 1 and next(iter(shared)).startswith("training/child-")
    assert places(sets)["child1"]["manipulated"] == "results/child1/simulated/manipulated.txt"
    moved = [{**entry, "simulate": {**entry["simulate"], "network": "elsewhere/child.bif.gz"}} for entry in sets]
    assert set(training_places(moved).values()) == shared
    check_datasets(sets, config["seed"])


BAD = {
    "no file": (
        {"network": "alarn.bif", "target": "x"},
        "network: 'alarn.bif': no such file; known without a file are",
    ),
    "nearly a task": ({"network": "luca", "target": "x"}, "did you mean 'lucas'?"),
    "another format": ({"network": "table.csv", "target": "x"}, "a network is a file .bif"),
    "no target": ({"network": "two.bif"}, "name the variable of two.bif to be predicted"),
    "target of a task": ({"network": "lucas", "target": "Smoking"}, "'target' belongs to a network in a file"),
    "variables": ({"network": "two.bif", "target": "a", "variables": 60}, "two.bif has its own"),
    "unknown target": ({"network": "two.bif", "target": "aa"}, "no variable named 'aa' to be the target"),
    "a stranger": ({"network": "two.bif", "target": "xyz"}, "to be the target; known are a, b"),
    "three values": ({"network": "two.bif", "target": "b"}, "has 3 values (high, low, mid)"),
    "no such value": ({"network": "two.bif", "target": "b", "positive": "hihg"}, "did you mean 'high'?"),
    "manipulated": ({"network": "two.bif", "target": "a", "manipulate": ["c"]}, "no variable named 'c'"),
    "target manipulated": ({"network": "two.bif", "target": "a", "manipulate": ["a"]}, "can't be manipulated"),
    "no network": ({"network": "hello.bif", "target": "a"}, "pgmpy finds no variable"),
    "cut short": ({"network": "short.bif", "target": "a"}, "short.bif: no probabilities of b"),
    "not packed": ({"network": "no.bif.gz", "target": "a"}, "can't be read"),
    "sum": ({"network": "sum.bif", "target": "a"}, "sum.bif: "),
    "nothing to manipulate": (
        {"network": "alone.bif", "target": "c", "version": 1},
        "nothing to manipulate in version 1",
    ),
}
TWO = """network two {
}
variable a {
  type discrete [ 2 ] { no, yes };
}
variable b {
  type discrete [ 3 ] { low, mid, high };
}
probability ( a ) {
  table 0.4, 0.6;
}
"""
OF_B = """probability ( b | a ) {
  (no) 0.2, 0.3, 0.5;
  (yes) 0.6, 0.3, 0.1;
}
"""
ALONE = "variable c {\n  type discrete [ 2 ] { no, yes };\n}\nprobability ( c ) {\n  table 0.5, 0.5;\n}\n"


@pytest.mark.parametrize("name", BAD)
def test_bad_networks_get_one_line(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    texts = {"two.bif": TWO + OF_B, "short.bif": TWO, "hello.bif": "hello\n", "table.csv": "a\n", "no.bif.gz": "x"}
    texts |= {"sum.bif": TWO.replace("0.6;", "0.1;") + OF_B, "alone.bif": TWO + OF_B + ALONE}
    for file, text in texts.items():
        Path(file).write_text(text)
    simulate, message = BAD[name]
    read_network.cache_clear()
    with pytest.raises(UserError) as refused:
        config = resolved({"id": "s", "simulate": simulate}, tmp_path)
        check_datasets(config["datasets"], config["seed"])
    assert "data set 's': " in str(refused.value) and message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_tasks_have_no_positive_and_files_one():
    for entry in ({"id": "s", "positive": "1", "simulate": {"network": name}} for name in TASKS):
        with pytest.raises(UserError, match="both 'simulate' and 'positive'"):
            resolved(entry)
    both = {"id": "s", "positive": "no", "simulate": {"network": example("child"), "target": "LVH", "positive": "yes"}}
    with pytest.raises(UserError, match="write one"):
        resolved(both)


def test_a_packed_network_is_the_same(tmp_path):
    (tmp_path / "two.bif").write_text(TWO + OF_B)
    with gzip.open(tmp_path / "packed.bif.gz", "wt") as stream:
        stream.write(TWO + OF_B)
    plain, packed = (open_task(str(tmp_path / name), 1, "a") for name in ("two.bif", "packed.bif.gz"))
    samples = [made.test(50, ["b"]) for made in (plain, packed)]
    assert np.array_equal(samples[0].values, samples[1].values)
    assert plain.signs.tolist() == [-1, 1]
