"""After a run that failed: which data set, which step, why, and the command that repeats it, from the logs."""

import re
from dataclasses import dataclass
from pathlib import Path

DONE, FAILED = "done in", "failed after"  # how the last line of a log begins, after the time
_KILLED = "stopped without a word: killed, cancelled, or out of memory or time"
_TIME = re.compile(r"^\d\d:\d\d:\d\d ")


@dataclass(frozen=True)
class Failure:
    """One step that did not come to its end."""

    step: str
    dataset: str
    why: str
    command: str

    def __str__(self) -> str:
        of = f" of data set {self.dataset!r}" if self.dataset else ""
        return f"{self.step}{of} failed: {self.why}\n  to repeat it: {self.command}"


def failures(results, since: float) -> list[Failure]:
    """What the logs below ``results`` that were written after ``since`` (seconds of the epoch) say of failures."""
    logs = [path for path in Path(results).glob("**/logs/*.log") if path.stat().st_mtime >= since]
    found = [_failure(path, Path(results)) for path in sorted(logs)]
    return [failure for failure in found if failure]


def _failure(path: Path, results: Path) -> Failure | None:
    lines = [_TIME.sub("", line) for line in path.read_text(encoding="utf-8", errors="replace").splitlines()]
    if not lines or not lines[0].startswith("command: ") or lines[-1].startswith(DONE):
        return None
    step = path.name.removesuffix(".log")
    dataset = path.relative_to(results).parts[0]
    why = lines[-2] if lines[-1].startswith(FAILED) and len(lines) > 2 else _KILLED
    command = lines[0].removeprefix("command: ")
    return Failure(step, "" if dataset == "logs" else dataset, why.removeprefix(f"{step.split('.')[0]}: "), command)
