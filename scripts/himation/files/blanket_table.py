"""Read and write blankets: members with score and rank, 1 is best."""

from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import Nodes


def write_blanket(path, nodes: Nodes, members, scores) -> None:
    rows = [
        [nodes.name(x), nodes.column(x), score, rank]
        for rank, (x, score) in enumerate(zip(members, scores, strict=True), start=1)
    ]
    write_tsv(path, ("variable", "column", "score", "rank"), rows)


def read_blanket(path, nodes: Nodes) -> tuple[tuple[int, ...], tuple[float, ...]]:
    rows = read_tsv(path)
    return tuple(nodes.at(row["column"]) for row in rows), tuple(float(row["score"]) for row in rows)
