"""Read and write the evidence for every variable, and write the table of roles."""

from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import Nodes
from himation.selection.roles import Evidence
from himation.table import Table

_NUMBERS = (
    "forward",
    "backward",
    "undirected",
    "parent_p_score",
    "child_p_score",
    "child_p_dependent",
    "p_parent",
    "p_child",
    "p_spouse",
    "p_confounded",
)
_COUNTS = ("parent_tests", "child_tests", "arrow_at_target", "arrow_at_variable")


def write_evidence(path, nodes: Nodes, evidence: dict[int, Evidence]) -> None:
    rows = []
    for x in sorted(evidence, key=nodes.column):
        item = evidence[x]
        through = sorted(item.spouse_through.items(), key=lambda pair: nodes.column(pair[0]))
        cell = " ".join(f"{nodes.column(child)}:{share!r}" for child, share in through)
        numbers = [getattr(item, name) for name in (*_NUMBERS, *_COUNTS)]
        rows.append([nodes.name(x), nodes.column(x), item.role, int(item.neighbour), *numbers, cell])
    write_tsv(path, ("variable", "column", "role", "neighbour", *_NUMBERS, *_COUNTS, "spouse_through"), rows)


def read_evidence(path, nodes: Nodes) -> dict[int, Evidence]:
    evidence = {}
    for row in read_tsv(path):
        x = nodes.at(row["column"])
        pairs = (pair.split(":") for pair in row["spouse_through"].split())
        evidence[x] = Evidence(
            x,
            neighbour=row["neighbour"] == "1",
            role=row["role"],
            spouse_through={nodes.at(column): float(share) for column, share in pairs},
            **{name: float(row[name]) for name in _NUMBERS},
            **{name: int(row[name]) for name in _COUNTS},
        )
    return evidence


def write_roles(path, table: Table, evidence: dict[int, Evidence], selection) -> None:
    """The contract's table: one row for every column of the file but the target."""
    nodes = Nodes(table)
    rows = []
    for x in range(table.n_variables):
        item = evidence.get(x) or Evidence(x)
        reason = selection.reasons.get(x, "outside the natural blanket")
        numbers = (item.p_parent, item.p_child, item.p_spouse)
        rows.append([nodes.name(x), nodes.column(x), item.role, *numbers, int(x in selection.chosen), reason])
    for item in table.dropped:
        if item.why != "target":
            rows.append([item.name, item.column, "none", 0.0, 0.0, 0.0, 0, f"not searched: {item.why}"])
    rows.sort(key=lambda row: row[1])
    write_tsv(path, ("variable", "column", "role", "p_parent", "p_child", "p_spouse", "selected", "reason"), rows)
