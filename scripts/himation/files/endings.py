"""The words at the end of a run.

After one that failed: which data set, which step and what it is about, why, and the command that repeats it. Snakemake
knows which jobs failed; why is in the notes that commands leave beside their logs. After any other: what to be careful
about, of every data set, and the pages to look at.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from himation.files.atomic import read_json
from himation.files.outcomes import DONE, STARTED, noted
from himation.steps import ABOUT

MOST_WARNINGS = 20  # the page has all
_PAGES = {
    "report.html": "the report, open it in a browser",
    "reruns.html": "published experiments beside ours",
    "submission.zip": "feature lists and predictions",
}
_KILLED = "killed or cancelled, or it ran out of memory or time"
_LATE = "stopped when it was done: killed then, or a result did not arrive"
_NO_NOTE = "not started, or killed at once, or its log could not be written"


@dataclass(frozen=True, order=True)
class Failure:
    """One step that did not come to its end."""

    dataset: str
    step: str
    why: str
    command: str

    def __str__(self) -> str:
        of = f" of {self.dataset}" if self.dataset else ""
        about = ABOUT.get(self.step.partition(".")[0], "")
        return f"{self.step}{of}{f' ({about})' if about else ''} failed: {self.why}\n  to repeat it: {self.command}"


def failures(jobs: Iterable, since: float) -> list[Failure]:
    """What is known of the jobs that Snakemake says have failed.

    Notes from before ``since`` (seconds of the epoch) are of an earlier run. In a group of jobs, those that were done
    are not to blame, unless all were.
    """
    told = []
    for job in jobs:
        members = [_failure(member, since) for member in getattr(job, "jobs", [job])]
        told += [failure for failure in members if failure.why != _LATE] or members
    return sorted(told)


def _failure(job, since: float) -> Failure:
    log = next(iter(job.log), None)
    step = Path(log).name.removesuffix(".log") if log else job.rule.name
    facts = noted(log, since) if log else {}
    why = facts.get("why") or {DONE: _LATE, STARTED: _KILLED}.get(facts.get("state", ""), _NO_NOTE)
    return Failure(_what(job.wildcards), step, why, facts.get("command") or " ".join((job.shellcmd or "").split()))


def _what(wildcards) -> str:
    """The data set or the training table of a job, if it has one."""
    place = getattr(wildcards, "id", "") or getattr(wildcards, "place", "")
    table = getattr(wildcards, "table", "") or place.partition("training/")[2]
    return f"training table {table!r}" if table else f"data set {place!r}" if place else ""


def last_lines(ids: Iterable[str], results="results") -> Iterator[str]:
    """Warnings, then the pages that there are."""
    yield from warnings_of(ids, results)
    for name, what in _PAGES.items():
        path = Path(results, name).resolve()
        if path.is_file():
            yield f"{path}: {what}"


def warnings_of(ids: Iterable[str], results="results") -> Iterator[str]:
    """A line for each warning in the data sets' model.json, the verdict that nothing was found among them."""
    lines = []
    for name in ids:
        facts = read_json(Path(results) / name / "model.json", missing={})
        if not facts.get("above_chance", True):
            lines.append(f"{name}: nothing was found, the expected AUC may be that of chance")
        lines += [f"{name}: {text}" for text in facts.get("warnings", [])]
    yield from lines[:MOST_WARNINGS]
    if len(lines) > MOST_WARNINGS:
        yield f"and {len(lines) - MOST_WARNINGS} more warnings, on the page"
