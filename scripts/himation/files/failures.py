"""After a run that failed: which data set, which step and what it is about, why, and the command that repeats it.

Snakemake knows which jobs failed; their logs say why, where there is one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from himation.errors import DONE, FAILED
from himation.steps import ABOUT

_KILLED = "stopped without a word: killed, cancelled, or out of memory or time"
_LATE = "ended after its last line: killed then, or a result did not arrive"
_NO_LOG = "stopped before its first line: not started, killed, or its log could not be written"
_TIME = re.compile(r"^\d\d:\d\d:\d\d ")


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

    Logs from before ``since`` (seconds of the epoch) are of an earlier run. In a group of jobs, those that were done
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
    lines = _lines(log, since) if log else []
    if not lines:
        why = _NO_LOG
    elif lines[-1].startswith(DONE):
        why = _LATE
    elif lines[-1].startswith(FAILED) and len(lines) > 2:
        why = lines[-2].removeprefix(f"{job.rule.name}: ")
    else:
        why = _KILLED
    command = lines[0].removeprefix("command: ") if lines else " ".join((job.shellcmd or "").split())
    return Failure(_what(job.wildcards), step, why, command)


def _what(wildcards) -> str:
    """The data set or the training table of a job, if it has one."""
    place = getattr(wildcards, "id", "") or getattr(wildcards, "place", "")
    table = getattr(wildcards, "table", "") or place.partition("training/")[2]
    return f"training table {table!r}" if table else f"data set {place!r}" if place else ""


def _lines(log, since: float) -> list[str]:
    """The lines of a log that begins with its command, without the times."""
    try:
        if Path(log).stat().st_mtime < since:
            return []
        lines = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    lines = [_TIME.sub("", line) for line in lines]
    return lines if lines and lines[0].startswith("command: ") else []
