"""Read and write Y-tests and colliders."""

from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import Nodes
from himation.ytest import Collider, YTest


def write_y_tests(path, colliders_path, nodes: Nodes, tests: list[YTest], colliders: list[Collider]) -> None:
    def cells(*members):
        return [cell for node in members for cell in (nodes.name(node), nodes.column(node))]

    rows = [[*cells(*sorted((t.a, t.b), key=nodes.column), t.c, t.d), t.p_score] for t in tests]
    rows.sort(key=lambda row: (-row[8], row[5], row[7], row[1], row[3]))
    header = [cell for name in "abcd" for cell in (name, f"column_{name}")]
    write_tsv(path, (*header, "p_score"), rows)
    rows = [[*cells(*sorted((c.a, c.b), key=nodes.column), c.c), c.p_independent, c.p_dependent] for c in colliders]
    rows.sort(key=lambda row: (row[5], row[1], row[3]))
    write_tsv(colliders_path, (*header[:6], "p_independent", "p_dependent"), rows)


def read_y_tests(path, colliders_path, nodes: Nodes) -> tuple[list[YTest], list[Collider]]:
    tests = [
        YTest(*(nodes.at(row[f"column_{name}"]) for name in "abcd"), float(row["p_score"])) for row in read_tsv(path)
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
