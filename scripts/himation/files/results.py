"""The tables that steps hand to each other, and to the user.

Nodes of a graph are written by name and by column of the user's file; the target is column 0. Reading goes by column,
as names need not be unique across the target and the variables.
"""

from himation.files.atomic import read_tsv, write_tsv
from himation.orientation import EdgeShares, Setting
from himation.region import Region
from himation.roles import Evidence
from himation.table import Table
from himation.ytest import Collider, YTest

TARGET_COLUMN = 0


class Nodes:
    """Names and columns of a table's nodes; the target is the node after the last variable."""

    def __init__(self, table: Table):
        self.target = table.n_variables
        self._names = [*table.names, table.target_name]
        self._columns = [*(int(column) for column in table.columns), TARGET_COLUMN]
        self._node = {column: node for node, column in enumerate(self._columns)}

    def name(self, node: int) -> str:
        return self._names[node]

    def column(self, node: int) -> int:
        return self._columns[node]

    def at(self, column) -> int:
        return self._node[int(column)]

    def set(self, nodes) -> str:
        """Several nodes in one cell, by column."""
        return " ".join(str(column) for column in sorted(self.column(node) for node in nodes))

    def from_set(self, cell: str) -> tuple[int, ...]:
        return tuple(sorted(self.at(column) for column in cell.split()))


_PAIR = ("a", "column_a", "b", "column_b")


def _pair(nodes: Nodes, a: int, b: int) -> list:
    a, b = sorted((a, b), key=nodes.column)
    return [nodes.name(a), nodes.column(a), nodes.name(b), nodes.column(b)]


def write_blanket(path, nodes: Nodes, members, scores) -> None:
    rows = [
        [nodes.name(x), nodes.column(x), score, rank]
        for rank, (x, score) in enumerate(zip(members, scores, strict=True), start=1)
    ]
    write_tsv(path, ("variable", "column", "score", "rank"), rows)


def read_blanket(path, nodes: Nodes) -> tuple[tuple[int, ...], tuple[float, ...]]:
    rows = read_tsv(path)
    return tuple(nodes.at(row["column"]) for row in rows), tuple(float(row["score"]) for row in rows)


def write_region(path, separations_path, nodes: Nodes, region: Region) -> None:
    from math import exp

    depth = dict(zip(region.nodes, region.depth, strict=True))
    rows = [
        [*_pair(nodes, a, b), max(depth[a], depth[b]), exp(region.log_p[a, b]), region.log_p[a, b]]
        for a, b in region.edges
    ]
    rows.sort(key=lambda row: (row[4], row[1], row[3]))
    write_tsv(path, (*_PAIR, "depth", "p_value", "log_p"), rows)
    rows = [[*_pair(nodes, a, b), nodes.set(z), exp(log_p), log_p] for (a, b), (z, log_p) in region.separations.items()]
    rows.sort(key=lambda row: (row[1], row[3]))
    write_tsv(separations_path, (*_PAIR, "separating_columns", "p_value", "log_p"), rows)


def read_region(path, separations_path, nodes: Nodes) -> Region:
    from himation.graphs import distances

    log_p = {_key(nodes, row): float(row["log_p"]) for row in read_tsv(path)}
    separations = {}
    for row in read_tsv(separations_path) if separations_path else []:
        separations[_key(nodes, row)] = (nodes.from_set(row["separating_columns"]), float(row["log_p"]))
    members = sorted({node for pair in log_p for node in pair} | {nodes.target})
    draft = Region(tuple(members), (0,) * len(members), tuple(sorted(log_p)), log_p, separations)
    away = distances(draft.skeleton(), members.index(nodes.target))
    order = sorted(range(len(members)), key=lambda i: (away[i], members[i]))
    depth = tuple(int(away[i]) for i in order)
    return Region(tuple(members[i] for i in order), depth, draft.edges, log_p, separations)


def _key(nodes: Nodes, row) -> tuple[int, int]:
    a, b = nodes.at(row["column_a"]), nodes.at(row["column_b"])
    return min(a, b), max(a, b)


def write_orientation(path, pdags_path, nodes: Nodes, region: Region, settings: list[Setting], shares) -> None:
    rows = []
    for edge in shares:
        swap = nodes.column(edge.a) > nodes.column(edge.b)
        there, back = (edge.backward, edge.forward) if swap else (edge.forward, edge.backward)
        rows.append([*_pair(nodes, edge.a, edge.b), there, back, edge.undirected, 1 - there - back - edge.undirected])
    rows.sort(key=lambda row: (row[1], row[3]))
    write_tsv(path, (*_PAIR, "a_to_b", "b_to_a", "undirected", "absent"), rows)
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


_NUMBERS = ("forward", "backward", "undirected", "parent_p_score", "child_p_score", "p_parent", "p_child", "p_spouse")
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


def write_roles(path, table: Table, situation, selection) -> None:
    """The contract's table: one row for every column of the file but the target."""
    nodes = Nodes(table)
    rows = []
    for x in range(table.n_variables):
        item = situation.of(x)
        reason = selection.reasons.get(x, "outside the natural blanket")
        numbers = (item.p_parent, item.p_child, item.p_spouse)
        rows.append([nodes.name(x), nodes.column(x), item.role, *numbers, int(x in selection.chosen), reason])
    for item in table.dropped:
        if item.why != "target":
            rows.append([item.name, item.column, "none", 0.0, 0.0, 0.0, 0, f"not searched: {item.why}"])
    rows.sort(key=lambda row: row[1])
    write_tsv(path, ("variable", "column", "role", "p_parent", "p_child", "p_spouse", "selected", "reason"), rows)
