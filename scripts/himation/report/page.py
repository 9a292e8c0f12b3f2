"""Put the page together from the collected values."""

from importlib import resources

from himation.report import change_words, effects, figures, more_figures, words
from himation.report.board import board_section
from himation.report.change_figures import before_and_after
from himation.report.details import as_json
from himation.report.methods_text import methods_text
from himation.report.neighbourhood import drawn, neighbourhood, wanting
from himation.report.reliability import pool
from himation.report.svg import drawing_style
from himation.report.values import ROLES, DataSet, Step
from himation.report.verdict import verdict_lines

_ROLE_WORDS = {
    "parent": "Parent: a direct cause of the target. It predicts under every manipulation.",
    "child": "Child: a direct effect of the target. It stops predicting when it is manipulated.",
    "spouse": "Spouse: another cause of a child. It predicts only together with that child.",
    "undirected": "Undirected: a neighbour; the data do not say which way the edge points.",
    "confounded": "Confounded: associated through a common cause that was not measured.",
}


def render(sets: list[DataSet], run: dict, scoreboard=()) -> str:
    """The whole page as text; ``scoreboard`` are the rows of write_scoreboard.py's table."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    with drawing_style():
        pictures = {data.id: _pictures(data) for data in sets}
        overview = figures.overview(sets) if len(sets) > 1 and any(d.outlook or d.achieved for d in sets) else ""
        trust = pool(sets)
        reliability = more_figures.reliability(trust) if trust else ""
    options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    environment = Environment(autoescape=True, loader=FunctionLoader(_text), **options)
    environment.filters.update(decimals=_decimals, p=_p_value, number=words.number, percent=words.percent)
    return environment.get_template("page.html.j2").render(
        sets=sets,
        run=run,
        configuration=_yaml(run.get("configuration", {})),
        style=Markup(_text("style.css")),
        script=Markup(_text("pdf.js") + _text("page.js")),
        pictures={name: {key: Markup(svg) for key, svg in found.items()} for name, found in pictures.items()},
        overview=Markup(overview),
        trust=trust,
        reliability=Markup(reliability),
        scoreboard=Markup(board_section(scoreboard) if scoreboard else ""),
        verdicts={data.id: _verdict(data) for data in sets},
        lines={data.id: verdict_lines(data) for data in sets},
        methods={data.id: methods_text(data, run) for data in sets},
        whys={data.id: words.why(data) for data in sets},
        theses={data.id: words.thesis(data) for data in sets},
        details={data.id: Markup(as_json(data)) for data in sets},
        words=words,
        change_words=change_words,
        effect_sentence=effects.sentence,
        roles=ROLES,
        role_words=_ROLE_WORDS,
        undrawn={data.id: _undrawn(data) for data in sets},
        steps=_step_table(sets),
        totals=[_total(data) for data in sets],
    )


def _text(name: str) -> str:
    return resources.files("himation.report").joinpath(name).read_text(encoding="utf-8")


def _verdict(data: DataSet) -> str:
    """Two sentences, and what the test table says where there is one."""
    return " ".join(filter(None, (*words.verdict(data), change_words.sentence(data))))


def _pictures(data: DataSet) -> dict[str, str]:
    """The figures; empty where there is nothing to show."""
    keys = ("neighbourhood", "narrow", "effects", "rivals", "agreement", "candidates", "noise", "roc", "scores")
    found = dict.fromkeys(keys, "")
    if drawn(data):
        found["neighbourhood"] = neighbourhood(data)
        found["narrow"] = neighbourhood(data, narrow=True)
    if sum(bool(method.members) for method in data.methods) > 1:
        found["agreement"] = figures.agreement(data.methods, f"{data.id}-agreement")
    if data.candidates:
        found["candidates"] = figures.intervals(
            [candidate.auc for candidate in data.candidates],
            [candidate.chosen for candidate in data.candidates],
            "AUC on rows held out from search and fit",
            f"{data.id}-candidates",
            "Candidate sets by their AUC on rows held out, with two standard errors.",
        )
    for row in data.changes.shown if data.changes else ():
        found[f"changed-{row.column}"] = before_and_after(row, f"{data.id}-changed-{row.column}")
    if len(data.rivals) > 1 and data.under:
        found["rivals"] = more_figures.rivals(data.rivals, f"{data.id}-rivals")
    if data.effects:
        found["effects"] = effects.picture(data.effects, data.positive, f"{data.id}-effects")
    if data.noise:
        found["noise"] = more_figures.noise(data.noise, f"{data.id}-noise")
    if data.curves:
        found["roc"] = figures.roc(data.curves, f"{data.id}-roc")
    if data.achieved and data.references:
        found["scores"] = figures.intervals(
            [data.achieved, *data.references],
            [True] + [False] * len(data.references),
            "AUC on the test table",
            f"{data.id}-scores",
            "AUC on the test table of our model and of reference models, with two standard errors.",
        )
    return found


def _undrawn(data: DataSet) -> int:
    """Variables with a role, or in the model, that the drawing has no room for."""
    return len(wanting(data)) - len(drawn(data))


def _step_table(sets: list[DataSet]) -> list[tuple[str, list]]:
    """Name of a step, and its time and memory in each data set (None: it did not run there)."""
    names = list(dict.fromkeys(step.name for data in sets for step in data.steps))
    by_set = [{step.name: step for step in data.steps} for data in sets]
    return [(name, [known.get(name) for known in by_set]) for name in names]


def _total(data: DataSet) -> Step:
    """Time of all steps, and the most memory that one of them took."""
    seconds = sum(step.seconds or 0.0 for step in data.steps)
    return Step("all", seconds, max((step.megabytes or 0.0 for step in data.steps), default=0.0))


def _decimals(value: float) -> str:
    return f"{value:.2f}"


def _p_value(value: float) -> str:
    """A p-score, short: three decimals, or the power of ten.

    >>> _p_value(0.0123), _p_value(0.00002)
    ('0.012', '2.0e-05')
    """
    return f"{value:.3f}" if value >= 0.001 or value == 0 else f"{value:.1e}"


def _yaml(configuration: dict) -> str:
    import yaml

    return yaml.safe_dump(configuration, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
