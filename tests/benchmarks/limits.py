"""One tool on one problem, in a process of its own that is stopped at a limit of time.

Imports come before the clock starts. A tool runs up to `REPEATS` times as long as that is quick, each time on data
prepared anew (some tools remember their tests), and the fastest run counts; the first one is kept too, as compilation
or the loading of compiled code falls into it.
"""

import multiprocessing
import os
import time
from dataclasses import dataclass
from importlib import import_module

from problems import Problem

REPEATS = 5
_SECONDS_FOR_REPEATS = 10
_SECONDS_FOR_IMPORTS = 300


@dataclass(frozen=True)
class Run:
    """``found`` has a set for each target; ``cpu`` counts all threads of the process."""

    loading: float
    seconds: float
    cpu: float
    found: list


@dataclass(frozen=True)
class Outcome:
    """The runs that ended, and a note if there was trouble."""

    runs: list[Run]
    note: str = ""


def measure(key: int, problem: Problem, limit: float) -> Outcome:
    """Run tool number ``key`` of `bench_blankets.TOOLS`."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    done = context.Value("l", 0)
    process = context.Process(target=_work, args=(there, done, key, problem), daemon=True)
    process.start()
    there.close()
    try:
        return _listen(here, done, len(problem.targets), limit)
    finally:
        process.kill()
        process.join()


def _listen(connection, done, targets: int, limit: float) -> Outcome:
    runs: list[Run] = []
    wait = _SECONDS_FOR_IMPORTS
    try:
        while connection.poll(wait):
            message = connection.recv()
            if isinstance(message, str):
                return Outcome(runs, message)
            if isinstance(message, Run):
                runs.append(message)
            wait = limit
    except EOFError:
        return Outcome(runs, "" if runs else "crashed")
    part = f", {done.value} of {targets} targets" if done.value and targets > 1 else ""
    return Outcome(runs, "" if runs else f"not finished in {limit:g} s{part}")


def _work(connection, done, key: int, problem: Problem) -> None:
    """In the process: say when the imports are done, then send a `Run` for each run, or a line on what went wrong."""
    from bench_blankets import TOOLS

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    tool, spent = TOOLS[key], 0.0
    try:
        for module in tool.modules:
            import_module(module)
        connection.send(None)
        for _ in range(REPEATS):
            run = _run(tool, problem, done)
            connection.send(run)
            spent += run.loading + run.seconds
            if spent > _SECONDS_FOR_REPEATS:
                break
    except Exception as error:
        connection.send(f"failed: {type(error).__name__}: {error}".splitlines()[0])


def _run(tool, problem: Problem, done) -> Run:
    start = time.perf_counter()
    prepared = tool.prepare(problem)
    ready, cpu = time.perf_counter(), time.process_time()
    found = []
    for members in tool.find(prepared, problem):
        found.append(members)
        done.value = len(found)
    end, cpu = time.perf_counter(), time.process_time() - cpu
    return Run(ready - start, end - ready, cpu, [frozenset(int(x) for x in members) for members in found])
