"""What asking is worth on real experiments, on the real cells where they are there."""

import pytest

from himation.studies.reruns import drugs


@pytest.mark.slow
def test_asking_is_worth_no_less_than_the_natural_set_on_real_drugs(real_data, monkeypatch):
    monkeypatch.setenv("HIMATION_DATA", str(real_data))
    lines = {line.measure: line for line in drugs.run(1, 3)}
    for way in drugs.WAYS:
        assert 0.6 < lines[f"AUC, {way}"].rerun < 0.95
    less = lines[f"asked less {drugs.WAYS[1]}"]
    assert less.rerun > -2 * less.error
    assert lines[f"the drug's protein among the {drugs.SUSPICIOUS} most suspicious"].rerun <= 1
