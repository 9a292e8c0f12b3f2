# Takes: the data sets of the configuration.
# Gives: functions for the files that a data set names, or that a simulation makes for it, and for options about them.
# Does: nothing but look at the configuration.

import json

from himation.files.entries import SOURCE, files_of_users, manipulation_file, simulated_from
from himation.selection.rule_names import why_not_asked


def file_of(key, otherwise=None):
    """The file that a data set has for a key, if it has one."""

    def path(wildcards):
        files = file_in(entry_of(wildcards), entry_of(wildcards).get(key))
        return files if files or otherwise is None else otherwise(wildcards)

    return path


def file_in(entry, value):
    """One that is made moves with results/ where the workflow is imported with a prefix; a user's own stays."""
    if value and "simulate" in entry and value.startswith("results/"):
        return [value]
    return [local(value)] if value and os.path.isfile(value) else []


def simulation_options(wildcards):
    simulate = {"seed": CONFIG["seed"], **entry_of(wildcards)["simulate"]}
    simulate["manipulate"] = simulate.get("manipulate") or None
    renamed = {"predict": "target", "train_size": "train", "test_size": "test"}
    same = ("network", "seed", "adult", "version", "positive", "variables", "manipulate")
    return flags(simulate, *same, **renamed)


def source_files(wildcards):
    """The files that prepare_data.py reads."""
    keys = [key for key in SOURCE if key != "environment" and isinstance(entry_of(wildcards).get(key), str)]
    found = {key: file_of(key)(wildcards) for key in keys}
    return {key: files for key, files in found.items() if files}


def source_options(wildcards, input):
    """Options of prepare_data.py; a target or types that are no file are words."""
    entry = entry_of(wildcards)
    files = {key: list(input.get(key)) for key in SOURCE if input.get(key)}
    words = {"positive": str(entry["positive"])} if "positive" in entry else {}
    words |= {"knowledge": json.dumps(entry["knowledge"])} if isinstance(entry.get("knowledge"), dict) else {}
    noise = flags(CONFIG["preparation"], "noise_method") if "calibrants" in entry else []
    return flags({**entry, **files, **words, "ignore": entry.get("ignore") or None}, *SOURCE) + noise


def manipulated_from(wildcards):
    return file_in(entry_of(wildcards), manipulation_file(entry_of(wildcards)))


def manipulation(wildcards, input):
    """The option about what was manipulated: a file, names, or a word."""
    value = str(input.manipulation) if input.get("manipulation") else entry_of(wildcards)["manipulation"] or "none"
    return flags({"manipulated" if isinstance(value, list) else "manipulation": value})


def not_asked(wildcards):
    """Why the selection does not go by what the test table says, if it does not."""
    return why_not_asked(entry_of(wildcards), CONFIG["selection"])
