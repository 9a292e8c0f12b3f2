"""The configuration reference: every key of the schema as a line of a Markdown table.

>>> schema = {"properties": {"seed": {"description": "Where chance starts.", "type": "integer", "default": 1}}}
>>> print(reference(schema, {}).splitlines()[-1])
| `seed` | Where chance starts. | whole number | `1` |
"""

import json

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
