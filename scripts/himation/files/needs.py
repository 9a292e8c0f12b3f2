"""How much memory and time each step needs, estimated from the size of the table before anything is read.

`himation.steps` has what each step holds in memory, as multiples of the table's sizes.
"""

from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path

from himation.errors import UserError
from himation.files.entries import is_scored, places
from himation.files.memory import total
from himation.methods import METHODS
from himation.steps import BY_FAMILY, FAMILIES, NEEDS, STEPS
from himation.task_names import TASKS

_MEGABYTE = 1e6
_BESIDE = 400  # MB that snakemake itself takes in a job on a cluster
_MARGIN = 1.5
_KERNEL_ROWS = 6_000
_MOST_PAIRS = 2**27  # bytes that a test keeps of them (`himation.independence.fisher.ROOM`)
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
    copies += need.pairs * min(NUMBERS * size.variables**2, _MOST_PAIRS) if size.cell == NUMBERS else 0
    fixed = need.base + (need.mixed if size.cell == NUMBERS else 0) + (need.child * threads if threads > 1 else 0)
    return _MEGABYTE * fixed + copies + (2.0 * size.text if step == "prepare_data" else 0)


def estimated_peaks(config: dict, entry: dict, threads: int = 2) -> dict[str, float]:
    """The peak of every step of a data set, in bytes; of find_blanket one for each method."""
    size = size_of(entry, config["model"]["most_rows"])
    applies = {"training": True, "dataset": True, "tested": "test" in entry, "scored": is_scored(entry)}
    steps = {step.name: step.name for step in STEPS if applies.get(step.of) and step.name != BY_FAMILY}
    if "simulate" not in entry:
        del steps["simulate_data"]
    steps |= {f"{BY_FAMILY} {method['id']}": family(method["method"]) for method in config["methods"]}
    return {shown: peak(step, size, threads) for shown, step in steps.items()}


def refuse_what_cannot_fit(config: dict) -> None:
    """Before anything runs on this computer: does each step of each data set fit into its memory?"""
    entries = places(config["datasets"])
    for name in (entry["id"] for entry in config["datasets"]):
        peaks = estimated_peaks(config, entries[name])
        step = max(peaks, key=peaks.get)
        size = size_of(entries[name])
        if peaks[step] > total():
            need, has = (f"{value / 1e9:.1f} GB" for value in (peaks[step], total()))
            raise UserError(
                f"data set {name!r}: {step} would need {need} for {size.train} x {size.variables}, this computer has "
                f"{has}: leave out columns or that step, or use a larger computer"
            )


def family(method: str) -> str:
    """The step under which the needs of a blanket finder are listed."""
    module = METHODS[method].where.split(":")[0].rsplit(".", 1)[1]
    return module if module in FAMILIES else "other"


def mem_mb(step: str, size: Size, threads: int = 1, attempt: int = 1) -> int:
    """What to ask of a scheduler: the estimated peak with a margin, more at every attempt, and snakemake's own."""
    return ceil(_BESIDE + _MARGIN * attempt * peak(step, size, threads) / _MEGABYTE)


def runtime(step: str, size: Size, attempt: int = 1) -> int:
    """Minutes to ask for: a quarter of an hour, and so much for each million cells."""
    return min(_LONGEST, ceil(attempt * (15 + 4 * NEEDS[step].slow * size.in_train / 1e6)))


def size_of(entry: dict, sample: int = Size.sample) -> Size:
    """The size of a data set, from its description or from the beginnings of its files."""
    if "simulate" in entry:
        made = entry["simulate"]
        cell = BINARY if made["network"] in ("lucas", "lucap", "sido") else NUMBERS
        variables = made.get("variables") or (11 if made["network"] in TASKS else _declared(made["network"]))
        return Size(variables, made["train"], made["test"], cell, sample=sample)
    train = table_size(entry["train"])
    test = table_size(entry["test"]) if "test" in entry else Size(0, 0, cell=BINARY)
    return Size(train.variables, train.train, test.train, max(train.cell, test.cell), train.text + test.text, sample)


@cache
def _declared(path: str) -> int:
    from himation.files.network_file import count_variables

    return count_variables(path)


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
