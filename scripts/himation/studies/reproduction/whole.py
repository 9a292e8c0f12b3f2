"""Runs of the whole workflow with the preset `thesis`, as lines of a rerun: tables V-1 and V-2, and figure V-4.

The answers of the challenge's test tables are with its organisers, so that tables V-1 and V-2 stand beside simulated
tasks; what REGED's own training table and its true graph decide stands beside the real one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from himation.studies.reruns import TUNED, Line, published

MEASURES = {"Fnum": "", "Fscore": "high", "Dscore": "high", "Tscore": "high"}
OF = "selected variables"
_FINAL = {"Fnum": "brown_fnum", "Fscore": "brown_fscore", "Dscore": "brown_dscore", "Tscore": "brown"}
_NATURAL = {"Fnum": "natural_fnum", "Fscore": "natural_fscore", "Dscore": "natural_dscore", "Tscore": "brown_natural"}
SMALL = "smaller than the challenge's; " + TUNED
Scores = Sequence[Mapping[str, str]]  # rows of scores.tsv


def of_challenge(final: Mapping[str, Scores], natural: Mapping[str, Scores]) -> list[Line]:
    """Tables V-1 and V-2 from the scores of simulated tasks, by the names that these have in the challenge."""
    both = (("V-1", _FINAL, final), ("V-2", _NATURAL, natural))
    return [line for table, columns, scores in both for line in _scored(table, columns, scores, MEASURES, SMALL)]


def of_reged(scores: Mapping[str, Scores], groups: Iterable[Mapping[str, str]]) -> list[Line]:
    """What can be scored on REGED's own tables without their test labels, and the groups of figure V-4 (h)."""
    lines = [
        replace(line, error=line.error or 0.0)
        for line in _scored("V-1", _FINAL, scores, ("Fnum", "Fscore", "Dscore"), "")
    ]
    known: dict[str, set[int]] = {}
    for row in published("thesis_v_4"):
        known.setdefault(row["group"], set()).add(int(row["variable"]))
    found: dict[str, set[int]] = {group: set() for group in known}
    for row in groups:
        found[row["group"]].add(int(row["column"]))
    known["neighbour"], found["neighbour"] = (set().union(*some.values()) for some in (known, found))
    for group, variables in known.items():
        counts = (len(variables), len(found[group] & variables)), (0, len(found[group] - variables))
        for measure, (printed, ours) in zip((f"of the {len(variables)} published", "others"), counts, strict=True):
            better = "low" if measure == "others" else "high"
            lines.append(Line(f"Figure V-4: {group}", measure, float(printed), float(ours), better, error=0.0))
    return lines


def _scored(table: str, columns: Mapping[str, str], scores: Mapping[str, Scores], measures, note: str) -> list[Line]:
    lines = []
    for row in published("challenge"):
        ours = {one["score"]: one for one in scores.get(row["id"], ()) if one["of"] == OF}
        for measure in measures:
            if measure in ours:
                error = float(ours[measure]["error"]) if ours[measure].get("error") else None
                values = float(row[columns[measure]]), float(ours[measure]["value"])
                lines.append(Line(f"{table}: {row['id'].upper()}", measure, *values, MEASURES[measure], note, error))
    return lines
