"""What each part of the model of networks is worth: relative Tscores of the default rule without it.

Problems, versions and measure are those of `studies.reruns.manipulation`. Networks are drawn by the whole model,
without the target's reliability, by one chain, and with half the variables in a chain.
"""

import numpy as np

from himation.posterior.networks import Options, draw
from himation.posterior.nodes import Room
from himation.selection.rule_names import DEFAULT
from himation.studies.reruns import Line, manipulation

VERSIONS = (1, 2)
VARIANTS = {
    "whole model": Options(),
    "without the target's reliability": Options(with_reliability=False),
    "one chain": Options(chains=1),
    "half the nodes": Options(room=Room(nodes=50, related=35, always=10)),
}


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """Means over the samples, by kind and version, and of all kinds."""
    from himation.processes import share_out

    tasks = [(kind, seed + k) for kind in manipulation.PROBLEMS for k in range(samples)]
    found = np.array(share_out(lambda task: measure(*task), tasks, threads, progress))
    lines = []
    for kind in ("all kinds", *manipulation.PROBLEMS):
        ours = found[[kind in ("all kinds", task[0]) for task in tasks]]
        for i, version in enumerate(VERSIONS):
            for j, variant in enumerate(VARIANTS):
                mean, note = float(ours[:, i, j].mean()), f"lowest of {len(ours)}: {ours[:, i, j].min():.3f}"
                lines.append(
                    Line(f"{kind}, version {version}", f"relative Tscore, {variant}", None, mean, "high", note)
                )
    return lines


def measure(kind: str, seed: int) -> list[list[float]]:
    """Relative Tscores of one problem, by version and variant."""
    problem = manipulation.make_problem(kind, seed)
    tables = [manipulation.table_of(problem, version, manipulation.EXAMPLES.get(kind, 500)) for version in VERSIONS]
    blanket = manipulation.natural_blanket(tables[0])
    drawn = [draw(tables[0], options) for options in VARIANTS.values()]
    learned = [manipulation.Learned(blanket, {}, networks) for networks in drawn]
    return [
        [manipulation.relative_tscores(problem, version, table, one, [DEFAULT])[DEFAULT] for one in learned]
        for version, table in zip(VERSIONS, tables, strict=True)
    ]
