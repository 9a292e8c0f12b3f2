"""Discrete networks, and large ones made of copies of small ones (tiling; Tsamardinos et al. 2006).

A tiled network is a chain of parts. Some roots of each part get a parent in the part before it, so that the whole is
connected, and yet every part keeps exactly the distribution that it has alone. Two rules of ours see to that:

* the new table of a root averages to its old one: P(x | p) = (1 - LINK) P(x) + LINK J(p, x) / P(p), where J is the
  joint distribution with the given margins that is as increasing as possible (north-west corner rule);
* the parents taken from one part have no ancestor in common, so the roots that they feed stay independent.

The networks themselves (Alarm and others of the Bayesian network repository) are read from the installed package
pgmpy; nothing of them is kept here.

>>> coin = Network(("a", "b"), ((), (0,)), (np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])))
>>> two = tile([coin, coin], n_edges=1, seed=0)
>>> two.names, two.parents[2]
(('a_1', 'b_1', 'a_2', 'b_2'), (0,))
>>> [two.margin(x).round(3).tolist() for x in (0, 2)], [two.margin(x).round(3).tolist() for x in (1, 3)]
([[0.5, 0.5], [0.5, 0.5]], [[0.55, 0.45], [0.55, 0.45]])
"""

import gzip
import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.graphs import ancestors
from himation.studies.simulate.discrete import Network

LINK = 0.6  # strength of the edges between parts, between 0 and 1


@cache
def load(name: str) -> Network:
    """A network of the Bayesian network repository by its name in pgmpy, for instance alarm."""
    found = find_spec("pgmpy")
    if found is None:
        raise UserError("the networks of this experiment come with the package pgmpy: pip install pgmpy")
    path = Path(found.submodule_search_locations[0]) / "utils" / "example_models" / f"{name}.bif.gz"
    if not path.is_file():
        raise UserError(f"pgmpy has no network {name!r}")
    return parse_bif(gzip.decompress(path.read_bytes()).decode())


def parse_bif(text: str) -> Network:
    """A network in the Bayesian interchange format."""
    values = {
        name: [word.strip() for word in words.split(",")]
        for name, words in re.findall(r"variable\s+(\S+)\s*\{[^{]*\{([^}]*)\}", text)
    }
    names = tuple(values)
    parents, tables = [()] * len(names), [np.empty(0)] * len(names)
    for head, body in re.findall(r"probability\s*\(([^)]*)\)\s*\{(.*?)\}", text, re.DOTALL):
        child, *given = re.split(r"[|,\s]+", head.strip())
        table = np.empty([len(values[name]) for name in (*given, child)])
        for condition, numbers in re.findall(r"(?:\(([^)]*)\)|table)([^;]*);", body):
            words = [word.strip() for word in condition.split(",")] if condition else []
            at = tuple(values[name].index(word) for name, word in zip(given, words, strict=True))
            row = np.array([float(number) for number in numbers.split(",")])
            table[at] = row / row.sum()
        j = names.index(child)
        parents[j], tables[j] = tuple(names.index(name) for name in given), table
    return Network(names, tuple(parents), tuple(tables))


def tile(
    parts: Sequence[Network], n_edges: int = 2, seed: int = 0, keep_names: Collection[int] = (), closed=()
) -> Network:
    """Chain the parts, up to ``n_edges`` edges from each to the next. Names get a number, except in ``keep_names``.

    Variables called by a name in ``closed`` get no edge to another part.
    """
    rng, numbers = np.random.default_rng(seed), count(1)
    names, parents, tables = [], [], []
    before, offset_before = None, 0
    for k, part in enumerate(parts):
        offset, number = len(names), "" if k in keep_names else f"_{next(numbers)}"
        feeding = _links(before, part, n_edges, rng, closed) if before else {}
        for j, name in enumerate(part.names):
            names.append(name + number)
            if j in feeding:
                donor = feeding[j]
                parents.append((offset_before + donor,))
                tables.append(linked_table(before.margin(donor), part.tables[j]))
            else:
                parents.append(tuple(offset + parent for parent in part.parents[j]))
                tables.append(part.tables[j])
        before, offset_before = part, offset
    return Network(tuple(names), tuple(parents), tuple(tables))


def _links(before: Network, part: Network, n_edges: int, rng, closed) -> dict[int, int]:
    """Which roots of ``part`` are fed by which variables of the part before."""
    roots = [j for j in range(len(part.names)) if not part.parents[j] and part.names[j] not in closed]
    donors, taken = [], set()
    for x in rng.permutation(len(before.names)).tolist():
        family = {x} | ancestors(before.dag, x)
        if before.names[x] not in closed and family.isdisjoint(taken) and len(donors) < n_edges:
            donors.append(x)
            taken |= family
    return dict(zip(rng.permutation(roots).tolist(), donors, strict=False))


def linked_table(parent: np.ndarray, child: np.ndarray, link: float = LINK) -> np.ndarray:
    """P(child | parent) that averages to the child's own distribution."""
    ends = np.cumsum(parent)[:, None], np.cumsum(child)[None, :]
    starts = ends[0] - parent[:, None], ends[1] - child[None, :]
    joint = np.maximum(np.minimum(*ends) - np.maximum(*starts), 0.0)
    table = (1 - link) * child[None, :] + link * joint / parent[:, None]
    return table / table.sum(axis=1, keepdims=True)
