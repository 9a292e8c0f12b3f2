"""Read and write the table of judge_ancestry.py: P(ancestor of the target) and the clues, by variable."""

import numpy as np

from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import Nodes
from himation.selection.ancestry import Ancestry
from himation.selection.clues import NAMES


def write_ancestry(path, nodes: Nodes, found: Ancestry) -> None:
    rows = []
    for x in sorted(found.probability, key=nodes.column):
        clues = [float(value) for value in found.clues[x]]
        rows.append([nodes.name(x), nodes.column(x), found.probability[x], found.r[x], *clues])
    write_tsv(path, ("variable", "column", "p_ancestor", "correlation", *NAMES), rows)


def read_ancestry(path, nodes: Nodes, n_examples: int) -> Ancestry:
    rows = {nodes.at(row["column"]): row for row in read_tsv(path)}
    return Ancestry(
        {x: float(row["p_ancestor"]) for x, row in rows.items()},
        {x: float(row["correlation"]) for x, row in rows.items()},
        {x: np.array([float(row[name]) for name in NAMES]) for x, row in rows.items()},
        nodes.target,
        n_examples,
    )
