"""Read the result files of a data set into the values that the page shows.

Only the prepared data, roles.tsv and selection.json must be there; what any other file would have shown is left out
when it is missing. Rows are kept only for variables that matter, so that a page of many large data sets stays small.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from himation.errors import UserError
from himation.files import prepared
from himation.files.atomic import read_json, tsv_rows
from himation.files.texts import listed
from himation.prepare.assembling import NAMING_ROWS
from himation.report.effects import read_effects
from himation.report.gather_changes import read_changes
from himation.report.gather_evidence import (
    columns_of,
    judge,
    read_variables,
    read_y_tests,
    true_roles,
    worth_a_row,
)
from himation.report.gather_model import (
    model_facts,
    read_curves,
    read_model,
    read_networks,
    read_rivals,
    read_scores,
    read_steps,
    under_manipulation,
)
from himation.report.thin_tests import unreliable_tests
from himation.report.values import SET, Association, Candidate, DataSet, Measured, Method, Noise
from himation.table import Table
from himation.task_names import OURS

MOST_FEATURES = 12


def collect(results, name: str, truth=None) -> DataSet:
    """All that the page shows of the data set ``name`` in the folder ``results``; ``truth`` is a table of edges."""
    folder = Path(results) / name
    for needed in ("data/facts.json", "roles.tsv", "selection.json"):
        if not (folder / needed).is_file():
            raise UserError(f"{folder / needed}: not found; run snakemake first, or leave {name!r} out of --ids")
    table = prepared.load(folder / "data")
    selection = read_json(folder / "selection.json")
    methods = _methods(folder, table)
    natural = columns_of(folder / "natural_blanket.tsv")
    variables = read_variables(folder, selection, methods, natural)
    changes = read_changes(folder, table, selection, {v.column for v in variables if v.selected})
    if changes and changes.used:
        was_set = {row.column for row in changes.having(SET)}
        variables = [replace(v, manipulated=v.column in was_set) for v in variables]
    worthy = worth_a_row(variables)
    scores = tuple(read_scores(folder / "scores.tsv"))
    tested = [Measured(s.of, s.value, s.error, s.note) for s in scores if s.score == "Tscore"]
    facts = model_facts(folder)
    expected, model_note = read_model(folder, facts)
    y_tests, n_y_tests, n_target = read_y_tests(folder / "y_tests.tsv")
    judged, missed = _judged(variables, table, truth)
    told = (*selection["warnings"], *facts.get("warnings", table.warnings), *unreliable_tests(table))
    return DataSet(
        id=name,
        target=table.target_name,
        facts=tuple(_facts(table)),
        n_variables=table.n_variables,
        variables=worthy,
        unlisted=max(0, table.n_variables - len(worthy)),
        rule=selection["rule"],
        manipulation=selection["manipulation"],
        n_manipulated=len(selection["manipulated"]),
        fallback=selection.get("fallback", False),
        blanket_size=len(natural),
        association=_association(folder / "association.json"),
        methods=methods,
        blanket_note=_origin(natural, methods),
        candidates=_candidates(folder / "candidates.tsv") if facts.get("folds") else (),
        y_tests=y_tests,
        n_y_tests=n_y_tests,
        n_target_y_tests=n_target,
        expected=expected,
        model_note=model_note,
        under=under_manipulation(selection, facts),
        rivals=read_rivals(selection, facts),
        lucky=not facts.get("above_chance", True),
        measured=_how_measured(facts),
        stability=_stability(folder / "stability.tsv"),
        networks=read_networks(selection, {v.column: v.name for v in variables}),
        panels=tuple(panel["networks"] for panel in selection.get("panels", []) if "networks" in panel),
        judged=judged,
        missed=missed,
        noise=_noise(folder / "data" / prepared.NOISE),
        achieved=next((row for row in tested if row.label == OURS), None),
        references=tuple(row for row in tested if row.label != OURS),
        scores=scores,
        curves=read_curves(folder, name, table),
        changes=changes,
        effects=read_effects(folder / "effects.tsv") if (folder / "effects.tsv").is_file() else None,
        positive=_event(table.target_name, table.labels.get(1, "1")),
        warnings=tuple(dict.fromkeys(text for text in told if not text.startswith(NAMING_ROWS))),
        steps=tuple(read_steps(folder)),
    )


def _event(target: str, label: str) -> str:
    """What the probability of the positive class is one of.

    >>> _event("state", "malignant"), _event("am", "1"), _event("size", "> 3.5")
    ('malignant', 'am = 1', 'size > 3.5')
    """
    if label.startswith(("<", ">")):
        return f"{target} {label}"
    return f"{target} = {label}" if label[:1].isdigit() or label[:1] in "-." else label


def _how_measured(facts: dict) -> str:
    """How the AUC to expect was made, in a sentence or two."""
    if not facts.get("folds"):
        return ""
    told = f"{facts['measured'][:1].upper()}{facts['measured'][1:]}."
    if facts.get("permutations"):
        times = f"{facts['permutations']} tables with permuted labels"
        told += f" Among {times} luck did as well with a probability of {facts['p_value']:.3f}."
    return told


def _stability(path: Path) -> dict[int, float]:
    """The share of the folds that selected each column."""
    return {int(row["column"]): float(row["share"]) for row in tsv_rows(path)}


def _association(path: Path) -> Association | None:
    facts = read_json(path, missing={})
    if not facts:
        return None
    looked = tuple(part["part"] for part in facts["parts"] if part["p_value"] is not None)
    return Association(facts["found"], facts["p_value"], facts["permutations"], looked)


def _judged(variables, table: Table, truth):
    """Roles beside the true ones; None where there is no truth."""
    if not truth:
        return None, 0
    from himation.files.dataset import read_truth

    edges = read_truth(truth, table.file_columns(), table.target_name) + 1
    return judge(variables, true_roles(edges.tolist()))


def _noise(path: Path) -> Noise | None:
    facts = read_json(path, missing={})
    lists = {key: tuple(value) for key, value in facts.items() if isinstance(value, list)}
    return Noise(**facts | lists) if facts else None


def _facts(table: Table) -> Iterator[tuple[str, str]]:
    """Label and text of the line that describes the data."""
    positive, negative = int((table.target > 0).sum()), int((table.target < 0).sum())
    labels = {sign: table.labels.get(sign, str(sign)) for sign in (1, -1)}
    yield "target", f"{table.target_name} ({labels[1]}: {positive:,}, {labels[-1]}: {negative:,})"
    left = f", {len(table.left_out_rows):,} more left out" if table.left_out_rows else ""
    yield "training examples", f"{len(table.target):,}{left}"
    if table.test is not None:
        known = "target known" if table.test_target is not None else "target not known"
        yield "test examples", f"{table.test.n:,} ({known})"
    else:
        yield "test examples", "none"
    kinds = {kind: int((table.kinds == kind).sum()) for kind in ("binary", "discrete", "continuous")}
    yield "variables", ", ".join(f"{count:,} {kind}" for kind, count in kinds.items() if count) or "none"
    reasons: dict[str, list[str]] = {}
    for item in table.dropped:
        if item.why != "target":
            reasons.setdefault(item.why, []).append(item.name)
    if reasons:
        yield "columns left out", "; ".join(f"{len(found):,} {why} ({listed(found)})" for why, found in reasons.items())


def _methods(folder: Path, table: Table) -> tuple[Method, ...]:
    """The finders' answers, the reference first (the order of candidates.tsv)."""
    order = [row["set"] for row in tsv_rows(folder / "candidates.tsv")]
    paths = sorted((folder / "blanket").glob("*.tsv"), key=lambda path: path.stem)
    paths.sort(key=lambda path: order.index(path.stem) if path.stem in order else len(order))
    names = {int(column): name for name, column in zip(table.names, table.columns, strict=True)}
    found = []
    for path in paths:
        facts = read_json(path.with_suffix(".json"), missing={})
        shown = {**facts.get("settings", {}), **{k: facts[k] for k in ("degree", "cost") if k in facts}}
        built = [_monomial(feature, names) for feature in facts.get("features", [])[:MOST_FEATURES]]
        words = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in shown.items())
        found.append(Method(path.stem, tuple(columns_of(path)), words, tuple(built)))
    return tuple(found)


def _monomial(feature, names: dict[int, str]) -> str:
    """A constructed feature as text, 'a^2 · b'.

    >>> _monomial([[1, 2], [5, 1]], {1: "a", 5: "b"})
    'a^2 · b'
    """
    parts = [names.get(column, str(column)) + (f"^{power}" if power > 1 else "") for column, power in feature]
    return " · ".join(parts)


def _origin(natural, methods) -> str:
    """Which finders the natural blanket came from."""
    if not natural or not methods:
        return ""
    same = [method.id for method in methods if set(method.members) == set(natural)]
    if same:
        return f"The natural blanket has {len(natural):,} variables, as found by {' and '.join(same)}."
    first = methods[0]
    added = set(natural) - set(first.members)
    if set(first.members) < set(natural):
        return f"The natural blanket has {len(natural):,} variables: those of {first.id} and {len(added):,} more."
    return f"The natural blanket has {len(natural):,} variables."


def _candidates(path: Path) -> tuple[Candidate, ...]:
    found = []
    for row in tsv_rows(path):
        note = f"{float(row['gain']):+.3f} ± {float(row['gain_error']):.3f}"
        measured = Measured(row["set"], float(row["auc"]), float(row["standard_error"]), note)
        found.append(Candidate(measured, int(row["variables"]), row["used"] == "1"))
    return tuple(found)
