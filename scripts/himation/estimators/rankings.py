"""Finders that rank all variables and cut the ranking, as estimators: kernel measures and Markov blanket filtering.

Parameters that all of them share (types, random_state, n_jobs) and the attributes that ``fit`` leaves are described at
`himation.estimators.base.BlanketFinder`. ``details_["ranking"]`` has the order of all variables.
"""

from typing import ClassVar

from himation.estimators.base import BlanketFinder, estimator


@estimator
class _KernelRanking(BlanketFinder):
    alpha: float = 0.05
    kernel: str = "gaussian"
    landmarks: int = 100
    share: float | None = None
    cut: str = "permutation"
    size: int | None = None


@estimator
class KCDM(_KernelRanking):
    """Ranking by a kernel measure of conditional dependence (Strobl and Visweswaran 2014).

    >>> from himation import KCDM, make_lucas
    >>> X, y = make_lucas(500)
    >>> sorted(KCDM(size=3).fit(X, y).blanket_)
    ['Coughing', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "kcdm"

    measure: str = "m1"
    direction: str = "backward"
    epsilon: float | None = None


@estimator
class BAHSIC(_KernelRanking):
    """Backward elimination by the Hilbert-Schmidt independence criterion (Song et al. 2007); spouses look like noise.

    >>> from himation import BAHSIC, make_lucas
    >>> X, y = make_lucas(500)
    >>> sorted(BAHSIC(size=3).fit(X, y).blanket_)
    ['Coughing', 'Smoking', 'Yellow_Fingers']
    """

    method: ClassVar[str] = "bahsic"


@estimator
class KollerSahami(BlanketFinder):
    """Markov blanket filtering (Koller and Sahami 1996): what a few others make redundant goes first.

    Every value of a column is a level of its own, unless ``types`` says otherwise: the columns must be discrete.

    >>> from himation import KollerSahami, make_lucas
    >>> X, y = make_lucas(500)
    >>> sorted(KollerSahami(size=5).fit(X, y).blanket_)
    ['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "koller-sahami"
    two_classes: ClassVar[bool] = True

    types: str | dict = "discrete"
    set_size: int = 2
    cut: str = "auc"
    size: int | None = None


@estimator
class MixtureFilter(BlanketFinder):
    """Markov blanket filtering by Bernoulli mixtures (Saeed 2008), for binary columns.

    >>> from himation import MixtureFilter, make_lucas
    >>> X, y = make_lucas(500)
    >>> sorted(MixtureFilter(size=3).fit(X, y).blanket_)
    ['Coughing', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "mixture"
    two_classes: ClassVar[bool] = True

    set_size: int = 15
    components: int = 10
    regularisation: float = 0.5
    entropy: str = "weighted"
    cut: str = "auc"
    size: int | None = None
