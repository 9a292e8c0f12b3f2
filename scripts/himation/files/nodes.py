"""How nodes of a graph are written in tables: by name and by column of the user's file; the target is column 0.

Reading goes by column, as names need not be unique across the target and the variables.
"""

from himation.table import Table

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


PAIR = ("a", "column_a", "b", "column_b")


def pair_cells(nodes: Nodes, a: int, b: int) -> list:
    """Two nodes as the cells of PAIR, the lower column first."""
    a, b = sorted((a, b), key=nodes.column)
    return [nodes.name(a), nodes.column(a), nodes.name(b), nodes.column(b)]


def pair_of(nodes: Nodes, row) -> tuple[int, int]:
    """The nodes of a row with the columns of PAIR, the lower number first."""
    a, b = nodes.at(row["column_a"]), nodes.at(row["column_b"])
    return min(a, b), max(a, b)
