"""Ways of arrows around boxes: lines bend in the gaps between rows and columns, so that none passes a box.

Variables above and below the target stand in rows, those at its sides in columns. Between two rows, and between two
columns, there is a gap as wide as the drawing, and within a row or column there is a gap beside every box. A way goes
from gap to gap: straight where nothing is between.
"""

from collections.abc import Iterable
from dataclasses import dataclass

BOX, HIGH = 136, 40  # of a variable's box
GAP_X, GAP_Y = 16, 22
AIR = 3  # between a box and the end of a line
_SLACK = 4  # that a bend keeps from a box
_SPREAD = 24  # over which lines from a side come in to the target

Point = tuple[float, float]


@dataclass(frozen=True)
class Frame:
    """The centres of the target and of all boxes, and from where to where the rows reach."""

    target: Point
    middle: tuple[float, float]
    boxes: tuple[Point, ...]


def to_target(frame: Frame, box: Point, sideways: bool) -> list[Point]:
    """From a box to the target's border; ``sideways`` where it stands in a column beside it."""
    if sideways:
        return _from_side(frame, box)
    x, y = box
    cx, cy = frame.target
    down = 1 if cy > y else -1
    way = [(x, y + down * (HIGH / 2 + AIR))]
    for row in sorted(
        {by for _, by in frame.boxes if 0 < (cy - by) * down < (cy - y) * down}, key=lambda by: by * down
    ):
        here = [bx for bx, by in frame.boxes if by == row and abs(bx - cx) <= _half(frame)]
        if here:
            begin, end = way[-1]
            straight = begin + (cx - begin) * (row - end) / (cy - end)
            gap = _nearest_gap(here, straight, BOX + GAP_X)
            way += [(gap, row - down * (HIGH / 2 + _SLACK)), (gap, row + down * (HIGH / 2 + _SLACK))]
    return [*way, _entry(frame.target, way[-1])]


def _half(frame: Frame) -> float:
    return (frame.middle[1] - frame.middle[0]) / 2


def _nearest_gap(centres: Iterable[float], wanted: float, step: float) -> float:
    """The middle of a gap beside one of the boxes of a row."""
    gaps = {centre + side * step / 2 for centre in centres for side in (-1, 1)}
    return min(gaps, key=lambda gap: (abs(gap - wanted), gap))


def _entry(target: Point, start: Point) -> Point:
    """Where the line from a point to the target's centre meets its border."""
    dx, dy = start[0] - target[0], start[1] - target[1]
    half_width, half_height = BOX / 2 + 4 + AIR, HIGH / 2 + 4 + AIR
    scale = min(half_width / abs(dx) if dx else float("inf"), half_height / abs(dy) if dy else float("inf"))
    return target[0] + dx * scale, target[1] + dy * scale


def _from_side(frame: Frame, box: Point) -> list[Point]:
    """Out of a column at a side: past the inner columns, along the rows' end, and in at the target's height."""
    x, y = box
    cx, cy = frame.target
    inward = 1 if x < cx else -1
    edge = frame.middle[0] if x < cx else frame.middle[1]
    way = [(x + inward * (BOX / 2 + AIR), y)]
    inner = sorted({bx for bx, _ in frame.boxes if min(x, edge) < bx < max(x, edge)}, key=lambda bx: bx * inward)
    for column in inner:
        here = [by for bx, by in frame.boxes if bx == column]
        gap = _nearest_gap(here, way[-1][1], HIGH + GAP_Y)
        way += [(column - inward * (BOX / 2 + _SLACK), gap), (column + inward * (BOX / 2 + _SLACK), gap)]
    farthest = max(abs(by - cy) for bx, by in frame.boxes if (bx - cx) * inward < 0) or 1.0
    height = cy + _SPREAD / 2 * (way[-1][1] - cy) / farthest
    return [*way, (edge - inward * _SLACK, height), (cx - inward * (BOX / 2 + 4 + AIR), height)]


def to_child(frame: Frame, spouse: Point, child: Point) -> list[Point]:
    """From a spouse at the right to a child below: down beside the columns, along a gap, and in from above."""
    x, y = spouse
    strip = child[1] - HIGH / 2 - GAP_Y / 2
    columns = sorted({bx for bx, _ in frame.boxes if bx > frame.middle[1]})
    beside = frame.middle[1] + (columns[0] - BOX / 2 - frame.middle[1]) / 2
    way = [(x - BOX / 2 - AIR, y)]
    if x > columns[0]:
        lowest = max(by for bx, by in frame.boxes if bx > frame.middle[1]) + HIGH / 2 + _SLACK + GAP_Y / 2
        channel = x - BOX / 2 - GAP_X / 2
        way += [(channel, y), (channel, lowest), (beside, lowest)]
    else:
        way += [(beside, y)]
    return [*way, (beside, strip), (child[0] + BOX / 4, strip), (child[0] + BOX / 4, child[1] - HIGH / 2 - AIR)]
