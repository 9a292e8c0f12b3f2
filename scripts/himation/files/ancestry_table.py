"""Read and write the table of judge_ancestry.py: P(ancestor of the target), the clues, and shares of drawn networks."""

from dataclasses import astuple, fields

import numpy as np

from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import Nodes
from himation.selection.ancestry import Ancestry
from himation.selection.clues import NAMES
from himation.selection.sampled import Shares

SHARES = tuple(f"network_{field.name}" for field in fields(Shares))


def write_ancestry(path, nodes: Nodes, found: Ancestry) -> None:
    """A line for each variable that is judged by clues or stands in a network; what does not speak of it is empty."""
    rows = []
    for x in sorted({*found.probability, *found.shares}, key=nodes.column):
        clues = [float(value) for value in found.clues[x]] if x in found.clues else [""] * len(NAMES)
        shares = astuple(found.shares[x]) if x in found.shares else [""] * len(SHARES)
        judged = [found.probability.get(x, ""), found.r.get(x, "")]
        rows.append([nodes.name(x), nodes.column(x), *judged, *shares, *clues])
    write_tsv(path, ("variable", "column", "p_ancestor", "correlation", *SHARES, *NAMES), rows)


def read_ancestry(path, nodes: Nodes, n_examples: int) -> Ancestry:
    rows = {nodes.at(row["column"]): row for row in read_tsv(path)}
    judged = {x: row for x, row in rows.items() if row["p_ancestor"]}
    drawn = {x: row for x, row in rows.items() if row[SHARES[0]]}
    return Ancestry(
        {x: float(row["p_ancestor"]) for x, row in judged.items()},
        {x: float(row["correlation"]) for x, row in judged.items()},
        {x: np.array([float(row[name]) for name in NAMES]) for x, row in judged.items()},
        nodes.target,
        n_examples,
        {x: Shares(*(float(row[name]) for name in SHARES)) for x, row in drawn.items()},
    )
