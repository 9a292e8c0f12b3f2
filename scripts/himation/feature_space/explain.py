"""What a polynomial SVM looks at: the heaviest products of variables in a model that somebody has trained.

A model f(x) = sum_k a_k (gamma x_k.x + coef0)^d + b is, with z = sqrt(gamma / coef0) x, a model with the kernel
(z.z' + 1)^d and the multipliers a_k coef0^d, whose weights `polynomial` finds. Two numbers are given for a feature:

* its weight, by which features are ranked: that of the kernel's own feature c_q z^q;
* its coefficient: the number that x^q itself has in the decision function, f(x) = const + sum_q coefficient_q x^q.

>>> from sklearn.svm import SVC
>>> X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
>>> svc = SVC(kernel="poly", degree=2, gamma=1, coef0=1, C=10.0).fit(X, [0, 1, 1, 0])
>>> top = explain(from_svc(svc), r=1, names=["left", "right"])
>>> top.names, [round(value, 3) for value in top.coefficients], top.proven
(('left*right',), [-1.0], True)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import factorial, sqrt
from time import monotonic

import numpy as np

from himation.errors import UserError
from himation.feature_space.monomials import REAL, Monomial, binary_coding, feature_name
from himation.feature_space.polynomial import brute_force, heur1, heur2
from himation.gram import is_sparse

SEARCHES = ("heur2", "heur1", "brute")


@dataclass(frozen=True)
class Polynomial:
    """The part of a model that its features come from: f(x) = sum_k dual[k] (gamma x_k.x + coef0)^degree + b."""

    support_vectors: np.ndarray = field(repr=False)
    dual: np.ndarray = field(repr=False)
    degree: int
    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self):
        if self.coef0 <= 0 or self.gamma <= 0:
            raise UserError(f"coef0 {self.coef0:g}, gamma {self.gamma:g}: both must be above 0; train with coef0=1")
        if len(self.dual) != self.support_vectors.shape[0]:
            n = self.support_vectors.shape[0]
            raise UserError(f"{n} support vectors and {len(self.dual)} multipliers: there must be one for each")

    @property
    def scale(self) -> float:
        """z = scale x has the kernel (z.z' + 1)^degree."""
        return sqrt(self.gamma / self.coef0)


@dataclass(frozen=True)
class Explanation:
    """The heaviest features, heaviest first; ``proven`` says whether they are certain to be the true ones."""

    monomials: tuple[Monomial, ...]
    names: tuple[str, ...]
    weights: tuple[float, ...]
    coefficients: tuple[float, ...]
    proven: bool
    constructed: int


def from_svc(svc) -> Polynomial:
    """Read a fitted `sklearn.svm.SVC(kernel="poly")` for two classes; any gamma ("scale" too), coef0 above 0."""
    if getattr(svc, "kernel", None) != "poly":
        raise UserError(f"kernel {getattr(svc, 'kernel', None)!r}: only kernel='poly' has a finite list of features")
    dual = svc.dual_coef_.toarray() if is_sparse(svc.dual_coef_) else np.asarray(svc.dual_coef_)
    if dual.shape[0] != 1:
        raise UserError(f"{len(svc.classes_)} classes: train one SVM for two classes, each against the rest")
    return Polynomial(svc.support_vectors_, dual[0], int(svc.degree), float(svc._gamma), float(svc.coef0))


def explain(
    svm: Polynomial,
    r: int = 50,
    method: str = "heur2",
    p: int = 20_000,
    level_by: str = "normalised",
    seconds: float | None = None,
    names: Sequence[str] | None = None,
    merge: str = "largest",
    progress: Callable[[int, int], None] | None = None,
) -> Explanation:
    """The r heaviest features. With ``seconds`` Heur2 goes on until then, or until its answer is proven.

    Powers of binary variables that say the same are one feature, where gamma and coef0 are equal.
    """
    if method not in SEARCHES:
        raise UserError(f"method {method!r}: write one of {', '.join(SEARCHES)}")
    scale = svm.scale
    coding = binary_coding(svm.support_vectors) if scale == 1.0 else None
    vectors = svm.support_vectors if scale == 1.0 else svm.support_vectors * scale
    arguments = vectors, svm.dual * svm.coef0**svm.degree, svm.degree
    if method == "brute":
        top = brute_force(*arguments, r, coding, merge, progress)
    elif method == "heur1":
        top = heur1(*arguments, p, r, coding, merge)
    else:
        end = None if seconds is None else monotonic() + seconds
        anytime = {} if end is None else {"stop_when_proven": True, "stop": lambda: monotonic() > end}
        limit = p if end is None else np.iinfo(np.int64).max
        shown = progress if end is None else None
        top = heur2(*arguments, limit, r, coding, merge, level_by, progress=shown, **anytime)
    monomials = tuple(monomial for monomial, _ in top.features)
    weights = tuple(float(weight) for _, weight in top.features)
    # a merged feature stands for several of the kernel's, so that its own sum is taken instead of its weight
    sums = _sums(vectors, arguments[1], monomials) if coding is not None and (coding != REAL).any() else None
    coefficients = tuple(
        _coefficient(svm, monomial, weight, None if sums is None else sums[i], coding)
        for i, (monomial, weight) in enumerate(top.features)
    )
    labelled = tuple(feature_name(monomial, names) for monomial in monomials)
    return Explanation(monomials, labelled, weights, coefficients, top.proven, top.constructed)


def _sums(vectors, dual, monomials) -> np.ndarray:
    """sum_k dual_k x_k^q of each monomial."""
    from himation.feature_space.monomials import feature_values

    return dual @ feature_values(vectors, monomials)


def _coefficient(svm: Polynomial, monomial: Monomial, weight: float, merged_sum, coding) -> float:
    if merged_sum is None:
        powers = [power for _, power in monomial]
        denominator = factorial(svm.degree - sum(powers))
        for power in powers:
            denominator *= factorial(power)
        return weight * sqrt(factorial(svm.degree) / denominator) * svm.scale ** sum(powers)
    from himation.feature_space.monomials import merged_scales

    index = [v for v, power in monomial for _ in range(power)]
    padded = np.array([index + [len(coding)] * (svm.degree - len(index))])
    return float(merged_scales(padded, coding, svm.degree, "sum")[0] ** 2 * merged_sum)
