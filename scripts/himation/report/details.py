"""All that is known of one variable, as pairs of a label and a text: what a click on its name shows."""

import json

from himation.report.values import DataSet, Direction, Variable
from himation.report.words import join


def details(v: Variable, data: DataSet, names: dict[int, str]) -> list[tuple[str, str]]:
    """The evidence in the order of the steps that found it; ``names`` are those of the listed columns."""
    pairs = [("role", _role(v))]
    if v.depth is not None:
        pairs.append(("in the region", f"{v.depth} edge{'s' if v.depth > 1 else ''} from the target"))
    if v.ranks:
        pairs.append(("found by", ", ".join(f"{method} (rank {rank})" for method, rank in v.ranks.items())))
    missing = [method.id for method in data.methods if method.id not in v.ranks]
    if v.ranks and missing:
        pairs.append(("not found by", ", ".join(missing)))
    if v.matters:
        pairs.append(("natural blanket", "member" if v.in_blanket else "not a member"))
    pairs += _graphs(v)
    pairs += _y_tests(v)
    if v.through:
        children = [f"{names.get(child, f'column {child}')} ({share:.2f})" for child, share in v.through]
        pairs.append(("spouse through", ", ".join(children)))
    if v.no_cause is not None:
        pairs.append(("cause of the target", f"probably not, {v.no_cause:.2f}" if v.no_cause > 0.5 else _likely(v)))
    pairs.append(("manipulated", _manipulated(v, data)))
    pairs.append(("selected", f"{'yes' if v.selected else 'no'}; {v.reason}" if v.reason else _yes(v.selected)))
    return pairs


def as_json(data: DataSet) -> str:
    """The details of all listed variables by column, fit to stand inside a script element."""
    names = {v.column: v.name for v in data.variables}
    found = {v.column: details(v, data, names) for v in data.variables}
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _likely(v: Variable) -> str:
    return f"probably, direct or not: {1 - v.no_cause:.2f}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%"


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _role(v: Variable) -> str:
    chances = (("parent", v.p_parent), ("child", v.p_child), ("spouse", v.p_spouse), ("confounded", v.p_confounded))
    shown = [f"P({name}) {value:.2f}" for name, value in chances if value]
    return f"{v.role}; {', '.join(shown)}" if shown else v.role


def _graphs(v: Variable) -> list[tuple[str, str]]:
    """What the oriented graphs say of the edge to the target."""
    shares = (("into the target", v.forward), ("out of the target", v.backward), ("undirected", v.undirected))
    said = [f"{_percent(share)} {where}" for where, share in shares if share]
    if not said:
        return []
    absent = max(0.0, 1 - v.forward - v.backward - v.undirected)
    return [("edge in the graphs", ", ".join(said) + (f", {_percent(absent)} absent" if absent >= 0.005 else ""))]


def _y_tests(v: Variable) -> list[tuple[str, str]]:
    pairs = []
    if v.edge is not None:
        pairs = [
            ("Y-tests: a parent", _direction(v.edge.causes)),
            ("Y-tests: a child", _direction(v.edge.caused)),
        ]
    elif v.parent_tests or v.child_tests:
        counted = ((v.parent_tests, v.parent_p_score, "parent"), (v.child_tests, v.child_p_score, "child"))
        pairs = [(f"Y-tests: a {role}", f"{n}, best p-score {p:.3g}") for n, p, role in counted if n]
    heads = [f"{n} at the {end}" for n, end in ((v.arrow_at_target, "target"), (v.arrow_at_variable, "variable")) if n]
    if heads:
        pairs.append(("colliders put an arrowhead", join(heads)))
    if v.p_confounded:
        pairs.append(("hidden common cause", f"probability {v.p_confounded:.2f}"))
    return pairs


def _direction(known: Direction) -> str:
    if not known.tests:
        return "none"
    parts = [f"{known.tests:,}"]
    labels = (("best p-score", known.p_score), ("p of the dependence", known.p_dependent))
    parts += [f"{label} {value:.2g}" for label, value in labels if value is not None]
    if known.log_ratio is not None:
        parts.append(f"log-likelihood ratio {known.log_ratio:.1f}")
    return ", ".join(parts)


def _manipulated(v: Variable, data: DataSet) -> str:
    if data.manipulation == "unknown":
        return "not known"
    return _yes(v.manipulated)
