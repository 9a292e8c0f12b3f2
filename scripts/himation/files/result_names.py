"""The files that a run makes for each data set, by the steps that the configuration asks for.

Named one by one as wanted, so that one that is lost is made again even if what depends on it is there.
"""

# of the training table alone: data sets that have the same one share them
_OF_TRAINING = ("natural_blanket.tsv", "natural_set.tsv", "association.json", "features.tsv", "candidates.tsv")
_OF_TRAINING += ("region.tsv", "separations.tsv", "orientation.tsv", "pdags.tsv", "y_tests.tsv", "colliders.tsv")
_OF_TRAINING += ("y_edges.tsv", "evidence.tsv")
_OF_TRAINING_BY_NETWORKS = ("networks.npz", "effects.tsv")
_OWN = ("data", "selection.json", "roles.tsv", "thesis.tsv", "model.npz", "model.json", "grid.tsv", "predictions.tsv")
_BY_FOLDS = ("expected.json", "stability.tsv", "held_out.tsv")


def of_training(draws: bool) -> list[str]:
    """``draws`` where networks are sampled."""
    return [*_OF_TRAINING, *(_OF_TRAINING_BY_NETWORKS if draws else ())]


def of_data_set(draws: bool, holds_out: bool) -> list[str]:
    """All of them; ``holds_out`` where rows are held out for an estimate."""
    return [*_OWN, *(_BY_FOLDS if holds_out else ()), *of_training(draws)]
