"""The report's sentences: the verdict on a data set, and why its set of variables was preferred."""

from dataclasses import replace

from himation.report import words
from himation.report.values import DataSet, Measured, Rival, Variable


def lucas(manipulation="none", selected=(), manipulated=(), **other):
    """LUCAS as the page sees it."""
    known = {"Smoking": "parent", "Genetics": "parent", "Coughing": "child", "Fatigue": "child", "Allergy": "spouse"}
    probability = {"parent": "p_parent", "child": "p_child", "spouse": "p_spouse"}
    variables = tuple(
        Variable(
            name,
            i,
            role,
            in_blanket=True,
            selected=name in selected,
            manipulated=name in manipulated,
            **{probability[role]: 0.95},
        )
        for i, (name, role) in enumerate(known.items(), start=1)
    )
    return DataSet(
        id="lucas", target="Lung_cancer", facts=(), n_variables=11, variables=variables, unlisted=6,
        manipulation=manipulation, n_manipulated=len(manipulated), blanket_size=5,
        **{"rule": "averaged", "fallback": False, "expected": Measured("out-of-bag values", 0.894, 0.01), **other},
    )  # fmt: skip


ALL = ("Smoking", "Genetics", "Coughing", "Fatigue", "Allergy")


def test_verdict_without_manipulation():
    first, second = words.verdict(lucas(selected=ALL))
    assert first == (
        "5 of 11 variables are selected: 2 parents (Smoking and Genetics), 2 children (Coughing and Fatigue) and "
        "1 spouse (Allergy); nothing was manipulated, so the natural blanket of 5 serves whole."
    )
    assert second.replace("\u00a0", " ") == (
        "The expected AUC is 0.894 ± 0.010 by out-of-bag values, with no test target to check it against; "
        "the roles are sure, with a probability of 0.95 or more."
    )


def test_verdict_of_a_known_manipulation():
    chosen = ("Smoking", "Genetics", "Coughing", "Allergy")
    references = (Measured("true parents", 0.86), Measured("true blanket", 0.919), Measured("all variables", 1.0))
    achieved = Measured("", 0.918, 0.004)
    data = lucas("known", chosen, ("Smoking", "Fatigue"), achieved=achieved, references=references)
    first, second = words.verdict(data)
    assert (
        "2 variables were manipulated, which takes Fatigue out of the natural blanket of 5 but leaves Smoking" in first
    )
    assert "a cause acts" in first
    assert "and 0.918\u00a0±\u00a00.004 was achieved on the test table (0.919 by the best model that" in second


def test_verdict_of_an_unknown_manipulation():
    first, _ = words.verdict(lucas("unknown", ("Smoking",)))
    assert first.startswith("1 of 11 variables is selected: 1 parent (Smoking); what was manipulated is unknown")
    assert "only likely parents stay and 4 of the natural blanket of 5 are left out" in first


def test_verdict_names_few_of_many():
    many = tuple(Variable(f"v{i}", i, "child", p_child=1.0, selected=True, in_blanket=True) for i in range(40))
    first, _ = words.verdict(replace(lucas(), variables=many, blanket_size=40))
    assert "40 children (v0, v1 and 38 more)" in first


def test_verdict_says_when_nothing_passed_the_rule():
    first, _ = words.verdict(lucas("unknown", ALL, fallback=True))
    assert "no variable passed the rule" in first and "only likely parents" not in first


def test_verdict_when_the_manipulation_takes_nothing():
    first, _ = words.verdict(lucas("known", ALL, ("Fatigue",)))
    assert "1 variable was manipulated, which takes nothing out of the natural blanket of 5 but leaves Fatigue" in first
    assert "a cause acts" not in first


def test_certainty_counts_what_is_open():
    sure = Variable("a", 1, "parent", p_parent=0.999)
    weak = Variable("b", 2, "child", p_child=0.666)
    undecided = Variable("c", 3, "undirected", p_parent=0.5, p_child=0.5)
    assert words.certainty([sure]) == "the roles are sure, with a probability of 0.99 or more"
    assert words.certainty([sure, weak]) == "the least sure of the roles has a probability of 0.66"
    assert words.certainty([undecided]) == "the roles are undecided"
    assert words.certainty([sure, undecided]) == (
        "1 of the 2 roles is undecided, the rest has a probability of 0.99 or more"
    )
    assert words.certainty([]) == "there are no roles to be sure of"
    assert words.sure_roles([sure, weak, undecided]) == 1


def test_verdict_by_expected_auc():
    under = Measured("under the manipulation", 0.771, 0.007)
    data = lucas("unknown", ("Smoking", "Genetics", "Fatigue"), rule="expected", under=under)
    first, second = words.verdict(data)
    assert "what was manipulated is unknown, so Coughing and Allergy of the natural blanket of 5 are left out" in first
    plain = second.replace("\u00a0", " ")
    assert plain.startswith(
        "The expected AUC is 0.771 under the manipulation, by a linear machine in simulated worlds (the model's own"
    )
    first, _ = words.verdict(lucas("known", ALL, ("Fatigue",), rule="expected"))
    assert (
        "1 variable was manipulated, and every variable of the natural blanket of 5 is still expected to help" in first
    )


def test_verdict_names_what_the_graphs_add():
    found = Variable("Car", 9, "child", p_child=0.9, selected=True)
    data = lucas(selected=ALL)
    first, _ = words.verdict(replace(data, variables=(*data.variables, found)))
    assert "serves whole, and Car joins it by the oriented graphs" in first


def rivals(*known):
    """The first is the one in use."""
    return tuple(
        Rival(label, 3, Measured(label, value, 0.004), 0.9, used=i == 0) for i, (label, value) in enumerate(known)
    )


def test_why_says_who_came_next():
    def why(*known, rule="expected"):
        return words.why(lucas("known", ALL, rule=rule, rivals=rivals(*known)))

    assert why() == ""
    assert "no choice to make" in why(("expected", 0.9))
    assert why(("expected", 0.9), ("natural", 0.8)).endswith("the highest; the next, 'natural', has 0.800.")
    assert "'thesis' has 0.901, which is too little more to count" in why(("expected", 0.9), ("thesis", 0.901))
    assert why(("expected", 0.9), ("a", 0.9), ("b", 0.9001)).endswith("None has more; 'a' and 'b' are even with it.")
    assert "asks for the rule 'thesis'" in why(("thesis", 0.8), ("expected", 0.9), rule="thesis")
    assert "('expected' would have 0.900)" in why(("thesis", 0.8), ("expected", 0.9), rule="thesis")
