"""Probes: their graph, their distributions, and what the two manipulations do to them."""

from dataclasses import replace

import numpy as np
import pytest

from himation.errors import UserError
from himation.evaluate import auc
from himation.models.linear import linear_scores
from himation.studies.simulate.networks import LUCAS
from himation.studies.simulate.probes import (
    LARGE,
    LUCAP,
    TARGET,
    adversarial_probes,
    flipped,
    make_probes,
    permute_probes,
)

N = 4000
TOYS = 2000  # examples of LUCAP
RELATED = 0.0736  # correlation of p = 0.001 with 2000 examples
SEEDS = range(8)
SIGMAS = 4


@pytest.fixture(scope="module")
def task():
    """Twelve real variables of three kinds, the target a function of two, and 24 probes."""
    rng = np.random.default_rng(8)
    real = rng.integers(0, 2, size=(12, N)).astype(np.float64)
    real[3] = rng.normal(size=N)
    real[4] = rng.integers(0, 5, size=N)
    target = np.where(real[0] + real[3] + rng.logistic(size=N) > 0.5, 1, -1)
    probes, values = make_probes(real, target, 24, rng)
    return real, target, probes, values


def causes_of(probes):
    found = {}
    for cause, effect in probes.edges:
        found.setdefault(effect, []).append(cause)
    return found


def test_causes_are_those_of_the_challenge(task):
    real, _, probes, _ = task
    kind = {len(real) + i: word for i, word in enumerate(probes.kinds)}
    assert [probes.kinds.count(word) for word in ("random", "confounded", "effect")] == [6, 6, 12]
    for probe, causes in causes_of(probes).items():
        roles = sorted("target" if c == TARGET else kind.get(c, "real") for c in causes)
        if kind[probe] == "confounded":
            assert roles.count("real") == 3 and set(roles) <= {"real", "random"}
        else:
            assert kind[probe] == "effect"
            assert roles.count("target") == 1 and roles.count("confounded") == 2 and "real" not in roles
    assert {c for causes in causes_of(probes).values() for c in causes if kind.get(c) == "confounded"} == {
        probe for probe, word in kind.items() if word == "confounded"
    }


def test_half_of_the_random_probes_are_unused_and_none_serves_both_kinds(task):
    real, _, probes, _ = task
    kind = {len(real) + i: word for i, word in enumerate(probes.kinds)}
    used = {"confounded": set(), "effect": set()}
    for cause, effect in probes.edges:
        if kind.get(cause) == "random":
            used[kind[effect]].add(cause)
    assert not used["confounded"] & used["effect"]
    assert 6 - len(used["confounded"] | used["effect"]) >= 3


def test_a_probe_has_the_values_of_a_real_variable(task):
    real, target, probes, values = task
    rng = np.random.default_rng(1)
    again = probes.values(real, target, rng)
    marginals = [np.sort(row) for row in real]
    for drawn in (values, again):
        for row in drawn:
            distance = min(np.mean(np.abs(np.sort(row) - marginal)) for marginal in marginals)
            assert distance < 0.06


def test_random_probes_know_nothing_and_effects_know_the_target(task):
    _, target, probes, values = task
    n_random = probes.kinds.count("random")
    dull = linear_scores(values[:n_random].T[: N // 2], target[: N // 2], values[:n_random].T[N // 2 :], seed=1)
    keen = linear_scores(values[-12:].T[: N // 2], target[: N // 2], values[-12:].T[N // 2 :], seed=1)
    assert abs(auc(target[N // 2 :], dull) - 0.5) < 0.05
    assert auc(target[N // 2 :], keen) > 0.8


def test_a_tenth_of_the_labels_is_flipped(task):
    _, target, _, _ = task
    assert abs(np.mean(flipped(target, np.random.default_rng(3)) != target) - 0.1) < 0.02


def test_version_1_keeps_every_distribution_and_no_relation(task):
    _, target, _, values = task
    moved = permute_probes(values, np.random.default_rng(2))
    assert np.array_equal(np.sort(moved, axis=1), np.sort(values, axis=1))
    strength = [abs(np.corrcoef(row, target)[0, 1]) for row in moved]
    assert max(strength) < 5 / np.sqrt(N)
    assert np.abs(np.corrcoef(moved) - np.eye(len(moved))).max() < 5 / np.sqrt(N)


def test_version_2_deceives_whoever_trusts_the_probes(task):
    real, target, probes, values = task
    rng = np.random.default_rng(4)
    turned = adversarial_probes(probes.values(real, target, rng), target, rng)
    scores = linear_scores(values.T, target, turned.T, seed=1)
    assert 0.2 < auc(target, scores) < 0.42
    natural = np.corrcoef(values[-12:])
    assert np.abs(np.corrcoef(turned[-12:]) - natural).max() < 0.2, "among themselves the probes look natural"


def test_the_same_seed_gives_the_same_probes(task):
    real, target, _, _ = task
    one, two = (make_probes(real, target, 24, np.random.default_rng(5))[1] for _ in range(2))
    assert np.array_equal(one, two)


def test_too_few_probes_are_refused(task):
    real, target, _, _ = task
    with pytest.raises(UserError, match="too few"):
        make_probes(real, target, 3, np.random.default_rng(0))
    with pytest.raises(UserError, match="both classes"):
        adversarial_probes(real, np.ones(N), np.random.default_rng(0))


@pytest.mark.parametrize("n", [2, 7, 300, 5001])
def test_quantiles_are_those_of_numpy(n):
    from himation.studies.simulate.probes import _quantiles

    values = np.random.default_rng(n).normal(size=n)
    assert np.array_equal(_quantiles(values, 2001), np.quantile(values, np.linspace(0, 1, 2001)))


def lucap(seed, recipe=LUCAP):
    rng = np.random.default_rng(seed)
    sample = LUCAS.sample(TOYS, rng)
    real = np.ascontiguousarray(sample.values.T)
    return real, sample.target, *make_probes(real, sample.target, 132, rng, recipe)


def related(real, target, values):
    """Probes related to the target and to each real variable, and pairs of related probes."""
    strength = np.abs(np.corrcoef(np.vstack([target, real, values])))
    among = strength[12:, 12:][np.triu_indices(132, 1)]
    return np.append((strength[:12, 12:] > RELATED).sum(axis=1), (among > RELATED).sum())


def test_lucap_has_as_many_probes_of_each_kind_and_its_random_ones_are_unrelated():
    real, _, probes, values = lucap(1)
    assert [probes.kinds.count(word) for word in ("random", "confounded", "effect")] == [44, 44, 44]
    assert all(np.array_equal(np.sort(values[i]), np.sort(real[probes.sources[i]])) for i in range(44))
    assert sorted(probes.sources) == sorted(4 * list(range(11)))
    assert np.abs(np.corrcoef(values[:44]) - np.eye(44)).max() < 5 / np.sqrt(TOYS)
    again = probes.values(real, np.ones(TOYS), np.random.default_rng(2))
    assert np.abs(np.corrcoef(again[:44]) - np.eye(44)).max() < 5 / np.sqrt(TOYS)


def test_confounded_probes_of_lucap_hear_every_real_variable_and_some_have_no_effect():
    relevant = []
    for seed in SEEDS:
        _, _, probes, _ = lucap(seed)
        assert {cause for cause, _ in probes.edges if 0 <= cause < 11} == set(range(11))
        effects = {effect for cause, effect in probes.edges if cause == TARGET}
        spouses = {cause for cause, effect in probes.edges if effect in effects and cause != TARGET}
        relevant.append(11 + len(effects | spouses))
    assert abs(np.mean(relevant) - 105) < 2, "the challenge counts 105 relevant variables in LUCAP0"


def test_the_weight_of_the_target_is_felt():
    light, heavy = (
        np.mean([np.abs(np.corrcoef(target, values)[0, 89:]).mean() for _, target, _, values in drawn])
        for drawn in (
            [lucap(seed, replace(LUCAP, weight=weight, modest=False)) for seed in SEEDS[:4]] for weight in (1.0, 2.0)
        )
    )
    assert heavy > 1.2 * light


def test_no_effect_of_lucap_is_stronger_than_every_real_variable():
    found = {}
    for modest in (True, False):
        drawn = [lucap(seed, replace(LUCAP, modest=modest)) for seed in SEEDS[:4]]
        found[modest] = [
            np.abs(np.corrcoef(target, values)[0, 89:]).max() - np.abs(np.corrcoef(target, real)[0, 1:]).max()
            for real, target, _, values in drawn
        ]
    assert max(found[True]) < 1e-9 < max(found[False])


def test_the_challenges_own_lucap_looks_like_a_simulated_one(real_data):
    """Its numbers of relations are among those of simulated ones; by the recipe of the other tasks they are not."""
    table = np.loadtxt(real_data / "lucas" / "lucap0_train.data").T
    toys = np.loadtxt(real_data / "lucas" / "lucas0_train.csv", delimiter=",", skiprows=1).T
    place = [[i for i, row in enumerate(table > 0) if np.array_equal(row, toy > 0)] for toy in toys[:11]]
    assert all(len(found) == 1 for found in place)
    columns = [found[0] for found in place]
    theirs = related(table[columns], toys[11], np.delete(table, columns, axis=0))
    apart = {}
    for recipe in (LUCAP, LARGE):
        ours = np.array([related(real, target, values) for real, target, _, values in map(lucap, SEEDS, 8 * [recipe])])
        apart[recipe] = np.abs(theirs - ours.mean(axis=0)) / np.maximum(ours.std(axis=0, ddof=1), 1)
    assert apart[LUCAP].max() < SIGMAS < apart[LARGE].max()
