"""How much memory and time each step needs, estimated from the size of the table before anything is read.

A step's peak is a sum: what Python and its packages take, so many copies of the training and of the test table in the
form in which the step holds them, so many matrices of variables by variables or examples by examples, and, where it
forks, the same again for each process. The coefficients were fitted to measured peaks from LUCAS to SIDO's full size
(12,678 x 4,932) and to continuous tables of 2,000 x 3,000 and 9,000 x 250; tests hold them within a factor of two.
"""

from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path

from himation.errors import UserError
from himation.files.memory import total
from himation.methods import METHODS

_MEGABYTE = 1e6
_BESIDE = 400  # MB that snakemake itself takes in a job on a cluster
_MARGIN = 1.5
_KERNEL_ROWS = 6_000
_LONGEST = 7 * 24 * 60
BINARY, DIGITS, NUMBERS = 0.125, 1.0, 8.0  # bytes of a prepared cell


@dataclass(frozen=True)
class Size:
    """What is known of a data set before it is read: variables, examples, bytes of a prepared cell, bytes of text; and
    how many examples a model is chosen on (``most_rows``)."""

    variables: int
    train: int
    test: int = 0
    cell: float = NUMBERS
    text: float = 0.0
    sample: int = 2_000

    @property
    def in_train(self) -> float:
        return float(self.variables) * self.train

    @property
    def cells(self) -> float:
        return float(self.variables) * (self.train + self.test)


@dataclass(frozen=True)
class Need:
    """MB without data, and MB more for tables of numbers, which may turn out to be mixed; copies of the training table
    and of both, in cells as prepared but of a byte at least; copies of the training table as numbers; numbers for each
    pair of examples (up to 6,000: no machine holds a larger kernel), for each pair within the sample, for each of the
    sample with each example, and, in tables of numbers, for each pair of variables; MB of a forked process; minutes for
    each million cells."""

    base: float
    mixed: float = 0.0
    train: float = 0.0
    both: float = 0.0
    dense: float = 0.0
    kernel: float = 0.0
    chosen: float = 0.0
    applied: float = 0.0
    pairs: float = 0.0
    child: float = 0.0
    slow: float = 0.1


NEEDS = {
    "simulate_data": Need(120, both=1.8),
    "prepare_data": Need(128, both=5),
    "constraint": Need(170, mixed=120, train=2, pairs=3, slow=2),
    "feature_space": Need(290, dense=6, kernel=1, slow=5),
    "kernel": Need(110, dense=4, slow=5),
    "mixture": Need(300, train=2, pairs=1, slow=1),
    "ranked": Need(300, dense=2, slow=1),
    "search_folds": Need(290, mixed=40, train=4, dense=6, kernel=1, pairs=3, child=200, slow=20),
    "compare_blankets": Need(165, train=3, dense=1),
    "estimate_auc": Need(165, train=3, dense=1, chosen=1.2, slow=2),
    "find_region": Need(172, mixed=120, train=2, pairs=3, slow=2),
    "orient_region": Need(105, child=110, slow=0.5),
    "orient_chunk": Need(165, slow=0.5),
    "gather": Need(105),
    "test_confounding": Need(170, train=2, pairs=1),
    "combine_evidence": Need(103),
    "sample_networks": Need(190, dense=3),
    "estimate_effects": Need(190, train=1),
    "infer_manipulation": Need(230, both=1),
    "select_variables": Need(172, slow=0.5),
    "build_model": Need(60, mixed=40, applied=1.2),
    "predict": Need(52, applied=0.4),
    "score": Need(90, mixed=50, applied=3.2),
    "write_report": Need(85),
    "rerun_table": Need(300, child=200),
}


def peak(step: str, size: Size, threads: int = 1) -> float:
    """Bytes that a step (of find_blanket: a family of methods) takes at most."""
    need = NEEDS[step]
    if step == "prepare_data" and size.text and size.cell < NUMBERS:  # digits are never made numbers
        return _MEGABYTE * need.base + 1.5 * size.text
    wide = max(1.0, size.cell)
    copies = wide * (need.train * size.in_train + need.both * size.cells) + NUMBERS * need.dense * size.in_train
    copies += NUMBERS * need.kernel * min(size.train, _KERNEL_ROWS) ** 2
    sample = min(size.train, size.sample)
    copies += NUMBERS * sample * (need.chosen * sample + need.applied * size.train)
    copies += NUMBERS * need.pairs * size.variables**2 if size.cell == NUMBERS else 0
    fixed = need.base + (need.mixed if size.cell == NUMBERS else 0) + (need.child * threads if threads > 1 else 0)
    return _MEGABYTE * fixed + copies + (2.0 * size.text if step == "prepare_data" else 0)


def estimated_peaks(plan, name: str, threads: int = 2) -> dict[str, float]:
    """The peak of every step of a data set, in bytes; of find_blanket one for each method."""
    size, entry = size_of(plan, name), plan.datasets[name]
    steps = {"simulate_data": "simulate_data"} if "simulate" in entry else {}
    steps["prepare_data"] = "prepare_data"
    steps |= {f"find_blanket {method}": _family(plan.methods[method]["method"]) for method in plan.methods}
    last = (
        "search_folds",
        "compare_blankets",
        "estimate_auc",
        "find_region",
        "orient_region",
        "test_confounding",
        "sample_networks",
    )
    steps |= {step: step for step in (*last, "estimate_effects", "select_variables", "build_model")}
    steps |= {"infer_manipulation": "infer_manipulation"} if name in plan.tested else {}
    steps |= {"score": "score"} if name in plan.scored else {}
    return {shown: peak(step, size, threads) for shown, step in steps.items()}


def refuse_what_cannot_fit(plan) -> None:
    """Before anything runs on this machine: does each step of each data set fit into its memory?"""
    for name in plan.ids:
        peaks = estimated_peaks(plan, name)
        step = max(peaks, key=peaks.get)
        size = size_of(plan, name)
        if peaks[step] > total():
            need, has = (f"{value / 1e9:.1f} GB" for value in (peaks[step], total()))
            raise UserError(
                f"data set {name!r}: {step} would need {need} for {size.train} x {size.variables}, this machine has "
                f"{has}: leave out columns or that step, or use a larger machine"
            )


def step_of(plan, step: str, wildcards) -> str:
    """The step, for find_blanket the family of its method, and for an orientation in parts what puts them together."""
    if step == "orient_region" and plan.config["scatter"] > 1:
        return "gather"
    if step != "find_blanket":
        return step
    return _family(plan.methods[wildcards.method]["method"])


def _family(method: str) -> str:
    return METHODS[method].where.split(":")[0].rsplit(".", 1)[1]


def mem_mb(plan, step: str, wildcards, threads: int = 1, attempt: int = 1) -> int:
    """What to ask of a scheduler: the estimated peak with a margin, more at every attempt, and snakemake's own."""
    size = _size(plan, wildcards)
    return ceil(_BESIDE + _MARGIN * attempt * peak(step_of(plan, step, wildcards), size, threads) / _MEGABYTE)


def runtime(plan, step: str, wildcards, attempt: int = 1) -> int:
    """Minutes to ask for: a quarter of an hour, and so much for each million cells."""
    slow = NEEDS[step_of(plan, step, wildcards)].slow
    return min(_LONGEST, ceil(attempt * (15 + 4 * slow * _size(plan, wildcards).in_train / 1e6)))


def _size(plan, wildcards) -> Size:
    name = getattr(wildcards, "id", None)
    return size_of(plan, name) if name else Size(0, 0)


def size_of(plan, name: str) -> Size:
    """The size of a data set, from its description or from the beginnings of its files."""
    entry, sample = plan.datasets[name], plan.config["model"]["most_rows"]
    if "simulate" in entry:
        made = entry["simulate"]
        cell = BINARY if made["network"] in ("lucas", "lucap", "sido") else NUMBERS
        return Size(made.get("variables", 11), made["train"], made["test"], cell, sample=sample)
    train = table_size(entry["train"])
    test = table_size(entry["test"]) if "test" in entry else Size(0, 0, cell=BINARY)
    return Size(train.variables, train.train, test.train, max(train.cell, test.cell), train.text + test.text, sample)


@cache
def table_size(path: str) -> Size:
    """Columns, rows and kind of a table, without reading it; rows of a text from the length of its first lines."""
    plain = Path(path).name.removesuffix(".gz")
    try:
        if plain.endswith(".parquet"):
            return _parquet_size(path)
        if plain.endswith(".npz"):
            import numpy as np

            with np.load(path, allow_pickle=False) as arrays:
                n, p = (int(size) for size in arrays["shape"])
                return Size(p, n, cell=DIGITS)
        return _text_size(Path(path), plain)
    except Exception:  # whatever is wrong with the file, the step that reads it says it better
        return Size(0, 0)


def _parquet_size(path) -> Size:
    import pyarrow.parquet as parquet

    facts = parquet.read_metadata(path)
    kinds = {facts.schema.column(i).physical_type for i in range(min(facts.num_columns, 100))}
    return Size(facts.num_columns, facts.num_rows, cell=BINARY if kinds == {"BOOLEAN"} else NUMBERS)


def _text_size(path: Path, plain: str) -> Size:
    import gzip

    from himation.files.separated import read_layout, separator_of

    packed = path.name.endswith(".gz")
    separator = read_layout(path).separator.encode() if separator_of(path) else None
    with (gzip.open if packed else open)(path, "rb") as stream:
        first, second = stream.readline(), stream.readline()
    length = path.stat().st_size * (5.0 if packed else 1.0)
    words = second.split(separator) or first.split(separator)
    digits = {word.strip() for word in words}
    cell = NUMBERS if any(len(word) > 1 for word in digits) else BINARY if digits <= {b"0", b"1"} else DIGITS
    rows = max(0.0, length - (0 if plain.endswith(".data") else len(first))) / max(1, len(second) or len(first))
    return Size(len(first.split(separator)), ceil(rows), cell=cell, text=length)
