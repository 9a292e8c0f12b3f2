"""Causes and effects told on networks that people built, and whether the probabilities mean what they say.

The networks come with the package pgmpy. Targets are variables of two values, and others cut in two as near the middle
as their levels allow; at most TARGETS of each network, drawn with the seed, with at least a twentieth of the examples
on either side. For each the AUC of P(ancestor) among the variables that go with the target, beside two peers that only
sort (`studies.reruns.sorting`). All such variables of all targets are then sorted by what they were given: of those
that were given 0.4 to 0.6, say, about one half should be ancestors. Nothing was fitted to these networks.
"""

import numpy as np

from himation.files.tables import RawTable
from himation.graphs import ancestors
from himation.posterior.averages import Shares, shares
from himation.posterior.networks import Options, draw
from himation.prepare.preparing import prepare
from himation.studies.reruns import Line, sorting
from himation.studies.reruns.tiling import Network, load

NETWORKS = (
    *("alarm", "andes", "barley", "child", "hailfinder", "hepar2", "insurance", "mildew", "munin1", "pathfinder"),
    *("sachs", "water", "win95pts"),
)
SIZES = (500, 2000)
TARGETS = 12
RAREST = 0.05
FIFTHS = np.linspace(0, 1, 6)
ROLES = ("parent", "ancestor")


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """AUCs by network and number of examples, then reliability."""
    from himation.processes import share_out

    tasks = [
        (name, target, n, seed + k)
        for name in NETWORKS
        for k in range(samples)
        for target in choose_targets(load(name), seed + k)
        for n in SIZES
    ]
    found = share_out(lambda task: measure(*task), tasks, threads, progress)
    lines = []
    for n in SIZES:
        for name in ("all networks", *NETWORKS):
            told = [
                one[0]
                for task, one in zip(tasks, found, strict=True)
                if task[2] == n and name in (task[0], "all networks")
            ]
            lines += _lines_of_aucs(f"{name}, {n} examples", [one for one in told if one])
        judged = np.concatenate([one[1] for task, one in zip(tasks, found, strict=True) if task[2] == n])
        lines += _lines_of_reliability(f"{n} examples", judged)
    return lines


def _lines_of_aucs(case: str, told: list[dict[str, float]]) -> list[Line]:
    note = f"mean of {len(told)} targets"
    return [
        Line(case, f"AUC of ancestors, {way}", None, float(np.mean([one[way] for one in told])), "high", note)
        for way in (sorting.WAYS if told else ())
    ]


def _lines_of_reliability(case: str, judged: np.ndarray) -> list[Line]:
    """``judged`` has P(parent), whether parent, P(ancestor), whether ancestor of every variable."""
    lines = []
    for role, (given, true) in zip(ROLES, (judged[:, :2].T, judged[:, 2:].T), strict=True):
        fifth = np.clip(np.searchsorted(FIFTHS, given, side="right") - 1, 0, len(FIFTHS) - 2)
        for i in np.unique(fifth):
            here = fifth == i
            note = f"mean probability {given[here].mean():.3f}, {here.sum()} variables"
            name = f"share of {role}s where P({role}) is {FIFTHS[i]:.1f} to {FIFTHS[i + 1]:.1f}"
            lines.append(Line(case, name, None, float(true[here].mean()), "", note))
    return lines


def choose_targets(network: Network, seed: int) -> list[int]:
    """Variables to be cut in two, none of them too rarely on one side."""
    codes = network.sample(max(SIZES), np.random.default_rng([seed, max(SIZES)]))
    rarer = np.array([min(share, 1 - share) for share in (cut_in_two(column).mean() for column in codes.T)])
    fit = np.flatnonzero(rarer >= RAREST)
    return sorted(np.random.default_rng(seed).permutation(fit)[:TARGETS].tolist())


def cut_in_two(codes: np.ndarray) -> np.ndarray:
    """Which examples lie above the level that divides them most evenly."""
    shares_above = [(codes > level).mean() for level in range(max(int(codes.max()), 1))]
    return codes > int(np.argmin(np.abs(np.array(shares_above) - 0.5)))


def measure(name: str, target: int, n: int, seed: int, options: Options | None = None):
    """AUCs of one target, nothing where it has no ancestors or nothing else that goes with it; and of each variable
    that goes with it P(parent), whether it is one, P(ancestor), whether it is one."""
    network = load(name)
    codes = network.sample(n, np.random.default_rng([seed, n]))
    others = [x for x in range(len(network.names)) if x != target]
    labels = np.where(cut_in_two(codes[:, target]), 1, -1).astype(np.int8)
    raw = RawTable(
        name, [network.names[x] for x in others], n, values=np.ascontiguousarray(codes[:, others].T, dtype=float)
    )
    table = prepare(raw, labels)
    node = [others[column - 1] for column in table.columns]
    values, given = codes[:, node].astype(float), shares(draw(table, options))
    above, parents = ancestors(network.dag, target), set(network.parents[target])
    judged = []
    for x in sorting.related(values, labels.astype(float)):
        share = given.get(int(x), Shares())
        judged.append((share.parent, node[x] in parents, share.ancestor, node[x] in above))
    true = [x for x, one in enumerate(node) if one in above]
    told = sorting.aucs(values, labels.astype(float), true, {x: share.ancestor for x, share in given.items()})
    return told, np.array(judged, dtype=float).reshape(-1, 4)
