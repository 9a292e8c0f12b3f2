"""Every blanket finder in the manner of scikit-learn: ``fit``, ``transform``, a place in a Pipeline.

Classes are made from the registry, `himation.methods`, which has their parameters with what these mean and their
defaults. Parameters that all of them share and the attributes that ``fit`` leaves are described at
`himation.estimators.base.BlanketFinder`.

>>> from himation import MMMB, make_lucas
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.svm import SVC
>>> X, y = make_lucas()
>>> model = make_pipeline(MMMB(alpha=0.01), SVC(kernel="linear")).fit(X, y)
>>> sorted(model["mmmb"].get_feature_names_out())
['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']

Neither of two columns says anything about their XOR; a product of them, in feature space, does.

>>> import numpy as np
>>> from himation import FSMB
>>> X = np.random.default_rng(0).integers(0, 2, size=(400, 8))
>>> answer = FSMB(degree=2, cost=1.0).fit(X, X[:, 2] ^ X[:, 5])
>>> answer.support_.nonzero()[0].tolist(), answer.features_
([2, 5], (((2, 1), (5, 1)),))
"""

from dataclasses import field, make_dataclass

from himation.estimators.base import BlanketFinder, IndependenceFinder
from himation.estimators.examples import make_lucas
from himation.estimators.strategy import Himation
from himation.methods import METHODS, PARAMETERS

_BY_TESTS = "himation.finders.constraint:"
_SHORT = {"degree": 2, "cost": 1.0, "runs": 2, "size": 4}  # of the examples, to search for nothing


def class_name(method: str) -> str:
    """``max-weight`` is MaxWeight; a word without a vowel is an abbreviation: ``ttst`` is TTST."""
    return "".join(word.capitalize() if set(word) & set("aeiou") else word.upper() for word in method.split("-"))


def make_estimator(method: str) -> type[BlanketFinder]:
    """The class of a finder of the registry."""
    entry = METHODS[method]
    name = entry.estimator or class_name(method)
    base = IndependenceFinder if entry.where.startswith(_BY_TESTS) else BlanketFinder
    defaults = {key: PARAMETERS[key].default for key in entry.parameters} | entry.defaults
    given = ", ".join(f"{key}={value}" for key, value in _SHORT.items() if key in entry.parameters)
    lines = [
        f"{entry.about[:1].upper()}{entry.about[1:]}.",
        "",
        *(f"{key} : {PARAMETERS[key].about}" for key in entry.parameters),
        "",
        f">>> from himation import {name}, make_lucas",
        ">>> X, y = make_lucas(1000)",
        f">>> 'Smoking' in {name}({given}).fit(X, y).blanket_",
        "True",
    ]
    made = make_dataclass(
        name,
        [(key, object, field(default=value)) for key, value in defaults.items()],
        bases=(base,),
        namespace={"method": method, "two_classes": entry.two_classes, "__doc__": "\n".join(lines)},
        kw_only=True,
        eq=False,
        repr=False,
    )
    made.__module__ = __name__
    return made


ESTIMATORS = {method: make_estimator(method) for method in METHODS}
globals().update({estimator.__name__: estimator for estimator in ESTIMATORS.values()})

__all__ = ["ESTIMATORS", "BlanketFinder", "Himation", "make_lucas", *sorted(e.__name__ for e in ESTIMATORS.values())]
