"""The thesis's evidence, roles by networks, and each rule of selection on small cases with a known answer."""

from dataclasses import replace

import numpy as np
import pytest

from himation.confounding.ytest import YTest
from himation.orientation.averaging import EdgeShares
from himation.posterior.averages import Shares
from himation.posterior.manipulation import Chance, Inferred
from himation.posterior.networks import Chain, Networks
from himation.posterior.target import Reliability
from himation.selection.evidence import Evidence, combine
from himation.selection.rule_names import RULES, Settings
from himation.selection.rules import Situation, _reason, role_of, select, theorem_v1_warnings

# the target T has the parents P and Q, the children C and D; S is a spouse through C, R through D, and C causes D
P, Q, C, D, S, R, T = range(7)
NAMES = "PQCDSRT"
ARROWS = ((P, T), (Q, T), (T, C), (T, D), (S, C), (R, D), (C, D))
EDGES = [
    EdgeShares(P, T, 1.0, 0.0, 0.0),
    EdgeShares(T, Q, 0.0, 0.75, 0.25),
    EdgeShares(T, C, 1.0, 0.0, 0.0),
    EdgeShares(T, D, 0.75, 0.0, 0.25),
    EdgeShares(S, C, 1.0, 0.0, 0.0),
    EdgeShares(R, D, 0.75, 0.0, 0.25),
    EdgeShares(C, D, 1.0, 0.0, 0.0),
]
TESTS = [YTest(P, Q, T, C, 0.6), YTest(P, Q, T, D, 0.3)]
BLANKET = (C, P, D, Q, S, R)


def graph(arrows, size=7):
    found = np.zeros((size, size), dtype=bool)
    for cause, effect in arrows:
        found[cause, effect] = True
    return found


def networks(*drawn):
    """One chain of these graphs."""
    graphs = np.array([graph(arrows) for arrows in drawn])
    return Networks((Chain(tuple(range(6)), graphs, np.zeros(len(graphs))),), Reliability())


SURE = networks(ARROWS)
NOTHING = Networks((), Reliability())


def situation(kind, manipulated=(), drawn=SURE, edges=EDGES, **changes):
    evidence = combine(T, edges, TESTS, {})
    made = Situation(BLANKET, evidence, drawn, kind, frozenset(manipulated), name_of=NAMES.__getitem__)
    return replace(made, **changes)


def set_to(case, **settings):
    return replace(case, settings=replace(case.settings, **settings))


def test_evidence_counts_edges_tests_and_spouses():
    evidence = situation("none").evidence
    assert {NAMES[x] for x, item in evidence.items() if item.neighbour} == set("PQCD")
    assert (evidence[Q].forward, evidence[Q].undirected) == (0.75, 0.25)
    assert (evidence[C].child_tests, evidence[C].child_p_score) == (1, 0.6)
    assert evidence[S].spouse_through == {C: 1.0} and evidence[R].spouse_through == {D: 0.875}
    assert combine(T, EDGES, [], {(P, T): 2, (T, P): 1})[P].may_be_confounded
    assert not combine(T, EDGES, [], {(P, T): 2})[P].may_be_confounded


@pytest.mark.parametrize(
    "share, role",
    [
        (Shares(parent=0.5, child=0.5), "parent"),
        (Shares(parent=0.2, child=0.6), "child"),
        (Shares(spouse=0.7, child=0.3), "spouse"),
        (Shares(parent=0.3, child=0.3), "undirected"),
        (Shares(parent=0.2, child=0.2), "none"),
    ],
)
def test_a_role_is_that_of_most_networks(share, role):
    assert role_of(share, Evidence(P)) == role
    confounded = Evidence(P, arrow_at_target=1, arrow_at_variable=1)
    assert role_of(share, confounded) == ("confounded" if role == "undirected" else role)


def test_nothing_manipulated_is_the_natural_blanket():
    for rule in RULES:
        assert select(rule, situation("none")).chosen == BLANKET


def test_neighbours_in_most_networks_join_the_natural_blanket():
    found = select("posterior", situation("none", blanket=(P, C)))
    assert found.chosen == (P, C, Q, D) and "in all networks: joins" in found.reasons[Q]
    drawn = networks(ARROWS, ARROWS[:1], ARROWS[:1])
    assert select("posterior", situation("none", drawn=drawn, blanket=(P, C))).chosen == (P, C)


@pytest.mark.parametrize(
    "manipulated, kept",
    [
        ((), {P, Q, C, D, S, R}),
        ((C,), {P, Q}),  # D goes with it: C acts on D, and a machine would read them together
        ((D,), {P, Q, C, S}),
        ((C, D), {P, Q}),
        ((P, S), {P, Q, C, D, S, R}),
        ((P, Q, C, D, S, R), {P, Q}),
    ],
)
def test_a_known_list_leaves_the_blanket_of_the_manipulated_network(manipulated, kept):
    found = select("posterior", situation("known", manipulated))
    assert set(found.chosen) == kept
    assert all(found.inclusion[x] == 1 for x in kept) and not found.panels


def test_machines_divide_the_variables_as_networks_do():
    """In three of four networks C is a child; the fourth has it as a parent."""
    turned = ((C, T), (P, T), (Q, T))
    case = situation("known", [C, D], networks(ARROWS, ARROWS, ARROWS, turned), settings=Settings(least_share=0.2))
    found = select("posterior", case)
    assert found.panels == {(P, Q): 3, (P, Q, C): 1}
    assert found.chosen == (P, Q, C) and found.inclusion == {P: 1.0, Q: 1.0, C: 0.25}
    helps = "after that it helps to predict in 25% of the networks: kept"
    assert found.reasons[C] == f"an effect in 75% of the networks; on the list of manipulated variables; {helps}"
    assert "; not on the list of" in found.reasons[P] and "helps to predict in all networks: kept" in found.reasons[P]
    assert found.reasons[D].endswith("left out")
    assert select("posterior", set_to(case, least_share=0.3)).chosen == (P, Q)
    one = select("posterior", set_to(case, one_machine=True))
    assert one.chosen == (P, Q) and not one.panels


def test_reasons_say_what_became_of_a_variable_in_the_test_table():
    told = Inferred({P: Chance(0.98, 0.02), C: Chance(0.1, 0.2), S: Chance(0.1, 0.7)}, (0.0, 1.0, 0.0), 1.0)
    case, where = situation("unknown", inferred=told), "in the test table"
    after = "after that it helps to predict in"
    known = f"a cause in all networks; set by somebody {where} (probability 0.98); {after} nearly all networks: kept"
    assert _reason(case, P, {P: 0.999}, True) == known
    unchanged = f"an effect in all networks; not changed {where} (probability 0.70); {after} no network: left out"
    assert _reason(case, C, {}, False) == unchanged
    shifted = f"a cause of an effect in all networks; shifted {where} (probability 0.70); {after} 50% of the networks"
    assert _reason(case, S, {S: 0.5}, True) == f"{shifted}: kept"


def test_unknown_manipulations_leave_the_parents():
    drawn = networks(ARROWS, ((Q, T), (T, C)))
    found = select("posterior", situation("unknown", drawn=drawn))
    assert found.chosen == (Q, P) and found.panels == {(P, Q): 1, (Q,): 1}
    assert found.reasons[P] == "a cause of the target in 50% of the networks: kept"
    assert select("parents", situation("known", [C])).chosen == (P, Q)


def test_a_member_of_the_blanket_that_no_network_holds_stays_unless_it_is_manipulated():
    case = situation("known", [C], NOTHING)
    assert select("posterior", case).chosen == (P, D, Q, S, R)
    drawn = replace(SURE, chains=(replace(SURE.chains[0], variables=(P, Q, C, D, S, 9)),))  # R is in no network
    assert R in select("posterior", situation("known", [D], drawn)).chosen
    assert R not in select("posterior", situation("known", [R], drawn)).chosen


def test_the_thesis_rule_step_by_step():
    case = situation("unknown")
    chosen = select("thesis", case)
    assert chosen.chosen == (P, Q)  # P is a parent in every PDAG; Q is undecided and never seen as a child
    assert "p-score 0.60" in chosen.reasons[C] and "1 Y-tests as child: cut" in chosen.reasons[D]
    assert select("thesis", set_to(case, most_child_tests=1)).chosen == (P, Q, D)
    assert select("thesis", set_to(case, child_p_score=0.2, most_child_tests=1)).chosen == (P, Q)
    assert set(select("thesis", situation("known", [C])).chosen) == {P, Q, D, R}


@pytest.mark.parametrize("rule", ["posterior", "parents"])
def test_an_empty_answer_becomes_the_natural_blanket_with_a_warning(rule):
    found = select(rule, situation("unknown", drawn=NOTHING))
    assert found.chosen == BLANKET and "natural blanket is used instead" in found.warnings[0]


def test_every_member_of_the_blanket_has_a_reason():
    for rule in RULES:
        for kind in ("none", "known", "unknown"):
            assert set(select(rule, situation(kind, [C])).reasons) == set(BLANKET)


def test_theorem_v1_is_named():
    case = situation("known", [C])
    assert theorem_v1_warnings(case, select("posterior", case).chosen) == ()
    assert theorem_v1_warnings(case, select("natural", case).chosen) == (
        "theorem V.1 does not hold: C is a manipulated child of the target and its descendant D is among the selected "
        "variables",
    )
    case = situation("known", [D])
    assert theorem_v1_warnings(case, select("posterior", case).chosen) == ()
