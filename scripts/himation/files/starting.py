"""What is looked at before Snakemake plans: is the configuration readable, and can results be written here?

Everything here reads only, but for the folder that a configuration names, which must be there for Snakemake to plan in:
a dry run, a graph or a list of rules leaves results as they are.
"""

import os
import sys
from pathlib import Path

from himation.errors import WARNINGS_ALONE, UserError
from himation.files.config_file import read_config_file
from himation.files.digests import SWITCH

DATA = "HIMATION_DATA"  # where data are that no package has
_LONGEST_LINE = 2000
_LEAST_ROOM = 200_000  # bytes of disk, without which not even a log can be kept


def stop(message) -> None:
    """One clear line and exit status 1, without a traceback."""
    sys.exit(" ".join(str(message).split())[:_LONGEST_LINE])


def set_environment() -> None:
    """Jobs use the Python that runs snakemake, leave a digest of each result, which check_results.py looks at, and say
    on the terminal only what somebody should know at once; relative paths of the environment start here."""
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")
    os.environ[SWITCH] = os.environ[WARNINGS_ALONE] = "1"
    if os.environ.get(DATA):
        os.environ[DATA] = os.path.abspath(os.environ[DATA])  # jobs may run in another folder


def refuse_unreadable(paths) -> None:
    """Stop if one of these configuration files is none."""
    try:
        for path in paths:
            read_config_file(path)
    except UserError as error:
        stop(error)


def named_folder(value) -> str:
    """The folder that the configuration names for all results, if it is a name and can be made."""
    if not isinstance(value, str):
        stop(f"config: folder: must be a text, not {value!r}")
    try:
        os.makedirs(value, exist_ok=True)
    except OSError as error:
        stop(f"config: folder: {value}: {error.strerror}")
    return value


def refuse_unusable_folder() -> None:
    """Stop if nothing can be written here, which Snakemake's own log would meet with a traceback."""
    if os.path.lexists("results") and not Path("results").is_dir():
        stop("results: not a folder, and the results need one of that name; rename what is there")
    if os.path.lexists("results") and not os.access("results", os.W_OK | os.X_OK):
        stop("results: can't be written; give room and permission, and run again")
    disk = os.statvfs(".")
    if disk.f_bavail * disk.f_frsize < _LEAST_ROOM:
        stop(f"{Path.cwd()}: the disk is full; make room and run again")
