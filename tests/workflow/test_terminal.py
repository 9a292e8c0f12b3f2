"""What the terminal shows of a run: one line of progress for a step, the last lines, and nothing that is long."""

import logging
import re
from types import SimpleNamespace

import pytest
import yaml
from conftest import write_challenge
from test_starting import SMALL

from himation.command.following import progress
from himation.command.terminal import LONGEST, Short, Steps, Terminal, show_progress

QUICK = {**SMALL, "estimate": {"folds": 1}, "networks": {"chains": 2, "sweeps": 20}}


@pytest.fixture
def folder(tmp_path):
    write_challenge(tmp_path, 60, 20, seed=5)
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(QUICK))
    return tmp_path


def test_a_dry_run_has_no_long_line(folder, snakemake):
    done = snakemake(folder, "--configfile", "c.yaml", "--cores", 1, "--dry-run")
    lines = (done.stdout + done.stderr).splitlines()
    assert done.returncode == 0 and max(map(len, lines)) <= LONGEST
    assert any(line.startswith("rule find_region") or "find_region" in line for line in lines)


def test_a_run_shows_one_line_for_each_step(folder, snakemake):
    done = snakemake(folder, "--configfile", "c.yaml", "--cores", 2)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if line]
    steps = [line for line in lines if progress(line)]
    total = int(steps[0].split()[2])
    assert [int(line.split()[0]) for line in steps] == list(range(1, total + 1))
    assert f"{total} steps; the log of each is in results/<id>/logs" in lines
    time = r"(\d+ s|\d+:\d\d (min|h))"
    assert re.fullmatch(rf"\d+ of \d+ steps done in {time}, about {time} left(; running: .+)?", steps[total // 2])
    assert steps[-1] == f"{total} of {total} steps done"
    others = [line for line in lines if line not in steps]
    assert not any(line.startswith(("Job ", "Reason", "[", "rule ", "localrule")) for line in others)
    assert max(map(len, steps)) <= LONGEST
    assert any("report.html: the report" in line for line in others)
    assert any(".snakemake/log/" in line for line in others)
    assert "rule find_region" not in done.stderr
    logs = list((folder / ".snakemake/log").glob("*.log"))
    assert "find_region" in logs[0].read_text() and "Reason: " in logs[0].read_text()


def record(event, **more):
    return logging.makeLogRecord({"levelno": logging.INFO, "event": event, **more})


def test_left_is_what_steps_of_the_same_rule_took():
    clock = SimpleNamespace(now=0.0)
    terminal = Terminal(lambda: clock.now)
    assert terminal.filter(told := record("run_info", stats={"find": 3, "score": 1, "total": 4}))
    assert told.in_short.startswith("4 steps")
    for job, now in ((1, 0.0), (2, 0.0)):
        clock.now = now
        assert not terminal.filter(record("job_info", jobid=job, rule_name="find", rule_msg=f"find t{job}: --a 1"))
    clock.now = 10.0
    assert not terminal.filter(record("job_finished", job_id=1))
    assert terminal.filter(told := record("progress", done=1, total=4))
    # three steps of 10 s are left, of which one has run for 10 s, two at a time
    assert told.in_short == "1 of 4 steps done in 10 s, about 10 s left; running: find t2"


def test_many_running_steps_are_counted():
    steps = Steps({"a": 9}, {k: ("a", f"a x{k}", 0.0) for k in range(5)}, {"a": (1, 5.0)}, 0.0)
    assert steps.line(1, 9, 5.0).endswith("running: a x0, a x1, a x2 and 2 more")


def test_errors_and_what_is_no_event_pass():
    terminal, short = Terminal(), Short(logging.Formatter())
    error = logging.makeLogRecord({"levelno": logging.ERROR, "msg": "x" * 500 + "\nshort", "event": "job_error"})
    assert terminal.filter(error)
    assert list(map(len, short.format(error).split("\n"))) == [LONGEST, 5]
    assert terminal.filter(logging.makeLogRecord({"levelno": logging.INFO, "msg": "Unlocked working directory."}))
    assert not terminal.filter(logging.makeLogRecord({"levelno": logging.INFO, "msg": "Select jobs to execute..."}))


def test_commands_that_are_asked_for_are_whole():
    terminal, short = Terminal(), Short(logging.Formatter())
    command = record("shellcmd", msg="python x.py " + "y" * 500)
    assert terminal.filter(command) and short.format(command) == command.msg


def test_other_handlers_are_left_alone():
    logger = logging.Logger("any")
    handlers = [logging.StreamHandler(), logging.StreamHandler()]
    handlers[1].name = "DefaultStreamHandler"
    for handler in handlers:
        logger.addHandler(handler)
    show_progress(logger, dry_run=True)
    assert handlers[0].formatter is None and isinstance(handlers[1].formatter, Short) and not handlers[1].filters
    show_progress(logger, dry_run=False)
    assert isinstance(handlers[1].filters[0], Terminal)
