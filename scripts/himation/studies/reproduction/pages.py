"""The book: for each published table a page and a table of its figures beside ours, and an index over all.

Pages are Markdown, written from the tables beside them alone: `page` and `index` take what `judged` and `runs` gave.
"""

from collections import Counter
from collections.abc import Sequence

from himation.studies.reproduction.tables import SOURCES, TABLES, Published
from himation.studies.reproduction.verdicts import AGREES, DIFFERS, MIXED, OPEN, VERDICTS, of_row, summary

FIGURES = ("case", "measure", "published", "published_error", "rerun", "error", "better", "verdict", "note", "run")
RUNS = ("table", "rerun", "samples", "of", "seed", "date", "versions")
OURS = "ours"
GIVEN = "by construction"  # agreement that says nothing
STAND_IN = "other data"  # simulated, as those of the paper can't be had
_PLURAL = {AGREES: "agree", DIFFERS: "differ", OPEN: "open"}
_TABLES = {STAND_IN: "on other data"}
_INDEX = """\
# What of the papers reproduces

Every table and figure with results of the five papers behind this project, and what came out when its experiment was
run again. Written by `make reproduction`; no figure here was written by hand. Each table's page has the published
figures beside ours, with standard errors, and the same as a `.tsv`.

A figure **agrees** within two standard errors, rounding of the published one added; the errors are those of the rerun
and, where a paper prints the spread of its samples, of the published figure, together. It is **better**, **worse** or
(where neither direction is better) **different** where it is further away than chance gives with so few samples;
between the two, and with one sample, nothing can be told (**open**). A table is called by four fifths of its
figures of which something can be told, because published figures have errors of their own; else it is **mixed**. It is
open itself if that is half of its figures or less, and **by construction** where our simulation was given the figures;
where simulated tables stand in for data that can't be had (**other data**), its figures are a yardstick and no test.
Methods of our own, and other readings of a text, stand beside the published ones and are not judged. Many tables have
fewer samples here than the papers drew, as the last column says: their standard errors are large, and that a figure
agrees means the less, the larger its error is. Tables not run yet have the reruns that take longest, some
of them hours.
"""


def judged(table: Published, rows: Sequence[dict[str, str]], samples: int, run: str) -> list[dict[str, str]]:
    """Rows of FIGURES for the lines of a rerun, of the name ``run``, that belong to a table."""
    made = []
    for row in filter(table.has, rows):
        word = of_row(row, None if table.exact else samples, table.unit) if table.judges(row) else OURS
        theirs = row.get("published_error", "")
        figures = (row["published"], theirs, row["rerun"], row.get("error", ""), row["better"])
        values = (row["case"], row["measure"], *figures, word, row["note"], run)
        made.append(dict(zip(FIGURES, values, strict=True)))
    return made


def page(table: Published, figures: Sequence[dict[str, str]], runs: Sequence[dict[str, str]]) -> str:
    """The page of one table."""
    lines = [f"# {table.source}, {table.printed}: {table.about}", ""]
    lines += [f"**{called(table, figures)}**: {counted(figures)}.", ""]
    for run in runs:
        drawn = f"{run['samples']} of {run['of']} samples for each case, seed {run['seed']}"
        drawn = "no samples needed" if table.exact else drawn
        lines.append(f"- Rerun `{run['rerun']}`, {drawn}, {run['date']}: {run['versions']}.")
    missing = [name for name in table.reruns if name not in {run["rerun"] for run in runs}]
    lines += [f"- Not run yet: `{'`, `'.join(missing)}`."] if missing else []
    lines += [f"- Why figures differ: {table.causes}"] if table.causes else []
    lines += [f"- Not rerun: {table.reason}"] if table.reason else []
    notes = sorted({row["note"] for row in figures} - {""})
    number = {note: str(i + 1) for i, note in enumerate(notes)}
    head = ["case", "measure", "published", "ours", "standard error", "verdict", *(["note"] if notes else [])]
    lines += ["", "| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for row in figures:
        theirs = _short(row["published"]) + (f" ± {_short(row['published_error'])}" if row["published_error"] else "")
        shown = (row["case"], row["measure"], theirs, _short(row["rerun"]), _short(row["error"]))
        last = [number.get(row["note"], "")] if notes else []
        lines.append("| " + " | ".join([*map(_escaped, shown), row["verdict"], *last]) + " |")
    lines += ["", "Notes:", "", *(f"{number[note]}. {_escaped(note)}" for note in notes)] if notes else []
    return "\n".join(lines) + "\n"


def index(figures: dict[str, Sequence[dict[str, str]]], runs: Sequence[dict[str, str]]) -> str:
    """The first page: every published table, with its verdict or the reason why it has none."""
    words = {name: called(TABLES[name], rows) for name, rows in figures.items()}
    counts = Counter(words.values())
    order = [word for word in (*VERDICTS[:-1], MIXED, OPEN, GIVEN, STAND_IN) if counts[word]]
    total = ", ".join(f"{counts[word]} {_TABLES.get(word) or _PLURAL.get(word, word)}" for word in order)
    lines = [_INDEX, f"Of {len(TABLES)} tables and figures, {len(figures)} are rerun: {total}.", ""]
    for key, source in SOURCES.items():
        lines += [
            f"## {source}",
            "",
            "| published | what it shows | verdict | figures | samples |",
            "|---|---|---|---|---|",
        ]
        for table in (t for t in TABLES.values() if t.name.split("-")[0] == key):
            lines.append(_entry(table, figures.get(table.name), [run for run in runs if run["table"] == table.name]))
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def _entry(table: Published, figures, runs) -> str:
    if figures is None and table.reruns:
        return f"| {table.printed} | {table.about} | not run yet | `{'`, `'.join(table.reruns)}` | |"
    if figures is None:
        return f"| {table.printed} | {table.about} | not rerun | {table.reason} | |"
    drawn = ", ".join(dict.fromkeys(f"{run['samples']} of {run['of']}" for run in runs))
    verdict = called(table, figures)
    name, about = f"[{table.printed}]({table.name}.md)", table.about
    return f"| {name} | {about} | **{verdict}** | {counted(figures)} | {'' if table.exact else drawn} |"


def called(table: Published, figures: Sequence[dict[str, str]]) -> str:
    """The verdict on a whole table."""
    if table.given or table.simulated:
        return GIVEN if table.given else STAND_IN
    return summary(row["verdict"] for row in figures)


def counted(figures: Sequence[dict[str, str]]) -> str:
    """How many figures there are of each verdict, in words.

    >>> counted([{"verdict": "agrees"}, {"verdict": "agrees"}, {"verdict": "worse"}, {"verdict": ""}])
    '2 agree, 1 worse'
    """
    counts = Counter(row["verdict"] for row in figures)
    told = [f"{counts[word]} {_PLURAL.get(word, word)}" for word in VERDICTS if counts[word]]
    return ", ".join(told) or "nothing that is judged"


def _short(figure: str) -> str:
    """Four digits, or a whole number in full.

    >>> _short("0.12345"), _short("139351.0"), _short("9734446170"), _short("")
    ('0.1235', '139,351', '9.734e+09', '')
    """
    if not figure:
        return ""
    value = float(figure)
    return f"{value:,.0f}" if 1_000 <= abs(value) < 1e7 else f"{value:.4g}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
