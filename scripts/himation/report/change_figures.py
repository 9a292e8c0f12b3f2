"""Small pictures of a variable before and after: its distribution, and its mean by values of its companion.

As in `figures`, each is an ``<svg>`` element with a text alternative. Nothing is told by colour alone: training is
hollow and dashed, the test table filled and solid.
"""

from himation.report.change_words import numbers, row_words
from himation.report.figures import legend
from himation.report.svg import ACCENT, ACCENT_FILL, INK, MUTED, SURFACE, blank, printable, to_svg
from himation.report.values import Changed, Distribution, Link
from himation.report.words import short

WIDTH, HEIGHT = 600, 190
_NAME = 30
_LETTERS = 32  # side by side below an axis
_TWO_ERRORS = 2
_DASH = (0, (4, 2))


def before_and_after(row: Changed, name: str) -> str:
    """The variable's distribution, and its link with its companion where it has one."""
    figure = blank(WIDTH, HEIGHT)
    left = figure.add_axes((0.02, 0.27, 0.42, 0.55))
    _draw_distribution(left, row.distribution)
    left.set_xlabel(short(printable(row.name), _NAME))
    if row.link:
        right = figure.add_axes((0.58, 0.27, 0.40, 0.55))
        _draw_link(right, row.link)
        right.set_xlabel(short(printable(row.companion), _NAME))
        right.set_ylabel(short(printable(row.link.of), 22))
    legend(figure, left)
    return to_svg(figure, name, f"{row.name}, {row.verdict}: {row_words(row)}; {numbers(row)}.")


def _draw_distribution(axes, shape: Distribution) -> None:
    if shape.labels:
        places = range(len(shape.labels))
        look = {"width": 0.38, "linewidth": 1.3}
        axes.bar(
            [x - 0.2 for x in places], shape.train, color=SURFACE, edgecolor=MUTED, ls=_DASH, label="training", **look
        )
        axes.bar([x + 0.2 for x in places], shape.test, color=ACCENT_FILL, edgecolor=ACCENT, label="test table", **look)
        axes.set_xticks(list(places), _ticks(shape.labels))
    else:
        axes.stairs(shape.train, shape.edges, color=MUTED, lw=1.6, ls=_DASH, label="training", zorder=3)
        axes.stairs(shape.test, shape.edges, fill=True, color=ACCENT_FILL)
        axes.stairs(shape.test, shape.edges, color=ACCENT, lw=1.6, label="test table")
        axes.locator_params(axis="x", nbins=5)
    axes.set(ylim=(0, max(*shape.train, *shape.test) * 1.08), yticks=[])
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)


def _ticks(labels) -> list[str]:
    """Labels that stand side by side."""
    return [short(printable(label), max(3, _LETTERS // len(labels))) for label in labels]


def _draw_link(axes, link: Link) -> None:
    for points, colour, mark, face, dash in (
        (link.train, MUTED, "o", SURFACE, _DASH),
        (link.test, ACCENT, "D", ACCENT, "-"),
    ):
        for x, mean, error in points:
            axes.plot([x, x], [mean - _TWO_ERRORS * error, mean + _TWO_ERRORS * error], color=colour, lw=1.2)
        x, means = [point[0] for point in points], [point[1] for point in points]
        axes.plot(x, means, mark, ls=dash, color=colour, mfc=face, mew=1.4, ms=6, lw=1.5)
    if link.labels:
        axes.set_xticks(range(len(link.labels)), _ticks(link.labels))
        axes.set_xlim(-0.5, len(link.labels) - 0.5)
    else:
        axes.locator_params(axis="x", nbins=5)
    axes.locator_params(axis="y", nbins=4)
    axes.tick_params(labelcolor=INK)
