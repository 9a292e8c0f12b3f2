"""Many commands for the price of one start: a process loads Snakemake and the library once, and forks for each command.

What runs in the fork is the command's own `main`, in a folder of its own, with its output in files; nothing of it is
left in the process that forks. `python forked.py` is that process: it reads a command a line, and answers likewise.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

PROJECT = Path(__file__).resolve().parent.parent.parent
LONGEST = 60  # seconds of computing; ten times as many of the clock


@dataclass(frozen=True)
class Done:
    """A command that has ended; its status is that of the shell, or -9 if it took too long."""

    status: int
    out: str
    err: str
    seconds: float

    @property
    def lines(self) -> list[str]:
        """What was said, but for Snakemake's words on where the workflow and its settings are."""
        return [line for line in self.err.splitlines() if not line.startswith(("Using workflow", "Config file"))]


@contextmanager
def commands():
    """A function ``run(folder, command, *words)``; the command is snakemake or the name of a script."""
    with (
        TemporaryDirectory() as place,
        subprocess.Popen(
            [sys.executable, __file__, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as server,
    ):

        def run(folder, command, *words) -> Done:
            server.stdin.write(json.dumps([str(folder), command, *map(str, words)]) + "\n")
            server.stdin.flush()
            status, seconds = json.loads(server.stdout.readline())
            out, err = (Path(place, name).read_text(encoding="utf-8", errors="replace") for name in ("out", "err"))
            return Done(status, out, err, seconds)

        yield run
        server.stdin.close()


def serve(place) -> None:
    sys.path.insert(0, str(PROJECT / "scripts"))
    import check_config
    import snakemake.cli
    import yaml  # noqa: F401

    from himation.files import config_file, dataset, entries, needs, provenance, starting  # noqa: F401

    def snakemake_main(words):
        sys.argv = ["snakemake", "--snakefile", str(PROJECT / "Snakefile"), *words]
        snakemake.cli.main()

    mains = {"snakemake": snakemake_main, "check_config": check_config.main}
    for line in sys.stdin:
        folder, command, *words = json.loads(line)
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            os.setsid()
            _run(mains[command], words, folder, place)
        status = _wait(child, began)
        print(json.dumps([status, time.monotonic() - began]), flush=True)


def _run(main, words, folder, place) -> None:
    """In the fork: as a process of its own would, to the end."""
    status = 99
    try:
        os.chdir(folder)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(os.path.join(place, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        status = main(words)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
        if isinstance(error.code, str):
            print(error.code, file=sys.stderr)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _wait(child: int, began: float) -> int:
    """Its status once it has ended; on a busy computer it may take longer than it computes."""
    used = psutil.Process(child).cpu_times
    while True:
        ended, how = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(how)
        passed = time.monotonic() - began
        if passed > LONGEST and (sum(used()) > LONGEST or passed > 10 * LONGEST):
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -9
        time.sleep(0.005)


if __name__ == "__main__":
    serve(sys.argv[1])
