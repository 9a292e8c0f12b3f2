"""All that is known of one variable, as pairs of a label and a text: what a click on its name shows."""

import json

from himation.report.values import SAME, DataSet, Direction, Variable
from himation.report.words import join, percent


def details(v: Variable, data: DataSet, names: dict[int, str]) -> list[tuple[str, str]]:
    """The evidence in the order of the steps that found it; ``names`` are those of the listed columns."""
    pairs = [("role", v.role), *_shares(v, data)]
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
        pairs.append(("in the oriented graphs, a spouse through", ", ".join(children)))
    pairs.append(("manipulated", "not known" if data.manipulation == "unknown" else _yes(v.manipulated)))
    pairs += _in_the_test_table(v, data)
    pairs.append(("selected", _yes(v.selected, v.reason)))
    if v.inclusion is not None:
        pairs.append(("used by", f"{percent(v.inclusion)} of the sampled networks"))
    if v.by_thesis or v.thesis_reason:
        pairs.append(("by the thesis's rule", _yes(v.by_thesis, v.thesis_reason)))
    return pairs


def as_json(data: DataSet) -> str:
    """The details of all listed variables by column, fit to stand inside a script element."""
    names = {v.column: v.name for v in data.variables}
    found = {v.column: details(v, data, names) for v in data.variables}
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _yes(value: bool, reason: str = "") -> str:
    return f"{'yes' if value else 'no'}{f'; {reason}' if reason else ''}"


def _shares(v: Variable, data: DataSet) -> list[tuple[str, str]]:
    roles = (("a parent", v.p_parent), ("a child", v.p_child), ("a spouse", v.p_spouse), ("an ancestor", v.p_ancestor))
    shown = [f"{role} in {percent(share)}" for role, share in roles if share]
    label = "in the sampled networks" if data.networks else "probability"
    return [(label, ", ".join(shown))] if shown else []


def _graphs(v: Variable) -> list[tuple[str, str]]:
    """What the oriented graphs say of the edge to the target."""
    shares = (("into the target", v.forward), ("out of the target", v.backward), ("undirected", v.undirected))
    said = [f"{percent(share)} {where}" for where, share in shares if share]
    if not said:
        return []
    absent = max(0.0, 1 - v.forward - v.backward - v.undirected)
    return [
        ("edge in the oriented graphs", ", ".join(said) + (f", {percent(absent)} absent" if absent >= 0.005 else ""))
    ]


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
    return pairs


def _in_the_test_table(v: Variable, data: DataSet) -> list[tuple[str, str]]:
    """What the test table says became of it."""
    if data.changes is None:
        return []
    row = next((row for row in data.changes.rows if row.column == v.column), None)
    same = row is None or row.verdict == SAME
    return [("in the test table", SAME if same else f"{row.verdict} (changed with probability {row.p_changed:.2f})")]


def _direction(known: Direction) -> str:
    if not known.tests:
        return "none"
    parts = [f"{known.tests:,}"]
    labels = (("best p-score", known.p_score), ("p of the dependence", known.p_dependent))
    parts += [f"{label} {value:.2g}" for label, value in labels if value is not None]
    if known.log_ratio is not None:
        parts.append(f"log-likelihood ratio {known.log_ratio:.1f}")
    return ", ".join(parts)
