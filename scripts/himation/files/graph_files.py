"""The sampled networks in one graph for other programs: GraphML and DOT with probabilities, BIF with tables."""

import re
from xml.sax.saxutils import escape

from himation.errors import UserError
from himation.files.atomic import write_text
from himation.files.nodes import Nodes
from himation.posterior.averages import Shares, shares
from himation.posterior.consensus import consensus, edge_shares, fitted, values_of
from himation.posterior.networks import Networks
from himation.table import Table

LEAST = 0.1  # share of an edge that is written
ROLES = ("parent", "child", "spouse", "ancestor", "descendant")
_STRANGE = re.compile(r"[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML can't hold
_PLAIN = re.compile(r"[^A-Za-z0-9_]")


class Graph:
    """Nodes and edges of the sampled networks that count, with their probabilities; the target is the last node."""

    def __init__(self, table: Table, networks: Networks):
        self.table, self.nodes = table, Nodes(table)
        every = edge_shares(networks, table.n_variables)
        self.edges = {edge: share for edge, share in every.items() if share >= LEAST}
        self.consensus = consensus(self.edges)
        self.roles = shares(networks)
        self.members = sorted({x for edge in self.edges for x in edge} | {table.n_variables})

    def facts(self, node: int) -> list[tuple[str, float]]:
        """Names and probabilities of the roles of a variable."""
        one = self.roles.get(node, Shares())
        return [(f"p_{role}", getattr(one, role)) for role in ROLES] if node != self.table.n_variables else []


def write_graphml(path, graph: Graph) -> None:
    keys = [("name", "node", "string"), ("column", "node", "long"), *((f"p_{r}", "node", "double") for r in ROLES)]
    keys += [("probability", "edge", "double"), ("consensus", "edge", "boolean")]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [f'<key id="{n}" for="{on}" attr.name="{n}" attr.type="{kind}"/>' for n, on, kind in keys]
    lines.append('<graph edgedefault="directed">')
    for x in graph.members:
        told = [("name", _STRANGE.sub(" ", graph.nodes.name(x))), ("column", graph.nodes.column(x)), *graph.facts(x)]
        data = "".join(f'<data key="{key}">{escape(str(value))}</data>' for key, value in told)
        lines.append(f'<node id="n{graph.nodes.column(x)}">{data}</node>')
    for (a, b), share in sorted(graph.edges.items(), key=lambda item: _columns(graph, item[0])):
        ends = f'source="n{graph.nodes.column(a)}" target="n{graph.nodes.column(b)}"'
        agreed = str((a, b) in graph.consensus).lower()
        data = f'<data key="probability">{share!r}</data><data key="consensus">{agreed}</data>'
        lines.append(f"<edge {ends}>{data}</edge>")
    write_text(path, "\n".join([*lines, "</graph>", "</graphml>"]) + "\n")


def write_dot(path, graph: Graph) -> None:
    """For Graphviz: edges of most networks solid, others dashed, their width by probability."""
    lines = ["digraph networks {", '  node [shape=box, fontname="sans-serif"];']
    for x in graph.members:
        bold = ", style=bold" if x == graph.table.n_variables else ""
        lines.append(f"  n{graph.nodes.column(x)} [label={_quoted(graph.nodes.name(x))}{bold}];")
    for (a, b), share in sorted(graph.edges.items(), key=lambda item: _columns(graph, item[0])):
        look = f'label="{share:.2f}", penwidth={0.5 + 2.5 * share:.2f}'
        look += "" if (a, b) in graph.consensus else ", style=dashed"
        lines.append(f"  n{graph.nodes.column(a)} -> n{graph.nodes.column(b)} [{look}];")
    write_text(path, "\n".join([*lines, "}"]) + "\n")


def _columns(graph: Graph, edge) -> tuple[int, int]:
    return graph.nodes.column(edge[0]), graph.nodes.column(edge[1])


def _quoted(text: str) -> str:
    return '"' + _STRANGE.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def to_networkx(graph: Graph):
    """A DiGraph by names, every edge with its ``probability`` and whether it is in the ``consensus``."""
    import networkx

    made = networkx.DiGraph()
    for x in graph.members:
        made.add_node(graph.nodes.name(x), column=graph.nodes.column(x), **dict(graph.facts(x)))
    for (a, b), share in graph.edges.items():
        agreed = (a, b) in graph.consensus
        made.add_edge(graph.nodes.name(a), graph.nodes.name(b), probability=share, consensus=agreed)
    return made


def to_pgmpy(graph: Graph):
    """The consensus of a discrete table with its chances, as a DiscreteBayesianNetwork: pgmpy answers queries to it.

    Names and values hold letters, digits and underscores only, as the files of such networks need it.
    """
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    name = _unlike({x: graph.nodes.name(x) for x in graph.members})
    values = {
        x: list(_unlike(dict(enumerate(values_of(graph.table, x)))).values())
        for x in graph.members
        if x == graph.table.n_variables or graph.table.levels[x] is not None
    }
    made = DiscreteBayesianNetwork([(name[a], name[b]) for a, b in graph.consensus])
    made.add_nodes_from([name[x] for x in graph.members])
    for one in fitted(graph.table, graph.members, graph.consensus):
        rows = one.table.reshape(-1, one.table.shape[-1]).T
        family = (one.node, *one.parents)
        states = {name[x]: values[x] for x in family}
        cards = {"evidence": [name[x] for x in one.parents], "evidence_card": [len(values[x]) for x in one.parents]}
        cards = cards if one.parents else {}
        made.add_cpds(TabularCPD(name[one.node], len(rows), rows.tolist(), state_names=states, **cards))
    return made


def _unlike(names: dict[int, str]) -> dict[int, str]:
    """Plain words, all different."""
    taken: dict[str, int] = {}
    found = {}
    for key, text in names.items():
        word = _PLAIN.sub("_", text) or "_"
        word = f"v{word}" if word[0].isdigit() and not word.isdigit() else word
        count = taken.get(word, 0)
        taken[word] = count + 1
        found[key] = f"{word}_{count}" if count else word
    return found


def write_bif(path, graph: Graph) -> None:
    """The consensus with its chances in the format of the Bayesian network repository."""
    try:
        from pgmpy.readwrite import BIFWriter
    except ImportError:
        raise UserError("a BIF file is written by the package pgmpy: pip install pgmpy") from None
    write_text(path, str(BIFWriter(to_pgmpy(graph), round_values=8)))
