"""Read what was selected by which networks, and what the model achieved: sets compared, curves, scores and times."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from himation.evaluate import auc, roc_curve
from himation.files.atomic import read_json, tsv_rows
from himation.report.values import Curve, Measured, Networks, Rival, Score, Step
from himation.steps import ORDER
from himation.table import Table

MOST_POINTS = 400  # of a ROC curve


def read_rivals(selection: dict, facts: dict) -> tuple[Rival, ...]:
    """What the rules would select, by rows held out, the one in use first; ``facts`` are those of the model."""
    used, found = selection["rule"], []
    sizes = {item["set"]: len(item["columns"]) for item in selection.get("sets", [])}
    for item in facts.get("sets", []):
        expected = Measured(item["set"], item["expected_auc"], item["standard_error"])
        size = sizes.get(item["set"], 0)
        found.append(Rival(item["set"], size, expected, item["natural_auc"], item["set"] == used))
    return tuple(sorted(found, key=lambda rival: (not rival.used, -rival.expected.value)))


def read_networks(selection: dict, names: dict[int, str]) -> Networks | None:
    """What is told of the sampled networks; None if nothing is."""
    facts = selection.get("networks")
    if not facts:
        return None
    return Networks(
        **{key: facts[key] for key in ("chains", "draws", "variables", "converged", "largest_error", "reliability")},
        copy=facts["copy"],
        least_sure=tuple(names.get(column, f"column {column}") for column in facts["least_sure"]),
        exact=sum(weight for factor, weight in facts["reliability_weights"] if factor == 1),
    )


def under_manipulation(selection: dict, facts: dict) -> Measured | None:
    """What to expect of the model under the manipulation; None if nothing was manipulated, or it was not measured."""
    if selection["manipulation"] == "none" or not facts.get("folds"):
        return None
    return Measured("under the manipulation", facts["expected_auc"], facts["standard_error"])


def read_scores(path: Path) -> Iterator[Score]:
    for row in tsv_rows(path):
        error = float(row["error"]) if row["error"] else None
        yield Score(row["score"], row["of"], float(row["value"]), error, row["note"])


def model_facts(folder: Path) -> dict:
    """The contents of model.json; nothing where it is missing."""
    return read_json(folder / "model.json", missing={})


def read_model(folder: Path, facts: dict) -> tuple[Measured | None, str]:
    """The AUC to expect of the model in nature, and the model in words."""
    if not facts:
        return None, ""
    how = "rows held out from search and fit" if facts.get("folds") else facts["measured"]
    value = facts.get("natural_auc", facts["expected_auc"])
    error = facts.get("natural_error", facts["standard_error"])
    return Measured(how, value, error, facts["words"]), facts["words"]


def read_curves(folder: Path, name: str, table: Table) -> tuple[Curve, ...]:
    """ROC curves of the test table where its target is known, and of training: honest values, or else fitted ones."""
    from himation.files.models import read_predictions

    found = []
    test, train = (folder / "submission" / f"{name}_{part}.predict" for part in ("test", "train"))
    if table.test_target is not None and test.is_file():
        found.append(curve("test table", table.test_target, read_predictions(test), fitted=False))
    honest = _honest_values(folder / "predictions.tsv")
    if honest is not None:
        values = np.delete(honest, list(table.left_out_rows))
        known = ~np.isnan(values)
        found.append(curve("training rows, held out", np.asarray(table.target)[known], values[known], fitted=False))
    elif train.is_file():
        values = np.delete(read_predictions(train), list(table.left_out_rows))
        found.append(curve("training (fitted)", table.target, values, fitted=True))
    return tuple(item for item in found if item is not None)


def _honest_values(path: Path):
    """Values of training rows by models that did not see them, not a number where there is none; None if all are."""
    values = [row.get("honest_value", "") for row in tsv_rows(path) if row["part"] == "train"]
    return np.array([value or "nan" for value in values], dtype=float) if any(values) else None


def curve(label: str, y, values, fitted: bool) -> Curve | None:
    """A ROC curve of at most `MOST_POINTS` points; None if it cannot be drawn."""
    if len(y) != len(values) or len(set(np.sign(y).tolist())) < 2:
        return None
    fpr, tpr, _ = roc_curve(y, values)
    along = np.round((fpr + tpr) / 2 * MOST_POINTS)
    keep = np.append(np.diff(along) != 0, True)
    keep[0] = True
    rounded = (tuple(np.round(axis[keep], 4).tolist()) for axis in (fpr, tpr))
    return Curve(label, *rounded, auc(y, values), fitted)


def read_steps(folder: Path) -> Iterator[Step]:
    """Snakemake's benchmarks of a data set and of its training table, to which its results are links, in the order of
    the pipeline; the mean where a job was repeated."""
    shared = {path.resolve().parent for path in folder.glob("*.tsv") if path.is_symlink()}
    found = {path.stem: path for place in (*shared, folder) for path in (place / "benchmarks").glob("*.tsv")}
    paths = sorted(found.values(), key=lambda path: (ORDER.get(path.stem.split(".")[0], len(ORDER)), path.stem))
    for path in paths:
        measured = list(tsv_rows(path))
        if measured:
            yield Step(path.stem.replace(".", " "), _mean(measured, "s"), _mean(measured, "max_rss"))


def _mean(measured: list[dict[str, str]], key: str) -> float | None:
    try:
        return sum(float(row[key]) for row in measured) / len(measured)
    except (KeyError, ValueError):  # Snakemake writes NA or - for jobs too short to measure
        return None
