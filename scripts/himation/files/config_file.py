"""Read configuration files as Snakemake does (JSON or YAML, one laid over another), but say what is wrong and where.

Size and depth are bounded before anything is built: a few lines with anchors can stand for more than a computer holds.
"""

import json
import os
from pathlib import Path

from himation.errors import UserError
from himation.files.texts import read_utf8

_MOST_BYTES = 300_000
_MOST_VALUES = 100_000
_MOST_DEPTH = 50


def read_config_file(path) -> dict:
    """The keys and values of one file."""
    if not os.path.isfile(path):
        raise UserError(f"{path}: {'not a file' if os.path.exists(path) else 'no such file'}")
    try:
        if Path(path).stat().st_size > _MOST_BYTES:
            raise UserError(f"{path}: larger than {_MOST_BYTES // 1000} kB; put long lists into files of their own")
        text = read_utf8(path)
    except OSError as error:
        raise UserError(f"{path}: can't be read ({error.strerror})") from None
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = _from_yaml(text, path)
    if not isinstance(given, dict):
        raise UserError(f"{path}: should hold keys and values, such as 'seed: 1'")
    if "__use_yte__" in given:
        raise UserError(f"{path}: unknown key '__use_yte__', which would let the file run code; leave it out")
    return given


def laid_over(below: dict, above: dict) -> dict:
    """Groups of keys are merged, all else is replaced.

    >>> laid_over({"region": {"depth": 3, "search": "mmpc"}, "seed": 1}, {"region": {"depth": 2}})
    {'region': {'depth': 2, 'search': 'mmpc'}, 'seed': 1}
    """
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = laid_over(under if isinstance(under, dict) else {}, value) if isinstance(value, dict) else value
    return merged


def _from_yaml(text: str, path):
    import yaml

    class Loader(yaml.SafeLoader):
        """Names the line of a value that can't be made, such as the 40th of January."""

        def construct_object(self, node, deep=False):
            try:
                return super().construct_object(node, deep)
            except (ValueError, TypeError, OverflowError) as error:
                raise yaml.constructor.ConstructorError(None, None, str(error), node.start_mark) from None

    try:
        _refuse_what_swells(yaml.parse(text, Loader=Loader), path)
        return yaml.load(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join((error.problem or error.context or "not YAML").split())[:200]
        raise UserError(f"{path}: line {mark.line + 1}, column {mark.column + 1}: not YAML ({what})") from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise UserError(f"{path}: line {line}: not YAML (the character {chr(error.character)!r})") from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise UserError(f"{path}: not YAML ({' '.join(str(error).split())[:200]})") from None


def _refuse_what_swells(events, path) -> None:
    """Count the values that a text stands for, each use of an anchor as often as it comes."""
    from yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, NodeEvent

    sizes: dict[str, int] = {}
    open_: list[tuple[str | None, int]] = []  # anchor and size so far of the lists and maps around this place
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, CollectionStartEvent):
            open_.append((event.anchor, 1))
            if len(open_) > _MOST_DEPTH:
                raise UserError(f"{path}: line {line}: more than {_MOST_DEPTH} lists or maps inside each other")
            continue
        if isinstance(event, AliasEvent):
            if any(anchor == event.anchor for anchor, _ in open_):
                raise UserError(f"{path}: line {line}: *{event.anchor} contains itself")
            size = sizes.get(event.anchor, 1)
        elif isinstance(event, CollectionEndEvent):
            anchor, size = open_.pop()
            sizes |= {anchor: size} if anchor else {}
        elif isinstance(event, NodeEvent):
            size = 1
            sizes |= {event.anchor: 1} if event.anchor else {}
        else:
            continue
        if open_:
            open_[-1] = (open_[-1][0], open_[-1][1] + size)
        if size > _MOST_VALUES or (open_ and open_[-1][1] > _MOST_VALUES):
            raise UserError(f"{path}: line {line}: stands for more than {_MOST_VALUES} values; write them out")
