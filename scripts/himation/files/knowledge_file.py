"""Read what a user knows of causes: lists in the configuration, the same as JSON, or a YAML file."""

import json
from pathlib import Path

from himation.errors import UserError
from himation.files.column_names import position_of
from himation.files.texts import read_utf8
from himation.knowledge import TARGET, Knowledge


def read_knowledge(given, names, target_name: str, target_column: int | None) -> Knowledge:
    """``given`` is a mapping, its JSON, or the path of a YAML file; ``names`` are those of the file's columns."""
    index = {name: i for i, name in enumerate(names)}

    def column(entry) -> int:
        if str(entry) == target_name:
            return TARGET
        found = position_of(str(entry), names, "knowledge", index) + 1
        return TARGET if found == target_column else found

    def name_of(column: int) -> str:
        return names[column - 1] if column != TARGET else target_name

    known = Knowledge.of(_told(given), column)
    known.check(name_of)
    return known


def _told(given) -> dict:
    if isinstance(given, dict):
        return given
    if str(given).lstrip().startswith("{"):
        try:
            return json.loads(given)
        except ValueError as error:
            raise UserError(f"knowledge: not JSON ({error})") from None
    import yaml

    if not Path(given).is_file():
        raise UserError(f"{given}: no such file")
    try:
        told = yaml.safe_load(read_utf8(given))
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        where = f" at line {place.line + 1}" if place else ""
        raise UserError(f"{given}: not YAML{where}") from None
    told = told.get("knowledge", told) if isinstance(told, dict) else told
    if told is None:
        return {}
    if not isinstance(told, dict):
        raise UserError(f"{given}: should hold keys such as 'causes: [a, b]'")
    return told
