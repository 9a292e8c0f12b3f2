"""What a run shows on the terminal: a line for every step that is done, with those that run and the time left.

Snakemake goes on writing all it has to say into its own log. Here its messages are read as they pass: which jobs began
and ended when, and how many steps there are of each rule. A step that is left takes as long as those of its rule did,
or, before any of them is done, as all did on average; as many run at a time as did so far.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_NAMED, LONGEST = 3, 200  # running steps by name; characters of a line
_STREAM = "DefaultStreamHandler"  # Snakemake's, on the terminal
_COMMAND = "shellcmd"  # comes this far with --printshellcmds alone
_TALK = ("Assuming ", "Building DAG", "Using shell", "Provided ", "Rules claiming", "Conda environments: ignored")
_TALK += ("Singularity containers: ignored", "Select jobs", "Execute ", "Elapsed time")


@dataclass
class Steps:
    """The steps of a run: how many of each rule, those that run with their name and when they began, and for each rule
    how many are done and what they took."""

    counts: dict[str, int] = field(default_factory=dict)
    running: dict[int, tuple[str, str, float]] = field(default_factory=dict)
    done: dict[str, tuple[int, float]] = field(default_factory=dict)
    began: float = 0.0

    def start(self, job: int, rule: str, name: str, now: float) -> None:
        self.began = self.began or now
        self.running[job] = rule, name, now

    def finish(self, job: int, now: float) -> None:
        if job in self.running:
            rule, _, began = self.running.pop(job)
            many, took = self.done.get(rule, (0, 0.0))
            self.done[rule] = many + 1, took + now - began

    def left(self, now: float) -> float | None:
        """Seconds until all is done, if something can be said of that.

        >>> steps = Steps({"a": 2, "b": 1})
        >>> steps.start(1, "a", "a x", 100.0)
        >>> steps.finish(1, 104.0)
        >>> steps.left(104.0)
        8.0
        """
        many, took = (sum(part) for part in zip((0, 0.0), *self.done.values(), strict=True))
        if not many or took <= 0 or now <= self.began:
            return None
        wanted = 0.0
        for rule, count in self.counts.items():
            own, of_own = self.done.get(rule, (0, 0.0))
            wanted += max(count - own, 0) * (of_own / own if own else took / many)
        spent = sum(now - began for _, _, began in self.running.values())
        at_a_time = max((took + spent) / (now - self.began), 1.0)
        return max(wanted - spent, 0.0) / at_a_time

    def line(self, done: int, total: int, now: float) -> str:
        """
        >>> Steps().line(1, 3, 0.0)
        '1 of 3 steps done'
        """
        names = sorted(name for _, name, _ in self.running.values())
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        left = self.left(now) if done < total else None
        said = f"{done} of {total} steps done"
        said += f" in {duration(now - self.began)}, about {duration(left)} left" if left is not None else ""
        return said + (f"; running: {', '.join(names[:MOST_NAMED])}{more}" if names else "")


def duration(seconds: float) -> str:
    """
    >>> duration(7.4), duration(83), duration(7300)
    ('7 s', '1:23 min', '2:01 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    unit, parts = ("min", divmod(whole, 60)) if whole < 3600 else ("h", divmod(whole // 60, 60))
    return "{}:{:02d} {}".format(*parts, unit)


class Terminal(logging.Filter):
    """Before Snakemake's handler of the terminal: what passes is one line, which the record takes along to `Short`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        super().__init__()
        self.steps, self.clock = Steps(), clock

    def filter(self, record: logging.LogRecord) -> bool:
        event = str(getattr(record, "event", None) or "")
        if record.levelno > logging.INFO or event == _COMMAND:
            return True
        if not event:
            return not record.getMessage().startswith(_TALK)
        record.in_short = self._line(event, record)
        return bool(record.in_short)

    def _line(self, event: str, record: logging.LogRecord) -> str:
        now = self.clock()
        if event == "run_info":
            self.steps.counts = {rule: count for rule, count in record.stats.items() if rule != "total"}
            return f"{record.stats['total']} steps; the log of each is in results/<id>/logs"
        if event == "job_info":
            said = record.rule_msg or record.rule_name
            self.steps.start(record.jobid, record.rule_name, said.split(": ")[0], now)
        if event == "job_finished":
            self.steps.finish(record.job_id, now)
        return self.steps.line(record.done, record.total, now) if event == "progress" else ""


class Short(logging.Formatter):
    """As another formatter says it, with lines that end somewhere; commands, which a shell is to read, are whole."""

    def __init__(self, shown: logging.Formatter):
        super().__init__()
        self.shown = shown

    def format(self, record: logging.LogRecord) -> str:
        said = getattr(record, "in_short", "") or self.shown.format(record) or ""
        if str(getattr(record, "event", None)) == _COMMAND:
            return said
        return "\n".join(line if len(line) <= LONGEST else f"{line[: LONGEST - 4]} ..." for line in said.split("\n"))


def show_progress(logger: logging.Logger, dry_run: bool) -> None:
    """Lines of progress on the terminal in place of Snakemake's; of a dry run, Snakemake's without their length."""
    for handler in logger.handlers:
        if handler.name == _STREAM:
            handler.setFormatter(Short(handler.formatter))
            if not dry_run:
                handler.addFilter(Terminal())
