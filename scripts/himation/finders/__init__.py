"""Each blanket finder on a prepared table: the same call for all of them.

``find(table, settings, context)`` takes the parameters of the method as a dictionary and returns a `Found`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from himation.errors import UserError
from himation.table import Table


@dataclass(frozen=True)
class Found:
    """Members (positions of variables), best first, with the score that ranks them; details for the report.

    ``features`` are products of variables that a feature-space method constructed, as tuples of (variable, power).
    """

    members: tuple[int, ...]
    scores: tuple[float, ...]
    details: dict = field(default_factory=dict)
    features: tuple[tuple[tuple[int, int], ...], ...] = ()


@dataclass(frozen=True)
class Context:
    """What finders share: the independence test by name, the seed, threads and how to report progress."""

    test: str = "auto"
    seed: int = 1
    threads: int = 1
    progress: Callable[[int, int], None] | None = None


def require_two_classes(table: Table) -> None:
    """Refuse targets that a support vector machine for two classes can't learn."""
    if table.target_kind != "binary":
        raise UserError(f"this method needs a target with two values; {table.target_name!r} is {table.target_kind}")


def check_settings(method: str, settings: dict) -> None:
    """Refuse parameters that a method does not take, and values that they may not have."""
    from himation.methods import METHODS, PARAMETERS

    strange = sorted(set(settings) - set(METHODS[method].parameters))
    if strange:
        known = ", ".join(METHODS[method].parameters)
        raise UserError(f"method {method!r} has no parameter {strange[0]!r}; it takes {known}")
    for key, value in settings.items():
        PARAMETERS[key].check(key, value)
