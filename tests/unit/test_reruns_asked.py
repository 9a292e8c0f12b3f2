"""The study of what the test table is worth: its lines."""

import numpy as np
import pytest

from himation.reruns import asked


def test_lines_are_means_over_problems_and_shares_within_fifths(monkeypatch):
    chances, truth = np.array([0.1, 0.15, 0.9, 0.95, 1.0]), np.array([False, False, True, False, True])

    def measured(kind, seed):
        tscores = [dict.fromkeys(asked.WAYS, 0.5 + 0.1 * (seed == 2))] * 3
        return tscores, dict.fromkeys(asked.SIZES, (chances, truth))

    monkeypatch.setattr(asked, "measure", measured)
    lines = {(line.case, line.measure): line.rerun for line in asked.run(2, 1)}
    assert lines["all kinds, version 1", "relative Tscore, asked"] == pytest.approx(0.55)
    assert lines["50 test rows", "AUC of P(manipulated)"] == pytest.approx(5 / 6)
    assert lines["200 test rows", "manipulated at P 0.0 to 0.2"] == 0
    assert lines["200 test rows", "manipulated at P 0.8 to 1.0"] == pytest.approx(2 / 3)
    assert ("200 test rows", "manipulated at P 0.4 to 0.6") not in lines
