"""Pages written from the code: every key of the schema as a line of a Markdown table, and all classes and functions.

>>> schema = {"properties": {"seed": {"description": "Where chance starts.", "type": "integer", "default": 1}}}
>>> print(reference(schema, {}).splitlines()[-1])
| `seed` | Where chance starts. | whole number | `1` |
"""

import inspect
import json
import re
from collections.abc import Iterator

_INTRODUCTION = """\
# Configuration

Written by `make reference` from `workflow/schemas/config.schema.yaml`, against which every configuration is checked.
All keys may be left out unless marked as needed; a key that is not listed here is refused, with a suggestion.
`--configfile mine.yaml` is laid over `config.yaml`: a list (data sets, methods) replaces the one shipped, a group of
keys is merged with it.
"""
_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "`true`, `false`",
    "array": "list",
    "object": "keys below",
}
_LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "above {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "below {}",
}


_SUMMARY = """\
# Configuration

Written by `make reference` from `workflow/schemas/config.schema.yaml`. A configuration is `config.yaml` of the project,
with what `--configfile mine.yaml` lays over it, or the `config:` of a module that imports this workflow
([docs/importing.md](../docs/importing.md)). All keys, with values and defaults:
[docs/configuration.md](../docs/configuration.md).
"""


def summary(schema: dict) -> str:
    """A page of the first level's keys, for those who find the workflow in a catalog."""
    lines = [_SUMMARY, "| key | what it is |", "|---|---|"]
    lines += [f"| `{key}` | {_escaped(part['description'])} |" for key, part in schema["properties"].items()]
    return "\n".join(lines) + "\n"


def reference(schema: dict, takers: dict[str, list[str]]) -> str:
    """The page. ``takers`` maps a parameter of methods to the methods that take it."""
    groups, single = [], []
    for key, part in schema["properties"].items():
        (groups if _keys_below(part) else single).append((key, part))
    lines = [_INTRODUCTION, *_table("", dict(single), (), {})] if single else [_INTRODUCTION]
    for key, part in groups:
        lines += ["", f"## `{key}`", "", part["description"]]
        lines += _group(key, part, takers if key == "methods" else {})
    return "\n".join(lines) + "\n"


def _group(path: str, part: dict, takers: dict[str, list[str]]) -> list[str]:
    """A table of the keys below one, and further tables for those that have keys themselves."""
    holder = part["items"] if part["type"] == "array" else part
    keys = holder["properties"]
    lines = ["", *_table(path + ("[]." if part["type"] == "array" else "."), keys, holder.get("required", ()), takers)]
    for key, inner in keys.items():
        if _keys_below(inner):
            lines += ["", f"### `{path}[].{key}`", "", inner["description"], *_group(f"{path}[].{key}", inner, {})]
    return lines


def _keys_below(part: dict) -> bool:
    return "properties" in part or "properties" in part.get("items", {})


def _table(path: str, keys: dict, required, takers: dict[str, list[str]]) -> list[str]:
    last = "methods" if takers else "default"
    lines = [f"| key | what it is | values | {last} |", "|---|---|---|---|"]
    for key, part in keys.items():
        end = ", ".join(f"`{name}`" for name in takers.get(key, [])) if takers else ""
        if not takers and "default" in part:
            end = f"`{json.dumps(part['default'])}`" if part["default"] != {} else ""
        end = "needed" if key in required else end
        lines.append(f"| `{path}{key}` | {_escaped(part['description'])} | {_values(part)} | {end} |")
    return lines


def _values(part: dict) -> str:
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    kinds = part["type"] if isinstance(part["type"], list) else [part["type"]]
    words = " or ".join(_WORDS[kind] for kind in kinds)
    limits = _limits(part)
    if "array" in kinds and "items" in part and "properties" not in part["items"]:
        inner = part["items"]
        count = f"{part['minItems']} " if part.get("minItems", 0) == part.get("maxItems") else ""
        kinds = inner["type"] if isinstance(inner["type"], list) else [inner["type"]]
        words += f" of {count}" + " or ".join(f"{_WORDS[kind]}s" for kind in kinds)
        limits += _limits(inner)
    return ", ".join([words, *limits])


def _limits(part: dict) -> list[str]:
    found = [text.format(part[key]) for key, text in _LIMITS.items() if key in part]
    return [*found, "small letters, digits, `-` and `_`"] if "pattern" in part else found


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def api_reference() -> str:
    """The page in Markdown: the strategy, the functions, then every finder with its parameters and their defaults."""
    import himation
    from himation.estimators import ESTIMATORS, Himation, make_lucas

    functions = [make_lucas, *(getattr(himation, name) for name in ("effect", "network", "bayesian_network"))]
    lines = [
        "# Classes and functions",
        "",
        "All of these are imported from `himation`. The page is written by `make reference`; "
        "[The library](library.md) has examples in order.",
        "",
        *_class(Himation),
        "## Functions",
        "",
    ]
    for function in functions:
        lines += [f"### `{function.__name__}{_plain(inspect.signature(function))}`", "", *_text(function), ""]
    lines += [
        "## Finders",
        "",
        "After `fit`: `blanket_`, `scores_`, `support_`, `kinds_` ([The library](library.md)).",
        "",
    ]
    for made in sorted(ESTIMATORS.values(), key=lambda made: made.__name__.lower()):
        lines += _class(made, level=3)
    return "\n".join(lines).rstrip() + "\n"


def _class(made: type, level: int = 2) -> Iterator[str]:
    yield f"{'#' * level} `{made.__name__}`"
    yield ""
    yield f"```python\n{made.__name__}{_plain(inspect.signature(made))}\n```"
    yield ""
    yield from _text(made)
    yield ""
    own = [name for name, value in vars(made).items() if inspect.isfunction(value) and not name.startswith("_")]
    for name in own:
        text = inspect.getdoc(vars(made)[name])
        if text:
            yield f"- `{name}{_plain(inspect.signature(vars(made)[name]))}` {' '.join(text.split())}"
    yield ""


def _plain(signature: inspect.Signature) -> str:
    """A signature without types and without self."""
    kept = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in signature.parameters.items()
        if name != "self"
    ]
    return str(inspect.Signature(kept))


def _text(item) -> Iterator[str]:
    """A docstring: headings with a line under them in bold, lists of parameters and examples as they stand."""
    text = inspect.getdoc(item) or ""
    text = re.sub(r"^(.+)\n-{3,}$", r"**\1**\n", text, flags=re.MULTILINE)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    code = False
    for line in text.splitlines():
        starts = line.startswith(">>> ")
        if starts and not code:
            yield "```python"
            code = True
        elif code and not line.strip():
            yield "```"
            code = False
        if not code and re.match(r"[\w`, ]+ : ", line):
            name, rest = line.split(" : ", 1)
            yield f"- `{name.strip('`')}`: {rest}"
        else:
            yield line
    if code:
        yield "```"
