"""What somebody could do to change the target: reading effects.tsv, the words of that section, and its picture."""

from pathlib import Path

from himation.files.atomic import tsv_rows
from himation.report.figures import interval_axes
from himation.report.svg import ACCENT, INK, LINE, MUTED, SURFACE, printable, to_svg
from himation.report.values import EffectRow
from himation.report.words import percent, short

MOST_SHOWN = 12
LEAST_CAUSE = 0.05  # of P(cause), for a row of the picture
_LABEL = 24


def read_effects(path: Path) -> tuple[EffectRow, ...]:
    """The largest effects, in the order of the file."""
    found = []
    for row in tsv_rows(path):
        if float(row["p_cause"]) < LEAST_CAUSE or len(found) == MOST_SHOWN:
            continue
        numbers = (float(row[key]) for key in ("p_cause", "effect", "low", "high"))
        found.append(EffectRow(row["variable"], int(row["column"]), *numbers, *map(value, (row["from"], row["to"]))))
    return tuple(found)


def value(text: str) -> str:
    """A number with few digits, a word as it is.

    >>> value("12.30000001"), value("1.0"), value("north")
    ('12.3', '1', 'north')
    """
    try:
        return f"{float(text):.4g}"
    except ValueError:
        return text


def sentence(effects: tuple[EffectRow, ...], label: str) -> str:
    """What is likeliest to change the target; ``label`` is the word for a positive one."""
    if not effects:
        return "No variable is a likely cause of the target: setting one of them is not known to change it."
    sure = [row for row in effects if row.clear]
    if not sure:
        return f"No effect on P({label}) is sure: the intervals of all possible causes reach nought."
    first = sure[0]
    told = (
        f"Setting {first.name} to {first.after} where it is {first.before} would change P({label}) by "
        f"{first.effect:+.2f} "
        f"(90 % interval {first.low:+.2f} to {first.high:+.2f}; a cause with a probability of {percent(first.p_cause)})"
    )
    more = len(sure) - 1
    return told + (f"; the intervals of {more} more likely causes keep clear of nought." if more else ".")


def picture(effects: tuple[EffectRow, ...], label: str, name: str) -> str:
    """Effects with their 90 % intervals, one row each; filled where the effect is clear."""
    low, high = min(0.0, *(row.low for row in effects)), max(0.0, *(row.high for row in effects))
    room = max(0.02, 0.06 * (high - low))
    figure, axes = interval_axes(len(effects), 0, 1, f"change of P({printable(label)})")
    axes.set_xlim(low - room, high + room)
    axes.axvline(0, color=LINE, lw=1.6)
    axes.set_yticklabels([short(printable(row.name), _LABEL) for row in effects], color=INK)
    for y, row in enumerate(effects):
        clear = row.clear
        colour = ACCENT if clear else MUTED
        axes.plot([row.low, row.high], [y, y], color=colour, lw=2.5 if clear else 1.5)
        axes.plot([row.effect], [y], "o", ms=9, mec=colour, mfc=colour if clear else SURFACE, mew=1.8)
        moved = short(printable(f"{row.before} → {row.after}"), 18)
        axes.annotate(moved, (1.02, y), xycoords=("axes fraction", "data"), va="center", fontsize=12, color=INK)
    listing = "; ".join(_words(row) for row in effects)
    return to_svg(figure, name, f"Change of P({label}) by setting a variable, with 90 % intervals. {listing}.")


def _words(row: EffectRow) -> str:
    return f"{row.name} from {row.before} to {row.after}: {row.effect:+.2f} ({row.low:+.2f} to {row.high:+.2f})"
