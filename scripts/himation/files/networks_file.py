"""Write and read networks.npz: the sampled networks as lists of arrows, by column of the user's file.

Plain arrays. ``variables`` are the columns that take part, chain after chain, ``sizes`` how many each chain has;
``arrows`` has a row for each arrow: the draw (counted over all chains), the cause and the effect, as positions within
the chain's variables, the target being the one after the last; ``draws`` is how many networks each chain gave;
``reliability`` and ``copy`` are what the labels are taken to be; ``doubts`` are sentences about what of the user's
knowledge the data speak against.
"""

import io

import numpy as np

from himation.files.atomic import replacing
from himation.files.nodes import Nodes
from himation.posterior.networks import Chain, Networks
from himation.posterior.target import Reliability


def write_networks(path, nodes: Nodes, networks: Networks) -> None:
    chains = networks.chains
    arrows, before = [], 0
    for chain in chains:
        found = np.argwhere(chain.graphs)
        found[:, 0] += before
        arrows.append(found.astype(np.int32))
        before += len(chain.graphs)
    found = networks.reliability
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        variables=np.array([nodes.column(x) for chain in chains for x in chain.variables], dtype=np.int64),
        sizes=np.array([len(chain.variables) for chain in chains], dtype=np.int64),
        draws=np.array([len(chain.graphs) for chain in chains], dtype=np.int64),
        arrows=np.concatenate(arrows) if arrows else np.empty((0, 3), dtype=np.int32),
        log_posterior=np.concatenate([chain.log_posterior for chain in chains]) if chains else np.empty(0),
        factor=np.array([chain.factor for chain in chains]),
        doubts=np.array(networks.doubts, dtype=np.str_),
        reliability=np.array([found.factors, found.log_evidence, found.weights]),
        copy=np.float64(found.copy),
    )
    with replacing(path) as draft:
        draft.write_bytes(buffer.getvalue())


def read_networks(path, nodes: Nodes) -> Networks:
    with np.load(path, allow_pickle=False) as saved:
        held = {name: saved[name] for name in saved.files}
    chains, at, draw = [], 0, 0
    draws_of_arrows = held["arrows"][:, 0]
    for size, draws, factor in zip(held["sizes"], held["draws"], held["factor"], strict=True):
        variables = tuple(nodes.at(column) for column in held["variables"][at : at + size])
        graphs = np.zeros((draws, size + 1, size + 1), dtype=bool)
        here = held["arrows"][(draws_of_arrows >= draw) & (draws_of_arrows < draw + draws)]
        graphs[here[:, 0] - draw, here[:, 1], here[:, 2]] = True
        chains.append(Chain(variables, graphs, held["log_posterior"][draw : draw + draws], float(factor)))
        at, draw = at + size, draw + draws
    found = Reliability(*(tuple(row) for row in held["reliability"].tolist()), copy=float(held["copy"]))
    return Networks(tuple(chains), found, tuple(held["doubts"].tolist()))
