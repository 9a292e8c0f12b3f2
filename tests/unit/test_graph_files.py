"""The sampled networks for other programs: what networkx and pgmpy read back, and what pgmpy answers."""

import doctest
import re
from dataclasses import replace

import exact
import numpy as np
import pytest

import himation
from himation.errors import UserError
from himation.files import prepared
from himation.files.graph_files import Graph, to_networkx, to_pgmpy, write_bif, write_dot, write_graphml
from himation.files.networks_file import write_networks
from himation.files.nodes import Nodes
from himation.files.raw import RawTable
from himation.posterior import consensus as module
from himation.posterior.averages import shares
from himation.posterior.networks import Chain, Networks
from himation.posterior.target import Reliability
from himation.prepare.preparing import prepare
from himation.studies.simulate.networks import LUCAS

HOSTILE = '<b>"a & \\b'


def test_doctests():
    assert doctest.testmod(module).failed == 0


@pytest.fixture(scope="module")
def lucas():
    """A table of LUCAS and a chain whose networks are its true graph, in a quarter of them with Allergy turned away."""
    sample = LUCAS.sample(4000, np.random.default_rng(1))
    raw = RawTable("lucas", list(sample.names), 4000, values=np.ascontiguousarray(sample.values.T, dtype=float))
    table = replace(prepare(raw, sample.target), target_name="Lung_cancer")
    place = {name: i for i, name in enumerate(table.names)} | {"Lung_cancer": table.n_variables}
    graphs = np.zeros((4, 12, 12), dtype=bool)
    for cause, result in LUCAS.edges:
        graphs[:, place[cause], place[result]] = True
    graphs[3, place["Allergy"], place["Coughing"]] = False
    networks = Networks((Chain(tuple(range(11)), graphs, np.zeros(4)),), Reliability())
    return table, networks, Graph(table, networks)


def test_graphml_opens_in_networkx_with_probabilities(lucas, tmp_path):
    import networkx

    table, networks, graph = lucas
    write_graphml(tmp_path / "g.graphml", graph)
    read = networkx.read_graphml(tmp_path / "g.graphml")
    called = networkx.get_node_attributes(read, "name")
    assert {(called[a], called[b]) for a, b in read.edges} == set(LUCAS.edges)
    told = {(called[a], called[b]): facts for a, b, facts in read.edges(data=True)}
    assert told["Allergy", "Coughing"] == {"probability": 0.75, "consensus": True}
    by_name = {facts["name"]: facts for _, facts in read.nodes(data=True)}
    assert by_name["Smoking"]["p_parent"] == 1.0 and "p_parent" not in by_name["Lung_cancer"]
    assert by_name["Allergy"]["p_spouse"] == shares(networks)[table.names.index("Allergy")].spouse == 0.75
    made = to_networkx(graph)
    assert set(made.edges) == set(LUCAS.edges) and made.edges["Allergy", "Coughing"]["probability"] == 0.75


def test_dot_has_every_edge_and_hostile_names_stay_inside_quotes(lucas, tmp_path):
    table, networks, _ = lucas
    named = replace(table, names=[HOSTILE, *table.names[1:]])
    write_dot(tmp_path / "g.dot", Graph(named, networks))
    text = (tmp_path / "g.dot").read_text()
    assert text.count(" -> ") == len(LUCAS.edges) and text.count("{") == text.count("}") == 1
    assert r'[label="<b>\"a & \\b"]' in text
    write_graphml(tmp_path / "g.graphml", Graph(named, networks))
    import networkx

    assert HOSTILE in networkx.get_node_attributes(networkx.read_graphml(tmp_path / "g.graphml"), "name").values()


def test_pgmpy_answers_as_the_true_network_does(lucas):
    from pgmpy.inference import VariableElimination

    table, _, graph = lucas
    made = to_pgmpy(graph)
    assert made.check_model() and set(made.edges) == set(LUCAS.edges)
    inference = VariableElimination(made)
    yes = table.labels[1].replace("-", "_")
    joint = exact.joint(LUCAS)
    columns = [*LUCAS.names, "Lung_cancer"]
    given = {"Coughing": 1, "Genetics": 0}

    def chance(**more):
        wanted = {columns.index(name): value for name, value in {**given, **more}.items()}
        return sum(p for row, p in joint.items() if all(row[i] == value for i, value in wanted.items()))

    answer = inference.query(["Lung_cancer"], evidence={name: str(value) for name, value in given.items()})
    found = dict(zip(answer.state_names["Lung_cancer"], answer.values, strict=True))
    assert found[yes] == pytest.approx(chance(Lung_cancer=1) / chance(), abs=0.03)


def test_bif_out_and_in_again_is_the_same_network(lucas, tmp_path):
    from pgmpy.readwrite import BIFReader

    _, _, graph = lucas
    write_bif(tmp_path / "g.bif", graph)
    read, made = BIFReader(str(tmp_path / "g.bif")).get_model(), to_pgmpy(graph)
    assert set(read.edges) == set(made.edges) and set(read.nodes) == set(made.nodes)
    for name in made.nodes:
        own, other = made.get_cpds(name), read.get_cpds(name)
        states = {key: own.state_names[key] for key in own.variables}
        assert {key: set(words) for key, words in other.state_names.items()} == {k: set(w) for k, w in states.items()}
        for row in np.ndindex(*own.cardinality):
            chosen = {key: states[key][i] for key, i in zip(own.variables, row, strict=True)}
            assert other.to_factor().get_value(**chosen) == pytest.approx(own.values[row], abs=1e-6)


def test_from_the_results_of_a_run(lucas, tmp_path):
    table, networks, _ = lucas
    prepared.save(table, tmp_path / "data")
    with pytest.raises(UserError, match="run snakemake first"):
        himation.network(tmp_path)
    write_networks(tmp_path / "networks.npz", Nodes(table), networks)
    assert set(himation.network(tmp_path).edges) == set(LUCAS.edges)
    assert set(himation.bayesian_network(tmp_path).nodes) == {end for edge in LUCAS.edges for end in edge}


def test_a_table_of_numbers_has_no_chances(tmp_path):
    rng = np.random.default_rng(2)
    values = rng.normal(size=(2, 100))
    table = prepare(RawTable("t", ["dose", "mood"], 100, values=values), np.where(values[0] > 0, 1, -1))
    graphs = np.zeros((1, 3, 3), dtype=bool)
    graphs[0, 0, 2] = graphs[0, 1, 2] = True
    graph = Graph(table, Networks((Chain((0, 1), graphs, np.zeros(1)),), Reliability()))
    with pytest.raises(UserError, match=r"needs discrete variables: '(dose|mood)' is a number"):
        write_bif(tmp_path / "g.bif", graph)
    write_dot(tmp_path / "g.dot", graph)
    assert len(re.findall("->", (tmp_path / "g.dot").read_text())) == 2
