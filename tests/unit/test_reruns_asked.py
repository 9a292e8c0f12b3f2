"""The study of what the test table is worth: its lines."""

import numpy as np
import pytest

from himation.studies.reruns import asked


def test_lines_are_means_over_problems_and_shares_within_fifths(monkeypatch):
    chances, truth = np.array([0.1, 0.15, 0.9, 0.95, 1.0]), np.array([False, False, True, False, True])
    held = np.array([True, True, True, False, True])

    def measured(kind, seed):
        tscores = [dict.fromkeys(asked.WAYS, 0.5 + 0.1 * (seed == 2))] * 3
        soft = dict.fromkeys(asked.SOFTLY, dict.fromkeys(asked.SOFT_WAYS, 0.8)) if kind == "mixed" else {}
        return tscores, dict.fromkeys(asked.SIZES, (chances, truth, held)), soft

    monkeypatch.setattr(asked, "measure", measured)
    lines = {(line.case, line.measure): line.rerun for line in asked.run(2, 1)}
    assert lines["all kinds, version 1", "relative Tscore, asked"] == pytest.approx(0.55)
    assert lines["50 test rows, all linked variables", "AUC of P(manipulated)"] == pytest.approx(5 / 6)
    assert lines["50 test rows, variables in networks", "AUC of P(manipulated)"] == 1
    case = "200 test rows, all linked variables"
    assert lines[case, "manipulated at P 0.0 to 0.2"] == 0
    assert lines[case, "manipulated at P 0.8 to 1.0"] == pytest.approx(2 / 3)
    assert (case, "manipulated at P 0.4 to 0.6") not in lines
    assert lines["moved", "AUC, asked"] == pytest.approx(0.8)
