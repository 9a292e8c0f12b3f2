"""Check a configuration: the closed schema with "did you mean", defaults, and what no schema can say."""

import copy
import re
from difflib import get_close_matches
from pathlib import Path

from himation.challenge.task_names import DEFAULT_SIZES, PROBE_TASKS
from himation.errors import UserError, suggestion
from himation.files.challenge import use_challenge_files
from himation.methods import METHODS
from himation.rerun_list import RERUNS

_FILES = ("train", "test", "test_target", "truth", "calibrants")


def load_schema(path) -> dict:
    import yaml

    return yaml.safe_load(Path(path).read_text(encoding="utf-8"))


def resolve_configuration(config: dict, schema: dict, folders) -> dict:
    """A checked copy with all defaults and with paths that exist; relative ones are tried from each of ``folders``."""
    import jsonschema

    config = copy.deepcopy(config)
    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(config), key=_depth_first)
    if errors:
        raise UserError("config: " + _explain(errors[0], config))
    _fill_defaults(config, schema)
    _check_ids("methods", config["methods"])
    for entry in config["methods"]:
        _check_method(entry)
    _check_ids("reruns", config["reruns"])
    for entry in config["reruns"]:
        if entry["id"] not in RERUNS:
            raise UserError(f"config: unknown rerun {entry['id']!r}; {suggestion(entry['id'], list(RERUNS))}")
    _check_ids("datasets", config["datasets"])
    if not config["datasets"] and not config["reruns"]:
        raise UserError("config: nothing to do; name at least one data set under 'datasets'")
    folders = [Path(folder) for folder in folders]
    if config.get("challenge_data"):
        config["datasets"] = use_challenge_files(config["datasets"], config["challenge_data"], folders)
    for entry in config["datasets"]:
        _check_dataset(entry, folders)
    return config


def _depth_first(error):
    # the error a user can act on: unknown keys first, then by place
    return (error.validator != "additionalProperties", list(map(str, error.absolute_path)), str(error.validator))


def _explain(error, config) -> str:
    where = _place(error.absolute_path, config)
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        unknown = sorted(set(map(str, error.instance)) - set(known))[0]
        return f"unknown key {unknown!r}{where}; {suggestion(unknown, known)}"
    if error.validator == "enum":
        allowed = [str(value) for value in error.validator_value]
        return f"{error.instance!r}{where} is not allowed; {suggestion(str(error.instance), allowed)}"
    if error.validator == "required":
        missing = error.message.split("'")[1]
        return f"the key {missing!r} is missing{where}"
    if error.validator == "pattern":
        return f"{error.instance!r}{where} must match {error.validator_value}: small letters, digits, - and _"
    return f"{error.message.splitlines()[0][:200]}{where}"


def _place(path, config) -> str:
    """' at datasets 2 (lucas1), key types': where in the file."""
    words, here = [], config
    for step in path:
        here = here[step] if isinstance(here, dict | list) else here
        if isinstance(step, int):
            name = here.get("id") if isinstance(here, dict) else None
            words.append(f"entry {step + 1}" + (f" ({name})" if name else ""))
        else:
            words.append(str(step))
    return " at " + ", ".join(words) if words else ""


def _fill_defaults(value, schema) -> None:
    if isinstance(value, dict):
        for key, part in schema.get("properties", {}).items():
            if key not in value and "default" in part:
                value[key] = copy.deepcopy(part["default"])
            if key in value:
                _fill_defaults(value[key], part)
    elif isinstance(value, list) and isinstance(schema.get("items"), dict):
        for item in value:
            _fill_defaults(item, schema["items"])


def _check_ids(what, entries) -> None:
    ids = [entry["id"] for entry in entries]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise UserError(f"config: {what} has the id {twice[0]!r} twice; each needs its own")


def _check_method(entry) -> None:
    name = entry.setdefault("method", entry["id"])
    if name not in METHODS:
        raise UserError(f"config: unknown method {name!r}; {suggestion(name, list(METHODS))}")
    for key in entry:
        if key not in ("id", "method", *METHODS[name].parameters):
            known = ", ".join(METHODS[name].parameters)
            raise UserError(f"config: method {entry['id']!r} has no parameter {key!r}; {name} takes {known}")


def _check_dataset(entry, folders) -> None:
    name = f"config: data set {entry['id']!r}"
    if "simulate" in entry:
        given = [key for key in ("train", "target", "test", "test_target", "truth", "calibrants") if key in entry]
        if given:
            raise UserError(f"{name} has both 'simulate' and {given[0]!r}; use one or the other")
        _check_simulation(entry, name, folders)
    else:
        for key in ("train", "target"):
            if key not in entry:
                raise UserError(f"{name} lacks {key!r}; give 'train' and 'target', or 'simulate'")
        for key in _FILES:
            if key in entry:
                entry[key] = _existing(entry[key], folders, f"{name}: {key}")
        for key in ("target", "types"):
            entry[key] = _existing(entry[key], folders, None)
        if "test_target" in entry and "test" not in entry:
            raise UserError(f"{name} has 'test_target' and no 'test'")
        if ("calibrants" in entry) != ("grid" in entry):
            raise UserError(f"{name}: 'calibrants' and 'grid' go together")
    manipulation = entry.setdefault("manipulation", "none")
    words = ("none", "unknown", "known") if "simulate" in entry else ("none", "unknown")
    if isinstance(manipulation, str) and manipulation not in words:
        close = get_close_matches(manipulation, ("none", "unknown"), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else f"; for a variable of that name write [{manipulation}]"
        entry["manipulation"] = _existing(manipulation, folders, f"{name}: manipulation", hint)


def _check_simulation(entry, name, folders) -> None:
    simulate = entry["simulate"]
    network = simulate["network"]
    for key, size in zip(("variables", "train", "test"), DEFAULT_SIZES[network], strict=True):
        if (network, key) != ("lucas", "variables"):
            simulate.setdefault(key, size)
    if network == "marti":
        side = round(simulate["variables"] ** 0.5)
        if side * side != simulate["variables"]:
            raise UserError(f"{name}: the variables of marti fill a square grid; write variables: {side * side}")
    if "adult" in simulate:
        if network != "cina":
            raise UserError(f"{name}: 'adult' is the table behind cina, not {network}")
        simulate["adult"] = _existing(simulate["adult"], folders, f"{name}: adult")
    if "version" in simulate and "manipulate" in simulate:
        raise UserError(f"{name}: 'version' and 'manipulate' exclude each other")
    manipulate = simulate.get("manipulate")
    if isinstance(manipulate, str) and manipulate not in ("all", "none"):
        raise UserError(f"{name}: manipulate is a list of names, 'all' or 'none', not {manipulate!r}")
    if "manipulation" not in entry:
        natural = simulate.get("version", 0) == 0 and manipulate in (None, "none", [])
        unknown = simulate.get("version") == 2 or manipulate == "all" or network in PROBE_TASKS
        entry["manipulation"] = "none" if natural else "unknown" if unknown else "known"


def _existing(text, folders, what, hint="") -> str:
    """The path that exists, tried from each folder; with ``what`` None a word that is no file stays as it is."""
    if re.search(r"[\x00-\x1f]", text):
        raise UserError(f"{what or 'config'}: {text!r} has a control character")
    for folder in folders:
        try:
            if (folder / text).is_file():
                return text if folder == folders[0] else str((folder / text).resolve())
        except (OSError, ValueError):
            break
    if what is None:
        return text
    raise UserError(f"{what}: {text!r}: no such file{hint}")
