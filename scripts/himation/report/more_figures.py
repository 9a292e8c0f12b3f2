"""Charts of the sets compared, of the trust in roles, and of the noise that was removed.

As in `figures`, each returns an ``<svg>`` element with a text alternative and nothing is told by colour alone.
"""

from collections.abc import Sequence
from dataclasses import replace

from himation.report.figures import WIDTH, draw_intervals, legend
from himation.report.reliability import Reliability
from himation.report.svg import ACCENT, INK, LINE, MUTED, ROLE, SURFACE, blank, to_svg
from himation.report.values import Noise, Rival
from himation.report.words import count, number

_SIDE = 390


def rivals(items: Sequence[Rival], name: str) -> str:
    """Expected AUC of the sets compared, with two standard errors, and their AUC in nature as a bar."""
    nature = [rival.natural for rival in items]
    shown = [replace(rival.expected, label=f"{rival.label} ({rival.size:,})") for rival in items]
    figure, axes = draw_intervals(shown, [rival.used for rival in items], "AUC", nature)
    axes.plot([], [], "o-", color=MUTED, mfc=SURFACE, ms=8, mew=1.8, label="expected under the manipulation")
    axes.plot(nature, range(len(items)), "|", color=INK, ms=15, mew=2, clip_on=False, label="in nature")
    legend(figure, axes)
    listing = "; ".join(map(_rival_words, items))
    return to_svg(figure, name, f"Sets compared by expected AUC, with two standard errors. {listing}.")


def _rival_words(rival: Rival) -> str:
    expected = number(rival.expected.value, rival.expected.error)
    used = " (used)" if rival.used else ""
    return f"{rival.label}{used}, {count(rival.size, 'variable')}: expected {expected}, in nature {rival.natural:.3f}"


def reliability(known: Reliability) -> str:
    """Observed share against predicted probability, for parents (triangles up) and children (triangles down)."""
    figure = blank(_SIDE, _SIDE + 20)
    axes = figure.add_axes((0.15, 0.13, 0.82, 0.75))
    axes.plot([0, 1], [0, 1], color=LINE, lw=1.4, ls=(0, (2, 3)))
    texts = []
    for role, groups, mark, shift in (("parent", known.parent, "^", -0.01), ("child", known.child, "v", 0.01)):
        for group in groups:
            x = group.predicted + shift
            axes.plot([x, x], [group.low, group.high], color=ROLE[role], lw=1.6, clip_on=False)
            axes.plot([x], [group.observed], mark, ms=10, color=ROLE[role], mec=SURFACE, mew=0.8, clip_on=False)
            side = -1 if role == "parent" else 1
            where = {"xytext": (9 * side, 0), "textcoords": "offset points", "va": "center"}
            align = "right" if side < 0 else "left"
            if group.predicted > 0.93 or group.predicted < 0.07:
                inward = -1 if group.predicted > 0.5 else 1
                where["xytext"] = (9 * inward, 9 * side)
                align = "right" if inward < 0 else "left"
            axes.annotate(f"{group.count:,}", (x, group.observed), ha=align, fontsize=11.5, color=INK, **where)
            texts.append(f"{role} {group.predicted:.2f}: observed {group.observed:.2f} of {group.count}")
        axes.plot([], [], mark, color=ROLE[role], ms=10, label=f"{role} (n)")
    ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), xticks=ticks, yticks=ticks)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticklabels([f"{tick:g}" for tick in ticks])
    axes.set(xlabel="predicted probability", ylabel="share that truly have the role")
    legend(figure, axes)
    return to_svg(figure, "reliability", f"Reliability of the roles' probabilities. {'; '.join(texts)}.")


def noise(shown: Noise, name: str) -> str:
    """One example on its grid: as measured, the noise removed, and what is left, all on one scale of greys."""
    import numpy as np

    rows, cols = shown.grid
    before, after = np.array(shown.before), np.array(shown.after)
    places = np.full((3, rows * cols), np.nan)
    places[:, : len(before)] = before, before - after, after
    reach = float(np.nanquantile(np.abs(places[0]), 0.99)) or 1.0
    figure = blank(WIDTH, 206)
    spots = np.array(shown.calibrants) - 1
    for k, title in enumerate(("as measured", "noise removed", "what is left")):
        axes = figure.add_axes((0.01 + k * 0.3, 0.04, 0.28, 0.84))
        image = np.clip((places[k].reshape(cols, rows).T / reach + 1) / 2, 0, 1)
        axes.imshow(np.round(image * 255), cmap="gray", vmin=0, vmax=255, interpolation="none", aspect="equal")
        axes.plot(spots // rows, spots % rows, "o", ms=4.5, mfc="none", mec=ACCENT, mew=1.2)
        axes.set_title(title, fontsize=12.5, color=INK)
        axes.set(xticks=[], yticks=[], xlim=(-0.5, cols - 0.5), ylim=(rows - 0.5, -0.5))
        axes.grid(visible=False)
    _scale_bar(figure, reach)
    sds = [float(np.nanstd(row)) for row in places]
    text = f"Example {shown.example} on a grid of {rows} by {cols}. Standard deviation over the grid: as measured "
    return to_svg(figure, name, f"{text}{sds[0]:.2f}, of the noise removed {sds[1]:.2f}, of what is left {sds[2]:.2f}.")


def _scale_bar(figure, reach: float) -> None:
    import numpy as np

    axes = figure.add_axes((0.925, 0.14, 0.022, 0.64))
    axes.imshow(np.arange(255, -1, -1)[:, None], cmap="gray", aspect="auto", interpolation="none")
    axes.set(xticks=[], yticks=[0, 127.5, 255])
    axes.yaxis.tick_right()
    axes.set_yticklabels([f"{reach:.1f}", "0", f"-{reach:.1f}"], fontsize=11)
    axes.grid(visible=False)
