"""LUCAS: the published tables, exact enumeration, and the challenge's own training set."""

import doctest
import math
import os
from itertools import combinations
from pathlib import Path

import exact
import networkx as nx
import numpy as np
import pytest

from himation.errors import UserError
from himation.studies.simulate import networks
from himation.studies.simulate.networks import LUCAS, LUCAS_MANIPULATED, simulate_lucas

N = 400_000
SIGMAS = 4
SHARED = Path(os.environ.get("HIMATION_DATA", Path(__file__).parents[3] / "shared" / "data"))

# Guyon et al. 2008: variable, causes, and P(true) keyed by the causes' values (F/T) in that order.
PUBLISHED = [
    ("Anxiety", (), {"": 0.64277}),
    ("Peer_Pressure", (), {"": 0.32997}),
    ("Genetics", (), {"": 0.15953}),
    ("Born_an_Even_Day", (), {"": 0.5}),
    ("Allergy", (), {"": 0.32841}),
    ("Smoking", ("Peer_Pressure", "Anxiety"), {"FF": 0.43118, "TF": 0.74591, "FT": 0.8686, "TT": 0.91576}),
    ("Yellow_Fingers", ("Smoking",), {"F": 0.23119, "T": 0.95372}),
    ("Lung_cancer", ("Genetics", "Smoking"), {"FF": 0.23146, "TF": 0.86996, "FT": 0.83934, "TT": 0.99351}),
    ("Attention_Disorder", ("Genetics",), {"F": 0.28956, "T": 0.68706}),
    ("Coughing", ("Allergy", "Lung_cancer"), {"FF": 0.1347, "TF": 0.64592, "FT": 0.7664, "TT": 0.99947}),
    ("Fatigue", ("Lung_cancer", "Coughing"), {"FF": 0.35212, "TF": 0.56514, "FT": 0.80016, "TT": 0.89589}),
    ("Car_Accident", ("Attention_Disorder", "Fatigue"), {"FF": 0.2274, "TF": 0.779, "FT": 0.78861, "TT": 0.97169}),
]


def columns(sample):
    data = {name: sample.values[:, i].astype(bool) for i, name in enumerate(sample.names)}
    return data | {"Lung_cancer": sample.target > 0}


def assert_frequency(hits, n, probability):
    assert abs(hits - n * probability) <= SIGMAS * math.sqrt(n * probability * (1 - probability)) + 1e-9


def test_doctest():
    assert doctest.testmod(networks).failed == 0


def test_tables_are_the_published_ones():
    for name, causes, table in PUBLISHED:
        mechanism = LUCAS.mechanisms[name]
        assert mechanism.causes == causes
        assert mechanism.table.size == len(table)
        for key, probability in table.items():
            assert mechanism.table[tuple(int(letter == "T") for letter in key)] == probability


@pytest.mark.parametrize("version", [0, 1, 2])
def test_sampled_frequencies(version):
    manipulated = LUCAS_MANIPULATED[version]
    sample = simulate_lucas(N, np.random.default_rng(version), manipulated)
    assert sample.values.dtype == np.uint8
    assert sample.values.shape == (N, 11)
    data = columns(sample)
    for name, causes, table in PUBLISHED:
        for key, probability in table.items():
            rows = np.ones(N, dtype=bool)
            for cause, letter in zip(causes, key, strict=True):
                rows &= data[cause] == (letter == "T")
            expected = 0.5 if name in manipulated else probability
            assert_frequency(data[name][rows].sum(), rows.sum(), expected)


@pytest.mark.parametrize(
    "manipulated", [(), ("Yellow_Fingers", "Smoking", "Fatigue", "Attention_Disorder"), ("Coughing",)]
)
def test_pairs_against_exact_enumeration(manipulated):
    joint = exact.joint(LUCAS, manipulated)
    assert len(joint) == 2**12
    assert sum(joint.values()) == pytest.approx(1, abs=1e-12)
    data = columns(simulate_lucas(N, np.random.default_rng(7), manipulated))
    names = [*LUCAS.names, LUCAS.target]
    for i, j in combinations(range(12), 2):
        both = sum(p for values, p in joint.items() if values[i] and values[j])
        assert_frequency((data[names[i]] & data[names[j]]).sum(), N, both)


def test_joint_is_that_of_an_independent_library():
    readwrite = pytest.importorskip("pgmpy.models")
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination

    model = readwrite.DiscreteBayesianNetwork(LUCAS.edges)
    model.add_node("Born_an_Even_Day")
    for name, causes, table in PUBLISHED:
        keys = [""]
        for _ in causes:
            keys = [key + letter for key in keys for letter in "FT"]
        true = [table[key] for key in keys]
        model.add_cpds(TabularCPD(name, 2, [[1 - p for p in true], true], list(causes) or None, [2] * len(causes)))
    joint = exact.joint(LUCAS)
    names = [*LUCAS.names, LUCAS.target]
    for name in ("Coughing", "Car_Accident", "Lung_cancer", "Yellow_Fingers"):
        theirs = VariableElimination(model).query([name, "Allergy"], show_progress=False)
        i, a = names.index(name), names.index("Allergy")
        ours = sum(p for values, p in joint.items() if values[i] and values[a])
        assert ours == pytest.approx(theirs.get_value(**{name: 1, "Allergy": 1}), abs=1e-9)


def test_structure():
    graph = nx.DiGraph(LUCAS.edges)
    assert nx.is_directed_acyclic_graph(graph)
    assert len(LUCAS.edges) == 12
    assert set(graph.predecessors("Lung_cancer")) == {"Smoking", "Genetics"}
    effects = set(graph.successors("Lung_cancer"))
    assert effects == {"Coughing", "Fatigue"}
    spouses = {cause for effect in effects for cause in graph.predecessors(effect)} - effects - {"Lung_cancer"}
    assert spouses == {"Allergy"}
    left = [edge for edge in LUCAS.edges if edge[1] not in LUCAS_MANIPULATED[2]]
    assert left == [("Genetics", "Lung_cancer"), ("Smoking", "Lung_cancer")]


def test_out_of_reach_of_a_manipulation_nothing_changes():
    natural = columns(simulate_lucas(500, np.random.default_rng(1)))
    changed = columns(simulate_lucas(500, np.random.default_rng(1), ["Fatigue"]))
    for name in natural:
        same = np.array_equal(natural[name], changed[name])
        assert same == (name not in {"Fatigue", "Car_Accident"})


def test_same_seed_same_bytes_and_no_examples():
    first, second = (simulate_lucas(100, np.random.default_rng(3), ["Smoking"]) for _ in range(2))
    assert first.values.tobytes() == second.values.tobytes()
    assert first.target.tobytes() == second.target.tobytes()
    assert simulate_lucas(0, np.random.default_rng(3)).values.shape == (0, 11)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Lung_cancer", "target Lung_cancer can't be manipulated"),
        ("yellow_fingers", "did you mean Yellow_Fingers"),
        ("Smokin", "did you mean Smoking"),
        ("qqq", "known are Smoking"),
        (3, "no variable named 3"),
    ],
)
def test_bad_names(name, message):
    with pytest.raises(UserError, match=message):
        simulate_lucas(10, np.random.default_rng(0), [name])


@pytest.mark.skipif(not (SHARED / "lucas" / "lucas0_train.csv").exists(), reason="the real LUCAS data are not here")
def test_the_challenges_own_training_set_fits_the_tables():
    path = SHARED / "lucas" / "lucas0_train.csv"
    assert tuple(path.open().readline().strip().split(",")) == (*LUCAS.names, LUCAS.target)
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    joint = exact.joint(LUCAS)
    for i, j in combinations(range(12), 2):
        both = sum(p for values, p in joint.items() if values[i] and values[j])
        assert_frequency(np.sum((table[:, i] > 0) & (table[:, j] > 0)), len(table), both)
