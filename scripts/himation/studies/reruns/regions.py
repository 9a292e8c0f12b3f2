"""Chapter IV of the thesis: regions learned locally and globally (tables IV-1 to IV-3), and by AlgorithmGPC (C-1, C-2).

For each network and sample size: the whole structure by MMHC, and around ten random targets the regions of depth 1 to 5
by RegionMMHC and AlgorithmGPC. All by the published choices: alpha 0.05, BDeu of equivalent sample size 10,
hill-climbing with a patience of 15. The distance is that of the region's class of graphs from the true one, both cut
from the larger graph that they were learned in, as the thesis says. Beside it, without a published figure, the same
region by our own choices (greedy equivalence search).

What the thesis leaves open, and was chosen here: which edges join the tiles (`studies.reruns.wide_tiling`), as many as
were published, with diameters about as published; the random networks are new draws. Pigs with 5,000 examples, which
took the thesis 76,753 s, is part of it.

Times are those of computing on this computer, the searches of each run begun afresh, around the first three of the ten
targets; they stand in a table of their own, as they are not reproducible.
"""

from collections.abc import Callable
from functools import cache
from time import perf_counter

import numpy as np

from himation.graphs import distances, region
from himation.orientation.pdags import cpdag, shd
from himation.processes import share_out
from himation.studies.reruns import Line, mean_of, published

NETWORKS = ("Alarm", "RN50", "RN100")
LARGE = ("Ins10", "Hail5", "Alarm10", "Pigs", "RN500")  # in reruns of their own: hours, where the others take a minute
SIZES = (500, 1000, 5000)
DEPTHS = (1, 2, 3, 4, 5)
TARGETS = 10
TIMED_TARGETS = 3  # every search begins afresh for the sake of the times
TILES = {"Alarm10": ("alarm", 10, 110), "Ins10": ("insurance", 10, 36), "Hail5": ("hailfinder", 5, 128)}
_STRUCTURE_SEED = 8  # of tiles and random networks: the same network for every sample
_GPC_VARIABLES = 400  # larger regions are cut, as everywhere


@cache
def network(name: str):
    """The true graph, the numbers of values, and a function (n, seed) that draws codes by variable."""
    from himation.studies.reruns.random_networks import random_network
    from himation.studies.reruns.tiling import load
    from himation.studies.reruns.wide_tiling import tile_widely

    if name.startswith("RN"):
        made = random_network(int(name[2:]), np.random.default_rng(_STRUCTURE_SEED))
        return made.dag(), made.arities, lambda n, seed: made.sample(n, np.random.default_rng(seed))
    if name in TILES:
        part, count, links = TILES[name]
        made = tile_widely(load(part), count, links, _STRUCTURE_SEED)
    else:
        made = load(name.lower())
    arities = np.array([table.shape[-1] for table in made.tables])
    return made.dag, arities, lambda n, seed: np.ascontiguousarray(made.sample(n, np.random.default_rng(seed)).T)


def run_networks(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Table IV-1: how large our networks are beside the thesis's."""
    lines = []
    for row in published("thesis_iv_networks"):
        dag, _, _ = network(row["network"])
        away = np.array([distances(dag | dag.T, t) for t in range(len(dag))])
        facts = {"variables": len(dag), "edges": int(dag.sum()), "diameter": int(away[np.isfinite(away)].max())}
        lines += [Line(row["network"], key, float(row[key]), float(value), error=0.0) for key, value in facts.items()]
    return lines


def run(
    samples: int,
    seed: int,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
    networks: tuple[str, ...] = NETWORKS,
) -> list[Line]:
    """Tables IV-3 and C-2."""
    lines = []
    for (name, n), drawn in _cases(qualities, networks, samples, seed, threads, progress):
        known = _known("IV-3", name, n), _known("C-2", name, n)
        for at, depth in enumerate(DEPTHS):
            case = f"{name} {n}, depth {depth}"
            local, whole, gpc, ours = drawn[:, at].T
            lines += [
                mean_of(local - whole, case, "SHD local - global", known[0].get(depth), "low"),
                mean_of(local - gpc, case, "SHD local - AlgorithmGPC", known[1].get(depth), "low"),
                mean_of(local, case, "SHD local", None, "low"),
                mean_of(whole, case, "SHD global", None, "low"),
                mean_of(ours, case, "SHD local, ours", None, "low", "greedy equivalence search"),
            ]
    return lines


def run_large(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    return run(samples, seed, threads, progress, LARGE)


def run_times(samples: int, seed: int, threads: int = 1, progress=None, networks=NETWORKS) -> list[Line]:
    """Tables IV-2 and C-1. One process, for the sake of the times."""
    lines = []
    for (name, n), drawn in _cases(times, networks, samples, seed, 1, progress):
        known = _known("IV-2", name, n), _known("C-1", name, n)
        lines.append(mean_of(drawn[:, 0, 1], f"{name} {n}", "seconds, global", known[0].get(0), "low"))
        for at, depth in enumerate(DEPTHS):
            case = f"{name} {n}, depth {depth}"
            local, whole, gpc = drawn[:, at].T
            lines.append(mean_of(100 * local / whole, case, "% of global, local", known[0].get(depth), "low"))
            lines.append(mean_of(100 * gpc / local, case, "% of local, AlgorithmGPC", known[1].get(depth)))
            lines.append(mean_of(local, case, "seconds, local", None, "low"))
    return lines


def run_large_times(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    return run_times(samples, seed, threads, progress, LARGE)


def _cases(measure, networks, samples, seed, threads, progress):
    """Figures of each case by sample, depth and column."""
    tasks = [(name, n, seed + i) for name in networks for n in SIZES for i in range(samples)]
    answers = share_out(measure, tasks, threads, progress)
    for i in range(0, len(tasks), samples):
        yield tasks[i][:2], np.array(answers[i : i + samples])


def _known(table: str, name: str, n: int) -> dict[int, float]:
    """Published figures by depth; 0 is the whole network."""
    rows = [row for row in published("thesis_iv") if (row["table"], row["network"]) == (table, name)]
    return {int(row["depth"] or 0): float(row["value"]) for row in rows if int(row["sample_size"]) == n}


def _drawn(task):
    from himation.independence import GSquare
    from himation.orientation.scores.by_name import Sample

    name, n, seed = task
    dag, arities, sample = network(name)
    codes = sample(n, seed)
    targets = np.random.default_rng([seed, n]).permutation(len(dag))[:TARGETS]
    return dag, GSquare.from_codes(codes, arities), Sample(tuple(codes), tuple(arities.tolist())), targets.tolist()


def qualities(task: tuple[str, int, int]) -> np.ndarray:
    """By depth: mean distance of local, global, AlgorithmGPC and our regions from the true ones."""
    from himation.blanket.mmpc import Neighbours
    from himation.blanket.pcmb import get_pcd
    from himation.orientation.structures import OURS, Scoring, algorithm_gpc, mmhc, region_mmhc

    dag, test, sample, targets = _drawn(task)
    truth, n = cpdag(dag), len(dag)
    neighbours, others = Neighbours(test), Neighbours(test, search=get_pcd)
    whole = mmhc(neighbours, sample, Scoring.published()).pdag
    found = np.zeros((len(DEPTHS), 4))
    for at, depth in enumerate(DEPTHS):
        for t in targets:
            true = region(truth, t, depth)
            graphs = (
                region_mmhc(neighbours, sample, t, depth, Scoring.published(), n).matrix(n),
                region(whole, t, depth),
                algorithm_gpc(others, t, depth, _GPC_VARIABLES).matrix(n),
                region_mmhc(neighbours, sample, t, depth, OURS, n).matrix(n),
            )
            found[at] += [shd(graph, true) for graph in graphs]
    return found / len(targets)


def times(task: tuple[str, int, int]) -> np.ndarray:
    """By depth: mean seconds of local, of global (the same for every depth) and of AlgorithmGPC."""
    from himation.blanket.mmpc import Neighbours
    from himation.blanket.pcmb import get_pcd
    from himation.orientation.structures import Scoring, algorithm_gpc, mmhc, region_mmhc

    _, test, sample, targets = _drawn(task)
    targets = targets[:TIMED_TARGETS]
    published_choices, n = Scoring.published(), len(sample.columns)
    mmhc(Neighbours(test), sample, published_choices)  # once before, so that nothing is compiled on the clock
    whole = _seconds(lambda: mmhc(Neighbours(test), sample, published_choices))
    found = np.zeros((len(DEPTHS), 3))
    for at, depth in enumerate(DEPTHS):
        for t in targets:
            local = _seconds(
                lambda t=t, depth=depth: region_mmhc(Neighbours(test), sample, t, depth, published_choices, n)
            )
            gpc = _seconds(
                lambda t=t, depth=depth: algorithm_gpc(Neighbours(test, search=get_pcd), t, depth, _GPC_VARIABLES)
            )
            found[at] += [local, whole, gpc]
    return found / len(targets)


def _seconds(work) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began
