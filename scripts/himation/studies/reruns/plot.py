"""The growth of time with the number of variables, from the lines of a rerun experiment.

>>> series([{"case": "1,000 variables", "measure": "CPU seconds, ours", "rerun": "0.5", "published": ""}])
{'ours': [(1000, 0.5)]}
"""

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
