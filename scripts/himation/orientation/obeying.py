"""A PDAG made to agree with what the user knows of causes.

Forbidden edges go where both directions are forbidden, and are turned or directed where one is; what follows is
directed by Meek's rules. An edge that must be there is directed if the search has found it between the two. Of
variables that are said to cause the target, or not to, only the edge to the target is concerned: a region's graph says
little of paths. A turned edge may close a directed cycle; only the shares of single edges are read from these graphs.
"""

import numpy as np

from himation.knowledge import Constraints
from himation.orientation.pdags import meek


def obey(pdag: np.ndarray, known: Constraints) -> np.ndarray:
    """The PDAG with what is known; nodes as in ``known``."""
    adjacent = pdag | pdag.T
    barred = known.forbidden
    found = pdag & ~barred
    turned = adjacent & ~found & ~found.T & ~barred  # the direction found is forbidden, the other is not
    found |= turned
    found |= known.required & adjacent
    found &= ~known.required.T
    return meek(found)
