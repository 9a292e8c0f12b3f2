"""Read and write regions: edges with depth and p-values, and the separating sets of the other pairs."""

from himation.files.atomic import read_tsv, write_tsv
from himation.files.nodes import PAIR, Nodes, pair_cells, pair_of
from himation.orientation.region import Region


def write_region(path, separations_path, nodes: Nodes, region: Region) -> None:
    from math import exp

    depth = dict(zip(region.nodes, region.depth, strict=True))
    rows = [
        [*pair_cells(nodes, a, b), max(depth[a], depth[b]), exp(region.log_p[a, b]), region.log_p[a, b]]
        for a, b in region.edges
    ]
    rows.sort(key=lambda row: (row[4], row[1], row[3]))
    write_tsv(path, (*PAIR, "depth", "p_value", "log_p"), rows)
    rows = [
        [*pair_cells(nodes, a, b), nodes.set(z), exp(log_p), log_p] for (a, b), (z, log_p) in region.separations.items()
    ]
    rows.sort(key=lambda row: (row[1], row[3]))
    write_tsv(separations_path, (*PAIR, "separating_columns", "p_value", "log_p"), rows)


def read_region(path, separations_path, nodes: Nodes) -> Region:
    from himation.graphs import distances

    log_p = {pair_of(nodes, row): float(row["log_p"]) for row in read_tsv(path)}
    separations = {}
    for row in read_tsv(separations_path) if separations_path else []:
        separations[pair_of(nodes, row)] = (nodes.from_set(row["separating_columns"]), float(row["log_p"]))
    members = sorted({node for pair in log_p for node in pair} | {nodes.target})
    draft = Region(tuple(members), (0,) * len(members), tuple(sorted(log_p)), log_p, separations)
    away = distances(draft.skeleton(), members.index(nodes.target))
    order = sorted(range(len(members)), key=lambda i: (away[i], members[i]))
    depth = tuple(int(away[i]) for i in order)
    return Region(tuple(members[i] for i in order), depth, draft.edges, log_p, separations)
