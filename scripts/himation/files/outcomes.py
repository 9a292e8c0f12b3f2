"""What became of a command of the workflow, noted beside its log for the message after a run that failed."""

import json
import os
from contextlib import suppress
from pathlib import Path

from himation.files.digests import SWITCH

STARTED, DONE, FAILED = "started", "done", "failed"


def note(log: str | None, state: str, **facts: str) -> None:
    """Note a state and facts; nothing for a script run by hand, or where nothing can be written."""
    if log and os.environ.get(SWITCH):
        with suppress(OSError):
            _beside(log).write_text(json.dumps({"state": state, **facts}), encoding="utf-8")


def noted(log: str, since: float) -> dict[str, str]:
    """What was noted last, if that was after ``since`` (seconds of the epoch)."""
    try:
        place = _beside(log)
        return json.loads(place.read_text(encoding="utf-8")) if place.stat().st_mtime >= since else {}
    except (OSError, ValueError):
        return {}


def _beside(log: str) -> Path:
    return Path(log).with_name(f".{Path(log).name.removesuffix('.log')}.json")
