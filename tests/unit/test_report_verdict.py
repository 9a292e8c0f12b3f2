"""The verdict in four lines: what it says of each manipulation, of nothing, and of roles that are not sure."""

from dataclasses import replace

from unit.test_report_words import ALL, lucas

from himation.report.methods_text import methods_text
from himation.report.values import Association, Changed, Changes, Measured, Method, Networks, Variable
from himation.report.verdict import AVOID, EXPECT, SURENESS, USE, verdict_lines


def lines(data):
    return {label: text.replace("\u00a0", " ") for label, text in verdict_lines(data)}


def test_nothing_manipulated():
    said = lines(lucas(selected=ALL))
    assert said[USE] == "Smoking and Genetics (causes); Coughing and Fatigue (effects); Allergy (cause of an effect)."
    assert said[AVOID] == "Nothing to avoid: beside these, the other 6 variables add nothing."
    assert said[EXPECT] == (
        "On new rows an AUC of 0.894 ± 0.010: of two rows, one of each class, it ranks the right one higher in 89 of "
        "100 cases."
    )
    assert said[SURENESS] == "All 5 roles are sure (probability 0.9 or more)."


def test_a_known_manipulation():
    under, achieved = Measured("played out", 0.85, 0.02), Measured("", 0.86, 0.004)
    data = lucas("known", ("Smoking", "Genetics"), ("Coughing",), under=under, achieved=achieved)
    said = lines(data)
    assert said[AVOID].startswith(
        "Coughing and Fatigue (effects); Allergy (cause of an effect): they predict in training, but not after the "
        "manipulation you listed. Beside these, the other 9 variables are not needed."
    )
    assert said[EXPECT].startswith("On new rows after the manipulation an AUC of 0.850 ± 0.020")
    assert said[EXPECT].endswith("On the test table it was 0.860 ± 0.004.")


def test_what_few_networks_use_is_said():
    data = lucas("known", ("Smoking", "Genetics"), ("Coughing",))
    rare = tuple(replace(v, inclusion=0.4 if v.name == "Genetics" else 0.9) for v in data.variables)
    said = lines(replace(data, variables=rare))
    assert said[USE] == "Smoking and Genetics (causes); Genetics with less weight: most networks do without it."
    assert "weight" not in lines(replace(data, variables=rare, manipulation="none"))[USE]


def test_what_the_test_table_shows():
    row = Changed("Coughing", 3, "set", 0.99, 0.01, 0.0, 1.0)
    seen = Changes(True, "", "", 1.0, 500, 0.2, 0.0, 0.5, (row,), (row,))
    data = lucas("unknown", ("Smoking", "Genetics", "Fatigue", "Allergy"), changes=seen)
    assert "it predicts in training, but the test table shows that somebody set it." in lines(data)[AVOID]
    asked = lucas("unknown", ("Smoking", "Genetics"))
    assert "may not after an unknown manipulation" in lines(asked)[AVOID]


def test_nothing_goes_with_the_target():
    data = lucas(selected=("Smoking",), association=Association(False, 0.4, 99, ("single",)))
    said = lines(data)
    assert said[USE] == "None: nothing here tells Lung_cancer better than chance does."
    assert "what looks good here is luck" in said[AVOID] and said[EXPECT].startswith("A coin's success")


def test_roles_that_are_not_sure():
    weak = tuple(
        replace(v, p_parent=0.6) if v.name == "Genetics" else v
        for v in lucas(selected=("Smoking", "Genetics")).variables
    )
    data = replace(lucas(), variables=weak, stability={1: 1.0, 2: 0.5}, warnings=("few rows: ...",))
    assert lines(data)[SURENESS] == (
        "1 of the 2 roles is sure (probability 0.9 or more), Genetics least (0.60); searches on part of the rows "
        "select them 75 % of the time; 1 warning."
    )
    assert lines(data)[USE] == "Smoking (cause); Genetics (likely cause)."
    unknown = replace(lucas(), variables=(Variable("gear", 1, selected=True),))
    assert lines(unknown)[USE] == "gear (role unknown)."
    assert lines(unknown)[SURENESS].startswith("The role is not sure (probability 0.9 or more), that of gear unknown")


def test_a_paragraph_on_the_methods_cites_what_was_used():
    networks = Networks(24, 1200, 11, True, 0.02, (), 1.0, 1.0)
    finders = (Method("mmmb", (1,)), Method("mine", (1,)), Method("rfe", (1,)))
    data = lucas("known", ALL[:2], ALL[2:4], networks=networks, methods=finders, under=Measured("", 0.85, 0.02))
    text, works = methods_text(data, {"versions": {"himation": "0.1.0"}, "configuration": {"seed": 7}})
    text = text.replace("\u00a0", " ")
    assert "of 11 variables" in text and "Himation 0.1.0" in text and text.endswith("started from seed 7.")
    assert "searched with mmmb [2], mine and rfe [3]. 1,200 networks" in text and "24 Markov chains" in text
    assert "2 variables were known to be manipulated" in text and "selected 2 variables" in text
    assert "0.850 ± 0.020" in text
    assert [work.split(" (")[0].split()[0] for work in works] == [
        "Brown", "Tsamardinos", "Guyon", "Friedman", "Kuipers", "Platt",
    ]  # fmt: skip
    assert methods_text(lucas(selected=ALL), {})[1][0].startswith("Brown")
