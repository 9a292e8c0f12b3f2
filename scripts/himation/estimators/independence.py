"""Blanket finders by tests of conditional independence, as estimators; `himation.blanket` has the algorithms.

Parameters that all of them share (independence, types, random_state, n_jobs) and the attributes that ``fit`` leaves are
described at `himation.estimators.base.BlanketFinder`.
"""

from typing import ClassVar

from himation.estimators.base import IndependenceFinder, estimator


@estimator
class _SubsetFinder(IndependenceFinder):
    max_conditioning: int = 3


@estimator
class _NeighbourFinder(_SubsetFinder):
    symmetry: str = "and"
    candidates: str = "auto"


@estimator
class MMMB(_NeighbourFinder):
    """Max-min Markov blanket (Tsamardinos, Aliferis and Statnikov 2003).

    Parents and children by MMPC, then the spouses: variables that a common child makes dependent on the target.

    >>> from himation import MMMB, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(MMMB().fit(X, y).blanket_)
    ['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "mmmb"

    spouses: str = "strict"


@estimator
class MMPC(_NeighbourFinder):
    """Max-min parents and children (Tsamardinos, Brown and Aliferis 2006): direct causes and effects, no spouses.

    >>> from himation import MMPC, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(MMPC().fit(X, y).blanket_)
    ['Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "mmpc"


@estimator
class HITON(_NeighbourFinder):
    """HITON (Aliferis, Tsamardinos and Statnikov 2003): HITON-MB, then a wrapper that drops what an SVM does not miss.

    >>> from himation import HITON, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(HITON().fit(X, y).blanket_)
    ['Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "hiton"
    two_classes: ClassVar[bool] = True

    spouses: str = "published"
    tolerance: float = 0.0


@estimator
class HITONMB(_NeighbourFinder):
    """HITON's blanket without the wrapper (Aliferis, Tsamardinos and Statnikov 2003).

    >>> from himation import HITONMB, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(HITONMB().fit(X, y).blanket_)
    ['Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "hiton-mb"

    spouses: str = "published"


@estimator
class HITONPC(_NeighbourFinder):
    """HITON's parents and children (Aliferis, Tsamardinos and Statnikov 2003).

    >>> from himation import HITONPC, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(HITONPC().fit(X, y).blanket_)
    ['Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "hiton-pc"


@estimator
class SIHITONPC(_NeighbourFinder):
    """Semi-interleaved HITON-PC (Aliferis et al. 2010): members are tried again once, at the end.

    >>> from himation import SIHITONPC, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(SIHITONPC().fit(X, y).blanket_)
    ['Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "si-hiton-pc"


@estimator
class PCMB(_SubsetFinder):
    """Parents and children based Markov boundary (Peña et al. 2007): exact under faithfulness.

    >>> from himation import PCMB, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(PCMB().fit(X, y).blanket_)
    ['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "pcmb"

    candidates: str = "auto"


@estimator
class KPCMB(_SubsetFinder):
    """PCMB with a random choice at each step, several runs (Peña et al. 2007): alternative blankets.

    >>> from himation import KPCMB, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(KPCMB().fit(X, y).blanket_)
    ['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "kpcmb"
    two_classes: ClassVar[bool] = True

    k: float = 0.8
    runs: int = 10


@estimator
class IAMB(IndependenceFinder):
    """Incremental association Markov blanket (Tsamardinos et al. 2003): conditions on all found so far.

    >>> from himation import IAMB, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(IAMB(alpha=0.01).fit(X, y).blanket_)
    ['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "iamb"

    phases: str = "repeated"


@estimator
class InterIAMB(IndependenceFinder):
    """IAMB that shrinks after each step (Tsamardinos et al. 2003).

    >>> from himation import InterIAMB, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(InterIAMB(alpha=0.01).fit(X, y).blanket_)
    ['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "inter-iamb"


@estimator
class KIAMB(IndependenceFinder):
    """IAMB with a random choice at each step, several runs (Peña et al. 2007): alternative blankets.

    >>> from himation import KIAMB, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(KIAMB(alpha=0.01).fit(X, y).blanket_)
    ['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "kiamb"
    two_classes: ClassVar[bool] = True

    phases: str = "repeated"
    k: float = 0.8
    runs: int = 10


@estimator
class GS(IndependenceFinder):
    """Grow-shrink (Margaritis and Thrun 1999): candidates enter by their marginal association.

    >>> from himation import GS, make_lucas
    >>> X, y = make_lucas()
    >>> sorted(GS(alpha=0.01).fit(X, y).blanket_)
    ['Allergy', 'Coughing', 'Fatigue', 'Genetics', 'Smoking']
    """

    method: ClassVar[str] = "gs"
