"""What was understood of a data set, in a few lines, before anything runs."""

from collections.abc import Iterator

import numpy as np

from himation.files.texts import listed
from himation.table import KINDS, Table


def understood(config: dict, entry: dict) -> Iterator[str]:
    """Lines for a terminal: rows, columns by type, the positive class, what is left out, what will run, and memory."""
    from himation.files.checking import check_dataset
    from himation.files.needs import estimated_peaks

    name = entry["id"]
    table = check_dataset(entry, config["seed"])
    if table is None:
        made = entry["simulate"]
        yield f"{name}: simulated {made['network']}, {made['train']:,} rows to learn from, {made['test']:,} to predict"
        return
    yield from of_table(name, entry, table)
    methods = ", ".join(method["id"] for method in config["methods"])
    peaks = estimated_peaks(config, entry)
    yield f"  will run     finders {methods}; selection by {config['selection']['rule']}; at most {_memory(peaks)}"


def _memory(peaks: dict[str, float]) -> str:
    step = max(peaks, key=peaks.get)
    return f"{peaks[step] / 1e9:.1f} GB of memory (for {step})"


def of_table(name: str, entry: dict, table: Table) -> Iterator[str]:
    """What a table holds."""
    left = f", {len(table.left_out_rows):,} more with missing values" if table.left_out_rows else ""
    test = f"; {table.test.n:,} to predict" if table.test else "; no test table"
    yield f"{name}: {table.train.n:,} rows to learn from{left}{test}"
    positive = int((np.asarray(table.target) > 0).sum())
    turn = "" if "positive" in entry else f"; to turn that round, say positive: '{table.labels[-1]}'"
    yield (
        f"  target       {table.target_name}: {table.labels[1]} is positive ({positive:,} rows), {table.labels[-1]} "
        f"negative ({table.train.n - positive:,} rows){turn}"
    )
    for kind in KINDS:
        found = [table.names[i] for i in _in_file_order(table) if table.kinds[i] == kind]
        if found:
            yield f"  {kind:<12} {len(found):,} column{'s' * (len(found) > 1)}: {listed(found)}"
    for why, columns in _left_out(table).items():
        yield f"  left out     {listed(columns)} ({why})"
    yield f"  manipulation {_manipulation(entry['manipulation'], table)}"
    for warning in table.warnings:
        if not warning.startswith("left out"):
            yield f"  warning      {warning}"


def _in_file_order(table: Table) -> list[int]:
    return sorted(range(table.n_variables), key=lambda i: table.columns[i])


def _left_out(table: Table) -> dict[str, list[str]]:
    """Names of columns that are no variables, by reason."""
    found: dict[str, list[str]] = {}
    words = {"identifier": "names or numbers the rows", "ignored": "as you said", "calibrant": "calibrants"}
    for item in table.dropped:
        if item.why != "target":
            found.setdefault(words.get(item.why, item.words), []).append(item.name)
    return found


def _manipulation(value, table: Table) -> str:
    if value == "none":
        return "none" if table.test is None else "none; the report says whether the test table agrees"
    if value == "unknown":
        return "unknown: the test table is asked" if table.test else "unknown, and no test table to ask"
    return listed(value) if isinstance(value, list) else f"as listed in {value}"
