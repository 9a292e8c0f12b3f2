"""Check a configuration: the closed schema with "did you mean", defaults, and what no schema can say."""

import json
import os
import re
from difflib import get_close_matches
from pathlib import Path

from himation.errors import UserError, suggestion
from himation.methods import METHODS, PARAMETERS
from himation.rerun_list import RERUNS
from himation.selection.rule_names import NEED_NETWORKS
from himation.task_names import DEFAULT_SIZES, FROM_FILE, PROBE_TASKS

_FILES = ("train", "test", "test_target", "truth", "calibrants")
_LARGEST = 2**32 - 1  # of whole numbers: what NumPy takes as a seed
_LONGEST = 100_000  # bytes of a resolved configuration, which is an argument of record_run.py
_TAKEN = ("logs", "benchmarks", "reruns", "training")  # folders of results/ that are no data sets
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def load_schema(path) -> dict:
    """The schema with the parameters of methods, which are declared in `himation.methods`."""
    import yaml

    schema = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    keys = schema["properties"]["methods"]["items"]["properties"]
    keys |= {key: parameter.schema() for key, parameter in PARAMETERS.items()}
    return schema


def resolve_configuration(config: dict, schema: dict, folders) -> dict:
    """A checked copy with all defaults and with paths that exist; relative ones are tried from each of ``folders``."""
    config = _plain(config)
    for key in ("methods", "reruns"):  # a plain word is an entry with nothing but its id
        if isinstance(config.get(key), list):
            config[key] = [{"id": entry} if isinstance(entry, str) else entry for entry in config[key]]
    errors = sorted(_validator()(schema).iter_errors(config), key=_depth_first)
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
    _check_rule(config)
    _check_ids("datasets", config["datasets"])
    if not config["datasets"] and not config["reruns"]:
        raise UserError("config: nothing to do; name at least one data set under 'datasets'")
    folders = [Path(folder) for folder in folders]
    if config.get("challenge_data"):
        from himation.studies.challenge.files import use_challenge_files

        config["datasets"] = use_challenge_files(config["datasets"], config["challenge_data"], folders)
    for entry in config["datasets"]:
        _check_dataset(entry, folders)
        _check_place(entry, config["datasets"], folders[0])
    groups = config["region"]["groups"]
    if groups not in ("none", "found"):
        close = get_close_matches(groups, ("none", "found"), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "; groups is none, found or a file, a group a line"
        config["region"]["groups"] = _existing(groups, folders, "config: region: groups", hint)
    if len(json.dumps(config)) > _LONGEST:
        raise UserError(f"config: more than {_LONGEST // 1000} kB; put long lists into files (manipulation: list.txt)")
    return config


def _plain(value):
    """A copy in plain mappings and lists, so that a message reads the same whoever read the file."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list) else value


def _validator():
    """A validator for which a whole number has no point, a number is finite, and a text is one line of characters."""
    import math

    from jsonschema import Draft202012Validator, validators

    def whole(_, value):
        return isinstance(value, int) and not isinstance(value, bool) and value <= _LARGEST

    def finite(_, value):
        return whole(_, value) or (isinstance(value, float) and math.isfinite(value))

    def line(_, value):
        return isinstance(value, str) and _why_no_line(value) is None

    known = Draft202012Validator.TYPE_CHECKER.redefine_many({"integer": whole, "number": finite, "string": line})
    return validators.extend(Draft202012Validator, type_checker=known)


def _why_no_line(text: str) -> str | None:
    if not text:
        return "is empty"
    if _CONTROL.search(text):
        return "has a control character"
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return "has half a character"
    return None


def _depth_first(error):
    # the error a user can act on: unknown keys first, then by place
    return (error.validator != "additionalProperties", list(map(str, error.absolute_path)), str(error.validator))


def _explain(error, config) -> str:
    where = _place(error.absolute_path, config)
    found = _short(error.instance)
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        unknown = sorted(set(map(str, error.instance)) - set(known))[0]
        return f"unknown key {_short(unknown)}{where}; {suggestion(unknown, known)}"
    if error.validator == "enum":
        allowed = [str(value) for value in error.validator_value]
        return f"{found}{where} is not allowed; {suggestion(str(error.instance)[:80], allowed)}"
    if error.validator == "required":
        missing = error.message.split("'")[1]
        return f"the key {missing!r} is missing{where}"
    if error.validator == "pattern":
        return f"{found}{where} must match {error.validator_value}: small letters, digits, - and _"
    if error.validator == "type":
        return f"{found}{where} {_why_no(error.validator_value, error.instance)}"
    return f"{error.message.replace(repr(error.instance), found).splitlines()[0][:200]}{where}"


def _why_no(kinds, value) -> str:
    """What is wrong with the type of a value."""
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "string" in kinds and isinstance(value, str):
        return f"{_why_no_line(value)}; write one line of text"
    if "integer" in kinds and isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST:
        return f"should be a whole number; write {int(value)}"
    if "integer" in kinds and isinstance(value, int) and not isinstance(value, bool):
        return f"is too large; at most {_LARGEST}"
    return f"should be {' or '.join(_KINDS[kind] for kind in kinds)}"


_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "keys and values",
}


def _short(value) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _place(path, config) -> str:
    """' at datasets 2 (lucas1), key types': where in the file."""
    words, here = [], config
    for step in path:
        here = here[step] if isinstance(here, dict | list) else here
        if isinstance(step, int):
            name = here.get("id") if isinstance(here, dict) else None
            shown = isinstance(name, str) and len(name) <= 80 and not _why_no_line(name)
            words.append(f"entry {step + 1}" + (f" ({name})" if shown else ""))
        else:
            words.append(str(step))
    return " at " + ", ".join(words) if words else ""


def _fill_defaults(value, schema) -> None:
    if isinstance(value, dict):
        for key, part in schema.get("properties", {}).items():
            if key not in value and "default" in part:
                value[key] = _plain(part["default"])
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


def _check_rule(config) -> None:
    """What the rule of selection rests on is there."""
    chosen = config["selection"]
    if chosen["rule"] in NEED_NETWORKS and not config["networks"]["draw"]:
        raise UserError(f"config: the rule {chosen['rule']!r} goes by sampled networks; write networks: {{draw: true}}")
    if chosen["candidates"] == "fsmb" and not any(entry["method"] == "fsmb" for entry in config["methods"]):
        raise UserError("config: selection: candidates: fsmb needs fsmb among the methods")


def _check_dataset(entry, folders) -> None:
    name = f"config: data set {entry['id']!r}"
    if "simulate" in entry:
        given = ["train", "target", "test", "test_target", "truth", "calibrants", "ignore", "environment"]
        given += ["positive"] if entry["simulate"]["network"] in DEFAULT_SIZES else []
        given = [key for key in given if key in entry]
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
    if isinstance(entry.get("knowledge"), str):
        entry["knowledge"] = _existing(entry["knowledge"], folders, f"{name}: knowledge")
    if "positive" in entry:  # YAML reads a plain yes as true, and 1 as a number
        entry["positive"] = str(entry["positive"])
    manipulation = entry.setdefault("manipulation", "none")
    words = ("none", "unknown", "known") if "simulate" in entry else ("none", "unknown")
    if isinstance(manipulation, str) and manipulation not in words:
        close = get_close_matches(manipulation, ("none", "unknown"), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else f"; for a variable of that name write [{manipulation}]"
        entry["manipulation"] = _existing(manipulation, folders, f"{name}: manipulation", hint)


def _check_simulation(entry, name, folders) -> None:
    simulate = entry["simulate"]
    network = simulate["network"]
    if network not in DEFAULT_SIZES:
        _check_network(entry, name, folders)
    for key, size in zip(("variables", "train", "test"), DEFAULT_SIZES.get(network, FROM_FILE), strict=True):
        if size and (network, key) != ("lucas", "variables"):
            simulate.setdefault(key, size)
    if network == "marti":
        side = round(simulate["variables"] ** 0.5)
        if side * side != simulate["variables"]:
            raise UserError(f"{name}: the variables of marti fill a square grid; write variables: {side * side}")
    if network in DEFAULT_SIZES:
        for key in ("target", "positive"):
            if key in simulate:
                raise UserError(f"{name}: {key!r} belongs to a network in a file; {network} has its own target")
    if "adult" in simulate:
        if network != "cina":
            raise UserError(f"{name}: 'adult' is the table behind cina, not {network}")
        simulate["adult"] = _existing(simulate["adult"], folders, f"{name}: adult")
    if "version" in simulate and "manipulate" in simulate:
        raise UserError(f"{name}: 'version' and 'manipulate' exclude each other")
    manipulate = simulate.get("manipulate")
    if manipulate is not None and network in PROBE_TASKS:
        raise UserError(f"{name}: the probes of {network} are manipulated as in the challenge; write version: 1 or 2")
    if isinstance(manipulate, str) and manipulate not in ("all", "none"):
        raise UserError(f"{name}: manipulate is a list of names, 'all' or 'none', not {manipulate!r}")
    if "manipulation" not in entry:
        natural = simulate.get("version", 0) == 0 and manipulate in (None, "none", [])
        unknown = simulate.get("version") == 2 or manipulate == "all" or network in PROBE_TASKS
        entry["manipulation"] = "none" if natural else "unknown" if unknown else "known"


def _check_network(entry, name, folders) -> None:
    """A network in a file: its target, and where the data set says what is positive."""
    from himation.files.network_file import format_of

    simulate, path = entry["simulate"], entry["simulate"]["network"]
    close = get_close_matches(path, list(DEFAULT_SIZES), n=1)
    hint = f"; did you mean {close[0]!r}?" if close else f"; known without a file are {', '.join(DEFAULT_SIZES)}"
    simulate["network"] = _existing(path, folders, f"{name}: network", hint)
    try:
        format_of(path)
    except UserError as error:
        raise UserError(f"{name}: network: {error}") from None
    if "target" not in simulate:
        raise UserError(f"{name}: name the variable of {path} to be predicted: simulate: {{..., target: NAME}}")
    if "variables" in simulate:
        raise UserError(f"{name}: 'variables' is the size of a task; {path} has its own")
    if "positive" in entry:  # the labels that are written are -1 and 1
        positive = entry.pop("positive")
        if simulate.setdefault("positive", positive) != positive:
            raise UserError(f"{name}: 'positive' is {positive!r} and in simulate {simulate['positive']!r}; write one")
    if "positive" in simulate:
        simulate["positive"] = str(simulate["positive"])
    if entry["missing"] == "error":  # nothing is missing: a rare state that training lacks must not stop the run
        entry["missing"] = "impute"


def _check_place(entry, entries, folder) -> None:
    """The folders of this configuration's data sets hold what is made from the files, not the files."""
    made = {(folder / "results" / other["id"]).resolve() for other in entries}
    if entry["id"] in _TAKEN:
        raise UserError(f"config: data set {entry['id']!r}: results/{entry['id']} is taken; give it another id")
    for key, value in {**entry, **entry.get("simulate", {})}.items():
        if isinstance(value, str) and os.path.isfile(folder / value):
            inside = made & set((folder / value).resolve().parents)
            if inside:
                raise UserError(f"config: data set {entry['id']!r}: {key}: {value!r} is in a folder this run makes")


def _existing(text, folders, what, hint="") -> str:
    """The path that exists, tried from each folder; with ``what`` None a word that is no file stays as it is."""
    for folder in folders:
        if os.path.isfile(folder / text):
            path = str(Path(text)) if folder == folders[0] else str((folder / text).resolve())
            if re.search(r"[{}]", path):
                raise UserError(f"{what or 'config'}: {path!r}: Snakemake takes braces for wildcards; rename the file")
            return path
    if what is None:
        return text
    raise UserError(f"{what}: {_short(text)}: no such file{hint}")
