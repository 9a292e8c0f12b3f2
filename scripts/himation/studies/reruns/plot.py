"""Pictures from the lines of a rerun experiment: the growth of time with the number of variables, and curves.

>>> series([{"case": "1,000 variables", "measure": "CPU seconds, ours", "rerun": "0.5", "published": ""}])
{'ours': [(1000, 0.5)]}

Curves have 95 % bands, and axes for each experiment and measure. A line belongs to a curve if its case ends in a number
("noise 0.5") and its measure names a method ("accuracy, IAMB"); without a standard error it has no band.

>>> curves([{"case": "noise 0.5", "measure": "accuracy, IAMB", "rerun": "60", "error": "1"}])
{('noise', 'accuracy'): {'IAMB': [(0.5, 60.0, 1.96)]}}
"""

import re

_CPU, _CLOCK = "CPU seconds, ", "seconds, "


def series(rows: list[dict[str, str]]) -> dict[str, list[tuple[int, float]]]:
    """For each method, (variables, CPU seconds) by number of variables; published seconds are a series of their own.

    Where CPU seconds were not measured, seconds of the clock stand in their place."""
    found: dict[str, list[tuple[int, float]]] = {}
    has_cpu = any(row["measure"].startswith(_CPU) for row in rows)
    for row in rows:
        count = row["case"].split()[0].replace(",", "")
        if not (row["case"].endswith("variables") and count.isdigit()):
            continue
        for start, drawn in ((_CPU, True), (_CLOCK, not has_cpu)):
            if not row["measure"].startswith(start):
                continue
            method = row["measure"].removeprefix(start)
            if drawn:
                found.setdefault(method, []).append((int(count), float(row["rerun"])))
            if row["published"]:
                found.setdefault(f"{method}, published", []).append((int(count), float(row["published"])))
    return {method: sorted(points) for method, points in found.items()}


def growth(found: dict[str, list[tuple[int, float]]], path, kind: str) -> None:
    """Draw the series on logarithmic axes, with a dotted line of proportional growth through the first point."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with pyplot.rc_context({"svg.hashsalt": "himation", "svg.fonttype": "none"}):
        figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
        for method, points in found.items():
            sizes, seconds = zip(*points, strict=True)
            axes.plot(sizes, seconds, "o-" if len(points) > 1 else "s", label=method)
        longest = max(found.values(), key=len)
        (first, begin), last = longest[0], longest[-1][0]
        axes.plot([first, last], [begin, begin * last / first], ":", color="grey", label="proportional")
        axes.set(xscale="log", yscale="log", xlabel="variables", ylabel="CPU seconds for one region")
        axes.legend(frameon=False)
        figure.savefig(path, format=kind, metadata={"Date": None} if kind == "svg" else None)
        pyplot.close(figure)


_CASE = re.compile(r"(.+) ([0-9.]+)$")
_HALF = 1.96  # standard errors to either side


def curves(rows: list[dict[str, str]]) -> dict[tuple[str, str], dict[str, list[tuple[float, float, float]]]]:
    """For each (experiment, measure) and method, points of (value, mean, half-width)."""
    found: dict = {}
    for row in rows:
        case = _CASE.match(row["case"])
        measure, _, method = row["measure"].partition(", ")
        if case and method:
            points = found.setdefault((case[1], measure), {}).setdefault(method, [])
            points.append((float(case[2]), float(row["rerun"]), _HALF * float(row["error"] or 0)))
    return {place: {name: sorted(points) for name, points in lines.items()} for place, lines in found.items()}


def draw(found: dict, path, kind: str) -> None:
    """Axes beside each other, a row for each measure."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    measures = list(dict.fromkeys(measure for _, measure in found))
    experiments = list(dict.fromkeys(experiment for experiment, _ in found))
    colours = {name: f"C{i}" for i, name in enumerate(dict.fromkeys(m for lines in found.values() for m in lines))}
    with pyplot.rc_context({"svg.hashsalt": "himation", "svg.fonttype": "none"}):
        size = (3.2 * len(experiments), 2.8 * len(measures))
        figure, grid = pyplot.subplots(
            len(measures), len(experiments), figsize=size, squeeze=False, layout="constrained"
        )
        for (experiment, measure), lines in found.items():
            axes = grid[measures.index(measure)][experiments.index(experiment)]
            for method, points in lines.items():
                x, mean, half = zip(*points, strict=True)
                low, high = (
                    [m - h for m, h in zip(mean, half, strict=True)],
                    [m + h for m, h in zip(mean, half, strict=True)],
                )
                axes.plot(x, mean, ".-", color=colours[method], label=method)
                axes.fill_between(x, low, high, color=colours[method], alpha=0.2, linewidth=0)
            axes.set(title=experiment, ylabel=measure)
        for row in grid:
            row[0].legend(frameon=False, fontsize="small")
        figure.savefig(path, format=kind, metadata={"Date": None} if kind == "svg" else None)
        pyplot.close(figure)
