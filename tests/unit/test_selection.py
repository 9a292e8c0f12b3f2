"""Roles from evidence, and each rule of selection on small cases with a known answer."""

import pytest

from himation.confounding.ytest import YTest
from himation.orientation.averaging import EdgeShares
from himation.selection.roles import combine
from himation.selection.rules import Situation, in_order_of_trust, select, theorem_v1_warnings

# the target T has the parents P and Q, the children C and D; S is a spouse through C, R through D, and C causes D
T, P, Q, C, D, S, R = range(7)
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


def situation(kind, manipulated=(), tests=TESTS, edges=EDGES, blanket=BLANKET):
    evidence = combine(T, edges, tests, {})
    return Situation(blanket, evidence, kind, frozenset(manipulated), name_of=lambda x: "TPQCDSR"[x])


def test_roles():
    evidence = situation("none").evidence
    roles = {"TPQCDSR"[x]: item.role for x, item in evidence.items()}
    assert roles == {"P": "parent", "Q": "parent", "C": "child", "D": "child", "S": "spouse", "R": "spouse"}
    assert evidence[P].p_parent == 1 and evidence[C].p_child == 1
    assert evidence[Q].p_parent == pytest.approx(0.875)
    assert evidence[D].p_child == pytest.approx(0.875)
    assert evidence[S].p_spouse == 1 and evidence[R].p_spouse == pytest.approx(evidence[D].p_child * 0.875)
    assert (evidence[C].child_tests, evidence[C].child_p_score) == (1, 0.6)


def test_an_edge_with_colliders_at_both_ends_is_confounded():
    edges = [EdgeShares(P, T, 0.5, 0.5, 0.0)]
    assert combine(T, edges, [], {(P, T): 2, (T, P): 1})[P].role == "confounded"
    assert combine(T, edges, [], {(P, T): 2})[P].role == "undirected"


def test_nothing_manipulated_is_the_natural_blanket():
    for rule in ("natural", "thesis", "parents", "averaged"):
        assert select(rule, situation("none")).chosen == BLANKET


@pytest.mark.parametrize(
    "manipulated, kept",
    [
        ((), {P, Q, C, D, S, R}),
        ((C,), {P, Q, D, R}),
        ((D,), {P, Q, C, S}),
        ((C, D), {P, Q}),
        ((P, S), {P, Q, C, D, S, R}),
        ((P, Q, C, D, S, R), {P, Q}),
    ],
)
def test_a_known_list_cuts_manipulated_children_and_their_own_spouses(manipulated, kept):
    case = situation("known", manipulated)
    assert set(select("averaged", case).chosen) == kept
    assert set(select("thesis", case).chosen) >= kept & {P, C, S} - set()


def test_a_spouse_of_two_children_goes_with_both_only():
    edges = [*EDGES, EdgeShares(S, D, 1.0, 0.0, 0.0)]
    assert S in select("averaged", situation("known", [C], edges=edges)).chosen
    assert S not in select("averaged", situation("known", [C, D], edges=edges)).chosen


def test_unknown_manipulations_leave_the_parents():
    assert select("averaged", situation("unknown")).chosen == (P, Q)
    assert select("parents", situation("known", [C])).chosen == (P, Q)


def test_the_thesis_rule_step_by_step():
    case = situation("unknown")
    chosen = select("thesis", case)
    assert chosen.chosen == (P, Q)  # P is a parent in every PDAG; Q is undecided and never seen as a child
    assert "p-score 0.60" in chosen.reasons[C] and "1 Y-tests as child: cut" in chosen.reasons[D]
    loose = Situation(**{**case.__dict__, "most_child_tests": 1})
    assert select("thesis", loose).chosen == (P, Q, D)
    strict = Situation(**{**case.__dict__, "child_p_score": 0.2, "most_child_tests": 1})
    assert select("thesis", strict).chosen == (P, Q)
    assert set(select("thesis", situation("known", [C])).chosen) == {P, Q, D, R}


def test_an_empty_answer_becomes_the_natural_blanket_with_a_warning():
    case = situation("unknown", edges=EDGES[2:], blanket=(C, D, S, R))
    found = select("averaged", case)
    assert found.chosen == (C, D, S, R) and "natural blanket is used instead" in found.warnings[0]


def test_every_member_of_the_blanket_has_a_reason():
    for rule in ("natural", "thesis", "parents", "averaged"):
        for kind in ("none", "known", "unknown"):
            assert set(select(rule, situation(kind, [C])).reasons) == set(BLANKET)


def test_theorem_v1_is_named():
    case = situation("known", [C])
    chosen = select("averaged", case).chosen
    assert theorem_v1_warnings(case, chosen, EDGES, T) == (
        "theorem V.1 does not hold: C is a manipulated child of the target and its descendant D is among the selected "
        "variables",
    )
    case = situation("known", [D])
    assert theorem_v1_warnings(case, select("averaged", case).chosen, EDGES, T) == ()


def test_parents_are_trusted_first_under_manipulation():
    case = situation("known", [D])
    assert in_order_of_trust(select("averaged", case), case) == (P, Q, C, S)
    assert in_order_of_trust(select("averaged", situation("none")), situation("none")) == BLANKET
