"""The scoreboard's lines, and the published Fscores of the challenge from sets with those numbers of members."""

import pytest

from himation.evaluate import fscore_sorted
from himation.studies.challenge.scoreboard import COLUMNS, board, challenge_name
from himation.studies.reruns import published

# Relevant variables of each version, of 999.
RELEVANT = {"reged0": 21, "reged1": 14, "reged2": 2}


def scores(tscore):
    rows = [
        ("Dscore", "selected variables", 1.0, 0.0),
        ("Fnum", "selected variables", 9.0, None),
        ("Fscore", "selected variables", 0.8, None),
        ("Fscore unsorted", "selected variables", 0.75, None),
        ("Tscore", "selected variables", tscore, 0.01),
        ("Tscore", "true parents", 0.93, 0.01),
        ("Tscore", "true natural blanket", 0.98, 0.01),
        ("relative Tscore", "selected variables", (tscore - 0.5) / 0.48, None),
        ("Tscore", "natural blanket found", 0.9, 0.01),
        ("Tscore", "all variables", 0.7, 0.01),
    ]
    return [{"score": a, "of": b, "value": repr(c), "error": "" if d is None else repr(d)} for a, b, c, d in rows]


def test_lines_and_means():
    lines = board([(f"reged{v}", scores(0.9 - 0.1 * v), True) for v in (2, 0, 1)] + [("sido1", [], False)])
    assert [line["id"] for line in lines] == ["reged0", "reged1", "reged2", "reged", "sido1"]
    assert all(set(line) == set(COLUMNS) for line in lines)
    mean = lines[3]
    assert mean["version"] == "mean" and mean["Tscore"] == pytest.approx(0.8)
    assert mean["Brown"] == pytest.approx(0.9423, abs=1e-3), "table V-1 has this mean for REGED"
    assert lines[1]["Tmax"] == 0.98 and lines[1]["published Tmax"] == 0.998 and lines[1]["all variables"] == 0.7
    assert lines[4]["Tscore"] is None and lines[4]["data"] == "challenge" and lines[4]["Brown"] == 0.6073


def test_means_over_tasks_and_the_thesis_rule_where_nothing_is_manipulated():
    ours = [
        (f"{task}{v}", scores(top - 0.1 * v), True) for task, top in (("reged", 0.9), ("sido", 0.8)) for v in range(3)
    ]
    for version in (1, 2):
        for name, rows, _ in ours:
            if name.endswith(str(version)):
                rows.append({"score": "Tscore", "of": "rule thesis", "value": "0.6", "error": ""})
    lines = {(line["task"], line["version"]): line for line in board(ours)}
    assert lines["reged", 0]["rule thesis"] == 0.9 and lines["reged", "mean"]["rule thesis"] == pytest.approx(0.7)
    assert [lines["all tasks", v]["Tscore"] for v in range(3)] == pytest.approx([0.85, 0.75, 0.65])
    assert lines["all tasks", 1]["relative Tscore"] == pytest.approx(0.25 / 0.48)


def test_means_of_the_thesis():
    """Table V-1 gives the average Tscore of each task."""
    averages = {"cina": 0.6015, "marti": 0.8083, "reged": 0.9423, "sido": 0.6909}
    lines = board([(f"{task}{version}", [], False) for task in averages for version in range(3)])
    found = {line["task"]: line["Brown"] for line in lines if line["version"] == "mean"}
    assert found == {task: pytest.approx(value, abs=1e-4) for task, value in averages.items()}


def test_names():
    assert challenge_name("marti2") == ("marti", 2)
    assert challenge_name("marti3") is None and challenge_name("mine") is None


def ranking(hits, false, before):
    """A list of so many true and false members, with so many pairs of a false one ahead of a true one."""
    first, rest = divmod(before, hits) if hits else (0, 0)
    wrong = list(range(900, 900 + false))
    order = wrong[:first] + list(range(hits - rest))
    if first < false:
        order += [wrong[first]]
    return [*order, *range(hits - rest, hits), *wrong[first + 1 :]]


@pytest.mark.parametrize("entry", ["brown", "natural"])
@pytest.mark.parametrize("name", RELEVANT)
def test_published_fscores_of_reged_are_those_of_whole_numbers_of_members(name, entry):
    """One number of true members, and no other, gives the published Fscore to all its four digits.

    The entries were ranked lists of Fnum variables: true members, false ones, and some pairs of them in wrong order.
    """
    row = next(row for row in published("challenge") if row["id"] == name)
    fnum, fscore = int(row[f"{entry}_fnum"]), float(row[f"{entry}_fscore"])
    relevant = set(range(RELEVANT[name]))
    fits = set()
    for hits in range(min(fnum, len(relevant)) + 1):
        for before in range(hits * (fnum - hits) + 1):
            members = ranking(hits, fnum - hits, before)
            assert len(members) == fnum
            if round(fscore_sorted(members, relevant, 999), 4) == fscore:
                fits.add(hits)
    assert len(fits) == 1, fits
