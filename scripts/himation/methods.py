"""The blanket finders by name: what they are, and which parameters each takes.

A finder is a function ``find(table, settings) -> Found`` in the module named here, which is imported only when it runs.
"""

from dataclasses import dataclass
from importlib import import_module

from himation.errors import UserError

_TESTS = ("alpha", "max_conditioning", "symmetry")
_SVM = ("degree", "cost")


@dataclass(frozen=True)
class Method:
    """A finder's place, parameters, and one line for the help."""

    where: str
    parameters: tuple[str, ...]
    about: str


METHODS = {
    "mmmb": Method(
        "himation.finders:find_mmmb", (*_TESTS, "spouses"), "max-min Markov blanket (Tsamardinos et al. 2003)"
    ),
    "mmpc": Method("himation.finders:find_mmpc", _TESTS, "parents and children only (Tsamardinos et al. 2006)"),
    "fsmb": Method(
        "himation.finders:find_fsmb",
        ("alpha", "max_conditioning", *_SVM, "construct", "keep"),
        "blanket in the feature space of a polynomial SVM (Brown and Tsamardinos 2008)",
    ),
    "rfe": Method("himation.finders:find_rfe", _SVM, "recursive elimination by a polynomial SVM (Guyon et al. 2002)"),
}


def finder(name: str):
    """The function behind a name."""
    if name not in METHODS:
        from himation.files.configuration import suggestion

        raise UserError(f"unknown method {name!r}; {suggestion(name, list(METHODS))}")
    module, function = METHODS[name].where.split(":")
    return getattr(import_module(module), function)
