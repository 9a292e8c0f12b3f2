"""Read and write constructed features: name, columns and powers (in the same order), weight, coding."""

from himation.files.atomic import read_json, read_tsv, write_tsv
from himation.files.nodes import Nodes
from himation.models.constructed import Constructed

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
