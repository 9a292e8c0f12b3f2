"""What a test of conditional independence returns, and what it must offer."""

from dataclasses import dataclass
from math import exp

import numpy as np


@dataclass(frozen=True)
class Result:
    """One test. ``reliable`` is False where the data are too few for the test; its other fields then mean nothing."""

    statistic: float
    df: float
    log_p: float
    reliable: bool = True

    @property
    def p_value(self) -> float:
        return exp(self.log_p)


@dataclass(frozen=True)
class Many:
    """The tests of one variable against many, in the order of the candidates."""

    statistic: np.ndarray
    df: np.ndarray
    log_p: np.ndarray
    reliable: np.ndarray


class IndependenceTest:
    """Base of all tests: subclasses set ``n_variables`` and write ``many``."""

    n_variables: int

    def many(self, x: int, candidates: np.ndarray, z: tuple[int, ...]) -> Many:
        """Test ``x`` against each candidate given ``z``; no candidate is ``x`` or a member of ``z``."""
        raise TypeError(f"{type(self).__name__} has no test")

    def test(self, x: int, y: int, z: tuple[int, ...] = ()) -> Result:
        """Test ``x`` and ``y`` given ``z``."""
        many = self.many(x, np.array([y]), tuple(z))
        return Result(
            float(many.statistic[0]), float(many.df[0]), float(many.log_p[0]), reliable=bool(many.reliable[0])
        )
