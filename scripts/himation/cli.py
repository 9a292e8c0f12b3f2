"""What all scripts share: the log, the progress line, and how an error reaches the user.

Importing this module first keeps linear algebra on one thread, so that sums are added in the same order on any number
of cores; threads are used on top of that, over independent pieces of work.
"""

import argparse
import errno
import functools
import logging
import os
import shlex
import sys
import time
import traceback
from pathlib import Path

for _library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[_library] = "1"

from himation.errors import WARNINGS_ALONE, UserError  # noqa: E402
from himation.files.memory import computing, peaks  # noqa: E402
from himation.files.outcomes import DONE, FAILED, STARTED, note  # noqa: E402
from himation.test_names import TESTS  # noqa: E402

log = logging.getLogger("himation")
_SECONDS_BETWEEN_LINES = 20.0
_LONGEST_LINE = 2000  # characters
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


def parser(description: str) -> argparse.ArgumentParser:
    """An argument parser whose help is the script's docstring, with the options every script has."""
    made = argparse.ArgumentParser(description=description, formatter_class=_Help)
    common = made.add_argument_group("every script")
    common.add_argument("--log", metavar="FILE", help="also write what is reported here, the command line first")
    common.add_argument("--quiet", action="store_true", help="report only errors on the terminal")
    return made


class _Help(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    def _get_help_string(self, action):
        return action.help if action.default in (None, False, True) else super()._get_help_string(action)


def command(main):
    """Turn ``main(args, ...)`` built on `parser` into a command: ``main(argv=None)`` returning an exit status.

    ``main`` has an attribute ``arguments``, a function that gives the parser.
    """

    @functools.wraps(main)
    def run(argv=None) -> int:
        words = list(sys.argv[1:] if argv is None else argv)
        script = Path(str(sys.modules[main.__module__].__file__))
        args = main.__globals__["arguments"]().parse_args(words)
        try:
            handlers = _start_log(args)
        except (OSError, ValueError) as error:
            print(f"{script.stem}: --log {args.log}: can't be written ({error})", file=sys.stderr)
            return 1
        told = {"command": shlex.join(["python", str(script), *words])}
        log.debug("command: %s", told["command"])
        note(args.log, STARTED, **told)
        began = time.perf_counter()
        try:
            main(args)
            own, child = (peak / 1e6 for peak in peaks())
            took = time.perf_counter() - began
            log.debug("done in %.1f s, %.1f of computing; peak %.0f MB, child %.0f MB", took, computing(), own, child)
            note(args.log, DONE, **told)
            return 0
        except Exception as error:
            why = _one_line(error, args.log)
            log.error("%s: %s", script.stem, why)
            log.debug("failed after %.1f s", time.perf_counter() - began)
            note(args.log, FAILED, why=why, **told)
            return 1
        finally:
            for handler in handlers:
                log.removeHandler(handler)
                handler.close()

    return run


def _one_line(error: Exception, written) -> str:
    """What a user needs to know about an error."""
    if isinstance(error, UserError):
        line = " ".join(str(error).splitlines())
        return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..."
    if isinstance(error, MemoryError):
        return "not enough memory for this table on this computer"
    if isinstance(error, OSError) and error.errno in _DISK:
        return f"can't write {error.filename or 'its results'}: {error.strerror}; make room and run again"
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, UnicodeDecodeError):
        return f"a file is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8"
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("himation"):
        return f"this Python lacks the package {error.name}; use the environment of `make env`: .venv/bin/python"
    log.debug("%s", "".join(traceback.format_exception(error)))
    last = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    place = f"the traceback is in {written}" if written else "run again with --log FILE for the traceback"
    return f"a fault of the program ({last}); {place}"


def _start_log(args) -> list[logging.Handler]:
    log.setLevel(logging.DEBUG)
    log.propagate = False
    terminal = logging.StreamHandler(sys.stderr)
    least = logging.WARNING if os.environ.get(WARNINGS_ALONE) else logging.INFO
    terminal.setLevel(logging.ERROR if args.quiet else least)
    terminal.setFormatter(logging.Formatter("%(message)s"))
    handlers: list[logging.Handler] = [terminal]
    if args.log:
        Path(args.log).parent.mkdir(parents=True, exist_ok=True)
        written = logging.FileHandler(args.log, mode="w", encoding="utf-8")
        written.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        handlers.append(written)
    for handler in handlers:
        log.addHandler(handler)
    return handlers


class Progress:
    """Report how far long work is: a line that renews itself on a terminal, a line every 20 s in a log."""

    def __init__(self, what: str):
        self.what, self.began, self.last = what, time.monotonic(), time.monotonic()
        self.live = sys.stderr.isatty() and not os.environ.get(WARNINGS_ALONE)

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done < total and now - self.last < (0.5 if self.live else _SECONDS_BETWEEN_LINES):
            return
        spent = now - self.began
        if done >= total and self.last == self.began:
            return
        left = spent / max(done, 1) * (total - done)
        line = f"{self.what}: {done} of {total}, {done / max(spent, 1e-9):.1f}/s, {left:.0f} s left"
        if self.live:
            sys.stderr.write("\r" + line + ("\n" if done >= total else ""))
        else:
            log.info(line)
        self.last = now


def add_table_arguments(made: argparse.ArgumentParser) -> None:
    """Options that name the data: a prepared folder, or the raw files."""
    group = made.add_argument_group("data: a prepared folder, or a table and its target")
    group.add_argument("--data", metavar="FOLDER", help="folder written by prepare_data.py")
    add_source_arguments(group)


def add_source_arguments(group, required=False) -> None:
    from himation.prepare.preparing import MISSING

    group.add_argument(
        "--train", metavar="FILE", required=required, help="training table: .data, .csv, .tsv, .parquet, sparse .npz"
    )
    group.add_argument("--target", metavar="FILE|COLUMN", required=required, help="labels, one a line, or a column")
    group.add_argument("--test", metavar="FILE", help="test table with the same columns")
    group.add_argument("--test-target", metavar="FILE", help="labels of the test table, for scores")
    group.add_argument(
        "--types", default="auto", help="auto, continuous, binary, discrete, mixed, or a table (variable,type)"
    )
    group.add_argument("--missing", default="error", choices=MISSING, help="what to do about missing values")
    group.add_argument(
        "--ignore", nargs="+", action="extend", default=[], metavar="COLUMN", help="columns that are no variables"
    )
    group.add_argument(
        "--positive", metavar="VALUE", help="the target's positive class: a value of it, or a cut such as '> median'"
    )
    group.add_argument(
        "--knowledge", metavar="FILE|JSON", help="what is known of causes: a YAML file with causes: [a, b] and the like"
    )
    group.add_argument(
        "--environment", metavar="COLUMN", help="column that says what was set in a row: empty, or names joined by ;"
    )
    group.add_argument("--calibrants", metavar="FILE", help="1-based columns that show only spatial noise")
    group.add_argument("--grid", nargs=2, type=int, metavar=("ROWS", "COLUMNS"), help="layout of the columns")
    group.add_argument("--noise-method", metavar="NAME", help="how noise is removed (see himation/prepare/noise.py)")


def source_from(args):
    from dataclasses import fields

    from himation.files.dataset import Source

    return Source(**{field.name: getattr(args, field.name) for field in fields(Source)})


def load_table(args, any_target=False):
    """The table that the options name."""
    if args.data:
        from himation.files import prepared

        return prepared.load(args.data)
    if not (args.train and args.target):
        raise UserError("give --data FOLDER, or --train FILE and --target FILE|COLUMN")
    from himation.files.dataset import read_dataset

    return read_dataset(source_from(args), any_target)


def add_independence_arguments(made: argparse.ArgumentParser) -> None:
    made.add_argument("--independence", default="auto", help="test of independence: " + ", ".join(TESTS))
    made.add_argument("--alpha", type=float, default=0.05, help="level of the tests")
    made.add_argument("--max-conditioning", type=int, default=3, help="largest conditioning set")
    made.add_argument("--symmetry", choices=["and", "or", "none"], default="and", help="who must find whom")
    add_rows_argument(made)
    made.add_argument(
        "--candidates",
        choices=["auto", "alpha", "fdr"],
        default="auto",
        help="where a search starts (see find_blanket.py)",
    )


def add_rows_argument(made: argparse.ArgumentParser) -> None:
    made.add_argument("--rows", type=int, default=10_000, help="rows that the mixed test uses at most; 0: all")


def add_chunk_arguments(made: argparse.ArgumentParser, what: str) -> None:
    """Options that spread a step over several jobs."""
    group = made.add_argument_group("over several jobs, with the same answer")
    group.add_argument(
        "--chunk", type=chunk, default=(1, 1), metavar="I/N", help="only the I-th of N parts of the work"
    )
    group.add_argument("--part", metavar="FILE", help=f"write the {what} of the chunk here, and nothing else")
    group.add_argument("--parts", nargs="+", metavar="FILE", help=f"take the {what} from these parts")


def chunk(text: str) -> tuple[int, int]:
    """>>> chunk("2/5")
    (2, 5)
    """
    i, _, n = text.partition("/")
    if not (i.isdecimal() and n.isdecimal() and 1 <= int(i) <= int(n)):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form I/N with I from 1 to N")
    return int(i), int(n)


def add_manipulation_arguments(made: argparse.ArgumentParser) -> None:
    which = made.add_mutually_exclusive_group()
    which.add_argument("--manipulation", default="none", help="none, unknown, or a file with a list")
    which.add_argument(
        "--manipulated", nargs="+", action="extend", default=[], metavar="NAME", help="names or 1-based columns"
    )


def manipulation_from(args, table, by_column=False) -> tuple[str, frozenset[int]]:
    """What is known of the manipulation: none, unknown or known, and the variables (or columns) of a known list.

    Listed columns that are no variables (constant ones, say) have no part in the search and are passed over, unless
    columns are asked for.
    """
    from himation.files.dataset import manipulated_columns, read_list

    if args.manipulation in ("none", "unknown") and not args.manipulated:
        return args.manipulation, frozenset()
    listed = args.manipulated or read_list(args.manipulation)
    columns = frozenset(position + 1 for position in manipulated_columns(listed, table))
    if by_column:
        return ("known" if columns else "none"), columns
    where = {int(column): i for i, column in enumerate(table.columns)}
    return ("known" if columns else "none"), frozenset(where[column] for column in columns if column in where)
