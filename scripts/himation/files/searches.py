"""Read and write searches around variables: what some jobs found, for the one that puts them together."""

from collections.abc import Iterable

import numpy as np

from himation.blanket.search import Neighbourhood
from himation.errors import UserError
from himation.files.atomic import replacing
from himation.independence import IndependenceTest

_VARIABLES = "n_variables"


def write_searches(path, runs: Iterable[Neighbourhood], n_variables: int) -> None:
    """An .npz of plain arrays, each named after the variable that was searched from."""
    arrays = {f"{run.target}/{key}": array for run in runs for key, array in run.to_arrays().items()}
    with replacing(path) as draft, draft.open("wb") as stream:
        np.savez(stream, **{_VARIABLES: np.array(n_variables)}, **arrays)


def read_searches(paths, test: IndependenceTest) -> list[Neighbourhood]:
    """All runs of the files written by `write_searches`."""
    runs = []
    for path in paths:
        with np.load(path, allow_pickle=False) as stored:
            if int(stored[_VARIABLES]) != test.n_variables:
                raise UserError(f"{path}: made for another table; make it again")
            found: dict[int, dict[str, np.ndarray]] = {}
            for name in stored.files:
                target, _, key = name.partition("/")
                if key:
                    found.setdefault(int(target), {})[key] = stored[name]
        runs += [Neighbourhood.from_arrays(test, target, arrays) for target, arrays in found.items()]
    return runs
