"""IV.5.3 of the thesis: regions of depth 3 among 10,000 to 100,000 variables, 1,000 examples.

A random network of each size, one data set, and five random targets (or as many as `samples` says). A region is found
by RegionMMHC with the published choices and with ours; the distance from the true region and its size stand beside the
seconds, which are those of computing on this computer, loading and drawing of the data left out. Seconds of the clock
are what was published; CPU seconds, of all threads together, are plotted, as other work on the computer hardly changes
them. A region takes as many searches for parents and children as it happens to have neighbours, so the mean time of a
search, which grows with the number of variables alone, is told as well.
"""

from collections.abc import Callable
from time import perf_counter, process_time

import numpy as np

from himation.graphs import distances
from himation.orientation.pdags import cpdag, shd
from himation.studies.reruns import Line, mean_of

SIZES = (10_000, 25_000, 50_000, 75_000, 100_000)
EXAMPLES = 1000
DEPTH = 3
PUBLISHED = {"seconds, RegionMMHC": 8426.0, "variables in the region": 43.0}  # of 100,000 variables


def run(samples: int, seed: int, threads: int = 1, progress: Callable[[int, int], None] | None = None) -> list[Line]:
    """Means over the targets, for each number of variables."""
    lines = []
    for at, size in enumerate(SIZES):
        if progress:
            progress(at, len(SIZES))
        known = PUBLISHED if size == SIZES[-1] else {}
        for measure, figures in one_size(size, samples, seed, threads).items():
            lines.append(mean_of(figures, f"{size:,} variables", measure, known.get(measure), _better(measure)))
    return lines


def _better(measure: str) -> str:
    return "low" if measure.startswith(("seconds", "CPU seconds", "SHD")) else ""


def one_size(size: int, n_targets: int, seed: int, threads: int) -> dict[str, list[float]]:
    """Seconds, distances and sizes of regions around random targets; seconds for a search over all of them."""
    from himation.blanket.mmpc import Neighbours
    from himation.independence import GSquare
    from himation.orientation.scores.by_name import Sample
    from himation.orientation.structures import OURS, Scoring, region_mmhc
    from himation.studies.reruns.random_networks import random_network

    network = random_network(size, np.random.default_rng([seed, size]))
    codes = network.sample(EXAMPLES, np.random.default_rng([seed, size, 1]))
    test = GSquare.from_codes(codes, network.arities)
    sample = Sample(tuple(codes), tuple(network.arities.tolist()))
    around = _neighbours(network)
    found: dict[str, list[float]] = {}
    targets = np.random.default_rng([seed, size, 2]).permutation(size)[:n_targets].tolist()
    region_mmhc(Neighbours(test), sample, targets[0], 1)  # so that nothing is compiled on the clock
    for t in targets:
        for name, scoring in (("RegionMMHC", Scoring.published()), ("ours", OURS)):
            neighbours, began, worked = Neighbours(test, threads=threads), perf_counter(), process_time()
            region = region_mmhc(neighbours, sample, t, DEPTH, scoring)
            found.setdefault(f"seconds, {name}", []).append(perf_counter() - began)
            found.setdefault(f"CPU seconds, {name}", []).append(process_time() - worked)
            found.setdefault(f"SHD, {name}", []).append(region_distance(network, around, t, region))
        found.setdefault("variables in the region", []).append(len(region.nodes))
        found.setdefault("searches", []).append(neighbours.n_searches)
    return {**found, "CPU seconds for a search, ours": [sum(found["CPU seconds, ours"]) / sum(found["searches"])]}


def _neighbours(network) -> dict[int, list[int]]:
    around: dict[int, list[int]] = {}
    for i, j in network.edges():
        around.setdefault(i, []).append(j)
        around.setdefault(j, []).append(i)
    return around


def region_distance(network, around, target: int, found) -> int:
    """Structural Hamming distance of a region found from the true one, whose class is taken one edge further out."""
    near, layer = {target}, {target}
    for _ in range(DEPTH + 1):
        layer = {y for x in layer for y in around.get(x, ())} - near
        near |= layer
    nodes = sorted(near | set(found.nodes))
    where = {node: i for i, node in enumerate(nodes)}
    dag = np.zeros((len(nodes), len(nodes)), dtype=bool)
    for j in nodes:
        for i in network.parents[j][: network.fan_in[j]].tolist():
            if i in near and j in near:
                dag[where[i], where[j]] = True
    away = distances(dag, where[target])
    inside = away <= DEPTH
    true = cpdag(dag) & inside[:, None] & inside
    learned = np.zeros_like(true)
    places = [where[node] for node in found.nodes]
    learned[np.ix_(places, places)] = found.pdag
    return shd(learned, true)
