"""Read what speaks for every variable: roles, oriented graphs, Y-tests, ranks, and the true roles where known."""

from pathlib import Path

from himation.files.atomic import tsv_rows
from himation.report.values import CHILD, NONE, PARENT, ROLES, SPOUSE, Direction, Judged, Variable, YEdge, YTest

MOST_ROWS = 250  # of the evidence table
MOST_Y_TESTS = 15
_TARGET = 0
_ROLES = ("p_parent", "p_child", "p_spouse", "p_ancestor")
_SHARES = ("forward", "backward", "undirected", "parent_p_score", "child_p_score")
_COUNTS = ("parent_tests", "child_tests", "arrow_at_target", "arrow_at_variable")


def columns_of(path) -> list[int]:
    return [int(row["column"]) for row in tsv_rows(path)]


def read_variables(folder: Path, selection: dict, methods, natural) -> list[Variable]:
    """One for each row of roles.tsv, in its order."""
    evidence = {int(row["column"]): row for row in tsv_rows(folder / "evidence.tsv")}
    edges = read_edges(folder / "y_edges.tsv")
    depth = _depths(folder / "region.tsv")
    ranks: dict[int, dict[str, int]] = {}
    for method in methods:
        for rank, column in enumerate(method.members, start=1):
            ranks.setdefault(column, {})[method.id] = rank
    manipulated, blanket = set(selection["manipulated"]), set(natural)
    inclusion, thesis = selection.get("inclusion", {}), selection.get("thesis", {})
    by_thesis, thesis_reasons = set(thesis.get("columns", [])), thesis.get("reasons", {})
    found = []
    for row in tsv_rows(folder / "roles.tsv"):
        column = int(row["column"])
        found.append(
            Variable(
                name=row["variable"],
                column=column,
                role=row["role"],
                **{key: float(row.get(key, 0)) for key in _ROLES},
                **_evidence(evidence.get(column, {})),
                edge=edges.get(column),
                depth=depth.get(column),
                manipulated=column in manipulated,
                selected=row["selected"] == "1",
                in_blanket=column in blanket,
                ranks=ranks.get(column, {}),
                reason=row["reason"],
                inclusion=inclusion.get(str(column)),
                by_thesis=column in by_thesis,
                thesis_reason=thesis_reasons.get(str(column), ""),
            )
        )
    return found


def _evidence(row: dict[str, str]) -> dict:
    """The fields of a variable that evidence.tsv has."""
    through = (pair.split(":") for pair in row.get("spouse_through", "").split())
    return {
        **{key: int(row.get(key, 0)) for key in _COUNTS},
        **{key: float(row.get(key, 0)) for key in _SHARES},
        "through": tuple((int(child), float(share)) for child, share in through),
    }


def _depths(path: Path) -> dict[int, int]:
    depth: dict[int, int] = {}
    for row in tsv_rows(path):
        for end in ("column_a", "column_b"):
            column = int(row[end])
            depth[column] = min(depth.get(column, int(row["depth"])), int(row["depth"]))
    return depth


def read_edges(path: Path) -> dict[int, YEdge]:
    """The Y-tests of every edge at the target, by the column of its other end."""
    found = {}
    for row in tsv_rows(path):
        ends = int(row["column_a"]), int(row["column_b"])
        if _TARGET not in ends:
            continue
        from_target, to_target = _direction(row, "forward"), _direction(row, "backward")
        if ends[1] == _TARGET:
            from_target, to_target = to_target, from_target
        found[ends[0] or ends[1]] = YEdge(causes=to_target, caused=from_target)
    return found


def _direction(row: dict[str, str], which: str) -> Direction:
    numbers = (row.get(f"{key}_{which}", "") for key in ("p_score", "p_dependent", "log_ratio"))
    return Direction(int(row[f"tests_{which}"]), *(float(text) if text else None for text in numbers))


def worth_a_row(variables: list[Variable]) -> tuple[Variable, ...]:
    """Variables of the blankets and the region, what matters most first, at most `MOST_ROWS`."""
    listed = [v for v in variables if v.matters or v.depth is not None]

    def importance(v: Variable):
        chosen = (not v.selected, not v.by_thesis, not v.in_blanket)
        return (*chosen, ROLES.index(v.role), -v.certainty, -v.p_ancestor, v.depth or 99, v.column)

    listed.sort(key=importance)
    return tuple(listed[: max(MOST_ROWS, sum(v.selected or v.by_thesis for v in listed))])


def read_y_tests(path: Path) -> tuple[tuple[YTest, ...], int, int]:
    """The best tests that say something of the target; how many there are in all, and about the target."""
    best, count, about_target = [], 0, 0
    for row in tsv_rows(path):
        count += 1
        if row["column_c"] == "0":
            shows = f"{row['d']} is a child"
        elif row["column_d"] == "0":
            shows = f"{row['c']} is a parent"
        else:
            continue
        about_target += 1
        if len(best) < MOST_Y_TESTS:
            best.append(YTest(row["a"], row["b"], row["c"], row["d"], float(row["p_score"]), shows))
    return tuple(best), count, about_target


def true_roles(edges) -> dict[int, str]:
    """Roles of the target's parents, children and spouses; edges are pairs of columns, 0 is the target.

    >>> true_roles([(1, 0), (0, 2), (3, 2), (4, 3)])
    {3: 'spouse', 2: 'child', 1: 'parent'}
    """
    children = {b for a, b in edges if a == _TARGET}
    found = {a: SPOUSE for a, b in edges if b in children and a != _TARGET}
    found.update(dict.fromkeys(children, CHILD))
    found.update({a: PARENT for a, b in edges if b == _TARGET})
    return {int(column): role for column, role in found.items()}


def judge(variables: list[Variable], truth: dict[int, str]) -> tuple[tuple[Judged, ...], int]:
    """Every variable for which there is evidence beside its true role; and how many near ones have no evidence."""
    seen = [v for v in variables if v.role != NONE or v.p_parent or v.p_child]
    judged = tuple(Judged(v.column, v.role, v.p_parent, v.p_child, truth.get(v.column, NONE)) for v in seen)
    near = {column for column, role in truth.items() if role in (PARENT, CHILD)}
    return judged, len(near - {v.column for v in seen})
