"""What the benchmark knows of a tool: how it takes the data, and how it answers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from problems import Problem


@dataclass(frozen=True)
class Tool:
    """``prepare`` brings the data into the tool's own form and is not timed; ``find`` gives one set for each target.

    ``answers`` is "blankets" or "neighbours" (parents and children), the truth it is held against. A tool with
    ``whole`` learns the network of all columns, even for one target.
    """

    name: str
    method: str
    package: str
    modules: tuple[str, ...]
    prepare: Callable[[Problem], Any]
    find: Callable[[Any, Problem], Iterable]
    answers: str = "blankets"
    whole: bool = False

    @property
    def label(self) -> str:
        return f"{self.name} {self.method}"

    @property
    def version(self) -> str | None:
        """None if the package isn't installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None
