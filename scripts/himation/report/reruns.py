"""The page of rerun experiments: one table for each, with the published figure beside ours."""

from pathlib import Path

ERRORS = 2.0  # standard errors of the rerun within which a published figure is alike
_HERE = Path(__file__).parent


def verdict(row: dict[str, str]) -> str:
    """ "alike" (within two standard errors of the rerun), "better", "worse", "differs"; "open" where the error is not
    known, as with one sample, and "" where nothing was published."""
    if not row["difference"]:
        return ""
    difference = float(row["difference"])
    if not row.get("error") and difference:
        return "open"
    if abs(difference) <= ERRORS * float(row.get("error") or 0) or not row["better"]:
        return "alike" if abs(difference) <= ERRORS * float(row.get("error") or 0) else "differs"
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
            word: sum(row["verdict"] == word for row in marked)
            for word in ("alike", "better", "worse", "differs", "open")
        }
        shown.append({"name": name, "about": about.get(name, ""), "rows": marked, "counts": counts})
    style = (_HERE / "style.css").read_text(encoding="utf-8")
    return environment.get_template("reruns.html.j2").render(tables=shown, style=style, errors=ERRORS)
