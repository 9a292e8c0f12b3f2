"""The report's drawings: where boxes stand, what charts say in words, labels, and colours that can be read."""

import re
from importlib import resources
from itertools import pairwise

import pytest

from himation.report import figures, neighbourhood, routes
from himation.report.svg import drawing_style, printable
from himation.report.values import Curve, DataSet, Measured, Method, Variable


def lucas_with(variables):
    facts = {"facts": (), "n_variables": 11, "unlisted": 0, "rule": "posterior", "n_manipulated": 0, "fallback": False}
    return DataSet(id="x", target="t", variables=variables, manipulation="none", blanket_size=5, **facts)


def test_parents_are_above_children_below_and_no_boxes_overlap():
    kinds = ["parent"] * 7 + ["child"] * 13 + ["spouse"] * 9 + ["undirected"] * 11
    variables = [Variable(f"v{i}", i, role, p_parent=0.5, p_child=0.5, p_spouse=0.5) for i, role in enumerate(kinds)]
    plan = neighbourhood.lay_out(variables)
    x, y = plan.target
    for node in plan.nodes:
        side = {"parent": node.y < y, "child": node.y > y, "spouse": node.x > x, "undirected": node.x < x}
        assert side[node.variable.role]
        assert node.x - routes.BOX / 2 > 0 and node.x + routes.BOX / 2 < plan.width
        assert node.y - routes.HIGH / 2 > 0 and node.y + routes.HIGH / 2 < plan.height
    for i, a in enumerate(plan.nodes):
        for b in plan.nodes[:i]:
            assert abs(a.x - b.x) >= routes.BOX or abs(a.y - b.y) >= routes.HIGH


SIZES = [(1, 1, 1, 1), (5, 5, 5, 5), (6, 3, 2, 0), (0, 12, 8, 0), (16, 0, 0, 9), (7, 13, 9, 11), (11, 11, 16, 2)]


@pytest.mark.parametrize("sizes", SIZES)
def test_no_arrow_passes_a_box(sizes):
    roles = ("parent", "child", "spouse", "undirected")
    kinds = [role for role, size in zip(roles, sizes, strict=True) for _ in range(size)]
    plan = neighbourhood.lay_out([Variable(f"v{i}", i, role) for i, role in enumerate(kinds)])
    children = [node for node in plan.nodes if node.variable.role == "child"]
    for node in plan.nodes:
        here = (node.x, node.y)
        if node.variable.role == "spouse":
            ways = [routes.to_child(plan.frame, here, (c.x, c.y)) for c in children]
        else:
            sideways = node.variable.role == "undirected"
            ways = [routes.to_target(plan.frame, here, sideways)]
        for way in ways:
            assert all(0 < x < plan.width and 0 < y < plan.height for x, y in way)
            for (x0, y0), (x1, y1) in pairwise(way):
                for step in range(101):
                    x, y = x0 + (x1 - x0) * step / 100, y0 + (y1 - y0) * step / 100
                    inside = [b for b in plan.nodes if abs(x - b.x) < routes.BOX / 2 and abs(y - b.y) < routes.HIGH / 2]
                    assert not inside, (sizes, node.variable)
                    assert not (abs(x - plan.target[0]) < routes.BOX / 2 and abs(y - plan.target[1]) < routes.HIGH / 2)


def test_drawing_is_limited():
    many = tuple(Variable(f"v{i}", i, "child", p_child=i / 100, selected=i == 3) for i in range(100))
    shown = neighbourhood.drawn(lucas_with(many))
    assert len(shown) == neighbourhood.MOST_NODES and shown[0].column == 3 and shown[1].column == 99


def test_agreement_counts_combinations():
    methods = [Method("a", (1, 2, 3)), Method("b", (2, 3, 4)), Method("c", ())]
    with drawing_style():
        picture = figures.agreement(methods, "x")
    assert (
        'aria-label="Agreement of the blanket finders: 2 in a and b; 1 in a; 1 in b. Sizes: a 3, b 3, c 0.' in picture
    )


def test_figures_of_extreme_values():
    with drawing_style():
        figures.intervals([Measured("x", 1.0, 0.0)], [True], "AUC", "n", "d")
        figures.intervals([Measured("x", 0.0), Measured("y", 0.5, 0.6)], [True, False], "AUC", "n", "d")
        figures.roc([Curve("x", (0.0, 1.0), (0.0, 1.0), 0.5, True)], "n")


def test_labels_are_cut_and_cleaned():
    assert neighbourhood.short_label("a" * 40) == "aaaaaaa…aaaaaaaa" and neighbourhood.short_label("a" * 20) == "a" * 20
    assert len(neighbourhood.short_label("变" * 40)) <= 9
    assert len(neighbourhood.short_label("e" + "\u0301" * 500)) <= 16
    assert printable("a\x00b\u202ec\u2028d\te") == "a\ufffdb\ufffdc d e"


def colours():
    """The style sheet's colours by name, in light and in dark."""
    style = resources.files("himation.report").joinpath("style.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, flags=re.DOTALL)
    found = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in blocks]
    return {"light": found[0], "dark": found[1]}


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_the_contrast_that_readers_need(scheme):
    known = colours()[scheme]
    pairs = [(ink, paper) for ink in ("ink", "muted", "accent") for paper in ("surface", "page")]
    pairs += [(role, "surface") for role in ("parent", "child", "spouse", "undirected", "confounded")]
    pairs += [("ink", f"{role}-fill") for role in ("parent", "child", "spouse", "undirected", "confounded")]
    pairs += [("warn", "warn-fill"), ("ink", "warn-fill"), ("ink", "mark")]
    for ink, paper in pairs:
        high, low = sorted((luminance(known[ink]), luminance(known[paper])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, paper)


def test_nobody_is_cut_off_on_a_narrow_screen():
    roles = ["parent"] * 3 + ["child"] * 3 + ["spouse"] * 5 + ["none"] * 4
    shown = [Variable(f"v{i}", i, role, selected=True) for i, role in enumerate(roles)]
    for some in (shown, [v for v in shown if v.role in ("spouse", "none")], shown[6:10]):
        plan = neighbourhood.lay_out(some, narrow=True)
        assert len(plan.nodes) == len(some)
        for node in plan.nodes:
            assert routes.BOX / 2 <= node.x <= plan.width - routes.BOX / 2
            assert routes.HIGH / 2 <= node.y <= plan.height - routes.HIGH / 2
