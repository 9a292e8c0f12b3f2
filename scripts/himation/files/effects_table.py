"""Write and read effects.tsv: a row for each variable, of words for each value but the commonest; largest effect first.

``effect`` is the change of P(positive) from setting the variable ``from`` one value ``to`` another, ``low`` and
``high`` are the ends of its 90 % interval.
"""

from himation.files.atomic import write_tsv
from himation.files.nodes import Nodes
from himation.posterior.effects import Change

HEADER = ("variable", "column", "p_cause", "effect", "low", "high", "from", "to")


def write_effects(path, nodes: Nodes, changes: list[Change]) -> None:
    rows = [
        (nodes.name(c.variable), nodes.column(c.variable), e.p_cause, e.mean, e.low, e.high, c.before, c.after)
        for c in changes
        for e in [c.effect]
    ]
    write_tsv(path, HEADER, rows)
