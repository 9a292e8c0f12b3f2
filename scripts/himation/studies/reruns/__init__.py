"""Published experiments, rerun: each is a function that gives lines with the published figure beside ours.

``run(samples, seed, threads, progress) -> list[Line]``, in the module that `himation.rerun_list` names; it says
what there is. ``samples`` is how many data sets are drawn for each case. Published figures are facts from the papers,
kept in ``published/*.csv`` beside this file.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import stdev

TUNED = "simulated data; the simulator's constants were chosen by looking at the published figures of difficulty"


@dataclass(frozen=True)
class Line:
    """One figure: of which case, which measure, as published (None where it was not), as rerun, and what to know.

    ``better`` says whether a larger figure is better ("high"), a smaller one ("low"), or neither (""). ``error`` is the
    standard error of the rerun's figure over its samples, None where there is one sample or the figure is no mean.
    """

    case: str
    measure: str
    published: float | None
    rerun: float
    better: str = ""
    note: str = ""
    error: float | None = None


def error_of(figures: Sequence[float]) -> float | None:
    """The standard error of a mean.

    >>> error_of([1.0, 3.0]), error_of([1.0])
    (1.0, None)
    """
    return stdev(figures) / len(figures) ** 0.5 if len(figures) > 1 else None


def published(name: str) -> list[dict[str, str]]:
    """Rows of a table of published figures."""
    with (Path(__file__).parent / "published" / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))
