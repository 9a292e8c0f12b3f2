"""The report's sentences: the verdict on a data set, and why its set of variables was preferred."""

from dataclasses import replace

from himation.report import words
from himation.report.values import DataSet, Measured, Networks, Rival, Variable


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
        **{"rule": "posterior", "fallback": False, "expected": Measured("out-of-bag values", 0.894, 0.01), **other},
    )  # fmt: skip


ALL = ("Smoking", "Genetics", "Coughing", "Fatigue", "Allergy")


def test_verdict_without_manipulation():
    first, second = words.verdict(lucas(selected=ALL))
    assert first == (
        "5 of 11 variables are selected: 2 parents (Smoking and Genetics), 2 children (Coughing and Fatigue) and "
        "1 spouse (Allergy); nothing was manipulated; the natural blanket of 5 stays whole."
    )
    assert second.replace("\u00a0", " ") == (
        "The expected AUC is 0.894 ± 0.010 by out-of-bag values, with no test target to check it against; "
        "the roles are sure, with a probability of 0.95 or more."
    )


def test_verdict_of_a_known_manipulation():
    chosen = ("Smoking", "Genetics", "Coughing", "Allergy")
    best = Measured("true natural blanket", 0.919)
    references = (Measured("true parents", 0.86), best, Measured("all variables", 1.0))
    achieved = Measured("", 0.918, 0.004)
    data = lucas("known", chosen, ("Smoking", "Fatigue"), achieved=achieved, references=references)
    first, second = words.verdict(data)
    assert "2 variables were manipulated, so these lose their causes in each sampled network" in first
    assert "of the natural blanket of 5, Fatigue is left out; Smoking stays though manipulated, for a cause" in first
    assert "and 0.918\u00a0±\u00a00.004 was achieved on the test table (0.919 by the best model that" in second


def test_verdict_of_an_unknown_manipulation():
    first, _ = words.verdict(lucas("unknown", ("Smoking",)))
    assert first.startswith("1 of 11 variables is selected: 1 parent (Smoking); what was manipulated is unknown")
    assert "so the worst is assumed and the parents in each sampled network count, averaged; of the natural" in first
    assert "Genetics, Coughing, Fatigue and Allergy are left out." in first
    assert (
        "so only parents and undecided neighbours stay"
        in words.verdict(lucas("unknown", ("Smoking",), rule="thesis"))[0]
    )


def test_verdict_names_few_of_many():
    many = tuple(Variable(f"v{i}", i, "child", p_child=1.0, selected=True, in_blanket=True) for i in range(40))
    first, _ = words.verdict(replace(lucas(), variables=many, blanket_size=40))
    assert "40 children (v0, v1 and 38 more)" in first


def test_verdict_says_when_nothing_passed_the_rule():
    first, _ = words.verdict(lucas("unknown", ALL, fallback=True))
    assert "no variable passed the rule" in first and "sampled network" not in first


def test_verdict_when_the_manipulation_takes_nothing():
    first, _ = words.verdict(lucas("known", ALL, ("Fatigue",)))
    assert "1 variable was manipulated, so" in first and "the natural blanket of 5 stays whole." in first
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


def test_expected_auc_is_that_under_the_manipulation():
    under = Measured("under the manipulation", 0.771, 0.007)
    _, second = words.verdict(lucas("unknown", ("Smoking", "Genetics"), under=under))
    assert second.replace("\u00a0", " ").startswith("The expected AUC is 0.771 ± 0.007 under the manipulation (")


def test_verdict_names_what_few_networks_use():
    data = lucas("known", ALL, ("Fatigue",))
    some = tuple(replace(v, inclusion=0.12 if v.name == "Fatigue" else 0.5) for v in data.variables)
    assert "stays whole; most sampled networks do without Fatigue." in words.verdict(replace(data, variables=some))[0]


def test_verdict_names_what_the_networks_add():
    found = Variable("Car", 9, "child", p_child=0.9, selected=True)
    data = lucas(selected=ALL)
    data = replace(data, variables=(*data.variables, found))
    first, _ = words.verdict(data)
    assert "the natural blanket of 5 stays whole and Car joins it." in first
    first, _ = words.verdict(replace(data, networks=Networks(16, 3200, 90, True, 0.03, (), 1.0, exact=1.0)))
    assert "Car joins it since that predicts best in nature." in first


def test_where_the_interval_includes_chance_that_is_said_first_and_roles_are_guesses():
    said = words.verdict(lucas(lucky=True, expected=Measured("rows held out", 0.55, 0.04)))
    assert (
        said[0]
        .replace("\u00a0", " ")
        .startswith(
            "Nothing was found that fresh rows would confirm: the expected AUC of 0.550 ± 0.040 may be that of chance"
        )
    )
    assert "should not be relied on; the roles below are guesses" in said[1]


def test_what_is_left_out_is_counted_even_where_it_is_not_listed():
    first, _ = words.verdict(replace(lucas("unknown", ("Smoking",)), blanket_size=900))
    assert "Genetics, Coughing, Fatigue, Allergy and 895 more are left out" in first


def rivals(*known):
    """The first is the one in use."""
    return tuple(
        Rival(label, 3, Measured(label, value, 0.004), 0.9, used=i == 0) for i, (label, value) in enumerate(known)
    )


def test_why_says_who_came_next():
    def why(*known, **other):
        return words.why(lucas("known", ALL, rivals=rivals(*known), **other)).replace("\u00a0", " ")

    assert why() == words.why(lucas(rivals=rivals(("posterior", 0.9)))) == ""
    alone = "Used: the choice of the sampled networks, 3 variables, with an expected AUC of 0.900 ± 0.004."
    assert why(("posterior", 0.9)) == alone
    assert why(("posterior", 0.9), ("natural", 0.8)) == f"{alone} That is the highest; the next, 'natural', has 0.800."
    assert "'thesis' has 0.901; the rule is set by the config" in why(("posterior", 0.9), ("thesis", 0.901))
    assert why(("posterior", 0.9), ("a", 0.9), ("b", 0.9001)).endswith("None has more; 'a' and 'b' are even with it.")
    assert "2 different sets of variables, the commonest in 75 % of them" in why(("posterior", 0.9), panels=(120, 40))


def test_the_thesis_is_compared():
    def told(theirs, rule="posterior"):
        data = lucas(selected=("Smoking", "Coughing"), rule=rule)
        return words.thesis(
            replace(data, variables=tuple(replace(v, by_thesis=v.name in theirs) for v in data.variables))
        )

    start = "The thesis's rule would have chosen"
    assert told(()) == told(("Smoking",), "thesis") == ""
    assert told(("Smoking", "Coughing")) == f"{start} the same 2 variables."
    assert told(("Smoking",)) == f"{start} 1 variable, a difference of 1: without Coughing."
    both = told(("Smoking", "Fatigue", "Allergy"))
    assert both == f"{start} 3 variables, a difference of 3: without Coughing, but with Fatigue and Allergy."


def test_networks_in_plain_words():
    def told(**changed):
        return words.networks(replace(Networks(16, 3200, 90, True, 0.03, (), 1.0, exact=1.0), **changed))

    assert told().startswith("16 chains gave 3,200 networks of the target and 90 variables;")
    assert (
        "The chains agree: the standard error of a neighbour's P(parent) is at most 0.03. The target is what" in told()
    )
    unsure = told(converged=False, least_sure=("a", "b"), reliability=1.25, exact=0.2)
    assert "The chains do not agree yet, least on a and b" in unsure and "how to lengthen them" in unsure
    assert "The target may be an imperfect copy of what its neighbours see (probability 0.80): links" in unsure
    assert "behaves like an imperfect copy: links to it are taken to be 1.25 times as strong as its labels" in told(
        reliability=1.25, exact=0.0
    )
    assert "a hidden copy of it in place of its labels (their correlation is about 0.77)" in told(copy=0.77)
    assert told(chains=0) == "No network was sampled: no variable goes with the target."
