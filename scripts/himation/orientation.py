"""Orient the region under several settings of the score, and average (thesis, V.2.4 and V.2.6).

Discrete tables: MMHC's search with BDeu. Continuous and mixed ones: the same search on the kernel generalised variance
of Bach and Jordan (2002). Each setting gives a directed graph, of which only the edges that are compelled in its
completed PDAG say something about cause and effect. The thesis keeps what appears under all settings; here every edge
gets the fraction of settings that direct it one way, the other way, leave it undirected, or have no edge.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from himation.hill_climbing import hill_climb
from himation.pdags import cpdag
from himation.region import Region
from himation.table import CONTINUOUS, Table

PATIENCE = 100  # MMHC has 15; on Alarm (5,000 examples, true skeleton) that ends 12 edges off, 100 steps end 2 off


@dataclass(frozen=True)
class Setting:
    """One way to score, with the PDAG that it gives on the region's nodes (positions, not variables)."""

    name: str
    pdag: np.ndarray


@dataclass(frozen=True)
class EdgeShares:
    """Over all settings: how often a -> b and b -> a are compelled, and a - b is left undirected."""

    a: int
    b: int
    forward: float
    backward: float
    undirected: float


def settings_for(kind: str, score: str, sample_sizes, sigmas, kappas) -> list[tuple[str, dict]]:
    """Names and parameters of the settings to average over."""
    discrete = kind in ("binary", "discrete")
    if score == "bdeu" or (score == "auto" and discrete):
        return [(f"bdeu ess={size:g}", {"equivalent_sample_size": float(size)}) for size in sample_sizes]
    return [
        (f"kernel sigma={sigma:g} kappa={kappa:g}", {"sigma": float(sigma), "kappa": float(kappa)})
        for kappa in kappas
        for sigma in sigmas
    ]


def orient(
    table: Table,
    region: Region,
    settings: list[tuple[str, dict]],
    patience: int = PATIENCE,
    progress: Callable[[int, int], None] | None = None,
) -> list[Setting]:
    """The PDAG of the region under each setting. The target is the node ``table.n_variables``."""
    skeleton = region.skeleton()
    found = []
    for done, (name, parameters) in enumerate(settings):
        if progress:
            progress(done, len(settings))
        score = _score(table, region, parameters)
        found.append(Setting(name, cpdag(hill_climb(score, skeleton, patience=patience).dag)))
    return found


def edge_shares(region: Region, settings: list[Setting]) -> list[EdgeShares]:
    """Average the PDAGs over the settings."""
    pdags = np.array([setting.pdag for setting in settings])
    where = {node: position for position, node in enumerate(region.nodes)}
    shares = []
    for a, b in region.edges:
        i, j = where[a], where[b]
        there, back = pdags[:, i, j], pdags[:, j, i]
        shares.append(
            EdgeShares(
                a,
                b,
                float(np.mean(there & ~back)),
                float(np.mean(back & ~there)),
                float(np.mean(there & back)),
            )
        )
    return shares


def _score(table: Table, region: Region, parameters: dict):
    variables = [node for node in region.nodes if node < table.n_variables]
    target_at = region.nodes.index(table.n_variables)
    if "equivalent_sample_size" in parameters:
        from himation.bdeu import BDeu

        codes, arities = table.codes(variables)
        codes = np.insert(codes, target_at, (table.target > 0).astype(np.uint8), axis=0)
        return BDeu(codes.T, np.insert(arities, target_at, 2), **parameters)
    from himation.kernel_score import KernelScore

    columns = [table.numbers(i) for i in variables]
    discrete = [table.kinds[i] != CONTINUOUS for i in variables]
    columns.insert(target_at, table.target.astype(np.float64))
    discrete.insert(target_at, True)
    return KernelScore(columns, discrete, **parameters)
