"""Run Snakemake, keep all it says in a file, and show only how far it is."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

_STEP = re.compile(r"\d+ of \d+ steps done.*")
_TROUBLE = re.compile(
    r"failed: |^  to repeat it: |^config: |^data set |: can't be |Directory cannot be locked|^\S+: .*; "
)
_LAST = 5


def command(project: Path, folder: Path, configuration: Path, cores: str) -> list[str]:
    """Snakemake on one configuration, with all results in ``folder``."""
    words = [sys.executable, "-m", "snakemake", "--snakefile", str(project / "Snakefile")]
    words += ["--directory", str(folder), "--configfile", str(configuration), "--cores", cores]
    return [*words, "--workflow-profile", str(project / "profiles/default")]


def follow(words: list[str], log: Path, tell: Callable[[str], None]) -> list[str]:
    """Run it to its end; gives the lines that say what went wrong, none if nothing did."""
    said: list[str] = []
    with (
        open(log, "w", encoding="utf-8", buffering=1) as kept,
        subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
        ) as process,
    ):
        for line in process.stdout:
            kept.write(line)
            said.append(line.rstrip())
            step = progress(line)
            if step:
                tell(step)
    return list(_trouble(said)) if process.returncode else []


def progress(line: str) -> str:
    """The line that a step's end leaves (`himation.command.terminal`); empty for others.

    >>> progress("3 of 12 steps done in 5 s"), progress("Error in rule score:")
    ('3 of 12 steps done in 5 s', '')
    """
    found = _STEP.search(line)
    return found[0] if found else ""


def _trouble(said: list[str]) -> Iterator[str]:
    """The lines that name a failure; where there is none, the last ones."""
    named = [line for line in said if _TROUBLE.search(line)]
    yield from named[-2 * _LAST :] or [line for line in said if line.strip()][-_LAST:]
