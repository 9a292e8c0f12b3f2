"""What lies beside a fitted model in the folder of its data set: all that another manipulation needs."""

from dataclasses import dataclass
from pathlib import Path

from himation.errors import UserError
from himation.files import prepared
from himation.files.atomic import read_json
from himation.files.blanket_table import read_blanket
from himation.files.evidence_table import read_evidence
from himation.files.features_table import read_features
from himation.files.networks_file import read_networks
from himation.files.nodes import Nodes
from himation.models.constructed import Constructed
from himation.posterior.networks import Networks
from himation.posterior.settings import Settings as Sampled
from himation.selection.evidence import Evidence
from himation.selection.rule_names import Settings
from himation.table import Table

NEEDED = (
    "data/facts.json",
    "networks.npz",
    "natural_blanket.tsv",
    "natural_set.tsv",
    "widest_set.tsv",
    "evidence.tsv",
    "selection.json",
    "model.json",
)


@dataclass(frozen=True)
class Fitted:
    """The training table and what was found in it; how variables were selected, and how the model was built.

    ``share`` is the share of manipulated variables in a test table to start from.
    """

    table: Table
    networks: Networks
    blanket: tuple[int, ...]
    best: tuple[int, ...]
    widest: tuple[int, ...]
    evidence: dict[int, Evidence]
    features: tuple[Constructed, ...]
    rule: str
    share: float
    selecting: Settings
    building: dict


def read_fitted(model) -> Fitted:
    """The results beside a model file."""
    folder = Path(model).parent
    absent = [name for name in NEEDED if not (folder / name).is_file()]
    if absent:
        raise UserError(
            f"{folder}: has no {', '.join(absent)}; --manipulation needs the results that the model was made from, so "
            "give --model results/<id>/model.npz of a finished run"
        )
    selection, facts = (read_json(folder / name) for name in ("selection.json", "model.json"))
    if "settings" not in selection or "settings" not in facts:
        raise UserError(f"{folder}: selection.json or model.json is of another version; run snakemake again")
    table = prepared.load(folder / "data")
    nodes = Nodes(table)
    building = facts["settings"]
    return Fitted(
        table,
        read_networks(folder / "networks.npz", nodes),
        *(read_blanket(folder / f"{name}.tsv", nodes)[0] for name in ("natural_blanket", "natural_set", "widest_set")),
        read_evidence(folder / "evidence.tsv", nodes),
        read_features(folder / "features.tsv", nodes) if building["constructed"] else (),
        selection["rule"],
        _share(folder / "manipulated.json"),
        Settings(**selection["settings"]),
        building,
    )


def _share(path: Path) -> float:
    """The one that the data set's own test table was asked with; the default where it has none."""
    return read_json(path, missing={"prior_share": Sampled.manipulated_share})["prior_share"]
