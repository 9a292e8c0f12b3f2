"""Data for the examples: LUCAS, the challenge's toy network, as a data frame."""

from collections.abc import Iterable
from typing import Any

import numpy as np


def make_lucas(n_samples: int = 2000, random_state: int = 1, manipulated: Iterable[str] = ()) -> tuple[Any, Any]:
    """``X`` (a data frame of eleven binary columns) and ``y``, Lung_cancer as 1 and -1.

    The blanket of Lung_cancer is Smoking and Genetics (causes), Coughing and Fatigue (effects), and Allergy (the other
    cause of Coughing). Variables in ``manipulated`` are set by a coin, whatever their causes say.

    >>> X, y = make_lucas(100)
    >>> X.shape, sorted(set(y))
    ((100, 11), [-1, 1])
    """
    import pandas as pd

    from himation.studies.simulate.networks import LUCAS, simulate_lucas

    sample = simulate_lucas(n_samples, np.random.default_rng(random_state), manipulated)
    return pd.DataFrame(sample.values, columns=list(sample.names)), pd.Series(sample.target, name=LUCAS.target)
