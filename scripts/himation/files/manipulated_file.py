"""What infer_manipulation.py writes: a row for each variable, facts on the whole, and what each network says.

manipulated.npz has plain arrays: ``places`` are the chain of a network and its number in it, as in networks.npz;
``weights`` those of the networks; ``chances`` of being the same, set and shifted, network after network, with a row for
each variable of its chain; ``drawn`` has bits, network after network and draw after draw, for the effects of the
target; ``draws`` is how many each network has; ``overall`` has column, p_set, p_shifted, share of the networks and
companion (0: none) of every variable; ``facts`` the three shares, how far the table decides and how steady it is.
"""

import io

import numpy as np

from himation.files.atomic import replacing, write_tsv
from himation.files.nodes import Nodes
from himation.posterior.manipulation import Chance, Inferred, Told
from himation.posterior.networks import Networks
from himation.posterior.settings import LIKELY
from himation.table import Table

HEADER = ("variable", "column", "p_manipulated", "kind", "p_set", "p_shifted", "networks")
DIGITS = 6  # of means and scales, which are in standard deviations
NUMBERS = ("mean_train", "mean_test", "sd_train", "sd_test", "companion", "companion_column", "r_train", "r_test")
LITTLE = 0.5  # of what there is to know


def write_manipulated(path, table: Table, inferred: Inferred) -> None:
    """The contract's table, most suspicious first."""
    nodes, rows = Nodes(table), []
    order = sorted(inferred.chances, key=lambda x: (-_suspicion(inferred.chances[x]), nodes.column(x)))
    for x in order:
        chance = inferred.chances[x]
        parts = [table.numbers_for_target(x, part) for part in ("train", "test")]
        numbers = [round(float(f(v)), DIGITS) for f in (np.mean, np.std) for v in parts]
        beside: list = [None, None, None, None]
        if chance.companion is not None:
            others = [table.numbers_for_target(chance.companion, part) for part in ("train", "test")]
            both = zip(parts, others, strict=True)
            beside = [
                nodes.name(chance.companion),
                nodes.column(chance.companion),
                *(_correlation(a, b) for a, b in both),
            ]
        chances = (_suspicion(chance), kind(chance), chance.set, chance.shifted, chance.networks)
        rows.append([nodes.name(x), nodes.column(x), *chances, *numbers, *beside])
    write_tsv(path, HEADER + NUMBERS, rows)


def kind(chance: Chance) -> str:
    """What a variable rather was than not: none, set or shifted."""
    if _suspicion(chance) < LIKELY:
        return "none"
    return "set" if chance.set >= chance.shifted else "shifted"


def _suspicion(chance: Chance) -> float:
    return min(1.0, chance.set + chance.shifted)


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def facts(table: Table, inferred: Inferred, used: bool, why: str, share: float) -> dict:
    """The contents of manipulated.json."""
    nodes = Nodes(table)

    def columns(word: str) -> list[int]:
        return sorted(nodes.column(x) for x, chance in inferred.chances.items() if kind(chance) == word)

    found = {"set": columns("set"), "shifted": columns("shifted")}
    return {
        "used": used,
        "why": why,
        "test_rows": table.test.n,
        **found,
        "share_set": inferred.shares[1],
        "share_shifted": inferred.shares[2],
        "prior_share": share,
        "told": inferred.told,
        "steady": inferred.steady,
        "words": words(table.test.n, inferred.told, inferred.steady),
    }


def words(rows: int, told: float, steady: float = 1.0) -> str:
    """How much the table can tell."""
    amount = f"{rows} rows settle {told:.0%} of the doubt which variables lost the link with their causes"
    if told >= LITTLE:
        return amount
    if steady < LITTLE:
        return f"{amount}: mechanisms drift, and the set that predicts in nature is used as far as they don't"
    return f"{amount}, which is little: as far as they don't, every effect counts as set, as without a test table"


def write_inferred(path, nodes: Nodes, inferred: Inferred) -> None:
    found = inferred.networks
    overall = [
        [nodes.column(x), c.set, c.shifted, c.networks, 0 if c.companion is None else nodes.column(c.companion)]
        for x, c in sorted(inferred.chances.items())
    ]
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        places=np.array([one.place for one in found], dtype=np.int64).reshape(-1, 2),
        weights=np.array([one.weight for one in found]),
        chances=np.concatenate([one.chances for one in found]) if found else np.empty((0, 3)),
        drawn=np.concatenate([one.drawn.ravel() for one in found]) if found else np.empty(0, dtype=bool),
        draws=np.array([len(one.drawn) for one in found], dtype=np.int64),
        overall=np.array(overall, dtype=float).reshape(-1, 5),
        facts=np.array([*inferred.shares, inferred.told, inferred.steady]),
    )
    with replacing(path) as draft:
        draft.write_bytes(buffer.getvalue())


def read_inferred(path, nodes: Nodes, networks: Networks) -> Inferred:
    with np.load(path, allow_pickle=False) as saved:
        held = {name: saved[name] for name in saved.files}
    found, row, bit = [], 0, 0
    for place, weight, draws in zip(held["places"].tolist(), held["weights"].tolist(), held["draws"], strict=True):
        chain = networks.chains[place[0]]
        graph = chain.graphs[place[1]]
        effects = np.flatnonzero(graph[-1, :-1])
        chances = held["chances"][row : row + len(chain.variables)]
        drawn = held["drawn"][bit : bit + draws * len(effects)].reshape(draws, len(effects))
        found.append(Told(graph, chain.variables, tuple(place), effects, chances, drawn, weight))
        row, bit = row + len(chain.variables), bit + drawn.size
    chances = {
        nodes.at(int(column)): Chance(p_set, p_shifted, share, nodes.at(int(companion)) if companion else None)
        for column, p_set, p_shifted, share, companion in held["overall"].tolist()
    }
    *shares, told, steady = held["facts"].tolist()
    return Inferred(chances, tuple(shares), told, steady, tuple(found))
