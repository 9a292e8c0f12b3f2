"""The page of rerun experiments: one table for each, with the published figure beside ours."""

from pathlib import Path

TOLERANCE = 0.05
_HERE = Path(__file__).parent


def verdict(row: dict[str, str]) -> str:
    """ "better", "worse", "alike" (within 0.05), or "" where nothing was published."""
    if not row["difference"]:
        return ""
    difference = float(row["difference"])
    if abs(difference) <= TOLERANCE or not row["better"]:
        return "alike" if abs(difference) <= TOLERANCE else "differs"
    return "better" if (difference > 0) == (row["better"] == "high") else "worse"


def render(tables: list[tuple[str, list[dict[str, str]]]], about: dict[str, str]) -> str:
    """The page. ``tables`` are names and rows as rerun_table.py wrote them."""
    from jinja2 import Environment, FileSystemLoader, select_autoescape

    environment = Environment(loader=FileSystemLoader(_HERE), autoescape=select_autoescape(default=True))
    environment.filters["figure"] = lambda text: f"{float(text):.3g}" if text else ""
    shown = []
    for name, rows in tables:
        marked = [{**row, "verdict": verdict(row)} for row in rows]
        counts = {
            word: sum(row["verdict"] == word for row in marked) for word in ("alike", "better", "worse", "differs")
        }
        shown.append({"name": name, "about": about.get(name, ""), "rows": marked, "counts": counts})
    style = (_HERE / "style.css").read_text(encoding="utf-8")
    return environment.get_template("reruns.html.j2").render(tables=shown, style=style, tolerance=TOLERANCE)
