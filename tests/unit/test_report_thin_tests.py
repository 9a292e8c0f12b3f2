"""The warning of tests that can't be made is about the tests that G-square really skips."""

import numpy as np
import pytest

from himation import table_tests
from himation.files.tables import RawTable
from himation.prepare.preparing import prepare
from himation.report.thin_tests import unreliable_tests


@pytest.mark.parametrize("n", [8, 24, 60, 200])
def test_the_warning_names_the_deepest_reliable_test(n):
    rng = np.random.default_rng(n)
    codes = rng.integers(0, 2, size=(6, n))
    codes[:, :2] = [[0, 1]] * 6  # both values occur
    labels = np.where(codes[5] > 0, 1, -1)
    names = [f"x{i}" for i in range(5)]
    table = prepare(RawTable("table", names, n, values=codes[:5].astype(float)), labels)
    said = unreliable_tests(table)
    test = table_tests.test_for(table)
    reliable = [k for k in range(4) if test.test(5, 0, tuple(range(1, k + 1))).reliable]
    if 3 in reliable:
        assert said == []
    elif reliable:
        assert f"given more than {reliable[-1]} other" in said[0] and f"{n} examples" in said[0]
    else:
        assert "even by itself" in said[0]
