"""Read and write Y-tests, colliders, and what they say of each edge."""

from himation.confounding.y_edges import Declared, YEdge
from himation.confounding.ytest import Collider, YTest
from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import PAIR, Nodes, pair_cells

_DECLARED = ("tests", "p_score", "p_dependent", "log_ratio", "structures", "structure_p_score")
_WHOLE = ("tests", "structures")
_WAYS = ("forward", "backward")


def write_y_tests(path, colliders_path, nodes: Nodes, tests: list[YTest], colliders: list[Collider]) -> None:
    def cells(*members):
        return [cell for node in members for cell in (nodes.name(node), nodes.column(node))]

    rows = [
        [*cells(*sorted((t.a, t.b), key=nodes.column), t.c, t.d), t.p_score, t.p_dependent, t.log_ratio] for t in tests
    ]
    rows.sort(key=lambda row: (-row[8], row[5], row[7], row[1], row[3]))
    header = [cell for name in "abcd" for cell in (name, f"column_{name}")]
    write_tsv(path, (*header, "p_score", "p_dependent", "log_ratio"), rows)
    rows = [[*cells(*sorted((c.a, c.b), key=nodes.column), c.c), c.p_independent, c.p_dependent] for c in colliders]
    rows.sort(key=lambda row: (row[5], row[1], row[3]))
    write_tsv(colliders_path, (*header[:6], "p_independent", "p_dependent"), rows)


def read_y_tests(path, colliders_path, nodes: Nodes) -> tuple[list[YTest], list[Collider]]:
    tests = [
        YTest(
            *(nodes.at(row[f"column_{name}"]) for name in "abcd"),
            float(row["p_score"]),
            _number(row.get("p_dependent", "")),
            _number(row.get("log_ratio", "")),
        )
        for row in read_tsv(path)
    ]
    colliders = [
        Collider(
            *(nodes.at(row[f"column_{name}"]) for name in "abc"),
            float(row["p_independent"]),
            float(row["p_dependent"]),
        )
        for row in read_tsv(colliders_path)
    ]
    return tests, colliders


def write_y_edges(path, nodes: Nodes, edges: list[YEdge]) -> None:
    """One row for each edge of the region; forward is from a, which has the lower column (the target's is 0), to b."""
    rows = []
    for edge in edges:
        ways = [edge.forward, edge.backward]
        if nodes.column(edge.a) > nodes.column(edge.b):
            ways.reverse()
        found = [getattr(way, field) for field in _DECLARED for way in ways]
        rows.append([*pair_cells(nodes, edge.a, edge.b), *found])
    rows.sort(key=lambda row: (row[1], row[3]))
    write_tsv(path, (*PAIR, *(f"{field}_{way}" for field in _DECLARED for way in _WAYS)), rows)


def read_y_edges(path, nodes: Nodes) -> list[YEdge]:
    """The edges as they were written: a has the lower column."""
    return [
        YEdge(nodes.at(row["column_a"]), nodes.at(row["column_b"]), *(_declared(row, way) for way in _WAYS))
        for row in read_tsv(path)
    ]


def _declared(row: dict[str, str], way: str) -> Declared:
    cells = {field: row[f"{field}_{way}"] for field in _DECLARED}
    return Declared(**{field: int(cell) if field in _WHOLE else _number(cell) for field, cell in cells.items()})


def _number(cell: str) -> float | None:
    return float(cell) if cell else None
