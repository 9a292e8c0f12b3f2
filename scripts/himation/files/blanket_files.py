"""Write and read blankets, members with score and rank (1 is best), and constructed features.

A feature has a name, columns and powers (in the same order), weight and coding.
"""

from himation.errors import UserError
from himation.files.atomic import read_json, read_tsv, write_tsv
from himation.files.nodes import Nodes
from himation.models.constructed import Constructed


def write_blanket(path, nodes: Nodes, members, scores) -> None:
    rows = [
        [nodes.name(x), nodes.column(x), score, rank]
        for rank, (x, score) in enumerate(zip(members, scores, strict=True), start=1)
    ]
    write_tsv(path, ("variable", "column", "score", "rank"), rows)


def read_blanket(path, nodes: Nodes) -> tuple[tuple[int, ...], tuple[float, ...]]:
    rows = read_tsv(path)
    return tuple(nodes.at(row["column"]) for row in rows), tuple(float(row["score"]) for row in rows)


def read_neighbours(paths, nodes: Nodes) -> tuple[int, ...]:
    """The target's neighbours in feature space, of the details that find_blanket.py wrote for fsmb."""
    columns = set()
    for path in paths:
        details = read_json(path)
        if "neighbour_columns" not in details:
            raise UserError(f"{path}: names no neighbours; only details of fsmb do")
        columns |= set(details["neighbour_columns"])
    return tuple(nodes.at(column) for column in sorted(columns))


_HEAD = ("feature", "columns", "powers", "weight", "coding")


def write_features(path, nodes: Nodes, features) -> None:
    rows = []
    for feature in features:
        columns = " ".join(str(nodes.column(variable)) for variable, _ in feature.monomial)
        powers = " ".join(str(power) for _, power in feature.monomial)
        rows.append([feature.name, columns, powers, feature.weight, feature.coding])
    write_tsv(path, _HEAD, rows)


def read_features(path, nodes: Nodes) -> tuple[Constructed, ...]:
    found = []
    for row in read_tsv(path):
        pairs = zip(row["columns"].split(), row["powers"].split(), strict=True)
        monomial = tuple((nodes.at(column), int(power)) for column, power in pairs)
        found.append(Constructed(row["feature"], monomial, float(row["weight"]), row["coding"]))
    return tuple(found)


def features_of_details(path, nodes: Nodes) -> tuple[Constructed, ...]:
    """The features in the details that find_blanket.py wrote, heaviest first."""
    details = read_json(path)
    coding = details.get("coding", "plus_minus")
    parts = zip(details["features"], details.get("feature_names", ()), details.get("weights", ()), strict=True)
    return tuple(
        Constructed(name, tuple((nodes.at(column), int(power)) for column, power in feature), float(weight), coding)
        for feature, name, weight in parts
    )
