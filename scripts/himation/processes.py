"""Independent pieces of work, shared out among processes; the answers come in the order of the tasks."""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor

_work: Callable | None = None  # what a forked process does; it sees the memory of its parent


def share_out(
    work: Callable, tasks: Sequence, processes: int = 1, progress: Callable[[int, int], None] | None = None
) -> list:
    """``[work(task) for task in tasks]``, in forked processes where the system has them, else one after the other.

    >>> share_out(abs, [-1, 2], processes=2)
    [1, 2]
    """
    global _work
    can_fork = "fork" in multiprocessing.get_all_start_methods()
    if processes < 2 or len(tasks) < 2 or not can_fork or _work is not None:
        return [_tell(work(task), done, tasks, progress) for done, task in enumerate(tasks, start=1)]
    _work = work
    try:
        with ProcessPoolExecutor(min(processes, len(tasks)), multiprocessing.get_context("fork")) as pool:
            answers = pool.map(_run, tasks)
            return [_tell(answer, done, tasks, progress) for done, answer in enumerate(answers, start=1)]
    finally:
        _work = None


def _run(task):
    assert _work is not None
    return _work(task)


def _tell(answer, done, tasks, progress):
    if progress:
        progress(done, len(tasks))
    return answer
