"""Indicators of one category, found or declared, as one factor.

A category of k values is often spread over k columns of zeros and ones, of which exactly one is 1 in every row. Tests
and scores that take these columns for variables of their own meet dependencies that no cause explains: given all but
one, the last is determined, and every indicator seems a neighbour of every other. Here a group is put back together as
one discrete variable; the region is found and oriented with it, and what was found about the factor is then said of
each of its columns. There are no edges among the columns of a group.

``find_groups`` looks for sets of three or more binary columns that are 1 exactly once in each row. Candidates are tried
by the row that nothing covers yet (Knuth's exact cover), from the most frequent column on, with a bound on the effort.
A declared group may leave rows without any 1 (a value that has no column): these are a value of their own.

>>> from himation.bits import pack_bits
>>> colour = np.array([0, 1, 2, 1, 0, 2, 2])
>>> rows = np.array([colour == 0, [1, 1, 0, 1, 0, 1, 0], colour == 1, colour == 2], dtype=np.uint8)
>>> exact_covers(pack_bits(rows), 7)
[(0, 2, 3)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from himation.bits import unpack_bits
from himation.errors import UserError
from himation.graphs import bits
from himation.orientation.averaging import Setting
from himation.orientation.region import Region
from himation.table import BINARY, DISCRETE, Part, Table

FEWEST = 3  # two columns that exclude each other are one binary variable and its complement
MOST_STEPS = 10_000  # of the search from one column
_MOST_VALUES = 200


def find_groups(table: Table) -> list[tuple[int, ...]]:
    """Groups of binary variables that are 1 exactly once in each training example."""
    binary = np.flatnonzero(table.kinds == BINARY)
    covers = exact_covers(np.asarray(table.train.bits[table.row[binary]]), table.train.n)
    return [tuple(int(binary[i]) for i in group) for group in covers]


def exact_covers(words: np.ndarray, n: int) -> list[tuple[int, ...]]:
    """Disjoint sets of rows of bits, three or more, that cover ``n`` places exactly once."""
    masks = [int.from_bytes(np.ascontiguousarray(row).tobytes(), "little") for row in words]
    counts = [mask.bit_count() for mask in masks]
    everything, free, found = (1 << n) - 1, {i for i, count in enumerate(counts) if 0 < count < n}, []
    for start in sorted(free, key=lambda i: (-counts[i], i)):
        if start in free:
            disjoint = [i for i in sorted(free) if not masks[i] & masks[start]]
            group = _cover(masks, everything, start, disjoint)
            if group:
                found.append(tuple(sorted(group)))
                free -= set(group)
    return sorted(found)


def _cover(masks, everything, start, candidates) -> list[int] | None:
    steps = 0

    def extend(chosen, covered, pool):
        nonlocal steps
        if covered == everything:
            return chosen if len(chosen) >= FEWEST else None
        steps += 1
        if steps > MOST_STEPS or len(chosen) >= _MOST_VALUES:
            return None
        lowest = 1 << next(bits(~covered & everything))
        for i in pool:
            if masks[i] & lowest:
                rest = [j for j in pool if not masks[j] & masks[i]]
                answer = extend([*chosen, i], covered | masks[i], rest)
                if answer:
                    return answer
        return None

    return extend([start], masks[start], candidates)


def check_groups(table: Table, groups: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Declared groups, refused where they overlap, are not binary, or exclude each other nowhere near always."""
    seen: set[int] = set()
    for group in groups:
        names = ", ".join(table.names[v] for v in group)
        if seen & set(group) or len(set(group)) < len(group):
            raise UserError(f"groups: a column of {names} is listed twice; a column belongs to one group")
        if any(table.kinds[v] != BINARY for v in group):
            raise UserError(f"groups: {names}: only columns with two values can be indicators")
        rows = unpack_bits(np.asarray(table.train.bits[table.row[list(group)]]), table.train.n)
        if (rows.sum(axis=0) > 1).any():
            raise UserError(f"groups: {names}: two of them are 1 in row {int((rows.sum(axis=0) > 1).argmax()) + 1}")
        seen |= set(group)
    return list(groups)


@dataclass(frozen=True)
class Factors:
    """A table with its groups as factors, and the way between its nodes and those of the table as it was."""

    table: Table
    members: tuple[tuple[int, ...], ...]  # of each node of the new table: variables of the old one

    @classmethod
    def of(cls, table: Table, groups: list[tuple[int, ...]]) -> Factors:
        """Ungrouped variables keep their order; factors follow, in that of their first column."""
        grouped = {v for group in groups for v in group}
        kept = np.array([v for v in range(table.n_variables) if v not in grouped], dtype=np.int64)
        codes = np.array([_factor_codes(table, group) for group in groups], dtype=np.uint8).reshape(-1, table.train.n)
        first = [group[0] for group in groups]
        train = Part(table.train.n, table.train.bits, np.vstack([table.train.codes, codes]), table.train.values)
        merged = replace(
            table,
            names=[table.names[v] for v in kept] + [" | ".join(table.names[v] for v in group) for group in groups],
            columns=np.append(table.columns[kept], table.columns[first]),
            kinds=np.append(table.kinds[kept], np.array([DISCRETE] * len(groups), dtype=object)),
            row=np.append(table.row[kept], len(table.train.codes) + np.arange(len(groups))).astype(np.int64),
            levels=[table.levels[v] for v in kept] + [list(range(int(row.max()) + 1)) for row in codes],
            centre=np.append(table.centre[kept], codes.mean(axis=1)),
            scale=np.append(table.scale[kept], np.maximum(codes.std(axis=1), 1e-12)),
            train=train,
            test=None,
            left_out=None,
            experiments=None,
            environment=None,
        )
        members = (*((int(v),) for v in kept), *groups, (table.n_variables,))
        return cls(merged, members)

    def contract(self, region: Region) -> Region:
        """A region on the old nodes as one on the new nodes."""
        node_of = {v: node for node, members in enumerate(self.members) for v in members}
        pairs: dict[tuple[int, int], float] = {}
        for a, b in region.edges:
            pair = min(node_of[a], node_of[b]), max(node_of[a], node_of[b])
            if pair[0] != pair[1]:
                pairs[pair] = min(region.log_p[a, b], pairs.get(pair, 0.0))
        depth: dict[int, int] = {}
        for v, away in zip(region.nodes, region.depth, strict=True):
            depth[node_of[v]] = min(away, depth.get(node_of[v], away))
        nodes = tuple(sorted(depth, key=lambda node: (depth[node], node)))
        return Region(nodes, tuple(depth[v] for v in nodes), tuple(sorted(pairs)), pairs, {}, region.complete)

    def expand(self, region: Region) -> Region:
        """A region on the new nodes, said of every column: a factor's edges and separations are its columns'."""
        flat = [(v, away) for node, away in zip(region.nodes, region.depth, strict=True) for v in self.members[node]]
        flat.sort(key=lambda pair: (pair[1], pair[0]))
        log_p = {pair: region.log_p[edge] for edge in region.edges for pair in self._pairs(*edge)}
        separations = {}
        for edge, (z, value) in region.separations.items():
            given = tuple(v for node in z for v in self.members[node])
            separations.update(dict.fromkeys(self._pairs(*edge), (given, value)))
        nodes, depth = tuple(v for v, _ in flat), tuple(away for _, away in flat)
        return Region(nodes, depth, tuple(sorted(log_p)), log_p, separations, region.complete)

    def expand_settings(self, small: Region, large: Region, settings: list[Setting]) -> list[Setting]:
        """PDAGs of the contracted region on the nodes of the region as it was."""
        where = {v: i for i, node in enumerate(small.nodes) for v in self.members[node]}
        places = np.array([where[v] for v in large.nodes])
        return [Setting(setting.name, setting.pdag[np.ix_(places, places)]) for setting in settings]

    def _pairs(self, a: int, b: int):
        return [(min(x, y), max(x, y)) for x in self.members[a] for y in self.members[b]]


def _factor_codes(table: Table, group: tuple[int, ...]) -> np.ndarray:
    """0, 1, ... for the column that is 1; the last value for rows without any."""
    rows = unpack_bits(np.asarray(table.train.bits[table.row[list(group)]]), table.train.n)
    return np.where(rows.any(axis=0), rows.argmax(axis=0), len(group)).astype(np.uint8)
