"""Himation's library: arrays in, values out; no paths, no printing.

Every blanket finder is also a class in the manner of scikit-learn, which is loaded when it is first asked for:

    from himation import MMMB
    MMMB().fit(X, y).blanket_

and what a finished run says of an intervention is one call: ``himation.effect("results/trial", "dose", 10, 25)``.
"""

import sys

if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    raise ImportError(f"Himation needs Python 3.11, 3.12 or 3.13; this is {sys.version_info[0]}.{sys.version_info[1]}")

__version__ = "0.1.0"

_OF_RESULTS = ("effect", "network", "bayesian_network")


def __getattr__(name: str):
    # class names and these only: scikit-learn takes a second to load, and scripts that ask for a module should not wait
    from importlib import import_module

    if name[:1].isupper() or name == "make_lucas":
        estimators = import_module(f"{__name__}.estimators")
        if hasattr(estimators, name):
            return getattr(estimators, name)
    if name in _OF_RESULTS:
        return getattr(import_module(f"{__name__}.files.results"), name)
    raise AttributeError(f"module 'himation' has no attribute {name!r}")


def __dir__():
    from importlib import import_module

    return sorted([*globals(), *_OF_RESULTS, *import_module(f"{__name__}.estimators").__all__])
