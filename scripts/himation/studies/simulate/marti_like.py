"""Problems like MARTI: REGED's model on a chip, with spatially correlated noise in the training examples only.

The variables of a problem like REGED (`studies.simulate.reged_like`) are laid out on a square grid, column by column,
between calibrants: spots that read zero plus small noise. Every training example comes with its own smooth field of
noise, of mean zero and far larger than the signal; test examples come without (Guyon et al. 2008). MARTI's grid has 32
x 32 places with 25 calibrants, in rows and columns 2, 12, 22, 32 and 7, 17, 27; other sides follow the same pattern.

With fields of standard deviation `AMPLITUDE` a linear SVM on the true parents and children, learned from the raw
training values, has an AUC of 0.58 to 0.98 in version 0 (mean of three seeds 0.78; published is 0.749).

>>> calibrants = calibrant_places(32)
>>> from himation.prepare.noise import MARTI_CALIBRANTS
>>> [place + 1 for place in calibrants] == list(MARTI_CALIBRANTS)
True
>>> problem = make_marti_like(seed=1, side=22)
>>> train = problem.train(100)
>>> train.values.shape, len(problem.calibrants), problem.grid
((100, 484), 13, (22, 22))
"""

from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.prepare.noise import simulate_noise_field, with_calibrants
from himation.studies.simulate.networks import Sample
from himation.studies.simulate.reged_like import RegedLike, make_reged_like

AMPLITUDE = 6.0  # standard deviation of the noise; that of a variable is 1
LENGTH = 6.0  # of the noise field, in grid cells
SPACING = 10  # between calibrants of one lattice; there are two, shifted by half of it
SMALLEST_SIDE = 16


@dataclass(frozen=True)
class MartiLike:
    """A problem like REGED and its places on the chip. Made by `make_marti_like`."""

    genes: RegedLike
    side: int
    calibrants: tuple[int, ...]  # positions, from 0
    names: tuple[str, ...]
    amplitude: float

    @property
    def grid(self) -> tuple[int, int]:
        return self.side, self.side

    @property
    def target(self) -> str:
        return self.genes.target

    @property
    def edges(self) -> list[tuple[str, str]]:
        return self.genes.edges

    def version(self, k: int) -> tuple[str, ...]:
        """What test version k manipulates."""
        return self.genes.version(k)

    def train(self, n: int) -> Sample:
        """The training sample with its noise."""
        clean = self.clean_train(n)
        rng = np.random.default_rng(np.random.SeedSequence([self.genes.seed, self.side, 1]))
        noise = simulate_noise_field(n, self.grid, rng, self.amplitude, LENGTH)
        return Sample(clean.values + noise, clean.target, self.names)

    def clean_train(self, n: int) -> Sample:
        """The same examples without noise."""
        return self._with_calibrants(self.genes.train(n), 0)

    def test(self, version: int, n: int) -> Sample:
        """The test sample of version 0, 1 or 2, which has no noise."""
        return self._with_calibrants(self.genes.test(version, n), 2 + version)

    def sample(self, n: int, rng: np.random.Generator, manipulated=()) -> Sample:
        """Natural or manipulated examples without noise."""
        return self._with_calibrants(self.genes.sample(n, rng, manipulated), 5)

    def _with_calibrants(self, sample: Sample, part: int) -> Sample:
        rng = np.random.default_rng(np.random.SeedSequence([self.genes.seed, self.side, 2, part]))
        return Sample(with_calibrants(sample.values, self.calibrants, rng), sample.target, self.names)


def make_marti_like(seed: int, side: int = 32, amplitude: float = AMPLITUDE) -> MartiLike:
    """A new problem on a grid of side x side; the same arguments give the same one."""
    if side < SMALLEST_SIDE:
        raise UserError(
            f"a grid of {side} x {side} is too small for a problem like MARTI; take at least {SMALLEST_SIDE}"
        )
    calibrants = calibrant_places(side)
    genes = make_reged_like(seed, variables=side * side - len(calibrants))
    names, left, is_calibrant = [], iter(genes.names), set(calibrants)
    for place in range(side * side):
        names.append(f"calibrant{place + 1}" if place in is_calibrant else next(left))
    return MartiLike(genes, side, calibrants, tuple(names), amplitude)


def calibrant_places(side: int) -> tuple[int, ...]:
    """Positions of the calibrants, from 0, the grid's columns one after the other."""
    lattices = [range(start, side, SPACING) for start in (1, 1 + SPACING // 2)]
    return tuple(sorted(column * side + row for lattice in lattices for column in lattice for row in lattice))


def side_of(variables: int) -> int:
    """The side of the square grid that a number of variables (calibrants included) fills."""
    side = round(variables**0.5)
    if side * side != variables or side < SMALLEST_SIDE:
        good = max(side, SMALLEST_SIDE) ** 2
        raise UserError(f"marti: {variables} variables do not fill a square grid; write for instance variables: {good}")
    return side
