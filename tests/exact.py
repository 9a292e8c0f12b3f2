"""Exact probabilities of small networks, by going through all combinations of values."""

from itertools import product

from himation.studies.simulate.networks import COIN, BinaryNetwork


def joint(network: BinaryNetwork, manipulated=()) -> dict[tuple[int, ...], float]:
    """Of every combination of values, in the order of `names` with the target last."""
    columns = (*network.names, network.target)
    found = {}
    for combination in product((0, 1), repeat=len(columns)):
        value = dict(zip(columns, combination, strict=True))
        probability = 1.0
        for name, mechanism in network.mechanisms.items():
            true = COIN
            if name not in manipulated:
                true = float(mechanism.table[tuple(value[cause] for cause in mechanism.causes)])
            probability *= true if value[name] else 1 - true
        found[combination] = probability
    return found
