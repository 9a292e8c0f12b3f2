"""Read and write orientations: the share of settings for each direction, and the PDAG of every setting."""

import numpy as np

from himation.errors import UserError
from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import PAIR, Nodes, pair_cells
from himation.orientation.averaging import EdgeShares, Setting
from himation.orientation.region import Region


def write_orientation(path, pdags_path, nodes: Nodes, region: Region, settings: list[Setting], shares) -> None:
    rows = []
    for edge in shares:
        swap = nodes.column(edge.a) > nodes.column(edge.b)
        there, back = (edge.backward, edge.forward) if swap else (edge.forward, edge.backward)
        absent = max(0.0, round(1 - there - back - edge.undirected, 12))
        rows.append([*pair_cells(nodes, edge.a, edge.b), there, back, edge.undirected, absent])
    rows.sort(key=lambda row: (row[1], row[3]))
    write_tsv(path, (*PAIR, "a_to_b", "b_to_a", "undirected", "absent"), rows)
    rows = []
    for setting in settings:
        for i, j in zip(*setting.pdag.nonzero(), strict=True):
            a, b = region.nodes[i], region.nodes[j]
            undirected = bool(setting.pdag[j, i])
            if not undirected or nodes.column(a) < nodes.column(b):
                kind = "undirected" if undirected else "directed"
                rows.append([setting.name, nodes.name(a), nodes.column(a), nodes.name(b), nodes.column(b), kind])
    rows.sort(key=lambda row: (row[0], row[2], row[4]))
    write_tsv(pdags_path, ("setting", "from", "column_from", "to", "column_to", "kind"), rows)


def write_part(path, settings: list[Setting]) -> None:
    """Graphs of one chunk: for each its name, size, and edges by position."""
    rows = []
    for setting in settings:
        edges = [f"{i}>{j}" for i, j in zip(*setting.pdag.nonzero(), strict=True)]
        rows.append([setting.name, len(setting.pdag), " ".join(edges)])
    write_tsv(path, ("setting", "nodes", "edges"), rows)


def read_parts(paths, n_nodes: int) -> list[Setting]:
    """All graphs of the files written by `write_part`."""
    found = []
    for path in paths:
        for row in read_tsv(path):
            if int(row["nodes"]) != n_nodes:
                raise UserError(f"{path}: made for another region; make it again")
            pdag = np.zeros((n_nodes, n_nodes), dtype=bool)
            for edge in row["edges"].split():
                i, j = map(int, edge.split(">"))
                pdag[i, j] = True
            found.append(Setting(row["setting"], pdag))
    return found


def read_orientation(path, nodes: Nodes) -> list[EdgeShares]:
    return [
        EdgeShares(
            nodes.at(row["column_a"]),
            nodes.at(row["column_b"]),
            float(row["a_to_b"]),
            float(row["b_to_a"]),
            float(row["undirected"]),
        )
        for row in read_tsv(path)
    ]
