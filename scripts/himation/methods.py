"""The blanket finders by name: what they are, which parameters each takes, and what a parameter may be.

A parameter is declared once, in `PARAMETERS`: the options of find_blanket.py, the keys of the configuration with their
description and limits, the estimators and the checks of values come from there.

A finder is a function ``find(table, settings) -> Found`` in the module named here, which is imported only when it runs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from operator import ge, gt, le, lt
from typing import Any

from himation.errors import UserError, suggestion

_TESTS = ("alpha", "max_conditioning", "symmetry", "candidates", "rows")
_SVM = ("degree", "cost", "svm_rows")
_KERNEL = ("kernel", "landmarks", "share")
_CUT = ("cut", "size")


@dataclass(frozen=True)
class Parameter:
    """What a parameter is and may be: a number within limits, or one of some words; and its default in an estimator,
    where the method does not say otherwise (None: the finder decides)."""

    about: str
    kind: type = str
    choices: tuple[str, ...] = ()
    default: object = None
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None

    def schema(self) -> dict:
        """The parameter as a key of the configuration.

        >>> Parameter("Runs.", int, least=1).schema()
        {'description': 'Runs.', 'type': 'integer', 'minimum': 1}
        """
        if self.choices:
            return {"description": self.about, "enum": list(self.choices)}
        limits = {"minimum": self.least, "exclusiveMinimum": self.above}
        limits |= {"maximum": self.most, "exclusiveMaximum": self.below}
        known = {key: value for key, value in limits.items() if value is not None}
        return {"description": self.about, "type": "integer" if self.kind is int else "number", **known}

    def check(self, name: str, value: Any) -> None:
        """Refuse what it may not be.

        >>> Parameter("Level.", float, above=0, below=1).check("alpha", 2)
        Traceback (most recent call last):
        himation.errors.UserError: alpha is 2; it must be above 0 and below 1
        """
        if self.choices:
            if value not in self.choices:
                raise UserError(f"{name} is {value!r}; {suggestion(str(value), self.choices)}")
            return
        limits = (("at least", self.least, ge), ("above", self.above, gt), ("at most", self.most, le))
        every = (*limits, ("below", self.below, lt))
        known = [(word, limit, holds) for word, limit, holds in every if limit is not None]
        if not all(holds(value, limit) for _, limit, holds in known):
            raise UserError(f"{name} is {value}; it must be {' and '.join(f'{w} {limit}' for w, limit, _ in known)}")


@dataclass(frozen=True)
class Method:
    """A finder's place, parameters, and one line for the help; the name of its estimator, the defaults of its own, and
    whether the target must have two values, at least with these."""

    where: str
    parameters: tuple[str, ...]
    about: str
    estimator: str = ""
    defaults: dict = field(default_factory=dict)
    two_classes: bool = False


PARAMETERS = {
    "alpha": Parameter("Level of the tests.", float, above=0, below=1, default=0.05),
    "max_conditioning": Parameter("Largest conditioning set.", int, least=1, most=10, default=3),
    "symmetry": Parameter("Correction of parents and children.", choices=("and", "or", "none"), default="and"),
    "candidates": Parameter(
        "Where a search starts: from all variables that depend on the one searched around at alpha (alpha), or "
        "from those that do at a false discovery rate of alpha, at most 200 (fdr); auto is fdr for more than 1,000 "
        "variables that are not all discrete.",
        choices=("auto", "alpha", "fdr"),
        default="auto",
    ),
    "rows": Parameter(
        "Rows that the mixed test uses at most, a random share of each class; 0 is all of them (10,000). Tests of "
        "tables that are all discrete, or all numbers, use all rows.",
        int,
        least=0,
        default=10_000,
    ),
    "svm_rows": Parameter(
        "Rows that the SVM of fsmb, rfe, rfe-linear and relief learns from at most, a random share of each class; 0 is "
        "all of them (5,000).",
        int,
        least=0,
        default=5_000,
    ),
    "spouses": Parameter(
        "How spouses enter (mmmb: strict; hiton and hiton-mb: published).",
        choices=("strict", "published"),
        default="published",
    ),
    "tolerance": Parameter("AUC that hiton's wrapper may lose in all (0).", float, least=0, most=1, default=0.0),
    "phases": Parameter(
        "Whether iamb and kiamb grow again after they shrank (repeated).",
        choices=("repeated", "once"),
        default="repeated",
    ),
    "k": Parameter(
        "Share of the dependent candidates that kiamb and kpcmb draw at each step (the paper's K; 0.8).",
        float,
        least=0,
        most=1,
        default=0.8,
    ),
    "runs": Parameter(
        "Runs of kiamb and kpcmb; the most frequent blanket is the answer (10).", int, least=1, default=10
    ),
    "degree": Parameter(
        "Degree of the polynomial kernel (fsmb, rfe, relief); chosen by cross-validation if absent.",
        int,
        least=1,
        most=4,
    ),
    "cost": Parameter("The SVM's C (fsmb, rfe, relief); chosen by cross-validation if absent.", float, above=0),
    "svm": Parameter(
        "The SVM of fsmb and rfe (ours): degree 1 to 3, C 1e-4 to 100, classes weighted alike; or the thesis's "
        "(published): degree 1 to 4, C 1e-8 to 1e3, ten folds, without weights.",
        choices=("ours", "published"),
        default="ours",
    ),
    "construct": Parameter("Features whose weights fsmb computes (the thesis's p).", int, least=1, default=20_000),
    "keep": Parameter("Features that fsmb passes to the blanket finder (the thesis's r).", int, least=1, default=50),
    "finder": Parameter("Blanket finder in fsmb's feature space (hiton).", choices=("hiton", "mmmb"), default="hiton"),
    "guard": Parameter(
        "What keeps accidental products out of fsmb's answer (screen): screen, honest (one half of the "
        "examples chooses, the other tests), or none as in the thesis.",
        choices=("screen", "honest", "none"),
        default="screen",
    ),
    "accidents": Parameter(
        "Features that fsmb's screen lets through by chance on average (1).", float, above=0, default=1.0
    ),
    "search": Parameter(
        "How fsmb looks for heavy features (auto: brute_force where affordable, else heur2, the thesis's).",
        choices=("auto", "heur2", "brute_force"),
        default="auto",
    ),
    "redundant": Parameter(
        "Products of binary variables that equal another (skipped): heur2 does not look at them, or, as the thesis, "
        "constructs them and strikes them out afterwards (struck).",
        choices=("skipped", "struck"),
        default="skipped",
    ),
    "coding": Parameter(
        "Binary variables in feature space as -1/+1 or 0/1 (plus_minus; fsmb, rfe, rfe-linear, relief).",
        choices=("plus_minus", "zero_one"),
        default="plus_minus",
    ),
    "neighbours": Parameter("Neighbours of each kind that relief looks at (5).", int, least=1, default=5),
    "measure": Parameter(
        "What kcdm minimises (m1): m1 of Fukumizu et al. or m2 of Zhang et al.", choices=("m1", "m2"), default="m1"
    ),
    "direction": Parameter(
        "Whether kcdm takes variables away or adds them (backward).",
        choices=("backward", "forward"),
        default="backward",
    ),
    "kernel": Parameter(
        "Of kcdm and bahsic (gaussian, with the median distance as its width).",
        choices=("gaussian", "linear"),
        default="gaussian",
    ),
    "epsilon": Parameter("Regularisation of kcdm's m1 (0.001) or m2 (0.001 times the examples).", float, above=0),
    "landmarks": Parameter(
        "Examples that carry the Gaussian kernel of kcdm and bahsic; at least as many as there are examples "
        "is exact (100).",
        int,
        least=2,
        default=100,
    ),
    "share": Parameter(
        "Part of the variables that goes in one step of kcdm and bahsic; 0 is one by one, as up to 100 "
        "variables (2,000 with a linear kernel), and 0.1 above that.",
        float,
        least=0,
        below=1,
    ),
    "cut": Parameter(
        "Where the ranking of kcdm, bahsic (permutation), koller-sahami or mixture (auc) ends: permutation, "
        "gap or auc.",
        choices=("permutation", "gap", "auc"),
        default="permutation",
    ),
    "size": Parameter("Members that kcdm, bahsic, koller-sahami and mixture return; instead of cut.", int, least=1),
    "set_size": Parameter("Conditioning set of koller-sahami (2) and mixture (15), the papers' K.", int, least=1),
    "entropy": Parameter(
        "Whether mixture weights the terms of its cross entropy by their probability (weighted), or not, as published.",
        choices=("weighted", "published"),
        default="weighted",
    ),
    "components": Parameter("Components of a class that mixture starts with (10).", int, least=1, default=10),
    "regularisation": Parameter(
        "The gamma of mixture's EM, which makes components die out (0.5).", float, least=0, default=0.5
    ),
}
METHODS = {
    "mmmb": Method(
        "himation.finders.constraint:find_mmmb",
        (*_TESTS, "spouses"),
        "max-min Markov blanket (Tsamardinos et al. 2003)",
        "MMMB",
        {"spouses": "strict"},
    ),
    "mmpc": Method(
        "himation.finders.constraint:find_mmpc", _TESTS, "parents and children only (Tsamardinos et al. 2006)", "MMPC"
    ),
    "hiton": Method(
        "himation.finders.constraint:find_hiton",
        (*_TESTS, "spouses", "tolerance"),
        "hiton-mb, then a wrapper that drops what an SVM does not miss (Aliferis et al. 2003)",
        "HITON",
        two_classes=True,
    ),
    "hiton-mb": Method(
        "himation.finders.constraint:find_hiton_mb",
        (*_TESTS, "spouses"),
        "HITON's blanket without the wrapper",
        "HITONMB",
    ),
    "hiton-pc": Method(
        "himation.finders.constraint:find_hiton_pc", _TESTS, "HITON's parents and children only", "HITONPC"
    ),
    "si-hiton-pc": Method(
        "himation.finders.constraint:find_si_hiton_pc",
        _TESTS,
        "the same, semi-interleaved (Aliferis et al. 2010)",
        "SIHITONPC",
    ),
    "pcmb": Method(
        "himation.finders.constraint:find_pcmb",
        ("alpha", "max_conditioning", "candidates", "rows"),
        "sound divide and conquer (Pena et al. 2007)",
        "PCMB",
    ),
    "kpcmb": Method(
        "himation.finders.constraint:find_kpcmb",
        ("alpha", "max_conditioning", "k", "runs", "rows"),
        "its stochastic variant, several runs",
        "KPCMB",
        two_classes=True,
    ),
    "iamb": Method(
        "himation.finders.constraint:find_iamb",
        ("alpha", "phases", "rows"),
        "incremental association (Tsamardinos et al. 2003)",
        "IAMB",
    ),
    "inter-iamb": Method(
        "himation.finders.constraint:find_inter_iamb",
        ("alpha", "rows"),
        "iamb that shrinks after each step",
        "InterIAMB",
    ),
    "kiamb": Method(
        "himation.finders.constraint:find_kiamb",
        ("alpha", "phases", "k", "runs", "rows"),
        "its stochastic variant, several runs: alternative blankets (Pena et al. 2007)",
        "KIAMB",
        two_classes=True,
    ),
    "gs": Method(
        "himation.finders.constraint:find_gs", ("alpha", "rows"), "grow-shrink (Margaritis and Thrun 1999)", "GS"
    ),
    "fsmb": Method(
        "himation.finders.feature_space:find_fsmb",
        (
            *("alpha", "max_conditioning", *_SVM, "svm", "construct", "keep", "finder", "guard", "accidents"),
            *("search", "redundant", "coding"),
        ),
        "blanket in the feature space of a polynomial SVM (Brown and Tsamardinos 2008)",
        "FSMB",
        two_classes=True,
    ),
    "rfe": Method(
        "himation.finders.feature_space:find_rfe",
        (*_SVM, "svm", "coding"),
        "recursive elimination by a polynomial SVM (Guyon et al. 2002)",
        "RFE",
        two_classes=True,
    ),
    "rfe-linear": Method(
        "himation.finders.feature_space:find_linear_rfe",
        ("cost", "svm_rows", "coding"),
        "the same by a linear SVM, for wide tables",
        "LinearRFE",
        {"cost": 1.0},
        two_classes=True,
    ),
    "relief": Method(
        "himation.finders.feature_space:find_relief",
        (*_SVM, "neighbours", "coding"),
        "ReliefF, halved by an SVM's held-out AUC (Kononenko 1994)",
        "Relief",
        two_classes=True,
    ),
    "kcdm": Method(
        "himation.finders.kernel:find_kcdm",
        ("alpha", "measure", "direction", "epsilon", *_KERNEL, *_CUT),
        "ranking by kernel conditional dependence (Strobl and Visweswaran 2014)",
        "KCDM",
    ),
    "bahsic": Method(
        "himation.finders.kernel:find_bahsic",
        ("alpha", *_KERNEL, *_CUT),
        "backward elimination by HSIC (Song et al. 2007)",
        "BAHSIC",
    ),
    "koller-sahami": Method(
        "himation.finders.mixture:find_koller_sahami",
        ("set_size", *_CUT),
        "Markov blanket filtering (Koller and Sahami 1996)",
        "KollerSahami",
        {"set_size": 2, "cut": "auc", "types": "discrete"},
        two_classes=True,
    ),
    "mixture": Method(
        "himation.finders.mixture:find_mixture",
        ("set_size", "components", "regularisation", "entropy", *_CUT),
        "the same by Bernoulli mixtures, for binary tables (Saeed 2008)",
        "MixtureFilter",
        {"set_size": 15, "cut": "auc"},
        two_classes=True,
    ),
}


def finder(name: str) -> Callable:
    """The function behind a name; one with an SVM sees at most as many rows as it learns from."""
    if name not in METHODS:
        raise UserError(f"unknown method {name!r}; {suggestion(name, list(METHODS))}")
    module, function = METHODS[name].where.split(":")
    find = getattr(import_module(module), function)
    if "svm_rows" not in METHODS[name].parameters:
        return find

    def of_some_rows(table, settings: dict, context):
        from himation.rows import limited, rows_used

        rows = settings.get("svm_rows", PARAMETERS["svm_rows"].default)
        some = limited(table, rows, context.seed)
        found = find(some, settings, context)
        if some is table:
            return found
        return replace(found, details={**found.details, "rows": rows_used(some.train.n, table)})

    return of_some_rows


def finder_settings(entry: dict, shared: dict) -> dict:
    """The parameters of a method: its own, then those of the whole configuration."""
    values = {key: entry.get(key, shared.get(key)) for key in METHODS[entry["method"]].parameters}
    return {"method": entry["method"], **{key: value for key, value in values.items() if value is not None}}
