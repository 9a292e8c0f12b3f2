"""The scoreboard of a rerun of the 2008 challenge: our scores of every task and version beside the published ones.

A task's rank in the challenge went by the mean Tscore of its three versions, so the board has a line with the means
for every task whose three versions are there, and, for several such tasks, the means over tasks by version. With
nothing manipulated the rule of the thesis takes the natural blanket, which stands in its column there. Published are
the best entry, the best score made with knowledge of the true causes (Tmax), Brown's final entry and the natural
blanket everywhere (tables V-1 and V-2 of the thesis), three further entrants, and the organisers' HITON-PC with a
linear SVM. On simulated data the published figures are a yardstick, not a contest.

>>> scores = [{"score": "Tscore", "of": "selected variables", "value": "0.9"}]
>>> board([("reged1", scores, True)])[0]["published top"]
0.989
"""

import re
from collections.abc import Iterable

from himation.scoring import ALL, NATURAL, THESIS
from himation.studies.reruns import published
from himation.task_names import KNOWING, OURS, TASKS

COMPARED = (NATURAL, ALL, THESIS)
OWN = ("Fnum", "Fscore", "Fscore unsorted", "Dscore", "Tscore", "error", "relative Tscore", "Tmax", *COMPARED)
ENTRIES = {
    "top": "published top",
    "tmax": "published Tmax",
    "brown": "Brown",
    "brown_natural": "Brown, natural blanket",
    "cawley": "Cawley",
    "chang_lin": "Chang and Lin",
    "yin_geng": "Yin and Geng",
    "hiton_svm": "HITON-PC, linear SVM",
    "brown_fnum": "Brown Fnum",
    "brown_fscore": "Brown Fscore",
    "brown_dscore": "Brown Dscore",
}
COLUMNS = ("id", "task", "version", "data", *OWN, *ENTRIES.values())
_AVERAGED = ("Fscore", "Fscore unsorted", "Dscore", "Tscore", "relative Tscore", "Tmax", *COMPARED)
ALL_TASKS = "all tasks"
_NAME = re.compile(rf"({'|'.join(TASKS)})([012])")


def challenge_name(name: str) -> tuple[str, int] | None:
    """Task and version of a data set that is named after them; None for any other."""
    match = _NAME.fullmatch(name)
    return (match[1], int(match[2])) if match else None


def board(results: Iterable[tuple[str, list[dict[str, str]], bool]]) -> list[dict]:
    """One line for each data set and one with the means of each complete task.

    ``results`` are the data set's id, the rows of its scores.tsv (none if it has no test labels), and whether the data
    were simulated.
    """
    figures = {row["id"]: row for row in published("challenge")}
    lines, tasks = [], {}
    for name, scores, simulated in results:
        task, version = challenge_name(name)
        line = dict.fromkeys(COLUMNS) | {"id": name, "task": task, "version": version}
        line |= {"data": "simulated" if simulated else "challenge", **_own(scores)}
        line |= {ENTRIES[key]: float(figures[name][key]) for key in ENTRIES if name in figures}
        if version == 0 and line[THESIS] is None:
            line[THESIS] = line[NATURAL]
        tasks.setdefault(task, []).append(line)
    for task, members in tasks.items():
        members.sort(key=lambda line: line["version"])
        lines += members
        if len(members) == 3:
            lines.append(_mean(task, "mean", members))
    whole = [members for members in tasks.values() if len(members) == 3]
    if len(whole) > 1:
        lines += [_mean(ALL_TASKS, version, [members[version] for members in whole]) for version in range(3)]
    return lines


def _own(scores: list[dict[str, str]]) -> dict[str, float | None]:
    found = {}
    true = []
    for row in scores:
        value = float(row["value"])
        if row["of"] == OURS and row["score"] in OWN:
            found[row["score"]] = value
            if row["score"] == "Tscore" and row.get("error"):
                found["error"] = float(row["error"])
        elif row["score"] == "Tscore" and row["of"] in COMPARED:
            found[row["of"]] = value
        elif row["score"] == "Tscore" and row["of"] in KNOWING:
            true.append(value)
    return found | ({"Tmax": max(true)} if true else {})


def _mean(task: str, version: str | int, members: list[dict]) -> dict:
    line = dict.fromkeys(COLUMNS) | {"id": task, "task": task, "version": version, "data": members[0]["data"]}
    for key in (*_AVERAGED, *(ENTRIES[key] for key in ENTRIES if not key.endswith("fnum"))):
        values = [member[key] for member in members]
        if None not in values:
            line[key] = sum(values) / len(values)
    return line
