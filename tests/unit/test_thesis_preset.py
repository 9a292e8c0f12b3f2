"""Preset `thesis` against the table of the thesis's choices, key by key; and the rule of V.2.6 on a case by hand."""

import json
import re

import numpy as np
import pytest
import yaml
from conftest import PROJECT

from himation.errors import UserError
from himation.files.configuration import load_schema, resolve_configuration
from himation.models.constructed import Constructed
from himation.nested.measuring import NOT_MEASURED
from himation.posterior.networks import NO_NETWORKS
from himation.selection.comparing import Candidate, beyond, choose
from himation.selection.evidence import Evidence
from himation.selection.rule_names import Settings
from himation.selection.rules import Situation, select
from himation.selection.thesis import role_by_evidence
from himation.steps import all_files, left_out

PRESET = PROJECT / "workflow/presets/thesis.yaml"
SCHEMA = load_schema(PROJECT / "workflow/schemas/config.schema.yaml")
SECTIONS = ("preparation", "independence", "region", "orientation", "networks", "estimate", "selection", "model")
OF_STEPS_THAT_DO_NOT_RUN = {
    *("region.most_depth", "orientation.resample", "networks.chains", "networks.sweeps", "networks.nodes"),
    *("estimate.divisions", "estimate.permutations", "selection.manipulated_share", "selection.least_share"),
    *("model.machines", "model.mixture", "model.rows"),
}


def laid_over(config: dict, preset: dict) -> dict:
    """As Snakemake lays a configuration file over another: groups of keys are merged, lists replaced."""
    for key, value in preset.items():
        both = isinstance(value, dict) and isinstance(config.get(key), dict)
        config[key] = laid_over(config[key], value) if both else value
    return config


def configuration(**changes) -> dict:
    config = yaml.safe_load((PROJECT / "config.yaml").read_text(encoding="utf-8"))
    return laid_over(laid_over(config, yaml.safe_load(PRESET.read_text(encoding="utf-8"))), changes)


def resolved(**changes) -> dict:
    return resolve_configuration(configuration(**changes), SCHEMA, [PROJECT])


def choices() -> dict:
    """Key and value of each line of the table in docs/thesis.md."""
    page = (PROJECT / "docs/thesis.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| `([\w.]+)` \| `([^`]+)` \| ([^|]+) \|$", page, flags=re.MULTILINE)
    assert all(source.strip() for _, _, source in lines)
    return {key: json.loads(value) for key, value, _ in lines}


def test_the_preset_is_the_table_of_choices():
    config = resolved()
    found = {f"{section}.{key}": value for section in SECTIONS for key, value in config[section].items()}
    for entry in config["methods"]:
        parts = {key: value for key, value in entry.items() if key not in ("id", "method")}
        found |= {f"methods.{entry['id']}.{key}": value for key, value in parts.items()}
    expected = choices()
    assert set(found) - set(expected) == OF_STEPS_THAT_DO_NOT_RUN
    assert {key: found.get(key) for key in expected} == expected


def test_steps_that_only_ours_needs_do_not_run():
    without = left_out(resolved())
    by_networks = {"sample_networks", "estimate_effects", "export_network", "infer_manipulation"}
    assert without == by_networks | {"search_folds", "estimate_auc"}
    found = all_files({"a": "training/t"}, {"tested": ["a"], "scored": ["a"]}, ["mmmb", "fsmb"], 2, without)
    made = " ".join(found)
    for name in (
        "networks.npz",
        "effects.tsv",
        "graph.dot",
        "manipulated.",
        "/folds/",
        "expected.json",
        "held_out.tsv",
    ):
        assert name not in made
    assert {"results/a/thesis.tsv", "results/a/model.npz", "results/training/t/natural_blanket.tsv"} <= set(found)
    default = resolve_configuration({"datasets": configuration()["datasets"]}, SCHEMA, [PROJECT])
    assert left_out(default) == frozenset()


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"selection": {"rule": "posterior"}}, "the rule 'posterior' goes by sampled networks"),
        ({"selection": {"rule": "parents"}}, "write networks: {draw: true}"),
        ({"methods": [{"id": "mmmb"}]}, "candidates: fsmb needs fsmb among the methods"),
    ],
)
def test_a_rule_without_what_it_rests_on_is_refused(changes, told):
    with pytest.raises(UserError, match=re.escape(told)):
        resolved(**changes)


# a case as in figure V-4: 0 and 1 are parents in every graph, 2 and 3 children by p-score, 4 to 6 undecided
EVIDENCE = {
    0: Evidence(0, neighbour=True, forward=1.0, parent_tests=1),
    1: Evidence(1, neighbour=True, forward=1.0, parent_tests=3, child_tests=2, child_p_score=0.9),
    2: Evidence(2, neighbour=True, backward=1.0, child_tests=4, child_p_score=0.6),
    3: Evidence(3, neighbour=True, backward=1.0, child_tests=1, child_p_score=0.7),
    4: Evidence(4, neighbour=True, backward=1.0, child_tests=2, parent_tests=1, child_p_score=0.5),
    5: Evidence(5, neighbour=True, backward=1.0),
    6: Evidence(6, neighbour=False),
    7: Evidence(7, spouse_through={3: 1.0}),
    8: Evidence(8, spouse_through={2: 1.0}),
}
TO_THE_LETTER = Settings(consistent=1.0, cut_by_graphs=False)


def situation(kind, manipulated=(), **changes):
    known = {"settings": TO_THE_LETTER, "by_fsmb": (0, 1, 2, 3, 4, 5, 6)} | changes
    return Situation((2, 3, 0, 4, 5, 1), EVIDENCE, NO_NETWORKS, kind, frozenset(manipulated), **known)


def test_groups_are_those_of_the_rule():
    found = situation("none").thesis_groups
    assert list(found.items()) == [
        *((1, "parent"), (0, "parent")),  # most Y-tests as a parent first
        *((4, "undecided"), (5, "undecided"), (6, "undecided")),  # the ratio of parent to child tests, then fewer
        *((3, "child"), (2, "child")),  # the highest p-score first
    ]


def test_the_rule_keeps_what_it_says():
    unknown = select("thesis", situation("unknown"))
    assert unknown.chosen == (1, 0, 5, 6)  # 4 is the tail: two Y-tests as a child
    known = select("thesis", situation("known", [2, 4]))
    assert known.chosen == (1, 0, 5, 6, 3, 7)  # 8 is the spouse of a manipulated child
    assert known.reasons[2].endswith("manipulated: dropped") and known.reasons[8].endswith("stays: dropped")
    assert select("thesis", situation("known", [])).chosen == (1, 0, 5, 6, 2, 3, 4, 7, 8)


def test_our_own_cut_goes_by_the_graphs_as_well():
    ours = situation("unknown", settings=Settings(consistent=1.0), by_fsmb=None)
    assert ours.candidates() == [2, 3, 0, 4, 5, 1]
    assert select("thesis", ours).chosen == (1, 0)


def test_roles_are_those_of_the_evidence():
    here = situation("none")
    told = [role_by_evidence(here, x) for x in range(9)]
    assert told == ["parent", "parent", "child", "child", "undirected", "undirected", "undirected", "spouse", "spouse"]
    assert role_by_evidence(here, 20) == "none"


def test_fsmbs_features_join_if_they_reach_beyond_the_first_set():
    inside = Constructed("a*b", ((0, 1), (1, 1)), 1.0)
    beyond_it = Constructed("a*c", ((0, 1), (2, 1)), 0.5)
    alone = Constructed("d", ((3, 1),), 0.2)
    outside, features = beyond((0, 1), [inside, beyond_it, alone])
    assert outside == [2, 3] and features == [beyond_it, alone]
    candidates = [Candidate("mmmb", (0, 1), NOT_MEASURED), Candidate("fsmb", (0, 1, 2, 3), NOT_MEASURED)]
    found = choose(candidates, "mmmb", lambda a, b: NOT_MEASURED, ["fsmb"], outside=outside)
    assert found.members == (0, 1, 2, 3) and found.joined == ("fsmb",)
    assert choose(candidates, "mmmb", lambda a, b: NOT_MEASURED, ["fsmb"], outside=[]).members == (0, 1)


def test_the_svm_without_weights_is_that_of_the_examples():
    from himation.models.svm import Grid
    from himation.models.svm_model import SupportVector

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] + 0.8 * rng.normal(size=80) > 1.0, 1, -1)
    grid = Grid((1,), (), (1.0,))
    plain, balanced = (SupportVector(grid, class_weight=weight).fit(X, y) for weight in (None, "balanced"))
    assert plain.found_.class_weight is None and balanced.found_.class_weight == "balanced"
    assert (plain.decision_function(X) > 0).sum() < (balanced.decision_function(X) > 0).sum()
    assert np.allclose(plain.refit(X, y).decision_function(X), plain.decision_function(X))
