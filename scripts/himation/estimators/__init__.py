"""Every blanket finder in the manner of scikit-learn: ``fit``, ``transform``, a place in a Pipeline.

The finders of `himation.methods` that have no class of their own here get one all the same, made from the registry:
its parameters are those of the method, and None stands for the method's default.

>>> from himation import MMMB, make_lucas
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.svm import SVC
>>> X, y = make_lucas()
>>> model = make_pipeline(MMMB(alpha=0.01), SVC(kernel="linear")).fit(X, y)
>>> sorted(model["mmmb"].get_feature_names_out())
['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
>>> ESTIMATORS["inter-iamb"].__name__
'InterIAMB'
"""

from dataclasses import field, make_dataclass

from himation.estimators import feature_space, independence, rankings
from himation.estimators.base import BlanketFinder, IndependenceFinder
from himation.estimators.examples import make_lucas
from himation.estimators.strategy import Himation
from himation.methods import METHODS


def class_name(method: str) -> str:
    """``max-weight`` is MaxWeight; a word without a vowel is an abbreviation: ``ttst`` is TTST."""
    words = method.split("-")
    return "".join(word.capitalize() if set(word) & set("aeiou") else word.upper() for word in words)


def make_estimator(method: str) -> type[BlanketFinder]:
    """A class for a finder of the registry, with the method's parameters, all None unless given."""
    entry, name = METHODS[method], class_name(method)
    base = IndependenceFinder if "alpha" in entry.parameters else BlanketFinder
    fields = [(key, object, field(default=None)) for key in entry.parameters]
    lines = [
        f"{entry.about[:1].upper()}{entry.about[1:]}.",
        "",
        f"Parameters, with the method's own defaults if None: {', '.join(entry.parameters)}.",
        "",
        f">>> from himation import {name}, make_lucas",
        ">>> X, y = make_lucas()",
        f">>> 'Smoking' in {name}().fit(X, y).blanket_",
        "True",
    ]
    made = make_dataclass(
        name,
        fields,
        bases=(base,),
        namespace={"method": method, "__doc__": "\n".join(lines), "__module__": __name__},
        kw_only=True,
        eq=False,
        repr=False,
    )
    made.__module__ = __name__
    return made


_WRITTEN = [item for module in (independence, feature_space, rankings) for item in vars(module).values()]
_WRITTEN = {item.method: item for item in _WRITTEN if isinstance(item, type) and getattr(item, "method", "")}
ESTIMATORS = {method: _WRITTEN.get(method) or make_estimator(method) for method in METHODS}
globals().update({estimator.__name__: estimator for estimator in ESTIMATORS.values()})

__all__ = ["ESTIMATORS", "BlanketFinder", "Himation", "make_lucas", *sorted(e.__name__ for e in ESTIMATORS.values())]
