"""The scores of a region by name, on all examples or on some of them.

====================== ============================================================ ==========================
bdeu                   Bayesian Dirichlet, `bdeu`                                   discrete tables
bic                    BIC of discrete data, `discrete_bic`                         discrete tables
kernel                 kernel generalised variance, `kernel_score`                  any table
gaussian               BIC of Gaussian data; a discrete variable counts as a number any table
degenerate-gaussian    the same, with indicators of a discrete variable             any table
conditional-gaussian   Gaussian within strata, `conditional_gaussian`               any table
====================== ============================================================ ==========================

``auto`` is bdeu where everything is discrete and kernel elsewhere. Edges at the binary target of six simulated
REGED-like problems (500 examples, region of depth 3, nine samples, share of at least 0.8), of 71 true ones: kernel of
width 2 directs 65 rightly and none wrongly, width 1 43 and none, width 0.5 21 and one, degenerate Gaussian 53 and
three, conditional Gaussian 33 and three; those were half-samples.

A sparse prior takes log p from the score for each parent, p the number of variables: every edge is a priori p times
less likely than none. Within MMPC's skeleton that hardly matters on Alarm (a mean distance of 4.4, without it 4.6, over
ten samples); it matters where many pairs are candidates (4.3, without it 7.1, from all pairs, the same samples).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from himation.errors import UserError
from himation.orientation.hill_climbing import Score

SCORES = ("bdeu", "bic", "kernel", "gaussian", "degenerate-gaussian", "conditional-gaussian")
DISCRETE_SCORES = ("bdeu", "bic")


@dataclass(frozen=True)
class Sample:
    """The variables of a region: columns of numbers or codes, and which of them are discrete (arity 0 if not)."""

    columns: tuple[np.ndarray, ...]
    arities: tuple[int, ...]

    @property
    def n_examples(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def discrete(self) -> list[bool]:
        return [arity > 0 for arity in self.arities]

    @property
    def all_discrete(self) -> bool:
        return all(self.discrete)

    def rows(self, which: np.ndarray | None) -> Sample:
        """Some of the examples, with repetitions if asked for."""
        if which is None:
            return self
        return Sample(tuple(column[which] for column in self.columns), self.arities)


class SparsePrior:
    """A score that charges ``cost`` for each parent."""

    def __init__(self, score: Score, cost: float):
        self._score, self._cost = score, cost

    def local(self, child: int, parents: Sequence[int] = ()) -> float:
        """The term of ``child``."""
        return self._score.local(child, parents) - self._cost * len(parents)


def score_maker(
    sample: Sample, name: str, prior: str = "uniform", **parameters
) -> Callable[[np.ndarray | None], Score]:
    """A function that gives the score on chosen examples (None for all), with what they share computed once."""
    if name not in SCORES:
        raise UserError(f"orientation: unknown score {name!r}; known are {', '.join(SCORES)}")
    if name in DISCRETE_SCORES and not sample.all_discrete:
        raise UserError(f"orientation: the score {name!r} needs discrete variables and target; use kernel")
    if prior not in ("uniform", "sparse"):
        raise UserError(f"orientation: the prior is uniform or sparse, not {prior!r}")
    make = _makers()[name](sample, **parameters)
    if prior == "uniform":
        return make

    def sparse(rows: np.ndarray | None = None) -> Score:
        return SparsePrior(make(rows), log(max(len(sample.columns), 1)))

    return sparse


def _makers() -> dict:
    return {
        "bdeu": _bdeu,
        "bic": _bic,
        "kernel": _kernel,
        "gaussian": _gaussian,
        "degenerate-gaussian": _degenerate,
        "conditional-gaussian": _conditional,
    }


def _bdeu(sample: Sample, equivalent_sample_size: float = 10.0):
    from himation.orientation.scores.bdeu import BDeu

    codes = np.array(sample.columns, dtype=np.int64).T
    return lambda rows=None: BDeu(codes if rows is None else codes[rows], sample.arities, equivalent_sample_size)


def _bic(sample: Sample):
    from himation.orientation.scores.discrete_bic import DiscreteBIC

    codes = np.array(sample.columns, dtype=np.int64).T
    return lambda rows=None: DiscreteBIC(codes if rows is None else codes[rows], sample.arities)


def _kernel(sample: Sample, **parameters):
    from himation.orientation.scores.kernel_score import KernelFactors

    return KernelFactors(sample.columns, sample.discrete, **parameters).score


def _gaussian(sample: Sample):
    from himation.orientation.scores.gaussian_bic import GaussianBIC

    return lambda rows=None: GaussianBIC(sample.rows(rows).columns)


def _degenerate(sample: Sample):
    from himation.orientation.scores.gaussian_bic import GaussianBIC

    return lambda rows=None: GaussianBIC(sample.rows(rows).columns, sample.discrete)


def _conditional(sample: Sample):
    from himation.orientation.scores.conditional_gaussian import ConditionalGaussianBIC

    return lambda rows=None: ConditionalGaussianBIC(sample.rows(rows).columns, sample.discrete)
