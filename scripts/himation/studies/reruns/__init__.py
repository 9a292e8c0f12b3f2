"""Published experiments, rerun: each is a function that gives lines with the published figure beside ours.

``run(samples, seed, threads, progress) -> list[Line]``, in the module that `himation.rerun_list` names.
``samples`` is how many data sets are drawn for each case. Published figures are facts from the papers,
kept in ``published/*.csv`` beside this file.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import stdev

import numpy as np

TUNED = "simulated data; the simulator's constants were chosen by looking at the published figures of difficulty"


@dataclass(frozen=True)
class Line:
    """One figure: of which case, which measure, as published (None where it was not), as rerun, and what to know.

    ``better`` says whether a larger figure is better ("high"), a smaller one ("low"), or neither (""). ``error`` is the
    standard error of the rerun's figure over its samples, None where there is one sample or the figure is no mean;
    ``published_error`` that of the published one, where a spread over samples is printed.
    """

    case: str
    measure: str
    published: float | None
    rerun: float
    better: str = ""
    note: str = ""
    error: float | None = None
    published_error: float | None = None


COLUMNS = ("case", "measure", "published", "rerun", "difference", "error", "better", "note", "published_error")


def rows_of(lines: Sequence[Line]) -> list[list]:
    """Lines as rows of a table with COLUMNS."""
    rows = []
    for line in lines:
        difference = None if line.published is None else line.rerun - line.published
        facts = (line.case, line.measure, line.published, line.rerun, difference, line.error, line.better, line.note)
        rows.append([*facts, line.published_error])
    return rows


def error_of(figures: Sequence[float]) -> float | None:
    """The standard error of a mean.

    >>> error_of([1.0, 3.0]), error_of([1.0])
    (1.0, None)
    """
    return stdev(figures) / len(figures) ** 0.5 if len(figures) > 1 else None


def mean_of(
    figures: Sequence[float], case: str, measure: str, known: float | None = None, better: str = "", note: str = ""
) -> Line:
    """The line of a mean, with its standard error.

    >>> line = mean_of([1, 3], "case", "measure")
    >>> line.rerun, line.error
    (2.0, 1.0)
    """
    figures = [float(figure) for figure in figures]
    return Line(case, measure, known, float(np.mean(figures)), better, note, error_of(figures))


def published(name: str) -> list[dict[str, str]]:
    """Rows of a table of published figures."""
    with (Path(__file__).parent / "published" / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))
