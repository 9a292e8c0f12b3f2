"""Expected AUCs under manipulation: worlds, elimination, the rule, and what test inputs tell."""

import networkx as nx
import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from himation.errors import UserError
from himation.orientation.averaging import EdgeShares
from himation.orientation.pdags import cpdag
from himation.selection.ancestry import Ancestry
from himation.selection.expected import Worlds, _aucs, _Moments, below_target, eliminate, order_of_trust
from himation.selection.expected_rule import Graphs, candidates, select_expected
from himation.selection.roles import Evidence
from himation.selection.rules import Situation
from himation.selection.test_inputs import chances, may_be_below
from himation.selection.worlds import Drawn, draw_graphs, manipulated_world, random_extension, with_doubt
from himation.simulate.random_network import STYLES, make_random_network
from himation.simulate.random_problem import KINDS, make_random_problem

P, C, D, S, T = range(5)  # a parent, a child, its own child, a spouse, and the target
TRUE = np.zeros((5, 5), dtype=bool)
for cause, effect in ((P, T), (T, C), (S, C), (C, D)):
    TRUE[cause, effect] = True


def draw(n, rng, manipulated=()):
    """The small network P -> T -> C <- S, C -> D, by number."""
    columns = {P: rng.standard_normal(n), S: rng.standard_normal(n)}
    y = np.where(columns[P] + 0.7 * rng.standard_normal(n) > 0.3, 1, -1)
    columns[C] = rng.standard_normal(n) * 2 if C in manipulated else 1.2 * y + columns[S] + rng.standard_normal(n)
    columns[D] = columns[C] + 0.3 * rng.standard_normal(n)
    return columns, y


def test_random_extension_stays_in_the_class():
    rng = np.random.default_rng(3)
    for _ in range(50):
        dag = np.triu(rng.random((7, 7)) < 0.35, 1)
        pdag = cpdag(dag)
        drawn = random_extension(pdag, rng)
        assert nx.is_directed_acyclic_graph(nx.from_numpy_array(drawn, create_using=nx.DiGraph))
        np.testing.assert_array_equal(cpdag(drawn), pdag)


def test_both_directions_are_drawn():
    pair = np.array([[False, True], [True, False]])
    ways = {bool(random_extension(pair, np.random.default_rng(seed))[0, 1]) for seed in range(20)}
    assert ways == {True, False}


def test_descendants_equal_networkx():
    rng = np.random.default_rng(5)
    for _ in range(30):
        dag = np.triu(rng.random((8, 8)) < 0.3, 1)
        order = rng.permutation(8)
        dag = dag[np.ix_(order, order)]
        found = draw_graphs(tuple(range(8)), [dag], 4, 1, 1)[0]
        graph = nx.from_numpy_array(dag, create_using=nx.DiGraph)
        assert set(found.descendants) == nx.descendants(graph, 4)
        place = {x: i for i, x in enumerate(found.descendants)}
        assert all(place[a] < place[b] for a, b in graph.edges if a in place and b in place)


def test_manipulated_world_equals_the_true_one():
    """Changed examples have the correlations of examples that are really drawn under the manipulation."""
    rng = np.random.default_rng(7)
    columns, y = draw(4000, rng)
    graph = draw_graphs(tuple(range(5)), [TRUE], T, 1, 1)[0]
    moved = manipulated_world(columns, y, graph, T, lambda x: x == C, lambda: rng.permutation(4000))
    assert set(moved) == {C, D}
    changed = {x: columns[x] + moved.get(x, 0) for x in columns}
    true, labels = draw(4000, rng, manipulated=(C,))
    for x in (P, C, D):
        ours, theirs = np.corrcoef(changed[x], y)[0, 1], np.corrcoef(true[x], labels)[0, 1]
        assert ours == pytest.approx(theirs, abs=0.06)
    assert np.corrcoef(changed[C], changed[D])[0, 1] == pytest.approx(np.corrcoef(true[C], true[D])[0, 1], abs=0.05)


def test_doubt_puts_each_variable_below_the_target_with_its_chance():
    """C is there in three graphs of four, D in all, P and S in none."""
    graphs = ([Drawn({}, (C, D))] * 3 + [Drawn({}, (D,))]) * 100
    shares = below_target(graphs, (P, C, D, S))
    assert shares == {P: 0, C: 0.75, D: 1, S: 0}
    wanted = {P: 0.1, C: 0.9, D: 0.6, S: 0.0}
    drawn = with_doubt(graphs, wanted, seed=1)
    assert below_target(drawn, (P, C, D, S)) == pytest.approx(wanted)
    kept, lifted = (
        [C in old.descendants and x in new.descendants for old, new in zip(graphs, drawn, strict=True)] for x in (C, D)
    )
    assert sum(kept) == 300 and sum(lifted) == pytest.approx(180, abs=30)  # D goes whether C is there or not
    assert [graph.descendants for graph in with_doubt(graphs, shares, 1)] == [graph.descendants for graph in graphs]


def test_aucs_equal_scikit_learn():
    rng = np.random.default_rng(2)
    values = rng.integers(0, 6, (4, 80)).astype(float)
    positive = rng.random(80) < 0.3
    expected = [roc_auc_score(positive, row) for row in values]
    np.testing.assert_allclose(_aucs(values, positive), expected, atol=1e-12)


def worlds(manipulated, n=600, draws=12):
    columns, y = draw(n, np.random.default_rng(11))
    graphs = draw_graphs(tuple(range(5)), [TRUE], T, draws, 1)
    return Worlds(columns, y, T, (P, C, D, S), graphs, lambda x: float(x in manipulated))


def test_expectation_is_what_a_real_test_gives():
    """The expected AUC of a set is close to the AUC of the same machine on examples drawn under the manipulation."""
    scorer = worlds({C})
    rng = np.random.default_rng(12)
    train, y = draw(600, np.random.default_rng(11))
    test, labels = draw(6000, rng, manipulated=(C,))
    for members in ((P,), (P, C), (P, C, S), (C, S)):
        X, Z = (np.column_stack([part[x] for x in members]) for part in (train, test))
        weights = np.linalg.lstsq(np.column_stack([np.ones(600), X]), y, rcond=None)[0][1:]
        assert scorer.expect(members).auc == pytest.approx(roc_auc_score(labels > 0, Z @ weights), abs=0.04)


def test_nothing_manipulated_is_nature():
    found = worlds(set()).expect((P, C, S))
    assert found.auc == pytest.approx(found.natural) and found.standard_error == pytest.approx(0, abs=1e-12)


def test_elimination_drops_the_manipulated_child():
    scorer = worlds({C})
    path = eliminate(scorer, (P, C, D, S))
    assert [len(step.members) for step in path] == [4, 3, 2, 1]
    assert path[-1].members == (P,)
    assert scorer.moved == {P: 0, C: pytest.approx(1), D: pytest.approx(1), S: 0}
    assert order_of_trust(path)[0] == P and set(order_of_trust(path)) == {P, C, D, S}
    kept = max(path, key=lambda step: step.auc).members
    assert P in kept and C not in kept


def test_moments_give_nearly_the_ranked_auc():
    """The AUC of normal scores, by which variables go, is close to the exact one of the same sets."""
    scorer = worlds({C}, n=2000)
    members = (P, C, D, S)
    for x, area in _Moments(scorer).without_each(members).items():
        assert area == pytest.approx(scorer.expect([y for y in members if y != x]).auc, abs=0.015)


def test_an_unknown_manipulation_brings_in_possible_ancestors():
    case = situation("unknown")
    ancestry = Ancestry({P: 0.9, D: 0.4, S: 0.1}, {P: 0.5, D: 0.4, S: 0.0}, {}, 4, 500)
    assert candidates(case, ancestry) == [P, C, S, D]
    assert candidates(situation("known", (C,)), ancestry) == [P, C, S]


def situation(kind, manipulated=()):
    evidence = {
        P: Evidence(P, neighbour=True, forward=1.0, p_parent=1.0, role="parent"),
        C: Evidence(C, neighbour=True, backward=1.0, p_child=1.0, role="child"),
        S: Evidence(S, spouse_through={C: 1.0}, p_spouse=1.0, role="spouse"),
        D: Evidence(D),
    }
    return Situation((P, C), evidence, kind, frozenset(manipulated))


@pytest.mark.parametrize(
    ("kind", "manipulated", "kept"),
    [("none", (), {P, C, S}), ("known", (P,), {P, C, S}), ("known", (C,), {P}), ("unknown", (), {P})],
)
def test_rule(kind, manipulated, kept):
    columns, y = draw(600, np.random.default_rng(11))
    case = situation(kind, manipulated)
    assert candidates(case) == [P, C, S]

    def chance(x):
        return 1.0 if kind == "unknown" else float(x in manipulated)

    choice = select_expected(case, columns, y, Graphs(tuple(range(5)), [TRUE], T), chance)
    assert set(choice.selection.chosen) == kept
    assert set(choice.selection.reasons) == {P, C, S}
    assert choice.rivals[choice.winner].auc >= max(item.auc for item in choice.rivals.values()) - 1e-3
    if kind != "none":
        assert choice.no_cause[C] > 0.75 and choice.no_cause[P] < 0.1
        assert set(choice.rivals) == {"expected", "natural", "parents", "thesis", "averaged"}


def test_the_rule_hedges_where_two_may_be_the_cause():
    """Two neighbours that the graphs direct either way; the stronger one is the less likely cause."""
    rng = np.random.default_rng(3)
    y = np.where(rng.random(500) < 0.5, 1, -1)
    columns = {x: strength * y + rng.standard_normal(500) for x, strength in ((P, 0.7), (C, 1.5))}
    evidence = {x: Evidence(x, neighbour=True, forward=0.5, backward=0.5, p_child=0.5) for x in (P, C)}
    pdags = [np.zeros((3, 3), dtype=bool) for _ in range(2)]
    pdags[0][0, 2] = pdags[0][2, 1] = pdags[1][1, 2] = pdags[1][2, 0] = True
    case = Situation((P, C), evidence, "unknown", frozenset())
    ancestry = Ancestry({P: 0.5, C: 0.2}, {P: 0.5, C: 0.5}, {}, 2, 500)
    graphs = Graphs((P, C, T), pdags, T)
    alone, divided = (
        select_expected(case, columns, y, graphs, lambda x: 1.0, ancestry=ancestry, hedged=hedged)
        for hedged in (False, True)
    )
    assert not alone.panels and set(divided.selection.chosen) == {P, C} and divided.winner == "hedged"
    assert divided.rivals["hedged"].auc > max(item.auc for item in alone.rivals.values())
    worlds = sum(divided.panels.values())
    for x in (P, C):
        share = sum(count for panel, count in divided.panels.items() if x in panel) / worlds
        assert f"kept by {share:.0%} of the machines" in divided.selection.reasons[x]


def test_answer_does_not_move_with_the_numbering():
    """The same problem under other node numbers gives the same variables."""
    columns, y = draw(500, np.random.default_rng(13))
    relabel = {P: 3, C: 0, D: 2, S: 1, T: 4}
    other = {relabel[x]: column for x, column in columns.items()}
    graph = np.zeros_like(TRUE)
    for a, b in np.argwhere(TRUE):
        graph[relabel[a], relabel[b]] = True
    first = eliminate(worlds_of(columns, y, TRUE, (P, C, D, S)), (P, C, D, S))
    members = tuple(relabel[x] for x in (P, C, D, S))
    second = eliminate(worlds_of(other, y, graph, members), members)
    best = [max(path, key=lambda step: step.auc).members for path in (first, second)]
    assert {relabel[x] for x in best[0]} == set(best[1])


def worlds_of(columns, y, dag, members):
    graphs = draw_graphs(tuple(range(5)), [dag], T, 20, 1)
    return Worlds(columns, y, T, members, graphs, lambda x: 1.0)


def test_test_inputs_show_what_was_manipulated():
    rng = np.random.default_rng(21)
    names = (P, C, D, S)
    train, _ = draw(800, rng)
    edges = [EdgeShares(P, T, 1, 0, 0), EdgeShares(T, C, 1, 0, 0), EdgeShares(S, C, 1, 0, 0), EdgeShares(C, D, 1, 0, 0)]
    below = may_be_below(names, edges)
    assert below[1, 2] and not below[2, 1] and below[3, 2]
    for manipulated in ((), (C,)):
        test, _ = draw(3000, rng, manipulated)
        tables = [np.column_stack([part[x] for x in names]) for part in (train, test)]
        assert chances(*tables, below)[1] == float(C in manipulated)
        assert chances(*tables, below)[2] == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_random_problem(kind):
    problem = make_random_problem(4, kind, 60)
    natural, _, _ = check_problem(problem, make_random_problem(4, kind, 60), "X", 0.2)
    if kind == "noisy":
        calibrants = np.array(problem.calibrants) - 1
        assert problem.train(50).values[:, calibrants].std() > 1 and natural.values[:, calibrants].std() < 0.1
    if kind == "binary":
        assert set(np.unique(natural.values)) == {0, 1}


@pytest.mark.parametrize("style", STYLES)
def test_random_network(style):
    problem = make_random_network(4, style, 60)
    natural, manipulated, graph = check_problem(problem, make_random_network(4, style, 60), "V", 0.15)
    touched = {problem.names.index(name) + 1 for name in problem.version(2)}
    touched |= {x for start in touched & set(graph) for x in nx.descendants(graph, start)}
    alone = [x - 1 for x in range(1, 61) if x not in touched]
    one, two = natural.values[:, alone], manipulated.values[:, alone]
    assert alone and np.all(np.abs(one.mean(axis=0) - two.mean(axis=0)) < 5 * np.sqrt((one.var(0) + two.var(0)) / 3000))
    with pytest.raises(UserError, match="style of a random network"):
        make_random_network(1, "wild")


def check_problem(problem, again, letter, least):
    """Repeatable, acyclic, roles as in the graph; a strong effect (at least so correlated) is silenced in version 2."""
    natural, manipulated = problem.test(0, 3000), problem.test(2, 3000)
    np.testing.assert_array_equal(natural.values, again.test(0, 3000).values)
    graph = nx.DiGraph(problem.numbered_edges)
    assert nx.is_directed_acyclic_graph(graph)
    assert {f"{letter}{x}" for x in graph.predecessors(0)} == set(problem.causes)
    assert {f"{letter}{x}" for x in graph.successors(0)} == set(problem.effects)
    assert set(problem.effects) <= set(problem.version(2)) and problem.version(0) == ()
    strong = max(problem.effects, key=lambda name: abs(correlation(natural, name)))
    assert abs(correlation(natural, strong)) > least and abs(correlation(manipulated, strong)) < 0.1
    return natural, manipulated, graph


def correlation(sample, name):
    return np.corrcoef(sample.values[:, sample.names.index(name)], sample.target)[0, 1]
