"""Draw the pictures of these pages: `python docs/pictures/draw.py` writes the .svg files beside this one.

A picture is a list of strings. Nodes are rounded boxes; filled ones are what the model uses, those with a double line
were set by somebody, grey ones are not looked at. Edges end at the border of the box they point to.
"""

from itertools import pairwise
from math import hypot
from pathlib import Path

INK, GREY, FILL, CUT, PAPER = "#1f2933", "#9aa5b1", "#cfe3f7", "#c0392b", "#ffffff"
WIDTH, HEIGHT = 96, 30  # of a node


def picture(width, height, title, parts):
    """A whole file; the title is the alternative text."""
    marks = "".join(
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="{colour}"/></marker>'
        for name, colour in (("ink", INK), ("grey", GREY), ("cut", CUT))
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="Helvetica, Arial, sans-serif" font-size="13">',
            f"<title>{title}</title>",
            f"<defs>{marks}</defs>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text(x, y, words, size=13, colour=INK, anchor="middle", weight="normal"):
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{words}</text>'
    )


def node(place, words, style="", width=WIDTH):
    """Styles: used, set, target, outside; several may be joined by spaces."""
    x, y = place
    colour = GREY if "outside" in style else INK
    fill = INK if "target" in style else FILL if "used" in style else PAPER
    box = f'<rect x="{x - width / 2:g}" y="{y - HEIGHT / 2:g}" width="{width}" height="{HEIGHT}" rx="9" '
    lines = [box + f'fill="{fill}" stroke="{colour}" stroke-width="1.5"/>']
    if "set" in style.split():
        lines.append(
            f'<rect x="{x - width / 2 - 4:g}" y="{y - HEIGHT / 2 - 4:g}" width="{width + 8}" height="{HEIGHT + 8}" '
            f'rx="12" fill="none" stroke="{CUT}" stroke-width="1.5"/>'
        )
    return "".join([*lines, text(x, y + 4.5, words, colour=PAPER if "target" in style else colour)])


def edge(start, end, style="", width=WIDTH):
    """From border to border. Styles: plain (no arrow), outside (grey), cut (dashed and crossed out)."""
    (x1, y1), (x2, y2) = _border(start, end, width), _border(end, start, width)
    name = "cut" if "cut" in style else "grey" if "outside" in style else "ink"
    colour = {"cut": CUT, "grey": GREY, "ink": INK}[name]
    arrow = "" if "plain" in style else f' marker-end="url(#{name})"'
    dashes = ' stroke-dasharray="5 4"' if "cut" in style or "dashed" in style else ""
    line = f'<path d="M{x1:.1f} {y1:.1f} {x2:.1f} {y2:.1f}" stroke="{colour}" stroke-width="1.6"{dashes}{arrow}/>'
    if "cut" in style:
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        line += f'<path d="M{x - 5:.1f} {y - 5:.1f}l10 10m0-10l-10 10" stroke="{CUT}" stroke-width="2.2"/>'
    return line


def _border(here, there, width):
    """Where the line from the middle of one box to another leaves the first, with a little air."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    reach = min((width / 2 + 6) / abs(dx) if dx else 9e9, (HEIGHT / 2 + 6) / abs(dy) if dy else 9e9)
    return here[0] + dx * reach, here[1] + dy * reach


def manipulation():
    """Three pictures: what survives when nothing, a known list, or something unknown was manipulated."""
    cases = [
        ("Nothing manipulated", "use the whole blanket", (), ("Smoking", "Genetics", "Coughing", "Fatigue", "Allergy")),
        (
            "Known: Smoking and Fatigue were set",
            "drop the effect that was set",
            ("Smoking", "Fatigue"),
            ("Smoking", "Genetics", "Coughing", "Allergy"),
        ),
        (
            "Unknown: anything may have been set",
            "use the causes alone",
            ("Coughing", "Fatigue", "Allergy", "Smoking", "Genetics"),
            ("Smoking", "Genetics"),
        ),
    ]
    parts = []
    for place, (title, verdict, touched, used) in enumerate(cases):
        left = 20 + place * 290
        at = {
            "Smoking": (left + 50, 90),
            "Genetics": (left + 210, 90),
            "Lung cancer": (left + 130, 160),
            "Coughing": (left + 50, 235),
            "Fatigue": (left + 210, 235),
            "Allergy": (left + 50, 310),
        }
        for cause, effect in [
            ("Smoking", "Lung cancer"),
            ("Genetics", "Lung cancer"),
            ("Lung cancer", "Coughing"),
            ("Lung cancer", "Fatigue"),
            ("Coughing", "Fatigue"),
            ("Allergy", "Coughing"),
        ]:
            parts.append(edge(at[cause], at[effect], "cut" if effect in touched else ""))
        for name, place in at.items():
            style = "target" if name == "Lung cancer" else "used " * (name in used) + "set" * (name in touched)
            parts.append(node(place, name, style))
        parts += [text(left + 130, 36, title, 14, weight="bold"), text(left + 130, 355, verdict, 14)]
    legend = [
        node((250, 392), "used", "used", 60),
        text(290, 397, "the model uses it", anchor="start"),
        node((450, 392), "set", "set", 60),
        text(492, 397, "somebody set it: its causes no longer matter", anchor="start"),
    ]
    title = "What survives a manipulation: the whole blanket, the blanket without effects that were set, or the causes"
    return picture(890, 422, title, parts + legend)


def blanket():
    """A target, its Markov blanket, and what lies outside."""
    at = {
        "Anxiety": (70, 40),
        "Peer pressure": (200, 40),
        "Smoking": (135, 110),
        "Genetics": (350, 110),
        "Lung cancer": (250, 180),
        "Coughing": (215, 255),
        "Fatigue": (365, 255),
        "Allergy": (70, 255),
        "Yellow fingers": (70, 180),
        "Attention": (500, 180),
        "Car accident": (500, 330),
    }
    inside = {"Smoking": "cause", "Genetics": "cause", "Coughing": "effect", "Fatigue": "effect", "Allergy": "spouse"}
    arrows = [
        *[("Anxiety", "Smoking"), ("Peer pressure", "Smoking"), ("Smoking", "Yellow fingers")],
        *[("Smoking", "Lung cancer"), ("Genetics", "Lung cancer"), ("Genetics", "Attention")],
        *[("Lung cancer", "Coughing"), ("Lung cancer", "Fatigue"), ("Coughing", "Fatigue"), ("Allergy", "Coughing")],
        *[("Attention", "Car accident"), ("Fatigue", "Car accident")],
    ]
    known = {*inside, "Lung cancer"}
    parts = [edge(at[a], at[b], "" if {a, b} <= known else "outside", 104) for a, b in arrows]
    for name, place in at.items():
        style = "target" if name == "Lung cancer" else "used" if name in inside else "outside"
        parts.append(node(place, name, style, 104))
        if name in inside:
            parts.append(text(place[0], place[1] + 29, inside[name], 11, GREY))
    return picture(575, 365, "The Markov blanket: causes, effects, and the other causes of effects", parts)


def structures():
    """A collider orients two edges; the Y-test adds an effect of it that no hidden cause can explain away."""
    a, b, c, d = (60, 60), (220, 60), (140, 125), (140, 200)
    parts = [edge(a, c, "", 60), edge(b, c, "", 60), text(140, 30, "collider", 14, weight="bold")]
    parts += [node(place, name, "", 60) for place, name in ((a, "A"), (b, "B"), (c, "C"))]
    parts += [text(140, 190, "A and B are independent,", 12), text(140, 207, "and dependent given C", 12)]
    shift = 280
    a, b, c, d = ((x + shift, y) for x, y in (a, b, c, d))
    parts += [edge(a, c, "", 60), edge(b, c, "", 60), edge(c, d, "", 60), text(140 + shift, 30, "Y", 14, weight="bold")]
    parts += [
        node(place, name, style, 60)
        for place, name, style in zip((a, b, c, d), "ABCD", ("", "", "", "used"), strict=True)
    ]
    parts += [text(140 + shift, 240, "given C, D is independent of A and of B", 12)]
    shift = 580
    c, d, hidden = (110 + shift, 85), (110 + shift, 185), (230 + shift, 135)
    parts += [text(150 + shift, 30, "what Y rules out", 14, weight="bold"), edge(hidden, c, "dashed outside", 64)]
    parts += [edge(hidden, d, "dashed outside", 64), node(c, "C", "", 60), node(d, "D", "used", 60)]
    parts += [node(hidden, "hidden", "outside", 76), text(150 + shift, 240, "A and B would be tied to D given C", 12)]
    return picture(890, 262, "A collider, a Y structure, and the hidden common cause that the Y-test rules out", parts)


def steps():
    """The steps of the workflow, from table to page."""
    rows = [
        [("prepare_data", "types, noise"), ("find_blanket", "one job a method"), ("search_folds", "without some rows")],
        [
            ("compare_blankets", "natural blanket"),
            ("find_region", "skeleton, depth 3"),
            ("orient_region", "which way?"),
        ],
        [
            ("test_confounding", "really causal?"),
            ("combine_evidence", "the thesis's view"),
            ("sample_networks", "from their posterior"),
        ],
        [
            ("infer_manipulation", "by the test table"),
            ("select_variables", "what survives"),
            ("estimate_auc", "what to expect"),
        ],
        [("build_model", "kernel models"), ("score", "if truth is known"), ("write_report", "one page")],
    ]
    parts, at = [], {}
    for row, boxes in enumerate(rows):
        for column, (name, words) in enumerate(boxes):
            at[name] = (110 + column * 220, 40 + row * 80)
            style = "used" if name in ("select_variables", "write_report") else ""
            parts += [node(at[name], name, style, 150), text(at[name][0], at[name][1] + 29, words, 11, "#52606d")]
    names = [name for boxes in rows for name, _ in boxes]
    for before, after in pairwise(names):
        if at[before][1] == at[after][1]:
            parts.append(edge(at[before], at[after], "", 150))
        else:
            (x1, y1), (x2, _) = at[before], at[after]
            turn = f"M{x1 + 78} {y1}h22v40H{x2 - 96}v40h14"
            parts.append(f'<path d="{turn}" fill="none" stroke="{INK}" stroke-width="1.6" marker-end="url(#ink)"/>')
    return picture(680, 405, "The steps of the workflow, from the table to the page", parts)


def region():
    """Rings around the target: depth 1, 2 and 3."""
    centre = (215, 190)
    parts = [
        f'<circle cx="{centre[0]}" cy="{centre[1]}" r="{r}" fill="none" stroke="#e4e7eb"/>' for r in (75, 125, 175)
    ]
    ends = [
        *[(0, -75), (72, 20), (-60, 45)],
        *[(-45, -117), (60, -110), (125, 0), (60, 110), (-30, 121), (-120, 35)],
        *[(-100, -144), (10, -175), (110, -136), (172, 30), (90, 150), (-80, 156), (-172, -20)],
    ]
    tied = [(None, 0), (None, 1), (None, 2), (0, 3), (0, 4), (1, 5), (1, 6), (2, 7), (2, 8)]
    tied += [(3, 9), (3, 10), (4, 11), (5, 12), (6, 13), (7, 14), (8, 15), (4, 10)]
    at = [(centre[0] + x, centre[1] + y) for x, y in ends]
    for a, b in tied:
        (x1, y1), (x2, y2) = centre if a is None else at[a], at[b]
        if hypot(x2 - x1, y2 - y1):
            parts.append(f'<path d="M{x1} {y1} {x2} {y2}" stroke="{INK}" stroke-width="1.4"/>')
    for rank, (x, y) in enumerate(at):
        fill = FILL if rank < 3 else PAPER
        parts.append(f'<circle cx="{x}" cy="{y}" r="9" fill="{fill}" stroke="{INK}" stroke-width="1.4"/>')
    parts.append(f'<circle cx="{centre[0]}" cy="{centre[1]}" r="12" fill="{INK}"/>')
    for depth, radius in enumerate((75, 125, 175), start=1):
        parts.append(text(410, 190 - radius + 12, f"depth {depth}", 12, "#52606d", "start"))
        parts.append(f'<path d="M{centre[0] + 40} {194 - radius}H404" stroke="#cbd2d9" stroke-dasharray="2 3"/>')
    return picture(470, 380, "The region: rings of neighbours around the target", parts)


PICTURES = {function.__name__: function for function in (manipulation, blanket, structures, steps, region)}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        Path(__file__).with_name(f"{name}.svg").write_text(draw(), encoding="utf-8")
