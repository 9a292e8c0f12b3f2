"""The page's section with the scoreboard of a rerun of the challenge."""

from importlib import resources

from himation.scoring import ALL, NATURAL, THESIS

# Columns of the table and their titles on the page.
SHOWN = {
    "Fnum": "variables",
    "Fscore": "Fscore",
    "Dscore": "Dscore",
    "Tscore": "Tscore",
    "relative Tscore": "relative",
    "Tmax": "Tmax",
    NATURAL: "natural blanket",
    ALL: "all variables",
    THESIS: "thesis's rule",
    "published top": "2008: best",
    "published Tmax": "2008: Tmax",
    "Brown": "Brown",
    "Brown, natural blanket": "Brown, natural",
    "Cawley": "Cawley",
    "Chang and Lin": "Chang, Lin",
    "Yin and Geng": "Yin, Geng",
    "HITON-PC, linear SVM": "HITON-PC",
}


def board_section(lines: list[dict[str, str]]) -> str:
    """The section as HTML; ``lines`` are the rows of write_scoreboard.py's table, as text."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["figure"] = _figure
    columns = [(key, title) for key, title in SHOWN.items() if any(line.get(key) for line in lines)]
    text = resources.files("himation.report").joinpath("board.html.j2").read_text(encoding="utf-8")
    simulated = any(line["data"] == "simulated" for line in lines)
    return environment.from_string(text).render(lines=lines, columns=columns, simulated=simulated)


def _figure(text: str | None, key: str) -> str:
    """A cell: whole numbers of variables, three decimals of scores, nothing where nothing is known.

    >>> _figure("0.98765", "Tscore"), _figure("12.0", "Fnum"), _figure("", "Tscore")
    ('0.988', '12', '')
    """
    if not text:
        return ""
    return f"{float(text):.0f}" if key == "Fnum" else f"{float(text):.3f}"
