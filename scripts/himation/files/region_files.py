"""Write and read regions: searches around variables, for the job that joins them; edges with depth and p-values,
and the separating sets of the other pairs.
"""

from collections.abc import Iterable

import numpy as np

from himation.blanket.search import Neighbourhood
from himation.errors import UserError
from himation.files.atomic import read_tsv, replacing, write_tsv
from himation.files.nodes import PAIR, Nodes, pair_cells, pair_of
from himation.independence import IndependenceTest
from himation.orientation.region import Region


def write_region(path, separations_path, nodes: Nodes, region: Region) -> None:
    from math import exp

    depth = dict(zip(region.nodes, region.depth, strict=True))
    rows = [
        [*pair_cells(nodes, a, b), max(depth[a], depth[b]), exp(region.log_p[a, b]), region.log_p[a, b]]
        for a, b in region.edges
    ]
    rows.sort(key=lambda row: (row[4], row[1], row[3]))
    write_tsv(path, (*PAIR, "depth", "p_value", "log_p"), rows)
    rows = [
        [*pair_cells(nodes, a, b), nodes.set(z), exp(log_p), log_p] for (a, b), (z, log_p) in region.separations.items()
    ]
    rows.sort(key=lambda row: (row[1], row[3]))
    write_tsv(separations_path, (*PAIR, "separating_columns", "p_value", "log_p"), rows)


def read_region(path, separations_path, nodes: Nodes) -> Region:
    from himation.graphs import distances

    log_p = {pair_of(nodes, row): float(row["log_p"]) for row in read_tsv(path)}
    separations = {}
    for row in read_tsv(separations_path) if separations_path else []:
        separations[pair_of(nodes, row)] = (nodes.from_set(row["separating_columns"]), float(row["log_p"]))
    members = sorted({node for pair in log_p for node in pair} | {nodes.target})
    draft = Region(tuple(members), (0,) * len(members), tuple(sorted(log_p)), log_p, separations)
    away = distances(draft.skeleton(), members.index(nodes.target))
    order = sorted(range(len(members)), key=lambda i: (away[i], members[i]))
    depth = tuple(int(away[i]) for i in order)
    return Region(tuple(members[i] for i in order), depth, draft.edges, log_p, separations)


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
