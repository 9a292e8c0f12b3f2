"""The target's neighbourhood as a drawing: parents above, children below, spouses at the right, and at the left
neighbours whose edge has no direction (or a common cause behind it) and selected variables without a role.

A line's width is its probability; an undirected edge has no head, a confounded one a head at both ends. Selected
variables are filled, others dashed; a square badge with an M marks the manipulated ones. Boxes are links to the rows of
the evidence table. For a narrow screen the same boxes stand two in a row, those of the sides below the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from himation.report.routes import BOX, GAP_X, GAP_Y, HIGH, Frame, to_child, to_target
from himation.report.svg import INK, MUTED, ROLE, ROLE_FILL, SURFACE, pixels, printable, to_svg
from himation.report.values import CHILD, CONFOUNDED, NONE, PARENT, SPOUSE, UNDIRECTED, DataSet, Variable
from himation.report.words import join, short

MOST_NODES = 40
_PER_ROW = 5
_PER_NARROW_ROW = 2
_PER_COLUMN = 7
_LEVEL = 58  # between target and the nearest row
_SIDE = 46  # between the middle and a side column
_MARGIN = 14
_LETTERS = 16  # of the usual size that fit a box
_MOST_LETTERS = 21  # of a smaller size
_ONE_LINE, _TWO_LINES = 20, 19  # letters of a name that stays in one line, and of each of two lines


@dataclass(frozen=True)
class Node:
    """A variable's box by its centre."""

    variable: Variable
    x: float
    y: float


@dataclass(frozen=True)
class Plan:
    """Where everything stands."""

    nodes: tuple[Node, ...]
    target: tuple[float, float]
    width: float
    height: float
    headings: tuple[tuple[str, float, float], ...]
    frame: Frame


def drawn(data: DataSet) -> list[Variable]:
    """Variables with a role or in the model; the surest when there are too many, and few without a role."""
    wanted = wanting(data)
    with_role = [v for v in wanted if v.role != NONE]
    return [*with_role, *(v for v in wanted if v.role == NONE)][: min(MOST_NODES, len(with_role) + _PER_COLUMN)]


def wanting(data: DataSet) -> list[Variable]:
    """All variables with a role or in the model, the surest first."""
    found = [v for v in data.variables if v.role != NONE or v.selected]
    return sorted(found, key=lambda v: (not v.selected, -v.certainty, v.column))


def neighbourhood(data: DataSet, narrow: bool = False) -> str:
    """The drawing as SVG."""
    variables = drawn(data)
    plan = lay_out(variables, narrow)
    figure, axes = pixels(plan.width, plan.height)
    where = {node.variable.column: node for node in plan.nodes}
    for node in plan.nodes:
        if not narrow or node.variable.role in (PARENT, CHILD):
            _draw_edges(axes, node, plan, where)
    for text, x, y in plan.headings:
        axes.text(x, y, text, ha="center", va="center", fontsize=12, color=MUTED)
    _draw_target(axes, plan.target, data.target)
    for node in plan.nodes:
        _draw_node(axes, node, f"#{data.id}-{node.variable.column}")
    name = f"{data.id}-{'narrow' if narrow else 'neighbourhood'}"
    return to_svg(figure, name, describe(data, variables), links=True)


def describe(data: DataSet, variables: Sequence[Variable]) -> str:
    """The drawing in words."""
    parts = []
    for role in (PARENT, CHILD, SPOUSE, UNDIRECTED, CONFOUNDED, NONE):
        members = [v for v in variables if v.role == role]
        if members:
            parts.append(f"{role}: {'; '.join(map(_in_words, members))}")
    return f"Neighbourhood of {data.target}. {'. '.join(parts)}." if parts else f"{data.target} has no neighbours."


def _in_words(v: Variable) -> str:
    marks = [word for word, yes in (("manipulated", v.manipulated), ("selected", v.selected)) if yes]
    return ", ".join([f"{v.name} {v.certainty:.2f}", *marks])


def lay_out(variables: Sequence[Variable], narrow: bool = False) -> Plan:
    """Boxes in rows above and below the target and in columns at its sides, or in rows under them."""
    per_row = _PER_NARROW_ROW if narrow else _PER_ROW
    above = _rows([v for v in variables if v.role == PARENT], per_row)
    shared = {child for v in variables if v.role == SPOUSE for child, _ in v.through}
    children = [v for v in variables if v.role == CHILD]
    below = [sorted(row, key=lambda v: v.column in shared) for row in _rows(children, per_row)]
    at_left = [v for v in variables if v.role in (UNDIRECTED, CONFOUNDED, NONE)]
    at_right = [v for v in variables if v.role == SPOUSE]
    left, right = ([], []) if narrow else (_columns(at_left), _columns(at_right))
    step_x, step_y = BOX + GAP_X, HIGH + GAP_Y
    heading = 22
    middle = max([len(row) for row in above + below] + [per_row if narrow else 1]) * step_x
    if len(above) > 1 or len(below) > 1:
        middle += step_x / 2
    left_width = len(left) * step_x + (_SIDE if left else 0)
    right_width = len(right) * step_x + (_SIDE if right else 0)
    high_above = len(above) * step_y + (_LEVEL if above else 0)
    high_below = len(below) * step_y + (_LEVEL if below else 0)
    tall = max([len(column) for column in left + right] + [1]) * step_y + 2 * heading
    centre_y = _MARGIN + heading + max(high_above + HIGH / 2, tall / 2)
    height = centre_y + max(high_below + HIGH / 2, tall / 2) + _MARGIN + (heading + 4 if below else 0)
    centre_x = _MARGIN + left_width + middle / 2
    nodes, headings = [], []
    for sign, rows, text in ((-1, above, "parents"), (1, below, "children")):
        nodes += _place_rows(rows, sign, centre_x, centre_y, step_x, step_y)
        if rows:
            edge = centre_y + sign * (HIGH / 2 + _LEVEL + len(rows) * step_y - GAP_Y / 2 + 13)
            headings.append((text, centre_x, edge))
    for sign, columns, text in ((-1, left, _left_heading(variables)), (1, right, "spouses")):
        start = centre_x + sign * (middle / 2 + _SIDE)
        nodes += _place_columns(columns, sign, start, centre_y, step_x, step_y)
        if columns:
            top = centre_y - (max(map(len, columns)) + (len(columns) > 1) / 2) * step_y / 2 - 8
            headings.append((text, start + sign * (len(columns) * step_x) / 2, top))
    frame = Frame(
        (centre_x, centre_y),
        (centre_x - middle / 2, centre_x + middle / 2),
        tuple((node.x, node.y) for node in nodes),
    )
    width = centre_x + middle / 2 + right_width + _MARGIN
    if narrow:
        for members, text in ((at_right, "spouses"), (at_left, _left_heading(variables))):
            rows = _rows(members, per_row)
            if rows:
                headings.append((text, centre_x, height + heading / 2))
                top = height + heading + HIGH / 2 + 4
                nodes += _place_rows(
                    rows, 1, centre_x, top - _LEVEL - step_y + GAP_Y / 2, step_x, step_y, straight=True
                )
                height += heading + len(rows) * step_y + 4
    return Plan(tuple(nodes), (centre_x, centre_y), width, height, tuple(headings), frame)


def _left_heading(variables: Sequence[Variable]) -> str:
    present = {v.role for v in variables}
    words = [(UNDIRECTED, "undirected"), (CONFOUNDED, "confounded"), (NONE, "no role")]
    return join([word for role, word in words if role in present])


def _rows(members: list[Variable], per_row: int) -> list[list[Variable]]:
    """Rows of nearly equal length, the surest nearest to the target."""
    n_rows = -(-len(members) // per_row)
    size = -(-len(members) // n_rows) if n_rows else 1
    return [members[i : i + size] for i in range(0, len(members), size)]


def _columns(members: list[Variable]) -> list[list[Variable]]:
    n_columns = -(-len(members) // _PER_COLUMN)
    size = -(-len(members) // n_columns) if n_columns else 1
    return [members[i : i + size] for i in range(0, len(members), size)]


def _place_rows(rows, sign, centre_x, centre_y, step_x, step_y, straight=False) -> list[Node]:
    """Every second row is shifted by half a box, so that lines to the outer rows bend little; not if ``straight``."""
    nodes = []
    for k, row in enumerate(rows):
        y = centre_y + sign * (_LEVEL + (k + 1) * step_y - GAP_Y / 2)
        shift = (step_x / 4) * (1 if k % 2 else -1) if len(rows) > 1 and not straight else 0.0
        nodes += [Node(v, centre_x + shift + (i - (len(row) - 1) / 2) * step_x, y) for i, v in enumerate(row)]
    return nodes


def _place_columns(columns, sign, start, centre_y, step_x, step_y) -> list[Node]:
    nodes = []
    for k, column in enumerate(columns):
        x = start + sign * (k + 0.5) * step_x
        shift = (step_y / 4) * (1 if k % 2 else -1) if len(columns) > 1 else 0.0
        nodes += [Node(v, x, centre_y + shift + (i - (len(column) - 1) / 2) * step_y) for i, v in enumerate(column)]
    return nodes


def _draw_edges(axes, node: Node, plan: Plan, where: dict[int, Node]) -> None:
    v = node.variable
    if v.role in (PARENT, CHILD, UNDIRECTED, CONFOUNDED):
        way = to_target(plan.frame, (node.x, node.y), sideways=v.role in (UNDIRECTED, CONFOUNDED))
        style = {UNDIRECTED: "-", CONFOUNDED: "<|-|>"}.get(v.role, "-|>")
        dashes = (0, (4, 2)) if v.role == CONFOUNDED else "-"
        _arrow(axes, way[::-1] if v.role == CHILD else way, style, v, dashes)
    elif v.role == SPOUSE:
        shown = {column for column, other in where.items() if other.variable.role == CHILD}
        children = sorted(((share, column) for column, share in v.through if column in shown), reverse=True)
        for share, column in children[:3]:
            if share >= 0.5 or share == children[0][0]:
                child = where[column]
                way = to_child(plan.frame, (node.x, node.y), (child.x, child.y))
                if share < 0.5:  # the last bit and the head are solid, or the head would be in shreds
                    _arrow(axes, way[:-1], "-", v, dashes=(0, (1.5, 1.5)))
                _arrow(axes, way[-2:] if share < 0.5 else way, "-|>", v)


def _arrow(axes, way: Sequence[tuple[float, float]], style: str, v: Variable, dashes="-") -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    width = 0.8 + 3.7 * v.certainty if v.role != SPOUSE else 0.8 + 2.2 * v.certainty
    axes.add_patch(
        FancyArrowPatch(
            path=Path(way),
            arrowstyle=style if style == "-" else f"{style},head_length=0.55,head_width=0.28",
            mutation_scale=9 + 2.2 * width,
            shrinkA=0,
            shrinkB=0,
            lw=width,
            ls=dashes,
            fc=ROLE[v.role] if style != "-" else "none",
            ec=ROLE[v.role],
            joinstyle="round",
            clip_on=False,
        )
    )


def _draw_target(axes, centre: tuple[float, float], name: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    width, height = BOX + 8, HIGH + 8
    corner = (centre[0] - width / 2, centre[1] - height / 2)
    style = f"round,pad=0,rounding_size={height / 2}"
    axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle=style, fc=INK, ec=INK, clip_on=False))
    label = short_label(name)
    size = 13.5 * min(1, _LETTERS / max(_visible(label), 1))
    axes.text(*centre, label, ha="center", va="center", color=SURFACE, fontsize=size, fontweight="bold")


def _draw_node(axes, node: Node, link: str) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    v, left, top = node.variable, node.x - BOX / 2, node.y - HIGH / 2
    face = ROLE_FILL[v.role] if v.selected else SURFACE
    style = {"lw": 2.2, "ls": "-"} if v.selected else {"lw": 1.4, "ls": (0, (4, 2.5))}
    box = FancyBboxPatch(
        (left, top),
        BOX,
        HIGH,
        boxstyle="round,pad=0,rounding_size=5",
        fc=face,
        ec=ROLE[v.role],
        clip_on=False,
        **style,
    )
    box.set_url(link)
    axes.add_patch(box)
    colour = INK if v.selected else MUTED
    bold = "bold" if v.selected else "normal"
    lines = label_lines(v.name)
    size = 12.5 * min(1, _LETTERS / max(map(_visible, lines), default=1)) if len(lines) == 1 else 10
    for k, line in enumerate(lines):
        y = node.y - 7 if len(lines) == 1 else node.y - 12 + 11.5 * k
        label = axes.text(node.x, y, line, ha="center", va="center", fontsize=size, color=colour)
        label.set(url=link, fontweight=bold)
    size, y = (10.5, node.y + 10) if len(lines) == 1 else (9.5, node.y + 12)
    axes.text(node.x, y, probability(v), ha="center", va="center", fontsize=size, color=colour)
    if v.manipulated:
        axes.add_patch(Rectangle((left - 5, top - 6), 15, 15, fc=INK, ec=SURFACE, lw=1, clip_on=False))
        axes.text(left + 2.5, top + 2, "M", ha="center", va="center", fontsize=9, fontweight="bold", color=SURFACE)


def probability(v: Variable) -> str:
    """What is written under a name: the role's probability, or both directions where none is decided."""
    if v.role in (UNDIRECTED, CONFOUNDED):
        return f"cause {v.p_parent:.2f}, effect {v.p_child:.2f}"
    return f"{v.role} {v.certainty:.2f}" if v.role != NONE else "no role found"


def label_lines(name: str) -> list[str]:
    """A name in one line, or a longer one that has a blank or the like near its middle in two.

    >>> label_lines("age"), label_lines("mean fractal dimension"), label_lines("a_name_that_is_long_all_the_same_again")
    (['age'], ['mean fractal', 'dimension'], ['a_name_…me_again'])
    """
    whole = printable(name)
    if _visible(whole) > _ONE_LINE:
        cuts = [k + 1 for k, c in enumerate(whole[:-1]) if c in " _-./"]
        pairs = [(whole[:k].rstrip(" "), whole[k:]) for k in cuts]
        fitting = [pair for pair in pairs if max(map(_visible, pair)) <= _TWO_LINES and len(whole) <= 3 * _LETTERS]
        if fitting:
            return list(min(fitting, key=lambda pair: max(map(_visible, pair))))
    return [short_label(name)]


def short_label(name: str) -> str:
    """A name that fits a box; wide letters count double, combining marks not at all."""
    name = printable(name)
    visible = _visible(name)
    if visible <= _MOST_LETTERS and len(name) <= 3 * _LETTERS:
        return name
    return short(name, _LETTERS if visible <= len(name) else max(3, _LETTERS * len(name) // visible))


def _visible(name: str) -> int:
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in name)
