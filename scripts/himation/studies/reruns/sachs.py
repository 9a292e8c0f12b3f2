"""Protein signalling under drugs (Sachs and others, Science 2005): what experiments tell about the network.

All conditions together, each a group of rows that names the protein on which its drug acts: as acted on, since a drug
blocks what a protein does, and as set. To see whether it matters what is named, the proteins are also dealt to the
drugs at random. Beside it stands the same sampler with no word about the drugs. Networks over
the eleven proteins are held against the consensus graph: structural Hamming distance of the edges that most networks
have, and the AUC of P(ancestor) over all ordered pairs.
"""

from pathlib import Path

import numpy as np

from himation.evaluate import auc
from himation.graphs import ancestors, from_edges
from himation.orientation.pdags import shd
from himation.posterior.experiments import SQUASH, grouped
from himation.posterior.orders import correlation_matrix, sample_graphs
from himation.posterior.reaching import reaches
from himation.posterior.scoring import Evidence, Sampling
from himation.studies.reruns import Line, mean_of, real
from himation.studies.reruns.strobl_cyto import CONSENSUS, NAMES

DRUGS = {  # part of a condition's name: what the drug acts on
    "aktinhib": ("pakt",),
    "g0076": ("PKC",),
    "psit": ("PIP2",),
    "u0126": ("pmek",),
    "ly": ("PIP3", "pakt"),
    "pma": ("PKC",),
    "b2camp": ("PKA",),
}
ACTED, DEALT, SET, ALIKE, ALONE = WAYS = (
    "drugs act on their proteins",
    "the same proteins, dealt to the drugs at random",
    "drugs set their proteins",
    "all rows alike",
    "the two stimuli alone",
)
MEASURES = (
    "SHD of most networks' edges",
    "edges in most networks",
    "true ones among these",
    "AUC of P(ancestor)",
    "AUC of P(edge)",
)
BETTER = ("low", "", "high", "high", "high")
MAJORITY = 0.5
CHAINS = 24


def read(paths: list[Path]) -> list[tuple[str, tuple[str, ...], np.ndarray]]:
    """Conditions with what was acted on in them, and logarithms of the proteins, cells by proteins."""
    found = []
    for path in paths:
        acted = next((on for drug, on in DRUGS.items() if drug in path.name), ())
        found.append((path.name, acted, np.log(np.loadtxt(path, delimiter=",", skiprows=1))))
    return found


def evidence_of(conditions, way: str, seed: int = 0) -> Evidence:
    """What the sampler sees; the scale of each protein is that of the rows where nothing acted on anything."""
    if way == DEALT:
        drugs = list(dict.fromkeys(DRUGS.values()))
        dealt = dict(zip(drugs, [drugs[k] for k in np.random.default_rng(seed).permutation(len(drugs))], strict=True))
        conditions = [(name, dealt.get(acted, ()), columns) for name, acted, columns in conditions]
    used = [one for one in conditions if way != ALONE or not one[1]]
    natural = np.vstack([columns for _, acted, columns in conditions if not acted])
    centre, scale = natural.mean(axis=0), natural.std(axis=0)
    every = np.vstack([SQUASH * np.tanh((columns - centre) / scale / SQUASH) for *_, columns in used])
    if way in (ALIKE, ALONE):
        return Evidence(correlation_matrix(every), len(every))
    of_row = np.repeat(np.arange(len(used)), [len(columns) for *_, columns in used])
    named = np.array([[name in acted for _, acted, _ in used] for name in NAMES])
    nothing = np.zeros_like(named)
    return grouped(every, of_row, *((named, nothing) if way == SET else (nothing, named)))


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """``samples`` runs of the sampler from different seeds, of as many chains as the workflow has."""
    conditions = read(sorted(real.folder_of("sachs").glob("sachs_*.csv.gz")))
    truth = from_edges(len(NAMES), [tuple(map(NAMES.index, edge.split(">"))) for edge in CONSENSUS.split()])
    lines = []
    for k, way in enumerate(WAYS):
        if progress:
            progress(k, len(WAYS))
        told = np.array([judge(evidence_of(conditions, way, seed + i), truth, seed + i) for i in range(samples)])
        cells = sum(len(columns) for _, acted, columns in conditions if way != ALONE or not acted)
        note = f"{cells} cells, {samples} runs"
        for name, better, figures in zip(MEASURES, BETTER, told.T.tolist(), strict=True):
            lines.append(mean_of(figures, way, name, None, better, note))
    return lines


def judge(evidence: Evidence, truth: np.ndarray, seed: int) -> tuple[float, ...]:
    """Distance from the truth of the edges in most networks, how many these are and how many are true, and AUCs of
    P(ancestor) and P(edge)."""
    graphs = np.concatenate([sample_graphs(evidence, 0, Sampling(seed=seed * 100 + k)).graphs for k in range(CHAINS)])
    nodes = range(len(truth))
    above = np.array([np.mean([reaches(graph, t) for graph in graphs], axis=0) for t in nodes])
    is_above = np.array([[x in ancestors(truth, t) for x in nodes] for t in nodes])
    apart, edges = ~np.eye(len(truth), dtype=bool), graphs.mean(axis=0)
    ordered = auc(np.where(is_above[apart], 1, -1), above[apart])
    single = auc(np.where(truth[apart], 1, -1), edges[apart])
    found = edges > MAJORITY
    return float(shd(found, truth)), float(found.sum()), float((found & truth).sum()), float(ordered), float(single)
