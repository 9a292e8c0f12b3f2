"""What happens before the first job of a run: is the configuration readable, are its tables in order, what is damaged?

Everything here reads only, but `prepare_results`, which the rules call once a run is sure to start: a dry run, a graph
or a list of rules leaves the disk as it is.
"""

import errno
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
_LEAST_ROOM = 200_000  # bytes of disk, without which not even a log can be kept


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


def refuse_unusable_folder() -> None:
    """Stop if nothing can be written here, which Snakemake's own log would meet with a traceback."""
    if os.path.lexists("results") and not Path("results").is_dir():
        stop("results: not a folder, and the results need one of that name; rename what is there")
    disk = os.statvfs(".")
    if disk.f_bavail * disk.f_frsize < _LEAST_ROOM:
        stop(f"{Path.cwd()}: the disk is full; make room and run again")


def check_tables(plan: Plan) -> dict[str, str]:
    """Let check_config.py read the tables that are new or changed since they were last found to be in order.

    Gives a stamp for each data set, to be noted.
    """
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
        Path("results").mkdir(exist_ok=True)
        known = _noted()
        if {**known, **stamps} != known:
            _NOTES.parent.mkdir(exist_ok=True)
            _NOTES.write_text(json.dumps({**known, **stamps}))
        for path in _damaged_here():
            print(f"{path}: not as it was written; now {set_aside(path).name}, and made again", file=sys.stderr)
        if not os.access("results", os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "results")
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
