"""Read and write blankets: members with score and rank, 1 is best."""

from himation.errors import UserError
from himation.files.atomic import read_json, read_tsv, write_tsv
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


def read_neighbours(paths, nodes: Nodes) -> tuple[int, ...]:
    """The target's neighbours in feature space, of the details that find_blanket.py wrote for fsmb."""
    columns = set()
    for path in paths:
        details = read_json(path)
        if "neighbour_columns" not in details:
            raise UserError(f"{path}: names no neighbours; only details of fsmb do")
        columns |= set(details["neighbour_columns"])
    return tuple(nodes.at(column) for column in sorted(columns))
