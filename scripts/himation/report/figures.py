"""Charts of the page: intervals side by side, ROC curves, and which finders agree on which variables.

Every function returns an ``<svg>`` element with a text alternative, and is called inside `svg.drawing_style`. Nothing
is told by colour alone: what is ours is filled and set in bold, references are hollow, curves differ by their dashes.
"""

from collections.abc import Sequence
from itertools import groupby

from himation.report.svg import ACCENT, ACCENT_FILL, INK, LINE, MUTED, SURFACE, blank, printable, to_svg
from himation.report.values import Curve, DataSet, Measured, Method
from himation.report.words import number, short

WIDTH = 600
ROW = 28
_LABEL = 24  # letters of a row's label
_LEGEND = 34  # room for a legend
_STANDARD_ERRORS = 2
_MOST_COMBINATIONS = 14


def _limits(lowest: float, highest: float) -> tuple[float, float]:
    """An axis that shows all intervals with room to spare, never past 1 unless a value is."""
    room = max(0.02, 0.06 * (highest - lowest))
    return max(0.0, lowest - room), min(1.0, highest + room) + 0.004


def interval_axes(n_rows: int, low: float, high: float, label: str, top: float = 6):
    height = n_rows * ROW + 46 + top
    figure = blank(WIDTH, height)
    axes = figure.add_axes((0.31, 44 / height, 0.49, (n_rows * ROW) / height))
    axes.set(xlim=_limits(low, high), ylim=(n_rows - 0.5, -0.5), xlabel=label)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", nbins=6)
    axes.set_yticks(range(n_rows))
    return figure, axes


def intervals(items: Sequence[Measured], ours: Sequence[bool], axis: str, name: str, description: str) -> str:
    """Values with intervals of two standard errors, one row each; ours are filled and in bold."""
    figure, _ = draw_intervals(items, ours, axis)
    listing = "; ".join(f"{m.label}: {number(m.value, m.error)}" for m in items)
    return to_svg(figure, name, f"{description} {listing}.")


def draw_intervals(items: Sequence[Measured], ours: Sequence[bool], axis: str, others: Sequence[float] = ()):
    """Figure and axes of `intervals`; where ``others`` have to fit on the axis too, with room for a legend."""
    spans = [(m.value, _STANDARD_ERRORS * (m.error or 0.0)) for m in items]
    low, high = min([v - e for v, e in spans] + [*others]), max([v + e for v, e in spans] + [*others])
    figure, axes = interval_axes(len(items), low, high, axis, _LEGEND if others else 6)
    axes.set_yticklabels([short(printable(m.label), _LABEL) for m in items], color=INK)
    for y, (value, error) in enumerate(spans):
        colour = ACCENT if ours[y] else MUTED
        axes.plot(
            [value - error, min(1.0, value + error)], [y, y], color=colour, lw=2.5 if ours[y] else 1.5, clip_on=False
        )
        face = colour if ours[y] else SURFACE
        axes.plot([value], [y], "o", ms=9, mec=colour, mfc=face, mew=1.8, clip_on=False)
        text = number(value, items[y].error)
        axes.annotate(text, (1.02, y), xycoords=("axes fraction", "data"), va="center", fontsize=12, color=INK)
    for label, bold in zip(axes.get_yticklabels(), ours, strict=True):
        label.set_fontweight("bold" if bold else "normal")
    return figure, axes


def legend(figure, axes) -> None:
    look = {"ncols": 3, "frameon": False, "fontsize": 12, "handletextpad": 0.4, "columnspacing": 1.2}
    figure.legend(*axes.get_legend_handles_labels(), loc="upper left", bbox_to_anchor=(0.0, 1.0), **look)


def overview(sets: Sequence[DataSet]) -> str:
    """Expected and achieved AUC of every data set, with the best model that knows the truth."""
    known = [(i, d) for i, d in enumerate(sets) if d.outlook or d.achieved]
    values = [m for _, d in known for m in (d.outlook, d.achieved, d.best_reference) if m]
    spans = [(m.value, _STANDARD_ERRORS * (m.error or 0)) for m in values]
    low, high = min(v - e for v, e in spans), max(v + e for v, e in spans)
    figure, axes = interval_axes(len(sets), low, high, "AUC", _LEGEND)
    axes.set_yticklabels([short(d.id, _LABEL) for d in sets], color=INK)
    texts = []
    for y, data in known:
        _overview_row(axes, y, data)
        parts = [f"{m.label} {number(m.value, m.error)}" for m in (data.outlook, data.best_reference) if m]
        texts.append(
            f"{data.id}: {', '.join(parts)}" + (f", test {number(data.achieved.value)}" if data.achieved else "")
        )
    axes.plot([], [], "o", color=MUTED, mfc=SURFACE, ms=8, mew=1.8, label="expected")
    axes.plot([], [], "D", color=ACCENT, ms=8, label="test")
    axes.plot([], [], "|", color=INK, ms=14, mew=2, label="best model that knows the truth")
    legend(figure, axes)
    return to_svg(figure, "overview", f"AUC of every data set, with two standard errors. {'; '.join(texts)}.")


def _overview_row(axes, y: int, data: DataSet) -> None:
    for measured, shift, colour, style in ((data.outlook, -0.13, MUTED, "o"), (data.achieved, 0.13, ACCENT, "D")):
        if measured:
            error = _STANDARD_ERRORS * (measured.error or 0)
            span = [measured.value - error, min(1.0, measured.value + error)]
            axes.plot(span, [y + shift] * 2, color=colour, lw=2, clip_on=False)
            face = SURFACE if style == "o" else colour
            axes.plot([measured.value], [y + shift], style, ms=8, mec=colour, mfc=face, mew=1.8, clip_on=False)
    if data.best_reference:
        axes.plot([data.best_reference.value], [y], "|", color=INK, ms=18, mew=2, clip_on=False)
    shown = data.achieved or data.outlook
    what = "test" if data.achieved else "expected"
    text = f"{shown.value:.3f} {what}"
    axes.annotate(text, (1.02, y), xycoords=("axes fraction", "data"), va="center", fontsize=12, color=INK)


def roc(curves: Sequence[Curve], name: str) -> str:
    """ROC curves; the first is drawn strong, others and those of examples that the model was fitted to are dashed."""
    size = 390
    figure = blank(size, size)
    axes = figure.add_axes((0.14, 0.14, 0.82, 0.82))
    axes.plot([0, 1], [0, 1], color=LINE, lw=1.2, ls=(0, (2, 3)))
    for curve in curves:
        ours = not curve.fitted and curve is curves[0]
        style = {"color": ACCENT, "lw": 2.4} if ours else {"color": MUTED, "lw": 1.6, "ls": (0, (5, 3))}
        axes.plot(curve.fpr, curve.tpr, label=f"{curve.label}: {curve.auc:.3f}", clip_on=False, **style)
    ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=ticks, yticks=ticks)
    axes.set_xticklabels([f"{tick:g}" for tick in ticks])
    axes.set_yticklabels([f"{tick:g}" for tick in ticks])
    axes.set(xlabel="false positive rate", ylabel="true positive rate")
    axes.legend(loc="lower right", frameon=False, fontsize=12, title="AUC", title_fontsize=12, alignment="left")
    text = "; ".join(f"{curve.label}: AUC {curve.auc:.3f}" for curve in curves)
    return to_svg(figure, name, f"ROC curve. {text}.")


def agreement(methods: Sequence[Method], name: str) -> str:
    """How many variables are in exactly which finders' answers: a column for each combination, the largest first."""
    ids = [method.id for method in methods]
    held: dict[int, list[bool]] = {}
    for k, method in enumerate(methods):
        for column in method.members:
            held.setdefault(column, [False] * len(ids))[k] = True
    patterns = sorted(held.values(), reverse=True)
    counts = [(pattern, len(list(group))) for pattern, group in groupby(patterns)]
    counts = sorted(counts, key=lambda item: (-sum(item[0]), -item[1]))[:_MOST_COMBINATIONS]
    width, bars, rows = min(WIDTH, 190 + 52 * len(counts)), 96, ROW * len(ids)
    height = bars + rows + 34
    figure = blank(width, height)
    left = 150 / width
    top = figure.add_axes((left, (rows + 12) / height, 1 - left - 0.02, bars / height))
    below = figure.add_axes((left, 8 / height, 1 - left - 0.02, rows / height), sharex=top)
    _count_bars(top, counts, len(ids))
    for y in range(len(ids)):
        below.plot([-0.45, len(counts) - 0.55], [y, y], color=LINE, lw=1, clip_on=False)
    for x, (pattern, _) in enumerate(counts):
        members = [y for y, inside in enumerate(pattern) if inside]
        below.plot([x, x], [members[0], members[-1]], color=INK, lw=2)
        for y, inside in enumerate(pattern):
            colour = INK if inside else LINE
            below.plot([x], [y], "o", ms=11, mec=colour, mfc=colour if inside else SURFACE, mew=1.4, clip_on=False)
    below.set(ylim=(len(ids) - 0.5, -0.5), yticks=range(len(ids)), xticks=[])
    below.set_yticklabels([f"{short(m.id, 14)} ({len(m.members):,})" for m in methods], color=INK)
    below.grid(visible=False)
    for side in below.spines.values():
        side.set_visible(False)
    parts = [f"{n} in {' and '.join(i for i, held in zip(ids, p, strict=True) if held)}" for p, n in counts]
    text = f"Agreement of the blanket finders: {'; '.join(parts)}. Sizes: "
    return to_svg(figure, name, text + ", ".join(f"{m.id} {len(m.members)}" for m in methods) + ".")


def _count_bars(axes, counts, n_methods: int) -> None:
    """Bars above the combinations, what all finders agree on in the strong colour."""
    for x, (pattern, n) in enumerate(counts):
        everywhere = sum(pattern) == n_methods
        axes.bar(x, n, width=0.62, color=ACCENT if everywhere else ACCENT_FILL, edgecolor=ACCENT, linewidth=1.2)
        axes.annotate(f"{n:,}", (x, n), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=12, color=INK)
    axes.set(xlim=(-0.6, len(counts) - 0.4), ylim=(0, max(n for _, n in counts) * 1.22), yticks=[])
    axes.tick_params(labelbottom=False)
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
