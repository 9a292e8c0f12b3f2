"""Read and write the evidence that the thesis's rule goes by."""

from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import Nodes
from himation.selection.evidence import Evidence

_NUMBERS = (
    "forward",
    "backward",
    "undirected",
    "parent_p_score",
    "child_p_score",
    "child_p_dependent",
)
_COUNTS = ("parent_tests", "child_tests", "arrow_at_target", "arrow_at_variable")


def write_evidence(path, nodes: Nodes, evidence: dict[int, Evidence]) -> None:
    rows = []
    for x in sorted(evidence, key=nodes.column):
        item = evidence[x]
        through = sorted(item.spouse_through.items(), key=lambda pair: nodes.column(pair[0]))
        cell = " ".join(f"{nodes.column(child)}:{share!r}" for child, share in through)
        numbers = [getattr(item, name) for name in (*_NUMBERS, *_COUNTS)]
        rows.append([nodes.name(x), nodes.column(x), int(item.neighbour), *numbers, cell])
    write_tsv(path, ("variable", "column", "neighbour", *_NUMBERS, *_COUNTS, "spouse_through"), rows)


def read_evidence(path, nodes: Nodes) -> dict[int, Evidence]:
    evidence = {}
    for row in read_tsv(path):
        x = nodes.at(row["column"])
        pairs = (pair.split(":") for pair in row["spouse_through"].split())
        evidence[x] = Evidence(
            x,
            neighbour=row["neighbour"] == "1",
            spouse_through={nodes.at(column): float(share) for column, share in pairs},
            **{name: float(row[name]) for name in _NUMBERS},
            **{name: int(row[name]) for name in _COUNTS},
        )
    return evidence
