"""Read a submission to the challenge as its organisers would, and name what breaks the format's rules.

A submission is a zip. For every NAME (a task and version, such as reged1) it holds

    NAME_feat.slist or NAME_feat.ulist    columns from 1, separated by spaces, best first (slist) or without order
    NAME_train.predict, NAME_test.predict a line of discriminant values for each example: one column, or, with an slist,
                                          one for each of the first 1, 2, 4, 8, ... features, the last for all of them

and all three versions of a task.

>>> files = {"a_feat.slist": "3 1 3", "a_train.predict": "0.5", "a_test.predict": "1"}
>>> faults(files, {"a": Size(columns=3, train=1, test=1)})
['a_feat.slist: column 3 is listed twice']
>>> nested_sizes(5)
[1, 2, 4, 5]
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from himation.task_names import TASKS

_FILE = re.compile(r"([a-z0-9][a-z0-9_-]*)_(feat\.slist|feat\.ulist|train\.predict|test\.predict)")
_VERSION = re.compile(rf"({'|'.join(TASKS)})([012])")
LISTS = ("feat.slist", "feat.ulist")
PREDICTIONS = ("train.predict", "test.predict")
_LONGEST_NAME = 100  # of a file, as it is shown


@dataclass(frozen=True)
class Size:
    """Columns of the table, training examples and test examples; None where not known."""

    columns: int | None = None
    train: int | None = None
    test: int | None = None


# The challenge's own sizes; training and test examples of the three versions are the same in number.
PUBLISHED = {
    f"{task}{version}": Size(*size)
    for task, size in {
        "reged": (999, 500, 20_000),
        "marti": (1024, 500, 20_000),
        "sido": (4932, 12_678, 10_000),
        "cina": (132, 16_033, 10_000),
        "lucas": (11, 2_000, 10_000),
        "lucap": (143, 2_000, 10_000),
    }.items()
    for version in range(3)
}


def nested_sizes(n: int) -> list[int]:
    """Sizes of the nested subsets of n ranked features: powers of two below n, then n."""
    sizes, size = [], 1
    while size < n:
        sizes.append(size)
        size *= 2
    return [*sizes, n] if n else []


def repeated(items: Iterable) -> list:
    """What occurs more than once, in the order of its second occurrence, each once."""
    seen, twice = set(), {}
    for item in items:
        if item in seen:
            twice[item] = True
        seen.add(item)
    return list(twice)


def faults(files: Mapping[str, str], sizes: Mapping[str, Size]) -> list[str]:
    """One line for each fault; none means that the submission is in order. ``files`` are texts by name."""
    found, parts = [], {}
    for file, text in files.items():
        match = _FILE.fullmatch(file)
        if match:
            parts.setdefault(match[1], {})[match[2]] = text
        else:
            name = file if file.isprintable() and len(file) <= _LONGEST_NAME else repr(file[:_LONGEST_NAME])
            found.append(f"{name}: not a file of a submission; names are like reged1_feat.slist, reged1_test.predict")
    if not parts:
        found.append("the submission has no feature list and no predictions")
    for name in sorted(parts):
        found += _faults_of_one(name, parts[name], sizes.get(name, Size()))
    return found + _missing_versions(parts)


def _faults_of_one(name: str, parts: Mapping[str, str], size: Size) -> list[str]:
    found = []
    lists = [ending for ending in LISTS if ending in parts]
    if not lists:
        found.append(f"{name}_feat.slist: missing, and there is no {name}_feat.ulist either")
    if len(lists) == 2:
        found.append(f"{name}_feat.ulist: there is a sorted list as well; submit one of them")
    features = None
    for ending in lists:
        features, wrong = _read_list(f"{name}_{ending}", parts[ending], size.columns)
        found += wrong
    widths = {}
    for ending, rows in zip(PREDICTIONS, (size.train, size.test), strict=True):
        if ending not in parts:
            found.append(f"{name}_{ending}: missing")
            continue
        widths[ending], wrong = _read_predictions(f"{name}_{ending}", parts[ending], rows)
        found += wrong
    allowed = [1]
    if features and lists == ["feat.slist"]:
        allowed.append(len(nested_sizes(len(features))))
    for ending, width in widths.items():
        if width is not None and features is not None and width not in allowed:
            nested = f" or {allowed[1]} (1, 2, 4, ... of {len(features)} features)" if len(allowed) > 1 else ""
            found.append(f"{name}_{ending}: has {width} columns; it should have 1{nested}")
    if len(widths) == 2 and None not in widths.values() and len(set(widths.values())) == 2:
        train, test = (widths[ending] for ending in PREDICTIONS)
        found.append(f"{name}_test.predict: has {test} columns, {name}_train.predict has {train}")
    return found


def _read_list(file: str, text: str, columns: int | None) -> tuple[list[int] | None, list[str]]:
    words = text.split()
    if not words:
        return None, [f"{file}: is empty"]
    bad = [word for word in words if not re.fullmatch(r"[0-9]{1,9}", word)]
    if bad:
        return None, [f"{file}: {bad[0][:40]!r} is not a column number"]
    numbers = [int(word) for word in words]
    found = []
    if 0 in numbers:
        found.append(f"{file}: has the column 0; columns are counted from 1")
    beyond = [number for number in numbers if columns is not None and number > columns]
    if beyond:
        found.append(f"{file}: has the column {beyond[0]}, the table has {columns}")
    twice = repeated(numbers)
    if twice:
        found.append(f"{file}: column {twice[0]} is listed twice")
    return numbers, found


def _read_predictions(file: str, text: str, rows: int | None) -> tuple[int | None, list[str]]:
    """Number of columns (None if they differ), and faults."""
    lines = text.removesuffix("\n").split("\n") if text.strip() else []
    if not lines:
        return None, [f"{file}: is empty"]
    found = []
    if rows is not None and len(lines) != rows:
        found.append(f"{file}: has {len(lines)} lines, there are {rows} examples")
    width = len(lines[0].split())
    for number, line in enumerate(lines, start=1):
        words = line.split()
        wrong = next((word for word in words if not _is_number(word)), None)
        if wrong is not None:
            return None, [*found, f"{file}: line {number} holds {wrong[:40]!r}, which is not a finite number"]
        if len(words) != width or not words:
            return None, [*found, f"{file}: line {number} has {len(words)} values, line 1 has {width}"]
    return width, found


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def _missing_versions(parts) -> list[str]:
    tasks: dict[str, set[str]] = {}
    for name in parts:
        match = _VERSION.fullmatch(name)
        if match:
            tasks.setdefault(match[1], set()).add(match[2])
    absent = [f"{task}{version}" for task in sorted(tasks) for version in "012" if version not in tasks[task]]
    return [f"{name}: missing; all three versions of a task go in one submission" for name in absent]
