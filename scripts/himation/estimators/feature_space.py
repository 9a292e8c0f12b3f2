"""Blanket finders that see what pairs of variables don't show, as estimators: FSMB, RFE and Relief.

They need a target with two values. Degree and cost are chosen by cross-validation unless given. Parameters
that all of them share (types, random_state, n_jobs) and the attributes that ``fit`` leaves are described at
`himation.estimators.base.BlanketFinder`.
"""

from typing import ClassVar

from himation.estimators.base import BlanketFinder, estimator


@estimator
class FSMB(BlanketFinder):
    """Feature-space Markov blanket (Brown and Tsamardinos 2008).

    The blanket among the products of variables that weigh most in a polynomial SVM: sees parity and XOR.


    Neither of two columns says anything about their XOR; the product does.

    >>> import numpy as np
    >>> from himation import FSMB
    >>> X = np.random.default_rng(0).integers(0, 2, size=(400, 8))
    >>> found = FSMB(degree=2, cost=1.0).fit(X, X[:, 2] ^ X[:, 5])
    >>> found.support_.nonzero()[0].tolist(), found.features_
    ([2, 5], (((2, 1), (5, 1)),))
    """

    method: ClassVar[str] = "fsmb"
    two_classes: ClassVar[bool] = True

    alpha: float = 0.05
    max_conditioning: int = 3
    degree: int | None = None
    cost: float | None = None
    svm: str = "ours"
    construct: int = 20_000
    keep: int = 50
    finder: str = "hiton"
    guard: str = "screen"
    accidents: float = 1.0
    search: str = "auto"
    redundant: str = "skipped"
    coding: str = "plus_minus"


@estimator
class RFE(BlanketFinder):
    """Recursive feature elimination by a polynomial SVM (Guyon et al. 2002; Brown 2008).

    The best of the nested sets on a held-out fifth of the examples.

    >>> import numpy as np
    >>> from himation import RFE
    >>> X = np.random.default_rng(0).integers(0, 2, size=(400, 8))
    >>> RFE(degree=2, cost=1.0).fit(X, X[:, 2] ^ X[:, 5]).get_support(indices=True)
    array([2, 5])
    """

    method: ClassVar[str] = "rfe"
    two_classes: ClassVar[bool] = True

    degree: int | None = None
    cost: float | None = None
    svm: str = "ours"
    coding: str = "plus_minus"


@estimator
class LinearRFE(BlanketFinder):
    """Recursive feature elimination by a linear SVM (Guyon et al. 2002), for wide tables.

    >>> import numpy as np
    >>> from himation import LinearRFE
    >>> X = np.random.default_rng(0).normal(size=(200, 50))
    >>> y = X[:, 7] > X[:, 3]
    >>> LinearRFE().fit(X, y).get_support(indices=True)
    array([3, 7])
    """

    method: ClassVar[str] = "rfe-linear"
    two_classes: ClassVar[bool] = True

    cost: float = 1.0
    coding: str = "plus_minus"


@estimator
class Relief(BlanketFinder):
    """ReliefF (Kononenko 1994), halved backward by an SVM's held-out AUC.

    >>> import numpy as np
    >>> from himation import Relief
    >>> X = np.random.default_rng(0).integers(0, 2, size=(400, 8))
    >>> Relief(degree=2, cost=1.0).fit(X, X[:, 2] ^ X[:, 5]).get_support(indices=True)
    array([2, 5])
    """

    method: ClassVar[str] = "relief"
    two_classes: ClassVar[bool] = True

    degree: int | None = None
    cost: float | None = None
    neighbours: int = 5
    coding: str = "plus_minus"
