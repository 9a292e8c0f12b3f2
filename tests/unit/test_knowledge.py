"""What is known of causes: reading and refusing it, and that sampled networks and oriented regions obey it."""

import doctest
import json
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from graph_tools import v_structures

from himation import knowledge as module
from himation.errors import UserError
from himation.files import prepared
from himation.files.dataset import Source, read_dataset
from himation.files.knowledge_file import read_knowledge
from himation.files.networks_file import read_networks, write_networks
from himation.files.nodes import Nodes
from himation.files.raw import RawTable
from himation.graphs import from_edges, is_acyclic
from himation.knowledge import Knowledge
from himation.orientation.averaging import orient, settings_for
from himation.orientation.obeying import obey
from himation.orientation.pdags import compelled, cpdag
from himation.orientation.region import Region
from himation.posterior.averages import shares
from himation.posterior.networks import Options, draw
from himation.posterior.orders import candidate_parents, correlation_matrix, sample_graphs
from himation.posterior.scoring import Evidence, Sampling, linear
from himation.prepare.preparing import prepare
from himation.studies.simulate.networks import LUCAS

SHORT = Options(chains=4, sampling=Sampling(sweeps=200, burn_in=100))
NAMES = ["a", "b", "c", "d"]


def test_doctests():
    assert doctest.testmod(module).failed == 0


def read(**told):
    return read_knowledge(told, NAMES, "sick", None)


def test_names_numbers_and_the_target():
    known = read(first=["a"], causes=[2], edges=[["c", "sick"]], tiers=[["a", "b"], ["sick"]])
    assert known == Knowledge(first=(1,), causes=(2,), edges=((3, 0),), tiers=((1, 2), (0,)))
    assert known.to_target() == (2, 3) and known.columns() == (1, 2, 3)
    assert read_knowledge({"last": [4]}, [*NAMES[:3], "sick"], "sick", 4).last == (0,)
    assert Knowledge.from_lists(json.loads(json.dumps(known.as_lists()))) == known
    assert not read() and not read(causes=[])


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"causes": ["aa"]}, "knowledge: 'aa' is not a variable of the table; did you mean 'a'?"),
        ({"cause": ["a"]}, "knowledge: unknown key 'cause'; did you mean 'causes'?"),
        ({"causes": "a"}, "knowledge: causes should be a list, not 'a'"),
        ({"edges": [["a"]]}, "knowledge: edges: ['a'] should be a pair [cause, effect]"),
        ({"tiers": ["a"]}, "knowledge: tiers: 'a' should be a list of variables"),
        ({"causes": ["sick"]}, "knowledge: causes: 'sick' is the target itself"),
        ({"edges": [["a", "a"]]}, "knowledge: edges: 'a' can't cause itself"),
        ({"edges": [["a", "b"]], "no_edges": [["a", "b"]]}, "the edge from 'a' to 'b' and no_edges contradict"),
        ({"edges": [["a", "b"]], "first": ["b"]}, "the edge from 'a' to 'b' and first ('b') contradict each other"),
        ({"edges": [["a", "b"]], "last": ["a"]}, "the edge from 'a' to 'b' and last ('a') contradict each other"),
        ({"causes": ["a"], "last": ["a"]}, "knowledge: causes ('a') and last contradict each other"),
        ({"causes": ["a"], "first": ["sick"]}, "knowledge: causes ('a') and first ('sick') contradict each other"),
        ({"tiers": [["a"], ["b", "a"]]}, "knowledge: tiers: 'a' is in two of them"),
        (
            {"causes": ["a"], "not_causes": ["a"]},
            "goes round in a circle: 'sick' before 'a' (not_causes), 'a' before 'sick' (causes)",
        ),
        (
            {"edges": [["a", "b"], ["b", "c"]], "tiers": [["c"], ["a"]]},
            "goes round in a circle: 'a' before 'b' (edges), 'b' before 'c' (edges), 'c' before 'a' (tiers)",
        ),
        ({"edges": [[x, "sick"] for x in NAMES] + [["e", "sick"]]}, "'sick' has 5 direct causes; at most 4 can be"),
    ],
)
def test_what_is_wrong_gets_one_line(told, message):
    with pytest.raises(UserError) as refused:
        read_knowledge(told, [*NAMES, "e"], "sick", None)
    assert message in str(refused.value) and "\n" not in str(refused.value)


def test_from_a_file_through_a_prepared_folder(tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{int(a + b > 0)}" for a, b in rng.normal(size=(60, 2))]
    (tmp_path / "t.csv").write_text("\n".join(["dose,mood,well", *rows]) + "\n")
    (tmp_path / "k.yaml").write_text("knowledge:\n  causes: [dose]\n  last: [well]\n")
    source = Source(train=str(tmp_path / "t.csv"), target="well", knowledge=str(tmp_path / "k.yaml"))
    table = read_dataset(source)
    assert table.knowledge == Knowledge(causes=(1,), last=(0,))
    prepared.save(table, tmp_path / "data")
    assert prepared.load(tmp_path / "data").knowledge == table.knowledge
    assert read_dataset(replace(source, knowledge='{"causes": [1], "last": [3]}')).knowledge == table.knowledge
    for text, message in (
        ("causes: [dos]", "did you mean 'dose'?"),
        ("a: [", "not YAML at line"),
        ("- a", "hold keys"),
    ):
        (tmp_path / "k.yaml").write_text(text)
        with pytest.raises(UserError, match=message.replace("?", r"\?")):
            read_dataset(source)


def test_constraints_follow_from_each_other():
    """tiers and edges together: c comes before d through variables that are in no network."""
    known = read(tiers=[["c"], ["b"]], edges=[["b", "d"]])
    found = known.constraints([3, 4, 0])
    assert found.before[0, 1] and found.forbidden[1, 0] and not found.before[:, 2].any()


def test_shares_are_those_of_all_orders_that_are_allowed():
    """Five variables, one order before another, one edge forbidden, one required: the posterior by enumeration."""
    rng = np.random.default_rng(2)
    a, b, e = rng.normal(size=(3, 150))
    c = 0.6 * a + 0.6 * b + rng.normal(size=150)
    d = 0.7 * c + rng.normal(size=150)
    columns = np.column_stack([a, b, c, d, e])
    known = Knowledge(tiers=((4,), (3,)), no_edges=((1, 3),), edges=((5, 2),)).constraints([1, 2, 3, 4, 5])
    evidence, sampling = Evidence(correlation_matrix(columns), 150), Sampling(sweeps=4000, burn_in=500, thin=2)
    candidates = candidate_parents(evidence, 2, sampling, known)
    assert 0 not in candidates[2] and 4 in candidates[1]
    tables = linear(evidence, candidates, 2, sampling)  # free: what is known is applied by hand
    total, edges, highest = 0.0, np.zeros((5, 5)), None
    for order in permutations(range(5)):
        if order.index(3) > order.index(2) or order.index(4) > order.index(1):
            continue
        weight, parts = 0.0, []
        for i, own in enumerate(candidates):
            here = slice(tables.starts[i], tables.starts[i + 1])
            masks, scores = tables.masks[here], tables.scores[here]
            before = sum(1 << k for k, j in enumerate(own) if order.index(j) < order.index(i))
            allowed = (masks & ~before) == 0
            if i == 1:
                allowed &= (masks >> list(own).index(4) & 1) == 1
            whole = np.logaddexp.reduce(scores[allowed])
            weight += whole
            parts.append((own, masks[allowed], np.exp(scores[allowed] - whole)))
        highest = weight if highest is None else highest
        weight = np.exp(weight - highest)
        total += weight
        for i, (own, masks, chances) in enumerate(parts):
            for k, j in enumerate(own):
                edges[j, i] += weight * chances[(masks >> k & 1) == 1].sum()
    graphs = sample_graphs(evidence, 2, sampling, known).graphs
    assert graphs.mean(axis=0) == pytest.approx(edges / total, abs=0.04)
    assert graphs[:, 4, 1].all() and not graphs[:, 0, 2].any()


def chain(n, seed):
    """x -> y -> c, of which x is the target: three networks fit alike."""
    rng = np.random.default_rng(seed)
    x = rng.random(n) < 0.5
    y = rng.random(n) < np.where(x, 0.85, 0.15)
    c = rng.random(n) < np.where(y, 0.85, 0.15)
    values = np.array([y, c], dtype=float)
    return prepare(RawTable("t.csv", ["y", "c"], n, values=values), np.where(x, 1, -1))


@pytest.mark.parametrize(
    "told", [{"not_causes": ["y"]}, {"tiers": [["target"], ["y"], ["c"]]}, {"first": ["target"]}, {"last": ["c"]}]
)
def test_a_chain_comes_out_right_with_one_word(told):
    table = chain(1000, 1)
    y, c = table.names.index("y"), table.names.index("c")
    options = replace(SHORT, with_reliability=False)
    free = shares(draw(table, options))
    assert 0.2 < free[y].child < 0.8
    told = read_knowledge(told, ["y", "c"], "target", None)
    networks = draw(replace(table, knowledge=told), options)
    if "last" in told.as_lists():  # c causes nothing: y causes c, and of y and the target nothing follows
        place = {x: i for i, x in enumerate(networks.chains[0].variables)}
        assert networks.chains[0].graphs[:, place[y], place[c]].mean() > 0.9
    else:
        found = shares(networks)
        assert found[y].child > 0.95 and found[c].descendant > 0.8 and found[y].ancestor == 0


def test_a_known_cause_is_one_in_every_network_even_without_a_trace():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(6, 300))
    y = np.where(values[0] + 0.5 * rng.normal(size=300) > 0, 1, -1)
    raw = RawTable("t.csv", [f"v{k}" for k in range(6)], 300, values=values)
    table = replace(prepare(raw, y), knowledge=Knowledge(causes=(6,), edges=((5, 0),)))
    found = shares(draw(table, SHORT))
    assert found[table.names.index("v5")].ancestor == 1 and found[table.names.index("v4")].parent == 1
    assert table.names.index("v3") not in found or found[table.names.index("v3")].ancestor < 0.5


TRUE = {
    "first": ["Genetics", "Anxiety", "Peer_Pressure", "Allergy", "Born_an_Even_Day"],
    "last": ["Yellow_Fingers", "Car_Accident"],
    "causes": ["Smoking", "Genetics", "Anxiety"],
    "not_causes": ["Coughing", "Fatigue", "Allergy", "Yellow_Fingers", "Attention_Disorder"],
    "edges": [["Smoking", "Yellow_Fingers"], ["Coughing", "Fatigue"]],
}
ROLES = {"Smoking": "parent", "Genetics": "parent", "Coughing": "child", "Fatigue": "child", "Allergy": "spouse"}


def test_roles_of_lucas_get_surer_with_true_knowledge_and_never_certainly_false():
    """Statements are added one after the other in random order; three samples of 600 rows."""
    every = [(key, one) for key, entries in TRUE.items() for one in entries]
    right = np.zeros((3, 4))
    for k in range(3):
        rng = np.random.default_rng(20 + k)
        sample = LUCAS.sample(600, rng)
        raw = RawTable("lucas", list(sample.names), 600, values=np.ascontiguousarray(sample.values.T, dtype=float))
        table = prepare(raw, sample.target)
        order = rng.permutation(len(every))
        for step, size in enumerate((0, 6, 11, 17)):
            told: dict[str, list] = {}
            for i in order[:size]:
                told.setdefault(every[i][0], []).append(every[i][1])
            known = read_knowledge(told, table.file_columns(), table.target_name, None)
            found = shares(draw(replace(table, knowledge=known), SHORT))
            chances = [getattr(found[table.names.index(name)], role) for name, role in ROLES.items()]
            right[k, step] = np.mean(chances)
            assert min(chances) > 0.01
    mean = right.mean(axis=0)
    assert (np.diff(mean) > -0.02).all() and mean[-1] > mean[0] + 0.03


def test_wrong_knowledge_is_obeyed_and_named(tmp_path):
    sample = LUCAS.sample(1000, np.random.default_rng(5))
    raw = RawTable("lucas", list(sample.names), 1000, values=np.ascontiguousarray(sample.values.T, dtype=float))
    table = prepare(raw, sample.target)
    told = {"causes": ["Fatigue"], "first": ["Genetics"]}
    known = read_knowledge(told, table.file_columns(), table.target_name, None)
    table = replace(table, knowledge=known)
    networks = draw(table, replace(SHORT, with_doubts=True))
    assert len(networks.doubts) == 1
    assert networks.doubts[0].startswith("the data speak against what is known: 'Fatigue causes target' holds in ")
    assert shares(networks)[table.names.index("Fatigue")].ancestor == 1
    write_networks(tmp_path / "n.npz", Nodes(table), networks)
    assert read_networks(tmp_path / "n.npz", Nodes(table)).doubts == networks.doubts
    assert draw(table, SHORT).doubts == ()


def test_oriented_graphs_obey_as_the_whole_class_would():
    """Against all DAGs of the class that agree with what is known; 60 random graphs of five nodes."""
    rng = np.random.default_rng(6)
    for _ in range(60):
        dag = np.triu(rng.random((5, 5)) < 0.5, 1)
        edges = np.argwhere(dag)
        if not len(edges):
            continue
        a, b = edges[rng.integers(len(edges))].tolist()
        known = Knowledge(no_edges=((b + 1, a + 1),)).constraints([1, 2, 3, 4, 5])
        members = [g for g in same_class(dag) if not g[b, a]]
        always = np.all(members, axis=0)
        assert (compelled(obey(cpdag(dag), known)) == always).all()


def same_class(dag):
    pairs = np.argwhere(dag).tolist()
    for flips in product([False, True], repeat=len(pairs)):
        graph = from_edges(len(dag), [(b, a) if flip else (a, b) for (a, b), flip in zip(pairs, flips, strict=True)])
        if is_acyclic(graph) and v_structures(graph) == v_structures(dag):
            yield graph


def test_an_edge_found_the_wrong_way_is_turned_and_one_forbidden_both_ways_goes():
    pdag = from_edges(3, [(0, 1), (2, 1)])
    turned = obey(pdag, Knowledge(first=(2,)).constraints([1, 2, 3]))
    assert np.argwhere(turned).tolist() == [[1, 0], [1, 2]]
    gone = obey(pdag, Knowledge(no_edges=((1, 2), (2, 1))).constraints([1, 2, 3]))
    assert np.argwhere(gone).tolist() == [[2, 1]]
    must = obey(pdag, Knowledge(edges=((2, 1), (1, 3))).constraints([1, 2, 3]))
    assert np.argwhere(must).tolist() == [[1, 0], [1, 2]]  # 2 causes 1 and 1 causes 3: so 3 does not cause 2


def test_the_thesiss_orientation_of_a_table_obeys():
    table = chain(800, 7)
    y, c = table.names.index("y"), table.names.index("c")
    edges = ((min(y, 2), max(y, 2)), (min(y, c), max(y, c)))
    region = Region((2, y, c), (0, 1, 2), edges, dict.fromkeys(edges, -50.0), {})
    settings = settings_for(table.kind)
    assert not compelled(orient(table, region, settings)[0].pdag).any()
    told = replace(table, knowledge=Knowledge(not_causes=(int(table.columns[y]),)))
    directed = compelled(orient(told, region, settings)[0].pdag)
    assert np.argwhere(directed).tolist() == [[0, 1], [1, 2]]
