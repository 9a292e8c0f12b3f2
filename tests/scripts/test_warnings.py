"""Everything that a user is warned of goes from a table into model.json and to the end of the run."""

import json

import numpy as np

from himation.files.endings import warnings_of

EXPECTED = (
    "b: row numbers or identifiers?",
    "few rows: 40 are too few",
    "many more variables than rows (450 and 40)",
    "a rare class: 8 rows have it",
    "v3: nearly a copy of the target",
    "v5 and v6: nearly copies of each other",
    "v4: the test table lies outside the training range",
    "the selection gains nothing over all variables (+0.001 of AUC",
    "the sampled networks have not converged",
)


def test_model_json_and_the_end_of_the_run_have_every_warning(run_script, tmp_path):
    rng = np.random.default_rng(1)
    X, fresh = rng.normal(size=(40, 450)), rng.normal(size=(30, 450))
    y = np.where(np.arange(40) < 8, 1, -1)
    X[:, 1], fresh[:, 1] = np.arange(40) + 100, np.arange(30) + 100
    X[:, 2] = y + 0.1 * rng.normal(size=40)
    X[:, 5] = X[:, 4] + 0.01 * rng.normal(size=40)
    fresh[:, 2], fresh[:, 3] = X[:30, 2], fresh[:, 3] + 9
    names = ["v1", "b", *(f"v{i}" for i in range(3, 451))]
    for name, part, more in (("t.csv", X, y), ("n.csv", fresh, None)):
        head, rows = names + ([] if more is None else ["y"]), part.tolist()
        rows = [[*row, *([] if more is None else [int(more[i])])] for i, row in enumerate(rows)]
        (tmp_path / name).write_text("\n".join(",".join(map(str, row)) for row in [head, *rows]) + "\n")
    estimate = {"expected_auc": 0.9, "standard_error": 0.01}
    facts = {**estimate, "above_chance": True, "measured": "by hand"}
    facts["gain_over_all"] = {"expected_auc": 0.001, "standard_error": 0.01}
    (tmp_path / "expected.json").write_text(json.dumps(facts))
    selection = {"columns": [3, 4, 5], "networks": {"converged": False}}
    (tmp_path / "selection.json").write_text(json.dumps(selection))
    for name, words in (
        ("prepare_data", "--train t.csv --target y --test n.csv --output data"),
        (
            "build_model",
            "--data data --selection selection.json --expected expected.json --machines 4 --model trial/m.npz"
            " --facts trial/model.json",
        ),
    ):
        done = run_script(name, *words.split(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "trial" / "model.json").read_text())["warnings"]
    ends = [line.removeprefix("trial: ") for line in warnings_of(["trial"], tmp_path)]
    for text in EXPECTED:
        assert sum(line.startswith(text) for line in found) == 1, (text, found)
        assert any(line.startswith(text) for line in ends) and text in done.stderr
