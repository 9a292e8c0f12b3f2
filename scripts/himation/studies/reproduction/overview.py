"""The page of rerun experiments: one table for each, with the published figure beside ours."""

from pathlib import Path

from himation.studies.reproduction.verdicts import ERRORS, VERDICTS, of_row

_HERE = Path(__file__).parent
_STYLE = _HERE.parents[1] / "report" / "style.css"


def render(tables: list[tuple[str, list[dict[str, str]]]], about: dict[str, str]) -> str:
    """The page. ``tables`` are names and rows as rerun_table.py wrote them."""
    from jinja2 import Environment, FileSystemLoader, select_autoescape

    environment = Environment(loader=FileSystemLoader(_HERE), autoescape=select_autoescape(default=True))
    environment.filters["figure"] = lambda text: f"{float(text):.3g}" if text else ""
    shown = []
    for name, rows in tables:
        marked = [{**row, "verdict": of_row(row)} for row in rows]
        counts = {word: sum(row["verdict"] == word for row in marked) for word in VERDICTS}
        shown.append({"name": name, "about": about.get(name, ""), "rows": marked, "counts": counts})
    style = _STYLE.read_text(encoding="utf-8")
    return environment.get_template("overview.html.j2").render(tables=shown, style=style, errors=ERRORS)
