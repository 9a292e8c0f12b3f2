"""The last lines of a run: what to be careful about, of every data set, and the pages to look at."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from himation.files.atomic import read_json

MOST = 20  # lines; the page has all
PAGES = {
    "report.html": "the report, open it in a browser",
    "reruns.html": "published experiments beside ours",
    "submission.zip": "feature lists and predictions",
}


def last_lines(ids: Iterable[str], results="results") -> Iterator[str]:
    """Warnings, then the pages that there are."""
    yield from warnings_of(ids, results)
    for name, what in PAGES.items():
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
    yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"and {len(lines) - MOST} more warnings, on the page"
