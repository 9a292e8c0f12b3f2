"""The blanket finders by name: what they are, and which parameters each takes.

A finder is a function ``find(table, settings) -> Found`` in the module named here, which is imported only when it runs.
"""

from dataclasses import dataclass
from importlib import import_module

from himation.errors import UserError, suggestion

_TESTS = ("alpha", "max_conditioning", "symmetry")
_SVM = ("degree", "cost")
_KERNEL = ("kernel", "landmarks", "share")
_CUT = ("cut", "size")


@dataclass(frozen=True)
class Method:
    """A finder's place, parameters, and one line for the help."""

    where: str
    parameters: tuple[str, ...]
    about: str


METHODS = {
    "mmmb": Method(
        "himation.finders.constraint:find_mmmb",
        (*_TESTS, "spouses"),
        "max-min Markov blanket (Tsamardinos et al. 2003)",
    ),
    "mmpc": Method(
        "himation.finders.constraint:find_mmpc", _TESTS, "parents and children only (Tsamardinos et al. 2006)"
    ),
    "hiton": Method(
        "himation.finders.constraint:find_hiton",
        (*_TESTS, "spouses", "tolerance"),
        "hiton-mb, then a wrapper that drops what an SVM does not miss (Aliferis et al. 2003)",
    ),
    "hiton-mb": Method(
        "himation.finders.constraint:find_hiton_mb", (*_TESTS, "spouses"), "HITON's blanket without the wrapper"
    ),
    "hiton-pc": Method("himation.finders.constraint:find_hiton_pc", _TESTS, "HITON's parents and children only"),
    "si-hiton-pc": Method(
        "himation.finders.constraint:find_si_hiton_pc", _TESTS, "the same, semi-interleaved (Aliferis et al. 2010)"
    ),
    "pcmb": Method(
        "himation.finders.constraint:find_pcmb",
        ("alpha", "max_conditioning"),
        "sound divide and conquer (Pena et al. 2007)",
    ),
    "kpcmb": Method(
        "himation.finders.constraint:find_kpcmb",
        ("alpha", "max_conditioning", "k", "runs"),
        "its stochastic variant, several runs",
    ),
    "iamb": Method(
        "himation.finders.constraint:find_iamb",
        ("alpha", "phases"),
        "incremental association (Tsamardinos et al. 2003)",
    ),
    "inter-iamb": Method(
        "himation.finders.constraint:find_inter_iamb", ("alpha",), "iamb that shrinks after each step"
    ),
    "kiamb": Method(
        "himation.finders.constraint:find_kiamb",
        ("alpha", "phases", "k", "runs"),
        "its stochastic variant, several runs: alternative blankets (Pena et al. 2007)",
    ),
    "gs": Method("himation.finders.constraint:find_gs", ("alpha",), "grow-shrink (Margaritis and Thrun 1999)"),
    "fsmb": Method(
        "himation.finders.feature_space:find_fsmb",
        ("alpha", "max_conditioning", *_SVM, "construct", "keep", "finder", "guard", "accidents", "search", "coding"),
        "blanket in the feature space of a polynomial SVM (Brown and Tsamardinos 2008)",
    ),
    "rfe": Method(
        "himation.finders.feature_space:find_rfe",
        (*_SVM, "coding"),
        "recursive elimination by a polynomial SVM (Guyon et al. 2002)",
    ),
    "rfe-linear": Method(
        "himation.finders.feature_space:find_linear_rfe",
        ("cost", "coding"),
        "the same by a linear SVM, for wide tables",
    ),
    "relief": Method(
        "himation.finders.feature_space:find_relief",
        (*_SVM, "neighbours", "coding"),
        "ReliefF, halved by an SVM's held-out AUC (Kononenko 1994)",
    ),
    "kcdm": Method(
        "himation.finders.kernel:find_kcdm",
        ("alpha", "measure", "direction", "epsilon", *_KERNEL, *_CUT),
        "ranking by kernel conditional dependence (Strobl and Visweswaran 2014)",
    ),
    "bahsic": Method(
        "himation.finders.kernel:find_bahsic",
        ("alpha", *_KERNEL, *_CUT),
        "backward elimination by HSIC (Song et al. 2007)",
    ),
    "koller-sahami": Method(
        "himation.finders.mixture:find_koller_sahami",
        ("set_size", *_CUT),
        "Markov blanket filtering (Koller and Sahami 1996)",
    ),
    "mixture": Method(
        "himation.finders.mixture:find_mixture",
        ("set_size", "components", "regularisation", "entropy", *_CUT),
        "the same by Bernoulli mixtures, for binary tables (Saeed 2008)",
    ),
}


def finder(name: str):
    """The function behind a name."""
    if name not in METHODS:
        raise UserError(f"unknown method {name!r}; {suggestion(name, list(METHODS))}")
    module, function = METHODS[name].where.split(":")
    return getattr(import_module(module), function)


def finder_settings(entry: dict, shared: dict) -> dict:
    """The parameters of a method: its own, then those of the whole configuration."""
    values = {key: entry.get(key, shared.get(key)) for key in METHODS[entry["method"]].parameters}
    return {"method": entry["method"], **{key: value for key, value in values.items() if value is not None}}
