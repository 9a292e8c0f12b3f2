"""Read the result files of a data set into the values that the page shows.

Only the prepared data, roles.tsv and selection.json must be there; what any other file would have shown is left out
when it is missing. Rows are kept only for variables that matter, so that a page of many large data sets stays small.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.evaluate import auc, roc_curve
from himation.files import prepared
from himation.report.values import NONE, Candidate, Curve, DataSet, Measured, Method, Score, Step, Variable, YTest
from himation.table import Table

MOST_ROWS = 250  # of the evidence table
MOST_Y_TESTS = 15
MOST_POINTS = 400  # of a ROC curve
MOST_FEATURES = 12
OURS = "selected variables"
_TIE = 1e-9
_STEPS = (
    *("simulate_data", "prepare_data", "find_blanket", "compare_blankets", "find_region", "orient_region"),
    *("test_confounding", "combine_evidence", "select_variables", "build_model", "predict_test", "score"),
)


def collect(results, name: str) -> DataSet:
    """All that the page shows of the data set ``name`` in the folder ``results``."""
    folder = Path(results) / name
    for needed in ("data/facts.json", "roles.tsv", "selection.json"):
        if not (folder / needed).is_file():
            raise UserError(f"{folder / needed}: not found; run snakemake first, or leave {name!r} out of --ids")
    table = prepared.load(folder / "data")
    selection = json.loads((folder / "selection.json").read_text(encoding="utf-8"))
    methods = _methods(folder, table)
    natural = _columns(folder / "natural_blanket.tsv")
    variables = _variables(folder, selection, methods, natural)
    listed = _worth_a_row(variables)
    scores = tuple(_scores(folder / "scores.tsv"))
    tested = [Measured(s.of, s.value, s.error, s.note) for s in scores if s.score == "Tscore"]
    expected, model_note = _model(folder, len(table.target))
    y_tests, n_y_tests, n_target = _y_tests(folder / "y_tests.tsv")
    return DataSet(
        id=name,
        target=table.target_name,
        facts=tuple(_facts(table)),
        n_variables=len(variables),
        variables=listed,
        unlisted=len(variables) - len(listed),
        rule=selection["rule"],
        manipulation=selection["manipulation"],
        n_manipulated=len(selection["manipulated"]),
        fallback=any("no variable passed the rule" in text for text in selection["warnings"]),
        blanket_size=len(natural),
        methods=methods,
        blanket_note=_origin(natural, methods),
        candidates=_candidates(folder / "candidates.tsv", natural),
        y_tests=y_tests,
        n_y_tests=n_y_tests,
        n_target_y_tests=n_target,
        expected=expected,
        model_note=model_note,
        achieved=next((row for row in tested if row.label == OURS), None),
        references=tuple(row for row in tested if row.label != OURS),
        scores=scores,
        curves=_curves(folder, name, table),
        warnings=(*selection["warnings"], *table.warnings),
        steps=tuple(_steps(folder / "benchmarks")),
    )


def rows(path) -> Iterator[dict[str, str]]:
    """The rows of a table one by one; none if there is no such file. Lines end at line feeds and nowhere else."""
    if not Path(path).is_file():
        return
    with open(path, encoding="utf-8", newline="\n") as lines:
        header = next(lines, "").rstrip("\n").split("\t")
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if len(cells) != len(header):
                raise UserError(f"{path}: a row has {len(cells)} cells, not {len(header)}; remove the file, run again")
            yield dict(zip(header, cells, strict=True))


def _columns(path) -> list[int]:
    return [int(row["column"]) for row in rows(path)]


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
    reasons: dict[str, int] = {}
    for item in table.dropped:
        why = item.why.split(" to ")[0]
        reasons[why] = reasons.get(why, 0) + 1
    if reasons:
        yield "columns not searched", ", ".join(f"{count:,} {why}" for why, count in reasons.items())


def _methods(folder: Path, table: Table) -> tuple[Method, ...]:
    """The finders' answers, the reference first (the order of candidates.tsv)."""
    order = [row["set"] for row in rows(folder / "candidates.tsv")]
    paths = sorted((folder / "blanket").glob("*.tsv"), key=lambda path: path.stem)
    paths.sort(key=lambda path: order.index(path.stem) if path.stem in order else len(order))
    names = {int(column): name for name, column in zip(table.names, table.columns, strict=True)}
    found = []
    for path in paths:
        details = path.with_suffix(".json")
        facts = json.loads(details.read_text(encoding="utf-8")) if details.is_file() else {}
        shown = {**facts.get("settings", {}), **{k: facts[k] for k in ("degree", "cost") if k in facts}}
        built = [_monomial(feature, names) for feature in facts.get("features", [])[:MOST_FEATURES]]
        words = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in shown.items())
        found.append(Method(path.stem, tuple(_columns(path)), words, tuple(built)))
    return tuple(found)


def _monomial(feature, names: dict[int, str]) -> str:
    """A constructed feature as text, 'a^2 · b'.

    >>> _monomial([[1, 2], [5, 1]], {1: "a", 5: "b"})
    'a^2 · b'
    """
    parts = [names.get(column, str(column)) + (f"^{power}" if power > 1 else "") for column, power in feature]
    return " · ".join(parts)


def _variables(folder: Path, selection: dict, methods, natural) -> list[Variable]:
    """One for each row of roles.tsv, in its order."""
    evidence = {int(row["column"]): row for row in rows(folder / "evidence.tsv")}
    ranks: dict[int, dict[str, int]] = {}
    for method in methods:
        for rank, column in enumerate(method.members, start=1):
            ranks.setdefault(column, {})[method.id] = rank
    depth: dict[int, int] = {}
    for row in rows(folder / "region.tsv"):
        for end in ("column_a", "column_b"):
            column = int(row[end])
            depth[column] = min(depth.get(column, int(row["depth"])), int(row["depth"]))
    manipulated, blanket = set(selection["manipulated"]), set(natural)
    found = []
    for row in rows(folder / "roles.tsv"):
        column = int(row["column"])
        known = evidence.get(column, {})
        through = (pair.split(":") for pair in known.get("spouse_through", "").split())
        found.append(
            Variable(
                name=row["variable"],
                column=column,
                role=row["role"],
                **{key: float(row[key]) for key in ("p_parent", "p_child", "p_spouse")},
                **{key: int(known.get(key, 0)) for key in ("parent_tests", "child_tests")},
                **{key: float(known.get(key, 0)) for key in ("parent_p_score", "child_p_score")},
                through=tuple((int(child), float(share)) for child, share in through),
                depth=depth.get(column),
                manipulated=column in manipulated,
                selected=row["selected"] == "1",
                in_blanket=column in blanket,
                ranks=ranks.get(column, {}),
                reason=row["reason"],
            )
        )
    return found


def _worth_a_row(variables: list[Variable]) -> tuple[Variable, ...]:
    """Variables of the blankets and the region, what matters most first, at most `MOST_ROWS`."""
    listed = [v for v in variables if v.matters or v.depth is not None]

    def importance(v: Variable):
        role = ("parent", "child", "spouse", "undirected", "confounded", "none").index(v.role)
        return (not v.selected, not v.in_blanket, v.role == NONE, role, -v.certainty, v.depth or 99, v.column)

    listed.sort(key=importance)
    n_selected = sum(v.selected for v in listed)
    return tuple(listed[: max(MOST_ROWS, n_selected)])


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


def _candidates(path: Path, natural) -> tuple[Candidate, ...]:
    found = []
    for row in rows(path):
        measured = Measured(row["set"], float(row["auc"]), float(row["standard_error"]), row["settings"])
        same = {int(column) for column in row["columns"].split()} == set(natural)
        found.append(Candidate(measured, int(row["variables"]), same and bool(natural)))
    return tuple(found)


def _y_tests(path: Path) -> tuple[tuple[YTest, ...], int, int]:
    """The best tests that say something of the target; how many there are in all, and about the target."""
    best, count, about_target = [], 0, 0
    for row in rows(path):
        count += 1
        if row["column_c"] == "0":
            shows = f"{row['d']} is a child"
        elif row["column_d"] == "0":
            shows = f"{row['c']} is a parent"
        else:
            continue
        about_target += 1
        if len(best) < MOST_Y_TESTS:
            best.append(YTest(row["a"], row["b"], row["c"], row["d"], float(row["p_score"]), shows))
    return tuple(best), count, about_target


def _scores(path: Path) -> Iterator[Score]:
    for row in rows(path):
        error = float(row["error"]) if row["error"] else None
        yield Score(row["score"], row["of"], float(row["value"]), error, row["note"])


def _model(folder: Path, n_examples: int) -> tuple[Measured | None, str]:
    """Cross-validated AUC of the model's setting, and the model in words."""
    grid = list(rows(folder / "grid.tsv"))
    if not grid:
        return None, ""
    top = max(float(row["auc"]) for row in grid)
    row = next(row for row in grid if float(row["auc"]) >= top - _TIE)
    if row["kernel"] == "poly":
        kernel = "linear kernel" if row["degree"] == "1" else f"polynomial kernel of degree {row['degree']}"
    else:
        kernel = f"Gaussian kernel, gamma {float(row['gamma']):g}"
    note = f"SVM, {kernel}, C {float(row['cost']):g}; the best of {len(grid)} settings"
    if (folder / "model.npz").is_file():
        with np.load(folder / "model.npz", allow_pickle=False) as arrays:
            note += f"; {len(arrays['dual']):,} support vectors of {n_examples:,} examples"
            if not arrays["converged"]:
                note += "; the solver stopped before it converged"
    return Measured("cross-validated", float(row["auc"]), float(row["standard_error"]), note), note


def _curves(folder: Path, name: str, table: Table) -> tuple[Curve, ...]:
    from himation.files.models import read_predictions

    found = []
    test, train = (folder / "submission" / f"{name}_{part}.predict" for part in ("test", "train"))
    if table.test_target is not None and test.is_file():
        found.append(_curve("test table", table.test_target, read_predictions(test), fitted=False))
    if train.is_file():
        values = np.delete(read_predictions(train), list(table.left_out_rows))
        found.append(_curve("training table (fitted)", table.target, values, fitted=True))
    return tuple(curve for curve in found if curve is not None)


def _curve(label: str, y, values, fitted: bool) -> Curve | None:
    if len(y) != len(values) or len(set(np.sign(y).tolist())) < 2:
        return None
    fpr, tpr, _ = roc_curve(y, values)
    along = np.round((fpr + tpr) / 2 * MOST_POINTS)
    keep = np.append(np.diff(along) != 0, True)
    keep[0] = True
    rounded = (tuple(np.round(axis[keep], 4).tolist()) for axis in (fpr, tpr))
    return Curve(label, *rounded, auc(y, values), fitted)


def _steps(folder: Path) -> Iterator[Step]:
    """Snakemake's benchmarks, in the order of the pipeline; the mean where a job was repeated."""
    order = {step: i for i, step in enumerate(_STEPS)}
    paths = sorted(folder.glob("*.tsv"), key=lambda p: (order.get(p.stem.split(".")[0], len(order)), p.stem))
    for path in paths:
        measured = list(rows(path))
        if measured:
            yield Step(path.stem.replace(".", " "), _mean(measured, "s"), _mean(measured, "max_rss"))


def _mean(measured: list[dict[str, str]], key: str) -> float | None:
    try:
        return sum(float(row[key]) for row in measured) / len(measured)
    except (KeyError, ValueError):  # Snakemake writes NA or - for jobs too short to measure
        return None
