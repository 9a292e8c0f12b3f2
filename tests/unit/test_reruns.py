"""The page of rerun experiments: what is marked, and that names are escaped."""

import pytest

from himation.studies.reproduction.overview import render
from himation.studies.reproduction.verdicts import of_row


@pytest.mark.parametrize(
    "difference, better, expected",
    [
        ("", "high", ""),
        ("0.03", "high", "agrees"),
        ("-0.05", "low", "agrees"),
        ("0.2", "high", "better"),
        ("0.2", "low", "worse"),
        ("-0.2", "low", "better"),
        ("-0.2", "", "differs"),
    ],
)
def test_marks(difference, better, expected):
    rerun = str(0.5 + float(difference or 0))
    row = {"published": difference and "0.5", "rerun": rerun, "better": better, "error": "0.025"}
    assert of_row(row) == expected


def test_nothing_is_said_of_a_rerun_whose_error_is_not_known():
    assert of_row({"published": "0.5", "rerun": "0.51", "better": "high", "error": ""}) == "can't tell"
    assert of_row({"published": "0.5", "rerun": "0.5", "better": "high", "error": ""}) == "agrees"


def test_the_page():
    row = {
        "case": "<b>Alarm</b>",
        "measure": "distance",
        "published": "0.11",
        "rerun": "0.3125",
        "difference": "0.2025",
        "error": "0.01",
    }
    page = render([("pena-6", [{**row, "better": "low", "note": ""}])], {"pena-6": "About & more"})
    assert "&lt;b&gt;Alarm" in page and "<b>Alarm" not in page and "About &amp; more" in page
    assert "0.312" in page and "▼ worse" in page and "1 worse" in page
