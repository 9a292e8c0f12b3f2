"""What happens before the first job of a run: is the configuration readable, are its tables in order, what is damaged?

Everything here reads only, but `prepare_results`, which the rules call once a run is sure to start: a dry run, a graph
or a list of rules leaves the disk as it is.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from himation.errors import UserError
from himation.files.config_file import read_config_file
from himation.files.digests import damaged, set_aside
from himation.files.plan import Plan, stamp

_NOTES = Path("results/.checked.json")
_LONGEST_LINE = 2000


def stop(message) -> None:
    """One clear line and exit status 1, without a traceback."""
    print(" ".join(str(message).split())[:_LONGEST_LINE], file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(1)


def refuse_unreadable(paths) -> None:
    """Stop if one of these configuration files is none."""
    try:
        for path in paths:
            read_config_file(path)
    except UserError as error:
        stop(error)


def check_tables(plan: Plan) -> dict[str, str]:
    """Let check_config.py read the tables that are new or changed since they were last found to be in order.

    Gives a stamp for each data set, to be noted.
    """
    if Path("results").exists() and not Path("results").is_dir():
        stop("results: is a file, and the results need a folder of that name; rename it")
    known = _noted()
    stamps = {name: stamp(plan, name) for name in plan.ids}
    changed = [name for name in plan.ids if known.get(name) != stamps[name]]
    if changed:
        check = [sys.executable, plan.script("check_config"), "--resolved", "-", "--quiet", "--only", *changed]
        if subprocess.run(check, input=json.dumps(plan.config), text=True, encoding="utf-8").returncode:
            os._exit(1)
    return stamps


def prepare_results(stamps: dict[str, str]) -> None:
    """Note what was checked, and set aside what is no longer as its step wrote it."""
    try:
        known = _noted()
        if {**known, **stamps} != known:
            _NOTES.parent.mkdir(exist_ok=True)
            _NOTES.write_text(json.dumps({**known, **stamps}))
        for path in _damaged_here():
            print(f"{path}: not as it was written; now {set_aside(path).name}, and made again", file=sys.stderr)
    except OSError as error:
        place = error.filename or "results"
        stop(f"{place}: can't be written ({error.strerror}); give room and permission, and run again")


def announce_damaged() -> None:
    """What a run would set aside."""
    for path in _damaged_here():
        print(f"{path}: not as it was written; a run sets it aside and makes it again", file=sys.stderr)


def _damaged_here() -> list[Path]:
    """Nothing is called damaged while another snakemake is at work here."""
    return [] if any(Path(".snakemake/locks").glob("*")) else damaged("results")


def _noted() -> dict[str, str]:
    try:
        known = json.loads(_NOTES.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # the first run here, or notes that were cut off
        return {}
    return known if isinstance(known, dict) else {}
