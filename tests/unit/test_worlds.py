"""Expected AUCs in manipulated worlds: what a manipulation does to causes, effects and what follows them."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from himation.posterior.networks import Chain, Networks
from himation.posterior.target import Reliability
from himation.selection.worlds import MOST_EXAMPLES, Worlds, _aucs, _sample

CAUSE, CHILD, GRANDCHILD, NOISE, TARGET = range(5)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    n = 1200
    cause = rng.normal(size=n)
    labels = np.where(cause + rng.normal(size=n) > 0, 1, -1)
    child = labels + rng.normal(size=n)
    grandchild = child + 0.3 * rng.normal(size=n)
    return np.column_stack([cause, child, grandchild, rng.normal(size=n)]), labels


def networks(*arrows):
    graph = np.zeros((5, 5), dtype=bool)
    for a, b in arrows:
        graph[a, b] = True
    return Networks((Chain((CAUSE, CHILD, GRANDCHILD, NOISE), np.array([graph]), np.zeros(1)),), Reliability())


TRUE = networks((CAUSE, TARGET), (TARGET, CHILD), (CHILD, GRANDCHILD))


def worlds(data, drawn, manipulated):
    columns, labels = data
    return Worlds(lambda x: columns[:, x], labels, range(4), drawn, set(manipulated).__contains__)


def test_areas_are_those_of_scikit_learn(data):
    columns, labels = data
    values = np.round(columns.T, 1)  # with ties
    found = _aucs(np.ascontiguousarray(values), labels > 0)
    assert found == pytest.approx([roc_auc_score(labels, row) for row in values])


def test_a_manipulated_cause_stays_and_a_manipulated_effect_is_lost(data):
    made = worlds(data, TRUE, [CAUSE, CHILD])
    cause, child = made.expect([CAUSE]), made.expect([CHILD])
    assert cause.auc == cause.natural > 0.7
    assert child.natural > 0.85 and child.auc == pytest.approx(0.5, abs=0.06)


def test_what_follows_a_manipulated_effect_is_lost_with_it(data):
    """Not what stands apart: the same variable keeps its link where a network has no path from the one that was set."""
    assert worlds(data, TRUE, [CHILD]).expect([GRANDCHILD]).auc == pytest.approx(0.5, abs=0.08)
    apart = networks((CAUSE, TARGET), (TARGET, CHILD), (TARGET, GRANDCHILD))
    one = worlds(data, apart, [CHILD]).expect([GRANDCHILD])
    assert one.auc == one.natural > 0.8


def test_panels_are_a_sum_of_machines(data):
    made = worlds(data, TRUE, [CHILD])
    both = made.expect([CAUSE, CHILD], {(CAUSE,): 3, (CHILD,): 1})
    assert made.expect([CHILD]).auc < both.auc < made.expect([CAUSE]).auc
    assert made.expect([CAUSE, CHILD], {(CAUSE,): 1}).auc == made.expect([CAUSE]).auc


def test_without_networks_nothing_changes(data):
    only = worlds(data, Networks((), Reliability()), [CHILD]).expect([CHILD])
    assert only.auc == only.natural and only.standard_error == 0


def test_a_large_table_is_sampled_with_all_of_a_rare_class():
    labels = np.where(np.arange(30_000) % 100 == 0, 1, -1)
    rows = _sample(labels, 1)
    assert len(rows) == MOST_EXAMPLES and (labels[rows] > 0).sum() == 300
