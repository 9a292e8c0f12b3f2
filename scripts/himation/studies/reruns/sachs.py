"""Protein signalling under drugs (Sachs and others, Science 2005): what experiments tell about the network.

All conditions together; each names the protein on which its drug acts, so that the network is judged by
`environment`. Beside it stands the same sampler with no word about the drugs. Networks over the eleven proteins are
held against the consensus graph: structural Hamming distance of the edges that most networks have, and the AUC of
P(ancestor) over all ordered pairs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from himation.evaluate import auc
from himation.graphs import ancestors, from_edges
from himation.orientation.pdags import shd
from himation.posterior.experiments import SQUASH
from himation.posterior.orders import correlation_matrix, sample_graphs
from himation.posterior.reaching import reaches
from himation.posterior.scoring import Evidence, Sampling
from himation.studies.reruns import Line, error_of, real
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
WAYS = ("with the drugs as environment", "all rows alike", "the two stimuli alone")
MAJORITY = 0.5


def read(paths: list[Path]) -> list[tuple[str, tuple[str, ...], np.ndarray]]:
    """Conditions with what was set in them, and logarithms of the proteins, cells by proteins."""
    found = []
    for path in paths:
        acted = next((on for drug, on in DRUGS.items() if drug in path.name), ())
        found.append((path.name, acted, np.log(np.loadtxt(path, delimiter=",", skiprows=1))))
    return found


def evidence_of(conditions, way: str) -> Evidence:
    """What the sampler sees; the scale of each protein is that of the rows where nothing acted on anything."""
    used = [one for one in conditions if way != WAYS[2] or not one[1]]
    natural = np.vstack([columns for _, acted, columns in conditions if not acted])
    centre, scale = natural.mean(axis=0), natural.std(axis=0)
    every = np.vstack([SQUASH * np.tanh((columns - centre) / scale / SQUASH) for *_, columns in used])
    rows = np.cumsum([0, *(len(columns) for *_, columns in used)])
    was_set = np.zeros((len(NAMES), len(every)), dtype=bool)
    if way == WAYS[0]:
        for k, (_, acted, _) in enumerate(used):
            was_set[[NAMES.index(name) for name in acted], rows[k] : rows[k + 1]] = True
    apart = {
        i: (correlation_matrix(every[~was_set[i]]), int((~was_set[i]).sum()))
        for i in np.flatnonzero(was_set.any(axis=1)).tolist()
    }
    return Evidence(correlation_matrix(every), len(every), None, apart, was_set)


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """``samples`` runs of the sampler from different seeds."""
    conditions = read(sorted(real.folder_of("sachs").glob("sachs_*.csv.gz")))
    truth = from_edges(len(NAMES), [tuple(map(NAMES.index, edge.split(">"))) for edge in CONSENSUS.split()])
    lines = []
    for k, way in enumerate(WAYS):
        if progress:
            progress(k, len(WAYS))
        evidence = evidence_of(conditions, way)
        told = np.array([judge(evidence, truth, Sampling(seed=seed + i)) for i in range(samples)])
        note = f"{evidence.n} cells, {samples} runs"
        for name, better, figures in zip(
            ("SHD of most networks' edges", "AUC of P(ancestor)", "AUC of P(edge)"),
            ("low", "high", "high"),
            told.T.tolist(),
            strict=True,
        ):
            lines.append(Line(way, name, None, float(np.mean(figures)), better, note, error_of(figures)))
    return lines


def judge(evidence: Evidence, truth: np.ndarray, sampling: Sampling) -> tuple[float, float, float]:
    """Distance from the truth of the edges in most networks, and AUCs of P(ancestor) and P(edge)."""
    graphs = sample_graphs(evidence, 0, sampling).graphs
    nodes = range(len(truth))
    above = np.array([np.mean([reaches(graph, t) for graph in graphs], axis=0) for t in nodes])
    is_above = np.array([[x in ancestors(truth, t) for x in nodes] for t in nodes])
    apart = ~np.eye(len(truth), dtype=bool)
    edges = graphs.mean(axis=0)
    ordered = auc(np.where(is_above[apart], 1, -1), above[apart])
    single = auc(np.where(truth[apart], 1, -1), edges[apart])
    return float(shd(edges > MAJORITY, truth)), float(ordered), float(single)
