"""From a matplotlib figure to SVG that lives inside the page: no ids of its own, no fonts, no fixed colours.

Figures are drawn in stand-in colours. Here each becomes a variable of the page's style sheet, so that one drawing is
right in light and in dark; text takes the page's font. Names of variables are hostile input: matplotlib escapes them
(its mathtext is switched off), and nothing here touches what stands between the tags.
"""

import re
import warnings
from contextlib import contextmanager
from html import escape
from io import StringIO

INK, MUTED, LINE, SURFACE = "#0a0000", "#0b0000", "#0c0000", "#0d0000"
ACCENT, ACCENT_FILL = "#0e0000", "#0f0000"
ROLE = {
    "parent": "#0a0001",
    "child": "#0a0002",
    "spouse": "#0a0003",
    "undirected": "#0a0004",
    "confounded": "#0a0005",
    "none": "#0a0006",
}
ROLE_FILL = {role: "#0b00" + colour[-2:] for role, colour in ROLE.items()}
_VARIABLES = {
    **{INK: "--ink", MUTED: "--muted", LINE: "--line", SURFACE: "--surface"},
    **{ACCENT: "--accent", ACCENT_FILL: "--accent-fill"},
    **{colour: f"--{role}" for role, colour in ROLE.items()},
    **{colour: f"--{role}-fill" for role, colour in ROLE_FILL.items()},
}
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "himation",
    "text.parse_math": False,
    "text.usetex": False,
    "text.color": INK,
    "font.family": "DejaVu Sans",
    "font.size": 12.5,
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": LINE,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "figure.facecolor": "none",
    "figure.dpi": 72,
    "lines.linewidth": 2,
}
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_TAG = re.compile(r"<[^>]*>")
_COLOUR = re.compile(r"#0[a-f]00[0-9a-f]{2}\b")
_FONT = re.compile(r"(font-family:|font: (?:\w+ )*[\d.]+px) [^;\"]*")  # versions of matplotlib differ
_REFERRED = re.compile(r"(?:url\(#|href=\"#)(m[0-9a-f]{8,}|p[0-9a-f]{8,}|[A-Z]\w*-[0-9a-f]+)")


@contextmanager
def drawing_style():
    """Draw inside this: matplotlib's defaults, whatever the user's own settings, and the page's style on top."""
    import logging

    import matplotlib

    logger = logging.getLogger("matplotlib")
    level = logger.level
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        warnings.simplefilter("ignore")  # letters that the measuring font lacks; the browser has its own fonts
        logger.setLevel(logging.ERROR)
        try:
            yield
        finally:
            logger.setLevel(level)


def blank(width: float, height: float):
    """A figure of the given size in pixels."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width / 72, height / 72))


def pixels(width: float, height: float):
    """A figure whose only axes are measured in pixels, from the top left."""
    figure = blank(width, height)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return figure, axes


def printable(text: str) -> str:
    """Without control characters and changes of writing direction, which could break or disguise a label."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def to_svg(figure, name: str, description: str, links: bool = False) -> str:
    """The figure as an ``<svg>`` element; ``name`` keeps its inner references apart from other figures'."""
    out = StringIO()
    figure.savefig(out, format="svg", metadata=_NO_METADATA)
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", text, flags=re.DOTALL)
    referred = {match for tag in _TAG.findall(text) for match in _REFERRED.findall(tag)}
    text = _TAG.sub(lambda match: _inline(match[0], referred, name), text)
    text = re.sub(r"<defs>\s*</defs>|<defs/>", "", text)
    text = re.sub(r">\s*\n\s*<", "><", text).strip()
    text = re.sub(
        r'(<a href="[^"]*")(><path)', r'\1 tabindex="-1" aria-hidden="true"\2', text
    )  # its name is a link too
    width, height = (round(size * 72) for size in figure.get_size_inches())
    role = "group" if links else "img"
    head = f'<svg class="figure" role="{role}" aria-label="{escape(description)}" viewBox="0 0 {width} {height}"'
    head += f' width="{width}" height="{height}" style="--w: {width}px">'
    return head + text[text.index(">") + 1 :]


def _inline(tag: str, referred: set[str], name: str) -> str:
    """One tag, fit for the page: colours by name, the page's font, ids only where something refers to them."""
    tag = re.sub(r' id="([^"]*)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in referred else "", tag)
    tag = re.sub(r' (?:xmlns:xlink|xmlns|target)="[^"]*"', "", tag).replace("xlink:href=", "href=")
    for word in referred:
        tag = tag.replace(f"#{word}", f"#{name}-{word}")
    tag = _COLOUR.sub(lambda m: f"var({_VARIABLES[m[0]]})" if m[0] in _VARIABLES else m[0], tag)
    return _FONT.sub(r"\1 var(--sans)", tag)
